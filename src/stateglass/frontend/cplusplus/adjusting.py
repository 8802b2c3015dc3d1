"""Functions between a virtual call and what it calls: the one knows the object as a base, the other as itself."""

from __future__ import annotations

from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.cplusplus.signatures import is_reference, signature_of
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder
from stateglass.program import (
    VOID,
    Call,
    Constant,
    Expression,
    Function,
    Load,
    Local,
    Pointer,
    PointerAdd,
    Return,
    is_scalar,
)
from stateglass.source import NOWHERE


def adjusted(symbols: Symbols, name: str, method: Cursor, distance: int, result: int) -> str:
    """A function that is called with the address of a base, and calls another one with that of the whole object.

    What that returns is moved as well, if it is known as one of its bases.
    """
    if not distance and not result:
        return name
    title = f"{name}+{distance}" if not result else f"{name}+{distance}+{result}"
    return symbols.made(title, lambda title: _make(symbols, title, name, method, distance, result))


def _make(symbols: Symbols, title: str, name: str, method: Cursor, distance: int, moved: int) -> Function:
    signature = signature_of(method, symbols.types)
    this, *others = signature.parameters
    assert isinstance(this.type, Pointer)
    builder = FunctionBuilder(title, symbols.int_type, symbols.types.pointer_size)
    values = [Load(p, p.type) for p in others if is_scalar(p.type)]
    if len(values) != len(others) or not (is_scalar(signature.result) or signature.result == VOID):
        raise AssertionError("records are passed by address to virtual functions that need adjusting")
    result = None if signature.result == VOID else builder.temporary(signature.result, NOWHERE)
    builder.emit(Call(result, name, (_moved(symbols, Load(this, this.type), distance), *values)))
    if result is not None and moved:
        _move_result(symbols, builder, result, moved, is_reference(method.result_type))
    value = Load(result, signature.result) if result is not None and is_scalar(signature.result) else None
    builder.finish(Return(value))
    return Function(title, signature.result, signature.parameters, tuple(builder.locals), builder.blocks())


def _moved(symbols: Symbols, pointer: Expression, distance: int) -> Expression:
    assert isinstance(pointer.type, Pointer)
    by = Constant(distance, symbols.ptrdiff_type)
    return PointerAdd(pointer, by, 1, pointer.type) if distance else pointer


def _move_result(symbols: Symbols, builder: FunctionBuilder, result: Local, by: int, is_certain: bool) -> None:
    """A pointer that leads nowhere stays as it is."""
    assert isinstance(result.type, Pointer)
    held = Load(result, result.type)
    after = builder.new_block()
    if not is_certain:
        some = builder.new_block()
        builder.branch(held, some, after, NOWHERE)
        builder.current = some
    builder.assign(result, _moved(symbols, held, by), NOWHERE)
    builder.start(after)
