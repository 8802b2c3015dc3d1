"""A reflexion model as a chapter of a page: picture and source side by side, every edge with the lines it executes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from stateglass.evidence import Edge, ReflexionModel, Result, StateFound, Witness
from stateglass.views.page import IN_THE_DARK, Chapter, page, picture_pane
from stateglass.views.reflexion.drawing import ABSENCE, CONVERGENCE, DIVERGENCE, PARTIAL, state_remarks
from stateglass.views.reflexion.picture import svg
from stateglass.views.reflexion.relevance import Relevance
from stateglass.views.reflexion.words import MARKS, MEANINGS, UNFOUND, Detail, details, headline, listed, marks, remarks
from stateglass.views.report_parts import Places, escaped, inline, items, listing, section

_DARK: Final = {
    **IN_THE_DARK,
    CONVERGENCE: "#4cd494",
    PARTIAL: "#7cc0ff",
    DIVERGENCE: "#ff8593",
    ABSENCE: "#f2b84b",
}

_IN_COLUMNS: Final = ("claimed when", "taken when", "taken only when", "taken", UNFOUND)


def reflexion_chapter(model: ReflexionModel, sources: Mapping[str, str], name: str = "") -> Chapter:
    """`sources` has the text of files by the names that the edges use; it may lack some."""
    places = Places(tuple(sources), name)
    used = {anchor for edge in model.edges for anchor in _anchors(edge, places)}
    parts = (
        _card(model),
        '<div class="panes">',
        picture_pane(lambda: svg(model), _legend(model), places),
        *([listing(sources, used, places)] if sources else []),
        "</div>",
        _edges(model, places),
    )
    links = [("picture", "Picture"), *([("source", "Source")] if sources else [])]
    links += [("edges", f"Transitions ({len(model.edges)})"), ("states", f"States ({len(model.states)})")]
    return Chapter(name, tuple(links), parts, (_states(model, places),), _DARK)


def reflexion_page(model: ReflexionModel, sources: Mapping[str, str], title: str) -> str:
    """The page of a reflexion model alone."""
    return page(title, reflexion_chapter(model, sources))


def files_of(model: ReflexionModel) -> tuple[str, ...]:
    """The files that edges point to: the code first, then the hypothesis."""
    code = [file for edge in model.edges for witness in _witnesses(edge) for file, _ in witness.lines]
    drawn = [edge.span.file for edge in model.edges if edge.span is not None and edge.span.file]
    return tuple(dict.fromkeys([*code, *drawn]))


def _witnesses(edge: Edge) -> Iterator[Witness]:
    said = edge.condition or edge.necessary
    example = said.example if said is not None else None
    leading = [found[1] for found in (edge.elsewhere, example) if found is not None]
    yield from (w for w in (edge.witness, *leading, edge.beyond) if w is not None)


def _anchors(edge: Edge, places: Places) -> list[str]:
    """The lines of the call that takes an edge, and the one of the hypothesis that claims it."""
    shown = edge.witness or (edge.elsewhere[1] if edge.elsewhere is not None else None)
    found = [places.line(*line) for line in shown.lines if line[0] in places.files] if shown is not None else []
    claimed = places.anchor(edge.span)
    return list(dict.fromkeys([*found, *([claimed] if claimed is not None else [])]))


def _card(model: ReflexionModel) -> str:
    results = {r for edge in model.edges for r in edge.results}
    open_ones = Result.INCONCLUSIVE in results or bool(model.inconclusive)
    wrong = results & {Result.PARTIAL, Result.DIVERGENCE, Result.ABSENCE}
    look = "findings" if wrong else "partial" if open_ones else "whole"
    notes = [f"{escaped(text)}: <strong>{escaped(listed(names))}</strong>" for text, names in remarks(model.states)]
    if model.uncovered is not None:
        example = ", ".join(f"{name} = {value}" for name, value in model.uncovered)
        notes.append(f"<strong>other</strong> is what no state covers, <code>{escaped(example)}</code> for example")
    notes += [f"<strong>Not decided:</strong> {escaped(reason)}" for reason in model.inconclusive]
    parts = [("Bounds", model.bounds), ("Assumptions", model.assumptions)]
    parts.append(("About the machine", tuple(d.message for d in model.warnings)))
    return (
        f'<section class="card {look}" aria-label="What was found"><p><strong>{escaped(headline(model))}</strong></p>'
        + items(notes)
        + "".join(f"<h3>{title}</h3>{items(map(inline, texts))}" for title, texts in parts if texts)
        + "</section>"
    )


def _legend(model: ReflexionModel) -> str:
    found = [r for r in Result if any(r in e.results for e in model.edges)]
    kinds = "; ".join(f"<strong>{escaped(MARKS[r])}</strong> {r.value}: {MEANINGS[r]}" for r in found)
    return (
        f"{kinds}. A thick frame is a state that is entered and never left, a dashed one cannot be reached. "
        '<span class="with-script">Click an arrow or a row to see the lines that its call executes; '
        "Escape lets go.</span>"
    )


def _edges(model: ReflexionModel, places: Places) -> str:
    numbers = {s.name: n for n, s in enumerate(model.states)}
    relevance = Relevance(model)
    rows = []
    for number, edge in enumerate(model.edges):
        anchors = " ".join(_anchors(edge, places))
        data = f' data-line="{anchors}"' if anchors else ""
        results = " + ".join(r.value for r in edge.results)
        told = [d for d in details(edge, relevance) if d.title not in _IN_COLUMNS]
        rows.append(
            f'<tr tabindex="0" data-transition="{number}" data-arrow="arrow{number}" data-from="{numbers[edge.source]}"'
            f' data-to="{numbers[edge.target]}"{data}><td class="number">{escaped(marks(edge))}</td>'
            f"<td>{_name(edge.source)}</td><td>{_name(edge.target)}</td><td>{results}</td>"
            f"<td>{_code(edge.claimed or '') if edge.is_claimed else ''}</td><td>{_found(edge)}</td>"
            f"<td>{'<br>'.join(_detail(d) for d in told)}</td></tr>"
        )
    titles = "<th></th><th>From</th><th>To</th><th>Result</th><th>Claimed when</th><th>Taken when</th><th>Calls</th>"
    return section(places.name("edges"), "Transitions", titles, rows, len(rows))


def _found(edge: Edge) -> str:
    """The condition that the code has, and what is to be said of it; or why there is none."""
    missing = escaped(f"not found: {edge.missing}") if edge.missing else ""
    said = edge.condition or edge.necessary
    if said is None:
        return missing
    only = f"{missing}; only when " if said.is_wide else ""
    note = f" ({escaped(said.note)})" if said.note else ""
    return f"{only}{_code(said.text)}{note}"


def _states(model: ReflexionModel, places: Places) -> str:
    rows = []
    for number, state in enumerate(model.states):
        rows.append(
            f'<tr id="{places.name(f"row-{number}")}" data-state="{number}"><td>{_name(state.name)}</td>'
            f"<td>{_name(state.parent or '')}</td><td>{_code(state.condition)}</td>"
            f"<td>{escaped(', '.join(_said(state)))}</td></tr>"
        )
    titles = "<th>State</th><th>Inside</th><th>Where</th><th>What it is</th>"
    return section(places.name("states"), "States", titles, rows, len(rows))


def _said(state: StateFound) -> list[str]:
    return [*(["initial"] if state.initial else []), *state_remarks(state)]


def _detail(detail: Detail) -> str:
    return f"{escaped(detail.title)} {_code(detail.text)}"


def _name(name: str) -> str:
    return escaped(name)


def _code(text: str) -> str:
    return f"<code>{escaped(text)}</code>" if text else ""
