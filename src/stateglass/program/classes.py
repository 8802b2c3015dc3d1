"""The classes of a C++ program: what others may call and see of an object."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, final

from stateglass.program.shapes import NO_RESULT, UNKNOWN, Passed, Shape
from stateglass.program.types import FunctionType
from stateglass.source import NOWHERE, Span

TABLE: Final = "%table"
"""The hidden member of an object that leads to its virtual functions."""


@final
@unique
class Access(Enum):
    """Who may use a member."""

    PUBLIC = "public"
    PROTECTED = "protected"
    PRIVATE = "private"


@final
@unique
class Role(Enum):
    """What a member function is for."""

    CONSTRUCTOR = "constructor"
    DESTRUCTOR = "destructor"
    METHOD = "method"


@final
@dataclass(frozen=True, slots=True)
class Method:
    """A member function. In the program it is the function `name`, whose first parameters nobody wrote."""

    name: str
    short: str  # as the class knows it: `move`, or `move<int>` if there are several
    role: Role
    access: Access
    hidden: int  # how many parameters come before those that are written: the object, and room for a result
    static: bool = False
    virtual: bool = False
    constant: bool = False  # it leaves the object as it is
    throws: bool = True  # it does not promise to throw nothing
    implicit: bool = False  # nobody wrote it
    pure: bool = False  # a derived class has to say what it does
    spelled: str = ""  # as it is called in C++
    parameters: tuple[Passed, ...] = ()  # those that are written
    result: Passed = NO_RESULT
    signature: FunctionType | None = None  # what it takes and returns in the program, if that is known
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True)
class Brought:
    """A function of a base that a class has as one of its own (`using Base::f`): everybody may call it, or not."""

    method: Method
    offset: int  # of the base in the class, in bytes


@final
@dataclass(frozen=True, slots=True)
class MethodTemplate:
    """A template of member functions that everybody may call: what it takes is for the caller to say."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True)
class DataMember:
    """A variable that each object of a class has."""

    name: str
    access: Access
    constant: bool = False
    reference: bool = False
    shape: Shape = UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Class:
    """A class by the name of its record."""

    record: str
    name: str  # without namespaces
    methods: tuple[Method, ...]
    members: tuple[DataMember, ...]
    bases: tuple[str, ...] = ()  # records; only those that everybody may know
    abstract: bool = False
    spelled: str = ""  # as C++ has it
    templates: tuple[MethodTemplate, ...] = ()
    aliases: tuple[str, ...] = ()  # other names of it, with their namespaces
    brought: tuple[Brought, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def constructors(self) -> tuple[Method, ...]:
        return tuple(m for m in self.methods if m.role is Role.CONSTRUCTOR)
