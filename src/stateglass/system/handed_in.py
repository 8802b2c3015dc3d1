"""Objects that functions are handed pointers to: what in them comes from outside, and what code makes itself.

What code never writes can only come from outside; what it writes is its own state, and begins as a static variable
does. A number that is handed in by itself, or an array of them, comes from outside in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.program import (
    AddressOf,
    Array,
    Bool,
    Call,
    Convert,
    Dereference,
    Enum,
    Float,
    Int,
    Member,
    Pointer,
    Program,
    Record,
    Scalar,
    Type,
    Variable,
    size_of,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.outside import may_write_through
from stateglass.program.walk import base_of, nodes_in, stored_by
from stateglass.source import Assumption, Topic
from stateglass.system.bounds import default_values
from stateglass.system.starting import STARTING
from stateglass.system.system import Choice, InputVariable

AT_ZERO: Final = "starts at zero and keeps its value: no other beginning is looked at"
MOST_OPEN: Final = 256
"""Of so many numbers in an object each may have any value."""


@final
@dataclass(frozen=True, slots=True)
class Use:
    """A parameter that leads to an object."""

    function: str
    parameter: str
    readonly: bool
    sets_up: bool  # the function is called once, before all others


@final
@dataclass(frozen=True, slots=True)
class Openings:
    """The numbers that come from outside: those chosen once, those chosen before each call, and what is said of it."""

    once: tuple[InputVariable, ...] = ()
    each: tuple[InputVariable, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class _Leaf:
    """A scalar of an object: where it begins, in bits, and the members on the way to it."""

    path: str
    position: int
    type: Scalar
    members: tuple[tuple[str, str], ...]  # by record and name
    overlaps: bool = False  # it is in a union


@final
@dataclass
class Written:
    """What code writes through pointers: members, and records as a whole."""

    members: set[tuple[str, str]] = field(default_factory=set)
    records: set[str] = field(default_factory=set)

    def has(self, leaf: _Leaf) -> bool:
        return any(member in self.members or member[0] in self.records for member in leaf.members)


def written_through_pointers(program: Program, functions: Iterable[str]) -> Written:
    """What these functions may write of records that they have pointers to."""
    found = Written()
    for name in functions:
        for statement in statements_of(program.functions[name].blocks):
            for place in stored_by(statement):
                if isinstance(base_of(place), Dereference):
                    _note(found, place)
            if isinstance(statement, Call) and statement.callee in program.declarations:
                assert isinstance(statement.callee, str)
                for parameter in program.declarations[statement.callee].parameters:
                    _hand_out(found, parameter.type)
            for node in nodes_in(statement):
                if isinstance(node, AddressOf) and not node.type.readonly:
                    _note(found, node.place)
                elif isinstance(node, Convert) and isinstance(node.type, Pointer) and not node.type.readonly:
                    _hand_out(found, node.operand.type)
    return found


def _note(found: Written, place: object) -> None:
    """Notes that a place may be written: the members on the way to it that it is all of."""
    type: Type | None = getattr(place, "type", None)
    while type is not None and isinstance(type, Array):
        type = type.element
    if isinstance(type, Record):
        found.records.add(type.name)
        return
    while place is not None and not isinstance(place, Member):
        place = getattr(place, "base", None)
    if isinstance(place, Member) and isinstance(place.base.type, Record):
        found.members.add((place.base.type.name, place.field))


def _hand_out(found: Written, type: Type) -> None:
    """Notes that somebody who is not looked at may write what a pointer leads to."""
    if may_write_through(type) and isinstance(type, Pointer) and isinstance(type.target, Record):
        found.records.add(type.target.name)


def openings(program: Program, functions: Iterable[str], objects: Iterable[tuple[Variable, Sequence[Use]]]) -> Openings:
    """What comes from outside in objects of which no bound says anything; `functions` are all that may run."""
    written = written_through_pointers(program, functions)
    once: list[InputVariable] = []
    each: list[InputVariable] = []
    said: dict[Assumption, None] = {}
    for variable, uses in objects:
        leaves = list(_leaves(program, variable.type, 0, "", ()))
        is_set_up = any(use.sets_up and not use.readonly for use in uses)
        owner = program.classes.get(variable.type.name) if isinstance(variable.type, Record) else None
        if is_set_up or (owner is not None and any(not m.implicit for m in owner.methods)):
            said |= dict.fromkeys(_say(use, variable, AT_ZERO) for use in uses)
            continue
        is_record = not all(leaf.members == () for leaf in leaves)
        is_input = all(use.readonly for use in uses) or (is_record and not any(map(written.has, leaves)))
        numbers = [leaf for leaf in leaves if not isinstance(leaf.type, Pointer) and not leaf.overlaps]
        outside = [leaf for leaf in numbers if is_input or not is_record or not written.has(leaf)]
        taken, rest = outside[:MOST_OPEN], [leaf for leaf in leaves if leaf not in outside[:MOST_OPEN]]
        made = [_input(program, variable, leaf) for leaf in taken]
        (each if is_input else once).extend(made)
        text = _text(variable, taken, rest, is_input=is_input)
        said |= dict.fromkeys(_say(use, variable, text) for use in uses)
    return Openings(tuple(once), tuple(each), tuple(said))


def _leaves(
    program: Program, type: Type, start: int, path: str, members: tuple[tuple[str, str], ...], overlaps: bool = False
) -> Iterator[_Leaf]:
    records = program.records
    match type:
        case Record(name):
            layout = records[name]
            for one in layout.fields:
                inner = f"{path}.{one.name}" if one.name else path
                chain = (*members, (name, one.name))
                position = start + 8 * one.offset + one.bit
                yield from _leaves(program, one.type, position, inner, chain, overlaps or layout.union)
        case Array(element, count):
            step = 8 * size_of(element, records)
            for index in range(count):
                yield from _leaves(program, element, start + index * step, f"{path}[{index}]", members, overlaps)
        case Bool() | Int() | Float() | Enum() | Pointer():
            yield _Leaf(path, start, type, members, overlaps)
        case _:
            return


def _input(program: Program, variable: Variable, leaf: _Leaf) -> InputVariable:
    values = default_values(leaf.type, program.enums)
    choice = Choice(variable.name + leaf.path, leaf.type, values or (), anything=values is None)
    return InputVariable(variable.name, leaf.position, choice, handed_in=True)


def _text(variable: Variable, taken: Sequence[_Leaf], rest: Sequence[_Leaf], *, is_input: bool) -> str:
    """What is said of an object: what has any value, and what begins at zero."""
    if not taken:
        return AT_ZERO
    when = "is set to any value before each call" if is_input else "starts with any value and keeps what is made of it"
    if any(isinstance(leaf.type, Enum) for leaf in taken):
        when += " (an enumeration: any that is named)"
    if not rest:
        return when
    listed = _listed([variable.name + leaf.path for leaf in rest])
    what = "which starts at zero" if len(rest) == 1 else "which start at zero"
    return f"{when}, but for {listed}, {what}: no other beginning is looked at"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:4])
    return shown + (f" and {len(names) - 4:,} more" if len(names) > 4 else "")


def _say(use: Use, variable: Variable, text: str) -> Assumption:
    told = use.function.rstrip(STARTING)
    return Assumption(Topic.OBJECT, told, f"`{use.parameter}` points to one `{variable.type}` that {text}")
