"""What happens when a C++ program ends: variables that live as long as it are destroyed, the last that began first.

Each of them has a number from the moment on in which it is there. Whoever ends the program calls a function that goes
down from the last number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from stateglass.frontend.clang.libclang import ClangType
from stateglass.frontend.cplusplus.destruction import destructor_of
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.lowering.builder import FunctionBuilder
from stateglass.program import (
    VOID,
    AddressOf,
    Assign,
    Binary,
    BinaryOperator,
    Branch,
    Call,
    Compare,
    Comparison,
    Constant,
    Dereference,
    Expression,
    Function,
    Global,
    Int,
    Load,
    Local,
    Pointer,
    Return,
)
from stateglass.source import NOWHERE, Span

if TYPE_CHECKING:
    from stateglass.frontend.linking.symbols import Symbols

END: Final = "end of the program"
_COUNT: Final = "begun%"


@final
@dataclass(frozen=True, slots=True)
class Lasting:
    """A variable that is destroyed when the program ends, with the variable that holds its number."""

    variable: Global
    destructor: str
    number: Global


def count_begun(symbols: Symbols, builder: FunctionBuilder, variable: Global, type: ClangType, span: Span) -> None:
    """Notes that a variable which lives as long as the program is there, if something is to be done at its end."""
    destructor = None if is_reference(type) else destructor_of(symbols, type)
    if destructor is None or symbols.end_of_program() is None:
        return
    int_type = symbols.int_type
    count, number = symbols.hidden(_COUNT, int_type), symbols.hidden(f"{variable.name}%number", int_type)
    builder.emit(Assign(count, _plus(count, 1, int_type), span))
    builder.emit(Assign(number, Load(count, int_type, span), span))
    symbols.lasting[variable.name] = Lasting(replace(variable, span=NOWHERE), destructor, number)


def forgetting(symbols: Symbols) -> str:
    """A function for when an exception leaves the first value of a static local: it will be computed anew."""
    return symbols.made("first value not computed", lambda name: _forgetting(symbols, name))


def _forgetting(symbols: Symbols, name: str) -> Function:
    builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
    pointer = Pointer(symbols.int_type, symbols.types.pointer_size)
    begun = Local("begun", pointer)
    place = Dereference(Load(begun, pointer), symbols.int_type, 1)
    builder.emit(Assign(place, Constant(0, symbols.int_type)))
    builder.finish(Return(None))
    return Function(name, VOID, (begun,), (), builder.blocks())


def end_of_program(symbols: Symbols) -> Function:
    """Destroys all that is there."""
    builder = FunctionBuilder(END, symbols.int_type, symbols.types.pointer_size)
    int_type = symbols.int_type
    count = symbols.hidden(_COUNT, int_type)
    head, inside, after = (builder.new_block() for _ in range(3))
    builder.start(head)
    builder.finish(Branch(Load(count, int_type), inside, after))
    builder.current = inside
    for one in symbols.lasting.values():
        then, following = builder.new_block(), builder.new_block()
        is_last = Compare(Comparison.EQUAL, Load(one.number, int_type), Load(count, int_type), int_type)
        builder.finish(Branch(is_last, then, following))
        builder.current = then
        pointer = Pointer(one.variable.type, symbols.types.pointer_size)
        builder.emit(Call(None, one.destructor, (AddressOf(one.variable, pointer),)))
        builder.start(following)
    builder.emit(Assign(count, _plus(count, -1, int_type)))
    builder.start(head)
    builder.current = after
    builder.finish(Return(None))
    return Function(END, VOID, (), tuple(builder.locals), builder.blocks())


def without_end(functions: Mapping[str, Function]) -> dict[str, Function]:
    """The functions of a program at the end of which nothing is to be done."""
    return {name: _without_calls(function) for name, function in functions.items()}


def _without_calls(function: Function) -> Function:
    if not any(isinstance(s, Call) and s.callee == END for b in function.blocks for s in b.statements):
        return function
    kept = [
        replace(b, statements=tuple(s for s in b.statements if not (isinstance(s, Call) and s.callee == END)))
        for b in function.blocks
    ]
    return replace(function, blocks=tuple(kept))


def _plus(place: Global, number: int, type: Int) -> Expression:
    return Binary(BinaryOperator.ADD, Load(place, type), Constant(number, type), type)
