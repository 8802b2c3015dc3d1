"""Runs sequences of calls of random C++ classes, by our semantics and by g++.

Each class is looked at as `--class` does, one call after the other, and what the calls return, throw and tell, and the
numbers in the object after each, are held against a driver that g++ compiles. Many classes share a file, so that a
compiler is started once for all of them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.explore import Manner
from stateglass.explore.pauses import Ended, Failing, Pause, Stable, Starting, Stuck
from stateglass.explore.shown.valuations import propositions
from stateglass.explore.states import Snapshot
from stateglass.explore.stepwise import prepare
from stateglass.frontend import read_program
from stateglass.model import TAU
from stateglass.program import Program
from stateglass.source import InputError
from stateglass.system import build_system
from stateglass.system.subjects import Asked
from stateglass.work import OutOfTime, time_limit
from tests.generator.cplusplus.batches import Batch, Call, Looked, Sequence
from tests.generator.cplusplus.subjects import VALUES, Method
from tests.generator.gcc import COMPILE_SECONDS, RUN_SECONDS, GccError

SECONDS: Final = 60.0
MOST_STEPS: Final = 100_000
_OVER: Final = "the end"


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one sequence: nothing, a difference, or what we refuse."""

    seed: int
    number: int
    difference: str = ""
    refused: str = ""


def compare_batch(batch: Batch, folder: Path) -> list[Outcome]:
    """Holds our runs of all sequences against g++'s."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "subjects.cpp"
    file.write_text(batch.text, encoding="utf-8")
    traces = theirs(batch, folder)
    program = read_program((str(file),)).program
    return [outcome for looked in batch.looked for outcome in _compared(program, looked, traces)]


def theirs(batch: Batch, folder: Path) -> dict[tuple[int, int], list[str]]:
    """What the compiled driver prints, for each sequence, by its seed and its number."""
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
    names = [(looked.seed, n) for looked in batch.looked for n in range(len(looked.sequences))]
    return dict(zip(names, traces, strict=False))


def _plain(line: str) -> str:
    """The type of an exception as we say it."""
    if not line.startswith("throw("):
        return line
    function, _, type = line.removeprefix("throw(").removesuffix(")").partition(", ")
    if "basic_string" in type:
        type = "basic_string<char>"
    return f"throw({function}, {'pointer' if type.endswith('*') else type.rpartition('::')[2]})"


def _compared(program: Program, looked: Looked, traces: Mapping[tuple[int, int], list[str]]) -> Iterator[Outcome]:
    try:
        stage = Stage(program, looked)
    except InputError as error:
        yield Outcome(looked.seed, 0, refused=f"not built: {error}")
        return
    for number, sequence in enumerate(looked.sequences):
        yield _one(stage, sequence, looked.seed, number, traces[looked.seed, number])


def _one(stage: Stage, sequence: Sequence, seed: int, number: int, expected: list[str]) -> Outcome:
    if expected and expected[-1].startswith("signal"):
        return Outcome(seed, number, f"the compiled code ended with {expected[-1]}")
    try:
        found = list(stage.run(sequence))
    except OutOfTime:
        return Outcome(seed, number, f"still running after {SECONDS:g} s")
    for line, (theirs_, ours_) in enumerate(zip([*expected, _OVER], [*found, _OVER], strict=False)):
        if ours_.startswith("not supported:"):
            return Outcome(seed, number, refused=ours_)
        if theirs_ != ours_:
            call = next((x for x in reversed(expected[: line + 1]) if x.startswith("call(S")), "")
            return Outcome(seed, number, f"in {call}, line {line}: g++ has {theirs_}, we have {ours_}")
    return Outcome(seed, number)


@final
class Stage:
    """The system around a class, on which sequences of calls are run."""

    def __init__(self, program: Program, looked: Looked) -> None:
        subject = looked.subject
        self._shown = [name for name, _ in subject.fields]
        asked = Asked(visible=tuple(dict.fromkeys(m.name for m in subject.methods)))
        name = f"{looked.space}.{subject.name}"
        system = build_system(program, (), of_class=name, asked=asked, bounds=_bounds(looked))
        self._machine, self._environment = prepare(system, Manner())
        self._first = self._environment.first_state()

    def run(self, sequence: Sequence) -> Iterator[str]:
        """The actions of the sequence, and the values after each call."""
        self._machine.interrupt = time_limit(SECONDS)
        self._machine.restore(self._first)
        pause: Pause = self._first.pause
        wanted = [sequence.making, *sequence.calls]
        if not isinstance(pause, Starting):
            del wanted[0]
            yield sequence.making.text
            yield f"return({sequence.making.method.shown})"
            yield from self._values(self._first)
        for call in wanted:
            pause = yield from self._called(pause, call.text)
            if not isinstance(pause, Stable):
                return
            yield from self._values(self._machine.snapshot(pause))

    def _called(self, pause: Pause, wanted: str) -> Generator[str, None, Pause]:
        """Makes the call that is wanted, and goes on until the object rests again."""
        machine, environment = self._machine, self._environment
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

    def _values(self, state: Snapshot) -> Iterator[str]:
        columns, _ = propositions(self._machine, self._environment.texts, [state])
        values = {column.name: column.text(0) for column in columns}
        yield from (f"{name}={values.get(name, 'missing')}" for name in self._shown)


def _bounds(looked: Looked) -> tuple[tuple[str, str], ...]:
    """Each parameter takes the values that it is given in some sequence, or one value if it is given none."""
    given: dict[str, list[str]] = {}
    calls = [call for sequence in looked.sequences for call in (sequence.making, *sequence.calls)]
    calls += [Call(method, _any(method)) for method in looked.subject.methods]
    for call in calls:
        for (_, name), value in zip(call.method.parameters, call.arguments, strict=True):
            values = given.setdefault(f"{call.method.shown}.{name}", [])
            if value not in values:
                values.append(value)
    return tuple((name, "{" + ", ".join(values) + "}") for name, values in given.items())


def _any(method: Method) -> tuple[str, ...]:
    return tuple(VALUES[type][0] for type, _ in method.parameters)
