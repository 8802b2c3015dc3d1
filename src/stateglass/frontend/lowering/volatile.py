"""Volatile places: which variable is read, and the name under which bounds for what it gives are known."""

from __future__ import annotations

from dataclasses import replace

from stateglass.frontend.linking.symbols import Symbols
from stateglass.program import (
    Array,
    Constant,
    Convert,
    Dereference,
    Element,
    Expression,
    Global,
    Load,
    Local,
    Member,
    Place,
    PointerAdd,
    size_of,
)


def where_it_leads(place: Place, symbols: Symbols) -> Place:
    """The place with the variable in it that a constant pointer leads to, as in `*reg` after `int *const reg = &x;`."""
    match place:
        case Member(base) | Element(base):
            return replace(place, base=where_it_leads(base, symbols))
        case Dereference(pointer):
            found = _pointed(pointer, symbols)
            return found if found is not None and found.type == place.type else place
        case Global() | Local():
            return place


def _pointed(pointer: Expression, symbols: Symbols) -> Place | None:
    index: Expression = Constant(0, symbols.ptrdiff_type, pointer.span)
    scale = 0
    if isinstance(pointer, PointerAdd):
        index, scale = pointer.index, pointer.scale
        pointer = pointer.pointer
    while isinstance(pointer, Convert):
        pointer = pointer.operand
    if not isinstance(pointer, Load) or not isinstance(pointer.place, Global):
        return None
    place = symbols.volatile_target(pointer.place.name)
    if place is None or not isinstance(place.type, Array):
        return place if not scale else None
    element = place.type.element
    if scale not in (0, size_of(element, symbols.types.records)):
        return None
    return Element(place, index, element, pointer.span)


def needs_check(place: Place) -> bool:
    """Whether an index may be outside of its array."""
    while isinstance(place, Member | Element):
        if isinstance(place, Element):
            count = place.base.type.count if isinstance(place.base.type, Array) else 0
            if not isinstance(place.index, Constant) or not 0 <= place.index.value < count:
                return True
        place = place.base
    return False


def input_name(place: Place) -> str:
    """The name under which a bound for a volatile place is given: `x`, `regs.status`; `adc` for all its elements."""
    match place:
        case Member(base, field):
            return f"{input_name(base)}.{field}"
        case Element(base, Constant(value)):
            return f"{input_name(base)}[{value}]"
        case Element(base):
            return input_name(base)
        case Global(name) | Local(name):
            return name
        case Dereference():
            return "?"
