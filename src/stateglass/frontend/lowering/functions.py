"""Lowers functions: their parameters, and what C++ adds before and after their bodies."""

from __future__ import annotations

import ctypes

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.cplusplus.classes import is_left_to_compiler
from stateglass.frontend.cplusplus.exceptions import never_throws
from stateglass.frontend.cplusplus.members import BODIES, Members, only_returned
from stateglass.frontend.cplusplus.signatures import Signature, is_passed_by_address, is_reference, signature_of
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.reached import failing_if_reached
from stateglass.frontend.lowering.statements import Statements
from stateglass.frontend.lowering.types import is_internal
from stateglass.program import (
    Assign,
    Call,
    Constant,
    Function,
    Int,
    Load,
    Local,
    Opaque,
    Return,
    Type,
    Unsupported,
    is_scalar,
)
from stateglass.program.names import RESULT, THIS


def lower_function(cursor: Cursor, name: str, symbols: Symbols, int_type: Int) -> Function:
    """The function whose definition `cursor` is."""
    signature = signature_of(cursor, symbols.types)
    builder = FunctionBuilder(name, int_type, symbols.types.pointer_size)
    parameters = _enter(builder, signature, cursor, symbols)
    builder.never_throws, builder.result_type = never_throws(cursor, symbols.types), signature.result
    lowering = Statements(symbols, builder, signature.result)
    span = span_of(cursor)
    refused = _refuse([p.type for p in parameters], signature.result)
    if refused:
        builder.emit(Unsupported(refused, span))
    elif lacking := symbols.not_understood(span):
        builder.emit(Unsupported(f"something that our C++ library does not have ({lacking.message})", lacking.span))
    else:
        try:
            for parameter in cursor.get_arguments():
                lowering.expressions.lengths.compute_for_parameter(parameter)
            lower_body(cursor, lowering)
        except NotSupported as reason:
            builder.give_up(0, reason.reason, reason.span)
        except (RecursionError, ctypes.ArgumentError):  # the latter when the end comes on the way to clang
            builder.give_up(0, "code that is nested as deep as this", span)
    result = signature.result
    # The end of main returns 0 (C 5.1.2.2.3).
    falls_off = Constant(0, result, span) if name == "main" and isinstance(result, Int) else None
    if name == "main" and (end := symbols.end_of_program()) is not None:
        builder.emit_quietly(Call(None, end, (), span))
    builder.finish(Return(falls_off, span))
    variadic = cursor.type.kind is TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic()
    blocks = builder.blocks()
    orders = builder.open_orders()
    lowered = Function(
        name, result, tuple(parameters), tuple(builder.locals), blocks, variadic, orders, is_internal(cursor), span
    )
    return failing_if_reached(lowered)


def _enter(builder: FunctionBuilder, signature: Signature, cursor: Cursor, symbols: Symbols) -> list[Local]:
    """The parameters, hidden ones first, as variables of the function."""
    hidden = list(signature.parameters[: signature.hidden])
    for local in hidden:
        builder.add_local(local.name, local.type, local.span)
    builder.result = next((p for p in hidden if p.name == RESULT), None)
    builder.returns_reference = is_reference(cursor.result_type)
    if hidden and hidden[0].name == THIS:
        builder.this, builder.owner = hidden[0], cursor.semantic_parent.type
        captures = symbols.captures.get(libclang.declaration_key(cursor.semantic_parent), [])
        builder.captures = {capture.declaration: capture for capture in captures}
    written = []
    given = signature.parameters[signature.hidden :]
    for passed, parameter in zip(given, cursor.get_arguments(), strict=True):
        local = builder.add_local(passed.name, passed.type, passed.span, libclang.declaration_key(parameter))
        if is_reference(parameter.type) or is_passed_by_address(parameter.type, symbols.types):
            builder.behind.add(local.name)
        written.append(local)
    builder.locals.clear()
    return [
        *hidden,
        *(_promoted(builder, p, t) for p, t in zip(written, _passed(cursor, symbols, written), strict=True)),
    ]


def _passed(cursor: Cursor, symbols: Symbols, parameters: list[Local]) -> list[Type]:
    """The types that callers pass: of a definition in the old style, the promoted ones."""
    type = cursor.type.get_canonical()
    if type.kind is not TypeKind.FUNCTIONPROTO or symbols.cplusplus:
        return [p.type for p in parameters]
    return [symbols.types.parameter(t) for t in type.argument_types()]


def _promoted(builder: FunctionBuilder, parameter: Local, passed: Type) -> Local:
    """A parameter that is passed as another type (`int f(c) char c; …`) becomes a variable set from what is passed."""
    if passed == parameter.type or not is_scalar(passed) or not is_scalar(parameter.type):
        return parameter
    span = parameter.span
    builder.rename(parameter, f"{parameter.name}%")
    given = Local(parameter.name, passed, span)
    own = Local(f"{parameter.name}%", parameter.type, span)
    builder.locals.append(own)
    builder.emit(Assign(own, convert(Load(given, passed, span), parameter.type, span), span))
    return given


def _refuse(parameters: list[Type], result: Type) -> str:
    opaque = next((t for t in [*parameters, result] if isinstance(t, Opaque)), None)
    if opaque is not None:
        return f"a function with values of type {opaque.name}"
    return ""


def _has_body(cursor: Cursor) -> bool:
    """Whether clang has written what a function does that is left to it: it does so for comparisons."""
    is_assignment = cursor.is_copy_assignment_operator_method() or cursor.is_move_assignment_operator_method()
    return not is_assignment and any(c.kind in BODIES for c in cursor.get_children())


def lower_body(cursor: Cursor, lowering: Statements) -> None:
    """What a function does, with what C++ does before the body of a constructor and after that of a destructor."""
    members = Members(lowering.expressions, lowering.statement)
    match cursor.kind:
        case CursorKind.CONSTRUCTOR:
            members.construct(cursor)
        case CursorKind.DESTRUCTOR:
            members.destroy(cursor)
        case CursorKind.CXX_METHOD if is_left_to_compiler(cursor) and not _has_body(cursor):
            members.assign(cursor)
        case _:
            lowering.declarations.returned = only_returned(cursor, lowering.symbols.types)
            body = next((c for c in cursor.get_children() if c.kind in BODIES), None)
            if body is None:
                raise NotSupported("a coroutine", span_of(cursor))
            lowering.statement(body)
