"""Answers as a chapter of an HTML page: for each claim a card, and the run beside its states and its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stateglass.evidence import Path, Verdict, files_of
from stateglass.model import is_error
from stateglass.source import as_sentence
from stateglass.views.claims.cards import (
    Card,
    confirmation,
    decided_by,
    ending,
    invariant_lines,
    says,
    shortened,
    shown_first,
    verdict_words,
    why,
)
from stateglass.views.claims.svg import svg
from stateglass.views.page import Chapter, page, picture_pane
from stateglass.views.picture import svg as model_svg
from stateglass.views.report import LEGEND as MODEL_LEGEND
from stateglass.views.report_parts import Places, escaped, inline, items, listing, section

_LEGEND = (
    "Solid arrows are calls and inputs, dashed ones returns; a coloured box is an error. What changes stands below. "
    '<span class="with-script">Click an arrow or a row to see its line; Escape lets go.</span>'
)
_DRAWN: Final = "steps"
MOST_BESIDE: Final = 60
"""A model with more states is not shown beside a run."""


def claims_chapter(cards: Sequence[Card], sources: Mapping[str, str], name: str = "") -> Chapter:
    """A card for each claim; of the run that is shown first, the steps, the states and the lines that it goes through.

    `sources` has the text of files by the names that the steps use; it may lack some.
    """
    places = Places(tuple(sources), name)
    drawn = shown_first(cards)
    runs = [(card, path) for card in cards if (path := card.path) is not None]
    runs.sort(key=lambda run: run[0] is not drawn)
    # Claims may be alike: what counts is which card it is.
    names = {id(card): f"{_DRAWN}-{number}" if number > 1 else _DRAWN for number, (card, _) in enumerate(runs, 1)}
    of_run = {number: places.name(text) for number, text in names.items()} if len(cards) > 1 else {}
    rests = [_rests_on(card) for card in cards]
    shared = len(cards) > 1 and len(set(rests)) == 1
    parts = [_card(card, of_run.get(id(card), ""), "" if shared else r) for card, r in zip(cards, rests, strict=True)]
    if shared and rests[0]:
        parts.append(f'<section class="card rests" aria-label="What all answers rest on">{rests[0]}</section>')
    if not runs:
        return Chapter(name, (), tuple(parts))
    (first, path), others = runs[0], runs[1:]
    of_steps = {id(card): _anchors(card, run, places) for card, run in runs}
    used = {anchor for found in of_steps.values() for anchors in found for anchor in anchors}
    steps = _steps(first, path, places, _DRAWN, of_steps[id(first)], alone=len(cards) == 1)
    messages = picture_pane(lambda: svg(first.drawn(path), first.title), _LEGEND, places, "messages", "Messages")
    has_states = _is_drawn(first, path)
    states = picture_pane(lambda: model_svg(first.model), MODEL_LEGEND, places, "picture") if has_states else messages
    parts += [
        '<div class="panes beside">',
        f'<div class="pane run">{steps}</div>',
        states,
        *([listing(sources, used, places)] if sources else []),
        "</div>",
        *(_steps(card, run, places, names[id(card)], of_steps[id(card)], alone=False) for card, run in others),
    ]
    shown = [(_DRAWN, "Steps"), ("picture" if has_states else "messages", "Picture")]
    links = [*shown, *([("source", "Source")] if sources else [])]
    return Chapter(name, tuple(links), tuple(parts), (messages,) if has_states else ())


def claims_page(cards: Sequence[Card], sources: Mapping[str, str], title: str) -> str:
    """The page of answers alone."""
    return page(title, claims_chapter(cards, sources))


def _is_drawn(card: Card, path: Path) -> bool:
    """Whether there is a model to show a run in: one that is small, more than the run, and of code."""
    return card.diagram is None and len(path.steps) < card.model.transitions and card.model.states <= MOST_BESIDE


def sources_shown(cards: Sequence[Card]) -> tuple[str, ...]:
    """The files that the runs point to."""
    return tuple(dict.fromkeys(file for card in cards if card.path for file in files_of(card.path)))


def _card(card: Card, run: str, rests_on: str) -> str:
    """`run` is where the steps of the run are, if that has to be said; `rests_on` is HTML."""
    answer = card.answer
    look = {Verdict.HOLDS: "whole", Verdict.INCONCLUSIVE: "partial"}.get(answer.verdict, "findings")
    said = [why(answer), says(card), decided_by(answer), *invariant_lines(answer), confirmation(answer)]
    # What goes by a name of its own is not known by it.
    asked = f"<p><code>{escaped(shortened(card.text))}</code></p>" if card.text != card.title else ""
    verdict = verdict_words(answer) + card.remark
    below = f'<p><a href="#{run}">Its run</a>.</p>' if run else ""
    return (
        f'<section class="card {look}" aria-label="Answer"><p><strong><code>{escaped(card.title)}</code>: '
        f"{escaped(verdict)}</strong></p>{asked}{items(inline(text) for text in said if text)}{below}"
        f"{rests_on}</section>"
    )


def _rests_on(card: Card) -> str:
    """Bounds and assumptions, and what was not seen."""
    origin = card.origin.origin
    lists = [
        ("Bounds", items(f"<code>{escaped(n)}</code> takes <code>{escaped(t)}</code>" for n, t in origin.bounds)),
        ("Assumptions", items(f"<code>{escaped(a.subject)}</code>: {inline(a.text)}" for a in origin.assumptions)),
        ("Not seen", items(inline(reason) for reason in origin.partial)),
    ]
    return "".join(f"<h3>{title}</h3>{text}" for title, text in lists if text)


def _anchors(card: Card, path: Path, places: Places) -> list[list[str]]:
    """The lines that each step executes, or the one that it begins at, as far as they are on the page."""
    known = card.lines_run()
    found = []
    for number, step in enumerate(path.steps):
        lines = [places.line(*line) for line in known[number] if line[0] in places.files] if known else []
        begins = places.anchor(step.span)
        found.append(lines or ([begins] if begins is not None else []))
    return found


def _steps(card: Card, path: Path, places: Places, name: str, of_steps: Sequence[Sequence[str]], *, alone: bool) -> str:
    """A table of the steps; only those of the run that is drawn belong to arrows."""
    first = ", ".join(f"<code>{escaped(f'{name} = {value}')}</code>" for name, value in card.first_values(path))
    rows = [f'<tr><td class="number">0</td><td>start</td><td>{first}</td><td></td></tr>']
    for number, (step, anchors) in enumerate(zip(path.steps, of_steps, strict=True), 1):
        alarm = ' class="alarm"' if is_error(step.action) else ""
        changes = ", ".join(f"<code>{escaped(f'{name} = {value}')}</code>" for name, value in step.changes)
        mark = " ↻" if path.loop_start is not None and number == path.loop_start + 1 else ""
        lines = " ".join(anchors)
        arrow = (
            f' tabindex="0" data-transition="{number}" data-arrow="arrow{number}" data-from="{step.source}"'
            f' data-to="{step.target}" data-line="{lines}"'
        )
        rows.append(
            f'<tr{arrow if name == _DRAWN else ""}><td class="number">{number}{mark}</td>'
            f"<td><code{alarm}>{escaped(step.action)}</code></td><td>{changes}</td><td>{places.link(step.span)}</td></tr>"
        )
    end = ending(path)
    titles = "<th>Step</th><th>What happens</th><th>What changes</th><th>Line</th>"
    of = "" if alone else f" of <code>{escaped(card.title)}</code>"
    table = section(places.name(name), f"Steps{of}", titles, rows, len(rows))
    return table + (f"<p>{escaped(as_sentence(end))}</p>" if end else "")
