"""An output stream with what the surroundings say about it: how wide it is and whether it may be coloured."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import TextIO, final

DEFAULT_WIDTH = 80
LEAST_WIDTH = 20


@final
@unique
class Color(Enum):
    """The `--color` option."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@final
@unique
class Style(Enum):
    """How a word stands out; its value is the ANSI sequence. The word itself must say the same."""

    BOLD = "1"
    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    GOOD = "1;32"
    FAINT = "2"


@final
@dataclass(frozen=True, slots=True)
class Console:
    """Where a command writes: standard output is for machines (or is the product), standard error for people."""

    stream: TextIO
    width: int = DEFAULT_WIDTH
    colored: bool = False
    terminal: bool = False

    @staticmethod
    def of(stream: TextIO, environ: Mapping[str, str], color: Color = Color.AUTO) -> Console:
        terminal = stream.isatty()
        return Console(stream, _width(stream, environ), _colored(terminal, environ, color), terminal)

    def write(self, text: str) -> None:
        self.stream.write(text)

    def line(self, text: str = "") -> None:
        self.stream.write(text + "\n")

    def paragraph(self, text: str, indent: str = "") -> None:
        """A line of its own; on a terminal broken between words, with an indent for what follows the first line."""
        if not self.terminal:
            self.line(text)
            return
        for line in textwrap.wrap(text, self.width, subsequent_indent=indent, break_on_hyphens=False):
            self.line(line)

    def styled(self, text: str, style: Style) -> str:
        return f"\x1b[{style.value}m{text}\x1b[0m" if self.colored else text


def _width(stream: TextIO, environ: Mapping[str, str]) -> int:
    columns = environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return max(int(columns), LEAST_WIDTH)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, LEAST_WIDTH)
    except (OSError, ValueError):
        return DEFAULT_WIDTH


def _colored(terminal: bool, environ: Mapping[str, str], color: Color) -> bool:
    if color is not Color.AUTO:
        return color is Color.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return terminal and environ.get("TERM") != "dumb"
