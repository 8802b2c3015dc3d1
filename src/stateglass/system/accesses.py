"""Variables of what is no code: who reads or changes them asks or tells those who stand for it.

Which variable is meant is known when it is used: a function that nobody wrote compares its address with those of all
variables of that name, so that references and pointers to the objects lead to the right one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.program import (
    VOID,
    AddressOf,
    Aggregate,
    Array,
    Assign,
    Block,
    Bool,
    Branch,
    Call,
    Clear,
    Compare,
    Comparison,
    Constant,
    Copy,
    Declaration,
    Dereference,
    Element,
    Enum,
    Expression,
    Float,
    Function,
    Global,
    Input,
    Int,
    Load,
    Local,
    Member,
    Place,
    Pointer,
    Program,
    Record,
    Return,
    Scalar,
    Type,
    Unsupported,
)
from stateglass.program.layout import alignment_of
from stateglass.program.names import THIS
from stateglass.program.nodes import Statement, Terminator
from stateglass.program.rewriting import Change, changed_statement, changed_terminator
from stateglass.program.walk import nodes_in, read_by, stored_by
from stateglass.source import Span
from stateglass.system.parts import Choice, Part, functions_of, is_code

_INDEX: Final = Int(32, signed=True)
_STORE: Final = "store "
"""Begins the name of a function without a body that is told what is stored; in the source no name begins so."""


@final
@dataclass(frozen=True, slots=True)
class Held:
    """A number of something that is no code, by the name that actions and bounds have for it."""

    name: str  # `motor.angle`, or `level` of a global variable
    place: Place
    type: Scalar

    @property
    def key(self) -> tuple[str, Scalar]:
        """What the code that uses it knows of it."""
        return _last_name(self.place), self.type


@final
@dataclass(frozen=True, slots=True)
class Accesses:
    """A program in which uses of some variables are seen from outside."""

    program: Program
    loads: frozenset[str] = frozenset()  # names of variables that are read
    stores: Mapping[str, str] = field(default_factory=dict)  # functions that are told what is stored, and to what


def held_in(program: Program, place: Place, name: str) -> Iterator[Held]:
    """The numbers of an object; what nobody wrote is left out, and so are pointers and fields of single bits."""
    type = place.type
    if isinstance(type, Record):
        layout = program.records[type.name]
        known = program.classes.get(type.name)
        members = {m.name for m in known.members} if known is not None else {f.name for f in layout.fields}
        for part in layout.fields if not layout.union else ():
            inner = Member(place, part.name, part.offset, part.type, part.bit)
            # A base goes without a name of its own.
            called = f"{name}.{part.name}" if part.name in members else name
            if part.name in members or isinstance(part.type, Record):
                yield from held_in(program, inner, called)
    elif isinstance(type, Array):
        for i in range(type.count):
            yield from held_in(program, Element(place, Constant(i, _INDEX), type.element), f"{name}[{i}]")
    elif _is_whole_number(place):
        assert isinstance(type, Bool | Int | Float | Enum)
        yield Held(name, place, type)


HeldBy = tuple[Held, str, Choice]
"""A number, the path of what it belongs to, and what stands for that."""


def held_by(program: Program, parts: Sequence[Part]) -> Iterator[HeldBy]:
    """The numbers of parts that are no code."""
    for part in parts:
        if part.choice is not None and not is_code(part):
            yield from ((held, part.path, part.choice) for held in held_in(program, part.place, part.path))


def with_accesses(
    program: Program, parts: Sequence[Part], held: Sequence[HeldBy], globals: Collection[str]
) -> Accesses:
    """Lets code ask and tell about what is `held`, which lies in parts that are no code and in `globals`."""
    records: set[str] = set()
    # These run for objects that are code, so that what they use of their own object is in memory.
    own: set[str] = set()
    for part in parts:
        if not is_code(part):
            records |= set(_with_bases(program, part.owner.record))
            own |= {m.name for m, _ in functions_of(program, part.owner, part.place)}
    rewriting = _Rewriting(program, [h for h, _, _ in held], frozenset(records), frozenset(globals))
    functions = {
        name: f
        if f.span.in_library
        else rewriting.function(f, is_own=name in own, is_first=name in program.constructors)
        for name, f in program.functions.items()
    }
    declarations = {**program.declarations, **rewriting.declarations}
    made = replace(program, functions={**functions, **rewriting.accessors}, declarations=declarations)
    return Accesses(made, frozenset(rewriting.loads), rewriting.stores)


def _with_bases(program: Program, record: str) -> Iterator[str]:
    yield record
    for _, base in program.bases_in(record):
        yield from _with_bases(program, base.name)


@final
class _Rewriting:
    def __init__(self, program: Program, held: Sequence[Held], records: frozenset[str], globals: frozenset[str]):
        self._program = program
        self._records = records
        classes = program.classes
        self._fields = {r: {m.name for m in classes[r].members} for r in records if r in classes}
        self._globals = globals
        self._held: dict[tuple[str, Scalar], list[Held]] = {}
        for one in held:
            self._held.setdefault(one.key, []).append(one)
        self.accessors: dict[str, Function] = {}
        self.declarations: dict[str, Declaration] = {}
        self.loads: dict[str, None] = {}
        self.stores: dict[str, str] = {}
        self._is_own = False  # the function at hand is one of such an object
        self._is_first = False  # it gives variables their first values: for what is no code, nobody sees them

    def function(self, function: Function, *, is_own: bool, is_first: bool) -> Function:
        self._is_own, self._is_first = is_own, is_first
        nodes = [n for b in function.blocks for s in (*b.statements, b.terminator) for n in nodes_in(s)]
        if not any(self._is_meant(n) for n in nodes if isinstance(n, Member | Global)):
            return function
        made: list[Local] = []
        blocks = tuple(self._block(b, made) for b in function.blocks)
        return replace(function, blocks=blocks, locals=(*function.locals, *made))

    def _block(self, block: Block, made: list[Local]) -> Block:
        statements: list[Statement] = []
        for statement in block.statements:
            statements += self._statement(statement, made)
        before, change = self._before(block.terminator, made)
        terminator = changed_terminator(block.terminator, change)
        return Block((*statements, *before), terminator)

    def _statement(self, statement: Statement, made: list[Local]) -> list[Statement]:
        before, change = self._before(statement, made)
        after = changed_statement(statement, change)
        stored = [p for p in stored_by(after) if self._is_outside(p)]
        match after:
            case _ if not stored or self._is_first:
                return [*before, after]
            case Assign(place, value):
                return [*before, *self._store(place, value, after.span)]
            case Call(Global() | Member() | Element() | Dereference() as place) | Input(place):
                result = self._temporary(place.type, after.span, made)
                moved = replace(after, result=result) if isinstance(after, Call) else replace(after, place=result)
                return [*before, moved, *self._store(place, _value(result), after.span)]
            case _:
                return [*before, Unsupported(_reason(stored[0], "changed as a whole"), after.span)]

    def _before(self, node: Statement | Terminator, made: list[Local]) -> tuple[list[Statement], Change]:
        """What is done before a statement, and the change that adds to it: each variable that is read is asked for."""
        before: list[Statement] = []
        wholes = [n.place for n in read_by(node) if isinstance(n, Aggregate)]
        wholes += [node.source] if isinstance(node, Copy) else [node.place] if isinstance(node, Clear) else []
        for place in wholes:
            if self._is_outside(place):
                before.append(Unsupported(_reason(place, "used as a whole"), node.span))
        for below in nodes_in(node):
            if isinstance(below, AddressOf) and self._is_outside(below.place):
                before.append(Unsupported(_reason(below.place, "pointed to"), node.span))

        def change(expression: Expression) -> Expression:
            if not isinstance(expression, Load) or not self._is_outside(expression.place):
                return expression
            name = self._accessor(expression.place, load=True)
            if name is None:
                before.append(Unsupported(_reason(expression.place, "read"), node.span))
                return expression
            result = self._temporary(expression.type, node.span, made)
            before.append(Call(result, name, (self._address(expression.place),), node.span))
            return Load(result, expression.type, expression.span)

        return before, change

    def _store(self, place: Place, value: Expression, span: Span) -> list[Statement]:
        name = self._accessor(place, load=False)
        if name is None:
            return [Unsupported(_reason(place, "changed"), span)]
        return [Call(None, name, (self._address(place), value), span)]

    def _is_meant(self, node: Member | Global) -> bool:
        if isinstance(node, Global):
            return node.name in self._globals
        owner = node.base.type.name if isinstance(node.base.type, Record) else ""
        return owner in self._records and node.field in self._fields[owner]

    def _is_outside(self, place: Place) -> bool:
        """Whether a place may be in something that is no code."""
        while True:
            if isinstance(place, Global) and self._is_meant(place):
                return True
            if isinstance(place, Member) and self._is_meant(place) and not self._is_this(place.base):
                return True
            if not isinstance(place, Member | Element):
                return False
            place = place.base

    def _is_this(self, place: Place) -> bool:
        """Whether it is the object of the function at hand, or a base of it."""
        while isinstance(place, Member) and not self._is_meant(place):
            place = place.base
        pointer = place.pointer if isinstance(place, Dereference) else None
        return self._is_own and isinstance(pointer, Load) and getattr(pointer.place, "name", "") == THIS

    def _accessor(self, place: Place, *, load: bool) -> str | None:
        """The function that reads or changes a variable of a name, of whatever object; None if it is no number."""
        type = place.type
        if not isinstance(type, Bool | Int | Float | Enum) or not _is_whole_number(place):
            return None
        key = _last_name(place), type
        name = f"%{'load' if load else 'store'} {key[0]} {type}"
        if name not in self.accessors:
            self.accessors[name] = self._made(name, type, self._held.get(key, []), load)
        return name

    def _made(self, name: str, type: Scalar, held: Sequence[Held], load: bool) -> Function:
        pointer = Pointer(type, self._program.target.pointer_size)
        where, value = Local("where", pointer), Local("value", type)
        blocks: list[Block] = []
        for one in held:
            address = AddressOf(one.place, pointer)
            truth = Int(self._program.target.int_bits, signed=True)
            is_it = Compare(Comparison.EQUAL, Load(where, pointer), address, truth)
            blocks.append(Block((), Branch(is_it, len(blocks) + 1, len(blocks) + 2)))
            done: Statement = Input(value, one.name, type)
            if load:
                self.loads[one.name] = None
            else:
                told = _STORE + one.name
                self.stores[told] = one.name
                self.declarations[told] = Declaration(told, VOID, (value,))
                done = Call(None, told, (_value(value),))
            blocks.append(Block((done,), Return(_value(value) if load else None)))
        place = Dereference(Load(where, pointer), type, alignment_of(type, self._program.records))
        if load:
            blocks.append(Block((), Return(Load(place, type))))
            return Function(name, type, (where,), (value,), tuple(blocks))
        blocks.append(Block((Assign(place, _value(value)),), Return(None)))
        return Function(name, VOID, (where, value), (), tuple(blocks))

    def _address(self, place: Place) -> AddressOf:
        return AddressOf(place, Pointer(place.type, self._program.target.pointer_size), place.span)

    def _temporary(self, type: Type, span: Span, made: list[Local]) -> Local:
        local = Local(f"%held{len(made)}", type, span)
        made.append(local)
        return local


def _value(local: Local) -> Load:
    assert isinstance(local.type, Bool | Int | Float | Enum)
    return Load(local, local.type, local.span)


def _last_name(place: Place) -> str:
    """What the source calls a variable, without what it is in and without indices."""
    while isinstance(place, Element):
        place = place.base
    return place.field if isinstance(place, Member) else getattr(place, "name", "")


def _is_whole_number(place: Place) -> bool:
    """Whether a number has an address of its own: some have only a few bits."""
    type = place.type
    bits = type.bits if isinstance(type, Int) else 8
    return isinstance(type, Bool | Int | Float | Enum) and bits % 8 == 0 and getattr(place, "bit", 0) == 0


def _reason(place: Place, use: str) -> str:
    return f"`{_last_name(place)}` belongs to what is no code, and cannot be {use}"
