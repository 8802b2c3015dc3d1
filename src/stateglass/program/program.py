"""The whole program: functions, variables and type tables of all translation units, linked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, final

from stateglass.program.classes import Class, Method
from stateglass.program.names import is_made_up
from stateglass.program.nodes import Block, Expression, Local
from stateglass.program.types import Enumeration, Field, Record, RecordLayout, Scalar, Type
from stateglass.source import NOWHERE, Span

ANYTHING: Final = "*"
"""Stands for whatever a pointer may lead to."""


@final
@dataclass(frozen=True, slots=True)
class OpenOrder:
    """An expression that reads or calls something before or after another call: C does not say which."""

    reads: frozenset[str]  # variables; `ANYTHING` through pointers
    callees: frozenset[str]  # functions; `ANYTHING` through a pointer
    beside: frozenset[str]  # functions that the expression itself calls
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body; execution starts in block 0."""

    name: str
    result: Type
    parameters: tuple[Local, ...]
    locals: tuple[Local, ...]  # everything but the parameters
    blocks: tuple[Block, ...]
    variadic: bool = False
    open_orders: tuple[OpenOrder, ...] = ()
    internal: bool = False  # `static`: no other file can call it by its name
    span: Span = field(default=NOWHERE, compare=False)

    def returns_like(self, parameter: str) -> bool:
        """Whether its result may be the next value of a parameter, for those who call it again and again."""
        return any(p.name == parameter and p.type == self.result for p in self.parameters)


@final
@dataclass(frozen=True, slots=True)
class Declaration:
    """A function without a body: what it does is an assumption."""

    name: str
    result: Type
    parameters: tuple[Local, ...]
    variadic: bool = False
    noreturn: bool = False
    span: Span = field(default=NOWHERE, compare=False)
    prints: bool = False  # as printf does: what it is given beyond its parameters is read


@final
@dataclass(frozen=True, slots=True)
class Written:
    """How a function or variable of C++ is called by the linker and by code that uses it; types are as C++ has them."""

    symbol: str
    scope: str  # the class or namespace: `ns::Box<int>`; empty: none
    name: str
    type: str
    parameters: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether the linker knows it in one file only."""
        return self.symbol.startswith("_ZL") or "_GLOBAL__N_" in self.symbol

    @property
    def is_of_library(self) -> bool:
        """Whether the C++ library has to do with its type: then its symbol is that of our library."""
        return "std::" in self.type or "std::" in self.scope


@final
@dataclass(frozen=True, slots=True)
class Initial:
    """A scalar of a variable that does not start at zero."""

    position: int  # in bits
    type: Scalar
    value: Expression


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A variable with static storage: a global, a static local (`f::x`), a string literal or a register."""

    name: str
    type: Type
    initial: tuple[Initial, ...] = ()
    volatile: bool = False  # reading it gives an input
    readonly: bool = False
    defined: bool = True  # False: declared `extern`, and no file defines it
    literal: bool = False
    internal: bool = False  # other files may have another one of that name
    unsupported: str = ""  # why its initial value is not known; empty: it is
    address: int | None = None  # of a register, which no code defines
    unwritten: bool = False  # it has no value at first
    by_thread: bool = False  # each thread has one of its own
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Target:
    """The machine the program is for."""

    triple: str
    pointer_size: int
    int_bits: int
    big_endian: bool
    float_digits: tuple[int, int, int] = (24, 53, 64)  # of float, double and long double


@final
@dataclass(frozen=True)
class Program:
    """The code as data; see `validator` for what always holds of it."""

    target: Target
    files: tuple[str, ...]
    records: Mapping[str, RecordLayout]
    enums: Mapping[str, Enumeration]
    variables: Mapping[str, Variable]
    functions: Mapping[str, Function]
    declarations: Mapping[str, Declaration]
    constructors: tuple[str, ...] = ()  # functions that are called before all others, in order
    destructors: tuple[str, ...] = ()  # and when the program ends
    classes: Mapping[str, Class] = field(default_factory=dict)  # of C++, by record
    written: Mapping[str, Written] = field(default_factory=dict)  # of C++: functions and variables

    def bases_in(self, record: str) -> Iterator[tuple[Field, Record]]:
        """The parts of an object that are objects of its bases, which its class does not call members."""
        owner = self.classes.get(record)
        members = {m.name for m in owner.members} if owner is not None else set()
        for part in self.records[record].fields:
            if part.name not in members and isinstance(part.type, Record):
                yield part, part.type

    def method(self, function: str) -> Method | None:
        """What a class knows a function as; None if it is no member function."""
        return self._methods.get(function)

    @cached_property
    def _methods(self) -> dict[str, Method]:
        return {m.name: m for c in self.classes.values() for m in c.methods}

    @property
    def own_functions(self) -> list[str]:
        """The functions of the user's files and headers: what nobody wrote is offered to nobody, nor are probes."""
        spans = {name: function.span for name, function in self.functions.items() if not is_made_up(name)}
        return [name for name, span in spans.items() if span != NOWHERE and not span.in_library]
