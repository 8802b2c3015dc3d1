"""The names of what decides claims."""

from __future__ import annotations

from enum import Enum, unique
from typing import final


@final
@unique
class Engine(Enum):
    """Who decides a claim on code."""

    AUTO = "auto"  # what fits: exploration where there are few states, else the others in turn
    PREDICATE = "predicate"  # an abstraction by predicates that refines itself
    SPACER = "spacer"  # invariants by Horn clauses
    BMC = "bmc"  # longer and longer runs
    EXPLICIT = "explicit"  # every state by itself, within bounds
