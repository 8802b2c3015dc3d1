"""Strategies: which of the runs that show the same thing is to be shown.

Each aim makes a step cost something: `avoid-…` a step that does what is to be avoided, `prefer-…` one that does not do
what is preferred, `fewest-…` as much as it does of it. Of several aims the earlier ones come first, and at last the run
is to be short. A strategy chooses a witness, never a verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, final

from stateglass.logic.predicates import Named
from stateglass.model.model import Flags, Ints
from stateglass.scenarios.language import Condition, Event
from stateglass.scenarios.validating import Reply
from stateglass.source import NOWHERE, Span


@final
@unique
class Sense(Enum):
    """What an aim makes of what it is about."""

    AVOID = "avoid"
    PREFER = "prefer"
    FEWEST = "fewest"


@final
@dataclass(frozen=True, slots=True)
class Shortest:
    """As few steps as possible."""


@final
@dataclass(frozen=True, slots=True)
class Visited:
    """Steps into states that the run has been in before."""

    sense: Sense


@final
@dataclass(frozen=True, slots=True)
class States:
    """Steps into some states, by number."""

    sense: Sense
    states: tuple[range, ...]
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """Steps into states in which a condition holds."""

    sense: Sense
    conditions: tuple[Condition, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Steps at which an event happens; all of the vocabulary if none is named."""

    sense: Sense
    events: tuple[Event, ...]
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True, eq=False)
class Variables:
    """Steps that change the value of a proposition; all of the model if none is named."""

    sense: Sense
    names: tuple[Named, ...]


@final
@dataclass(frozen=True, slots=True)
class NewSteps:
    """Steps that an older version of the model does not have."""

    sense: Sense


@final
@dataclass(frozen=True, slots=True)
class NewVariables:
    """Steps that change what an older version of the model does not have."""

    sense: Sense


@final
@dataclass(frozen=True, slots=True)
class OldWitness:
    """Steps that a witness on an older version of the model takes, too."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Custom:
    """What a function of somebody's own says that a step costs, as it stands in its file when it is first asked."""

    file: str
    function: str
    span: Span = NOWHERE


Aim = Shortest | Visited | States | Conditions | Events | Variables | NewSteps | NewVariables | OldWitness | Custom


@final
@dataclass(frozen=True, slots=True)
class Strategy:
    """Aims, of which the earlier ones come first; each with the words for it.

    Unless it is greedy, the run as a whole costs least. A greedy one chooses at each step what costs least there.
    """

    aims: tuple[Aim, ...] = ()
    texts: tuple[str, ...] = ()
    greedy: bool = False

    @property
    def reuses(self) -> bool:
        """Whether it looks at the witness of an older version."""
        return any(isinstance(aim, OldWitness) for aim in self.aims)


SHORTEST: Final = Strategy()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What is known of the transitions of a model by comparing it with an older version; None: nothing."""

    is_new: Flags | None = None
    new_variable_changes: Ints | None = None  # how many variables a transition changes that are new
    in_old_witness: Callable[[Reply], Flags] | None = None  # whether the witness of the old version takes it, too
    without_old_witness: Callable[[Reply], str] | None = None  # why that is no run any more; nothing if it is one


NO_FACTS: Final = Facts()
