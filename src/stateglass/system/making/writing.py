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
        self.makers: list[Maker] = []
        self._numbers = 0

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def add(self, about: str, text: str) -> None:
        self.pieces.append(MadePiece(about, text + "\n"))

    def maker(self, about: str, type: str, values: Sequence[Value]) -> Maker:
        """Writes a function that makes a value of a type."""
        number = self.number()
        maker = Maker(f"made_values{number}", f"made_value{number}", tuple(values))
        names = ", ".join(f"v{n}" for n in range(len(values)))
        kept = "static const " if type.startswith("std::initializer_list<") else ""
        lines = [
            f"enum class {maker.enum} : int {{ {names} }};",
            f"{in_code(type)} {maker.function}({maker.enum} made) {{",
        ]
        lines.append("    switch (made) {")
        for n, value in enumerate(values[1:], 1):
            lines.append(f"    case {maker.enum}::v{n}: {_returning(value, type, kept)}")
        lines += [f"    default: {_returning(values[0], type, kept)}", "    }", "}"]
        self.add(about, "\n".join(lines))
        self.makers.append(maker)
        return maker


def _returning(value: Value, type: str, kept: str) -> str:
    if kept:
        return f"{{ {kept}{in_code(type)} held = {value.expression}; return held; }}"
    return f"return {value.expression};"


def declared(type: str, name: str) -> str:
    """A parameter of a type."""
    spelled = in_code(type)
    return f"decltype(static_cast<{spelled}>(0)) {name}" if "(" in spelled or "[" in spelled else f"{spelled} {name}"


def parameter_names(parameters: Sequence[Passed]) -> list[str]:
    return [p.name or f"argument{n + 1}" for n, p in enumerate(parameters)]
