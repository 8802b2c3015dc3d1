"""What is checked of a file before clang sees it, and standard input as a file."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final

from stateglass.source import Code, Diagnostic, InputError, Span, input_error, unreadable

STANDARD_INPUT: Final = "stdin.c"
"""What a file called `-` is called in messages and models."""
MOST_BYTES: Final = 32 << 20
"""The largest source file that is read."""


def standard_input(files: tuple[str, ...]) -> dict[str, str]:
    """The text of a file called `-`, which is standard input."""
    if "-" not in files:
        return {}
    content = _content(sys.stdin.buffer)
    at = Span.at(STANDARD_INPUT)
    if len(content) > MOST_BYTES:
        raise input_error(Code.TOO_LARGE, f"standard input has more than {MOST_BYTES >> 20} MiB", at)
    if b"\0" in content:
        raise input_error(Code.FILE, "this is not C source: it has zero bytes", at)
    if not content.strip():
        raise input_error(Code.FILE, "standard input is empty", at)
    return {STANDARD_INPUT: content.decode("utf-8", errors="replace")}


@lru_cache(maxsize=1)
def _content(stream: BinaryIO) -> bytes:
    """What a stream has; whoever reads the same files again gets it again."""
    return stream.read(MOST_BYTES + 1)


def refuse_unreadable(files: tuple[str, ...]) -> None:
    problems = [p for file in files if (p := _problem_with(file)) is not None]
    if problems:
        raise InputError(problems)


def _problem_with(file: str) -> Diagnostic | None:
    path = Path(file)
    at = Span.at(file)
    try:
        if path.is_dir():
            return Diagnostic(Code.FILE, "this is a folder, not a C file", at, help="name the files in it")
        file.encode()  # clang wants names in UTF-8
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            size, limit = path.stat().st_size, f"the limit is {MOST_BYTES >> 20} MiB"
            has = f"has {size:,} bytes" if size else "does not end"
            return Diagnostic(Code.TOO_LARGE, f"the file {has}; {limit}", at)
    except UnicodeError:
        return Diagnostic(Code.FILE, "the name of the file is not in UTF-8", at, help="rename it")
    except (OSError, ValueError) as error:
        return unreadable(error, at).diagnostics[0]
    if b"\0" in content:
        return Diagnostic(Code.FILE, "this is a binary file, not C source", at)
    if not content.strip():
        return Diagnostic(Code.FILE, "the file is empty", at)
    return None
