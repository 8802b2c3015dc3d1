"""Runs a system over a value domain and returns the model it found and what it did not see.

From below: `cells` are what a program's memory consists of, each a scalar with a number; `meaning` says what the
nodes of a program mean, whatever values are, and `code` makes functions of the cells of it, the *segments*. `machine`
runs segments up to the next pause. `around` has the moves that lead on from a pause, and `labels` what a label map
calls them. `following` makes them, `explorer` numbers the states, and `shown` says what is to be seen of them;
`retracing` follows a run again.

Where values are not exact, a content that stands for several is *vague* (`cells/vague`), memory that holds such
contents is *blurred* (`cells/blurred`), `cells/keeping` says how much of a value a variable keeps, `code/learning`
what a branch tells about it, and *doubts* are errors that may happen and need not (`doubts`).

Two engines work on terms, for all inputs at once: `merging` runs a function, `stretches` goes from rest to rest.
"""

from stateglass.explore.cells.contents import Content, Unknown
from stateglass.explore.cells.memory import Object
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.code.activations import Segment
from stateglass.explore.explorer import Exploration, explore
from stateglass.explore.machine import Machine
from stateglass.explore.manner import Manner
from stateglass.explore.pauses import Asking, CallingOut, Exiting, Failing, Outside, Pause, Returning, Stable
from stateglass.explore.shown.actions import Texts

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
