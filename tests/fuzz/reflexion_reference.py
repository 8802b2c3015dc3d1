"""All calls of a generated function, one after the other, by the reference semantics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Asking, CallingOut, Exiting, Failing, Outside, Pause, Returning, Stable
from stateglass.program import (
    Array,
    Bool,
    Pointer,
    Program,
    Record,
    Scalar,
    Variable,
    is_scalar,
    representation,
    size_of,
)
from stateglass.reflexion.hypothesis import ERROR, OTHER
from stateglass.reflexion.reflecting import Limits
from stateglass.values import Concrete, FaultKind
from tests.fuzz.reflexion_cases import Case

EXIT: Final = "exit"
OVERLAP: Final = "overlap"
SILENT: Final = ("touch", "off")
"""Functions without a body that neither return nor write anything."""

Place = tuple[int, int]
"""Where something comes from outside: line and column."""
Values = tuple[int | str, ...]


@final
@dataclass(frozen=True, slots=True)
class Call:
    """One call: where it begins and ends, which conditions hold before it, and what came from outside."""

    source: str
    target: str
    holds: frozenset[str]  # names of probes
    valuation: tuple[Values, Values] = ((), ())  # of variables and parameters
    inputs: Mapping[Place, int] = field(default_factory=dict)


@final
class Reference:
    """Runs a case for each of its valuations, and for each of these with all that may come from outside."""

    def __init__(self, program: Program, case: Case, limits: Limits) -> None:
        self._case = case
        self._limits = limits
        own = [Variable(name, type) for name, type in case.own]
        self._machine = Machine(program, Concrete(limits.undefined.wraps), own, tolerated=limits.undefined.tolerated)
        self._start = self._machine.snapshot(Stable())
        self._program = program
        self._places = [self.place(v.place or v.name) for v in case.variables]

    def place(self, name: str) -> tuple[int, Scalar]:
        """Where a scalar is, in bits, and its type."""
        base, arrow, rest = name.rpartition("->")
        owner, *steps = re.split(r"[.\[]", (f"*{base}.{rest}" if arrow else name).replace("]", ""))
        found = self._machine.globals[owner]
        position, type = 8 * found.address, found.type
        for step in steps:
            if isinstance(type, Array):
                type = type.element
                position += 8 * int(step) * size_of(type, self._program.records)
            else:
                assert isinstance(type, Record)
                member = self._program.records[type.name].field(step)
                position, type = position + 8 * member.offset + member.bit, member.type
        assert is_scalar(type)
        return position, type

    def _address(self, target: str) -> int:
        """What a pointer holds that leads there."""
        if not target:
            return 0
        if target in self._machine.globals:
            return self._machine.globals[target].address
        if target in self._program.functions or target in self._program.declarations:
            return self._machine.known.address(target)
        return self.place(target)[0] // 8

    def valuations(self) -> Iterator[tuple[Values, Values]]:
        case = self._case
        for values in product(*(v.values for v in case.variables)):
            for given in product(*(p.values for p in case.parameters)):
                yield values, given

    def is_assumed(self, given: Values) -> bool:
        """Whether the assumptions allow what the variables hold now."""
        return all(self.holds(f"%assume.{n}", given) for n in range(len(self._case.hypothesis.assumes)))

    def is_contradictory(self) -> bool:
        """Whether the assumptions allow nothing."""
        for values, given in self.valuations():
            self.set(values)
            if self.is_assumed(given):
                return False
        return True

    def set(self, values: Values, more: Mapping[str, int] | None = None) -> None:
        """Give all variables their values; `more` has those of others that are no part of the case."""
        self._machine.restore(self._start)
        cells, memory = self._machine.cells, self._machine.memory
        for (position, type), value in zip(self._places, values, strict=True):
            memory.initialise(cells, position, self._address(value) if isinstance(value, str) else value, type)
        for name, number in (more or {}).items():
            position, type = self.place(name)
            memory.initialise(cells, position, number, type)

    def _arguments(self, given: Values) -> list[Any]:
        """What the function is called with; what the case does not speak of is 0."""
        known = {p.name: value for p, value in zip(self._case.parameters, given, strict=True)}
        found: list[Any] = []
        for parameter in self._program.functions["f"].parameters:
            if isinstance(parameter.type, Record):
                shape = self._machine.memory.shape(parameter.type)
                found.append([known.get(f"{parameter.name}{cell.path}", 0) for cell in shape])
            elif isinstance(parameter.type, Pointer):
                found.append(self._address(f"*{parameter.name}"))
            else:
                found.append(known[parameter.name])
        return found

    def holds(self, name: str, given: Values) -> bool:
        """Whether a condition holds now; one that goes wrong does not."""
        kept = self._machine.snapshot(Stable())
        pause = self._machine.start(name, self._arguments(given))
        self._machine.restore(kept)
        return isinstance(pause, Returning) and bool(pause.value)

    def _states(self, given: Values) -> list[str]:
        """The states that the valuation is in and in none inside; several if states overlap."""
        states = self._case.hypothesis.states
        own = {s.name: self.holds(f"%state.{n}", given) for n, s in enumerate(states) if s.condition is not None}

        def inner(parent: str | None) -> list[str]:
            found: list[str] = []
            for state in states:
                if state.parent == parent and own.get(state.name, True):
                    below = inner(state.name)
                    found += below if below or state.condition is None else [state.name]
            return found

        return inner(None)

    def calls(self, names: Sequence[str]) -> list[Call] | str:
        """All calls that count, or that states overlap; `names` are the conditions that are wanted."""
        found: list[Call] = []
        for values, given in self.valuations():
            self.set(values)
            before = self._states(given)
            if len(before) > 1:
                return OVERLAP  # states are the same after a call, when nothing is assumed
            if not self.is_assumed(given):
                continue
            source = before[0] if before else OTHER
            holding = frozenset(n for n in names if self.holds(n, given))
            for target, inputs in self._targets(values, given):
                found.append(Call(source, target, holding, (values, given), inputs))
        return found

    def _targets(self, values: Values, given: Values) -> Iterator[tuple[str, Mapping[Place, int]]]:
        """Where a call leads, once for each row of values that come from outside."""
        todo: list[tuple[int, ...]] = [()]
        while todo:
            row = todo.pop()
            self.set(values)
            asked: dict[Place, int] = {}
            pause = self._run(given, row, asked)
            match pause:
                case int():
                    todo += [(*row, value) for value in reversed(range(pause))]
                case Failing(kind) if FaultKind(kind) in self._limits.undefined.left_out:
                    continue
                case Failing():
                    yield ERROR, asked
                case Exiting():
                    yield EXIT, asked
                case Returning():
                    after = self._states(given)
                    yield after[0] if after else OTHER, asked
                case _:
                    raise AssertionError(pause)

    def _run(self, given: Values, row: Sequence[int], asked: dict[Place, int]) -> Pause | int:
        """One call; if it asks for more than there is, how many values that can have.

        Functions without a body do what the ledger says.
        """
        machine, left = self._machine, list(row)
        pause = machine.start("f", self._arguments(given))
        while isinstance(pause, Asking | CallingOut):
            if isinstance(pause, CallingOut) and pause.function in SILENT:
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), None)
                continue
            span = machine.segment(pause.segment).span
            if not left:
                machine.restore(self._start)
                return _count(pause.type) if isinstance(pause, Asking) else 2
            value = asked[span.line, span.start.column] = left.pop(0)
            if isinstance(pause, Asking):
                pause = machine.answer(pause, value)
            elif pause.function.startswith("get"):
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), value)
            else:
                assert pause.function.startswith("fill")
                changed = machine.memory.object_at(pause.arguments[0])
                assert changed is not None
                assert len(changed.shape) == 1
                machine.cells[changed.first] = value
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), None)
        return pause


def _count(type: Scalar) -> int:
    return 2 if isinstance(type, Bool) else 1 << representation(type).bits
