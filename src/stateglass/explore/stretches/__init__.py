"""Code from rest to rest, for all inputs at once: what engines for unbounded data work on."""

from stateglass.explore.stretches.building import NoFlow, flow_of
from stateglass.explore.stretches.flow import Chosen, Flow, Part, Phase, Rest, Shown, Slot, Source, Stretch, Watched
from stateglass.explore.stretches.seen import Seen
from stateglass.explore.stretches.slicing import sliced

__all__ = [
    "Chosen",
    "Flow",
    "NoFlow",
    "Part",
    "Phase",
    "Rest",
    "Seen",
    "Shown",
    "Slot",
    "Source",
    "Stretch",
    "Watched",
    "flow_of",
    "sliced",
]
