"""Makes a failing program small by deleting and simplifying as long as it still fails."""

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.generator.gcc import SANITIZERS, GccError, compile_with_gcc, run_with_gcc

Files = dict[str, str]
Predicate = Callable[[Files], bool]

# What deleting lines can break without a sanitizer noticing.
_STRICT: Final = (
    "-O2", "-Werror=uninitialized", "-Werror=maybe-uninitialized", "-Werror=return-type", "-Werror=sequence-point",
    "-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
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
    passes = (_without_file, _without_region, _without_lines, _unwrapped, _simplified)
    progress = True
    while progress:
        progress = False
        for candidates in passes:
            improved = True
            while improved:
                improved = False
                for candidate in candidates(best):
                    if checks >= max_checks:
                        return best
                    checks += 1
                    if still_fails(candidate):
                        best = candidate
                        progress = improved = True
                        break
    return best


def _without_file(files: Files) -> Iterator[Files]:
    for name in files:
        if len(files) > 1:
            yield {n: t for n, t in files.items() if n != name}


def _without_region(files: Files) -> Iterator[Files]:
    """Deletes whole blocks and functions, the large ones first."""
    for name, lines in _each(files):
        for start, end in sorted(_regions(lines), key=lambda r: r[0] - r[1]):
            yield _with(files, name, lines[:start] + lines[end + 1 :])


def _without_lines(files: Files) -> Iterator[Files]:
    for name, lines in _each(files):
        size = max(len(lines) // 2, 1)
        while size:
            for start in range(0, len(lines), size):
                yield _with(files, name, lines[:start] + lines[start + size :])
            size //= 2


def _unwrapped(files: Files) -> Iterator[Files]:
    """Deletes the head and the closing brace of a block and keeps what is inside."""
    for name, lines in _each(files):
        for start, end in _regions(lines):
            yield _with(files, name, lines[:start] + lines[start + 1 : end] + lines[end + 1 :])


def _simplified(files: Files) -> Iterator[Files]:
    """Replaces bracketed text and operands by constants; every step makes the text shorter."""
    for name, lines in _each(files):
        for number, line in enumerate(lines):
            for shorter in _shorter_lines(line):
                yield _with(files, name, [*lines[:number], shorter, *lines[number + 1 :]])


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


def _each(files: Files) -> Iterator[tuple[str, list[str]]]:
    for name, text in list(files.items()):
        yield name, text.splitlines()


def _with(files: Files, name: str, lines: list[str]) -> Files:
    return {**files, name: "\n".join(lines) + "\n"}
