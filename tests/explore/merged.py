"""A function run once for all inputs, held against the reference: one run for each of many valuations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.merging import Event, Kind, Outcome, Runner
from stateglass.explore.pauses import (
    Asking,
    CallingOut,
    Dropped,
    Exiting,
    Failing,
    Outside,
    Pause,
    Returning,
    Stable,
)
from stateglass.explore.states import Snapshot
from stateglass.program import Pointer, Program, Scalar, is_scalar, representation
from stateglass.program.outside import written_through
from stateglass.reflexion.unknowns import Unknowns
from stateglass.smt import Term, Terms, evaluate, evaluated
from stateglass.source import NOWHERE
from stateglass.values import Concrete
from stateglass.work import OutOfTime

MOST_STEPS: Final = 40_000


@final
class Disagreement(Exception):
    """The two runs differ."""


@final
@dataclass(frozen=True)
class Merged:
    """A function and what its run for all inputs has found."""

    program: Program
    function: str
    unknowns: Unknowns
    outcome: Outcome
    machine: Machine  # the reference
    start: Snapshot  # its state before a call, with the variables as the program has them
    cells: tuple[object, ...]  # what they hold then


def run_merged(
    program: Program, function: str, *, unroll: int = 16, max_depth: int = 6, max_blocks: int = 20_000
) -> Merged:
    terms = Terms()
    unknowns = Unknowns(program, program.functions[function], terms)
    runner = Runner(unknowns.machine, terms, unknowns.before, unroll=unroll, max_depth=max_depth, max_blocks=max_blocks)
    outcome = runner.run(function, list(unknowns.arguments))
    # It also has functions that pointers may lead to and that the program does not have.
    complete = unknowns.machine.program
    machine = Machine(complete, Concrete(), unknowns.extra, max_depth=1000)
    return Merged(complete, function, unknowns, outcome, machine, machine.snapshot(Stable()), tuple(machine.cells))


def compare(merged: Merged, valuations: int, seed: int) -> Counter[str]:
    """How often what was seen; raises a `Disagreement`."""
    dice = random.Random(seed)
    return Counter(_compare_one(merged, _valuation(merged, dice)) for _ in range(valuations))


def _valuation(merged: Merged, dice: random.Random) -> dict[Term, int]:
    found = {}
    for variable in merged.unknowns.terms.variables:
        width = variable.width
        near = [0, 1, 2, 3, 4, 5, 7, 10, -1, -2, 1 << width >> 1, (1 << width >> 1) - 1]
        number = dice.choice(near) if dice.random() < 0.7 else dice.getrandbits(max(width, 1))
        found[variable] = number % (1 << width) if width else number % 2
    return found


def _compare_one(merged: Merged, values: dict[Term, int]) -> str:
    outcome = merged.outcome
    first = next((e for e in outcome.events if evaluate(e.when, values)), None)
    if first is not None and first.kind in (Kind.BOUND, Kind.UNSUPPORTED):
        return str(first.kind.value)
    machine = merged.machine
    _reset(merged, machine, values)
    try:
        pause = _reference(merged, machine, values)
    except OutOfTime:
        return "too long"
    where = f"{merged.function} with {_shown(values)}"
    match pause:
        case Failing(kind, span):
            _must(
                first is not None and first.kind is Kind.FAULT and (first.what, first.span.start) == (kind, span.start),
                f"{where}: {pause} is what happens, {first} was foretold",
            )
            return "fault"
        case Exiting():
            _must(first is not None and first.kind is Kind.EXIT, f"{where}: the program exits, {first} was foretold")
            return "exit"
        case Dropped():
            _must(first is not None and first.kind is Kind.DROPPED, f"{where}: dropped, {first} was foretold")
            return "dropped"
        case Returning(_, value):
            _returned(merged, machine, values, value, first, where)
            _same_lines(merged, machine, values, where)
            return "returned"
        case _:
            raise Disagreement(f"{where}: {pause}")


def _reset(merged: Merged, machine: Machine, values: dict[Term, int]) -> None:
    machine.restore(merged.start)
    machine.steps = 0
    for number, content in merged.unknowns.known_cells():
        if isinstance(content, Term) and not merged.unknowns.is_constant(number):
            machine.cells[number] = _number(content, merged.unknowns.cell(number).type, values)


def _same_lines(merged: Merged, machine: Machine, values: dict[Term, int], where: str) -> None:
    """The lines of a run that comes back, in the order in which they are first executed."""
    _reset(merged, machine, values)
    machine.visited = []
    _reference(merged, machine, values)
    executed = list(dict.fromkeys(line for segment in machine.visited for line in segment.lines()))
    machine.visited = None
    trail = merged.outcome.trail
    conditions = [c for stretch in trail for _, c in stretch.origin if c is not None]
    known = dict(zip(conditions, evaluated(conditions, values), strict=True))
    passed: list[bool] = []
    for stretch in trail:
        sources = [passed[source] and (c is None or bool(known[c])) for source, c in stretch.origin]
        passed.append(sum(sources) == 1 if stretch.origin else True)
    foretold = list(
        dict.fromkeys(line for stretch, gone in zip(trail, passed, strict=True) if gone for line in stretch.lines)
    )
    _must(executed == foretold, f"{where}: executes the lines {executed}, foretold {foretold}")


def _must(holds: bool, message: str) -> None:
    if not holds:
        raise Disagreement(message)


def _returned(
    merged: Merged, machine: Machine, values: dict[Term, int], value: Any, first: Event | None, where: str
) -> None:
    unknowns, outcome = merged.unknowns, merged.outcome
    _must(first is None, f"{where}: comes back, {first} was foretold")
    _must(bool(evaluate(outcome.returns, values)), f"{where}: comes back, which was not foretold")
    known = dict(unknowns.known_cells())
    for number in range(machine.first_variable, machine.last_variable):
        content = outcome.after.get(number, known.get(number))
        is_now = machine.cells[number]
        if content is None:
            name = unknowns.name_of(number)
            _must(is_now == merged.cells[number], f"{where}: {name} is changed, which was not foretold")
        if isinstance(content, Term) and isinstance(is_now, int):
            expected = is_now % (1 << content.width)
            foretold = evaluate(content, values)
            _must(foretold == expected, f"{where}: {unknowns.name_of(number)} is {expected}, foretold {foretold}")
    given = value if isinstance(value, tuple) else (value,)
    contents = outcome.value if isinstance(outcome.value, list) else [outcome.value]
    for content, one in zip(contents, given, strict=True):
        if isinstance(content, Term) and isinstance(one, int):
            foretold = evaluate(content, values)
            _must(foretold == one % (1 << content.width), f"{where}: returns {one}, foretold {foretold}")


def _reference(merged: Merged, machine: Machine, values: dict[Term, int]) -> Pause:
    inputs = _inputs(merged, values)
    machine.interrupt = lambda: machine.steps > MOST_STEPS
    pause = machine.start(merged.function, _arguments(merged, values))
    while True:
        match pause:
            case Asking():
                pause = machine.answer(pause, next(inputs))
            case CallingOut() if merged.program.declarations[pause.function].noreturn:
                return Exiting(0, NOWHERE)
            case CallingOut():
                declaration = merged.program.declarations[pause.function]
                for number in written_through(declaration, machine.segment(pause.segment).types):
                    _written(machine, pause.arguments[number], inputs)
                result = next(inputs) if is_scalar(declaration.result) else None
                pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), result)
            case _:
                return pause


def _written(machine: Machine, address: int, inputs: Iterator[int]) -> None:
    found = machine.memory.object_at(address)
    if found is not None and not found.readonly:
        for number, cell in enumerate(found.shape, found.first):
            if not isinstance(cell.type, Pointer):
                machine.cells[number] = next(inputs)


def _inputs(merged: Merged, values: dict[Term, int]) -> Iterator[int]:
    for fresh in merged.outcome.fresh:
        if evaluate(fresh.when, values):
            yield _number(fresh.term, fresh.type, values)


def _arguments(merged: Merged, values: dict[Term, int]) -> list[Any]:
    given: list[Any] = []
    for parameter, term in zip(merged.unknowns.function.parameters, merged.unknowns.arguments, strict=True):
        if isinstance(term, Term):
            assert is_scalar(parameter.type)
            given.append(_number(term, parameter.type, values))
        else:
            shape = merged.unknowns.machine.memory.shape(parameter.type)
            cells = [_number(t, c.type, values) for t, c in zip(term, shape, strict=True) if isinstance(t, Term)]
            given.append(cells)
    return given


def _number(term: Term, type: Scalar, values: dict[Term, int]) -> int:
    value, plain = evaluate(term, values), representation(type)
    return value - (1 << plain.bits) if plain.signed and value >> (plain.bits - 1) else value


def _shown(values: dict[Term, int]) -> str:
    return ", ".join(f"{v.extra} = {x}" for v, x in values.items())
