"""What a picture shows of a reflexion model, as DOT that is only for drawing."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator
from typing import Final, final

from stateglass.evidence import Edge, ReflexionModel, Result, StateFound
from stateglass.views.drawing import (
    ALARM,
    ALARM_PAPER,
    BORDER,
    FAINT,
    INK,
    LINE,
    PALE_INK,
    PAPER,
    attributes,
    capped,
    dot_text,
    printable,
)
from stateglass.views.reflexion.relevance import Relevance, is_pseudo
from stateglass.views.reflexion.words import MARKS, details, headline, marks

CONVERGENCE, PARTIAL, DIVERGENCE, ABSENCE = "#0a7d45", "#0067b1", "#c8102e", "#b87900"
COLOURS: Final = {
    Result.CONVERGENCE: CONVERGENCE,
    Result.PARTIAL: PARTIAL,
    Result.DIVERGENCE: DIVERGENCE,
    Result.ABSENCE: ABSENCE,
    Result.INCONCLUSIVE: PALE_INK,
}
assert set(COLOURS) == set(Result)
# Each is told by its line too: thick, dashed, plain, thin and dotted.
_LINES: Final = {
    Result.CONVERGENCE: ("solid", "2.6", "normal", "thick"),
    Result.PARTIAL: ("dashed", "1.8", "normal", "dashed"),
    Result.DIVERGENCE: ("solid", "1.2", "normal", "solid"),
    Result.ABSENCE: ("dotted", "1.0", "empty", "dotted, hollow head"),
    Result.INCONCLUSIVE: ("dotted", "1.4", "odot", "dotted, round head"),
}
assert set(_LINES) == set(Result)
MOST_WIDTH: Final = 34
MOST_LABEL_LINES: Final = 4


def drawing(model: ReflexionModel, resolution: int | None = None) -> str:
    """The DOT text of the picture; `resolution` is dots per inch for pixel formats."""
    return "\n".join(_Drawing(model).lines(resolution)) + "\n"


@final
class _Drawing:
    """Gives each state a number, and each state with states inside a frame."""

    def __init__(self, model: ReflexionModel) -> None:
        self._model = model
        self._relevance = Relevance(model)
        self._by_name = {s.name: s for s in model.states}
        self._numbers = {s.name: n for n, s in enumerate(model.states)}
        self._inside: dict[str | None, list[StateFound]] = {}
        for state in model.states:
            self._inside.setdefault(state.parent, []).append(state)
        self._loops: dict[str, list[Edge]] = {}
        for edge in model.edges:
            if edge.source == edge.target:
                self._loops.setdefault(edge.source, []).append(edge)

    def lines(self, resolution: int | None) -> Iterator[str]:
        yield "digraph reflexion {"
        yield f"  graph [{attributes(self._look(resolution))}];"
        yield f'  node [fontname="sans-serif", fontsize=11, fontcolor="{INK}", shape=box, margin="0.14,0.07"];'
        yield '  edge [fontname="sans-serif", fontsize=10, arrowsize=0.8];'
        yield from self._states(None, "  ")
        for number, edge in enumerate(self._model.edges):
            yield f"  {self._ends(edge)} [{attributes(self._edge_look(number, edge))}];"
        yield "}"

    def _look(self, resolution: int | None) -> dict[str, str]:
        look = {
            "compound": "true",
            "rankdir": "TB",
            "nodesep": "0.5",
            "ranksep": "0.6",
            "pad": "0.25",
            "bgcolor": "white",
            "fontname": "sans-serif",
            "fontsize": "11",
            "labelloc": "b",
            "label": _legend(self._model),
            "fontcolor": PALE_INK,
            "tooltip": dot_text(" "),
        }
        return look if resolution is None else {**look, "dpi": str(resolution)}

    # ---- states

    def _states(self, parent: str | None, indent: str) -> Iterator[str]:
        for state in self._inside.get(parent, ()):
            number = self._numbers[state.name]
            if state.name in self._inside:
                yield f"{indent}subgraph cluster_{number} {{"
                look = {
                    "label": dot_text(*_condition_lines(state)),
                    "tooltip": dot_text(state.name, *_condition(state)),
                    "style": "rounded",
                    "color": PALE_INK,
                    "fontcolor": INK,
                    "labeljust": "l",
                    "labelloc": "t",
                }
                yield f"{indent}  graph [{attributes(look)}];"
                if state.itself:
                    yield f"{indent}  {number} [{attributes(self._state_look(number, state))}];"
                yield from self._states(state.name, indent + "  ")
                yield f"{indent}}}"
            else:
                yield f"{indent}{number} [{attributes(self._state_look(number, state))}];"
            if state.initial:
                start = f"start{number}"
                yield f'{indent}{start} [shape=point, width=0.1, color="{INK}", tooltip="initial"];'
                head = {"lhead": f"cluster_{number}"} if state.name in self._inside else {}
                look = {"tooltip": dot_text("initial"), "color": INK, **head}
                yield f"{indent}{start} -> {self._leaf(state.name)} [{attributes(look)}];"

    def _state_look(self, number: int, state: StateFound) -> dict[str, str]:
        look = {"id": dot_text(f"state{number}"), "style": "rounded,filled", "fillcolor": PAPER, "color": BORDER}
        if is_pseudo(state):
            look |= {"style": "filled,dashed", "fillcolor": FAINT, "color": PALE_INK}
        if is_pseudo(state) and state.name == "error":
            look |= {"shape": "octagon", "style": "filled", "fillcolor": ALARM_PAPER, "color": ALARM}
        if is_pseudo(state) and state.name == "exit":
            look |= {"peripheries": "2", "style": "filled"}
        remarks = state_remarks(state)
        if state.is_trap:
            look |= {"penwidth": "3", "color": ALARM, "fillcolor": ALARM_PAPER}
        if state.reachable is False or not state.satisfiable:
            look |= {"style": "rounded,filled,dashed", "fillcolor": FAINT}
        named = [f"{state.name} itself"] if state.name in self._inside else _condition_lines(state)
        said = [*named, *(f"({r})" for r in remarks)]
        lines = sum(len(_label(edge)) for edge in self._loops.get(state.name, ()))
        if lines > len(said):
            # Graphviz keeps no room for the height of a loop's label.
            look["height"] = f"{lines * LINE:.2f}"
        return {
            **look,
            "label": dot_text(*said),
            "tooltip": dot_text(*capped([state.name, *_condition(state), *remarks])),
        }

    def _leaf(self, name: str) -> int:
        """A state that an arrow can end at: the state itself, or the first one inside."""
        while name in self._inside and not self._by_name[name].itself:
            name = self._inside[name][0].name
        return self._numbers[name]

    # ---- edges

    def _ends(self, edge: Edge) -> str:
        return f"{self._leaf(edge.source)} -> {self._leaf(edge.target)}"

    def _edge_look(self, number: int, edge: Edge) -> dict[str, str]:
        style, width, head, _ = _LINES[edge.results[0]]
        tooltip = dot_text(
            *capped(
                [
                    f"{edge.source} -> {edge.target}: {' + '.join(r.value for r in edge.results)}",
                    *(line for d in details(edge, self._relevance) for line in textwrap.wrap(str(d), 100)),
                ]
            )
        )
        look = {
            "id": dot_text(f"arrow{number}"),
            "label": self._label(edge),
            "tooltip": tooltip,
            "labeltooltip": tooltip,
            # Several results are lines beside each other.
            "color": ":".join(COLOURS[r] for r in edge.results),
            "fontcolor": COLOURS[edge.results[-1]],
            "style": style,
            "penwidth": width,
            "arrowhead": head,
        }
        # An arrow into a frame ends at it; one from inside cannot, and what is not claimed leads to one state.
        if edge.is_claimed and edge.target in self._inside and not self._is_in(edge.source, edge.target):
            look["lhead"] = f"cluster_{self._numbers[edge.target]}"
        if edge.nowhere and not self._is_in(edge.target, edge.source):
            look["ltail"] = f"cluster_{self._numbers[edge.source]}"
        return look

    def _label(self, edge: Edge) -> str:
        """The label; of several loops at a state, the outermost one has those of all: they would cover each other."""
        loops = self._loops[edge.source] if edge.source == edge.target else [edge]
        if len(loops) == 1:
            return dot_text(*_label(edge), left=True)
        if edge is not loops[-1]:
            return dot_text("")
        lines = [(COLOURS[loop.results[-1]], line) for loop in loops for line in _label(loop)]
        told = (f'<FONT COLOR="{colour}">{html.escape(printable(line))}</FONT>' for colour, line in lines)
        return "<" + "".join(f'{line}<BR ALIGN="LEFT"/>' for line in told) + ">"

    def _is_in(self, name: str, outer: str) -> bool:
        at: str | None = name
        while at is not None and at != outer:
            at = self._by_name[at].parent if at in self._by_name else None
        return at == outer


def state_remarks(state: StateFound) -> list[str]:
    """What is worth knowing about a state, in a few words."""
    found = []
    if state.is_trap:
        found.append("trap: never left")
    elif not state.is_left:
        found.append("never left")
    if not state.satisfiable:
        found.append("no valuation before a call")
    elif state.reachable is False:
        found.append("not reachable")
    elif state.is_entered is False and not state.initial:
        found.append("never entered")
    return found


def _condition(state: StateFound) -> list[str]:
    return [f"where {state.condition}"] if state.condition and state.condition != state.name else []


def _condition_lines(state: StateFound) -> list[str]:
    shown = state.condition if state.condition != state.name else ""
    return [*_wrapped(state.name), *(_wrapped(shown) if shown else [])]


def _label(edge: Edge) -> list[str]:
    """The marks, what was claimed, and what was found if it is something else."""
    claimed = " ".join(edge.claimed.split()) if edge.claimed is not None else ""
    condition = edge.condition
    found = "" if condition is None or condition.text == "always" else condition.text
    found = f"{found} …" if condition is not None and not condition.exact else found
    first = claimed or f"{edge.event} {found}".strip()
    said = _wrapped(f"[{marks(edge)}] {first}".rstrip())
    if claimed and found and found != claimed and edge.results != (Result.CONVERGENCE,):
        said += _wrapped(f"found: {found}")
    return [f" {line} " for line in said]


def _wrapped(text: str) -> list[str]:
    found = textwrap.wrap(text, MOST_WIDTH, break_on_hyphens=False) or [" "]
    return (
        found
        if len(found) <= MOST_LABEL_LINES
        else [*found[: MOST_LABEL_LINES - 1], found[MOST_LABEL_LINES - 1] + " …"]
    )


def _legend(model: ReflexionModel) -> str:
    """A label with colours: what is found how often, and what the lines mean."""
    results = [r for r in Result if r is not Result.INCONCLUSIVE or any(r in e.results for e in model.edges)]
    cells = "".join(
        f'<TD><FONT COLOR="{COLOURS[r]}"><B>[{html.escape(MARKS[r])}]</B> {r.value} ({_LINES[r][3]})</FONT></TD>'
        for r in results
    )
    rows = [
        f'<TR><TD COLSPAN="{len(results)}">{html.escape(printable(headline(model)))}</TD></TR>',
        f"<TR>{cells}</TR>",
    ]
    for reason in model.inconclusive[:3]:
        text = html.escape(printable(f"not decided: {reason}"))
        rows.append(f'<TR><TD COLSPAN="{len(results)}"><FONT COLOR="{ALARM}">{text}</FONT></TD></TR>')
    return f'<<TABLE BORDER="0" CELLSPACING="4" CELLPADDING="2">{"".join(rows)}</TABLE>>'
