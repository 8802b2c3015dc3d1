"""What the code that is run does with the pointers that its caller gives: it decides what they may be before a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import (
    AddressOf,
    Aggregate,
    Array,
    Binary,
    BinaryOperator,
    Bool,
    Branch,
    Compare,
    Constant,
    Convert,
    CopyBytes,
    Dereference,
    Element,
    Expression,
    Function,
    Int,
    Load,
    Local,
    Member,
    Pointer,
    PointerAdd,
    PointerDifference,
    Program,
    Record,
    Return,
    Statement,
    Terminator,
    Type,
)
from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.names import is_made_up
from stateglass.program.walk import Node, base_of, everything_below, nodes_in
from stateglass.reflexion.flows import flows

LEAST_ELEMENTS: Final = 16
"""So many objects there are one after the other where the code counts on several."""
MOST_LIMIT: Final = 256
"""Larger numbers that the code compares with are no lengths."""
MOST_BYTES: Final = 1 << 12
"""What a pointer that is a parameter leads to is not larger, unless one object is."""

Variable = tuple[str, str]
"""A function, and a local of it."""


@final
@dataclass(frozen=True, slots=True)
class Use:
    """What a parameter that is a pointer is used for."""

    target: Type  # of what it leads to
    may_be_null: bool  # it is compared with null
    alike: frozenset[str]  # it is compared with these parameters, or with what they are compared with
    is_open: bool  # and with other pointers
    elements: int  # objects that it is moved over

    @property
    def objects(self) -> Type:
        """All that it leads to."""
        return self.target if self.elements == 1 else Array(self.target, self.elements)


@final
class Parameters:
    """The pointers among the parameters of one function, followed through locals and calls.

    What is stored elsewhere is not followed: of that, what is said of the parameter is taken for granted.
    """

    def __init__(self, program: Program, function: Function) -> None:
        asked = [name for name in program.functions if is_made_up(name)]
        self._roots = (function.name, *asked)
        self._functions = {n: program.functions[n] for n in reachable(program, self._roots).functions}
        self._parameters = [p.name for p in function.parameters if isinstance(p.type, Pointer)]
        self._following: dict[Variable, dict[Variable, bool]] = {}  # where values go, and whether unchanged
        for each in self._functions.values() if self._parameters else ():
            self._follow(each)
        self._carried = {p: self._closure(p, unchanged=False) for p in self._parameters}
        self._same = {p: self._closure(p, unchanged=True) for p in self._parameters}
        self._null: set[str] = set()
        self._compared: dict[str, set[str]] = {p: set() for p in self._parameters}
        self._open: set[str] = set()  # those that are compared with what is no parameter
        for each in self._functions.values() if self._parameters else ():
            if not each.span.in_library:
                self._find_comparisons(each)

    def use(self, parameter: str, target: Type, size: int) -> Use:
        """`target` is what it leads to, and that has a size in bytes."""
        alike = self._alike(parameter)
        return Use(
            target,
            parameter in self._null,
            alike - {parameter},
            not self._open.isdisjoint(alike),
            self._elements(parameter, max(size, 1), is_record=isinstance(target, Record)),
        )

    # ---- where values go

    def _follow(self, function: Function) -> None:
        for flow in flows(function, self._functions):
            base = base_of(flow.place)
            found = None if flow.origin.value is None else _origin(flow.origin.value)
            if found is not None and isinstance(base, Local):
                known = self._following.setdefault((flow.origin.function, found[0]), {})
                target = flow.function, base.name
                known[target] = known.get(target, False) or found[1]

    def _closure(self, parameter: str, *, unchanged: bool) -> set[Variable]:
        """The locals that a parameter may get into; `unchanged`: as it is."""
        found = {(root, parameter) for root in self._roots}
        stack = list(found)
        while stack:
            for target, is_same in self._following.get(stack.pop(), {}).items():
                if target not in found and (is_same or not unchanged):
                    found.add(target)
                    stack.append(target)
        return found

    def _in(self, function: str, value: Node) -> set[str]:
        """The parameters that a pointer may be made of."""
        origin = _origin(value)
        return {p for p, carried in self._carried.items() if origin is not None and (function, origin[0]) in carried}

    # ---- comparisons

    def _find_comparisons(self, function: Function) -> None:
        name = function.name
        for statement in statements_of(function.blocks):
            match statement:
                case Branch(tested) if isinstance(tested.type, Pointer):
                    self._ask(name, tested)
                case Return(tested) if tested is not None and is_made_up(name):
                    self._ask(name, tested)
                case _:
                    pass
            for node in nodes_in(statement):
                match node:
                    case Convert(operand, Bool()) if isinstance(operand.type, Pointer):
                        self._ask(name, operand)
                    case Compare(_, left, right) | PointerDifference(left, right) if isinstance(left.type, Pointer):
                        self._compare(name, left, right)
                        self._compare(name, right, left)
                    case _:
                        pass

    def _ask(self, function: str, pointer: Node) -> None:
        """Note that it is asked whether a pointer is null."""
        origin = _origin(pointer)
        if origin is not None and origin[1]:
            self._null |= {p for p, same in self._same.items() if (function, origin[0]) in same}

    def _compare(self, function: str, pointer: Expression, other: Expression) -> None:
        if _is_null(other):
            self._ask(function, pointer)
            return
        others = self._in(function, other)
        for parameter in self._in(function, pointer):
            self._compared[parameter] |= others - {parameter}
            if not others:
                self._open.add(parameter)

    def _alike(self, parameter: str) -> frozenset[str]:
        """It, the parameters that it is compared with, those that they are compared with, and so on."""
        found, stack = {parameter}, [parameter]
        while stack:
            new = self._compared[stack.pop()] - found
            found |= new
            stack += new
        return frozenset(found)

    # ---- elements

    def _elements(self, parameter: str, size: int, *, is_record: bool) -> int:
        carried = self._carried[parameter]
        furthest = 0
        for name, function in self._functions.items():
            for statement in statements_of(function.blocks):
                for pointer, index, scale in _moves(statement):
                    origin = _origin(pointer)
                    if origin is not None and (name, origin[0]) in carried:
                        furthest = max(furthest, _extent(index, scale, size, is_record=is_record))
        if furthest <= size:
            return 1
        passed = dict.fromkeys(name for name, _ in carried)
        own = (f for n, f in self._functions.items() if n in passed and not f.span.in_library)
        limit = max((limit for function in own for limit in _limits(function)), default=0)
        wanted = max(LEAST_ELEMENTS, -(-furthest // size), limit + 1)
        return max(1, min(wanted, MOST_BYTES // size))


def _origin(value: Node) -> tuple[str, bool] | None:
    """The local whose pointer is in a value, and whether as it is."""
    unchanged = True
    while True:
        match value:
            case Convert(operand):
                value = operand
            case PointerAdd(pointer):
                value, unchanged = pointer, False
            case AddressOf(place):
                base = base_of(place)
                if not isinstance(base, Dereference):
                    return None
                value, unchanged = base.pointer, unchanged and base is place
            case Load(place) | Aggregate(place):
                value = place
            case Member(base) | Element(base):
                value = base
            case Local(name):
                return name, unchanged
            case _:
                return None


def _plain(value: Expression) -> Expression:
    while isinstance(value, Convert):
        value = value.operand
    return value


def _is_null(value: Expression) -> bool:
    plain = _plain(value)
    return isinstance(plain, Constant) and plain.value == 0


def _moves(statement: Statement | Terminator) -> Iterator[tuple[Expression, Expression, int]]:
    """Pointers that more is expected behind: by how much, and how many bytes each of that is."""
    if isinstance(statement, CopyBytes):
        yield statement.target, statement.count, 1
        yield statement.source, statement.count, 1
    for node in nodes_in(statement):
        if isinstance(node, PointerAdd):
            yield node.pointer, node.index, node.scale


def _extent(index: Expression, scale: int, size: int, *, is_record: bool) -> int:
    """How many bytes there must be; more than one object has if that is not known, unless they may be parts of it."""
    plain = _plain(index)
    if isinstance(plain, Constant):
        return (plain.value + 1) * scale if plain.value > 0 else 0
    return size + 1 if scale >= size or not is_record else 0


def _limits(function: Function) -> Iterator[int]:
    """Numbers that may be lengths: what is compared with something else than data, divided by, or part of an index."""
    for statement in statements_of(function.blocks):
        for node in nodes_in(statement):
            match node:
                case PointerAdd(_, index):
                    yield from _numbers(index)
                case Compare(_, left, right) | Binary(BinaryOperator.REMAINDER | BinaryOperator.AND, left, right):
                    if not any(isinstance(n, Dereference) for side in (left, right) for n in everything_below(side)):
                        yield from _numbers(left)
                        yield from _numbers(right)
                case _:
                    pass


def _numbers(value: Expression) -> Iterator[int]:
    for node in everything_below(value):
        if isinstance(node, Constant) and isinstance(node.type, Int) and 0 < node.value <= MOST_LIMIT:
            yield node.value
