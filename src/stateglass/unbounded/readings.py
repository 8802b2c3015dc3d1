"""How the numbers of a flow are meant: as signed or as unsigned ones."""

from __future__ import annotations

from stateglass.explore.stretches import Flow, Part, Slot
from stateglass.program import Enum, Int, Scalar
from stateglass.smt import Term


def unsigned(flow: Flow) -> frozenset[Term]:
    """The variables of a flow that are best read as unsigned numbers."""
    slots = {slot.term for rest in flow.rests for slot in rest.slots if _is_unsigned(slot)}
    chosen = {c.term for stretch in flow.stretches for c in stretch.chosen if not _is_signed(c.type)}
    return frozenset(slots | chosen)


def _is_unsigned(slot: Slot) -> bool:
    return slot.part is not Part.VALUE or not _is_signed(slot.type)


def _is_signed(type_: Scalar) -> bool:
    match type_:
        case Int(_, signed):
            return signed
        case Enum(_, representation):
            return representation.signed
        case _:
            return False
