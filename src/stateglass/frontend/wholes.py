"""Copies and clears whole objects, and nothing of what may lie in the padding at their end.

An object of a class that another one is derived from can share its last bytes with members of that one; an object of
an empty class can share all of them.
"""

from __future__ import annotations

from stateglass.frontend.builder import FunctionBuilder
from stateglass.frontend.types import TypeTable
from stateglass.program import (
    AddressOf,
    Assign,
    Clear,
    Constant,
    Copy,
    CopyBytes,
    Dereference,
    Expression,
    Int,
    Member,
    Place,
    Pointer,
    Record,
    cells_of,
    is_scalar,
)
from stateglass.source import Span


def copy_whole(builder: FunctionBuilder, types: TypeTable, target: Place, source: Place, span: Span) -> None:
    """Store a record or array of the same type."""
    size = _shared_size(types, target)
    if size is None:
        builder.emit(Copy(target, source, span))
    elif size:
        count = Constant(size, Int(8 * types.pointer_size, signed=False), span)
        builder.emit(CopyBytes(_address(target, types, span), _address(source, types, span), count, False, span))


def clear_whole(builder: FunctionBuilder, types: TypeTable, place: Place, span: Span) -> None:
    """Set a record or array to zero."""
    if _shared_size(types, place) is None:
        builder.emit(Clear(place, span))
        return
    assert isinstance(place.type, Record)
    for field in types.records[place.type.name].fields:
        part = Member(place, field.name, field.offset, field.type, field.bit, span)
        if is_scalar(field.type):
            builder.emit(Assign(part, Constant(0, field.type, span), span))
        else:
            clear_whole(builder, types, part, span)


def _shared_size(types: TypeTable, place: Place) -> int | None:
    """How many bytes of an object are its own, if others may be in use; None if all are."""
    type = place.type
    if not isinstance(type, Record) or type.name not in types.open_ended or not _may_be_a_base(types, place):
        return None
    cells = [c for c in cells_of(type, types.records) if not c.padding]
    size = max(((c.position + c.width + 7) // 8 for c in cells), default=0)
    return size if size < types.records[type.name].size else None


def _may_be_a_base(types: TypeTable, place: Place) -> bool:
    match place:
        case Dereference():
            return True
        case Member(base, field):
            return isinstance(base.type, Record) and (base.type.name, field) in types.base_parts
        case _:
            return False


def _address(place: Place, types: TypeTable, span: Span) -> Expression:
    if isinstance(place, Dereference):
        return place.pointer
    return AddressOf(place, Pointer(place.type, types.pointer_size), span)
