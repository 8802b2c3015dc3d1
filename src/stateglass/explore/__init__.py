"""Runs a system over a value domain and returns the model it found and what it did not see."""

from stateglass.explore.actions import Texts
from stateglass.explore.activations import Segment
from stateglass.explore.contents import Content, Unknown
from stateglass.explore.explorer import Exploration, explore
from stateglass.explore.machine import Machine
from stateglass.explore.manner import Manner
from stateglass.explore.memory import Object
from stateglass.explore.pauses import Asking, CallingOut, Exiting, Failing, Outside, Pause, Returning, Stable
from stateglass.explore.strays import is_stray

__all__ = [
    "Asking",
    "CallingOut",
    "Content",
    "Exiting",
    "Exploration",
    "Failing",
    "Machine",
    "Manner",
    "Object",
    "Outside",
    "Pause",
    "Returning",
    "Segment",
    "Stable",
    "Texts",
    "Unknown",
    "explore",
    "is_stray",
]
