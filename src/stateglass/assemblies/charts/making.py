"""Makes a component with one threaded reaction of a state diagram.

Events that arrows wait for become `asynch` sink pins, events that are sent `asynch` source pins. What is assigned and
not declared is a number that begins with 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, final

from stateglass.assemblies.charts.labels import LabelReader
from stateglass.assemblies.charts.order import in_order
from stateglass.assemblies.syntax.words import FOREIGN_WORDS, TYPE_WORDS, WORDS
from stateglass.assemblies.validation import problems_of
from stateglass.design import (
    START,
    ZERO,
    Assign,
    Begin,
    Block,
    Component,
    Constant,
    Design,
    Interaction,
    Parameter,
    Passing,
    Pin,
    Reaction,
    State,
    Statement,
    Transition,
    Type,
    Variable,
    parts_of,
)
from stateglass.formats import read_statechart
from stateglass.model.chart import Arrow, Chart, ChartState
from stateglass.source import Code, InputError, input_error

MOST_PARTS: Final = 1000
_INT: Final = Type("int")
_BOOL: Final = Type("bool")
_REACTIONS: Final = ("S", "R", "T", "S_")


def read_diagram(path: str) -> Design:
    """The design in a file with a state diagram; the component is called like the file."""
    return design_of(read_statechart(path), Path(path).stem)


def design_of(chart: Chart, name: str) -> Design:
    """The design that a diagram is; what of it cannot be understood is an `InputError`, all at once."""
    making = _Making(chart)
    component = making.component(_plain(name))
    design = Design(chart.file, components=(component,))
    # Names are asked about as far as what was not understood does not explain them.
    gaps = making.labels.gaps
    if making.labels.problems:
        gaps.around.update((component.span, *(reaction.span for reaction in component.reactions)))
    if problems := {**dict.fromkeys(making.labels.problems), **dict.fromkeys(problems_of(design, gaps))}:
        raise InputError(sorted(problems, key=lambda d: d.span))
    return design


def reaction_of(chart: Chart, reaction: Reaction) -> Reaction:
    """A reaction whose name and pins are known and whose statechart is a diagram."""
    making = _Making(chart)
    states, transitions = making.statechart()
    variables = making.declared()
    if making.labels.problems:
        raise InputError(sorted(making.labels.problems, key=lambda d: d.span))
    return replace(reaction, variables=tuple(variables), states=states, transitions=tuple(transitions))


@final
@dataclass(slots=True)
class _Making:
    chart: Chart
    labels: LabelReader = field(init=False)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.labels = LabelReader(self.chart.file)
        self.names = {s.name: re.sub(r"\W", "_", s.name, flags=re.ASCII) for s in self.chart.states}

    def component(self, name: str) -> Component:
        states, transitions = self.statechart()
        everything = list(_statements(states, transitions))
        pins = self._pins(transitions, everything)
        variables = self._variables(everything)
        taken = {p.name for p in pins} | {v.name for v in variables}
        called = next((r for r in _REACTIONS if r not in taken), "reaction_")
        listed = tuple(p.name for p in pins)
        span = self.labels.at(0)
        reaction = Reaction(called, True, listed, (), states, tuple(transitions), span)
        return Component(name, (), variables, pins, (reaction,), span)

    def statechart(self) -> tuple[tuple[State, ...], list[Transition]]:
        for what, number in (("states", len(self.chart.states)), ("arrows", len(self.chart.arrows))):
            if number > MOST_PARTS:
                message = f"the diagram has {number:,} {what}, where at most {MOST_PARTS:,} are read"
                raise input_error(Code.TOO_LARGE, message, self.labels.at(0))
        self._check()
        states = tuple(self._state(s) for s in self.chart.states)
        transitions = [t for arrow in self.chart.arrows for t in self._transitions(arrow)]
        for arrow in self.chart.arrows:
            if arrow.stays:
                self._check_staying(arrow, states)
        if self.chart.in_order:
            transitions = in_order(transitions, self.labels)
        first = [s for s in self.chart.states if s.initial and s.parent is None]
        begin = [Transition(START, self.names[s.name], span=self.labels.at(s.begun or s.line)) for s in first]
        return states, [*begin, *transitions]

    def _check(self) -> None:
        for name, count in Counter(self.names.values()).items():
            if count > 1:
                self.labels.problem(f"there are {count} states that are called like `{name}`", 0, "rename one")
                self.labels.gaps.add(name)
        for end in self.chart.ends:
            help = "a statechart has no end: let the arrow lead to a state, such as `Off`"
            self.labels.problem(f"the diagram ends in `{end.text[:40]}`", end.line, help)
        starts = {s.parent for s in self.chart.states if s.initial}
        if None not in starts:
            self.labels.problem("the diagram does not say where it starts", 0, "draw an arrow from the start")
        inside = {s.parent for s in self.chart.states if s.parent is not None}
        for state in self.chart.states:
            if state.name in inside - starts:
                message = f"`{state.name[:40]}` does not say where it starts"
                self.labels.problem(message, state.line, "draw an arrow from the start to a state inside")

    def _state(self, state: ChartState) -> State:
        done: dict[str, list[Statement]] = {"entry": [], "exit": []}
        for note in state.texts:
            found = self.labels.block(note.text, note.line)
            if found is not None:
                done[found[0]] += found[1].statements
            elif "/" in note.text:
                help = f"write `entry / …` or `exit / …`, or draw an arrow from `{state.name[:40]}` to itself"
                self.labels.problem(f"`{note.text[:60]}` is not understood in a state", note.line, help)
        blocks = (Block(tuple(done["entry"])), Block(tuple(done["exit"])))
        parent = None if state.parent is None else self.names[state.parent]
        initial = state.initial and parent is not None
        return State(self.names[state.name], *blocks, parent, initial, self.labels.at(state.line))

    def _transitions(self, arrow: Arrow) -> list[Transition]:
        label = self.labels.label(arrow.text, arrow.action, arrow.line)
        ends = self.names[arrow.source], self.names[arrow.target]
        at = self.labels.at(arrow.line)
        return [Transition(*ends, trigger, label.guard, label.action, at) for trigger in label.triggers]

    def _check_staying(self, arrow: Arrow, states: tuple[State, ...]) -> None:
        """A transition that leaves nothing is one from a state to itself if that is not seen."""
        if arrow.source != arrow.target:
            inside = {s.name: s.parent for s in self.chart.states}
            around = inside[arrow.target]
            while around is not None and around != arrow.source:
                around = inside[around]
            seen = around == arrow.source
        else:
            own = self.names[arrow.source]
            seen = any(s.parent == own or (s.name == own and (s.entry.statements or s.exit.statements)) for s in states)
        if seen:
            message = f"a transition that does not leave `{arrow.source[:40]}` is not understood here"
            help = "it would be one to itself, and the state has entry or exit actions or states inside"
            self.labels.problem(message, arrow.line, help)

    def _pins(self, transitions: list[Transition], everything: list[Statement]) -> tuple[Pin, ...]:
        sinks: dict[str, Pin] = {}
        for trigger in (t.trigger for t in transitions if t.trigger and not t.trigger.is_end):
            if trigger.pin not in sinks or not sinks[trigger.pin].parameters:
                parameters = tuple(Parameter(n, _INT, span=trigger.span) for n in trigger.names)
                sinks[trigger.pin] = Pin(trigger.pin, True, Interaction.ASYNCH, parameters, trigger.span)
        sources: dict[str, Pin] = {}
        for sent in (s for s in everything if isinstance(s, Begin) and s.pin not in sources):
            values = tuple(Parameter(f"value{n or ''}", _INT, span=sent.span) for n in range(len(sent.arguments)))
            sources[sent.pin] = Pin(sent.pin, False, Interaction.ASYNCH, values, sent.span)
        for trigger in (t.trigger for t in transitions if t.trigger and t.trigger.is_end):
            pin = sources.get(trigger.pin)
            if pin is not None and pin.interaction is Interaction.ASYNCH:
                back = tuple(Parameter(f"{n}_", _INT, Passing.END, trigger.span) for n in trigger.names)
                sources[pin.name] = Pin(pin.name, False, Interaction.SYNCH, (*pin.parameters, *back), pin.span)
        for name in sorted(sinks.keys() & sources.keys()):
            message = f"`{name}` is sent and waited for in the same diagram"
            help = "what a statechart tells itself is a variable; what it tells others has a name of its own"
            self.labels.problem(message, sources[name].span.line, help)
            self.labels.gaps.add(name)
        return (*sinks.values(), *(pin for name, pin in sources.items() if name not in sinks))

    def declared(self) -> list[Variable]:
        """The variables that the diagram itself has."""
        found: list[Variable] = []
        for name, note in self.chart.variables:
            self.labels.check_name(name, note.line)
            value = self.labels.expression(note.text, note.line) or ZERO
            type = _BOOL if isinstance(value, Constant) and value.text in ("true", "false") else _INT
            found.append(Variable(name, type, value, self.labels.at(note.line)))
        return found

    def _variables(self, everything: list[Statement]) -> tuple[Variable, ...]:
        found = {v.name: v for v in self.declared()}
        for statement in everything:
            if isinstance(statement, Assign) and not statement.target.owner:
                name = statement.target.name
                found.setdefault(name, Variable(name, _INT, span=statement.span))
        return tuple(found.values())


def _statements(states: tuple[State, ...], transitions: list[Transition]) -> Iterator[Statement]:
    blocks = [b for s in states for b in (s.entry, s.exit)] + [t.action for t in transitions]
    return (part for block in blocks for part in parts_of(block))


def _plain(name: str) -> str:
    """The name of a file as one of a component."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    is_word = plain in WORDS or plain in TYPE_WORDS or plain in FOREIGN_WORDS
    return f"_{plain}" if is_word or not plain.isidentifier() else plain
