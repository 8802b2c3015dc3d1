"""Answers as one HTML page: for each claim a card, and the run beside its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stateglass.evidence import Path, Verdict, files_of
from stateglass.formats.valuations import changing
from stateglass.views.claims.cards import Card, confirmation, ending, says, verdict_words, why
from stateglass.views.claims.sequence import sequence
from stateglass.views.claims.svg import svg
from stateglass.views.page import page, picture_pane
from stateglass.views.report_parts import Places, escaped, items, listing, section

_LEGEND = (
    "Solid arrows are calls and inputs, dashed ones returns; a coloured box is an error. What changes stands below. "
    '<span class="with-script">Click an arrow or a row to see its line; Escape lets go.</span>'
)


def claims_page(cards: Sequence[Card], sources: Mapping[str, str], title: str) -> str:
    """The page. Of several claims that have a run, the first one that is violated is drawn; all have a card."""
    places = Places(tuple(sources))
    drawn = next((c for c in cards if c.path and c.is_finding), next((c for c in cards if c.path), None))
    parts = [_card(card, drawn=card is drawn and len(cards) > 1) for card in cards]
    links: list[tuple[str, str]] = []
    if drawn is not None and drawn.path is not None:
        path, subject = drawn.path, drawn.origin.origin.subject
        used = {anchor for step in path.steps if (anchor := places.anchor(step.span)) is not None}
        diagram = sequence(path, subject)
        parts += [
            '<div class="panes">',
            picture_pane(lambda: svg(diagram, drawn.title), _LEGEND),
            *([listing(sources, used, places)] if sources else []),
            "</div>",
            _steps(drawn, path, places),
        ]
        links = [("picture", "Picture"), *([("source", "Source")] if sources else []), ("steps", "Steps")]
    return page(title, links, parts)


def sources_shown(cards: Sequence[Card]) -> tuple[str, ...]:
    """The files that the runs point to."""
    return tuple(dict.fromkeys(file for card in cards if card.path for file in files_of(card.path)))


def _card(card: Card, *, drawn: bool) -> str:
    answer, origin = card.answer, card.origin.origin
    look = {Verdict.HOLDS: "whole", Verdict.INCONCLUSIVE: "partial"}.get(answer.verdict, "findings")
    said = [why(answer), says(card), confirmation(answer)]
    lists = [
        ("Bounds", items(f"<code>{escaped(n)}</code> takes <code>{escaped(t)}</code>" for n, t in origin.bounds)),
        ("Assumptions", items(f"<code>{escaped(a.subject)}</code>: {escaped(a.text)}" for a in origin.assumptions)),
        ("Not seen", items(escaped(reason) for reason in origin.partial)),
    ]
    below = "<p>The picture and the steps below are its run.</p>" if drawn else ""
    return (
        f'<section class="card {look}" aria-label="Answer"><p><strong><code>{escaped(card.title)}</code>: '
        f"{escaped(verdict_words(answer))}</strong></p>{items(escaped(text) for text in said if text)}{below}"
        + "".join(f"<h3>{title}</h3>{text}" for title, text in lists if text)
        + "</section>"
    )


def _steps(card: Card, path: Path, places: Places) -> str:
    moving = {p.name for p in changing(card.model)}
    first = ", ".join(
        f"<code>{escaped(f'{name} = {value}')}</code>"
        for name, value in card.model.valuation(path.start).items()
        if name in moving
    )
    rows = [f'<tr><td class="number">0</td><td>start</td><td>{first}</td><td></td></tr>']
    for number, step in enumerate(path.steps, 1):
        alarm = ' class="alarm"' if step.action.startswith("error(") else ""
        changes = ", ".join(f"<code>{escaped(f'{name} = {value}')}</code>" for name, value in step.changes)
        mark = " ↻" if path.loop_start is not None and number == path.loop_start + 1 else ""
        rows.append(
            f'<tr tabindex="0" data-transition="{number}" data-arrow="arrow{number}" data-from="{step.source}"'
            f' data-to="{step.target}"{places.data(step.span)}><td class="number">{number}{mark}</td>'
            f"<td><code{alarm}>{escaped(step.action)}</code></td><td>{changes}</td><td>{places.link(step.span)}</td></tr>"
        )
    end = ending(path)
    titles = "<th>Step</th><th>What happens</th><th>What changes</th><th>Line</th>"
    table = section("steps", "Steps", titles, rows, len(rows))
    return table + (f"<p>{escaped(end[:1].upper() + end[1:])}.</p>" if end else "")
