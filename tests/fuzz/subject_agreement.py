"""Random C++ classes and sequences of calls: our runs against those of g++. `python -m` this module with `--help`.

Each class is looked at as `--class` does, one call after the other, and what the calls return, throw and tell, and the
numbers in the object after each, are held against a driver that g++ compiles. Many classes share a file, so that a
compiler is started once for all of them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.explore import Machine, Manner
from stateglass.explore.environment import Environment
from stateglass.explore.pauses import Ended, Failing, Pause, Stable, Starting, Stuck
from stateglass.explore.states import Snapshot
from stateglass.explore.stepwise import prepare
from stateglass.explore.valuations import propositions
from stateglass.frontend import read_program
from stateglass.model import TAU
from stateglass.program import Program
from stateglass.source import InputError
from stateglass.system import build_system
from stateglass.system.subjects import Asked
from stateglass.work import OutOfTime, time_limit
from tests.generator.cplusplus.batches import Batch, Call, Sequence
from tests.generator.cplusplus.subjects import VALUES, Method
from tests.generator.gcc import COMPILE_SECONDS, RUN_SECONDS, GccError

SECONDS: Final = 60.0
MOST_STEPS: Final = 100_000
_OVER: Final = "the end"


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one sequence: nothing, a difference, or what we refuse."""

    sequence: Sequence
    difference: str = ""
    refused: str = ""


def compare_batch(batch: Batch, folder: Path) -> list[Outcome]:
    """Holds our runs of all sequences against g++'s."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "subjects.cpp"
    file.write_text(batch.text, encoding="utf-8")
    traces = theirs(batch, folder)
    program = read_program((str(file),)).program
    return [_compared(program, s, trace) for s, trace in zip(batch.sequences, traces, strict=True)]


def theirs(batch: Batch, folder: Path) -> list[list[str]]:
    """What the compiled driver prints, for each sequence."""
    driver, program = folder / "driver.cpp", folder / "driver"
    driver.write_text('#include "subjects.cpp"\n' + batch.driver, encoding="utf-8")
    command = ["g++", "-std=gnu++20", "-O0", "-w", "-pipe", "-fno-access-control", "-o", str(program), str(driver)]
    made = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS * 4, check=False)
    if made.returncode:
        raise GccError(made.stderr[:4000])
    done = subprocess.run([program], capture_output=True, text=True, timeout=RUN_SECONDS * 4, check=False)
    traces: list[list[str]] = [[]]
    for line in done.stdout.splitlines():
        if line == "end":
            traces.append([])
        else:
            traces[-1].append(_plain(line))
    return traces[: len(batch.sequences)]


def _plain(line: str) -> str:
    """The type of an exception as we say it."""
    if not line.startswith("throw("):
        return line
    function, _, type = line.removeprefix("throw(").removesuffix(")").partition(", ")
    if "basic_string" in type:
        type = "basic_string<char>"
    return f"throw({function}, {'pointer' if type.endswith('*') else type.rpartition('::')[2]})"


def _compared(program: Program, sequence: Sequence, expected: list[str]) -> Outcome:
    try:
        found = list(ours(program, sequence))
    except InputError as error:
        return Outcome(sequence, refused=f"not read: {error}")
    except OutOfTime:
        return Outcome(sequence, f"still running after {SECONDS:g} s")
    if expected and expected[-1].startswith("signal"):
        return Outcome(sequence, refused=f"g++ ended with {expected[-1]}")
    for number, (theirs_, ours_) in enumerate(zip([*expected, _OVER], [*found, _OVER], strict=False)):
        if ours_.startswith("not supported:"):
            return Outcome(sequence, refused=ours_)
        if theirs_ != ours_:
            call = next((x for x in reversed(expected[: number + 1]) if x.startswith("call(S")), "")
            return Outcome(sequence, f"in {call}, line {number}: g++ has {theirs_}, we have {ours_}")
    return Outcome(sequence)


def ours(program: Program, sequence: Sequence) -> Iterator[str]:
    """The actions of the sequence as the system around the class shows them, and the values after each call."""
    subject = sequence.subject
    shown = [name for name, _ in subject.fields]
    used = list(dict.fromkeys(m.name for m in subject.methods))
    system = build_system(
        program,
        (),
        of_class=f"{sequence.space}.{subject.name}",
        asked=Asked(visible=tuple(used)),
        bounds=_bounds(sequence),
    )
    machine, environment = prepare(system, Manner())
    machine.interrupt = time_limit(SECONDS)
    first = environment.first_state()
    pause: Pause = first.pause
    wanted = [sequence.making, *sequence.calls]
    if not isinstance(pause, Starting):
        del wanted[0]
        yield sequence.making.text
        yield f"return({sequence.making.method.shown})"
        yield from _values(machine, environment, first, shown)
    for call in wanted:
        pause = yield from _called(machine, environment, pause, call.text)
        if not isinstance(pause, Stable):
            return
        yield from _values(machine, environment, machine.snapshot(pause), shown)


def _called(machine: Machine, environment: Environment, pause: Pause, wanted: str) -> Generator[str, None, Pause]:
    """Makes the call that is wanted, and goes on until the object rests again."""
    machine.restore(machine.snapshot(pause))
    moves = [move for move in environment.moves(pause) if move.action == wanted]
    if len(moves) != 1:
        yield f"there are {len(moves)} calls {wanted}"
        return pause
    (move,) = moves
    for _ in range(MOST_STEPS):
        if move.action != TAU and not move.action.startswith("return(observe"):
            yield _plain(move.action)
        pause = move.make()
        # What is not kept in a state is lost here, as it is when models are made.
        machine.restore(machine.snapshot(pause))
        if isinstance(pause, Stable | Ended):
            break
        if isinstance(pause, Stuck):
            yield f"not supported: {pause.reason} at {pause.span}"
            break
        if isinstance(pause, Failing):
            yield f"error({pause.kind}) at {pause.span}"
            break
        (move,) = environment.moves(pause)
    return pause


def _values(machine: Machine, environment: Environment, state: Snapshot, shown: Collection[str]) -> Iterator[str]:
    columns, _ = propositions(machine, environment.texts, [state])
    values = {column.name: column.text(0) for column in columns}
    yield from (f"{name}={values.get(name, 'missing')}" for name in shown)


def _bounds(sequence: Sequence) -> list[tuple[str, str]]:
    """Each parameter takes the values that it is given in the sequence, or some value if it is given none."""
    given: dict[str, list[str]] = {}
    calls = [sequence.making, *sequence.calls, *(Call(m, _any(m)) for m in sequence.subject.methods)]
    for call in calls:
        for (_, name), value in zip(call.method.parameters, call.arguments, strict=True):
            values = given.setdefault(f"{call.method.shown}.{name}", [])
            if value not in values:
                values.append(value)
    return [(name, "{" + ", ".join(values) + "}") for name, values in given.items()]


def _any(method: Method) -> tuple[str, ...]:
    return tuple(VALUES[type][0] for type, _ in method.parameters)
