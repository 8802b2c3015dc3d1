"""What an answer takes for granted about the world around the code: the assumptions that are listed with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import final


@final
@unique
class Topic(Enum):
    """What an assumption is about."""

    ASSEMBLY = "assembly"  # instructions that are passed over
    BOUND = "bound"  # what the environment gives to a call
    DESTRUCTOR = "destructor"  # code that would run at the end
    ERRORS = "errors"  # only some kinds of error are looked for
    FUNCTION = "function"  # one without a body
    HEADER = "header"  # one that was not found
    INPUT = "input"  # what is set before a call, or at the start
    LEFT_OUT = "left-out"  # runs into undefined behaviour, which are not in the model
    MEMORY = "memory"
    NUMBERS = "numbers"  # what becomes of those that do not fit
    OBJECT = "object"  # what pointers lead to
    ORDER = "order"  # of what C leaves open
    RESTRICTION = "restriction"  # to some actions
    SCHEDULE = "schedule"  # of calls
    TARGET = "target"  # the machine that the code is for
    UNDEFINED = "undefined"  # behaviour that goes on in some way
    VARIABLE = "variable"  # one that is defined nowhere
    VIEW = "view"  # what is not shown
    VOLATILE = "volatile"
    WEAK = "weak"  # symbols that no file defines


@final
@dataclass(frozen=True, slots=True)
class Assumption:
    """Something a model takes for granted about the world around the code; one line of the list below an answer."""

    kind: Topic
    subject: str
    text: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.text}"
