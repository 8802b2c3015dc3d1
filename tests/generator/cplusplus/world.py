"""What a program consists of while it is written: classes, variables, and the text so far."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, final

LIMIT: Final = 1000
"""Values of variables and fields lie below it, whatever their sign."""
LARGEST: Final = 2**30


@final
class Level(IntEnum):
    """What an expression does: beside one that acts, only a quiet one has a value that is not left open."""

    QUIET = 0  # a constant
    READING = 1
    ACTING = 2


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An expression of type `int` whose value lies within a bound."""

    text: str
    bound: int
    level: Level


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A field that holds a number: how it is read and given a number."""

    name: str
    type: str
    bound: int

    def read(self, of: str) -> str:
        return f"static_cast<int>({of}{self.name})"

    def given(self, value: str) -> str:
        """The expression that fits the type of the field."""
        if self.type == "bool":
            return f"({value}) % 2 != 0"
        if self.type == "Mode":
            return f"({value}) % 2 != 0 ? Mode::Fast : Mode::Slow"
        return f"static_cast<{self.type}>({value})" if self.type != "int" else value


@final
@dataclass(slots=True)
class Class:
    """A class as its users see it."""

    name: str
    full: str
    number: int
    bases: list["Class"] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)  # those that everybody may use
    virtuals: list[str] = field(default_factory=list)
    pure: list[str] = field(default_factory=list)
    operators: set[str] = field(default_factory=set)
    total: str = ""  # the function that reads the whole object
    method: str = ""  # a function that changes it
    empty: bool = True  # whether it is made without an argument, too
    second: bool = False  # whether a second argument can be given
    throws: bool = False  # whether its making may fail
    copied: bool = True
    moved: bool = True
    assigned: bool = True
    copies_written: bool = False  # rather than left to the compiler
    virtual_end: bool = False
    parts: list[str] = field(default_factory=list)  # of an aggregate, by name

    @property
    def is_abstract(self) -> bool:
        return bool(self.pure)

    def ancestors(self) -> set[int]:
        return {self.number}.union(*(b.ancestors() for b in self.bases))


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """An object that has a name; `text` denotes it."""

    text: str
    type: Class
    constant: bool = False


@final
@dataclass(frozen=True, slots=True)
class Container:
    """An object of a class of the library; `text` denotes it, `element` is the class of what is in it, if it is one."""

    text: str
    kind: str
    element: Class | None = None
    sum: str = ""  # an expression below the limit that depends on what is in it


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program: what it takes besides a number, and what it returns (None: a number)."""

    name: str
    taken: Class | None
    passing: str  # how: "value", "reference", "constant", "pointer", "moved"
    result: Class | None


@final
@dataclass(slots=True)
class World:
    """What the program has at namespace scope."""

    dice: random.Random
    features: set[str] = field(default_factory=set)
    classes: list[Class] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # classes of exceptions, those derived from others last
    functions: list[Function] = field(default_factory=list)
    globals: list[Variable] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)  # variables of type `int`
    library: bool = False  # whether containers and owning pointers are used
    open_orders: bool = False  # whether the order of what acts may be one that C++ leaves open
    count: int = 0

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"


@final
class Context:
    """The function that is being written."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.dice = world.dice
        self.lines: list[str] = []
        self.depth = 1
        self.objects: list[Variable] = list(world.globals)
        self.numbers: list[str] = list(world.numbers)
        self.constants: list[str] = []
        self.containers: list[Container] = []
        self.loops = 0  # around the statement at hand
        self.returns = ""  # what stands before the value of a `return`; empty where there must be none
        self.left = 10  # statements

    def note(self, feature: str) -> None:
        self.world.features.add(feature)

    def chance(self, probability: float) -> bool:
        return self.dice.random() < probability

    def fresh(self, stem: str) -> str:
        return self.world.fresh(stem)

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[None]:
        """Braces; what is declared inside is known inside only."""
        kept = list(self.objects), list(self.numbers), list(self.constants), list(self.containers)
        self.write(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.write(tail)
        self.objects, self.numbers, self.constants, self.containers = kept
