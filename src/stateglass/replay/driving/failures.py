"""Whether the failure of compiled code is the one that a run ends with: the same kind, at the same place."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.replay.driving.markers import Marked, marked, real
from stateglass.replay.driving.script import Fails
from stateglass.source import Place, Span

# What is defined in C happens in compiled code, too; a check for what is not may be missing where it could be folded.
_DEFINED: Final = frozenset({"assertion", "abort"})
_LOOKS_UP_LINES: Final = "addr2line"  # of the binutils, which compilers come with
_SECONDS: Final = 20.0
_FAILED: Final = re.compile(r"failed (\d{1,9}) ([01])\n(.*)\n(.*)\n(.*)\n(\d{1,9})((?:\n0x[0-9a-f]+)*)", re.ASCII)
_DIFFERS: Final = re.compile(r"(refuted|missed|lacks) (\d{1,9}) (.*)", re.ASCII | re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run: confirmed or not, None if that cannot be said; why, and at which step it went another way."""

    confirmed: bool | None
    reason: str = ""
    step: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Issue:
    """Something that a compiler's check or a signal tells of: the kinds of error that it is, and those it may be."""

    words: str
    is_surely: frozenset[str] = frozenset()
    may_be: frozenset[str] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class _Failure:
    """A failure that a driver tells of: the step, whether the run has an error there, what it has, and what it is."""

    step: int
    is_expected: bool
    text: str
    issue: Issue
    place: Place | None


def _issue(words: str, surely: str = "", perhaps: str = "") -> Issue:
    return Issue(words, frozenset(surely.split()), frozenset(perhaps.split()))


_WRONG_ACCESS: Final = "bounds dangling null alignment readonly free overlap"
_ISSUES: Final[dict[str, Issue]] = {
    "signed-integer-overflow": _issue("overflows", "overflow"),
    "float-cast-overflow": _issue("converts a number that does not fit", "overflow"),
    "integer-divide-by-zero": _issue("divides by zero", "division"),
    "invalid-shift-base": _issue("shifts out of the number", "shift"),
    "invalid-shift-exponent": _issue("shifts out of the number", "shift"),
    "out-of-bounds-index": _issue("leaves an array", "bounds"),
    "insufficient-object-size": _issue("leaves an object", "bounds"),
    "null-pointer-use": _issue("uses a null pointer", "null"),
    "invalid-null-argument": _issue("hands over a null pointer", "null"),
    "null-access": _issue("accesses memory through a null pointer", "null"),
    "misaligned-pointer-use": _issue("uses a pointer that is not aligned", "alignment"),
    "invalid-bool-load": _issue("reads a _Bool that is neither 0 nor 1", "bool"),
    "invalid-enum-load": _issue("reads an enum that has no such value", "bool"),
    "unreachable-call": _issue("comes to what cannot be reached", "unreachable"),
    "invalid-builtin-use": _issue("calls a builtin function with zero", "unreachable"),
    "heap-buffer-overflow": _issue("leaves an object of the heap", "bounds", _WRONG_ACCESS),
    "stack-buffer-overflow": _issue("leaves a local variable", "bounds", _WRONG_ACCESS),
    "stack-buffer-underflow": _issue("leaves a local variable", "bounds", _WRONG_ACCESS),
    "dynamic-stack-buffer-overflow": _issue("leaves a local variable", "bounds", _WRONG_ACCESS),
    "global-buffer-overflow": _issue("leaves a global variable", "bounds", _WRONG_ACCESS),
    "heap-use-after-free": _issue("uses memory that was freed", "dangling", _WRONG_ACCESS),
    "stack-use-after-scope": _issue("uses a local variable that is gone", "dangling", _WRONG_ACCESS),
    "stack-use-after-return": _issue("uses a local variable that is gone", "dangling", _WRONG_ACCESS),
    "double-free": _issue("frees memory twice", "free"),
    "bad-free": _issue("frees what was not allocated", "free", "dangling bounds"),
    "constant-access": _issue("writes to a constant", "readonly", _WRONG_ACCESS),
    "memory-signal": _issue("accesses memory that is not there", "", _WRONG_ACCESS),
    "arithmetic-signal": _issue("stops with an arithmetic error", "", "division overflow"),
    "assertion": _issue("fails an assertion", "assertion"),
    "abort": _issue("is aborted", "abort", "assertion free overlap bounds unreachable"),
    "trap": _issue("stops with a trap", "abort", f"unreachable overflow division shift bool {_WRONG_ACCESS}"),
}
_OVERLAPS: Final = _issue("copies between areas that overlap", "overlap")
_OTHER_ACCESS: Final = _issue("accesses memory that it must not", "", _WRONG_ACCESS)


def outcome_of(answer: str, expected: Fails | None, program: Path, sources: Iterable[str]) -> Outcome | None:
    """What the answer of a driver means; None if it is none. `sources` are the files that have code of the program."""
    if answer == "confirmed":
        return Outcome(True)
    failed = _FAILED.fullmatch(answer)
    if failed is not None:
        number, is_expected, text, name, file, line, frames = failed.groups()
        # A place that the code itself tells may be any; where it is called from is certain.
        files = list(sources)
        lines = marked(files)
        place = _standing(Place(file, int(line)), lines) if file else None
        if place is None or expected is None or not _is_in(place, expected.span):
            place = _first_of(frames.split(), program, files, lines) or place
        failure = _Failure(int(number), is_expected == "1", text, _known(name), place)
        return _judged(failure, expected)
    differs = _DIFFERS.fullmatch(answer)
    if differs is None:
        return None
    kind, number, words = differs.groups()
    if kind == "lacks":
        return Outcome(None, words, int(number))
    if kind == "missed" and expected is not None and expected.kind not in _DEFINED:
        went_on = f"{words} at {expected.span}: the checks of the compiler noticed nothing, which proves nothing"
        return Outcome(None, went_on, int(number))
    return Outcome(False, words, int(number))


def _judged(failure: _Failure, expected: Fails | None) -> Outcome:
    step, issue, place = failure.step, failure.issue, failure.place
    where = f" at {_shown(place)}" if place is not None else ""
    said = f"the code {issue.words}{where}, where the run has {failure.text}"
    if expected is None or not failure.is_expected:
        return Outcome(False, said, step)
    at = f"{said} at {expected.span}"
    if expected.kind not in issue.is_surely | issue.may_be:
        # Where nothing notices the wrong access of the run, anything may come of it.
        elsewhere = place is None or not _is_in(place, expected.span)
        if elsewhere and expected.kind in _WRONG_ACCESS.split():
            return Outcome(None, f"{at}: that may come of it", step)
        # Of an expression with two mistakes in it, C mostly leaves open which part comes first.
        kinds = issue.is_surely | issue.may_be
        is_open = not elsewhere and bool(kinds) and not {expected.kind, *issue.is_surely} & _DEFINED
        return Outcome(None, f"{at}: either may come first", step) if is_open else Outcome(False, said, step)
    if expected.kind not in issue.is_surely:
        return Outcome(None, f"{at}: these cannot be told apart", step)
    if place is None:
        return Outcome(None, f"{at}: at which line of the code is not known", step)
    if not _is_in(place, expected.span):
        return Outcome(None, f"{at}: that may be another error", step)
    return Outcome(True, f"it fails as the run does: it {issue.words}{where}")


def _known(name: str) -> Issue:
    known = _ISSUES.get(name)
    if known is not None:
        return known
    return _OVERLAPS if name.endswith("-param-overlap") else _OTHER_ACCESS


def _is_in(place: Place, span: Span) -> bool:
    """Whether a line is one of those that a span covers; of a macro, its use and its definition count."""
    last = span.end.line if span.end.file == span.start.file else span.line
    covered = [(span.file, span.line, max(span.line, last))]
    if span.defined is not None:
        covered.append((span.defined.file, span.defined.line, span.defined.line))
    return any(real(place.file) == real(file) and low <= place.line <= high for file, low, high in covered)


def _standing(place: Place, lines: Marked) -> Place:
    """Where a line stands that a compiler knows by where it comes from."""
    return lines.get((real(place.file), place.line), place)


def _first_of(frames: Sequence[str], program: Path, sources: Iterable[str], lines: Marked) -> Place | None:
    """The innermost place in the user's code of the instructions at these addresses."""
    places = [_standing(place, lines) for place in _places(frames, program)] if frames else []
    files = {real(source) for source in sources}
    return next((place for place in places if real(place.file) in files), None)


def _places(frames: Sequence[str], program: Path) -> list[Place]:
    found = shutil.which(_LOOKS_UP_LINES)
    if found is None:
        return []
    command = [found, "-i", "-e", str(program), *frames]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    places = [_place(line) for line in done.stdout.splitlines()]
    return [place for place in places if place is not None]


def _place(text: str) -> Place | None:
    """A line of what is said: `file:line`, with remarks behind it, or `??:0`."""
    file, _, rest = text.partition(" (")[0].rpartition(":")
    return Place(file, int(rest)) if file and rest.isdecimal() and int(rest) else None


def _shown(place: Place) -> str:
    """A place with its file as somebody who stands here would name it."""
    path = os.path.relpath(place.file) if os.path.isabs(place.file) else place.file
    return f"{place.file if path.startswith(os.pardir) else path}:{place.line}"
