"""Every concrete run is a run of the abstract model: random programs under random abstraction abstractions.

`python tests/fuzz/abstract_simulation.py --help` explains the options.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from stateglass.explore.environment import Environment
from stateglass.explore.keeping import Keeping, abstraction_of
from stateglass.explore.machine import Machine, Snapshot
from stateglass.explore.moves import Called, Event, Exited, Returned
from stateglass.explore.pauses import Dropped, Failing, Stuck
from stateglass.explore.vague import targets
from stateglass.program import Array, Program, Record, Type, abstractions, is_scalar
from stateglass.system import build_system
from stateglass.system.maps import ResolvedAbstractions, VariableName
from stateglass.values import Concrete, FaultKind
from stateglass.values.abstract import AbstractDomain, contains
from tests.fuzz.agreement import read
from tests.generator import generate, generate_wide

MOST_STATES: Final = 4000
"""A program whose abstract run needs more is left aside."""
SIZE: Final = 14


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a program: `followed`, `too large`, or what the abstract run could not follow."""

    what: str
    lost: bool = False


def follow(seed: int, *, wide: bool = False, size: int = SIZE) -> Outcome:
    """Run a program on exact values, and see that its run is possible on abstract ones."""
    files = (generate_wide(seed, size) if wide else generate(seed, size)).files
    with tempfile.TemporaryDirectory() as folder:
        program = read(files, Path(folder))
    events = _concrete_events(program)
    if events is None:
        return Outcome("no run to follow")
    chance = random.Random(seed)
    return _followed(program, _random_map(program, chance), events)


def _concrete_events(program: Program) -> list[Event] | None:
    system = build_system(program, ("main",))
    machine = Machine(program, Concrete((FaultKind.OVERFLOW, FaultKind.SHIFT)))
    environment = Environment(system, machine)
    state = environment.first_state()
    events: list[Event] = []
    for _ in range(MOST_STATES):
        machine.restore(state)
        moves = list(environment.moves(state.pause))
        if not moves:
            return None if isinstance(state.pause, Stuck) else events
        machine.restore(state)
        pause = moves[0].make()
        if isinstance(pause, Failing):
            return None
        if moves[0].event is not None:
            events.append(moves[0].event)
        state = machine.snapshot(pause)
    return None


def _random_map(program: Program, chance: random.Random) -> ResolvedAbstractions:
    cells: dict[VariableName, dict[str, abstractions.Abstraction]] = {}
    for variable in program.variables.values():
        if not variable.readonly:
            cells[VariableName(None, variable.name)] = _random_cells(variable.type, program, chance)
    for function in program.functions.values():
        for local in (*function.parameters, *function.locals):
            if not local.name.startswith("%"):
                cells[VariableName(function.name, local.name)] = _random_cells(local.type, program, chance)
    return ResolvedAbstractions(cells)


def _random_cells(type: Type, program: Program, chance: random.Random) -> dict[str, abstractions.Abstraction]:
    from stateglass.program import cells_of

    chosen = _random_abstraction(chance)
    same = isinstance(type, Array | Record) and chance.random() < 0.5
    return {c.path: chosen if same else _random_abstraction(chance) for c in cells_of(type, program.records)}


def _random_abstraction(chance: random.Random) -> abstractions.Abstraction:
    match chance.randrange(12):
        case 0:
            return abstractions.Top()
        case 1:
            return abstractions.MinMax()
        case 2:
            return abstractions.Mod(chance.choice([2, 3, 4, 8, 10]))
        case 3 | 4:
            points = sorted(chance.sample(range(-20, 100), chance.randint(1, 4)))
            return abstractions.Part(tuple(points))
        case 5:
            return abstractions.Truth()
        case 6 | 7 | 8:
            return abstractions.Exact()
        case _:
            return abstractions.Free()


def _followed(program: Program, map: ResolvedAbstractions, events: list[Event]) -> Outcome:
    system = build_system(program, ("main",), abstract=True)
    machine = Machine(program, AbstractDomain(), keeping=Keeping(abstraction_of(map)))
    machine.interrupt = lambda: machine.steps > 3_000_000
    environment = Environment(system, machine)
    try:
        states = {environment.first_state()}
        for number, event in enumerate(events):
            states = _after(states, event, environment, machine)
            if not states:
                return Outcome(f"event {number} of {len(events)}: {event}", lost=True)
    except _TooLargeError:
        return Outcome("too large")
    return Outcome("followed")


class _TooLargeError(Exception):
    pass


def _after(states: set[Snapshot], event: Event, environment: Environment, machine: Machine) -> set[Snapshot]:
    """The states after an event, from some states, with any silent steps before it."""
    seen, todo, found = set(states), list(states), set()
    while todo:
        state = todo.pop()
        machine.restore(state)
        for move in list(environment.moves(state.pause)):
            machine.restore(state)
            pause = move.make()
            if isinstance(pause, Dropped):
                continue
            if isinstance(pause, Stuck):  # the model is partial there, and says so
                raise _TooLargeError
            after = machine.snapshot(pause)
            if move.event is None:
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
            elif _may_be(move.event, event):
                found.add(after)
            if len(seen) + len(found) > MOST_STATES:
                raise _TooLargeError
    return found


def _may_be(abstract: Event, exact: Event) -> bool:
    match abstract, exact:
        case Called(function, arguments, types), Called(other, values, _):
            pairs = zip(arguments, values, types, strict=True)
            return function == other and all(_contains(a, v, t) for a, v, t in pairs)
        case Returned(function, value, type), Returned(other, exactly, _):
            return function == other and _contains(value, exactly, type)
        case Exited(status, type), Exited(exactly, _):
            return _contains(status, exactly, type)
        case _:
            return False


def _contains(value: Any, number: Any, type: Type) -> bool:
    if value is number or value == number or not isinstance(number, int):
        return True
    if isinstance(value, frozenset):
        return number in (targets(value) or ())
    return not isinstance(value, int) and is_scalar(type) and contains(value, number, type)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    lost = 0
    for seed in range(options.seed, options.seed + options.programs):
        outcome = follow(seed, wide=seed % 2 == 0)
        counts["lost" if outcome.lost else outcome.what] += 1
        if outcome.lost:
            lost += 1
            print(f"seed {seed}: {outcome.what}", flush=True)
    print(f"{options.programs} programs: {dict(counts)}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
