"""Changes of what threads share: what C evaluates once is read once.

In a program `a[i] += 2` is `a[i] = a[i] + 2`, and the value of `x = 3` is that of `x`. That says the same as long as
nobody else changes `i` or `x` in between.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final, assert_never, final

from stateglass.program import (
    Assign,
    Block,
    Constant,
    Dereference,
    Element,
    Expression,
    Function,
    Global,
    Int,
    Load,
    Local,
    Member,
    Program,
    Statement,
    is_scalar,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import Place
from stateglass.program.rewriting import changed_statement, changed_terminator
from stateglass.program.walk import everything_below, nodes_in
from stateglass.source import Span

_ANY: Final = Constant(0, Int(64, signed=True))
"""Stands for any subscript."""


def read_once(program: Program, shared: Collection[str]) -> Program:
    """The program with values kept that would be read from shared variables more often than the code does it."""
    if not shared:
        return program
    functions = {name: _Keeping(function, shared).run() for name, function in program.functions.items()}
    return replace(program, functions=functions)


@final
class _Keeping:
    """One function."""

    def __init__(self, function: Function, shared: Collection[str]) -> None:
        self._function = function
        self._shared = shared
        self._new: list[Local] = []
        self._stores: dict[Span, dict[Place, None]] = {}
        self._values: dict[tuple[Place, Span], Local] = {}  # of assignments

    def run(self) -> Function:
        for statement in statements_of(self._function.blocks):
            if isinstance(statement, Assign):
                self._stores.setdefault(statement.span, {})[statement.place] = None
        for block in self._function.blocks:
            for node in (*block.statements, block.terminator):
                for load in nodes_in(node):
                    if isinstance(load, Load) and load.stored and self._is_shared(load.place):
                        stored = self._stored(load)
                        if stored is not None and stored not in self._values:
                            self._values[stored] = self._temporary(load)
        blocks = tuple(map(self._block, self._function.blocks))
        if blocks == self._function.blocks:
            return self._function
        return replace(self._function, blocks=blocks, locals=(*self._function.locals, *self._new))

    def _block(self, block: Block) -> Block:
        statements = [kept for statement in block.statements for kept in self._with_value(statement)]
        return Block(tuple(self._found_once(statements)), changed_terminator(block.terminator, self._value))

    # ---- the value of an assignment

    def _with_value(self, statement: Statement) -> Iterator[Statement]:
        """A statement; an assignment whose value is asked for keeps it."""
        kept = self._values.get((statement.place, statement.span)) if isinstance(statement, Assign) else None
        statement = changed_statement(statement, self._value)
        if kept is None:
            yield statement
            return
        assert isinstance(statement, Assign) and is_scalar(kept.type)
        yield Assign(kept, statement.value, statement.span)
        yield replace(statement, value=Load(kept, kept.type, statement.span))

    def _value(self, expression: Expression) -> Expression:
        if not isinstance(expression, Load) or not expression.stored:
            return expression
        stored = self._stored(expression)
        kept = None if stored is None else self._values.get(stored)
        return expression if kept is None else Load(kept, expression.type, expression.span)

    def _stored(self, load: Load) -> tuple[Place, Span] | None:
        """The assignment whose value a load is.

        Where a call comes in between, the subscripts of what is loaded were kept before it.
        """
        places = self._stores.get(load.span, {})
        alike = [load.place] if load.place in places else [p for p in places if _outline(p) == _outline(load.place)]
        return (alike[0], load.span) if len(alike) == 1 else None

    # ---- the place of an update

    def _found_once(self, statements: list[Statement]) -> Iterator[Statement]:
        """Statements, before each update what says where it is."""
        found: dict[Place, Place] = {}  # by how it is found: what is updated and not stored yet
        for statement in statements:
            for load in nodes_in(statement):
                if isinstance(load, Load) and load.updated and load.place not in found:
                    before: list[Statement] = []
                    place = self._found(load.place, before, load.span)
                    if before:
                        yield from before
                        found[load.place] = place
            own = changed_statement(statement, lambda e: _moved(e, found))
            if isinstance(own, Assign) and own.place in found:
                own = replace(own, place=found.pop(own.place))
            yield own

    def _found(self, place: Place, before: list[Statement], span: Span) -> Place:
        match place:
            case Global() | Local():
                return place
            case Member(base):
                return replace(place, base=self._found(base, before, span))
            case Element(base, index):
                return replace(place, base=self._found(base, before, span), index=self._kept(index, before, span))
            case Dereference(pointer):
                return replace(place, pointer=self._kept(pointer, before, span))
            case _:
                assert_never(place)

    def _kept(self, value: Expression, before: list[Statement], span: Span) -> Expression:
        if not self._is_shared(value):
            return value
        kept = Local(f"%once@{len(self._new)}", value.type)
        self._new.append(kept)
        before.append(Assign(kept, value, span))
        return Load(kept, value.type, value.span)

    # ---- what is shared

    def _is_shared(self, node: Expression | Place) -> bool:
        return any(isinstance(n, Global) and n.name in self._shared for n in everything_below(node))

    def _temporary(self, load: Load) -> Local:
        kept = Local(f"%once@{len(self._new)}", load.type)
        self._new.append(kept)
        return kept


def _outline(place: Place) -> Place:
    """A place, whatever its subscripts are."""
    match place:
        case Member(base):
            return replace(place, base=_outline(base))
        case Element(base):
            return replace(place, base=_outline(base), index=_ANY)
        case _:
            return place


def _moved(expression: Expression, found: dict[Place, Place]) -> Expression:
    if isinstance(expression, Load) and expression.updated and expression.place in found:
        return replace(expression, place=found[expression.place])
    return expression
