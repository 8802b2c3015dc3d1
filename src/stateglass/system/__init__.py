"""Says what is run and against what: threads, objects, stubs, processes, bounds, assumptions."""

from stateglass.system.building import build_system
from stateglass.system.guessing import Guess, guess_system
from stateglass.system.system import (
    Argument,
    Choice,
    Entry,
    External,
    Fixed,
    InputVariable,
    Mode,
    Pointed,
    System,
    UndefinedBehaviour,
    Write,
)

__all__ = [
    "Argument",
    "Choice",
    "Entry",
    "External",
    "Fixed",
    "Guess",
    "InputVariable",
    "Mode",
    "Pointed",
    "System",
    "UndefinedBehaviour",
    "Write",
    "build_system",
    "guess_system",
]
