"""Destroys objects: functions that nobody wrote, which do what is to be done when an object's life ends."""

from __future__ import annotations

from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.cplusplus.classes import element_type, is_class, is_left_to_compiler
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import Cleanup, FunctionBuilder
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.types import base_name, field_in, is_padding
from stateglass.program import (
    VOID,
    AddressOf,
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Branch,
    Call,
    Compare,
    Comparison,
    Constant,
    Dereference,
    Element,
    Expression,
    Function,
    Int,
    Load,
    Local,
    Member,
    Place,
    Pointer,
    PointerAdd,
    Record,
    Release,
    Return,
    Type,
    Unsupported,
    size_of,
)
from stateglass.program.names import THIS, last_part
from stateglass.source import NOWHERE, Span


def destructor_of(symbols: Symbols, type: ClangType) -> str | None:
    """The function that destroys an object, or an array of them; None if there is nothing to be done."""
    element = element_type(type)
    if not is_class(element) or not symbols.types.classes.of(element).needs_destruction:
        return None
    converted = symbols.types.convert(type)
    if isinstance(converted, Array):
        inner = destructor_of(symbols, type.get_canonical().element_type)
        assert inner is not None
        return symbols.made(f"~{converted}", lambda name: _for_array(symbols, name, converted, inner))
    return destructor_function(symbols, element)


def cleanup_of(symbols: Symbols, type: ClangType) -> Cleanup | None:
    """What is to be done when the life of a variable ends; None if that is nothing."""
    destructor = destructor_of(symbols, type)
    if destructor is None:
        return None
    return Cleanup(destructor, may_throw=symbols.types.classes.of(element_type(type)).may_throw_at_end)


def destructor_function(symbols: Symbols, type: ClangType) -> str:
    """The destructor of a class, be there something to do or not."""
    element, converted = type.get_canonical(), symbols.types.convert(type)
    destructor = symbols.types.classes.of(element).destructor
    if destructor is not None and not is_left_to_compiler(destructor):
        return symbols.function(destructor)
    assert isinstance(converted, Record)
    return symbols.made(
        f"{converted.name}.~{last_part(converted.name)}", lambda name: _implicit(symbols, name, element)
    )


def deleter(symbols: Symbols, type: ClangType) -> str:
    """A function that destroys an object and releases its memory."""
    element, converted = type.get_canonical(), symbols.types.convert(type)
    assert isinstance(converted, Record)
    return symbols.made(f"delete of {converted.name}", lambda name: _delete(symbols, name, element))


def destructor_if(symbols: Symbols, destructor: str, type: Type) -> str:
    """A function that destroys an object if a flag says that there is one."""
    return symbols.made(f"{destructor}?", lambda name: _if(symbols, name, destructor, type))


def destructor_of_first(symbols: Symbols, destructor: str, pointer: Pointer, count: Int) -> str:
    """A function that destroys the first so many of objects that lie one after the other, the last one first."""
    return symbols.made(f"{destructor}[]", lambda name: _for_first(symbols, name, destructor, pointer, count))


def releaser(symbols: Symbols) -> str:
    """A function that gives memory back."""
    return symbols.made("release of memory", lambda name: _release(symbols, name))


def destroy_parts(symbols: Symbols, builder: FunctionBuilder, this: Place, type: ClangType, span: Span) -> None:
    """The members of an object, the last one first, and then what it is derived from."""
    facts = symbols.types.classes.of(type)
    if facts.declaration.kind is CursorKind.UNION_DECL:
        return  # whoever wrote it knows which member there is
    if facts.has_virtual_bases:
        builder.emit(Unsupported("virtual bases", span))
        return
    assert isinstance(this.type, Record)
    layout = symbols.types.records[this.type.name]
    parts = [(b.type, layout.field(base_name(b.type))) for b in facts.bases]
    fields = [(n, f) for n, f in enumerate(facts.type.get_fields()) if not is_padding(f)]
    parts += [(f.type, field_in(layout, f, n)) for n, f in fields]
    for part, field in reversed(parts):
        destructor = destructor_of(symbols, part)
        if destructor is not None:
            place = Member(this, field.name, field.offset, field.type, 0, span)
            address = AddressOf(place, Pointer(field.type, symbols.types.pointer_size), span)
            builder.emit(Call(None, destructor, (address,), span))


def _implicit(symbols: Symbols, name: str, type: ClangType) -> Function:
    record = symbols.types.convert(type)
    builder, this, place = _begin(symbols, name, record)
    destroy_parts(symbols, builder, place, type, NOWHERE)
    return _finish(builder, (this,))


def _for_array(symbols: Symbols, name: str, type: Array, inner: str) -> Function:
    builder, this, place = _begin(symbols, name, type)
    for number in reversed(range(type.count)):
        element = Element(place, Constant(number, builder.int_type), type.element)
        address = AddressOf(element, Pointer(type.element, symbols.types.pointer_size))
        builder.emit(Call(None, inner, (address,)))
    return _finish(builder, (this,))


def _for_first(symbols: Symbols, name: str, destructor: str, pointer: Pointer, count: Int) -> Function:
    builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
    start, left = Local(THIS, pointer), Local("count", count)
    held = Load(left, count)
    head, inside, after = (builder.new_block() for _ in range(3))
    builder.start(head)
    builder.finish(Branch(Compare(Comparison.UNEQUAL, held, Constant(0, count), builder.int_type), inside, after))
    builder.current = inside
    builder.emit(Assign(left, Binary(BinaryOperator.SUBTRACT, held, Constant(1, count), count)))
    size = size_of(pointer.target, symbols.types.records)
    moved = PointerAdd(Load(start, pointer), convert(held, symbols.ptrdiff_type, NOWHERE), size, pointer)
    builder.emit(Call(None, destructor, (moved,)))
    builder.start(head)
    builder.current = after
    return _finish(builder, (start, left))


def _release(symbols: Symbols, name: str) -> Function:
    builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
    memory = Local("memory", Pointer(VOID, symbols.types.pointer_size))
    assert isinstance(memory.type, Pointer)
    builder.emit(Release(Load(memory, memory.type)))
    return _finish(builder, (memory,))


def _delete(symbols: Symbols, name: str, type: ClangType) -> Function:
    record = symbols.types.convert(type)
    builder, this, place = _begin(symbols, name, record)
    assert isinstance(place, Dereference)
    builder.emit(Call(None, destructor_function(symbols, type), (place.pointer,)))
    own = _own_release(symbols, type)
    if own is None:
        builder.emit(Release(place.pointer))
    else:
        memory = convert(place.pointer, Pointer(VOID, symbols.types.pointer_size), NOWHERE)
        size = Constant(size_of(record, symbols.types.records), symbols.size_type)
        values = (memory, size)[: len(list(own.get_arguments()))]
        builder.emit(Call(None, symbols.function(own), values))
    return _finish(builder, (this,))


def _own_release(symbols: Symbols, type: ClangType) -> Cursor | None:
    """The `operator delete` that a class has, or one that it is derived from."""
    facts = symbols.types.classes.of(type)
    found = [m for m in facts.methods if m.spelling == "operator delete"]
    if found:
        return found[0]
    return next((own for b in facts.bases if (own := _own_release(symbols, b.type)) is not None), None)


def _if(symbols: Symbols, name: str, destructor: str, type: Type) -> Function:
    builder, this, place = _begin(symbols, name, type)
    flag = Local("flag", builder.int_type)
    then, after = builder.new_block(), builder.new_block()
    builder.finish(Branch(Load(flag, builder.int_type), then, after))
    builder.current = then
    assert isinstance(place, Dereference)
    builder.emit(Call(None, destructor, (place.pointer,)))
    builder.start(after)
    return _finish(builder, (flag, this))


def _begin(symbols: Symbols, name: str, type: Type) -> tuple[FunctionBuilder, Local, Place]:
    builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
    pointer = Pointer(type, symbols.types.pointer_size)
    this = Local(THIS, pointer)
    load: Expression = Load(this, pointer)
    return builder, this, Dereference(load, type, 1, NOWHERE)


def _finish(builder: FunctionBuilder, parameters: tuple[Local, ...]) -> Function:
    builder.finish(Return(None))
    return Function(builder.name, VOID, parameters, tuple(builder.locals), builder.blocks())
