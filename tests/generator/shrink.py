"""Makes a failing program small by deleting and simplifying as long as it still fails."""

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, final

from tests.generator.gcc import SANITIZERS, GccError, compile_with_gcc, run_with_gcc

Files = dict[str, str]
Predicate = Callable[[Files], bool]

# What edits can break without a sanitizer noticing; files that disagree about a function are found when linking.
_STRICT: Final = (
    "-O2", "-Werror=uninitialized", "-Werror=maybe-uninitialized", "-Werror=return-type", "-Werror=sequence-point",
    "-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types", "-Werror=strict-prototypes", "-flto", "-Werror=lto-type-mismatch",
)  # fmt: skip


def well_defined(files: Mapping[str, str]) -> bool:
    """Whether gcc accepts the program and its sanitizers find nothing; a part of most predicates."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            compile_with_gcc(files, Path(folder), _STRICT)
            run_with_gcc(files, Path(folder), SANITIZERS, seconds=5)
        except GccError:
            return False
    return True


def shrink(files: Mapping[str, str], still_fails: Predicate, max_checks: int = 5000) -> Files:
    """A smaller program for which `still_fails` still holds, found greedily.

    The predicate must itself refuse programs that gcc refuses or that became undefined (see `well_defined`); the cheap
    part of it should come first, since it is asked up to `max_checks` times.
    """
    best = dict(files)
    checks = 0
    progress = True
    while progress:
        progress = False
        for edits in (_whole_files, _regions_away, _lines_away, _unwrapped, _simplified):
            position = 0
            # After a success the search goes on where it was: what failed before it seldom succeeds now.
            while (edit := next(islice(edits(best), position, None), None)) is not None:
                if checks >= max_checks:
                    return best
                checks += 1
                candidate = edit.apply(best)
                if still_fails(candidate):
                    best, progress = candidate, True
                else:
                    position += 1
    return best


@final
@dataclass(frozen=True, slots=True)
class _Edit:
    """Replaces the lines from start up to end; `lines` None deletes the whole file."""

    name: str
    start: int
    end: int
    lines: tuple[str, ...] | None = ()

    def apply(self, files: Files) -> Files:
        if self.lines is None:
            return {name: text for name, text in files.items() if name != self.name}
        old = files[self.name].splitlines()
        return {**files, self.name: "\n".join([*old[: self.start], *self.lines, *old[self.end :]]) + "\n"}


def _whole_files(files: Files) -> Iterator[_Edit]:
    for name in files:
        if len(files) > 1:
            yield _Edit(name, 0, 0, None)


def _regions_away(files: Files) -> Iterator[_Edit]:
    """Deletes whole blocks and functions, the large ones first."""
    for name, text in files.items():
        for start, end in sorted(_regions(text.splitlines()), key=lambda r: r[0] - r[1]):
            yield _Edit(name, start, end + 1)


def _lines_away(files: Files) -> Iterator[_Edit]:
    for size in (64, 32, 16, 8, 4, 2, 1):
        for name, text in files.items():
            for start in range(0, text.count("\n"), size):
                yield _Edit(name, start, start + size)


def _unwrapped(files: Files) -> Iterator[_Edit]:
    """Deletes the head and the closing brace of a block and keeps what is inside."""
    for name, text in files.items():
        lines = text.splitlines()
        for start, end in _regions(lines):
            yield _Edit(name, start, end + 1, tuple(lines[start + 1 : end]))


def _simplified(files: Files) -> Iterator[_Edit]:
    """Replaces bracketed text and operands by constants; every step makes the text shorter."""
    for name, text in files.items():
        for number, line in enumerate(text.splitlines()):
            for shorter in _shorter_lines(line):
                yield _Edit(name, number, number + 1, (shorter,))


def _shorter_lines(line: str) -> Iterator[str]:
    for start, end in _brackets(line):
        inner = line[start + 1 : end]
        for new in ("", "0", "1"):
            if len(new) < len(inner):
                yield line[: start + 1] + new + line[end:]
        if line[start] == "(":
            yield line[:start] + inner + line[end + 1 :]
            yield line[:start] + line[end + 1 :]
    for operand in re.finditer(r"(?:&&|\|\||<<|>>|[=!<>]=|[-+*/%&|^<>,?:])\s*[\w.>'\"\[\]-]+", line):
        yield line[: operand.start()] + line[operand.end() :]
    for operand in re.finditer(r"[\w.>'\"\[\]-]+\s*(?:&&|\|\||<<|>>|[=!<>]=|[-+*/%&|^<>,?:])\s", line):
        yield line[: operand.start()] + line[operand.end() :]


def _brackets(line: str) -> list[tuple[int, int]]:
    """Matching brackets of the line, outermost first."""
    closing = {"(": ")", "{": "}", "[": "]"}
    found, stack = [], []
    for position, character in enumerate(line):
        if character in closing:
            stack.append(position)
        elif stack and character == closing[line[stack[-1]]]:
            found.append((stack.pop(), position))
    return sorted(found, key=lambda r: r[0] - r[1])


def _regions(lines: list[str]) -> list[tuple[int, int]]:
    """First and last line of everything between a line that opens more braces than it closes and its match."""
    found, stack = [], []
    for number, line in enumerate(lines):
        bare = re.sub(r"'(?:\\.|[^'\\])+'|\"(?:\\.|[^\"\\])*\"", "", line)
        for brace in re.findall(r"[{}]", bare):
            if brace == "{":
                stack.append(number)
            elif stack:
                start = stack.pop()
                if start != number:
                    found.append((start, number))
    return found
