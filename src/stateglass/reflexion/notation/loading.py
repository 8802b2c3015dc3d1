"""Machines from files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.reflexion.notation.reader import Reader
from stateglass.reflexion.validation import problems_of
from stateglass.source import STDIN, Code, Diagnostic, InputError, small_text, small_text_of_stdin

MOST_BYTES: Final = 1 << 20
"""A machine that is larger was not written by hand."""


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
    what = "a machine"
    if file == "-":
        return small_text_of_stdin(what, Code.MACHINE, MOST_BYTES)
    return small_text(file, what, Code.MACHINE, MOST_BYTES)
