"""The simulation that makes an abstract model trustworthy, step by step on one program.

An exact state and an abstract one belong together if control is at the same place and every cell of the abstract one
contains the content of the other. Whatever the exact state does then, the abstract one must be able to do so that both
belong together again, whichever of the possible abstract states is gone on with: one is enough, chosen at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, final

from stateglass.explore.around.environment import Environment
from stateglass.explore.around.moves import Called, Event, Exited, Returned
from stateglass.explore.cells.contents import Unsure
from stateglass.explore.cells.keeping import Keeping, abstraction_of, results_of
from stateglass.explore.cells.vague import is_vague, targets
from stateglass.explore.doubts import Doubts
from stateglass.explore.labels.labelling import Labelling
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Choosing, Dropped, Ended, Failing, Outside, Pause, Resting, Stuck
from stateglass.explore.states import Snapshot
from stateglass.model import TAU
from stateglass.program import Pointer, Program, Scalar, Type, is_scalar, representation
from stateglass.program.bits import ones
from stateglass.source import Span
from stateglass.system import build_system
from stateglass.system.maps import ResolvedAbstractions, ResolvedLabels
from stateglass.values import Concrete, FaultKind
from stateglass.values.abstract import TOP, AbstractDomain, WaryDomain, contains

MOST_STEPS: Final = 4000
"""A run is followed so far."""
MOST_RETURNING: Final = 200
"""So many steps the functions that made tail calls may take to return, one after the other."""


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a program: `followed`, why not, or what the abstract run could not follow."""

    what: str
    lost: bool = False
    steps: int = 0


@final
@dataclass(frozen=True, slots=True)
class _Taken:
    """A step: what is seen of it, and where it leads."""

    seen: tuple[str, ...]  # labels, if there is a label map
    events: tuple[Event, ...]
    state: Snapshot


@final
class _Side:
    """A machine that keeps every step."""

    def __init__(
        self, program: Program, map: ResolvedAbstractions | None, labels: ResolvedLabels | None, errors: bool
    ) -> None:
        program = _as_the_users(program)
        system = build_system(program, ("main",), abstract=map is not None)
        if map is None:
            wrap = () if errors else (FaultKind.OVERFLOW, FaultKind.SHIFT)
            self.machine = Machine(program, Concrete(wrap), every_step=True)
        else:
            keeping = Keeping(abstraction_of(map), results_of(map))
            doubts = Doubts(frozenset(FaultKind) if errors else frozenset())
            domain = WaryDomain(frozenset(FaultKind), doubts.note) if errors else AbstractDomain()
            self.machine = Machine(program, domain, every_step=True, keeping=keeping, doubts=doubts)
        self._environment = Environment(system, self.machine)
        if labels is not None:
            self.machine.labelling = Labelling(labels, self.machine.domain, self._environment.texts)
        self._types: list[Scalar] = []
        self.first = self._environment.first_state()

    def steps(self, state: Snapshot) -> Iterator[_Taken]:
        """Everything that may come next; choices of a way are no states of their own."""
        todo = [_Taken((), (), state)]
        while todo:
            before = todo.pop()
            self.machine.restore(before.state)
            for move in list(self._environment.moves(before.state.pause)):
                self.machine.restore(before.state)
                pause = self._environment.ended(move.make())
                for failing, variables in self.machine.doubts.take():
                    yield _Taken(before.seen, before.events, self.machine.states.failed(failing, variables))
                if isinstance(pause, Dropped):
                    continue
                shown = self.machine.labelling is not None and move.action != TAU
                taken = _Taken(
                    (*before.seen, move.action) if shown else before.seen,
                    (*before.events, move.event) if move.event is not None else before.events,
                    self.machine.snapshot(pause),
                )
                if isinstance(pause, Choosing):
                    todo.append(taken)
                else:
                    yield taken

    def place(self, pause: Pause) -> tuple[object, ...]:
        """Where control is, in words that both machines share."""
        match pause:
            case Resting(number) | Outside(number):
                segment = self.machine.segment(number)
                return type(pause), segment.activation.function.name, segment.block, segment.index
            case Failing(kind):
                return type(pause), kind
            case _:
                return (type(pause),)

    def types(self, numbers: range) -> list[Scalar]:
        """The types of some cells."""
        if len(self._types) < self.machine.memory.cells:
            objects = sorted(self.machine.memory.objects, key=lambda o: o.first)
            self._types = [cell.type for o in objects for cell in o.shape]
        return self._types[numbers.start : numbers.stop]

    def stretches(self, state: Snapshot) -> list[tuple[str, range, tuple[Any, ...]]]:
        """The cells of the variables and of each function that runs, innermost first, with what they hold."""
        machine = self.machine
        machine.restore(state)
        runs = [("", range(machine.first_variable, machine.last_variable))]
        frames = machine.stack.frames[::-1]
        runs += [(f.activation.function.name, range(f.activation.first, f.activation.end)) for f in frames]
        return [(name, run, tuple(machine.cells[run.start : run.stop])) for name, run in runs]

    def meaning(self, address: int) -> object:
        """An address as the other machine would say it: which object of a size on the heap it is may differ."""
        found = self.machine.memory.object_at(address)
        return address if found is None else (found.name.partition("#")[0], address - found.address)


def _as_the_users(program: Program) -> Program:
    """The program with its library as code of the user: the steps of that are not kept otherwise."""
    own = Span.at("library.c", 1)
    functions = {n: replace(f, span=own) if f.span.in_library else f for n, f in program.functions.items()}
    return replace(program, functions=functions)


@final
class Simulation:
    """An exact run and its abstract shadow."""

    def __init__(
        self,
        program: Program,
        map: ResolvedAbstractions,
        labels: ResolvedLabels | None,
        chance: random.Random,
        *,
        errors: bool = False,
    ) -> None:
        """With `errors`, undefined behaviour is followed as well; without, runs into it are not."""
        self._exact = _Side(program, None, labels, errors)
        self._vague = _Side(program, map, labels, errors)
        self._chance = chance
        self._errors = errors

    def follow(self) -> Outcome:
        exact, vague = self._exact.first, self._vague.first
        for number in range(MOST_STEPS):
            following = next(self._exact.steps(exact), None)
            if following is None or isinstance(following.state.pause, Ended):
                return Outcome("followed", steps=number)
            if isinstance(following.state.pause, Failing) and self._errors:
                kinds = [t.state.pause.kind for t in self._vague.steps(vague) if isinstance(t.state.pause, Failing)]
                kind = following.state.pause.kind
                return Outcome(f"error({kind})" + f", not {kinds}" * (kind not in kinds), kind not in kinds, number)
            if isinstance(following.state.pause, Failing | Stuck):
                return Outcome(f"followed until {self._exact.place(following.state.pause)[0]}", steps=number)
            possible = list(self._vague.steps(vague))
            stuck = [t.state.pause for t in possible if isinstance(t.state.pause, Stuck)]
            fitting = [t.state for t in possible if not self._difference(following, t)]
            if not fitting and self._depth(self._exact, exact) < self._depth(self._vague, vague):
                fitting = self._later(following, possible)
            if not fitting and self._depth(self._exact, exact) > self._depth(self._vague, vague):
                fitting = [vague] if not following.events and not following.seen else []
            if not fitting and stuck:
                return Outcome(f"partial: {stuck[0].reason}", steps=number)
            if not fitting:
                return Outcome(self._lost(following, possible, number), lost=True, steps=number)
            exact, vague = following.state, self._chance.choice(fitting)
        return Outcome("followed in part", steps=MOST_STEPS)

    @staticmethod
    def _depth(side: _Side, state: Snapshot) -> int:
        """How many functions run. A tail call may spare a frame on one side and not on the other."""
        return len(side.stretches(state))

    def _later(self, exact: _Taken, possible: list[_Taken]) -> list[Snapshot]:
        """The fitting states after the functions with nothing left to do have returned."""
        for _ in range(MOST_RETURNING):
            possible = [
                _Taken((*t.seen, *n.seen), (*t.events, *n.events), n.state)
                for t in possible
                if len(t.seen) <= len(exact.seen) and len(t.events) <= len(exact.events)
                for n in self._vague.steps(t.state)
            ]
            fitting = [t.state for t in possible if not self._difference(exact, t)]
            if fitting:
                return fitting
        return []

    def _lost(self, exact: _Taken, possible: list[_Taken], number: int) -> str:
        pause = self._exact.place(exact.state.pause)
        why = "; ".join(dict.fromkeys(self._difference(exact, t) for t in possible)) or "no step at all"
        return f"step {number}, to {pause}: {why}"

    def _difference(self, exact: _Taken, vague: _Taken) -> str:
        """Why an abstract step is not what the exact one did; empty if it is."""
        places = self._exact.place(exact.state.pause), self._vague.place(vague.state.pause)
        if places[0] != places[1]:
            return f"control is at {places[1]}"
        if exact.seen != vague.seen:
            return f"seen are {vague.seen}, not {exact.seen}"
        if len(exact.events) != len(vague.events):
            return f"there happen {len(vague.events)} events, not {len(exact.events)}"
        for happened, perhaps in zip(exact.events, vague.events, strict=True):
            if not self._may_be(perhaps, happened):
                return f"there happens {perhaps}, not {happened}"
        pairs = zip(self._exact.stretches(exact.state), self._vague.stretches(vague.state), strict=False)
        for (name, _, contents), (other, numbers, sets) in pairs:
            if name != other:
                break  # one of them has kept the frame of a function that has nothing left to do
            types = self._vague.types(numbers)
            for index, (content, set, type) in enumerate(zip(contents, sets, types, strict=True)):
                if not self._holds(set, content, type):
                    return f"cell {numbers.start + index} ({self._name(numbers.start + index)}) {set}, not {content}"
        return ""

    def _name(self, number: int) -> str:
        for found in self._vague.machine.memory.objects:
            if found.first <= number < found.first + len(found.shape):
                return found.name + found.shape[number - found.first].path
        return "?"

    def _holds(self, set: Any, content: Any, type: Scalar) -> bool:
        """Whether a content of an abstract cell contains that of an exact one."""
        if set is content or set == content:
            return True
        if isinstance(set, Unsure):
            full = ones(representation(type).bits)
            written = content[1] if isinstance(content, tuple) else full if isinstance(content, int) else 0
            return not set.surely & ~written and (not isinstance(content, int) or self._holds(set.value, content, type))
        if isinstance(content, tuple) or content is None:
            return False  # it has no value
        if set is TOP or not isinstance(content, int):
            return True  # or it does not exist
        if isinstance(type, Pointer):
            meant = self._exact.meaning(content)
            found = targets(set) if isinstance(set, int | frozenset) else ()
            return found is None or any(self._vague.meaning(t) == meant for t in found)
        if isinstance(set, int):
            return set == content
        return is_vague(set) and contains(set, content, type)

    def _may_be(self, abstract: Event, exact: Event) -> bool:
        match abstract, exact:
            case Called(function, arguments, types), Called(other, values, _):
                pairs = zip(arguments, values, types, strict=True)
                return function == other and all(self._value(a, v, t) for a, v, t in pairs)
            case Returned(function, value, type), Returned(other, exactly, _):
                return function == other and self._value(value, exactly, type)
            case Exited(status, type), Exited(exactly, _):
                return self._value(status, exactly, type)
            case _:
                return False

    def _value(self, set: Any, content: Any, type: Type) -> bool:
        return not is_scalar(type) or self._holds(set, content, type)
