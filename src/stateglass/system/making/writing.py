"""The C++ text that makes what the environment hands over, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.program.made import KIND_OF_NAME, MadePiece
from stateglass.program.shapes import Passed
from stateglass.system.making.written import Value, in_code

FUNCTIONS: Final = KIND_OF_NAME
SELF: Final = "made_self"
DECLARED: Final = "made_declared"
"""A function that is only declared: a call of it says what something would be, and is never made."""
ROOM: Final = "made_room_"
"""What a parameter is called that says where an object is which a function may change; the name of it follows."""


@final
@dataclass(frozen=True, slots=True)
class Maker:
    """A function that makes one of several values, by number; numbers are of an enum of its own."""

    enum: str
    function: str
    values: tuple[Value, ...]


@final
class Writing:
    """Collects pieces of text; what one of them needs is written before it."""

    def __init__(self) -> None:
        self.pieces: list[MadePiece] = []
        self._declaring = f"template <class Made> Made {DECLARED}();"
        self.makers: list[Maker] = []
        self._numbers = 0

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def add(self, about: str, text: str) -> None:
        if not self.pieces:
            self.pieces.append(MadePiece("", self._declaring + "\n"))
        self.pieces.append(MadePiece(about, text + "\n"))

    def maker(self, about: str, type: str, values: Sequence[Value]) -> Maker:
        """Writes a function that makes a value of a type."""
        number = self.number()
        maker = Maker(f"made_values{number}", f"made_value{number}", tuple(values))
        names = ", ".join(f"v{n}" for n in range(len(values)))
        written = in_code(type)
        if "(" in written:
            self.add(about, f"using made_type{number} = {written};")
            written = f"made_type{number}"
        lines = [
            f"enum class {maker.enum} : int {{ {names} }};",
            f"{written} {maker.function}({maker.enum} made) {{",
        ]
        lines.append("    switch (made) {")
        for n, value in enumerate(values[1:], 1):
            lines.append(f"    case {maker.enum}::v{n}: return {value.expression};")
        lines += [f"    default: return {values[0].expression};", "    }", "}"]
        self.add(about, "\n".join(lines))
        self.makers.append(maker)
        return maker


def is_lent(type: str) -> bool:
    """Whether a value lives no longer than the expression that makes it, so that no function can return it."""
    return type.startswith("std::initializer_list<")


def chosen(maker: Maker, number: str, call: str, value: str) -> str:
    """A call in which `value` stands for what a maker would make of a number."""
    cases = [f"case {maker.enum}::v{n}: {call.replace(value, v.expression)}" for n, v in enumerate(maker.values)]
    return f"switch ({number}) {{ {' '.join(cases[1:])} default: {cases[0].partition(': ')[2]} }}"


def declared(type: str, name: str) -> str:
    """A parameter of a type."""
    spelled = in_code(type)
    return f"decltype(static_cast<{spelled}>(0)) {name}" if "(" in spelled or "[" in spelled else f"{spelled} {name}"


def parameter_names(parameters: Sequence[Passed]) -> list[str]:
    return [p.name or f"argument{n + 1}" for n, p in enumerate(parameters)]
