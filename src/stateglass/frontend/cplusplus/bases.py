"""Lowers the ways between an object and what it is derived from."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import ClangType
from stateglass.frontend.cplusplus.classes import Base, Class, is_class
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.types import base_name
from stateglass.program import Constant, Dereference, Expression, Load, Member, Place, Pointer, PointerAdd, is_scalar
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Bases:
    """Lowers what concerns the bases of objects in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._symbols = expressions.symbols
        self._types = expressions.symbols.types

    def as_base(self, place: Place, derived: ClangType, base: ClangType, span: Span) -> Place:
        """The part of an object that is an object of a base class."""
        way = self._way_to(self._types.classes.of(derived), self._types.classes.of(base))
        if way is None:
            raise NotSupported(f"the conversion of {derived.spelling} to {base.spelling}", span)
        _refuse_virtual(way, span)
        for found in way:
            place = Member(place, base_name(found.type), found.offset, self._types.convert(found.type), 0, span)
        return place

    def is_derived(self, derived: ClangType, base: ClangType) -> bool:
        both = is_class(derived) and is_class(base)
        return both and bool(self._way_to(self._types.classes.of(derived), self._types.classes.of(base)))

    def _way_to(self, derived: Class, base: Class) -> list[Base] | None:
        if libclang.declaration_key(derived.declaration) == libclang.declaration_key(base.declaration):
            return []
        for step in derived.bases:
            rest = self._way_to(self._types.classes.of(step.type), base)
            if rest is not None:
                return [step, *rest]
        return None

    def moved_pointer(self, pointer: Expression, given: ClangType, wanted: ClangType, span: Span) -> Expression:
        """A pointer to an object as one to what it is derived from, or the other way round."""
        type = self._types.convert(wanted)
        assert is_scalar(type)
        source, target = (t.get_canonical().get_pointee() for t in (given, wanted))
        if self.is_derived(source, target):
            distance = self.distance(source, target, span)
        elif self.is_derived(target, source):
            distance = -self.distance(target, source, span)
        else:
            distance = 0
        if not distance:
            return convert(pointer, type, span)
        # What points nowhere points nowhere afterwards.
        result = self._builder.temporary(type, span)
        held = self._builder.kept(pointer, span)
        self._builder.assign(result, Constant(0, type, span), span)
        then, after = self._builder.new_block(), self._builder.new_block()
        assert isinstance(pointer.type, Pointer)
        self._builder.branch(held, then, after, span)
        self._builder.current = then
        by = Constant(distance, self._symbols.ptrdiff_type, span)
        moved = PointerAdd(held, by, 1, pointer.type, span)
        self._builder.assign(result, convert(moved, type, span), span)
        self._builder.start(after, span)
        return Load(result, type, span)

    def distance(self, derived: ClangType, base: ClangType, span: Span) -> int:
        """How far a base lies behind the beginning of an object."""
        way = self._way_to(self._types.classes.of(derived), self._types.classes.of(base))
        assert way is not None
        _refuse_virtual(way, span)
        return sum(step.offset for step in way)

    def as_derived(self, place: Place, base: ClangType, derived: ClangType, span: Span) -> Place:
        """The object that an object of a base class is part of, as `static_cast` takes it to be."""
        type = self._types.convert(derived)
        pointer = self._lower.objects.address(place, span)
        assert isinstance(pointer.type, Pointer)
        by = Constant(-self.distance(derived, base, span), self._symbols.ptrdiff_type, span)
        moved = PointerAdd(pointer, by, 1, pointer.type, span) if by.value else pointer
        return Dereference(convert(moved, Pointer(type, self._types.pointer_size), span), type, 1, span)


def _refuse_virtual(way: list[Base], span: Span) -> None:
    """Where a virtual base lies is known to the object only."""
    if any(step.is_virtual for step in way):
        raise NotSupported("virtual bases", span)
