"""Says what is run and against what: who calls which functions with which inputs, what stands for the rest, maps."""

from stateglass.system.building import build_system
from stateglass.system.guessing import Guess, guess_object, guess_system
from stateglass.system.system import (
    Argument,
    Choice,
    Contents,
    Entry,
    External,
    Filled,
    Fixed,
    Handed,
    InputVariable,
    Mode,
    Pointed,
    System,
    Write,
)
from stateglass.system.undefined import Undefined, UndefinedBehaviour, undefined

__all__ = [
    "Argument",
    "Choice",
    "Contents",
    "Entry",
    "External",
    "Filled",
    "Fixed",
    "Guess",
    "Handed",
    "InputVariable",
    "Mode",
    "Pointed",
    "System",
    "Undefined",
    "UndefinedBehaviour",
    "Write",
    "build_system",
    "guess_object",
    "guess_system",
    "undefined",
]
