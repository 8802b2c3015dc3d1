"""Designs from files, in CCL or drawn."""

from __future__ import annotations

from typing import Final

from stateglass.assemblies.ccl import read_design
from stateglass.assemblies.charts import read_diagram
from stateglass.design import Design
from stateglass.formats import FORMATS, STATECHARTS
from stateglass.source import STDIN, Code, small_text, small_text_of_stdin

MOST_BYTES: Final = 4 << 20
_DRAWN: Final = tuple(extension for name in STATECHARTS for extension in FORMATS[name].extensions)


def is_drawn(path: str) -> bool:
    """Whether a file has a state diagram, by its name."""
    return path.endswith(_DRAWN)


def load_design(path: str) -> Design:
    """The design in a file, or for `-` the CCL on standard input; all that is wrong with it is one `InputError`."""
    if path == "-":
        return read_design(small_text_of_stdin("a design", Code.DESIGN, MOST_BYTES), STDIN)
    if is_drawn(path):
        return read_diagram(path)
    return read_design(small_text(path, "a design", Code.DESIGN, MOST_BYTES), path)
