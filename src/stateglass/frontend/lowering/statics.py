"""What variables with static storage start with: constants and addresses."""

from __future__ import annotations

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.frontend.lowering.initialisers import items_of, position_of
from stateglass.program import (
    Array,
    Constant,
    Expression,
    Float,
    Initial,
    Int,
    Load,
    Pointer,
    Record,
    Scalar,
    Type,
    is_scalar,
)
from stateglass.program.walk import everything_below


def initial_values(symbols: Symbols, type: Type, cursor: Cursor, int_type: Int) -> tuple[Initial, ...]:
    """What a variable with static storage starts with: constants and addresses, zeros left out."""
    found: dict[int, Initial] = {}
    _enter(found, 0, symbols, type, cursor, int_type)
    return tuple(found[p] for p in sorted(found) if not (isinstance(v := found[p].value, Constant) and v.value == 0))


def _enter(found: dict[int, Initial], start: int, symbols: Symbols, type: Type, cursor: Cursor, int_type: Int) -> None:
    """Enter what an initialiser says about an object that begins at bit `start`."""
    for item in items_of(type, cursor, symbols.types, as_meant=symbols.cplusplus):
        position = start + position_of(type, item.path, symbols.types)
        part = item.type
        if isinstance(part, Array | Record):
            # GNU C takes a compound literal for the values in it.
            literal = None if isinstance(item.value, int) else strip(item.value)
            if literal is None or literal.kind is not CursorKind.COMPOUND_LITERAL_EXPR:
                raise NotSupported("a record as initialiser of a static variable", span_of(cursor))
            _enter(found, position, symbols, part, libclang.operand(literal), int_type)
        elif is_scalar(part):
            found[position] = Initial(position, part, _static_value(symbols, part, item.value, int_type))
        else:
            raise NotSupported(f"values of type {part}", span_of(cursor))


def _static_value(symbols: Symbols, type: Scalar, value: Cursor | int, int_type: Int) -> Expression:
    if isinstance(value, int):
        return Constant(value, type)
    span = span_of(value)
    if isinstance(type, Float):
        bits = libclang.floating_bits(value, type)
        if bits is not None:
            return Constant(bits, type, span)
    elif not isinstance(type, Pointer) and value.type.get_size() <= libclang.WIDEST_EVALUATED:
        number = libclang.evaluate(value)
        if number is not None:
            return convert(Constant(number, Int(64, number < 0), span), type, span)
    builder = FunctionBuilder("initialiser", int_type)
    expression = convert(Expressions(symbols, builder).value(value), type, span)
    # In C++ what is read may get its own value when the program begins.
    if builder.has_effects() or any(isinstance(node, Load) for node in everything_below(expression)):
        raise NotSupported("this initialiser of a static variable", span)
    return expression
