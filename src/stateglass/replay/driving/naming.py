"""What a driver in C++ calls things: classes, the scalars of objects and variables, and parts of objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Array, Constant, Element, Global, Member, Place, Program, Record, Scalar, Type, is_scalar
from stateglass.program.made import MADE_NAMESPACE
from stateglass.program.names import UNNAMED_NAMESPACE, is_made_up
from stateglass.replay.driving.spelling import refused

TOLD_TEXT: Final = ".c_str()"
"""Ends the expression of a text that an object of the C++ library has; where that is, is its own affair."""
# What the C++ library tells of its objects, by the members that ours have for it.
_TOLD: Final[dict[str, dict[str, str]]] = {
    "std.array": {"elements": ""},
    "std.atomic": {"value": ".load()"},
    "std.basic_string": {"count": ".size()", "first": TOLD_TEXT},
    "std.chrono.duration": {"ticks": ".count()"},
    "std.chrono.time_point": {"since": ".time_since_epoch()"},
    "std.deque": {"count": ".size()"},
    "std.optional": {"engaged": ".has_value()"},
    "std.pair": {"first": ".first", "second": ".second"},
    "std.vector": {"count": ".size()"},
}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")


@final
@dataclass(frozen=True, slots=True)
class Spelt:
    """A scalar as an expression of C++; a reference stands for what it leads to."""

    expression: str
    type: Scalar
    is_reference: bool = False


def class_text(record: str) -> str:
    """A class by the name of its record: dots in the arguments of templates are none of ours."""
    depth, parts = 0, list[str]()
    for character in record:
        depth += (character == "<") - (character == ">")
        parts.append("::" if character == "." and not depth else character)
    return checked("".join(parts), f"`{record}`")


def checked(text: str, what: str) -> str:
    """The text of a type or name, if code can write it."""
    text = text.replace(UNNAMED_NAMESPACE, "")
    if "(lambda" in text or "(unnamed" in text or "(anonymous" in text or "lambda_" in text or "unnamed_" in text:
        raise refused(f"{what} has no name that code could use")
    return text


def scalars_in(program: Program, type: Type, expression: str, path: str = "") -> Iterator[tuple[str, Spelt]]:
    """The scalars of an object by their paths; what is of the C++ library is laid out otherwise there, and is asked."""
    if isinstance(type, Record):
        if type.name.startswith("std.") or "lambda_" in type.name:
            told = _TOLD.get(type.name.partition("<")[0], {})
            for field in program.records[type.name].fields:
                if field.name in told:
                    inner = f"{expression}{told[field.name]}"
                    yield from scalars_in(program, field.type, inner, f"{path}.{field.name}")
            return
        known = program.classes.get(type.name)
        members = {m.name: m for m in known.members} if known is not None else {}
        for field in program.records[type.name].fields:
            inner_path = f"{path}.{field.name}" if field.name else path
            member = members.get(field.name)
            if known is not None and field.name and member is None:
                if isinstance(field.type, Record):
                    base = f"static_cast<{class_text(field.type.name)} &>({expression})"
                    yield from scalars_in(program, field.type, base, inner_path)
                continue
            inner = f"{expression}.{field.name}" if field.name else expression
            if member is not None and member.reference and is_scalar(field.type):
                yield inner_path, Spelt(inner, field.type, is_reference=True)
            else:
                yield from scalars_in(program, field.type, inner, inner_path)
    elif isinstance(type, Array):
        for i in range(type.count):
            yield from scalars_in(program, type.element, f"{expression}[{i}]", f"{path}[{i}]")
    elif is_scalar(type):
        yield path, Spelt(expression, type)


def has_own_layout(program: Program, type: Type) -> bool:
    """Whether the compiler lays out an object as the program does: nothing of the C++ library is in it."""
    match type:
        case Record(name):
            fields = program.records[name].fields
            return not name.startswith("std.") and all(has_own_layout(program, f.type) for f in fields)
        case Array(element):
            return has_own_layout(program, element)
        case _:
            return True


def part_text(program: Program, place: Place, roots: dict[str, str]) -> str:
    """A part of an object; `roots` has the expressions of whole objects by their variables."""
    match place:
        case Global(name) if name in roots:
            return roots[name]
        case Member(base, field, _, type):
            inner = part_text(program, base, roots)
            owner = program.classes.get(base.type.name) if isinstance(base.type, Record) else None
            is_base = owner is not None and field not in {m.name for m in owner.members}
            if is_base and isinstance(type, Record):
                return f"static_cast<{class_text(type.name)} &>({inner})"
            return f"{inner}.{field}"
        case Element(base, Constant(index)):
            return f"{part_text(program, base, roots)}[{index}]"
        case _:
            raise refused("something stands for an object that a driver cannot name")


def variables_of(program: Program) -> Iterator[tuple[str, str, Type]]:
    """The variables of C++ outside of functions: what they are called, how code names them, and their types."""
    for variable in program.variables.values():
        written = program.written.get(variable.name)
        if written is None or variable.literal or is_made_up(variable.name):
            continue
        if variable.span.in_library and written.scope != MADE_NAMESPACE:
            continue
        if "::" in variable.name or variable.address is not None or not _IDENTIFIER.fullmatch(written.name):
            continue
        scope = written.scope.replace(UNNAMED_NAMESPACE, "")
        yield variable.name, f"{scope}::{written.name}", variable.type
