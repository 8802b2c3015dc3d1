"""Reads text of ours behind the end of a file of the user: it makes what the environment hands to functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.frontend.clang.appended import Piece, Reread, Tail
from stateglass.frontend.clang.libclang import shown_name
from stateglass.frontend.clang.locations import note_tail
from stateglass.frontend.clang.units import Unit
from stateglass.program.made import MADE_HEADERS, MADE_NAMESPACE, Made, MadePiece
from stateglass.source import Diagnostic, Severity, Span
from stateglass.source.files import is_cplusplus
from stateglass.source.spans import LIBRARY

_SPAN: Final = Span.at(f"{LIBRARY}surroundings", 1)


def add_made(units: list[Unit], texts: Sequence[bytes], made: Made, reread: Reread) -> tuple[int, Unit, dict[str, str]]:
    """The number and the unit that has the text, and what clang says of pieces left out, by what they are about."""
    number = _unit_of(units, made.file)
    pieces = list(made.pieces)
    refused: dict[str, str] = {}
    while True:
        tail = _tail(texts[number], pieces)
        unit, said = reread(number, texts[number] + tail.text)
        errors = [d for d in said if d.severity is Severity.ERROR]
        if not errors:
            note_tail(unit.unit, tail)
            return number, unit, refused
        bad = _blamed(errors, tail, texts[number], shown_name(unit.path)) or {
            p.about: errors[0].message for p in pieces
        }
        refused |= bad
        pieces = [p for p in pieces if p.about not in bad]


def _unit_of(units: list[Unit], file: str) -> int:
    """The unit that knows what a file of the user defines: the file itself, or one that includes it."""
    for number, unit in enumerate(units):
        if shown_name(unit.path) == file:
            return number
    for number, unit in enumerate(units):
        if any(shown_name(str(i.include)) == file for i in unit.unit.get_includes()):
            return number
    return next(n for n, unit in enumerate(units) if is_cplusplus(unit.path))


def _tail(text: bytes, pieces: Sequence[MadePiece]) -> Tail:
    tail = Tail(len(text))
    # The file may end without the end of a line, or with one that does not count.
    headers = "".join(f"#include <{name}>\n" for name in MADE_HEADERS)
    tail.add([Piece(f"\n\n{headers}namespace {MADE_NAMESPACE} {{\n", _SPAN)])
    tail.add(Piece(piece.text, _SPAN, about=piece.about) for piece in pieces)
    tail.add([Piece("}\n", _SPAN)])
    return tail


def _blamed(errors: Sequence[Diagnostic], tail: Tail, text: bytes, file: str) -> dict[str, str]:
    """The pieces that errors are in, each with what the first one says."""
    found: dict[str, str] = {}
    for error, offset in tail.said_of(errors, text, file):
        if about := tail.piece(offset).about:
            found.setdefault(about, error.message)
    return found
