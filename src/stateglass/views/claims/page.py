"""Answers as one HTML page: for each claim a card, and the run beside its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stateglass.evidence import Path, Verdict, files_of
from stateglass.formats.valuations import changing
from stateglass.model import is_error
from stateglass.source import as_sentence
from stateglass.views.claims.cards import (
    Card,
    confirmation,
    decided_by,
    ending,
    invariant_lines,
    says,
    shown_first,
    verdict_words,
    why,
)
from stateglass.views.claims.svg import svg
from stateglass.views.page import page, picture_pane
from stateglass.views.report_parts import Places, escaped, items, listing, section

_LEGEND = (
    "Solid arrows are calls and inputs, dashed ones returns; a coloured box is an error. What changes stands below. "
    '<span class="with-script">Click an arrow or a row to see its line; Escape lets go.</span>'
)
_DRAWN: Final = "steps"


def claims_page(cards: Sequence[Card], sources: Mapping[str, str], title: str) -> str:
    """The page: a card for each claim, the steps of each run, and a picture of the one that is shown first."""
    places = Places(tuple(sources))
    drawn = shown_first(cards)
    runs = [(card, path) for card in cards if (path := card.path) is not None]
    runs.sort(key=lambda run: run[0] is not drawn)
    # Claims may be alike: what counts is which card it is.
    names = {id(card): f"{_DRAWN}-{number}" if number > 1 else _DRAWN for number, (card, _) in enumerate(runs, 1)}
    parts = [_card(card, names.get(id(card), "") if len(cards) > 1 else "") for card in cards]
    links: list[tuple[str, str]] = []
    if runs:
        first, path = runs[0]
        diagram = first.drawn(path)
        spans = [step.span for _, run in runs for step in run.steps]
        used = {anchor for span in spans if (anchor := places.anchor(span)) is not None}
        parts += [
            '<div class="panes">',
            picture_pane(lambda: svg(diagram, first.title), _LEGEND),
            *([listing(sources, used, places)] if sources else []),
            "</div>",
            *(_steps(card, path, places, names[id(card)], alone=len(cards) == 1) for card, path in runs),
        ]
        links = [("picture", "Picture"), *([("source", "Source")] if sources else []), (_DRAWN, "Steps")]
    return page(title, links, parts)


def sources_shown(cards: Sequence[Card]) -> tuple[str, ...]:
    """The files that the runs point to."""
    return tuple(dict.fromkeys(file for card in cards if card.path for file in files_of(card.path)))


def _card(card: Card, run: str) -> str:
    """`run` is where the steps of the run are, if that has to be said."""
    answer, origin = card.answer, card.origin.origin
    look = {Verdict.HOLDS: "whole", Verdict.INCONCLUSIVE: "partial"}.get(answer.verdict, "findings")
    said = [why(answer), says(card), decided_by(answer), *invariant_lines(answer), confirmation(answer)]
    lists = [
        ("Bounds", items(f"<code>{escaped(n)}</code> takes <code>{escaped(t)}</code>" for n, t in origin.bounds)),
        ("Assumptions", items(f"<code>{escaped(a.subject)}</code>: {escaped(a.text)}" for a in origin.assumptions)),
        ("Not seen", items(escaped(reason) for reason in origin.partial)),
    ]
    below = f'<p><a href="#{run}">Its run</a>{" is in the picture, too" if run == _DRAWN else ""}.</p>' if run else ""
    return (
        f'<section class="card {look}" aria-label="Answer"><p><strong><code>{escaped(card.title)}</code>: '
        f"{escaped(verdict_words(answer))}</strong></p>{items(escaped(text) for text in said if text)}{below}"
        + "".join(f"<h3>{title}</h3>{text}" for title, text in lists if text)
        + "</section>"
    )


def _steps(card: Card, path: Path, places: Places, name: str, *, alone: bool) -> str:
    """A table of the steps; only those of the run that is drawn belong to arrows."""
    moving = {p.name for p in changing(card.model)}
    first = ", ".join(
        f"<code>{escaped(f'{name} = {value}')}</code>"
        for name, value in card.model.valuation(path.start).items()
        if name in moving
    )
    rows = [f'<tr><td class="number">0</td><td>start</td><td>{first}</td><td></td></tr>']
    for number, step in enumerate(path.steps, 1):
        alarm = ' class="alarm"' if is_error(step.action) else ""
        changes = ", ".join(f"<code>{escaped(f'{name} = {value}')}</code>" for name, value in step.changes)
        mark = " ↻" if path.loop_start is not None and number == path.loop_start + 1 else ""
        arrow = (
            f' tabindex="0" data-transition="{number}" data-arrow="arrow{number}" data-from="{step.source}"'
            f' data-to="{step.target}"{places.data(step.span)}'
        )
        rows.append(
            f'<tr{arrow if name == _DRAWN else ""}><td class="number">{number}{mark}</td>'
            f"<td><code{alarm}>{escaped(step.action)}</code></td><td>{changes}</td><td>{places.link(step.span)}</td></tr>"
        )
    end = ending(path)
    titles = "<th>Step</th><th>What happens</th><th>What changes</th><th>Line</th>"
    of = "" if alone else f" of <code>{escaped(card.title)}</code>"
    table = section(name, f"Steps{of}", titles, rows, len(rows))
    return table + (f"<p>{escaped(as_sentence(end))}</p>" if end else "")
