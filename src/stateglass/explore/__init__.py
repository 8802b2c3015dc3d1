"""Runs a system over a value domain and returns the model it found and what it did not see.

From below: `memory` gives each scalar a number, that of its cell. `translator` makes the code of a function at one
depth of recursion, an activation, into segments: functions of the cells. `machine` runs segments up to the next pause.
`environment` knows the moves that lead on from a pause, `following` makes them, `explorer` numbers the states.

Where values are not exact, a content that stands for several is *vague* (`vague`, `vague_places`, `vague_pointers`),
memory that holds such contents is *blurred* (`blurred`), `keeping` says how much of a value a variable keeps,
`learning` what a branch tells about it, and *doubts* are errors that may happen and need not (`doubts`). `merging` is
the engine that runs a function once for all inputs.
"""

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
