"""Lowers expressions that have a value; what has an address and what decides has modules of its own.

Side effects become statements in the order C prescribes; the expression that is left has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import Hidden, has_address, hidden_kind
from stateglass.frontend.clang.libclang import CASTS, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import bare, strip
from stateglass.frontend.clang.units import FUNCTIONS
from stateglass.frontend.cplusplus.bases import Bases
from stateglass.frontend.cplusplus.exceptions import Exceptions
from stateglass.frontend.cplusplus.heap import Heap
from stateglass.frontend.cplusplus.lambdas import Lambdas
from stateglass.frontend.cplusplus.memberpointers import MemberPointers
from stateglass.frontend.cplusplus.methods import Methods
from stateglass.frontend.cplusplus.objects import Objects
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.cplusplus.tables import Tables
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, Mark, NotSupported
from stateglass.frontend.lowering.calls import REFUSED, Calls, returns_reference
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.deciding import Decisions
from stateglass.frontend.lowering.gnu import Extensions
from stateglass.frontend.lowering.lengths import Lengths
from stateglass.frontend.lowering.operators import Operators
from stateglass.frontend.lowering.places import Places
from stateglass.frontend.lowering.updates import Updates
from stateglass.frontend.lowering.volatile import input_name, needs_check, where_it_leads
from stateglass.frontend.lowering.widths import Widths
from stateglass.program import (
    AddressOf,
    Array,
    Assign,
    Constant,
    Convert,
    Dereference,
    Element,
    Expression,
    Float,
    FunctionReference,
    FunctionType,
    Global,
    Input,
    Int,
    Load,
    Local,
    Member,
    Place,
    Pointer,
    PointerAdd,
    Record,
    Scalar,
    Type,
    Void,
    is_scalar,
)
from stateglass.program.names import is_made_up
from stateglass.program.walk import base_of, everything_below
from stateglass.source import Span


@final
class Expressions:
    """Lowers the expressions of one function."""

    def __init__(self, symbols: Symbols, builder: FunctionBuilder) -> None:
        self.symbols = symbols
        self.builder = builder
        self.int_type = builder.int_type
        self.calls = Calls(self)
        self.updates = Updates(self)
        self.operators = Operators(self)
        self.lengths = Lengths(self)
        self.widths = Widths(self)
        self.extensions = Extensions(self)
        self.decisions = Decisions(self)
        self.objects = Objects(self)
        self.bases = Bases(self)
        self.methods = Methods(self)
        self.lambdas = Lambdas(self)
        self.tables = Tables(self)
        self.heap = Heap(self)
        self.member_pointers = MemberPointers(self)
        self.exceptions = Exceptions(self)
        self._places = Places(self)
        # Set by whoever lowers statements; static initialisers have none.
        self.run_statements: Callable[[Cursor, Local | None], None] | None = None

    def for_function(self, builder: FunctionBuilder) -> Expressions:
        """The same for another function, which nobody wrote."""
        return Expressions(self.symbols, builder)

    def type_of(self, cursor: Cursor) -> Type:
        type = self.symbols.types.convert(cursor.type)
        if isinstance(type, Array) and not self._is_array(cursor):
            return self.symbols.types.decayed(type, cursor.type)
        if isinstance(type, FunctionType) and _is_function_pointer(cursor):
            return self.symbols.types.decayed(type, cursor.type)
        return type

    def _is_array(self, cursor: Cursor) -> bool:
        """Whether an expression of array type is one: libclang gives a decayed pointer the array's type, too."""
        cursor = self.extensions.bare(cursor)
        match cursor.kind:
            case CursorKind.UNEXPOSED_EXPR:
                inner = libclang.children(cursor)
                if hidden_kind(cursor) is Hidden.FUNCTION_NAME:
                    return True
                if self.symbols.cplusplus and has_address(cursor):
                    return True
                return len(inner) == 1 and cursor.type == inner[0].type and self._is_array(inner[0])
            case CursorKind.DECL_REF_EXPR:
                declared = cursor.referenced
                return bool(declared.kind is not CursorKind.PARM_DECL or is_reference(declared.type))
            case CursorKind.UNARY_OPERATOR:
                return libclang.unary_operator(cursor) == "*"
            case CursorKind.BINARY_OPERATOR | CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                return False
            case CursorKind.CALL_EXPR:
                return returns_reference(cursor)
            case CursorKind.CONDITIONAL_OPERATOR:
                return self.symbols.cplusplus and has_address(cursor)
            case CursorKind.CSTYLE_CAST_EXPR:
                return False
            case CursorKind.MEMBER_REF_EXPR | CursorKind.ARRAY_SUBSCRIPT_EXPR | CursorKind.StmtExpr:
                return True
            case CursorKind.STRING_LITERAL | CursorKind.COMPOUND_LITERAL_EXPR | CursorKind.INIT_LIST_EXPR:
                return True
            case _:
                raise NotSupported(libclang.describe(cursor), span_of(cursor))

    def scalar_type(self, cursor: Cursor) -> Scalar:
        type = self.type_of(cursor)
        if is_scalar(type):
            return type
        raise NotSupported(f"values of type {cursor.type.spelling}", span_of(cursor))

    # ---- values

    def value(self, cursor: Cursor) -> Expression:
        """A scalar expression's value; its side effects are emitted."""
        cursor = self.extensions.bare(cursor)
        match cursor.kind:
            case kind if kind in CASTS:
                return self.cast(cursor)
            case CursorKind.UNEXPOSED_EXPR:
                return self.extensions.unexposed(cursor)
            case CursorKind.SIZE_OF_PACK_EXPR:
                return self.constant(cursor)
            case CursorKind.INTEGER_LITERAL | CursorKind.CHARACTER_LITERAL | CursorKind.CXX_UNARY_EXPR:
                return self.constant(cursor)
            case CursorKind.CXX_BOOL_LITERAL_EXPR | CursorKind.CONCEPT_SPECIALIZATION_EXPR | CursorKind.REQUIRES_EXPR:
                return self.constant(cursor)
            case CursorKind.CXX_NULL_PTR_LITERAL_EXPR | CursorKind.GNU_NULL_EXPR:
                return Constant(0, self.scalar_type(cursor), span_of(cursor))
            case CursorKind.CXX_THIS_EXPR:
                return self.objects.this(span_of(cursor))
            case CursorKind.CXX_NEW_EXPR:
                return self.heap.new(cursor)
            case CursorKind.FLOATING_LITERAL:
                return self._floating(cursor)
            case CursorKind.DECL_REF_EXPR:
                return self._reference(cursor)
            case CursorKind.CXX_DYNAMIC_CAST_EXPR:
                return self.tables.cast_pointer(cursor)
            case CursorKind.MEMBER_REF_EXPR | CursorKind.ARRAY_SUBSCRIPT_EXPR | CursorKind.COMPOUND_LITERAL_EXPR:
                return convert(self.load(self.place(cursor), cursor), self.scalar_type(cursor), span_of(cursor))
            case CursorKind.UNARY_OPERATOR:
                return self.operators.unary(cursor)
            case CursorKind.BINARY_OPERATOR:
                return self.operators.binary(cursor)
            case CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
                return self.updates.compound(cursor)
            case CursorKind.CONDITIONAL_OPERATOR:
                chosen = self.decisions.conditional(cursor)
                return Load(chosen, self.widths.type_of(cursor) or self.scalar_type(cursor), span_of(cursor))
            case CursorKind.CALL_EXPR:
                return self.calls.value(cursor)
            case CursorKind.StmtExpr:
                return self.extensions.result_of_statements(cursor)
            case CursorKind.ADDR_LABEL_EXPR:
                return self.extensions.label(cursor)
            case CursorKind.INIT_LIST_EXPR:
                inner = libclang.children(cursor)
                if not inner:
                    return Constant(0, self.scalar_type(cursor), span_of(cursor))
                if len(inner) == 1:
                    return convert(self.value(inner[0]), self.scalar_type(cursor), span_of(cursor))
            case _:
                pass
        raise NotSupported(libclang.describe(cursor), span_of(cursor))

    def discard(self, cursor: Cursor) -> None:
        """An expression evaluated for its side effects."""
        cursor = self.extensions.bare(cursor)
        match cursor.kind:
            case CursorKind.CALL_EXPR:
                self.calls.call(cursor, wanted=False)
                return
            case CursorKind.CONDITIONAL_OPERATOR:
                self.decisions.choose_effect(cursor)
                return
            case CursorKind.BINARY_OPERATOR if cursor.spelling == ",":
                left, right = libclang.children(cursor)
                self.discard(left)
                self.discard(right)
                return
            case CursorKind.UNEXPOSED_EXPR if hidden_kind(cursor) is Hidden.ATOMIC:
                self.extensions.atomic(cursor)
                return
            case CursorKind.CXX_THROW_EXPR:
                self.exceptions.throw(cursor)
                return
            case CursorKind.CXX_DELETE_EXPR:
                self.heap.delete(cursor)
                return
            case CursorKind.UNEXPOSED_EXPR if hidden_kind(cursor) is Hidden.WHOLE:
                with self.objects.whole():
                    self.discard(libclang.operand(cursor))
                return
            case CursorKind.UNEXPOSED_EXPR if hidden_kind(cursor) in (Hidden.BOUND, Hidden.REWRITTEN):
                self.discard(libclang.operand(cursor))
                return
            case CursorKind.UNEXPOSED_EXPR | CursorKind.CSTYLE_CAST_EXPR | CursorKind.CXX_STATIC_CAST_EXPR:
                if libclang.is_cast(cursor) and isinstance(self.type_of(cursor), Void):
                    self.discard(libclang.operand(cursor))
                    return
            case CursorKind.UNARY_OPERATOR if libclang.unary_operator(cursor) in ("x++", "x--"):
                self.updates.step(cursor, keep_old=False)
                return
            case CursorKind.StmtExpr:
                self.extensions.run(cursor, None)
                return
            case _:
                pass
        type = self.type_of(cursor)
        if isinstance(type, Record | Array):
            self.place(cursor)
        elif is_scalar(type):
            self.value(cursor)
        elif isinstance(type, FunctionType) and strip(cursor).kind is CursorKind.DECL_REF_EXPR:
            pass  # naming a function does nothing
        else:
            raise NotSupported(libclang.describe(cursor), span_of(cursor))

    def cast(self, cursor: Cursor) -> Expression:
        inner = libclang.operand(cursor)
        span = span_of(cursor)
        type = self.scalar_type(cursor)
        source = self.type_of(inner)
        if cursor.kind is CursorKind.CSTYLE_CAST_EXPR:
            self.lengths.compute(cursor.type, cursor, inner)
        if isinstance(source, Array):
            place = self.place(inner)
            decayed = AddressOf(place, Pointer(source.element, self._pointer_size(type)), span)
            return decayed if isinstance(type, Pointer) else convert(decayed, type, span)
        if isinstance(source, FunctionType):
            return self.function_pointer(inner, type)
        if (member := self.member_pointers.converted(cursor)) is not None:
            return member
        value = self.value(inner)
        if isinstance(type, Pointer) and isinstance(source, Pointer) and type.target != source.target:
            return self.bases.moved_pointer(value, inner.type, cursor.type, span)
        return convert(value, type, span)

    def behind(self, pointer: Expression, span: Span) -> Place:
        """What a pointer leads to, if it is that of a reference: whoever made it has looked at it."""
        assert isinstance(pointer.type, Pointer)
        if isinstance(pointer, AddressOf):
            return pointer.place
        return Dereference(pointer, pointer.type.target, 1, span)

    def _pointer_size(self, type: Type) -> int:
        return type.size if isinstance(type, Pointer) else self.symbols.ptrdiff_type.bits // 8

    def function_pointer(self, cursor: Cursor, type: Scalar) -> Expression:
        """A function used as a value; `*f` and `&f` are `f` again."""
        inner = strip(cursor)
        span = span_of(cursor)
        if inner.kind is CursorKind.UNARY_OPERATOR and libclang.unary_operator(inner) == "*":
            return convert(self.value(libclang.children(inner)[0]), type, span)
        named = inner.referenced
        if inner.kind is CursorKind.CALL_EXPR or (named is not None and named.kind not in FUNCTIONS):
            return convert(self.objects.address(self.place(inner), span), type, span)  # a reference to a function
        if inner.kind is not CursorKind.DECL_REF_EXPR:
            raise NotSupported(libclang.describe(inner), span)
        if not isinstance(type, Pointer):
            raise NotSupported("a function's address as a number", span)
        return self._address_of_function(inner.referenced, type, span)

    def _address_of_function(self, declaration: Cursor, type: Pointer, span: Span) -> Expression:
        if self.symbols.is_absent(declaration):
            return Constant(0, type, span)
        if declaration.spelling in REFUSED and not self.symbols.is_defined(declaration):
            raise NotSupported(REFUSED[declaration.spelling], span)
        if refusal := self.symbols.refusal(declaration):
            raise NotSupported(refusal, span)
        return FunctionReference(self.symbols.function(declaration), type, span)

    def constant(self, cursor: Cursor) -> Expression:
        value = libclang.evaluate(cursor)
        measured = libclang.expression_children(cursor) if cursor.kind is CursorKind.CXX_UNARY_EXPR else []
        if len(measured) == 1 and (size := self.widths.size_of(measured[0])) is not None:
            value = size
        if value is None and cursor.kind is CursorKind.CXX_UNARY_EXPR:
            type = self.scalar_type(cursor)
            assert isinstance(type, Int)
            return self.lengths.size_of(cursor, type)
        if value is None:
            raise NotSupported(libclang.describe(cursor), span_of(cursor))
        return Constant(value, self.scalar_type(cursor), span_of(cursor))

    def _floating(self, cursor: Cursor) -> Expression:
        type, span = self.scalar_type(cursor), span_of(cursor)
        assert isinstance(type, Float)
        bits = libclang.floating_bits(cursor, type)
        if bits is None:
            raise NotSupported(f"this constant of type {cursor.type.spelling}", span)
        return Constant(bits, type, span)

    def _reference(self, cursor: Cursor) -> Expression:
        target = cursor.referenced
        if target.kind is CursorKind.ENUM_CONSTANT_DECL:
            # The constant is an int, and no variable need have the type: the program knows its enums all the same.
            self.symbols.types.convert(target.semantic_parent.type)
            return self._enumerator(target.enum_value, self.scalar_type(cursor), span_of(cursor))
        if self.symbols.cplusplus and (known := self._known_constant(cursor)) is not None:
            return known
        if isinstance(self.type_of(cursor), FunctionType):
            if target.kind not in FUNCTIONS:
                return self.objects.address(self.place(cursor), span_of(cursor))
            pointer = Pointer(self.type_of(cursor), self.symbols.ptrdiff_type.bits // 8)
            return self._address_of_function(target, pointer, span_of(cursor))
        return self.load(self.place(cursor), cursor)

    def _known_constant(self, cursor: Cursor) -> Expression | None:
        """What an instance of a template of variables holds, if it is a number that is known."""
        type = self.type_of(cursor)
        if not libclang.is_variable_instance(cursor.referenced) or not is_scalar(type) or isinstance(type, Float):
            return None
        value = libclang.evaluate(cursor) if cursor.type.is_const_qualified() else None
        return None if value is None else Constant(value, type, span_of(cursor))

    def _enumerator(self, value: int, type: Scalar, span: Span) -> Expression:
        """An enumerator that fits `int` is one to gcc, whatever the others are."""
        fits = self.int_type.low <= value <= self.int_type.high and not self.symbols.cplusplus
        if fits and type != self.int_type:
            self.symbols.types.has_own_widths = True
            type = self.int_type
        return Constant(value, type, span)

    def load(self, place: Place, cursor: Cursor) -> Expression:
        """Read a place; a volatile one is an input."""
        type = place.type
        span = span_of(cursor)
        if not is_scalar(type):
            raise NotSupported(f"values of type {cursor.type.spelling}", span)
        self.refuse_fixed_address(place, span)
        is_register = self._is_register(place, cursor, span)
        if is_register or (self.symbols.volatile_is_input and libclang.is_volatile(cursor.type)):
            place = where_it_leads(place, self.symbols)
            base = base_of(place)
            if isinstance(base, Dereference):
                raise NotSupported("reading through a pointer to volatile", span)
            if isinstance(base, Global):
                chosen = self.builder.temporary(type, span)
                if needs_check(place):
                    # What is read does not come from memory, but an index must be right all the same.
                    pointer = Pointer(type, self.symbols.types.pointer_size)
                    checked = self.builder.temporary(pointer, span)
                    self.builder.emit(Assign(checked, AddressOf(place, pointer, span), span))
                self.builder.emit(Input(chosen, input_name(place), type, span))
                return Load(chosen, type, span)
        return Load(place, type, span)

    def record(self, cursor: Cursor) -> Place:
        """A record that is read as a whole."""
        place, span = self.place(cursor), span_of(cursor)
        self.refuse_fixed_address(place, span)
        is_register = self._is_register(place, cursor, span)
        is_input = is_register or (self.symbols.volatile_is_input and libclang.is_volatile(strip(cursor).type))
        if is_input and not isinstance(base_of(place), Local):
            raise NotSupported("reading a volatile record as a whole", span)
        return place

    def refuse_fixed_address(self, place: Place, span: Span) -> None:
        """What lies at a number, as in `*(int *)0x4000`, is known to the machine that the program is for, not to us."""
        base = base_of(place)
        pointer = base.pointer if isinstance(base, Dereference) else None
        while isinstance(pointer, PointerAdd | Convert):
            pointer = pointer.pointer if isinstance(pointer, PointerAdd) else pointer.operand
        if isinstance(pointer, Constant) and pointer.value:
            raise NotSupported(f"memory at a fixed address ({pointer.value:#x})", span)

    def _is_register(self, place: Place, cursor: Cursor, span: Span) -> bool:
        """Whether what is read is an input for sure; who writes other memory at a fixed address is not known."""
        base = base_of(place)
        is_register = isinstance(base, Global) and self.symbols.is_register(base.name)
        if is_register and not libclang.is_volatile(strip(cursor).type):
            raise NotSupported("memory at a fixed address that is not volatile", span)
        return is_register

    def stored(self, place: Place, type: Scalar, span: Span) -> Expression:
        """What an assignment to a place has as its value; a bit-field's comes in its declared type."""
        own = place.type
        assert is_scalar(own)
        # In C++ an assignment is its place, which is read like any other.
        return convert(Load(place, own, span, stored=not self.symbols.cplusplus), type, span)

    # ---- what was evaluated stays what it was, whatever is called before it is used

    def settled(self, value: Expression, mark: Mark) -> Expression:
        """The value that an expression had at an earlier point; the order of operands that C leaves open is gcc's."""
        if self.builder.called_since(mark) and _may_change(value):
            self.builder.leave_open(value, mark)
            return self.builder.keep_at(mark, value)
        return value

    def sequenced(self, value: Expression, mark: Mark) -> Expression:
        """The value that an expression had at an earlier point, where the language itself says that it comes first."""
        return self.builder.keep_at(mark, value) if self.builder.mark() != mark and _may_change(value) else value

    def settled_place(self, place: Place, mark: Mark) -> Place:
        """The place that was found at an earlier point: its pointers and indices are those of then."""
        if not self.builder.called_since(mark):
            return place
        match place:
            case Dereference(pointer):
                return replace(place, pointer=self.settled(pointer, mark))
            case Element(base, index):
                index = self.settled(index, mark)
                return replace(place, base=self.settled_place(base, mark), index=index)
            case Member(base):
                return replace(place, base=self.settled_place(base, mark))
            case Global() | Local():
                return place
            case _:
                assert_never(place)

    def variable_place(self, declaration: Cursor, span: Span) -> Place:
        return self._places.variable(declaration, span)

    def place(self, cursor: Cursor) -> Place:
        """Something with an address; also a record value, which then is a temporary."""
        return self._places.place(cursor)


def _may_change(value: Expression) -> bool:
    """Whether a call may change what an expression reads: all but what was set aside for it alone."""
    for node in everything_below(value):
        if isinstance(node, Load):
            base = base_of(node.place)
            if not (isinstance(base, Local) and is_made_up(base.name) and is_scalar(base.type)):
                return True
    return False


def _is_function_pointer(cursor: Cursor) -> bool:
    """Whether an expression of function type is a pointer: a parameter `int f()` is one, and so is its value."""
    cursor = bare(cursor)
    match cursor.kind:
        case CursorKind.DECL_REF_EXPR:
            declared = cursor.referenced
            return bool(declared.kind is CursorKind.PARM_DECL and not is_reference(declared.type))
        case CursorKind.UNEXPOSED_EXPR:
            return True
        case CursorKind.UNARY_OPERATOR | CursorKind.MEMBER_REF_EXPR:
            return False
        case CursorKind.CALL_EXPR:
            return not returns_reference(cursor)
        case _:
            raise NotSupported(libclang.describe(cursor), span_of(cursor))
