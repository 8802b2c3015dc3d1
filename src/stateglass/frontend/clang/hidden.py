"""What libclang hides: what `_Generic` chooses, and the kinds of expressions it does not name.

All are read from the statement object behind a cursor; how it is laid out is learned from probe files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, unique
from functools import cache
from typing import Final, final

from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import Cursor, children, evaluate, expression_children, parse
from stateglass.frontend.clang.words import class_number, word


@final
@unique
class Hidden(Enum):
    """Expressions that libclang does not name: it shows all of them as one kind, "unexposed"."""

    CONVERSION = "an implicit conversion"
    CONSTANT = "a constant expression"
    WHOLE = "a full expression with temporaries"
    TEMPORARY = "a temporary"
    FUNCTION_NAME = "__func__"
    OFFSET_OF = "offsetof"
    CONDITIONAL = "a ?: b"
    CHOICE = "__builtin_choose_expr"
    TYPE_TEST = "__builtin_types_compatible_p"
    VARIADIC_ARGUMENT = "va_arg"
    ATOMIC = "an atomic operation"
    BOUND = "an object that is destroyed with the expression"
    DEFAULT_ARGUMENT = "a default argument"
    ZERO = "the value that a type starts with"
    VALUE_LIST = "a list of values"
    REWRITTEN = "an operator in terms of another one"
    ARRAY_COPY = "an array as a copy of another one"
    ARRAY_INDEX = "the number of the element that is copied"
    OTHER = "an expression that libclang does not name"


# One of each, as the initialiser of a variable that is called like it.
_PROBE: Final = """
struct record { int x; } make(void);
int probe(int n, ...) {
    __builtin_va_list list;
    int conversion = n;
    const char *function_name = __func__;
    unsigned long offset_of = __builtin_offsetof(struct { int x; }, x);
    int whole = make().x;
    int conditional = n ?: 2;
    int choice = __builtin_choose_expr(1, n, 3);
    int type_test = __builtin_types_compatible_p(int, long);
    int variadic_argument = __builtin_va_arg(list, int);
    int atomic = __atomic_load_n(&n, 5);
    switch (n) { case 1 + 1: ; }
}
"""


# For C++; what stands around the expression meant is of a class that is known by then.
_CPLUSPLUS_PROBE: Final = """
namespace std { template <class T> struct initializer_list { const T *first; unsigned long size; }; }
struct object { int x; object(); object(std::initializer_list<int>); ~object(); bool operator==(int) const; };
int called(int n = 7);
int probe() {
    int result = called();
    int zero = int();
    int *made = new int();
    object bound = object();
    object value_list{1, 2};
    bool rewritten = object() != 3;
    int array[2];
    auto [array_copy, other] = array;
}
"""


def _statement_class(cursor: Cursor) -> int:
    return class_number(cursor.data[1])


@cache
def _hidden_classes() -> dict[int, Hidden]:
    """Which class is which in this libclang, learned from a file in which we know."""
    unit, _ = parse("probe.c", [], _PROBE)
    found: dict[int, Hidden] = {}
    for cursor in unit.cursor.walk_preorder():
        if cursor.kind is CursorKind.CASE_STMT:
            found[_statement_class(children(cursor)[0])] = Hidden.CONSTANT
        if cursor.kind is CursorKind.MEMBER_REF_EXPR:
            found[_statement_class(children(cursor)[0])] = Hidden.TEMPORARY
        if cursor.kind is CursorKind.VAR_DECL and cursor.spelling.upper() in Hidden.__members__:
            value = expression_children(cursor)[-1]
            hidden = Hidden[cursor.spelling.upper()]
            while hidden is not Hidden.CONVERSION and _statement_class(value) in found:
                value = children(value)[0]  # a conversion to the variable's type stands around it
            found.setdefault(_statement_class(value), hidden)
    return found | _cplusplus_classes(found)


def _cplusplus_classes(known: Mapping[int, Hidden]) -> dict[int, Hidden]:
    """The same for what only C++ has."""
    unit, _ = parse("probe.cpp", ["-xc++", "-std=c++20"], _CPLUSPLUS_PROBE)
    found: dict[int, Hidden] = {}
    for cursor in unit.cursor.walk_preorder():
        inner = expression_children(cursor)
        name = str(cursor.spelling).upper()
        if cursor.kind is CursorKind.CALL_EXPR and cursor.spelling == "called":
            found[_statement_class(inner[-1])] = Hidden.DEFAULT_ARGUMENT
        elif cursor.kind is CursorKind.CXX_NEW_EXPR:
            found[_statement_class(inner[-1])] = Hidden.ZERO
        elif cursor.kind is CursorKind.UNEXPOSED_DECL and inner:
            found[_statement_class(inner[-1])] = Hidden.ARRAY_COPY
            (index,) = (c for c in inner[-1].walk_preorder() if c.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR)
            found[_statement_class(expression_children(index)[-1])] = Hidden.ARRAY_INDEX
        elif cursor.kind is CursorKind.VAR_DECL and inner and name in Hidden.__members__:
            value = inner[-1]
            while _statement_class(value) in known or (name == "VALUE_LIST" and value.kind is CursorKind.CALL_EXPR):
                value = expression_children(value)[-1]
            found[_statement_class(value)] = Hidden[name]
    return found


def hidden_kind(cursor: Cursor) -> Hidden:
    """What an unexposed expression is."""
    return _hidden_classes().get(_statement_class(cursor), Hidden.OTHER)


_CONVERTED: Final = 2  # where a conversion keeps what is converted, in words


def inside_conversion(address: int, known: Mapping[int, Cursor]) -> Cursor | None:
    """The expression at an address, or the one that is converted there, if it is among the known ones."""
    while address not in known:
        if _hidden_classes().get(class_number(address)) not in (Hidden.CONVERSION, Hidden.CONSTANT):
            return None
        address = word(address, _CONVERTED)
    return known[address]


def is_selection(cursor: Cursor) -> bool:
    """Whether this is `_Generic` or `__builtin_choose_expr`."""
    if cursor.kind is CursorKind.GENERIC_SELECTION_EXPR:
        return True
    return cursor.kind is CursorKind.UNEXPOSED_EXPR and hidden_kind(cursor) is Hidden.CHOICE


def selected(cursor: Cursor) -> Cursor | None:
    """The branch that a selection stands for; None if this libclang does not tell, and for anything else."""
    if not is_selection(cursor):
        return None
    if cursor.kind is CursorKind.GENERIC_SELECTION_EXPR:
        return _branch_by_pointer(cursor) if _selections_known() else None
    condition, then, other = children(cursor)
    value = evaluate(condition)
    return None if value is None else then if value else other


# Where `_Generic` keeps how many branches there are, and the branches, in words.
_NUMBERS: Final = 2
_BRANCHES: Final = 4


def _branch_by_pointer(cursor: Cursor) -> Cursor | None:
    """The statement object says how many branches there are and which one counts, and has pointers to all of them."""
    numbers = word(cursor.data[1], _NUMBERS)
    count, chosen, has_expression = numbers & 0x7FFF, numbers >> 15 & 0x7FFF, numbers >> 30 & 1
    by_address = {child.data[1]: child for child in expression_children(cursor)}
    if chosen >= count or count > len(by_address):
        return None
    return by_address.get(word(cursor.data[1], _BRANCHES + chosen + has_expression))


@cache
def _selections_known() -> bool:
    """Whether the layout that `_branch_by_pointer` relies on is the one of this libclang."""
    probe = """int f(int n) {
        int a[] = {_Generic(n, long: 1, default: 2, int: 3), _Generic(1L, long: 1, default: 2, int: 3),
            _Generic(1.0, long: 1, default: 2, int: 3), _Generic(1 ? "" : 0, char *: 1, int: 2)};
    }"""
    unit, _ = parse("probe.c", [], probe)
    found = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.GENERIC_SELECTION_EXPR]
    branches = [_branch_by_pointer(c) for c in found]
    return [None if b is None else evaluate(b) for b in branches] == [3, 1, 2, 1]


def template_argument(cursor: Cursor) -> Cursor | None:
    """The value that stands for a parameter of a template: libclang shows a name that refers to nothing around it."""
    if cursor.kind is not CursorKind.DECL_REF_EXPR or cursor.referenced is not None:
        return None
    return next(iter(expression_children(cursor)), None)


def zero_first(construction: Cursor) -> bool:
    """Whether an object is set to zero before its constructor is called: `T()`, but not `T x;`."""
    return bool(_bits(construction) & _zero_bit())


def _bits(cursor: Cursor) -> int:
    """What a statement object says about itself besides its class."""
    return word(cursor.data[1]) >> 8


@cache
def _zero_bit() -> int:
    """Which of the bits says that an object is set to zero first, in this libclang."""
    return _telling_bit("struct plain { int x; };", "new plain();", "new plain;", CursorKind.CALL_EXPR)


def has_initial(choice: Cursor) -> bool:
    """Whether a statement stands before the condition of an `if`."""
    return bool(_bits(choice) & _initial_bit())


@cache
def _initial_bit() -> int:
    """Which of the bits says so, in this libclang."""
    return _telling_bit("int x;", "if (x; x) ;", "if (x) ;", CursorKind.IF_STMT)


def is_in_braces(construction: Cursor) -> bool:
    """Whether the arguments of a constructor stand in braces, where the left one comes first."""
    return bool(_bits(construction) & _brace_bit())


@cache
def _brace_bit() -> int:
    """Which of the bits says so, in this libclang."""
    return _telling_bit("struct plain { plain(int, int); };", "plain{1, 2};", "plain(1, 2);", CursorKind.CALL_EXPR)


def _telling_bit(declared: str, one: str, other: str, kind: CursorKind) -> int:
    """The bit that is set in one kind of statements and not in another.

    Bits that nobody uses may be anything: there are several of each, and the lowest bit that tells them apart counts.
    """
    unit, _ = parse("probe.cpp", ["-xc++", "-std=c++20"], f"{declared} void probe() {{ {f'{one} {other} ' * 8} }}")
    found = [_bits(c) & 0xFFFFFF for c in unit.cursor.walk_preorder() if c.kind is kind]
    telling = 0xFFFFFF
    for set_in, missing_in in zip(found[::2], found[1::2], strict=True):
        telling &= set_in & ~missing_in
    if not telling:
        raise AssertionError("this libclang keeps its bits elsewhere")
    return telling & -telling


_VALUE_KIND: Final = 1  # where it begins among the bits: behind the rest of the class


def has_address(cursor: Cursor) -> bool:
    """Whether an expression of C++ is a place, and not just a value."""
    return _value_kinds_known() and bool(_bits(cursor) >> _VALUE_KIND & 3)


@cache
def _value_kinds_known() -> bool:
    """Whether the kinds of values are where we look for them in this libclang."""
    probe = "int &f(int x, int &&y) { x; 1; f(x, 2); x + 1; static_cast<int &&>(x); return x; }"
    unit, _ = parse("probe.cpp", ["-xc++"], probe)
    body = next(c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.COMPOUND_STMT)
    found = [_bits(c) >> _VALUE_KIND & 3 for c in children(body)[:5]]
    if found != [1, 0, 1, 0, 2]:
        raise AssertionError("this libclang keeps the kinds of values elsewhere")
    return True


def extended_temporaries(cursor: Cursor) -> Iterator[Cursor]:
    """The temporaries that live on with a reference to an expression: itself, or what it is a part of."""
    match cursor.kind:
        case CursorKind.UNEXPOSED_EXPR if hidden_kind(cursor) is Hidden.TEMPORARY:
            yield cursor
            # A temporary of which only a part is meant stands inside.
            yield from extended_temporaries(expression_children(cursor)[-1])
        case CursorKind.UNEXPOSED_EXPR if hidden_kind(cursor) in (Hidden.CONVERSION, Hidden.VALUE_LIST):
            yield from extended_temporaries(expression_children(cursor)[-1])
        case CursorKind.MEMBER_REF_EXPR | CursorKind.ARRAY_SUBSCRIPT_EXPR:
            for inner in expression_children(cursor)[:1]:
                yield from extended_temporaries(inner)
        case CursorKind.BINARY_OPERATOR if cursor.spelling == ",":
            yield from extended_temporaries(expression_children(cursor)[-1])
        case CursorKind.CONDITIONAL_OPERATOR:
            for side in expression_children(cursor)[1:]:
                yield from extended_temporaries(side)
        case kind if kind is CursorKind.PAREN_EXPR or kind in _REFERRING_CASTS:
            yield from extended_temporaries(expression_children(cursor)[-1])
        case _:
            pass


_REFERRING_CASTS: Final = (
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_CONST_CAST_EXPR,
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
)
