"""A statechart as a picture in the manner of UML: entry and exit actions, states inside states, guards on arrows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from stateglass.design import START, Component, Reaction, State, Transition, block_lines, transition_lines
from stateglass.views.designs.looks import MOST_WIDTH, head, in_html, refuse_crowds, shortened
from stateglass.views.drawing import BORDER, INK, LINE, PALE_INK, PAPER, attributes, capped, dot_text
from stateglass.views.graphviz import render
from stateglass.views.picture import MOST_ARROWS, MOST_STATES

MOST_LINES: Final = 8


def statechart_picture(component: Component, reaction: Reaction, *, force: bool = False) -> str:
    """The picture as SVG text."""
    help = "make it simpler, for instance with states inside states, or insist with --force"
    counts = [(len(_states(reaction)), "states", MOST_STATES), (len(reaction.transitions), "transitions", MOST_ARROWS)]
    refuse_crowds(counts, help, force=force)
    return render(statechart_drawing(component, reaction), "svg", patient=force).decode("utf-8")


def statechart_drawing(component: Component, reaction: Reaction) -> str:
    """The DOT text of the picture."""
    return "\n".join(_Drawing(component, reaction).lines()) + "\n"


def _states(reaction: Reaction) -> list[State]:
    """The states, also those that nothing but transitions speak of."""
    ends = [end for one in reaction.transitions for end in (one.source, one.target) if end != START]
    known = {state.name for state in reaction.states}
    return [*reaction.states, *(State(name) for name in dict.fromkeys(ends) if name not in known)]


@final
class _Drawing:
    """Gives each state a number, and each state with states inside a frame with a point to which arrows go."""

    def __init__(self, component: Component, reaction: Reaction) -> None:
        self._component = component
        self._reaction = reaction
        self._states = _states(reaction)
        self._numbers = {state.name: number for number, state in enumerate(self._states)}
        self._parents = {state.name: state.parent for state in self._states}
        self._frames = {state.parent for state in self._states if state.parent is not None}
        self._loops = {name: self._loop_lines(name) for name in self._numbers}

    def lines(self) -> Iterator[str]:
        threaded = "threaded" if self._reaction.threaded else "unthreaded"
        caption = f"{threaded} react {self._reaction.name}({', '.join(self._reaction.pins)}) of {self._component.name}"
        yield from head("statechart", (shortened(caption, 2 * MOST_WIDTH),), across=False)
        yield f'  start [shape=point, width=0.14, color="{INK}", tooltip="start"];'
        yield from self._inside(None, "  ")
        for number, transitions in enumerate(self._arrows()):
            yield self._arrow(number, transitions)
        yield "}"

    def _arrows(self) -> list[list[Transition]]:
        """Each transition by itself, but those from a state to itself together: loops would cover each other."""
        found: dict[object, list[Transition]] = {}
        for number, one in enumerate(self._reaction.transitions):
            found.setdefault(one.source if one.source == one.target else number, []).append(one)
        return list(found.values())

    def _inside(self, parent: str | None, indent: str) -> Iterator[str]:
        for state in self._states:
            if state.parent != parent:
                continue
            number = self._numbers[state.name]
            if state.name not in self._frames:
                yield f"{indent}{number} [{attributes(self._state_look(number, state))}];"
                continue
            yield f"{indent}subgraph cluster_{number} {{"
            look = {"label": _label(state, framed=False), "style": "rounded", "color": BORDER, "penwidth": "1.4"}
            look |= {"fontcolor": INK, "labeljust": "l", "labelloc": "t", "tooltip": _tooltip(state)}
            yield f"{indent}  graph [{attributes(look)}];"
            point = {"shape": "circle", "label": dot_text(" "), "width": "0.12", "fixedsize": "true", "color": PALE_INK}
            if not self._is_met_inside(state.name):
                point["style"] = "invis"
            yield f"{indent}  {number} [{attributes(point | {'tooltip': _tooltip(state)})}];"
            yield from self._inside(state.name, indent + "  ")
            yield f"{indent}}}"
            first = self._numbers[self._first_inside(state.name)]
            begin = f"begin{number}"
            yield f"{indent}subgraph cluster_{number} {{"
            yield f'{indent}  {begin} [shape=point, width=0.1, color="{INK}", tooltip="initial"];'
            yield f"{indent}}}"
            yield f"{indent}{begin} -> {first} [{attributes(self._head_at(self._first_inside(state.name)))}];"

    def _state_look(self, number: int, state: State) -> dict[str, str]:
        look = {
            "id": dot_text(f"state{number}"),
            "shape": "box",
            "style": "rounded,filled",
            "fillcolor": PAPER,
            "color": BORDER,
            "penwidth": "1.2",
            "margin": "0.06,0.03",
            "label": _label(state, framed=True),
            "tooltip": _tooltip(state),
        }
        rows = 1 + len(_activities(state))
        if self._loops[state.name] > rows:
            look["height"] = f"{self._loops[state.name] * LINE:.2f}"  # Graphviz keeps no room for these
        return look

    def _arrow(self, number: int, transitions: list[Transition]) -> str:
        source, target = transitions[0].source, transitions[0].target
        lines = [line for one in transitions for line in _lines(one)]
        shown = lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"]
        shown = [shortened(line) for line in shown]
        tooltip = dot_text(*capped([f"{source} -> {target}", *lines]))
        look = {"id": dot_text(f"transition{number}"), "tooltip": tooltip, "labeltooltip": tooltip}
        if shown:
            look["label"] = dot_text(*(f" {line} " for line in shown), left=len(shown) > 1)
        if source != START and all(one.trigger is None for one in transitions):
            look["style"] = "dashed"  # nothing has to come from outside
        if not self._is_in(source, target):
            look |= self._head_at(target)
        if source in self._frames and not self._is_in(target, source):
            look["ltail"] = f"cluster_{self._numbers[source]}"
        tail = "start" if source == START else str(self._numbers[source])
        return f"  {tail} -> {self._numbers[target]} [{attributes(look)}];"

    def _head_at(self, name: str) -> dict[str, str]:
        return {"lhead": f"cluster_{self._numbers[name]}"} if name in self._frames else {}

    def _first_inside(self, name: str) -> str:
        inner = [state for state in self._states if state.parent == name]
        return next((state.name for state in inner if state.initial), inner[0].name)

    def _is_in(self, name: str, outer: str) -> bool:
        at: str | None = name
        while at is not None and at != outer:
            at = self._parents.get(at)
        return at == outer

    def _is_met_inside(self, name: str) -> bool:
        """Whether an arrow ends at the frame of a state from within it."""
        ends = [(one.source, one.target) for one in self._reaction.transitions]
        return any(name in pair and all(self._is_in(end, name) for end in pair) for pair in ends)

    def _loop_lines(self, name: str) -> int:
        own = [one for one in self._reaction.transitions if one.source == one.target == name]
        return min(sum(len(_lines(one)) for one in own), MOST_LINES)


def _lines(transition: Transition) -> list[str]:
    """What stands beside its arrow; the lines of an action are set in below what leads to it."""
    first, *more = [*transition_lines(transition)] or [""]
    return [first, *(f"  {line}" for line in more)] if first or more else []


def _activities(state: State) -> list[str]:
    """`entry / data = 0` and the like, one line each as far as that goes."""
    found: list[str] = []
    for word, block in (("entry", state.entry), ("exit", state.exit)):
        lines = list(block_lines(block))
        if len(lines) == 1:
            found.append(f"{word} / {lines[0].removesuffix(';')}")
        elif lines:
            found += [f"{word} /", *(f"  {line}" for line in lines)]
    return found


def _label(state: State, *, framed: bool) -> str:
    """The name, and below a line what is done; a frame has its line around everything."""
    rows = [f"<TR><TD><B>{in_html(state.name)}</B></TD></TR>"]
    said = _activities(state)
    if len(said) > 2 * MOST_LINES:
        said = [*said[: 2 * MOST_LINES], "…"]
    if said and framed:
        rows.append("<HR/>")
    rows += [f'<TR><TD ALIGN="LEFT">{in_html(line)}</TD></TR>' for line in said]
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{"".join(rows)}</TABLE>>'


def _tooltip(state: State) -> str:
    return dot_text(*capped([state.name, *_activities(state)]))
