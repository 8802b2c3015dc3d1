"""A flow run for each value that the environment may choose: all that it reaches, to be held against the reference."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Final, final

import numpy as np

from stateglass.explore.manner import Manner
from stateglass.explore.preparing import prepare
from stateglass.explore.shown.actions import Texts
from stateglass.explore.stretches import Chosen, Flow, Phase, Shown, Stretch
from stateglass.explore.stretches.shapes import taken_apart
from stateglass.model import TAU, Action, Model, ModelBuilder, Proposition, Verb
from stateglass.program import Pointer, Type, is_scalar, representation
from stateglass.smt import Operator, Term, evaluated
from stateglass.system import Choice, Contents, Filled, Handed, Pointed, System

State = tuple[int, tuple[int, ...]]
"""The number of a rest, and what its slots hold."""
MOST_SECONDS: Final = 100.0
"""Of processor time: values of many inputs at once are tried in all combinations."""


@final
class TooLarge(Exception):
    """There are more states than somebody wants to look at."""


@final
class Ambiguous(Exception):
    """Two stretches apply at once."""


@final
class NoRun(Exception):
    """Every run is dropped in the end."""


@final
@dataclass
class Reached:
    """Everything that a flow can do."""

    flow: Flow
    states: list[State] = field(default_factory=list)
    steps: list[tuple[int, str, int]] = field(default_factory=list)  # numbers of states around actions

    def of_phase(self, *phases: Phase) -> Iterator[State]:
        return (state for state in self.states if self.flow.rests[state[0]].phase in phases)

    def model(self, shown: Sequence[Proposition] = ()) -> Model:
        """As a model: errors are actions, what is not known is not explored; with columns like some of another one."""
        passed = self._passed()
        steps = [(s, a, passed[u]) for s, a, u in self.steps if passed[s] == s]
        first = passed[0]
        left = {first, *(t for _, _, t in steps)}
        numbers = {old: new for new, old in enumerate(n for n in range(len(self.states)) if n in left)}
        builder, terminal, unexplored = ModelBuilder(), [], []
        endless = [n for n in left if self.flow.rests[self.states[n][0]].phase is Phase.LOOP]
        end = len(numbers)
        failed = []
        for source, action, target in steps:
            if source in left:
                builder.add(numbers[source], action, numbers[target])
        for old in endless:
            builder.add(numbers[old], TAU, numbers[old])
        for old, new in numbers.items():
            rest = self.flow.rests[self.states[old][0]]
            match rest.phase:
                case Phase.FAILED:
                    builder.add(new, str(Action(Verb.ERROR, rest.what)), end)
                    failed.append(old)
                    end += 1
                case Phase.OVER:
                    terminal.append(new)
                case Phase.LOST:
                    unexplored.append(new)
                case _:
                    pass
        columns = [self._column(proposition, [*numbers, *failed]) for proposition in shown]
        terminal += range(len(numbers), end)
        return builder.build(end, numbers[first], propositions=columns, terminal=terminal, unexplored=unexplored)

    def _column(self, like: Proposition, states: Sequence[int]) -> Proposition:
        values = [self.value(state, like.name) for state in states]
        defined = np.array([v is not None for v in values], dtype=np.bool_)
        held = np.array([v or 0 for v in values], dtype=like.values.dtype)
        return Proposition(like.name, like.sort, held, like.names, defined)

    def value(self, number: int, name: str) -> int | None:
        """What a variable that is watched holds in a state."""
        rest, held = self.flow.rests[self.states[number][0]], self.states[number][1]
        values = {slot.term: bits for slot, bits in zip(rest.slots, held, strict=True)}
        (watched,) = (one for one in rest.watched if one.name == name)
        bits, absent, holes = taken_apart(self.flow.terms, watched.content, representation(watched.type).bits)
        if any(evaluated([holes, *(when for _, when in absent)], values)):
            return None
        return as_number(evaluated([bits], values)[0], watched.type)

    def counting(self) -> Reached:
        """Without what is only done by runs that are dropped in the end."""
        after: dict[int, set[int]] = {number: set() for number in range(len(self.states))}
        before: dict[int, set[int]] = {number: set() for number in range(len(self.states))}
        for source, _, target in self.steps:
            after[source].add(target)
            before[target].add(source)
        waiting = [
            n for n, (rest, _) in enumerate(self.states) if not after[n] and not self.flow.rests[rest].phase.is_end
        ]
        dropped = set(waiting)
        while waiting:
            number = waiting.pop()
            for source in before[number]:
                after[source].discard(number)
                if not after[source] and source not in dropped:
                    dropped.add(source)
                    waiting.append(source)
        if 0 in dropped:
            raise NoRun
        numbers = {old: new for new, old in enumerate(n for n in range(len(self.states)) if n not in dropped)}
        steps = [(numbers[s], a, numbers[t]) for s, a, t in self.steps if s in numbers and t in numbers]
        return Reached(self.flow, [self.states[old] for old in numbers], steps)

    def _passed(self) -> list[int]:
        """For each state the first one behind it that is not passed silently; of a loop without end always the same."""
        following: dict[int, list[int]] = {}
        for source, action, target in self.steps:
            rest = self.flow.rests[self.states[source][0]]
            if rest.phase is Phase.LOOP or (rest.phase is Phase.START and action == TAU):
                assert action == TAU
                following.setdefault(source, []).append(target)
        found: list[int] = []
        for number, (rest_number, _) in enumerate(self.states):
            at = number
            way: list[int] = []
            while self._is_passed(at, following):
                if at in way:
                    at = min(way[way.index(at) :])
                    break
                way.append(at)
                after = following[at]
                assert len(after) == 1, f"{self.flow.rests[rest_number]} has a choice"
                at = after[0]
            found.append(at)
        return found

    def _is_passed(self, number: int, following: Mapping[int, list[int]]) -> bool:
        phase = self.flow.rests[self.states[number][0]].phase
        return phase is Phase.LOOP or (phase is Phase.START and number in following)


def reached(system: System, flow: Flow, most: int) -> Reached:
    """Runs a flow from its start on; `NoRun` if all of its runs are dropped.

    `TooLarge` if there are more states than that, or so many values to be chosen that it takes minutes.
    """
    running = _Running(system, flow)
    end = process_time() + MOST_SECONDS
    first: State = (0, ())
    found = Reached(flow, [first])
    numbers = {first: 0}
    waiting = deque([0])
    while waiting:
        number = waiting.popleft()
        for action, state in running.following(found.states[number]):
            if state not in numbers:
                numbers[state] = len(found.states)
                found.states.append(state)
                waiting.append(numbers[state])
                if len(found.states) > most:
                    raise TooLarge
            if process_time() > end:
                raise TooLarge
            found.steps.append((number, action, numbers[state]))
    return found.counting()


@final
class _Running:
    def __init__(self, system: System, flow: Flow) -> None:
        self._flow = flow
        self._values = _values(system)
        machine, _ = prepare(system, Manner())
        self._texts = Texts(machine, system.program.enums)

    def following(self, state: State) -> Iterator[tuple[str, State]]:
        number, values = state
        rest = self._flow.rests[number]
        given = {slot.term: value for slot, value in zip(rest.slots, values, strict=True)}
        together: dict[tuple[Term, ...], list[Stretch]] = {}
        for stretch in self._flow.leaving[number]:
            together.setdefault((tuple(c.term for c in stretch.chosen), stretch.entry), []).append(stretch)  # type: ignore[arg-type]
        for stretches in together.values():
            for chosen in self._choices(stretches[0].chosen, given):
                yield from self._taken(stretches, chosen)

    def _choices(self, chosen: Sequence[Chosen], given: Mapping[Term, int]) -> Iterator[Mapping[Term, int]]:
        if not chosen:
            yield given
            return
        first, rest = chosen[0], chosen[1:]
        term = first.term
        if term.operator is not Operator.VARIABLE:
            term = term.operands[0]
        try:
            asked = bool(evaluated([first.when], given)[0])
        except KeyError:  # on slots that decide nothing
            asked = True
        width = max(term.width, 1)
        values = [v % (1 << width) for v in self._values[first.name]] if asked else [0]
        for value in values:
            yield from self._choices(rest, {**given, term: value})

    def _taken(self, stretches: list[Stretch], values: Mapping[Term, int]) -> Iterator[tuple[str, State]]:
        guards = evaluated([s.guard for s in stretches], values)
        applying = [s for s, holds in zip(stretches, guards, strict=True) if holds]
        if len(applying) > 1:
            raise Ambiguous(f"{[str(self._flow.rests[s.target]) for s in applying]} for {values}")
        for stretch in applying:
            after = tuple(evaluated(list(stretch.after), values))
            yield self._text(stretch.action, values), (stretch.target, after)

    def _text(self, shown: Shown | None, values: Mapping[Term, int]) -> str:
        if shown is None:
            return TAU
        parts = [
            self._texts.value(as_number(evaluated([term], values)[0], type), type)
            for term, type in shown.arguments
            if not isinstance(type, Pointer)
        ]
        if shown.verb is Verb.EXIT:
            return str(Action(Verb.EXIT, "".join(parts)))
        return str(Action(shown.verb, shown.name, tuple(parts)))


def as_number(value: int, type: Type) -> int:
    """Bits as a number of a type."""
    assert is_scalar(type)
    plain = representation(type)
    return value - (1 << plain.bits) if plain.signed and value >> (plain.bits - 1) & 1 else value


def _values(system: System) -> dict[str, Sequence[int]]:
    """What the environment may choose, by the names that bounds have for it."""
    found: dict[str, Sequence[int]] = {}

    def note(choice: Choice | Contents | Handed | None) -> None:
        match choice:
            case Choice(name, _, values):
                found[name] = values
            case Contents(name, _, rows):
                found[name] = range(len(rows))
            case Handed(name, arguments):
                found[name] = range(len(arguments))
            case None:
                pass

    for entry in (*system.entries, *([system.init] if system.init is not None else [])):
        for argument in entry.arguments:
            match argument:
                case Choice():
                    note(argument)
                case Pointed(_, content):
                    note(content)
                case Filled(contents):
                    note(contents)
                case _:
                    pass
    for choice in system.volatile.values():
        note(choice)
    for variable in system.inputs:
        note(variable.choice)
    for external in system.externals.values():
        note(external.result)
        for write in external.writes:
            note(write.choice)
    return found
