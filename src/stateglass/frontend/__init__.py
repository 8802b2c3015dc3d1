"""Turns C into a program; the only room that knows that clang exists.

Files come in by way of `flags` and `databases` (how each is compiled) and are parsed behind one door. `linking` decides
what each name means over all files, and has functions lowered as they are needed: `statements` walks the syntax tree,
`expressions`, `places`, `updates`, `operators`, `calls` and their like lower what is in it, and `builder` puts the
blocks together. `probes` does the same for expressions of a user, as if they stood in a function.

Where the Python binding of libclang hides something, it is read from clang's own objects in memory (`hidden`,
`lengths`, `attributes`). How those are laid out is learned from small files whose meaning we know; if that does not
work out, the construct is refused by name.
"""

from stateglass.frontend.flags import LENIENCIES, FileFlags
from stateglass.frontend.parsing import MissingHeader
from stateglass.frontend.reading import Reading, Surroundings, read_program
from stateglass.source import MissingHeaders

__all__ = [
    "LENIENCIES",
    "FileFlags",
    "MissingHeader",
    "MissingHeaders",
    "Reading",
    "Surroundings",
    "read_program",
]
