"""Parts of an object that are no code: calls of their functions go to functions without a body, named by the part.

Whom a function is called for is known when it is called: each such function begins with a look at its object, so that
calls through references, pointers and virtual functions are recognised, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.program import (
    VOID,
    AddressOf,
    Aggregate,
    Array,
    Assign,
    Block,
    Branch,
    Call,
    Compare,
    Comparison,
    Constant,
    Declaration,
    Element,
    Enum,
    Expression,
    Function,
    Global,
    Int,
    Load,
    Local,
    Member,
    Place,
    Pointer,
    Program,
    Record,
    Return,
    Type,
    Unsupported,
    is_scalar,
)
from stateglass.program.classes import TABLE, Method, Role
from stateglass.program.exceptions import THROWN
from stateglass.program.nodes import Statement, redirected
from stateglass.source import Assumption, Span, Topic
from stateglass.system.parts import Part, functions_of, is_code
from stateglass.system.system import Double

_RESULT: Final = "%result"
_NUMBER: Final = Int(32, signed=True)


@final
@dataclass(frozen=True, slots=True)
class MadeResult:
    """A result that is made of a number: the enum that the number is of, and the function that makes it."""

    enum: str
    maker: str


@final
@dataclass(frozen=True, slots=True)
class StandIn:
    """A function without a body that is called in place of a member function of a part."""

    name: str  # `motor.start`
    short: str  # `start`
    of_class: str  # `MotorController.start`, the same for all parts of that class
    part: Part
    throws: bool = True  # False: it is declared to throw nothing, so that nobody looks whether it did
    result: MadeResult | None = None  # how the object is made that it returns, if that is no number


@final
@dataclass(frozen=True, slots=True)
class StandIns:
    """A program in which parts of the subject are no code, and the functions that are called for them."""

    program: Program
    functions: Mapping[str, StandIn] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    doubles: tuple[Double, ...] = ()


def with_stand_ins(
    program: Program, parts: Iterable[Part], results: Mapping[str, MadeResult] | None = None
) -> StandIns:
    """What is said to be no code, and functions without a body of everything else, goes to stand-ins.

    `results` says how objects are made that they return.
    """
    made = results or {}
    wanted: dict[str, list[tuple[Place, StandIn | None]]] = {}
    found: dict[str, StandIn] = {}
    assumptions: list[Assumption] = []
    for part in parts:
        runs = is_code(part)
        for method, place in functions_of(program, part.owner, part.place):
            has_body = method.name in program.functions
            if (runs and has_body) or (not has_body and method.name not in program.declarations):
                continue
            stand_in = None
            if method.role is Role.METHOD and not (method.implicit and runs):
                of_class = f"{part.owner.name}.{method.short}"
                name = f"{part.path}.{method.short}"
                stand_in = StandIn(name, method.short, of_class, part, method.throws, made.get(name))
                found[name] = stand_in
            wanted.setdefault(method.name, []).append((place, stand_in))
        if not runs:
            assert part.choice is not None
            text = f"it is a {part.choice.kind.value}: its constructor and destructor do nothing"
            assumptions.append(Assumption(Topic.OBJECT, part.path, text))
    functions, declarations = dict(program.functions), dict(program.declarations)
    for name, objects in wanted.items():
        functions[name] = _asking_for_whom(program, name, objects)
        declarations.pop(name, None)
        for _, stand_in in objects:
            if stand_in is not None:
                declarations[stand_in.name] = _declaration(program, name, stand_in)
    doubles = tuple(
        Double(name, place, "", name in program.functions)
        if stand_in is None
        else Double(
            name, place, stand_in.name, name in program.functions, stand_in.result.maker if stand_in.result else ""
        )
        for name, objects in wanted.items()
        for place, stand_in in objects
    )
    changed = replace(program, functions=functions, declarations=declarations)
    return StandIns(changed, found, tuple(assumptions), doubles)


def _declaration(program: Program, name: str, stand_in: StandIn) -> Declaration:
    known = program.functions.get(name) or program.declarations[name]
    method = program.method(name)
    assert method is not None
    result = known.result if stand_in.result is None else _number_of(stand_in.result)
    return Declaration(stand_in.name, result, known.parameters[method.hidden :], span=method.span)


def _number_of(result: MadeResult) -> Enum:
    return Enum(result.enum, _NUMBER)


def _asking_for_whom(program: Program, name: str, objects: list[tuple[Place, StandIn | None]]) -> Function:
    """The function with a look at its object before its body, if it has one."""
    body = program.functions.get(name)
    known = body or program.declarations[name]
    method = program.method(name)
    assert method is not None
    this = known.parameters[0]
    blocks: list[Block] = []
    local: list[Local] = []
    for place, stand_in in objects:
        at = len(blocks)
        outside = (
            _outside(program, known, method, stand_in, at + 1, local)
            if stand_in is not None
            else [Block(tuple(_tables(program, place, method)), Return(None, method.span))]
        )
        blocks.append(Block((), Branch(_is_at(program, this, place), at + 1, at + 1 + len(outside), method.span)))
        blocks += outside
    shift = len(blocks)
    if body is None:
        reason = f"`{name}` has no body and is called for an object that nothing stands for"
        blocks.append(Block((Unsupported(reason, method.span),), Return(None, method.span)))
        return Function(name, known.result, known.parameters, tuple(local), tuple(blocks), span=method.span)
    moved = [replace(b, terminator=redirected(b.terminator, lambda n: n + shift)) for b in body.blocks]
    return replace(body, locals=(*body.locals, *local), blocks=(*blocks, *moved))


def _is_at(program: Program, this: Local, place: Place) -> Expression:
    """Whether a function is called for an object."""
    pointer = this.type
    assert isinstance(pointer, Pointer)
    truth = Int(program.target.int_bits, signed=True)
    address = AddressOf(place, pointer, this.span)
    return Compare(Comparison.EQUAL, Load(this, pointer, this.span), address, truth, this.span)


def _outside(
    program: Program,
    known: Function | Declaration,
    method: Method,
    stand_in: StandIn,
    start: int,
    local: list[Local],
) -> list[Block]:
    """Blocks, from number `start` on, that call what stands for a function, and return what it returns."""
    span = method.span
    if stand_in.result is None and (method.hidden > 1 or isinstance(known.result, Record)):
        reason = f"`{stand_in.name}` returns an object, which a stub cannot make"
        return [Block((Unsupported(reason, span),), Return(None, span))]
    values = tuple(_whole(p) for p in known.parameters[method.hidden :])
    result = _local(_RESULT, known.result, span, local) if known.result != VOID else None
    answer = result
    making: tuple[Statement, ...] = ()
    if stand_in.result is not None:
        number = _number_of(stand_in.result)
        answer = _local(f"{_RESULT} {stand_in.name}", number, span, local)
        room = tuple(_whole(p) for p in known.parameters[1 : method.hidden])
        making = (Call(result, stand_in.result.maker, (*room, Load(answer, number, span)), span),)
    call: Statement = Call(answer, stand_in.name, values, span)
    back = Block(making, Return(None if result is None else _whole(result), span))
    thrown = program.variables.get(THROWN)
    if thrown is None:
        return [replace(back, statements=(call, *making))]
    assert is_scalar(thrown.type)
    is_thrown = Load(Global(THROWN, thrown.type, span), thrown.type, span)
    # Nobody looks at what a function returns that throws.
    nothing = Constant(0, known.result, span) if is_scalar(known.result) else None
    away = Block((), Return(nothing, span))
    return [Block((call,), Branch(is_thrown, start + 1, start + 2, span)), away, back]


def _local(name: str, type: Type, span: Span, known: list[Local]) -> Local:
    """A variable for what is returned, the same each time."""
    variable = Local(name, type, span)
    if variable not in known:
        known.append(variable)
    return variable


def _tables(program: Program, place: Place, method: Method) -> Iterator[Statement]:
    """What a constructor must do even of a stub: let the object know its virtual functions."""
    if method.role is not Role.CONSTRUCTOR:
        return
    assert isinstance(place.type, Record)
    for held, offset in _table_places(program, place, 0):
        name = f"{place.type.name}.table" + (f"+{offset}" if offset else "")
        table = program.variables.get(name)
        if table is None:
            reason = f"`{place.type.name}` has virtual functions, and its constructor has no body"
            yield Unsupported(reason, method.span)
            return
        assert isinstance(held.type, Pointer) and isinstance(table.type, Array)
        first = Element(Global(name, table.type), Constant(0, Int(32, signed=True)), table.type.element)
        yield Assign(held, AddressOf(first, held.type), method.span)


def _table_places(program: Program, place: Place, offset: int) -> Iterator[tuple[Place, int]]:
    """The hidden members of an object and its bases that lead to virtual functions, and where they lie."""
    assert isinstance(place.type, Record)
    for held in program.records[place.type.name].fields:
        if held.name == TABLE:
            yield Member(place, held.name, held.offset, held.type, held.bit), offset + held.offset
    for base, type in program.bases_in(place.type.name):
        yield from _table_places(program, Member(place, base.name, base.offset, type), offset + base.offset)


def _whole(place: Local) -> Expression | Aggregate:
    type = place.type
    if is_scalar(type):
        return Load(place, type, place.span)
    assert isinstance(type, Record)
    return Aggregate(place, type, place.span)
