"""Lowers what has an address: variables, members, elements, what pointers lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind, LinkageKind, StorageClass

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import Hidden, has_address, hidden_kind
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import is_one_macro, macro_used, span_of
from stateglass.frontend.clang.peeling import is_throw, strip
from stateglass.frontend.cplusplus.classes import is_class
from stateglass.frontend.cplusplus.memberpointers import THROUGH_MEMBER
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.lowering.builder import Mark, NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.registers import fixed_address
from stateglass.frontend.lowering.types import field_name
from stateglass.program import (
    AddressOf,
    Array,
    Constant,
    Dereference,
    Element,
    Expression,
    Global,
    Load,
    Member,
    Place,
    Pointer,
    PointerAdd,
    Record,
    Type,
    is_scalar,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Places:
    """Lowers the places of one function."""

    def __init__(self, lower: Expressions) -> None:
        self._lower = lower
        self._builder = lower.builder
        self._symbols = lower.symbols

    def place(self, cursor: Cursor) -> Place:
        """Something with an address; also a record value, which then is a temporary."""
        cursor = self._lower.extensions.bare(cursor)
        span = span_of(cursor)
        match cursor.kind:
            case CursorKind.CXX_DYNAMIC_CAST_EXPR:
                return self._lower.tables.cast_place(cursor)
            case CursorKind.CXX_TYPEID_EXPR:
                return self._lower.tables.typeid(cursor)
            case CursorKind.LAMBDA_EXPR:
                return self._object(cursor, span)
            case CursorKind.INIT_LIST_EXPR | CursorKind.CXX_PAREN_LIST_INIT_EXPR if self._symbols.cplusplus:
                return self._object(cursor, span)
            case CursorKind.UNEXPOSED_EXPR:
                return self._unexposed(cursor, span)
            case kind if kind in libclang.CASTS:
                return self._converted(cursor, span)
            case CursorKind.DECL_REF_EXPR:
                return self.variable(cursor.referenced, span)
            case CursorKind.MEMBER_REF_EXPR:
                return self._member(cursor, span)
            case CursorKind.ARRAY_SUBSCRIPT_EXPR:
                return self._element(cursor, span)
            case CursorKind.STRING_LITERAL:
                return self._symbols.string(cursor)
            case CursorKind.COMPOUND_LITERAL_EXPR:
                return self._lower.updates.compound_literal(cursor, span)
            case CursorKind.UNARY_OPERATOR if libclang.unary_operator(cursor) == "*":
                return self._dereference(libclang.children(cursor)[0], cursor, span)
            case CursorKind.StmtExpr:
                record = self._builder.temporary(self._lower.type_of(cursor), span)
                self._lower.extensions.run(cursor, record)
                return record
            case CursorKind.CALL_EXPR:
                return self._lower.calls.returned_place(cursor)
            case CursorKind.CONDITIONAL_OPERATOR if self._symbols.cplusplus:
                return self._one_of(cursor, span)
            case CursorKind.CONDITIONAL_OPERATOR:
                return self._lower.decisions.conditional(cursor)
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR if self._symbols.cplusplus:
                return self._lower.updates.compound_place(cursor)
            case CursorKind.UNARY_OPERATOR if (
                libclang.unary_operator(cursor) in ("++x", "--x") and self._symbols.cplusplus
            ):
                return self._lower.updates.stepped(cursor)
            case CursorKind.BINARY_OPERATOR if cursor.spelling == "=":
                return self._lower.updates.assign(cursor)
            case CursorKind.BINARY_OPERATOR if cursor.spelling in THROUGH_MEMBER:
                return self._lower.member_pointers.place(cursor)
            case CursorKind.BINARY_OPERATOR if cursor.spelling == "<=>":
                return self._object(cursor, span)
            case CursorKind.BINARY_OPERATOR if cursor.spelling == ",":
                left, right = libclang.children(cursor)
                self._lower.discard(left)
                return self.place(right)
        raise NotSupported(libclang.describe(cursor), span)

    def _unexposed(self, cursor: Cursor, span: Span) -> Place:
        """The same of what libclang does not name."""
        match hidden_kind(cursor):
            case Hidden.FUNCTION_NAME:
                return self._symbols.text(tuple(self._builder.name.encode()), self._lower.type_of(cursor), span)
            case Hidden.VARIADIC_ARGUMENT:
                return self._lower.calls.variadic_argument(cursor)
            case Hidden.TEMPORARY if self._symbols.cplusplus:
                return self._lower.objects.materialised(cursor)
            case Hidden.WHOLE if self._symbols.cplusplus:
                return self._whole(cursor, span)
            case Hidden.BOUND | Hidden.VALUE_LIST:
                return self._object(cursor, span)
            case _:
                return self._converted(cursor, span)

    def _converted(self, cursor: Cursor, span: Span) -> Place:
        """What a conversion leaves where it is: the same object, a base of it, or what it is a base of."""
        inner = libclang.operand(cursor)
        if libclang.is_cast(cursor) and self._lower.type_of(inner) == self._lower.type_of(cursor):
            return self.place(inner)
        if self._lower.bases.is_derived(inner.type, cursor.type):
            return self._lower.bases.as_base(self.place(inner), inner.type, cursor.type, span)
        if self._lower.bases.is_derived(cursor.type, inner.type):
            return self._lower.bases.as_derived(self.place(inner), inner.type, cursor.type, span)
        if is_class(cursor.type):
            return self._object(cursor, span)
        raise NotSupported(libclang.describe(cursor), span)

    def _constant_around(self, declaration: Cursor, span: Span) -> Place:
        """A constant of the function around that a lambda or local class uses without capturing it: made anew."""
        owner = self._builder.owner
        value = libclang.initialiser(declaration)
        own = owner is None or declaration.semantic_parent.semantic_parent == owner.get_declaration()
        if own or value is None or not declaration.type.get_canonical().is_const_qualified():
            raise NotSupported(f"the variable `{declaration.spelling}`", span)  # its declaration was not supported
        constant = self._builder.temporary(self._symbols.types.convert(declaration.type), span)
        self._lower.objects.initialise(constant, value, declaration.type, span)
        return constant

    def variable(self, declaration: Cursor, span: Span) -> Place:
        captured = self._lower.lambdas.captured(declaration, span)
        if captured is not None:
            return captured
        local = self._builder.local(libclang.declaration_key(declaration))
        if local is not None and local.name in self._builder.behind:
            assert isinstance(local.type, Pointer)
            return Dereference(Load(local, local.type, span), local.type.target, 1, span)
        if local is not None:
            return local
        bound = self._builder.bound.get(libclang.declaration_key(declaration))
        if bound is not None:
            return bound
        if declaration.linkage is LinkageKind.NO_LINKAGE and declaration.storage_class is not StorageClass.STATIC:
            return self._constant_around(declaration, span)
        if self._symbols.is_absent(declaration):
            absent = self._symbols.types.convert(declaration.type)
            return Dereference(Constant(0, Pointer(absent, self._symbols.types.pointer_size), span), absent, 1, span)
        if libclang.is_variable_instance(declaration):
            declaration = libclang.as_variable(declaration)
        variable = self._symbols.variable(declaration)
        if is_reference(declaration.type):
            assert isinstance(variable.type, Pointer)
            return Dereference(Load(variable, variable.type, span), variable.type.target, 1, span)
        type = self._symbols.types.without_tail(variable.type)
        if type == variable.type:
            return variable
        return Dereference(AddressOf(variable, Pointer(type, self._symbols.types.pointer_size), span), type, 1, span)

    def _object(self, cursor: Cursor, span: Span) -> Place:
        """A temporary for an object that an expression makes."""
        objects = self._lower.objects
        return objects.temporary(cursor.type, span, lambda place: objects.construct(place, cursor, span))

    def _whole(self, cursor: Cursor, span: Span) -> Place:
        """What a full expression gives that has an address: it is found before temporaries are destroyed."""
        inner = libclang.operand(cursor)
        if is_class(cursor.type) and not has_address(inner):
            return self._object(cursor, span)
        with self._lower.objects.whole():
            found = self._builder.kept(self._lower.objects.address(self.place(inner), span), span)
        return self._lower.behind(found, span)

    def _one_of(self, cursor: Cursor, span: Span) -> Place:
        """`c ? a : b` of two places is the one or the other; of two values it is a temporary."""
        condition, *sides = libclang.children(cursor)
        if not all(has_address(s) or is_throw(s) for s in sides):
            return self._object(cursor, span) if is_class(cursor.type) else self._lower.decisions.conditional(cursor)
        type = Pointer(self._lower.type_of(cursor), self._symbols.types.pointer_size)
        found = self._builder.temporary(type, span)
        then, other, after = (self._builder.new_block() for _ in range(3))
        self._lower.decisions.branch(condition, then, other)
        with self._builder.in_decision():
            for block, side in zip((then, other), sides, strict=True):
                self._builder.current = block
                if is_throw(side):
                    self._lower.discard(side)
                else:
                    address = self._lower.objects.address(self.place(side), span)
                    self._builder.assign(found, convert(address, type, span), span)
                self._builder.start(after, span)
        return Dereference(Load(found, type, span), type.target, 1, span)

    def _static_member(self, cursor: Cursor, span: Span) -> Place:
        """`object.member` of a variable that all objects share."""
        for inner in libclang.expression_children(cursor):
            self._lower.discard(inner)
        return self.variable(cursor.referenced, span)

    def _member(self, cursor: Cursor, span: Span) -> Place:
        declared = cursor.referenced
        if declared.kind is CursorKind.VAR_DECL:
            return self._static_member(cursor, span)
        found = self._member_itself(cursor, span)
        if is_reference(declared.type):
            assert isinstance(found.type, Pointer)
            return Dereference(Load(found, found.type, span), found.type.target, 1, span)
        return found

    def _member_itself(self, cursor: Cursor, span: Span) -> Place:
        inner = libclang.object_before(cursor)
        if inner is None:
            objects = self._lower.objects
            owner = cursor.referenced.semantic_parent.type
            if "(" in str(cursor.referenced.semantic_parent.spelling):
                owner = _named_around(cursor.referenced.semantic_parent).type
            around = self._lower.bases.as_base(objects.this_place(span), objects.this_type(), owner, span)
            return self._part(around, cursor, span)
        outer = self._lower.type_of(inner)
        if isinstance(outer, Pointer):
            alignment = self._symbols.types.alignment_behind(inner.type)
            pointer = self._lower.value(inner)
            # A macro that stands for the member is no name for all that lies around it.
            named_by = None if is_one_macro(cursor) else inner
            register = self._register(pointer, outer.target, named_by, span)
            base: Place = register or self._behind(pointer, outer.target, alignment, span)
        else:
            base = self.place(inner)
        return self._part(base, cursor, span)

    def _part(self, base: Place, cursor: Cursor, span: Span) -> Place:
        owner = base.type
        assert isinstance(owner, Record)
        layout = self._symbols.types.records[owner.name]
        if layout.unsupported:
            raise NotSupported(f"values of `{owner.name}`: {layout.unsupported}", span)
        name = field_name(cursor)
        if not name:
            return base  # an unnamed struct or union: whoever asks for a member of it finds the way
        for field in self._symbols.types.way_to(layout.name, name):
            base = Member(base, field.name, field.offset, field.type, field.bit, span)
        return base

    def _element(self, cursor: Cursor, span: Span) -> Place:
        base, index = libclang.children(cursor)
        if not isinstance(self._lower.type_of(base), Pointer | Array):
            base, index = index, base  # 2[a]
        if not isinstance(self._lower.type_of(base), Pointer | Array):
            raise NotSupported(f"elements of {index.type.spelling}", span)  # a vector
        array = strip(base)
        array_type = self._lower.type_of(array)
        if isinstance(array_type, Array) and array_type.count:
            start = self._builder.mark()
            whole = self.place(array)
            mark = self._builder.mark()
            number = self._lower.value(index)
            self._leave_index_open(number, start, mark)
            return Element(self._lower.settled_place(whole, mark), number, array_type.element, span)
        start = self._builder.mark()
        pointer = self._lower.value(base)
        type = pointer.type
        assert isinstance(type, Pointer)
        mark = self._builder.mark()
        number = self._lower.value(index)
        self._leave_index_open(number, start, mark)
        aligned = _is_address(pointer)
        pointer = self._lower.settled(pointer, mark)
        if isinstance(array_type, Array):
            number = self._lower.lengths.check(array, number, span)
        moved = self._lower.operators.move(pointer, number, span, self._lower.lengths.stride(base))
        if libclang.is_volatile(cursor.type):
            register = self._register(moved, type.target, None, span)
            if register is not None:
                return register
        return Dereference(moved, type.target, 1 if aligned else self._symbols.types.alignment(cursor.type), span)

    def _leave_index_open(self, number: Expression, start: Mark, mark: Mark) -> None:
        """C does not say whether an array or its index comes first; C++ does: the array."""
        if not self._symbols.cplusplus:
            self._builder.leave_open(number, start, mark, (mark, self._builder.mark()))

    def _dereference(self, inner: Cursor, cursor: Cursor, span: Span) -> Place:
        array = strip(inner)
        type = self._lower.type_of(array)
        if isinstance(type, Array) and type.count:
            return Element(self.place(array), Constant(0, self._lower.int_type, span), type.element, span)
        pointer = self._lower.value(inner)
        type = self._lower.type_of(cursor)
        if libclang.is_volatile(cursor.type) or isinstance(type, Record):
            register = self._register(pointer, type, cursor, span)
            if register is not None:
                return register
        return self._behind(pointer, type, self._symbols.types.alignment(cursor.type), span)

    def _register(self, pointer: Expression, type: Type, named_by: Cursor | None, span: Span) -> Global | None:
        """What lies at a fixed address, if a pointer leads there: what is read of it is an input."""
        address = fixed_address(pointer, self._symbols)
        if address is None or not (is_scalar(type) or isinstance(type, Record)):
            return None
        return self._symbols.register(address, type, "" if named_by is None else macro_used(named_by), span)

    def _behind(self, pointer: Expression, type: Type, alignment: int, span: Span) -> Place:
        """What a pointer leads to; a member is where it is, be its record packed or not."""
        return Dereference(pointer, type, 1 if _is_address(pointer) else alignment, span)


def _named_around(declaration: Cursor) -> Cursor:
    """The class that an unnamed union or struct is part of."""
    while "(" in str(declaration.spelling):
        declaration = declaration.semantic_parent
    return declaration


def _is_address(pointer: Expression) -> bool:
    """Whether a pointer is the address of a place of the type it points to, or of an array of them."""
    while isinstance(pointer, PointerAdd):
        pointer = pointer.pointer
    return isinstance(pointer, AddressOf)
