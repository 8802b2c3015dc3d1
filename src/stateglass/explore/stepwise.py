"""The door for those who follow runs of a system step by step: along a path, along a graph, or as they please."""

from __future__ import annotations

from stateglass.explore.around.moves import Called, Exited, LookedAt, Returned, Stored, Threw, WasRead
from stateglass.explore.cells.strays import is_stray
from stateglass.explore.counting import counting
from stateglass.explore.following import Step
from stateglass.explore.going_on import goes_on
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import (
    CallingOut,
    Ended,
    Failing,
    Looping,
    Outside,
    Resting,
    Stable,
    Starting,
    Stuck,
)
from stateglass.explore.preparing import prepare
from stateglass.explore.retracing import EXACTLY, Failure, Fitting, Retracing, Run, Taken, Wanted
from stateglass.explore.retracing_graphs import WantedNode, follow_graph
from stateglass.explore.shown.valuations import (
    cells_called,
    names_called,
    numbers_in,
    propositions,
    shown_names,
    unsigned_names,
)
from stateglass.explore.states import Snapshot

__all__ = [
    "EXACTLY",
    "Called",
    "CallingOut",
    "Ended",
    "Exited",
    "Failing",
    "Failure",
    "Fitting",
    "LookedAt",
    "Looping",
    "Machine",
    "Outside",
    "Resting",
    "Retracing",
    "Returned",
    "Run",
    "Snapshot",
    "Stable",
    "Starting",
    "Step",
    "Stored",
    "Stuck",
    "Taken",
    "Threw",
    "Wanted",
    "WantedNode",
    "WasRead",
    "cells_called",
    "counting",
    "follow_graph",
    "goes_on",
    "is_stray",
    "names_called",
    "numbers_in",
    "prepare",
    "propositions",
    "shown_names",
    "unsigned_names",
]
