"""The system: which code runs, what the environment may do, and what all of this takes for granted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import final

from stateglass.program import Enum as EnumType
from stateglass.program import Enumeration, Int, Place, Program, Scalar, Type, Variable
from stateglass.source import Assumption
from stateglass.system.fsp.nodes import Process
from stateglass.system.fsp.running import IN_ERROR
from stateglass.system.maps.resolved import ResolvedAbstractions, ResolvedLabels
from stateglass.system.undefined import Undefined


@final
@unique
class Mode(Enum):
    """How the environment uses the entry functions."""

    RUN = "run"  # it calls one of them, once
    STEP = "step"  # it calls them again and again, in any order


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """A scalar that the environment chooses, and from what."""

    name: str
    type: Scalar
    values: tuple[int, ...]
    anything: bool = False  # any value at all: only abstract values can say so


@final
@dataclass(frozen=True, slots=True)
class Contents:
    """Elements of one type that the environment chooses together, and from which rows of values."""

    name: str
    element: Scalar
    rows: tuple[tuple[int, ...], ...]
    text: bool = False  # characters that end with a NUL

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(row) for row in self.rows}))


@final
@dataclass(frozen=True, slots=True)
class Handed:
    """A pointer that a function without a body returns: null, or one of its own arguments, by number."""

    name: str
    arguments: tuple[int | None, ...]  # None: null


@final
@dataclass(frozen=True, slots=True)
class Pointed:
    """A pointer argument: the address of an object of the environment, whose content may be chosen each time."""

    variable: str
    content: Choice | None
    offset: int = 0  # in bytes: where in the object it leads to
    left: str = ""  # what the object is called when the call is over; before, there is nothing to be seen of it


@final
@dataclass(frozen=True, slots=True)
class Filled:
    """A pointer argument: the address of an object of the environment that has just the elements chosen for a call."""

    contents: Contents
    objects: tuple[str, ...]  # one for each row; what is not const is shared by rows of one length


@final
@dataclass(frozen=True, slots=True)
class Fixed:
    """An argument that is always the same."""

    value: int
    type: Scalar


Argument = Choice | Pointed | Filled | Fixed


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """A function that the environment calls."""

    function: str
    arguments: tuple[Argument, ...]
    hidden: int = 0  # how many arguments come first that nobody writes: the object, and room for a result
    shown: str = ""  # what it is called by those who call it, if that is not its own name
    result: str = ""  # the variable that gets the object it returns; empty: it returns none that way
    forget: str = ""  # the function that destroys the object it returned; empty: nothing has to be done
    leave: str = ""  # the function that destroys the objects it was given to change, from their addresses
    throws_end: bool = False  # whoever gets an exception from it calls no more
    gone: str = ""  # the variable that says so of one of several callers; empty: it is the only one

    @property
    def name(self) -> str:
        """What the function is called by those who call it."""
        return self.shown or self.function.rstrip("#")


@final
@dataclass(frozen=True, slots=True)
class Reach:
    """How far a function without a body writes behind a pointer, if nobody says it: as far as there are such objects.

    `size`, in bits, is that of what the pointer leads to; 0: nobody says what that is, and any number there is written.
    Of more than `most` of them nothing is known afterwards.
    """

    size: int
    most: int
    is_sampled: bool = False  # some values are tried in place of all: behind the first one, a single one


@final
@dataclass(frozen=True, slots=True)
class Write:
    """What a function without a body sets: from bit `position` on of what argument number `argument` points to.

    With a `reach`, the same happens to what follows it.
    """

    argument: int
    position: int
    choice: Choice | Contents
    reach: Reach | None = None


@final
@dataclass(frozen=True, slots=True)
class Lost:
    """Bits behind a pointer of which nothing is known afterwards, in each object of a size that it leads to."""

    argument: int
    position: int
    bits: int
    size: int  # in bits


@final
@dataclass(frozen=True, slots=True)
class External:
    """A function without a body: what it may return and write."""

    name: str
    result_type: Type
    result: Choice | Handed | None  # None: it returns nothing, or nothing that anyone looks at
    writes: tuple[Write, ...] = ()
    exact: frozenset[int] = frozenset()  # arguments through which it writes what `writes` says and nothing else
    advice: Mapping[int, str] = field(default_factory=dict)  # for others, by number: the bound that would say it
    unsupported: str = ""  # why a call of it cannot be answered; empty: it can
    noreturn: bool = False
    throws: tuple[tuple[str, str], ...] = ()  # types of exceptions, and functions that throw them
    lost: tuple[Lost, ...] = ()
    beside: Reach | None = None  # how far it writes behind a further argument; None: that is not known


@final
@dataclass(frozen=True, slots=True)
class InputVariable:
    """A scalar or an array of a variable that the environment sets: before each call, or once."""

    variable: str
    position: int  # in bits
    choice: Choice | Contents
    handed_in: bool = False  # the variable is an object of the environment, which a pointer argument leads to

    @property
    def shown(self) -> str:
        """What actions call it."""
        return self.choice.name if self.handed_in else f"::{self.choice.name}"


@final
@dataclass(frozen=True, slots=True)
class RunningProcess:
    """A process that stands for a part of the subject, or for a client; its state is kept in variables of the
    environment: one has its number, the other one, which everybody sees, the definition that the process is at."""

    path: str
    process: Process
    variable: str
    shown: str
    functions: Mapping[str, str]  # what the process calls them, by name
    fields: Mapping[str, str] = field(default_factory=dict)  # the same for variables

    @property
    def definitions(self) -> Enumeration:
        """The values of the variable that everybody sees."""
        names = (*(d.name for d in self.process.definitions), IN_ERROR)
        return Enumeration(self.variable, tuple((name, number) for number, name in enumerate(names)))

    @property
    def type(self) -> EnumType:
        return EnumType(self.variable, Int(32, signed=True))


@final
@dataclass(frozen=True, slots=True)
class PublicField:
    """A part of the subject that everybody may look at, and change if there are values for it."""

    name: str
    position: int  # in bits
    type: Scalar
    values: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Double:
    """A member function that does something else for one object: what a function without a body does, or nothing."""

    function: str
    place: Place
    instead: str = ""  # the function without a body; empty: nothing happens
    has_body: bool = False  # there is code, which other objects may run
    maker: str = ""  # the function that makes the object which it returns, of a number


@final
@dataclass(frozen=True, slots=True)
class SubjectObject:
    """The object that is looked at: a variable of the environment."""

    variable: str
    names: Mapping[str, str] = field(default_factory=dict)  # what its parts are called, by their paths
    fields: tuple[PublicField, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class System:
    """Everything that is explored: which code runs, what the environment may do, and what is assumed."""

    program: Program
    mode: Mode
    entries: tuple[Entry, ...]
    init: Entry | None = None
    externals: Mapping[str, External] = field(default_factory=dict)
    volatile: Mapping[str, Choice] = field(default_factory=dict)
    inputs: tuple[InputVariable, ...] = ()  # chosen before each call
    beginnings: tuple[InputVariable, ...] = ()  # chosen once, before all calls but that of the init function
    is_tame: bool = False  # something starts at zero or stays as it is, though it may have any value
    environment: tuple[Variable, ...] = ()  # objects that exist only for pointer arguments
    undefined: Undefined = field(default_factory=Undefined)
    abstractions: ResolvedAbstractions | None = None  # None: every variable keeps its exact value
    labels: ResolvedLabels | None = None  # None: actions are called what they are
    bounds: tuple[tuple[str, str], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    object: SubjectObject | None = None
    # What functions without a body may call before they return, by how many such calls are under way already.
    callbacks: Mapping[str, tuple[tuple[Entry, ...], ...]] = field(default_factory=dict)
    callback_limit: int = 0  # how often one of them does so at most before it returns; 0: any number of times
    # What processes call, by their path and their name for it: between calls, and by how many calls back are under way.
    process_calls: Mapping[tuple[str, str], tuple[Entry, ...]] = field(default_factory=dict)
    client_processes: frozenset[str] = frozenset()  # those that stand for no part, but call
    processes: tuple[RunningProcess, ...] = ()
    loads: Mapping[str, str] = field(default_factory=dict)  # what actions call inputs that are variables of stubs
    stores: Mapping[str, str] = field(default_factory=dict)  # functions that are told what is stored, and to what
    valueless: frozenset[str] = frozenset()  # variables that something stands for, so that memory does not hold them
    replaced: frozenset[str] = frozenset()  # functions with a body that something stands for
    stand_ins: frozenset[str] = frozenset()  # functions without a body that are called in place of member functions
    doubles: tuple[Double, ...] = ()
    made: tuple[str, ...] = ()  # text in C++, read with the program, that makes what is handed over
    left_out: tuple[str, ...] = ()  # what is not explored though it belongs to the subject, and why

    def input_at(self, chosen: int) -> InputVariable | None:
        """What is chosen next between calls; numbers below zero count up to the first call. None: a call is."""
        if chosen < 0:
            return self.beginnings[chosen]
        return self.inputs[chosen] if chosen < len(self.inputs) else None

    @property
    def subject(self) -> str:
        if self.object is not None:
            return self.object.variable
        return ", ".join(e.function for e in self.entries)
