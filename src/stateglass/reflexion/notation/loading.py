"""Machines from files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.reflexion.notation.reader import Reader
from stateglass.reflexion.validation import problems_of
from stateglass.source import Code, Diagnostic, InputError, Span, input_error

MOST_BYTES: Final = 1 << 20
"""A machine that is larger was not written by hand."""


STDIN: Final = "<stdin>"


@final
@dataclass(frozen=True, slots=True)
class Loaded:
    """A hypothesis that was read. With problems it is what could be understood, good for asking the code about it."""

    hypothesis: Hypothesis
    problems: tuple[Diagnostic, ...] = ()
    unread: frozenset[str] = frozenset()  # names that may have got a meaning in what was not understood
    warnings: tuple[Diagnostic, ...] = ()

    def without_consequences(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Problems that are not there only because something was not understood."""
        return [
            d
            for d in diagnostics
            if d.code is not Code.UNKNOWN_NAME or not any(f"`{name}`" in d.message for name in self.unread)
        ]


def load_machine(file: str) -> Hypothesis:
    """The hypothesis of a `.machine` file."""
    loaded = read_machine(file)
    if loaded.problems:
        raise InputError(loaded.problems)
    return loaded.hypothesis


def read_machine(file: str) -> Loaded:
    """The hypothesis of a `.machine` file, with what is wrong with it; no such file is an `InputError`."""
    reader = Reader(text_of(file), STDIN if file == "-" else file)
    problems = [*reader.problems, *problems_of(reader.hypothesis, reader.is_whole)]
    if not problems:
        return Loaded(reader.hypothesis)
    return Loaded(reader.sound, tuple(sorted(problems, key=lambda d: d.span)), frozenset(reader.unread))


def load_mapping(file: str) -> Hypothesis:
    """What a `.machine` file says about the names of a diagram: it has words and states, and no transitions."""
    loaded = read_mapping(file)
    if loaded.problems:
        raise InputError(loaded.problems)
    return loaded.hypothesis


def read_mapping(file: str) -> Loaded:
    """The mapping in a `.machine` file, with what is wrong with it; no such file is an `InputError`."""
    reader = Reader(text_of(file), STDIN if file == "-" else file)
    problems = [*reader.problems, *problems_of(reader.hypothesis, is_whole=False)]
    for transition in reader.hypothesis.transitions:
        message = "the transitions are those of the diagram"
        problems.append(Diagnostic(Code.MACHINE, message, transition.span, help="remove this one, or draw it"))
    if not problems:
        return Loaded(reader.hypothesis)
    return Loaded(reader.sound, tuple(sorted(problems, key=lambda d: d.span)), frozenset(reader.unread))


def source_files(hypothesis: Hypothesis) -> tuple[str, ...]:
    """The C files that a hypothesis names; they are looked for beside the file that names them."""
    folder = Path(hypothesis.span.file).parent
    return tuple(str(folder / file) for file in hypothesis.files)


def text_of(file: str) -> str:
    """The text of a file; `-` is standard input."""
    path = Path(file)
    at = Span.at(STDIN if file == "-" else file)
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        elif path.is_dir():
            raise input_error(Code.FILE, "this is a folder, not a machine", at)
        else:
            with path.open("rb") as stream:
                data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise input_error(Code.FILE, "there is no such file", at) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise input_error(Code.FILE, f"the file cannot be read: {reason}", at) from None
    if len(data) > MOST_BYTES:
        raise input_error(Code.TOO_LARGE, f"a machine has at most {MOST_BYTES >> 20} MiB", at)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02X} is not UTF-8"
        raise input_error(Code.MACHINE, message, Span.at(at.file, line), "save the file as UTF-8") from None
