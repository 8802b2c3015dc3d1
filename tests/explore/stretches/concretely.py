"""A flow run for each value that the environment may choose: all that it reaches, to be held against the reference."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.explore.actions import Texts
from stateglass.explore.preparing import prepare
from stateglass.explore.manner import Manner
from stateglass.explore.stretches import Chosen, Flow, Phase, Shown, Stretch
from stateglass.model import TAU, Action, Model, ModelBuilder, Verb
from stateglass.program import Pointer, Scalar, Type, is_scalar, representation
from stateglass.smt import Operator, Term, evaluated
from stateglass.system import Choice, Contents, Filled, Handed, Pointed, System

State = tuple[int, tuple[int, ...]]
"""The number of a rest, and what its slots hold."""
SILENT: Final = (Phase.LOOP, Phase.CHANGED, Phase.START)


@final
class TooLarge(Exception):
    """There are more states than somebody wants to look at."""


@final
class Ambiguous(Exception):
    """Two stretches apply at once."""


@final
@dataclass
class Reached:
    """Everything that a flow can do."""

    flow: Flow
    states: list[State] = field(default_factory=list)
    steps: list[tuple[int, str, int]] = field(default_factory=list)  # numbers of states around actions

    def of_phase(self, *phases: Phase) -> Iterator[State]:
        return (state for state in self.states if self.flow.rests[state[0]].phase in phases)

    def model(self) -> Model:
        """As a model: errors are actions, what is not known is not explored."""
        left = self._without_dropped()
        numbers = {old: new for new, old in enumerate(n for n in range(len(self.states)) if n in left)}
        builder, terminal, unexplored = ModelBuilder(), [], []
        end = len(numbers)
        for source, action, target in self.steps:
            if source in left and target in left:
                builder.add(numbers[source], action, numbers[target])
        for old, new in numbers.items():
            rest = self.flow.rests[self.states[old][0]]
            match rest.phase:
                case Phase.FAILED:
                    builder.add(new, str(Action(Verb.ERROR, rest.what)), end)
                case Phase.OVER:
                    terminal.append(new)
                case Phase.LOST:
                    unexplored.append(new)
                case _:
                    pass
        return builder.build(end + 1, terminal=[*terminal, end], unexplored=unexplored)

    def _without_dropped(self) -> set[int]:
        """A run that is dropped leaves nothing behind since the last choice of the environment."""
        left = set(range(len(self.states)))
        sources: dict[int, list[int]] = {}
        count = [0] * len(self.states)
        for source, _, target in self.steps:
            sources.setdefault(target, []).append(source)
            count[source] += 1
        rests = self.flow.rests
        work = [n for n, (rest, _) in enumerate(self.states) if rests[rest].phase in SILENT and not count[n]]
        while work:
            number = work.pop()
            left.discard(number)
            for source in sources.get(number, ()):
                count[source] -= 1
                if not count[source] and rests[self.states[source][0]].phase in SILENT:
                    work.append(source)
        return left


def reached(system: System, flow: Flow, most: int) -> Reached:
    """Runs a flow from its start on."""
    running = _Running(system, flow)
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
            found.steps.append((number, action, numbers[state]))
    return found


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
        asked = evaluated([first.when], given)[0]
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
            return str(Action(Verb.EXIT, *parts))
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


def scalar_value(type: Scalar, value: int) -> int:
    return as_number(value, type)
