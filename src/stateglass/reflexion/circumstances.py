"""What lies around a function that its files do not show: objects and functions that its pointers may lead to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final, final

from stateglass.explore import Machine
from stateglass.program import (
    Array,
    Declaration,
    Enumeration,
    Function,
    FunctionType,
    Local,
    Opaque,
    Pointer,
    Program,
    Record,
    Type,
    Variable,
    Void,
    cells_of,
    size_of,
)
from stateglass.program.callgraph import mentioned
from stateglass.program.names import is_own_object, spelled, without_file
from stateglass.reflexion.parameters import Parameters, Use
from stateglass.reflexion.pointing import Address, Pointing, parts_of
from stateglass.values import Concrete, FaultKind

MOST_TARGETS: Final = 256
"""So many places a pointer may lead to before the call."""
MOST_OWN: Final = 64
"""So many objects of their own there are for the pointers of a program."""
MOST_STEPS: Final = 2
"""How many pointers one after the other lead to objects of their own."""
MOST_CELLS: Final = 1 << 12
"""In larger variables pointers have no objects of their own."""

Target = tuple[str, int]
"""What a place is called, and its address."""


@final
class Circumstances:
    """For one function: a program that is complete, and where its pointers may lead before a call.

    A pointer that nothing in the program is known to be for, or that came from outside, leads to an object of its own.
    """

    def __init__(self, program: Program, function: Function) -> None:
        self._given = program
        self.pointing = Pointing(program)
        self._exposed = mentioned(program)[1]
        self._by_type: dict[tuple[Type, bool], bool] = {}
        self._declared: dict[str, Declaration] = {}
        self.extra: dict[str, Variable] = {}
        self._unknown: frozenset[str] = frozenset()
        self._shared: list[Variable] = []  # of these, those that other pointers may lead to
        self._parameters = Parameters(program, function)
        self.uses: dict[str, Use] = {}  # of the parameters that lead to objects of their own
        self._hidden = {p.name for p in function.parameters} | _statics(program, function)
        for parameter in function.parameters:
            if isinstance(parameter.type, Pointer):
                self._give(parameter.name, self.seen_as(parameter.type, function.name, parameter.name))
        for variable in program.variables.values():
            if not variable.span.in_library and not variable.literal:
                self._look(variable)
        self.program = self._complete()

    def _complete(self) -> Program:
        # What a variable starts with does not matter, and so neither does that it is not known.
        return replace(
            self._given,
            variables={
                n: v if self.is_fixed(n) else replace(v, unsupported="", initial=())
                for n, v in self._given.variables.items()
            },
            declarations={**self._given.declarations, **self._declared},
        )

    def machine(self, tolerated: Collection[FaultKind] = ()) -> Machine:
        """A machine for the program; constants of which it cannot tell the value may have any."""
        machine = Machine(self.program, Concrete(), self.extra.values(), tolerated=tolerated)
        if machine.unknown:
            self._unknown = frozenset(machine.unknown)
            self.program = self._complete()
            machine = Machine(self.program, Concrete(), self.extra.values(), tolerated=tolerated)
        return machine

    def is_fixed(self, name: str) -> bool:
        """Whether a variable holds what its definition says, always."""
        variable = self._given.variables.get(name)
        if variable is None or not variable.readonly or not variable.defined or variable.unsupported:
            return False
        return name not in self._unknown

    def is_open(self, owner: str, type: Pointer) -> bool:
        """Whether a pointer in a variable may lead to something that the program does not have."""
        variable = self._given.variables.get(owner)
        if variable is None or not variable.defined:
            return True
        if self.pointing.is_foreign(type.target) and not variable.span.in_library:
            return True
        return not self._has_targets(type, variable.span.in_library)

    def seen_as(self, type: Pointer, function: str, name: str) -> Type:
        """What a pointer leads to, if that can be told from what the code takes it for."""
        if not isinstance(type.target, Void):
            return type.target
        return self.pointing.seen_as(function, name) or type.target

    def enums(self) -> dict[str, Enumeration]:
        """The enumerations, without members whose names are hidden or have several meanings."""
        found = self._given.enums
        values: dict[str, set[int]] = {}
        for name, value in (member for enum in found.values() for member in enum.members):
            values.setdefault(name, set()).add(value)
        others = (*self._given.variables, *self._given.functions, *self._given.declarations)
        taken = {without_file(name) for name in others} | self._hidden
        clear = {name for name, meant in values.items() if len(meant) == 1 and name not in taken}
        return {n: replace(e, members=tuple(m for m in e.members if m[0] in clear)) for n, e in found.items()}

    # ---- objects of their own

    def _give(self, parameter: str, target: Type) -> None:
        """Make what a parameter leads to: as many objects as the code counts on."""
        if self._has_layout(target):
            use = self.uses[parameter] = self._parameters.use(parameter, target, size_of(target, self._given.records))
            target = use.objects
        self._add(parameter, target)

    def _look(self, variable: Variable, depth: int = 0) -> None:
        if variable.readonly and self.is_fixed(variable.name):
            return
        records, pointing = self._given.records, self.pointing
        if not pointing.holds_pointers(variable.type) or size_of(variable.type, records) > MOST_CELLS:
            return
        for cell in cells_of(variable.type, records):
            if isinstance(cell.type, Pointer) and self.is_open(variable.name, cell.type):
                target = cell.type.target if cell.path else self.seen_as(cell.type, "", variable.name)
                self._add(self.called(variable.name, cell.path), target, depth)

    def called(self, owner: str, path: str) -> str:
        """A scalar as expressions over the function name it; `*` before a pointer is the object it has for itself."""
        if f"{owner}~2" in self._given.variables:
            owner = f"{owner}~1"
        return shown(f"::{owner}" if owner in self._hidden else owner, path)

    def _add(self, name: str, target: Type, depth: int = 0) -> None:
        own = f"*{name}"
        if own in self.extra or own in self._declared or len(self.extra) + len(self._declared) >= MOST_OWN:
            return
        if isinstance(target, FunctionType):
            parameters = tuple(Local(f"{n}", t) for n, t in enumerate(target.parameters, 1))
            self._declared[own] = Declaration(own, target.result, parameters, target.variadic)
        elif self._has_layout(target):
            self.extra[own] = Variable(own, target)
            if depth == 0:
                self._shared.append(self.extra[own])
            if depth + 1 < MOST_STEPS:
                self._look(self.extra[own], depth + 1)

    def _has_layout(self, type: Type) -> bool:
        match type:
            case Void() | Opaque() | FunctionType():
                return False
            case Array(element, count):
                return count > 0 and self._has_layout(element)
            case Record(name):
                return not self._given.records[name].unsupported
            case _:
                return True

    # ---- where pointers lead

    def _has_targets(self, type: Pointer, in_library: bool) -> bool:
        known = self._by_type.get((type, in_library))
        if known is None:
            found = next(self._addresses(type, in_library, self._given.variables.values()), None)
            known = self._by_type[type, in_library] = found is not None
        return known

    def targets(self, owner: str, type: Pointer, machine: Machine) -> tuple[list[Target], bool]:
        """All places that a pointer in a variable may lead to, and whether there are more of them."""
        variables = (*self._given.variables.values(), *self._shared)
        listed = self._listed(type, owner, variables, machine)
        if len(listed) > MOST_TARGETS:
            exposed = [v for v in variables if v.name in self._exposed or v.name in self.extra]
            fewer = self._listed(type, owner, exposed, machine)
            listed = fewer if 0 < len(fewer) <= MOST_TARGETS else listed
        return listed[:MOST_TARGETS], len(listed) > MOST_TARGETS

    def targets_of(self, parameter: str, type: Pointer, machine: Machine) -> tuple[list[Target], bool]:
        """The places beside its own objects that a parameter may lead to, and whether there are more of them."""
        use = self.uses[parameter]
        if not use.is_open and not use.alike:
            return [], False
        if use.is_open:
            listed, is_cut = self.targets("", type, machine)
        else:
            given = {n: v for n, v in self.extra.items() if n[1:] in use.alike}
            found = self._listed(type, "", given.values(), machine)
            listed, is_cut = [t for t in found if _owner(t[1], machine) in given], len(found) > MOST_TARGETS
        # Of two that lead to the same object, only one leads to what the other has: the later parameter, or a variable.
        names = list(self.uses)
        earlier = {f"*{name}" for name in names[: names.index(parameter)]}
        others = {f"*{name}": other.target for name, other in self.uses.items()}
        alike = [n for n, v in self.extra.items() if n not in earlier and others.get(n, v.type) == use.target]
        taken = {machine.globals[name].address for name in alike}
        own = machine.globals[f"*{parameter}"]
        taken |= set(range(own.address, own.address + size_of(own.type, self._given.records)))
        return [(name, at) for name, at in listed if at not in taken], is_cut

    def _listed(self, type: Pointer, owner: str, variables: Iterable[Variable], machine: Machine) -> list[Target]:
        found: dict[int, str] = {}
        for name, address in self._addresses(type, self._in_library(owner), variables):
            found.setdefault(self._located(address, machine), name)
            if len(found) > MOST_TARGETS:
                break
        return [(name, at) for at, name in found.items()]

    def _in_library(self, owner: str) -> bool:
        variable = self._given.variables.get(owner)
        return variable is not None and variable.span.in_library

    def _located(self, address: Address, machine: Machine) -> int:
        if address.is_function:
            return machine.known.address(address.name)
        return machine.globals[address.name].address + address.offset

    def _addresses(
        self, type: Pointer, in_library: bool, variables: Iterable[Variable]
    ) -> Iterator[tuple[str, Address]]:
        """The addresses that a pointer may hold: variables of its type, and what the code makes such pointers of."""
        is_found, variables = False, list(variables)
        # The library points to what is part of it, and user's code does not, unless there is nothing else.
        for side in (in_library, not in_library):
            belonging = [v for v in variables if v.span.in_library == side]
            for target in (type.target, *self.pointing.origins(type.target)):
                for found in self._typed(target, type.readonly, belonging):
                    is_found = True
                    yield found
            if is_found:
                break
        for address in self.pointing.taken(type.target):
            is_hidden = not (address.is_function or type.readonly or self.pointing.loses_const(address))
            if not is_hidden or not self._variable(address.name).readonly:
                yield self._name(address, type.target), address

    def _typed(self, target: Type, readonly: bool, variables: list[Variable]) -> Iterator[tuple[str, Address]]:
        if isinstance(target, Void | Opaque | FunctionType):
            return
        for variable in variables:
            # What is volatile is never read through a pointer to something that is not.
            if variable.volatile or (variable.readonly and not readonly):
                continue
            for path, offset in parts_of(variable.type, target, self._given):
                yield self._quoted(variable) or shown(variable.name, path), Address(variable.name, offset)
                if variable.literal:
                    break  # nobody keeps pointers to the middle of a text

    def _variable(self, name: str) -> Variable:
        return self._given.variables[name]

    def _name(self, address: Address, target: Type) -> str:
        if address.is_function:
            return address.name
        variable = self._variable(address.name)
        return self._quoted(variable) or place_name(variable.name, variable.type, address.offset, target, self._given)

    def _quoted(self, variable: Variable) -> str:
        return text_of(variable) if variable.literal else ""


def _owner(address: int, machine: Machine) -> str:
    found = machine.memory.object_at(address)
    return "" if found is None else found.name


def text_of(literal: Variable) -> str:
    """A string literal as C has it, or nearly so."""
    characters = {i.position // 8: i.value.value for i in literal.initial if hasattr(i.value, "value")}
    text = "".join(chr(c) for _, c in sorted(characters.items()) if isinstance(c, int) and 32 <= c < 127)
    return f'"{text if len(text) <= 20 else text[:19] + "…"}"'


def place_name(owner: str, type: Type, offset: int, target: Type, program: Program) -> str:
    """What begins at an offset of a variable, as an object of a type if there is one."""
    parts = [p for p, at in parts_of(type, target, program) if at == offset]
    if parts:
        return shown(owner, parts[0])
    element = _end_of_array(type, offset, program)
    if element is not None and offset == size_of(type, program.records):
        return shown(owner, element)
    cells = [c for c in cells_of(type, program.records) if c.position == 8 * offset and not c.padding]
    if offset == 0:
        return shown(owner, "")
    return shown(owner, cells[0].path) if cells else f"{shown(owner, '')} + {offset}"


def _end_of_array(type: Type, offset: int, program: Program) -> str | None:
    """The element behind the last, which has an address."""
    return f"[{type.count}]" if isinstance(type, Array) and offset == size_of(type, program.records) else None


def _statics(program: Program, function: Function) -> set[str]:
    """The names of the static variables of a function."""
    within = f"{without_file(function.name)}::"
    names = [n for n, v in program.variables.items() if n.startswith(within) and v.span.file == function.span.file]
    return {spelled(name) for name in names}


def shown(owner: str, path: str) -> str:
    """A scalar as C has it: `x`, `s.a[2]`, `p->state`."""
    if not is_own_object(owner):
        return f"{owner}{path}"
    pointer = f"({owner[1:]})" if owner.startswith("**") else owner[1:]
    if path.startswith("."):
        return f"{pointer}->{path[1:]}"
    return f"{pointer}{path}" if path else owner
