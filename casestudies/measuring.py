"""Reads one file and counts what became of its functions: `python -m casestudies.measuring FILE [FLAG …]`.

It runs in a process of its own, so that a file that brings it down costs the others nothing.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, final

from clang.cindex import CursorKind

from stateglass.frontend import Reading, read_program
from stateglass.frontend.clang import libclang
from stateglass.program import Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.source import InputError, Severity, Span

MOST_DIAGNOSTICS: Final = 5


@final
@dataclass(frozen=True, slots=True)
class Refusal:
    """A function that was not lowered in full (the first reason counts), or a variable's initial value."""

    name: str
    reason: str
    place: str
    is_function: bool = True


@final
@dataclass(frozen=True, slots=True)
class Measurement:
    """What came of one file. Unless there are errors or a crash, each function it defines is lowered or refused."""

    lines: int
    seconds: float  # of processor time: other work on the machine does not count
    functions: int = 0
    refusals: tuple[Refusal, ...] = ()
    errors: tuple[str, ...] = ()  # why it is no program, as a user is told
    crash: str = ""  # a bug of ours

    @property
    def refused(self) -> int:
        return sum(r.is_function for r in self.refusals)

    @property
    def lowered(self) -> int:
        return self.functions - self.refused


def measure(file: str, flags: tuple[str, ...]) -> Measurement:
    """Read one file; whatever happens is part of the answer."""
    lines = Path(file).read_bytes().count(b"\n")
    start = time.process_time()
    try:
        reading = read_program((file,), flags)
        took = time.process_time() - start
        return _count(file, reading, lines, took)
    except InputError as error:
        errors = [f"{d.span}: {d.message}" for d in error.diagnostics if d.severity is Severity.ERROR]
        return Measurement(lines, time.process_time() - start, errors=tuple(errors[:MOST_DIAGNOSTICS]))
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {error} ({Path(at.filename).name}:{at.lineno})"
        return Measurement(lines, time.process_time() - start, crash=said)


def _count(file: str, reading: Reading, lines: int, took: float) -> Measurement:
    program = reading.program
    own = [f for f in program.functions.values() if f.span.file in program.files]
    refusals: list[Refusal] = []
    for function in own:
        reason = next((s for s in statements_of(function.blocks) if isinstance(s, Unsupported)), None)
        if reason is not None:
            refusals.append(Refusal(function.name, reason.reason, _place(reason.span)))
    for variable in program.variables.values():
        if variable.unsupported and not variable.span.in_library:
            refusals.append(Refusal(variable.name, variable.unsupported, _place(variable.span), is_function=False))
    [used] = reading.surroundings.files
    lost = _defined(file, used.flags) - {f.span.line for f in own}
    crash = f"functions were lost without a word: lines {sorted(lost)}" if lost else ""
    return Measurement(lines, took, len(own), tuple(refusals), crash=crash)


def _defined(file: str, flags: tuple[str, ...]) -> set[int]:
    """The lines on which the file's functions are defined, by clang alone: none may be lost on the way."""
    unit, _ = libclang.parse(file, flags)
    return {
        c.extent.start.line
        for c in unit.cursor.get_children()
        if c.kind is CursorKind.FUNCTION_DECL and c.is_definition() and str(c.location.file) == file
    }


def _place(span: Span) -> str:
    return f"{Path(span.file).name}:{span.line}"


def encode(measurement: Measurement) -> str:
    return json.dumps(asdict(measurement))


def decode(text: str) -> Measurement:
    fields = json.loads(text)
    fields["refusals"] = tuple(Refusal(**r) for r in fields["refusals"])
    fields["errors"] = tuple(fields["errors"])
    return Measurement(**fields)


if __name__ == "__main__":
    print(encode(measure(sys.argv[1], tuple(sys.argv[2:]))))
