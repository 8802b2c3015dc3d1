"""Says what is run and against what: who calls which functions with which inputs, what stands for the rest, maps.

`building` makes a `System` from a program and what was asked for. `inputs` lists what the environment may have to
choose, `bounds/` reads which values it may take, `choosing` brings both together. `maps/` reads abstraction and label
maps, and `proposing/` makes up a first one.
"""

from stateglass.system.building import build_system
from stateglass.system.guessing import Guess, default_function, guess_object, guess_system
from stateglass.system.leaving_out import leaves_out
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
    Lost,
    Mode,
    Pointed,
    Reach,
    System,
    Write,
)
from stateglass.system.undefined import Numbers, Undefined, UndefinedBehaviour, undefined, with_integers

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
    "Lost",
    "Mode",
    "Numbers",
    "Pointed",
    "Reach",
    "System",
    "Undefined",
    "UndefinedBehaviour",
    "Write",
    "build_system",
    "default_function",
    "guess_object",
    "guess_system",
    "leaves_out",
    "undefined",
    "with_integers",
]
