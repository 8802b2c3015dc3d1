"""Memory as dependences see it: scalars by name, all elements of an array as one, what pointers lead to by type.

Two names may mean the same scalar only if both can be pointed to and C lets one kind of access reach both: the same
member of the same record, the same type of scalar whose address is taken somewhere, two types that a cast brings
together, bytes. Memory without a name (from the heap, or the caller's) has one name for each type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum as Enumerated
from enum import unique
from typing import Final, assert_never, final

from stateglass.program.callgraph import statements_of
from stateglass.program.dependence.exposure import Exposure, scalar_class
from stateglass.program.nodes import (
    AddressOf,
    Convert,
    Dereference,
    Element,
    Expression,
    Global,
    Load,
    Local,
    Member,
    Place,
    PointerAdd,
)
from stateglass.program.program import Function, Program
from stateglass.program.types import (
    VOID,
    Array,
    Bool,
    Enum,
    Float,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Record,
    Type,
    Void,
    is_scalar,
)
from stateglass.program.walk import addressed_locals, nodes_in, stored_by


@final
@unique
class RootKind(Enumerated):
    """What a name starts from."""

    GLOBAL = "a variable with static storage"
    LOCAL = "a variable or parameter of a function"
    PARAMETER = "what a parameter points to that always points to the same"
    POINTEE = "what any other pointer to a type leads to"


@final
@dataclass(frozen=True, slots=True)
class Root:
    """An object that names start from; `function` is the one it belongs to, empty if it belongs to none."""

    kind: RootKind
    function: str
    name: str
    type: Type


@final
@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar of an object by its path, `.member[]`; a union, and what is not modelled, is a leaf as a whole."""

    root: Root
    pattern: str
    type: Type

    def __str__(self) -> str:
        match self.root.kind:
            case RootKind.GLOBAL | RootKind.LOCAL:
                return f"{self.root.name}{self.pattern}"
            case RootKind.PARAMETER | RootKind.POINTEE:
                return f"(*{self.root.name}){self.pattern}"
            case _:
                assert_never(self.root.kind)


@final
@dataclass(frozen=True, slots=True)
class Path:
    """A place as an object and a path into it; not `exact` if it stands for more than that place."""

    root: Root
    pattern: str
    type: Type
    exact: bool

    def member(self, field: str, type: Type) -> Path:
        return Path(self.root, f"{self.pattern}.{field}" if field else self.pattern, type, self.exact)

    def element(self, type: Type) -> Path:
        return Path(self.root, f"{self.pattern}[]", type, False)


WHOLE: Final = VOID
"""The type behind a pointer to bytes of any kind."""


@final
class Memory:
    """The leaves of a program, numbered as they are met, and which of them may be the same."""

    def __init__(self, program: Program, functions: Iterable[Function]) -> None:
        self._program = program
        self.leaves: list[Leaf] = []
        self._numbers: dict[Leaf, int] = {}
        functions = list(functions)
        self._constant = {f.name: _constant_parameters(f) for f in functions}
        self._strided = {f.name: _strided(f) for f in functions}
        self._exposure = Exposure(program, functions)
        self._keys: dict[int, frozenset[object]] = {}

    def number(self, leaf: Leaf) -> int:
        found = self._numbers.get(leaf)
        if found is None:
            found = self._numbers[leaf] = len(self.leaves)
            self.leaves.append(leaf)
        return found

    # ---- places

    def path(self, place: Place, function: str) -> Path:
        match place:
            case Global(name, type):
                return Path(Root(RootKind.GLOBAL, "", name, type), "", type, True)
            case Local(name, type):
                return Path(Root(RootKind.LOCAL, function, name, type), "", type, True)
            case Member(base, field, _, type):
                below = self.path(base, function)
                return below if self._is_leaf(below.type) else below.member(field, type)
            case Element(base, _, type):
                below = self.path(base, function)
                return below if self._is_leaf(below.type) else below.element(type)
            case Dereference(pointer, type):
                return self.pointed(pointer, type, function)
            case _:
                assert_never(place)

    def pointed(self, pointer: Expression, type: Type, function: str) -> Path:
        """What a pointer leads to, taken as an object of a type."""
        inner, moved = stripped(pointer)
        match inner:
            case AddressOf(place):
                return self._addressed(self.path(place, function), type, moved)
            case Load(Local(name, Pointer(target))) if name in self._constant[function] and target == type:
                exact = not moved and name not in self._strided[function]
                return Path(Root(RootKind.PARAMETER, function, name, type), "", type, exact)
            case _:
                return self.pointee(type)

    def pointee(self, type: Type) -> Path:
        return Path(Root(RootKind.POINTEE, "", str(type), type), "", type, False)

    def _addressed(self, path: Path, type: Type, moved: bool) -> Path:
        """An object whose address is taken, seen as a type; if it is of another one, the whole of it is meant."""
        seen = path
        while isinstance(seen.type, Array) and seen.type != type:
            seen = seen.element(seen.type.element)
        if seen.type != type:
            return Path(path.root, path.pattern, path.type, False)
        return Path(seen.root, seen.pattern, seen.type, seen.exact and not moved)

    def below(self, path: Path) -> list[tuple[int, bool]]:
        """The leaves below a path, and whether each is exactly one scalar."""
        return [(self.number(leaf), exact) for leaf, exact in self._leaves(path)]

    def _leaves(self, path: Path) -> Iterator[tuple[Leaf, bool]]:
        match path.type:
            case Bool() | Int() | Float() | Enum() | Pointer() | Void() | FunctionType() | Opaque():
                yield Leaf(path.root, path.pattern, path.type), path.exact
            case Array(element):
                yield from self._leaves(path.element(element))
            case Record(name):
                if self._is_leaf(path.type):
                    # A store to one member leaves the rest of the others as it was.
                    yield Leaf(path.root, path.pattern, path.type), False
                    return
                for field in self._program.records[name].fields:
                    yield from self._leaves(path.member(field.name, field.type))
            case _:
                assert_never(path.type)

    def _is_leaf(self, type: Type) -> bool:
        if isinstance(type, Record):
            layout = self._program.records[type.name]
            return layout.union or bool(layout.unsupported)
        return is_scalar(type) or isinstance(type, Void | Opaque | FunctionType)

    def moved(self, leaf: Leaf, argument: Expression, function: str) -> list[tuple[int, bool]]:
        """What a leaf behind a callee's parameter is to the caller, who passes `argument` for it."""
        base = self.pointed(argument, leaf.root.type, function)
        if base.type != leaf.root.type or leaf.type == WHOLE:
            inner, _ = stripped(argument)
            if not isinstance(inner, AddressOf) and isinstance(inner.type, Pointer):
                base = self.pointed(inner, inner.type.target, function)
            return [(number, False) for number, _ in self.below(base)]
        exact = base.exact and "[]" not in leaf.pattern
        return [(self.number(Leaf(base.root, base.pattern + leaf.pattern, leaf.type)), exact)]

    # ---- which names may mean the same

    def aliases(self, numbers: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """For each of these leaves, the others among them that may be the same scalar."""
        ordered = sorted(set(numbers))
        keys = {n: self._keys_of(n) for n in ordered}
        by_key: dict[object, list[int]] = {}
        for number in ordered:
            for key in keys[number]:
                by_key.setdefault(key, []).append(number)
        exposed = [n for n in ordered if keys[n]]
        found: dict[int, tuple[int, ...]] = {}
        for number in exposed:
            if _ANY in keys[number]:
                others = set(exposed)
            else:
                others = {o for key in (*keys[number], _ANY) for o in by_key.get(key, ())}
            found[number] = tuple(sorted(others - {number}))
        return found

    def _keys_of(self, number: int) -> frozenset[object]:
        """The kinds of access by which a pointer can reach a leaf, as keys; none if no pointer can.

        Two leaves may be the same scalar if they share a key.
        """
        if number not in self._keys:
            self._keys[number] = frozenset(self._find_keys(self.leaves[number]))
        return self._keys[number]

    def _find_keys(self, leaf: Leaf) -> Iterator[object]:
        root, exposure = leaf.root, self._exposure
        named = root.kind in (RootKind.GLOBAL, RootKind.LOCAL)
        if named and (root.function, root.name) not in exposure.variables:
            return
        yield (root, leaf.pattern)
        if not is_scalar(leaf.type) or (not named and exposure.is_bytes(root.type)):
            yield _ANY
            return
        records = list(self._around(leaf))
        yield from records
        scalar = scalar_class(leaf.type)
        steps = {*records, (root.function, root.name, leaf.pattern)}
        if (not named and not records) or steps & exposure.scalars:
            yield scalar
        yield from exposure.groups([*(("record", name) for name, _ in records), scalar])

    def _around(self, leaf: Leaf) -> Iterator[tuple[str, str]]:
        """The records that contain a leaf, each with the path from the record to the leaf."""
        yield from around(leaf.root.type, leaf.pattern, self._program)


_ANY: Final = "any byte"


def around(type: Type, pattern: str, program: Program) -> Iterator[tuple[str, str]]:
    """The records that a path passes through, each with the rest of the path."""
    rest = pattern
    while True:
        if isinstance(type, Array):
            type, rest = type.element, rest.removeprefix("[]")
        elif isinstance(type, Record) and rest:
            yield type.name, rest
            type, rest = _step(type, rest, program)
        else:
            return


def _step(record: Record, rest: str, program: Program) -> tuple[Type, str]:
    """The type of the next member on a path, and the rest of the path; unnamed members do not show in a path."""
    fields = program.records[record.name].fields
    for field in fields:
        step = f".{field.name}"
        if field.name and rest.startswith(step) and rest[len(step) : len(step) + 1] in ("", ".", "["):
            return field.type, rest[len(step) :]
    for field in fields:
        if not field.name and isinstance(field.type, Record):
            found = _step(field.type, rest, program)
            if found[0] != VOID:
                return found
    return VOID, ""


def stripped(pointer: Expression) -> tuple[Expression, bool]:
    """A pointer without conversions, and whether something is added on the way."""
    moved = False
    while isinstance(pointer, Convert | PointerAdd):
        moved |= isinstance(pointer, PointerAdd)
        pointer = pointer.operand if isinstance(pointer, Convert) else pointer.pointer
    return pointer, moved


def _constant_parameters(function: Function) -> frozenset[str]:
    """Parameters that are never assigned, and whose address is not taken: they always point to the same."""
    nodes = list(statements_of(function.blocks))
    changed = addressed_locals(iter(nodes))
    changed |= {place.name for node in nodes for place in stored_by(node) if isinstance(place, Local)}
    return frozenset(p.name for p in function.parameters if p.name not in changed)


def _strided(function: Function) -> frozenset[str]:
    """Parameters to which something is added: they lead to more than one object."""
    found: set[str] = set()
    for node in statements_of(function.blocks):
        for inner in nodes_in(node):
            if isinstance(inner, PointerAdd):
                base, _ = stripped(inner)
                if isinstance(base, Load) and isinstance(base.place, Local):
                    found.add(base.place.name)
    return frozenset(found)
