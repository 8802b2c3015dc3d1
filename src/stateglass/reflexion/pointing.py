"""What a program does with addresses: which ones its code makes, and for which pointers that is not all there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from stateglass.program import (
    AddressOf,
    Aggregate,
    Array,
    Constant,
    Convert,
    CopyBytes,
    Dereference,
    Element,
    Expression,
    Function,
    FunctionReference,
    FunctionType,
    Global,
    Load,
    Local,
    Member,
    Opaque,
    Place,
    Pointer,
    PointerAdd,
    Program,
    Record,
    Type,
    Void,
    size_of,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.names import is_literal
from stateglass.program.walk import addressed_locals, base_of, everything_below, nodes_in
from stateglass.reflexion.flows import Origin, flows


@final
@dataclass(frozen=True, slots=True)
class Address:
    """A place in a variable, counted in bytes, or a function."""

    name: str
    offset: int = 0
    is_function: bool = False


@final
class Pointing:
    """Found in one walk over the user's functions and the initial values of variables.

    Pointers are told apart by the type that they lead to. The order of statements is not looked at.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._taken: dict[Type, dict[Address, None]] = {}
        self._uncast: set[Address] = set()  # of what is `const`, as addresses of something that is not
        self._converted: dict[Type, set[Type]] = {}  # by type, those that pointers to it were before a conversion
        self._foreign: set[Type] = set()
        self._seen_as: dict[tuple[str, str], set[Type]] = {}
        self._stored: dict[tuple[str, str], list[Origin]] = {}  # what locals get
        self._kept: list[tuple[Type, Origin]] = []  # what is put where a later call finds it
        self._unclear: set[tuple[str, str]] = set()  # locals that are set through pointers
        self._deciding: set[tuple[str, str]] = set()
        self._decided: dict[tuple[str, str], bool] = {}
        # What is part of the library points to what is part of it.
        self._functions = {n: f for n, f in program.functions.items() if not f.span.in_library}
        self._parameters = {(n, p.name) for n, f in self._functions.items() for p in f.parameters}
        for function in self._functions.values():
            self._look(function)
        for variable in program.variables.values():
            for initial in variable.initial if not variable.span.in_library else ():
                for node in everything_below(initial.value):
                    self._note(node, "")
                if isinstance(initial.type, Pointer) and not self._is_known(Origin("", initial.value)):
                    self._foreign.add(initial.type.target)
        for type, origin in self._kept:
            if not self._is_known(origin):
                self._foreign |= set(self._pointers_in(type))

    def taken(self, target: Type) -> list[Address]:
        """Addresses that the code makes, and that a pointer to this type may have got."""
        return list(dict.fromkeys(a for type in self._origins(target) for a in self._taken.get(type, ())))

    def loses_const(self, address: Address) -> bool:
        """Whether the code makes a pointer to something that may change of an address of what is `const`."""
        return address in self._uncast

    def is_foreign(self, target: Type) -> bool:
        """Whether a pointer to this type is kept that came from somewhere else: a caller, or the heap."""
        return not self._foreign.isdisjoint(self._origins(target))

    def origins(self, target: Type) -> list[Type]:
        """The other types of pointers that one to this type may have been before."""
        return [t for t in self._origins(target) if t != target]

    def seen_as(self, function: str, variable: str) -> Type | None:
        """The one type that the code takes for what a `void *` leads to; `function` is empty for a global."""
        found = self._seen_as.get((function, variable), set())
        return next(iter(found)) if len(found) == 1 else None

    def _origins(self, target: Type) -> list[Type]:
        found, todo = {target: None}, [target]
        while todo:
            for other in sorted(self._converted.get(todo.pop(), ()), key=str):
                if other not in found:
                    found[other] = None
                    todo.append(other)
        return list(found)

    # ---- addresses

    def _look(self, function: Function) -> None:
        nodes = list(statements_of(function.blocks))
        self._unclear |= {(function.name, name) for name in addressed_locals(iter(nodes))}
        for statement in nodes:
            for node in nodes_in(statement):
                self._note(node, function.name)
            if isinstance(statement, CopyBytes):
                self._kept += self._copied(statement, function.name)
        for flow in flows(function, self._functions):
            base = base_of(flow.place)
            if isinstance(base, Local):
                self._stored.setdefault((flow.function, base.name), []).append(flow.origin)
            else:
                self._kept.append((flow.place.type, flow.origin))

    def _note(self, node: object, function: str) -> None:
        match node:
            case AddressOf(_, type) | FunctionReference(_, type) | PointerAdd(_, _, _, type):
                self._take(node, type)
            case Convert(operand, Pointer() as type) if isinstance(operand.type, Pointer):
                if not self._take(node, type) and operand.type.target != type.target:
                    self._converted.setdefault(type.target, set()).add(operand.type.target)
                self._note_view(operand, type.target, function)
            case _:
                pass

    def _take(self, node: Expression, type: Pointer) -> bool:
        address = self._constant(node)
        if address is not None:
            self._taken.setdefault(type.target, {})[address] = None
            if not type.readonly and not address.is_function and not is_literal(address.name):
                self._uncast.add(address)
        return address is not None

    def _note_view(self, operand: Expression, target: Type, function: str) -> None:
        if not isinstance(operand, Load) or isinstance(target, Void | Opaque | FunctionType):
            return
        if isinstance(operand.place, Local):
            self._seen_as.setdefault((function, operand.place.name), set()).add(target)
        elif isinstance(operand.place, Global):
            self._seen_as.setdefault(("", operand.place.name), set()).add(target)

    def _constant(self, node: Expression) -> Address | None:
        """The address that an expression always is, if it is one of a variable or function."""
        match node:
            case FunctionReference(name):
                return Address(name, is_function=True)
            case AddressOf(place):
                return self._position(place)
            case Convert(operand, Pointer()) if isinstance(operand.type, Pointer):
                return self._constant(operand)
            case PointerAdd(pointer, Constant(index), scale):
                base = self._constant(pointer)
                if base is None or base.is_function:
                    return None
                moved = Address(base.name, base.offset + index * scale)
                variable = self._program.variables[base.name]
                return moved if 0 <= moved.offset <= size_of(variable.type, self._program.records) else None
            case _:
                return None

    def _position(self, place: Place) -> Address | None:
        match place:
            case Global(name):
                return Address(name)
            case Member(base, _, offset):
                found = self._position(base)
                return None if found is None else Address(found.name, found.offset + offset)
            case Element(base, Constant(index), type):
                found = self._position(base)
                step = size_of(type, self._program.records)
                return None if found is None else Address(found.name, found.offset + index * step)
            case _:
                return None

    # ---- pointers from elsewhere

    def _copied(self, statement: CopyBytes, function: str) -> Iterator[tuple[Type, Origin]]:
        source = statement.source
        while isinstance(source, Convert) and isinstance(source.operand.type, Pointer):
            source = source.operand
        if isinstance(source.type, Pointer):
            yield source.type.target, Origin(function, source)

    def _is_known(self, origin: Origin) -> bool:
        """Whether a pointer can only be null, or lead to a variable of the program."""
        function = origin.function
        match origin.value:
            case Constant(number):
                return number == 0
            case FunctionReference():
                return True
            case AddressOf(place) | Load(place) | Aggregate(place):
                return self._is_known(Origin(function, base_of(place)))
            case Convert(Constant(0)):
                return True
            case Convert(operand) if isinstance(operand.type, Pointer):
                return self._is_known(Origin(function, operand))
            case PointerAdd(pointer, _, scale, type):
                # Bytes of something larger are not among what is known by type.
                step = size_of(type.target, self._program.records)
                return scale == step and self._is_known(Origin(function, pointer))
            case Global():
                return True
            case Dereference(pointer):
                return self._is_known(Origin(function, pointer))
            case Member() | Element() as place:
                return self._is_known(Origin(function, base_of(place)))
            case Local(name):
                return self._is_known_local((function, name))
            case _:
                return False

    def _is_known_local(self, local: tuple[str, str]) -> bool:
        if local in self._parameters or local in self._unclear:
            return False
        if local in self._decided:
            return self._decided[local]
        if local in self._deciding:
            return True
        self._deciding.add(local)
        known = all(self._is_known(o) for o in self._stored.get(local, ()))
        self._deciding.discard(local)
        if not known or not self._deciding:  # what was taken for granted on the way may turn out otherwise
            self._decided[local] = known
        return known

    def _pointers_in(self, type: Type) -> Iterator[Type]:
        match type:
            case Pointer(target):
                yield target
            case Array(element):
                yield from self._pointers_in(element)
            case Record(name):
                for field in self._program.records[name].fields:
                    yield from self._pointers_in(field.type)
            case _:
                return

    def holds_pointers(self, type: Type) -> bool:
        return next(iter(self._pointers_in(type)), None) is not None


def parts_of(type: Type, wanted: Type, program: Program, path: str = "", offset: int = 0) -> Iterator[tuple[str, int]]:
    """The parts of an object that have a type: their paths, and their offsets in bytes."""
    if type == wanted:
        yield path, offset
        return
    match type:
        case Array(element, count):
            if next(parts_of(element, wanted, program), None) is None:
                return
            step = size_of(element, program.records)
            for number in range(count):
                yield from parts_of(element, wanted, program, f"{path}[{number}]", offset + number * step)
        case Record(name):
            for field in program.records[name].fields:
                inner = f"{path}.{field.name}" if field.name else path
                # A bit-field has no address.
                if field.bit == 0:
                    yield from parts_of(field.type, wanted, program, inner, offset + field.offset)
        case _:
            return


def cut_short(names: list[str], most: int) -> str:
    """Some names, and how many there are beside them."""
    if len(names) > most:
        return f"one of {', '.join(names[:most])} and {len(names) - most} more"
    return f"one of {', '.join(names)}" if len(names) > 1 else names[0]
