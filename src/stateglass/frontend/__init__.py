"""Turns C and C++ into a program; the only room that knows that clang exists.

Files come in by way of `building` (how each is compiled) and are parsed behind one door, `clang`. `linking` decides
what each name means over all files, and has functions lowered as they are needed: in `lowering`, `statements` walks the
syntax tree, `expressions`, `places`, `updates`, `operators`, `calls` and their like lower what is in it, and `builder`
puts the blocks together.

C++ becomes what C has, in `cplusplus`. `classes` says with `types` what an object consists of, `signatures` how
functions are called, `objects`, `members` and `destruction` how objects begin and end, `methods` and `tables` which
function a call means, `exceptions` how something is thrown and caught. What clang does not write down because nobody
uses it is asked for by text behind the end of a file (`instantiating`).

Others may have text read with a file, too: `probes` are expressions of a user, as if they stood in a function, and
`made` is what an environment needs to hand objects over. `appended` knows where each character of it comes from.

Where the Python binding of libclang hides something, it is read from clang's own objects in memory (`words`; `hidden`,
`parts`, `fields`, `bindings`, `allocation`, `lengths`, `attributes`). How those are laid out is learned from small
files whose meaning we know; if that does not work out, the construct is refused by name.
"""

from stateglass.frontend.building.flags import LENIENCIES, FileFlags
from stateglass.frontend.clang.parsing import MissingHeader
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
