"""Where pointers lead to: variables, functions and objects of the environment whose addresses a driver can name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, final

from stateglass.program import Pointer
from stateglass.replay.driving.script import Number, Pointing, Text, Value
from stateglass.replay.driving.spelling import bits_of, quoted, quoted_bytes
from stateglass.system import System

OUTSIDE: Final = -1
ENVIRONMENT: Final = -2
"""In place of the number of a file of the code: what stands for functions outside, and the run itself."""
_NUMBER, _NULL, _SOMEWHERE, _TEXT = "SG_NUMBER", "SG_NULL", "SG_SOMEWHERE", "SG_TEXT"


@final
class Targets:
    """The targets of a run; `file_of` tells which file can name a variable or function, `spelt` how it does so."""

    def __init__(
        self, system: System, values: Iterable[Value], file_of: Callable[[str], int | None], spelt: Callable[[str], str]
    ) -> None:
        own = system.object.variable if system.object is not None else None  # a file of the code has it
        self._objects = {v.name: number for number, v in enumerate(system.environment) if v.name != own}
        self._externals = system.externals
        self._file_of = file_of
        self._spelt = spelt
        values = list(values)
        contents = dict.fromkeys(v.content for v in values if isinstance(v, Text))
        self._texts = {content: number for number, content in enumerate(contents)}
        names = [v.target for v in values if isinstance(v, Pointing) and v.target is not None]
        known = [name for name in dict.fromkeys(names) if self._home(name) is not None]
        self._numbers = {name: number for number, name in enumerate(known)}

    def _home(self, name: str) -> int | None:
        """Where a target can be named; None if nowhere."""
        if name in self._objects:
            return ENVIRONMENT
        return OUTSIDE if name in self._externals else self._file_of(name)

    def compared(self, value: Value) -> str:
        """What a value is held against: the target, and the number or the distance from it."""
        match value:
            case Number(number, type):
                kind = _NULL if isinstance(type, Pointer) and not number else _NUMBER
                return f"{kind}, {bits_of(value)}ULL"
            case Text(content):
                return f"{_TEXT}, {self._texts[content]}ULL"
            case Pointing(target, offset):
                known = None if target is None else self._numbers.get(target)
                return f"{_SOMEWHERE}, 0" if known is None else f"{known}, {offset & ((1 << 64) - 1)}ULL"

    def is_compared(self, value: Value) -> bool:
        """Whether more is compared than that a pointer is not null."""
        return not isinstance(value, Pointing) or value.target in self._numbers

    def texts(self) -> list[str]:
        """The texts as strings of C."""
        return [quoted_bytes(content) for content in self._texts]

    def functions(self, home: int) -> Iterator[str]:
        """The functions of one file that give the addresses."""
        for name, number in self._numbers.items():
            if self._home(name) == home:
                yield f"char *sg_target_{number}(void) {{ return (char *){self._text(name)}; }}"

    def _text(self, name: str) -> str:
        if name in self._objects:
            return f"object_{self._objects[name]}"
        return name if name in self._externals else self._spelt(name)

    def declared(self) -> list[str]:
        return [f"char *sg_target_{number}(void);" for number in self._numbers.values()]

    def rows(self) -> list[str]:
        return [f"{{ {quoted(name)}, sg_target_{number} }}" for name, number in self._numbers.items()]
