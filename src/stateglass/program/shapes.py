"""What the types of C++ are made of, as far as somebody who calls a function has to know: what to make, and of what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from stateglass.program.types import Scalar


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number, a truth value or an enumerator."""

    spelled: str
    type: Scalar


@final
@dataclass(frozen=True, slots=True)
class Text:
    """`std::string`, `std::string_view` or `const char *`."""

    spelled: str


@final
@dataclass(frozen=True, slots=True)
class Sequence:
    """Elements of one type: a vector, an array, a list, a set; `count` if there are always that many."""

    spelled: str
    element: Shape
    count: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Perhaps:
    """`std::optional`: an element, or none."""

    spelled: str
    element: Shape


@final
@dataclass(frozen=True, slots=True)
class Product:
    """`std::pair` or `std::tuple`: several elements, called so."""

    spelled: str
    elements: tuple[tuple[str, Shape], ...]


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the program, by its record."""

    spelled: str
    record: str


@final
@dataclass(frozen=True, slots=True)
class Owner:
    """`std::unique_ptr` or, if it is `shared`, `std::shared_ptr` of an object."""

    spelled: str
    target: Instance
    shared: bool


@final
@dataclass(frozen=True, slots=True)
class Callable:
    """Something that is called: `std::function`, or a pointer to a function."""

    spelled: str
    result: Shape
    parameters: tuple[Passed, ...]


@final
@dataclass(frozen=True, slots=True)
class Nothing:
    """What a function returns that returns nothing."""

    spelled: str = "void"


@final
@dataclass(frozen=True, slots=True)
class Other:
    """Anything else: nobody outside can make one."""

    spelled: str


Shape = Number | Text | Sequence | Perhaps | Product | Instance | Owner | Callable | Nothing | Other


@final
@unique
class Manner(Enum):
    """How something is passed."""

    VALUE = "value"
    REFERENCE = "reference"
    RVALUE = "rvalue reference"
    POINTER = "pointer"


@final
@dataclass(frozen=True, slots=True)
class Passed:
    """What a function takes or returns. `constant`: it cannot be changed through the reference or pointer."""

    spelled: str  # with the reference or pointer
    shape: Shape
    manner: Manner = Manner.VALUE
    constant: bool = False
    name: str = ""


NO_RESULT = Passed("void", Nothing())
UNKNOWN = Other("?")
