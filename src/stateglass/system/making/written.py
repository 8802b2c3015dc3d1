"""Values as C++ has them, and as actions show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Float
from stateglass.program.floats import to_python
from stateglass.program.names import UNNAMED_NAMESPACE
from stateglass.program.shapes import Number, Shape
from stateglass.program.shapes import Sequence as Several

_ESCAPES: Final = {10: "\\n", 9: "\\t", 13: "\\r", 34: '\\"', 92: "\\\\"}
_LOWEST: Final = -(1 << 63)
_MAPS: Final = ("std::map<", "std::unordered_map<")


@final
@dataclass(frozen=True, slots=True)
class Value:
    """A value as C++ has it, and as actions show it."""

    expression: str
    shown: str


def in_code(spelled: str) -> str:
    """A type as it can be written behind the end of the file that knows it."""
    return spelled.replace(UNNAMED_NAMESPACE, "")


def familiar(spelled: str) -> str:
    """A type as most people write it."""
    short = {"std::basic_string<char>": "std::string", "std::basic_string_view<char>": "std::string_view"}
    for long, usual in short.items():
        spelled = spelled.replace(long, usual)
    return spelled.replace(UNNAMED_NAMESPACE, "")


def number(value: int, shape: Number, shown: str) -> Value:
    if isinstance(shape.type, Float):
        written = to_python(value, shape.type.format).hex()
    elif value > -_LOWEST - 1:
        written = f"{value}ULL"
    else:
        written = f"{value}LL" if value > _LOWEST else f"({value + 1}LL - 1)"
    return Value(f"static_cast<{in_code(shape.spelled)}>({written})", shown)


def text(said: str, spelled: str) -> Value:
    data = said.encode()
    literal = "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in data)
    quoted = "".join(_ESCAPES.get(b) or (chr(b) if 32 <= b < 127 else f"\\x{b:02x}") for b in data)
    made = f'"{literal}"' if spelled.endswith("*") else f'{spelled}("{literal}", {len(data)})'
    return Value(made, f'"{quoted}"')


def several(shape: Several, row: Sequence[Value]) -> Value:
    inner = ", ".join(v.expression for v in row)
    shown = "{" + ", ".join(v.shown for v in row) + "}"
    spelled, element = in_code(shape.spelled), in_code(shape.element.spelled)
    if spelled.endswith("]"):
        return Value(f"{{{inner}}}", shown)
    if shape.count is not None:
        return Value(f"{spelled}{{{{{inner}}}}}", shown)
    if not row:
        return Value(f"{spelled}()", shown)
    if spelled.startswith(_MAPS):
        return Value(f"{spelled}{{{inner}}}", shown)
    values = f"std::initializer_list<{element}>{{{inner}}}"
    return Value(values if spelled.startswith("std::initializer_list<") else f"{spelled}({values})", shown)


def parts(spelled: str, brackets: str, row: Sequence[Value], elements: Iterable[tuple[str, Shape]]) -> Value:
    """What is made of several parts between `brackets`."""
    named = [f"{part}={v.shown}" for (part, _), v in zip(elements, row, strict=True)]
    before, after = brackets[0], brackets[1]
    inner = ", ".join(v.expression for v in row)
    return Value(in_code(spelled) + before + inner + after, "{" + ", ".join(named) + "}")
