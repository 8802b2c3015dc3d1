"""Diagnostics as text for a terminal, with the source line and a caret."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from stateglass.source.diagnostics import Diagnostic
from stateglass.source.spans import Span
from stateglass.source.wording import printable

TAB = "    "
SHOWN_WIDTH = 160
HELP = "  help: "
# A file too large to be worth reading for one line of context.
MOST_BYTES = 16 << 20
# Lines of what is packed are none that anybody has seen.
_PACKED = (b"\x1f\x8b", b"PK\x03\x04")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def render_diagnostic(diagnostic: Diagnostic, width: int | None = None) -> str:
    """`file:line:column: error[code]: message`, the line itself with a caret, and help.

    With a width, sentences are broken between words; lines that stand for themselves, such as commands, are not.
    """
    where = f"{diagnostic.span}: " if diagnostic.span.file else ""
    head = f"{printable(where)}{diagnostic.severity.value}[{diagnostic.code.value}]: {diagnostic.message}"
    first, *others = map(printable, head.split("\n"))
    lines = [*_broken(first, "", "  ", width), *others]
    lines += _excerpt(diagnostic.span, SHOWN_WIDTH if width is None else min(SHOWN_WIDTH, width - len(_gutter(""))))
    if diagnostic.span.defined is not None:
        lines.append(printable(f"  in a macro defined at {diagnostic.span.defined}"))
    if diagnostic.help:
        first, *others = map(printable, diagnostic.help.split("\n"))
        lines += _broken(first, HELP, " " * len(HELP), width)
        for line in others:
            lines += _broken(line, " " * len(HELP), " " * len(HELP), None if line.startswith(" ") else width)
    return "\n".join(lines)


def render_diagnostics(diagnostics: Iterable[Diagnostic], width: int | None = None) -> str:
    """One after the other; the same help for several in a row is given once, after the last of them."""
    listed = list(diagnostics)
    return "\n".join(render_diagnostic(d, width) for d in _help_once(listed))


def _help_once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [replace(d, help="") if d.help == following.help else d for d, following in pairwise(diagnostics)] + list(
        diagnostics[-1:]
    )


def _broken(text: str, indent: str, hanging: str, width: int | None) -> list[str]:
    if width is None:
        return [indent + text]
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_on_hyphens=False,
        break_long_words=False,
    ) or [indent]


def _gutter(number: object) -> str:
    return f"{number:>5} | "


def _excerpt(span: Span, most: int) -> list[str]:
    text = _line(span.file, span.line) if span.line else None
    if not text:
        return []
    column = max(span.start.column, 1) - 1
    before = printable(text[:column].replace("\t", TAB))
    shown = before + printable(text[column:].replace("\t", TAB))
    offset = max(0, len(before) - most // 2) if len(shown) > most else 0
    shown = shown[offset : offset + most]
    number = _gutter(span.line)
    lines = [number + shown]
    if span.start.column:
        width = 1
        if span.end.line == span.start.line:
            width = max(1, min(span.end.column - span.start.column, len(shown) - (len(before) - offset)))
        lines.append(" " * (len(number) - 2) + "| " + " " * (len(before) - offset) + "^" * max(width, 1))
    return lines


def _line(file: str, line: int) -> str | None:
    lines = source_lines(file)
    return lines[line - 1] if 0 < line <= len(lines) else None


def source_lines(file: str) -> tuple[str, ...]:
    """The lines of a file for display; empty when it cannot be read as text, which is no reason to fail."""
    try:
        found = Path(file).stat()
    except (OSError, ValueError):
        return ()
    # Other contents may have the same name later: another file in another folder, or the file when it was changed.
    return _lines(file, found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=16)
def _lines(file: str, *identity: int) -> tuple[str, ...]:
    if identity[-1] > MOST_BYTES:
        return ()
    try:
        data = Path(file).read_bytes()
    except OSError:
        return ()
    if data.startswith(_PACKED):
        return ()
    encoding = "utf-16" if data.startswith(_WIDE) else "utf-8-sig"
    # A line ends where those who count them say so: a carriage return within one does not.
    lines = data.decode(encoding, errors="replace").split("\n")
    return tuple(line.removesuffix("\r") for line in lines)
