"""What a picture shows of a difference, as DOT that is only for drawing: green is new, red and dashed is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stateglass.evidence import Arrow, Became, ChangeGraph, Spot, Version
from stateglass.source import Code, counted, input_error
from stateglass.views.drawing import (
    INK,
    MOST_LABELS,
    MOST_VALUES,
    MOST_WIDTH,
    PALE_INK,
    attributes,
    capped,
    captioned,
    dot_text,
)
from stateglass.views.graphviz import RESOLUTION, check_fonts, render
from stateglass.views.picture import MOST_ARROWS, MOST_STATES

ADDED, ADDED_PAPER, REMOVED, REMOVED_PAPER, KEPT_PAPER = "#0a7d45", "#e8f6ee", "#c8102e", "#fdecee", "#f6f6f6"
IN_THE_DARK: Final = {
    ADDED: "#4cc38a",
    ADDED_PAPER: "#123524",
    REMOVED: "#ff8a93",
    REMOVED_PAPER: "#451a1f",
}
_COLOURS: Final = {
    None: (PALE_INK, KEPT_PAPER, "solid", "1"),
    Became.APPEARED: (ADDED, ADDED_PAPER, "solid", "2.2"),
    Became.VANISHED: (REMOVED, REMOVED_PAPER, "dashed", "1.6"),
}

_STARTS: Final[dict[tuple[Version, ...], Became]] = {
    (Version.OLD,): Became.VANISHED,
    (Version.NEW,): Became.APPEARED,
}


def svg(graph: ChangeGraph, *, force: bool = False) -> str:
    """The picture as SVG text."""
    _refuse_hairballs(graph, force)
    return render(drawing(graph), "svg", patient=force).decode("utf-8")


def png(graph: ChangeGraph, *, force: bool = False) -> bytes:
    check_fonts()
    _refuse_hairballs(graph, force)
    return render(drawing(graph, RESOLUTION), "png", patient=force)


def drawing(graph: ChangeGraph, resolution: int | None = None) -> str:
    """The DOT text of the picture; `resolution` is dots per inch for pixel formats."""
    return "\n".join(_lines(graph, resolution)) + "\n"


def _lines(graph: ChangeGraph, resolution: int | None) -> Iterator[str]:
    yield "digraph difference {"
    yield f"  graph [{attributes(captioned(_caption(graph), PALE_INK, resolution))}];"
    yield f'  node [fontname="sans-serif", fontsize=11, fontcolor="{INK}", shape=box, margin="0.14,0.07", height=0.36];'
    yield f'  edge [fontname="sans-serif", fontsize=10, fontcolor="{INK}", color="{INK}", arrowsize=0.7];'
    moving = _moving(graph)
    for number, spot in enumerate(graph.spots):
        yield f"  {number} [{attributes(_spot_look(number, spot, moving))}];"
    yield from _entries(graph)
    for (source, target, became), labels in _parallel(graph.arrows).items():
        yield f"  {source} -> {target} [{attributes(_arrow_look(labels, became))}];"
    yield "}"


def _caption(graph: ChangeGraph) -> list[str]:
    counts = {became: sum(1 for arrow in graph.arrows if arrow.became is became) for became in _COLOURS}
    words = {Became.APPEARED: "new (green)", Became.VANISHED: "gone (red, dashed)", None: "kept (grey)"}
    lines = [", ".join(f"{counts[became]:,} {words[became]}" for became in words)]
    if graph.left_out:
        lines.append(f"only what changed is shown: {counted(graph.left_out, 'state')} without a change left out")
    return lines


def _moving(graph: ChangeGraph) -> list[int]:
    """The values that are not the same everywhere, by their place."""
    if not graph.spots:
        return []
    width = len(graph.spots[0].values)
    return [n for n in range(width) if len({spot.values[n] for spot in graph.spots}) > 1]


def _spot_look(number: int, spot: Spot, moving: list[int]) -> dict[str, str]:
    colour, paper, line, width = _COLOURS[spot.became]
    shown = [spot.values[n] for n in moving]
    lines = [_cut(f"{name} = {value}") for name, value in shown[:MOST_VALUES]] or [" "]
    if shown and all(value == "?" for _, value in shown):
        lines = ["not between calls"]
    more = ["…"] if len(shown) > MOST_VALUES else []
    tooltip = [f"{name} = {value}" for name, value in spot.values]
    return {
        "id": dot_text(f"state{number}"),
        "label": dot_text(*lines, *more),
        "tooltip": dot_text(*capped(tooltip)),
        "style": f"rounded,filled,{line}",
        "fillcolor": paper,
        "color": colour,
        "penwidth": width,
    }


def _entries(graph: ChangeGraph) -> Iterator[str]:
    for number, spot in enumerate(graph.spots):
        if spot.starts:
            became = _STARTS.get(spot.starts)
            colour, _, line, _ = _COLOURS[became]
            yield f'  entry{number} [shape=point, width=0.1, color="{colour}", tooltip="start"];'
            yield f'  entry{number} -> {number} [color="{colour}", style={line}, tooltip="start"];'


def _parallel(arrows: tuple[Arrow, ...]) -> dict[tuple[int, int, Became | None], list[str]]:
    found: dict[tuple[int, int, Became | None], list[str]] = {}
    for arrow in arrows:
        found.setdefault((arrow.source, arrow.target, arrow.became), []).append(arrow.label)
    return found


def _arrow_look(labels: list[str], became: Became | None) -> dict[str, str]:
    colour, _, line, width = _COLOURS[became]
    mark = {None: "", Became.APPEARED: "+ ", Became.VANISHED: "- "}[became]
    more = [f" … {len(labels) - MOST_LABELS} more"] if len(labels) > MOST_LABELS else []
    lines = [f" {_cut(mark + label)} " for label in labels[:MOST_LABELS]] + more
    all_of_them = dot_text(*capped([mark + label for label in labels]))
    return {
        "label": dot_text(*lines, left=len(lines) > 1),
        "tooltip": all_of_them,
        "labeltooltip": all_of_them,
        "color": colour,
        "fontcolor": colour,
        "style": line,
        "penwidth": width,
    }


def _cut(text: str) -> str:
    return text if len(text) <= MOST_WIDTH else text[: MOST_WIDTH - 1] + "…"


def _refuse_hairballs(graph: ChangeGraph, force: bool) -> None:
    if force:
        return
    help = "write the changes as .md or .json, give smaller bounds or --keep fewer variables, or insist with --force"
    arrows = len(_parallel(graph.arrows))
    for count, word, most in ((len(graph.spots), "states", MOST_STATES), (arrows, "arrows", MOST_ARROWS)):
        if count > most:
            message = f"there are {count:,} {word} with changes; a picture of more than {most:,} cannot be read"
            raise input_error(Code.PICTURE, message, help=help)
