"""Expressions without what changes nothing about them, and whether one does something."""

from __future__ import annotations

from typing import Final

from clang.cindex import CursorKind

from stateglass.frontend.clang.hidden import Hidden, hidden_kind, selected, template_argument
from stateglass.frontend.clang.libclang import (
    Cursor,
    children,
    describe,
    expression_children,
    is_volatile,
    unary_operator,
)
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.lowering.builder import NotSupported

_STEPS: Final = ("x++", "x--", "++x", "--x")
_IMPLICIT: Final = (Hidden.CONVERSION, Hidden.CONSTANT, Hidden.WHOLE, Hidden.TEMPORARY)


def transparent(cursor: Cursor) -> Cursor | None:
    """What an expression is nothing but a guise of: brackets, `__extension__`, and selections are. None for others."""
    match cursor.kind:
        case CursorKind.PAREN_EXPR:
            return children(cursor)[0]
        case CursorKind.UNARY_OPERATOR if unary_operator(cursor) == "__extension__":
            return children(cursor)[0]
        case _:
            return selected(cursor) or template_argument(cursor)


def bare(cursor: Cursor) -> Cursor:
    """The expression inside all that is transparent."""
    while (inner := transparent(cursor)) is not None:
        cursor = inner
    return cursor


def strip(cursor: Cursor) -> Cursor:
    """The expression inside all that is transparent and all implicit conversions."""
    while True:
        cursor = bare(cursor)
        if cursor.kind is not CursorKind.UNEXPOSED_EXPR or hidden_kind(cursor) not in _IMPLICIT:
            return cursor
        cursor = expression_children(cursor)[0]


def is_throw(cursor: Cursor) -> bool:
    """Whether control never comes behind an expression: `throw x`."""
    return bool(strip(cursor).kind is CursorKind.CXX_THROW_EXPR)


def acts(cursor: Cursor) -> bool:
    """Whether an expression, its operands aside, may do more than give a value."""
    match cursor.kind:
        case CursorKind.CALL_EXPR | CursorKind.COMPOUND_ASSIGNMENT_OPERATOR | CursorKind.StmtExpr:
            return True
        case CursorKind.BINARY_OPERATOR:
            return bool(cursor.spelling == "=")
        case CursorKind.UNARY_OPERATOR:
            return unary_operator(cursor) in _STEPS
        case CursorKind.UNEXPOSED_EXPR:
            return hidden_kind(cursor) in (Hidden.VARIADIC_ARGUMENT, Hidden.ATOMIC, Hidden.DEFAULT_ARGUMENT)
        case CursorKind.CXX_NEW_EXPR | CursorKind.CXX_DELETE_EXPR | CursorKind.CXX_THROW_EXPR | CursorKind.LAMBDA_EXPR:
            return True
        case (
            CursorKind.PAREN_EXPR
            | CursorKind.GENERIC_SELECTION_EXPR
            | CursorKind.CSTYLE_CAST_EXPR
            | CursorKind.CXX_STATIC_CAST_EXPR
            | CursorKind.CXX_CONST_CAST_EXPR
            | CursorKind.CXX_REINTERPRET_CAST_EXPR
            | CursorKind.CXX_FUNCTIONAL_CAST_EXPR
            | CursorKind.CXX_DYNAMIC_CAST_EXPR
            | CursorKind.CXX_TYPEID_EXPR
            | CursorKind.CXX_BOOL_LITERAL_EXPR
            | CursorKind.CXX_NULL_PTR_LITERAL_EXPR
            | CursorKind.GNU_NULL_EXPR
            | CursorKind.CXX_THIS_EXPR
            | CursorKind.CONCEPT_SPECIALIZATION_EXPR
            | CursorKind.REQUIRES_EXPR
            | CursorKind.SIZE_OF_PACK_EXPR
            | CursorKind.CXX_PAREN_LIST_INIT_EXPR
            | CursorKind.CONDITIONAL_OPERATOR
            | CursorKind.DECL_REF_EXPR
            | CursorKind.MEMBER_REF_EXPR
            | CursorKind.ARRAY_SUBSCRIPT_EXPR
            | CursorKind.COMPOUND_LITERAL_EXPR
            | CursorKind.INIT_LIST_EXPR
            | CursorKind.CXX_UNARY_EXPR
            | CursorKind.ADDR_LABEL_EXPR
            | CursorKind.INTEGER_LITERAL
            | CursorKind.CHARACTER_LITERAL
            | CursorKind.FLOATING_LITERAL
            | CursorKind.STRING_LITERAL
        ):
            return False
        case _:
            raise NotSupported(describe(cursor), span_of(cursor))


def does_something(cursor: Cursor) -> bool:
    """Whether evaluating an expression may do more than give a value."""
    if acts(cursor):
        return True
    if cursor.kind in (CursorKind.CXX_UNARY_EXPR, CursorKind.REQUIRES_EXPR):
        return False
    return is_volatile(cursor.type) or any(does_something(c) for c in expression_children(cursor))
