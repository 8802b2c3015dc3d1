"""Reads probes: expressions from outside that are checked and understood by clang as if they stood in a function.

Each becomes a function behind the end of the file that has the function it is about; the file is read once more with
all of them, whatever their number. Our own map tells where each character comes from, so that messages, and the nodes
of the program, point to what the user wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.frontend.clang.appended import Piece, Reread, Tail
from stateglass.frontend.clang.libclang import Cursor, shown_name
from stateglass.frontend.clang.locations import note_tail
from stateglass.frontend.clang.units import Unit
from stateglass.frontend.linking.symbol_table import Asked
from stateglass.frontend.probes.composing import PREFIX, Composer
from stateglass.frontend.probes.scopes import FileScope, Found, Scopes
from stateglass.program.probes import Probe
from stateglass.source import (
    NOWHERE,
    Code,
    Diagnostic,
    InputError,
    Place,
    Severity,
    Span,
    Words,
    close_match,
    input_error,
    is_cplusplus,
    suggestion,
)

_UNKNOWN: Final = re.compile(r"use of undeclared identifier '([^']+)'")
_NO_MEMBER: Final = re.compile(r"no member named '([^']+)' in '([^']+)'")
_NO_TRUTH: Final = re.compile(r"returning '([^']+)'.* from a function with incompatible result type '(?:_Bool|bool)'")
_WORD: Final = re.compile(r"\w+|.", re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class Probed:
    """The units, some of them read again, and what is to be lowered after all others."""

    units: list[Unit]
    asked: tuple[Asked, ...]
    warnings: tuple[Diagnostic, ...]
    problems: tuple[Diagnostic, ...] = ()
    bad: frozenset[str] = frozenset()  # the names of the probes that the problems are about


def _refuse_cplusplus(units: Sequence[Unit]) -> None:
    """The text that is added is C: classes, and the exceptions that functions throw, have no place in it."""
    for unit in units:
        if is_cplusplus(unit.path):
            message = f"`{shown_name(unit.path)}` is C++, and conditions are asked of functions in C alone"
            help = "extract a model of the class, and `stateglass compare` it with a process that says what is meant"
            raise input_error(Code.UNSUPPORTED, message, help=help)


def add_probes(units: list[Unit], texts: Sequence[bytes], probes: Sequence[Probe], reread: Reread) -> Probed:
    """Adds probes to the files that they are about; `texts` are the texts of the units.

    A function or variable that a probe names and that is not there is an `InputError`.
    """
    _refuse_cplusplus(units)
    scopes = Scopes(units)
    functions = _functions(scopes, probes)
    warnings: list[Diagnostic] = []
    problems: list[Diagnostic] = []
    asked: list[Asked] = []
    bad: set[str] = set()
    read = list(units)
    for number in sorted({f.unit for f in functions.values()}):
        one = _Unit(scopes, number, texts[number - 1], [(p, functions[p.function]) for p in probes])
        read[number - 1], found = one.read(reread)
        asked.append(one.asked)
        bad |= one.bad
        problems += [d for d in found if d.severity is Severity.ERROR]
        warnings += [d for d in found if d.severity is not Severity.ERROR]
    wrong = sorted(dict.fromkeys(problems), key=lambda d: d.span)
    return Probed(read, tuple(asked), tuple(dict.fromkeys(warnings)), tuple(wrong), frozenset(bad))


def _functions(scopes: Scopes, probes: Sequence[Probe]) -> dict[str, Found]:
    """The function that each probe is about, by the name that the probe has for it."""
    problems: list[Diagnostic] = []
    found: dict[str, Found] = {}
    for name, span in {p.function: p.function_span for p in probes}.items():
        functions = scopes.functions(name)
        if len(functions) == 1:
            found[name] = functions[0]
        elif functions:
            listed = ", ".join(f"`{name}@{f.file}`" for f in functions)
            message = f"`{name}` is ambiguous: it may be {listed}"
            problems.append(Diagnostic(Code.AMBIGUOUS_NAME, message, span))
        else:
            known = [n for f in scopes.files for n, c in f.functions.items() if not c.location.is_in_system_header]
            message = f"there is no function `{name}` with a body"
            problems.append(Diagnostic(Code.UNKNOWN_NAME, message, span, help=suggestion(name, known)))
    if problems:
        raise InputError(problems)
    return found


@final
class _Unit:
    """The probes into the functions of one unit."""

    def __init__(self, scopes: Scopes, number: int, text: bytes, probes: Sequence[tuple[Probe, Found]]) -> None:
        self._scopes = scopes
        self._file: FileScope = scopes.files[number - 1]
        self._text = text
        self._probes = [(place, p, f) for place, (p, f) in enumerate(probes) if f.unit == number]
        self._compose(frozenset())

    def _compose(self, macros: frozenset[str]) -> None:
        """Write all probes; `macros` are known to be some."""
        self._tail = Tail(len(self._text))
        # The file may end without the end of a line, or with one that does not count.
        self._tail.add([Piece("\n\n", NOWHERE)])
        self._problems: list[Diagnostic] = []
        self._taken: dict[str, Diagnostic | None] = {}
        self._takers: dict[str, set[str]] = {}  # by what is taken: the probes that take it
        self.bad: set[str] = set()
        self._parts: list[tuple[int, Probe]] = []  # where in the tail each begins
        names: dict[str, str] = {}
        stand_ins: dict[str, tuple[int, Cursor]] = {}
        functions = []
        for place, probe, function in self._probes:
            name = f"{PREFIX}probe{place}"
            names[name] = probe.name
            composer = Composer(self._scopes, function, len(stand_ins), macros)
            functions.append((probe, composer.function_of(probe, name)))
            stand_ins |= {n: (f.unit, f.cursor) for n, f in composer.stand_ins.items()}
            self._problems += composer.problems
            self.bad |= {probe.name} if composer.problems else set()
            self._taken = {**composer.taken, **self._taken}
            for taken in composer.taken:
                self._takers.setdefault(taken, set()).add(probe.name)
        # The file tells whether it has macros that are called like something else.
        for number, taken in enumerate(self._taken):
            self._tail.add([Piece(f"#ifdef {taken}\nextern int {PREFIX}macro{number};\n#endif\n", NOWHERE)])
        # Whether a file includes it or not, everybody knows what it means.
        self._tail.add([Piece("#ifndef NULL\n#define NULL ((void *)0)\n#endif\n", NOWHERE)])
        for probe, pieces in functions:
            self._parts.append((self._tail.size, probe))
            self._tail.add(pieces)
        about = frozenset(str(f.cursor.spelling) for _, _, f in self._probes)
        self.asked = Asked(self._file.number, about, names, stand_ins)

    def read(self, reread: Reread) -> tuple[Unit, list[Diagnostic]]:
        unit, said = reread(self._file.number - 1, self._text + self._tail.text)
        macros = self._macros(unit)
        preferred = frozenset(name for name in macros if self._taken[name] is None)
        if preferred:
            self._compose(preferred)
            unit, said = reread(self._file.number - 1, self._text + self._tail.text)
        note_tail(unit.unit, self._tail)
        problems = list(self._problems)
        for name in macros:
            about = self._taken.get(name)
            if about is not None:
                problems.append(about)
                self.bad |= self._takers[name]
        found: list[Diagnostic] = []
        for diagnostic, offset in self._tail.said_of(said, self._text, shown_name(unit.path)):
            found += self._translated(diagnostic, offset)
        # What we could not declare is why the rest is not understood.
        ours = [d for d in found if d.code is Code.UNSUPPORTED]
        return unit, [*problems, *(ours or found)]

    def _macros(self, unit: Unit) -> list[str]:
        """Of the names that we gave a meaning to, those that turn out to be macros here."""
        names = {c.spelling for c in unit.variables()}
        return [name for n, name in enumerate(self._taken) if f"{PREFIX}macro{n}" in names]

    # ---- what clang says

    def _translated(self, diagnostic: Diagnostic, offset: int) -> list[Diagnostic]:
        """What clang says about a probe, in words about what the user wrote; nothing if it is about our own text."""
        piece = self._tail.piece(offset)
        probe = next((p for start, p in reversed(self._parts) if start <= offset), None)
        if probe is None or (diagnostic.severity is not Severity.ERROR and not piece.exact):
            return []
        self.bad |= {probe.name} if diagnostic.severity is Severity.ERROR else set()
        if piece.about:
            message = f"{piece.about} cannot be had here: {diagnostic.message}"
            return [Diagnostic(Code.UNSUPPORTED, message, piece.span)]
        start = self._tail.place(offset)
        end = start
        if piece.exact:
            word = _WORD.match(piece.text, start.column - piece.span.start.column)
            end = Place(start.file, start.line, start.column + (len(word[0]) if word else 1))
        found = self._explained(diagnostic.message, probe, Span(start, end))
        if not start.column:
            found = _quoting(found, probe.words)
        return [Diagnostic(found.code, found.message, found.span, diagnostic.severity, found.help)]

    def _explained(self, said: str, probe: Probe, span: Span) -> Diagnostic:
        if match := _UNKNOWN.search(said):
            help = close_match(match[1], self._known(probe)) or suggestion(match[1], self._known(probe))
            return Diagnostic(Code.UNKNOWN_NAME, f"there is no `{match[1]}` here", span, help=help)
        if match := _NO_MEMBER.search(said):
            members = [m for f in (self._file, *self._scopes.files) for m in f.members_of(match[2])]
            message = f"`{match[2]}` has no member `{match[1]}`"
            return Diagnostic(Code.UNKNOWN_NAME, message, span, help=suggestion(match[1], members))
        if match := _NO_TRUTH.search(said):
            message = f"this is of type `{match[1]}`, which is neither true nor false"
            return Diagnostic(Code.SYNTAX, message, probe.words.span)
        return Diagnostic(Code.SYNTAX, said, span)

    def _known(self, probe: Probe) -> list[str]:
        """The names that may have been meant."""
        [function] = self._scopes.functions(probe.function)
        inner = self._scopes.inside(function)
        found = [*inner.parameters, *self._file.own_names, *(d.name for d in probe.definitions)]
        found += [name for f in self._scopes.files for name in f.variables if name in f.own_names]
        return [name for name in [*found, *inner.statics, *inner.enumerators] if name]


def _quoting(diagnostic: Diagnostic, words: Words) -> Diagnostic:
    """Shows the expression in a message if it is not known where it stands."""
    message = f"in `{str(words)[:200]}`: {diagnostic.message}"
    return Diagnostic(diagnostic.code, message, diagnostic.span, diagnostic.severity, diagnostic.help)
