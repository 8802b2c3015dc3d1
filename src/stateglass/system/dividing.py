"""Arrays and structs that threads share: each number in them becomes a variable, and subscripts choose among these.

`ring[head]` becomes a `switch` over `head` whose cases are `ring[0]`, `ring[1]` …; a subscript beyond the array is the
error that it is anyway. A struct that is copied is read and written number by number: nobody promises a wider access.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

from stateglass.program import (
    Aggregate,
    Array,
    Assign,
    Block,
    Call,
    Case,
    Clear,
    Constant,
    Convert,
    Copy,
    Dereference,
    Element,
    Expression,
    Fail,
    Function,
    Global,
    Int,
    Jump,
    Load,
    Local,
    Member,
    Program,
    Record,
    Return,
    Statement,
    Switch,
    Terminator,
    Type,
    Variable,
    is_scalar,
)
from stateglass.program.callgraph import mentioned
from stateglass.program.faults import FaultKind
from stateglass.program.layout import Cell, cells_of, count_cells, is_modelled
from stateglass.program.nodes import Place
from stateglass.program.rewriting import changed, changed_statement, changed_terminator
from stateglass.program.types import innermost
from stateglass.program.walk import base_of, nodes_in
from stateglass.source import Code, Diagnostic, InputError, Span
from stateglass.system.sharing import read_from, refuse_uses

MOST_PARTS: Final = 256
"""The most numbers that a shared variable may consist of."""
_SUBSCRIPT: Final = Int(64, signed=True)


@final
@dataclass(frozen=True)
class Divided:
    """A program, and the variables that shared arrays and structs were made into."""

    program: Program
    parts: Mapping[str, tuple[str, ...]]

    def names(self, variable: str) -> tuple[str, ...]:
        """What a variable is called now: itself, or its parts."""
        return self.parts.get(variable, (variable,))


def divided(program: Program, shared: Collection[str]) -> Divided:
    """The program with variables in place of the parts of shared arrays and structs; what cannot be so is refused."""
    whole = [program.variables[name] for name in shared if not is_scalar(program.variables[name].type)]
    if not whole:
        return Divided(program, {})
    pointed = mentioned(program)[1]
    problems = [Diagnostic(Code.UNSUPPORTED, text, v.span) for v in whole for text in _refused(v, program, pointed)]
    if problems:
        raise InputError(problems)
    parts = {variable.name: tuple(_parts(variable, program)) for variable in whole}
    variables = {name: v for name, v in program.variables.items() if name not in parts}
    variables |= {part.name: part for own in parts.values() for part in own}
    names = {name: tuple(part.name for part in own) for name, own in parts.items()}
    functions = {
        name: _Dividing(function, program, names, frozenset(shared)).run()
        for name, function in program.functions.items()
    }
    refuse_uses(functions.values(), parts)
    return Divided(replace(program, variables=variables, functions=functions), names)


def _refused(variable: Variable, program: Program, pointed: Collection[str]) -> Iterator[str]:
    """Why a variable cannot be divided."""
    name, records = variable.name, program.records
    if name in pointed:
        yield f"`{name}` is shared, and pointers lead to it"
    if not is_modelled(variable.type, records):
        yield f"`{name}` is shared, and it has parts that are not modelled"
        return
    count = count_cells(variable.type, records)
    if count > MOST_PARTS:
        yield f"`{name}` is shared, and consists of {count:,} numbers: at most {MOST_PARTS} are known"
        return
    if any(records[record].union for record in _records(variable.type, program)):
        yield f"`{name}` is shared, and has a union in it: which member others see is not known"
    elif not all(cell.whole_bytes or cell.padding for cell in cells_of(variable.type, records)):
        yield f"`{name}` is shared, and has bit-fields, which are not written one by one"
    if variable.volatile or any(cell.volatile for cell in cells_of(variable.type, records)):
        yield f"`{name}` is shared, and parts of it are volatile: each read gives another value"


def _records(type: Type, program: Program) -> Iterator[str]:
    type = innermost(type)
    if isinstance(type, Record):
        yield type.name
        for field in program.records[type.name].fields:
            yield from _records(field.type, program)


def _parts(variable: Variable, program: Program) -> Iterator[Variable]:
    """A variable for each number in one, in the order of their addresses."""
    initial = {one.position: one for one in variable.initial}
    for cell in _cells(variable.type, program):
        first = initial.get(cell.position)
        own = () if first is None else (replace(first, position=0),)
        yield replace(variable, name=variable.name + cell.path, type=cell.type, initial=own)


def _cells(type: Type, program: Program) -> list[Cell]:
    return [cell for cell in cells_of(type, program.records) if not cell.padding]


@final
class _Dividing:
    """One function."""

    def __init__(
        self, function: Function, program: Program, parts: Mapping[str, tuple[str, ...]], shared: frozenset[str]
    ) -> None:
        self._function = function
        self._program = program
        self._parts = parts
        self._shared = shared
        self._blocks: list[Block] = list(function.blocks)
        self._new: list[Local] = []
        self._at = 0  # the block that is being written
        self._statements: list[Statement] = []
        self._keeps = False  # what is loaded from shared variables is kept, so that the order stays

    def run(self) -> Function:
        for number, block in enumerate(self._function.blocks):
            if any(map(self._speaks_of_parts, (*block.statements, block.terminator))):
                self._block(number, block)
        return replace(self._function, blocks=tuple(self._blocks), locals=(*self._function.locals, *self._new))

    def _block(self, number: int, block: Block) -> None:
        self._at, self._statements = number, []
        for statement in block.statements:
            self._statement(statement)
        terminator = block.terminator
        if self._speaks_of_parts(terminator):
            self._keeps = self._chooses(terminator)
            terminator = changed_terminator(terminator, lambda e: self._loaded(e, terminator.span))
            if isinstance(terminator, Return) and self._is_whole(terminator.value):
                assert isinstance(terminator.value, Aggregate)
                terminator = replace(terminator, value=self._copied(terminator.value))
        self._close(terminator)

    # ---- what is to be done

    def _speaks_of_parts(self, node: Statement | Terminator) -> bool:
        return any(isinstance(n, Global) and n.name in self._parts for n in nodes_in(node))

    def _is_part(self, place: Place) -> bool:
        base = base_of(place)
        return isinstance(base, Global) and base.name in self._parts

    def _is_whole(self, value: Expression | Aggregate | None) -> bool:
        """Whether it is a record that is shared, or one in what is."""
        return isinstance(value, Aggregate) and self._is_part(value.place)

    def _chooses(self, node: Statement | Terminator) -> bool:
        """Whether it comes to a part by a subscript that is not the same each time, or beyond the array."""
        return any(isinstance(n, Element) and self._is_part(n) and not _is_within(n) for n in nodes_in(node))

    # ---- statements

    def _statement(self, statement: Statement) -> None:
        if not self._speaks_of_parts(statement):
            self._statements.append(statement)
            return
        match statement:
            case Copy(target, source, span) if self._is_part(target) or self._is_part(source):
                source, target = self._settled(source, span), self._settled(target, span)
                for one, other in zip(self._numbers(target), self._numbers(source), strict=True):
                    assert is_scalar(one.type)
                    self._assigned(Assign(one, Load(other, one.type, span, copied=True), span))
            case Clear(place, span) if self._is_part(place):
                for one in self._numbers(self._settled(place, span)):
                    assert is_scalar(one.type)
                    self._assigned(Assign(one, Constant(0, one.type, span), span))
            case Assign():
                self._assigned(statement)
            case Call(arguments=arguments) if any(map(self._is_whole, arguments)):
                copied = tuple(self._copied(a) if isinstance(a, Aggregate) else a for a in arguments)
                self._statement(replace(statement, arguments=copied))
            case Call(result, span=span) if result is not None and self._is_part(result):
                if is_scalar(result.type):
                    kept = self._temporary(result.type)
                    self._assigned(replace(statement, result=kept))
                    self._assigned(Assign(result, Load(kept, result.type, span), span))
                else:
                    whole = self._temporary(result.type)
                    self._statement(replace(statement, result=whole))
                    self._statement(Copy(result, whole, span))
            case _:
                self._assigned(statement)

    def _assigned(self, statement: Statement) -> None:
        """A statement that may load parts, and store to one if it is an assignment."""
        self._keeps = self._chooses(statement)
        own = changed_statement(statement, lambda e: self._loaded(e, statement.span))
        if not isinstance(own, Assign) or not self._is_part(own.place):
            self._statements.append(own)
            return
        value = self._kept(own.value, statement.span) if self._keeps else own.value
        self._choose(own.place, lambda part: Assign(part, value, statement.span), statement.span)

    def _loaded(self, expression: Expression, span: Span) -> Expression:
        """What takes the place of an expression that loads something; its subscripts have been changed before."""
        if not isinstance(expression, Load):
            return expression
        place, type = expression.place, expression.type
        if not self._is_part(place):
            is_shared = isinstance(place, Global) and place.name in self._shared
            return self._kept(expression, span) if is_shared and self._keeps else expression
        if not self._keeps:
            return Load(_single(place), type, expression.span)
        base = base_of(place)
        assert isinstance(base, Global)
        kept = self._temporary(type, base.name)
        self._choose(place, lambda part: Assign(kept, Load(part, type, expression.span), span), span)
        return Load(kept, type, expression.span)

    def _copied(self, value: Aggregate) -> Aggregate:
        """A record of the function's own with what a shared one holds."""
        if not self._is_part(value.place):
            return value
        whole = self._temporary(value.type)
        self._statement(Copy(whole, value.place, value.span))
        return replace(value, place=whole)

    # ---- places

    def _settled(self, place: Place, span: Span) -> Place:
        """A place with its subscripts and pointers found once, for all numbers in it: others may change them later."""
        self._keeps = True
        match place:
            case Global() | Local():
                return place
            case Member(base):
                return replace(place, base=self._settled(base, span))
            case Element(base, index):
                return replace(place, base=self._settled(base, span), index=self._found(index, span))
            case Dereference(pointer):
                return replace(place, pointer=self._found(pointer, span))
            case _:
                assert_never(place)

    def _found(self, expression: Expression, span: Span) -> Expression:
        return self._kept(changed(expression, lambda e: self._loaded(e, span)), span)

    def _numbers(self, place: Place) -> Iterator[Place]:
        """The places of all numbers in one, in the order of their addresses."""
        type = place.type
        if isinstance(type, Array):
            for number in range(type.count):
                yield from self._numbers(Element(place, Constant(number, _SUBSCRIPT), type.element, place.span))
        elif isinstance(type, Record):
            for field in sorted(self._program.records[type.name].fields, key=lambda f: f.offset):
                yield from self._numbers(Member(place, field.name, field.offset, field.type, field.bit, place.span))
        else:
            yield place

    def _choose(self, place: Place, done: Callable[[Global], Statement], span: Span) -> None:
        """Does something with the part that a place is, whatever its subscripts are."""
        steps = _steps(place)
        if not any(isinstance(step, Element) and not _is_within(step) for step in steps):
            self._statements.append(done(_single(place)))
            return
        base = base_of(place)
        assert isinstance(base, Global)
        behind = self._reserved()
        self._descend(base.name, steps, lambda name: done(Global(name, place.type, span)), behind, span)
        self._at, self._statements = behind, []

    def _descend(
        self, name: str, steps: Sequence[Member | Element], done: Callable[[str], Statement], behind: int, span: Span
    ) -> None:
        while steps and not (isinstance(steps[0], Element) and not _is_within(steps[0])):
            name += _text(steps[0])
            steps = steps[1:]
        if not steps:
            self._statements.append(done(name))
            self._close(Jump(behind, span))
            return
        element, following = steps[0], steps[1:]
        assert isinstance(element, Element) and isinstance(element.base.type, Array)
        count = element.base.type.count
        targets = [self._reserved() for _ in range(count)]
        beyond = self._reserved()
        self._blocks[beyond] = Block((), Fail(FaultKind.BOUNDS.value, element.span))
        cases = tuple(Case(number, number, target) for number, target in enumerate(targets))
        self._close(Switch(_subscript(element.index), cases, beyond, element.span))
        for number, target in enumerate(targets):
            self._at, self._statements = target, []
            self._descend(f"{name}[{number}]", following, done, behind, span)

    # ---- writing

    def _reserved(self) -> int:
        self._blocks.append(Block((), Jump(0)))
        return len(self._blocks) - 1

    def _close(self, terminator: Terminator) -> None:
        self._blocks[self._at] = Block(tuple(self._statements), terminator)

    def _kept(self, value: Expression, span: Span) -> Expression:
        if isinstance(value, Constant):
            return value
        kept = self._temporary(value.type)
        self._statements.append(Assign(kept, value, span))
        return Load(kept, value.type, span)

    def _temporary(self, type: Type, variable: str = "part") -> Local:
        local = Local(read_from(variable, len(self._new)), type)
        self._new.append(local)
        return local


def _steps(place: Place) -> list[Member | Element]:
    """The way from the variable to a place."""
    steps: list[Member | Element] = []
    while isinstance(place, Member | Element):
        steps.append(place)
        place = place.base
    return steps[::-1]


def _single(place: Place) -> Global:
    """The variable that a place is whose subscripts are always the same."""
    base = base_of(place)
    assert isinstance(base, Global)
    return Global(base.name + "".join(map(_text, _steps(place))), place.type, place.span)


def _text(step: Member | Element) -> str:
    """A step as it stands in the name of a part, which is that of a cell."""
    if isinstance(step, Member):
        return f".{step.field}" if step.field else ""
    assert isinstance(step.index, Constant)
    return f"[{step.index.value}]"


def _is_within(element: Element) -> bool:
    """Whether a subscript is always the same, and one that the array has."""
    assert isinstance(element.base.type, Array)
    return isinstance(element.index, Constant) and 0 <= element.index.value < element.base.type.count


def _subscript(index: Expression) -> Expression:
    return index if isinstance(index.type, Int) else Convert(index, _SUBSCRIPT, index.span)
