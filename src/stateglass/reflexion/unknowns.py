"""What is not known before a call: the value of every variable, parameter and pointer, as terms."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore import Object
from stateglass.explore.merging import UNWRITTEN, Content, new_value
from stateglass.program import (
    Cell,
    Enumeration,
    Function,
    FunctionType,
    Local,
    Pointer,
    Program,
    Record,
    Scalar,
    Type,
    is_scalar,
)
from stateglass.program.names import is_own_object
from stateglass.reflexion.circumstances import Circumstances
from stateglass.reflexion.pointing import cut_short
from stateglass.smt import Operator, Term, Terms
from stateglass.values import FaultKind

MOST_NAMED: Final = 24
"""So many places that a pointer may lead to are named."""
UNKNOWN_BITS: Final = 30
"""Of an address of which nothing is known; more would have a meaning of their own."""


@final
@dataclass(frozen=True, slots=True)
class Given:
    """A scalar that the circumstances or an earlier call have set."""

    name: str
    type: Scalar
    term: Term
    in_c: bool = True  # C calls it by its name; pieces of unions and what lies between members have none


@final
class Unknowns:
    """The unknowns of one function. What no one asks for has no term."""

    def __init__(
        self, program: Program, function: Function, terms: Terms, *, tolerated: Collection[FaultKind] = ()
    ) -> None:
        self.terms = terms
        self.function = function
        self._circumstances = Circumstances(program, function)
        self.extra = tuple(self._circumstances.extra.values())
        self.machine = self._circumstances.machine(tolerated)
        self.assumptions: dict[str, None] = {}
        self._first = list(self.machine.cells)
        self._cells: dict[int, Content] = {}
        self._objects = tuple(self.machine.memory.objects)
        self._owner: list[tuple[Object, Cell]] = [(o, c) for o in self._objects for c in o.shape]
        self.variables: dict[int, Given] = {}
        self._leading: dict[str, tuple[Term, int, str]] = {}  # by object: the pointer to it, its address, who holds it
        self._given_by: set[str] = set()  # objects that a parameter always leads to
        self.arguments: list[Term | list[Content]] = [self._argument(p) for p in function.parameters]
        self.parameters = [
            u for p, given in zip(function.parameters, self.arguments, strict=True) for u in self._given(p, given)
        ]
        self._note_apart()

    def before(self, number: int) -> Content:
        """What a cell holds before the call."""
        found = self._cells.get(number)
        if found is None:
            found = self._cells[number] = self._made(number)
        return found

    def known_cells(self) -> list[tuple[int, Content]]:
        """All cells that somebody has asked for."""
        return list(self._cells.items())

    def is_constant(self, number: int) -> bool:
        return self._circumstances.is_fixed(self._owner[number][0].name)

    def name_of(self, number: int) -> str:
        owner, cell = self._owner[number]
        return self.called(owner.name, cell.path)

    def called(self, owner: str, path: str) -> str:
        """A scalar by the name that expressions over the function have for it."""
        return self._circumstances.called(owner, path)

    def reached(self, number: int) -> Term:
        """Under which condition a cell is what its name leads to: that of what a pointer has for itself may not be."""
        return self._reached(self._owner[number][0].name)

    def _reached(self, owner: str) -> Term:
        if not is_own_object(owner) or owner in self._given_by:
            return self.terms.true
        if owner not in self._leading:
            return self.terms.false
        pointer, address, holder = self._leading[owner]
        leads = self.terms.equal(pointer, self.terms.constant(address, pointer.width))
        return self.terms.both(leads, self._reached(holder))

    def present(self, number: int) -> Term:
        """When a cell is there to be shown: an object of a parameter is not while the parameter leads elsewhere."""
        owner = holder = self._owner[number][0].name
        while is_own_object(holder) and holder in self._leading:
            holder = self._leading[holder][2]
        return self.terms.true if holder else self._reached(owner)

    @property
    def given(self) -> Term:
        """That no parameter with objects of its own is null."""
        pointers = [pointer for pointer, _, holder in self._leading.values() if not holder]
        nulls = (self.terms.equal(p, self.terms.constant(0, p.width)) for p in pointers)
        return self.terms.negation(self.terms.either(*nulls))

    def enums(self) -> dict[str, Enumeration]:
        """The enumerations, with those members only whose names mean the same in expressions over the function."""
        return self._circumstances.enums()

    def cell(self, number: int) -> Cell:
        return self._owner[number][1]

    def _made(self, number: int) -> Content:
        owner, cell = self._owner[number]
        if self._circumstances.is_fixed(owner.name):
            first = self._first[number]
            return self.terms.constant(first, cell.width) if isinstance(first, int) else UNWRITTEN
        name = self.called(owner.name, cell.path)
        if isinstance(cell.type, Pointer):
            is_open = self._circumstances.is_open(owner.name, cell.type)
            term = self._pointer(owner.name, name, cell.type, f"{name}@{number}", is_open=is_open)
        else:
            term = new_value(self.terms, f"{name}@{number}", cell.type)
        self.variables[number] = Given(name, cell.type, term, _has_name(cell))
        return term

    def _given(self, parameter: Local, value: Term | list[Content]) -> list[Given]:
        """The unknowns that a caller chooses for a parameter; none for a pointer that leads to its own objects only."""
        if isinstance(value, list):
            cells = zip(self.machine.memory.shape(parameter.type), value, strict=True)
            return [
                Given(f"{parameter.name}{c.path}", c.type, t) for c, t in cells if isinstance(t, Term) and _has_name(c)
            ]
        if not is_scalar(parameter.type) or f"*{parameter.name}" in self._given_by:
            return []
        return [Given(parameter.name, parameter.type, value)]

    def _argument(self, parameter: Local) -> Term | list[Content]:
        type = parameter.type
        if isinstance(type, Record):
            shape = self.machine.memory.shape(type)
            return [new_value(self.terms, f"{parameter.name}{c.path}@{n}", c.type) for n, c in enumerate(shape)]
        assert is_scalar(type)
        if not isinstance(type, Pointer):
            return new_value(self.terms, parameter.name, type)
        if f"*{parameter.name}" not in self.machine.globals:
            return self._pointer("", parameter.name, type, f"{parameter.name}@", is_open=True)
        return self._given_pointer(parameter.name, type)

    def _given_pointer(self, name: str, type: Pointer) -> Term:
        """The value of a parameter with objects of its own; null, or elsewhere, only if the code asks for that."""
        use, own = self._circumstances.uses[name], self.machine.globals[f"*{name}"].address
        targets, is_cut = self._circumstances.targets_of(name, type, self.machine)
        others = [address for _, address in targets]
        if is_cut:
            result = self._one_of([*others, own], f"{name}@", type, self._somewhere(f"{name}@", type))
        else:
            others += [0] if use.may_be_null else []
            result = self._one_of(others, f"{name}@", type, self.terms.constant(own, 8 * type.size))
        if result.operator is Operator.VALUE:
            self._given_by.add(f"*{name}")
        self._leading[f"*{name}"] = result, own, ""
        text = _ways(type, [n for n, _ in targets], use.elements, is_cut)
        self.assumptions[_assumed(name, text, may_be_null=use.may_be_null or is_cut)] = None
        return result

    def _pointer(self, owner: str, name: str, type: Pointer, unknown: str, *, is_open: bool) -> Term:
        """The value of a pointer: null, or the address of an object; `is_open`: also of one that the program lacks."""
        targets, is_cut = self._circumstances.targets(owner, type, self.machine)
        own = self._own(f"*{name}") if is_open else None
        is_unknown = is_cut or (is_open and own is None)
        addresses = [address for _, address in targets]
        if own is not None and own not in addresses:
            addresses.append(own)
        null = self.terms.constant(0, 8 * type.size)
        result = self._one_of(addresses, unknown, type, self._somewhere(unknown, type) if is_unknown else null)
        if own is not None:
            self._leading[f"*{name}"] = result, own, owner
        ways = _ways(type, [n for n, a in targets if a != own], 0 if own is None else 1, is_unknown)
        self.assumptions[_assumed(name, ways, may_be_null=True)] = None
        return result

    def _one_of(self, addresses: Sequence[int], unknown: str, type: Pointer, result: Term) -> Term:
        """One of these addresses, each chosen by an unknown of its own; or else `result`."""
        for number, address in enumerate(addresses):
            chosen = self.terms.both(self.terms.variable(f"{unknown}={number}", 0), self._is_given(address))
            result = self.terms.choose(chosen, self.terms.constant(address, 8 * type.size), result)
        return result

    def _is_given(self, address: int) -> Term:
        """That the object at an address is there: one made for a parameter is there only if the parameter leads to it.

        So no other pointer leads to an object that its own parameter does not name, and names stay true.
        """
        found = self.machine.memory.object_at(address)
        is_known = found is not None and is_own_object(found.name) and found.name in self._leading
        if found is None or not is_known or self._leading[found.name][2]:
            return self.terms.true
        return self._reached(found.name)

    def _somewhere(self, unknown: str, type: Pointer) -> Term:
        """An unknown address: it may be compared, but nothing is known of what lies there."""
        width = 8 * type.size
        return self.terms.resize(self.terms.variable(f"{unknown}?", min(UNKNOWN_BITS, width)), width, is_signed=False)

    def _note_apart(self) -> None:
        """Notes as assumptions which parameters of one type do not lead to the same object."""
        uses = {n: use for n, use in self._circumstances.uses.items() if f"*{n}" in self.machine.globals}
        by_type: dict[Type, list[str]] = {}
        for name, use in uses.items():
            if not use.is_open:
                by_type.setdefault(use.target, []).append(name)
        for names in by_type.values():
            pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
            apart = [pair for pair in pairs if pair[1] not in uses[pair[0]].alike]
            for *first, last in [names] if apart == pairs and pairs else apart:
                shown = ", ".join(f"`{name}`" for name in first)
                self.assumptions[f"{shown} and `{last}` do not point to the same object"] = None

    def _own(self, name: str) -> int | None:
        found = self.machine.globals.get(name)
        if found is not None:
            return found.address
        return self.machine.known.address(name) if name in self.machine.program.declarations else None


def _has_name(cell: Cell) -> bool:
    return not cell.padding and "@" not in cell.path


def _ways(type: Pointer, targets: list[str], own: int, is_unknown: bool) -> list[str]:
    """Clauses for what a pointer may lead to; `own` is the number of objects of its own."""
    ways = []
    if targets:
        ways.append(f"points to {cut_short(targets, MOST_NAMED)}")
    if own and isinstance(type.target, FunctionType):
        ways.append("leads to a function that is not known")
    elif own:
        ways.append(f"points to {'an object' if own == 1 else f'the first of {own} objects'} of its own")
    if is_unknown:
        ways.append("leads where nothing is known of it")
    return ways


def _assumed(name: str, ways: list[str], *, may_be_null: bool) -> str:
    """The assumption about a pointer, as a sentence."""
    every = ["is null", *ways] if may_be_null else ways
    text = f"{', '.join(every[:-1])} or {every[-1]}" if len(every) > 1 else every[0]
    return f"`{name}` {text}" if may_be_null else f"`{name}` is not null: it {text}"
