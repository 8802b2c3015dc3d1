"""A reflexion model: what a hypothesis and the code have in common, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Final, final

from stateglass.source import Diagnostic, Span

NOT_TAKEN: Final = "no call is known to take it"
NOT_ASKED: Final = "no conditions were looked for (--conditions 0)"
"""Why an edge has no condition, where nobody expects one."""
MOST_VALUES: Final = 12
"""How many values of a call are shown where no condition says which ones matter."""


@final
@dataclass(frozen=True, slots=True)
class Witness:
    """A call of the function that takes a transition."""

    before: tuple[tuple[str, str], ...]  # names and values, parameters and inputs included
    after: tuple[tuple[str, str], ...]  # of those that have changed
    lines: tuple[tuple[str, int], ...]  # file and line, in the order in which they were first executed
    error: str = ""  # the kind of fault that the call ends with
    span: Span | None = None  # and where
    # Of many values, the names of those that decide where the call leads; None: that was not looked at.
    deciding: frozenset[str] | None = field(default=None, compare=False)


@final
@unique
class Result(Enum):
    """What was found for one pair of states."""

    CONVERGENCE = "convergence"
    PARTIAL = "partial convergence"
    DIVERGENCE = "divergence"
    ABSENCE = "absence"
    INCONCLUSIVE = "inconclusive"


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """Under which condition a transition is taken, in C."""

    text: str
    exact: bool  # proven to be neither too wide nor too narrow
    note: str = ""  # what is known of it if it is not
    is_wide: bool = False  # it is too wide: the transition is taken only then, but not always
    # A call that shows that it is not exact, and where that leads; nowhere if that is not known.
    example: tuple[str, Witness] | None = None
    inputs: tuple[str, ...] = ()  # what it says of values that come in during the call: a hypothesis cannot

    @property
    def extent(self) -> str:
        return "exact" if self.exact else "over" if self.is_wide else "under"


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """A transition that the code has, the hypothesis, or both."""

    source: str
    target: str
    results: tuple[Result, ...]
    claimed: str | None = (
        None  # the condition that the hypothesis gives, without what goes before it; None: it gives none
    )
    is_claimed: bool = False  # the hypothesis has this transition
    witness: Witness | None = None  # a call that takes it
    elsewhere: tuple[str, Witness] | None = None  # one that the condition allows and that leads to another state
    beyond: Witness | None = None  # one that takes it though the condition does not hold
    condition: Condition | None = None
    necessary: Condition | None = field(default=None, compare=False)  # without it the transition is not taken
    unfound: str = field(default="", compare=False)  # why there is no condition
    reason: str = ""  # why something could not be decided
    span: Span | None = None  # where the hypothesis has it
    event: str = ""  # what makes it happen, where there are several functions
    nowhere: bool = False  # claimed of a state with states inside, and its condition can hold in none of them

    @property
    def in_code(self) -> bool:
        return self.witness is not None

    @property
    def missing(self) -> str:
        """Why there is no condition, if one was looked for."""
        return "" if self.unfound in (NOT_TAKEN, NOT_ASKED) else self.unfound


@final
@dataclass(frozen=True, slots=True)
class StateFound:
    """A state of the hypothesis, or a pseudo-state."""

    name: str
    condition: str
    parent: str | None = None
    initial: bool = False
    reachable: bool | None = None  # from the initial state; None: there is none, or it is not known
    is_trap: bool = False  # entered from another state and never left
    is_entered: bool | None = True  # from another state; None: it is not known
    satisfiable: bool = True
    is_left: bool = True  # or nothing is known against it
    itself: bool = True  # valuations can be in it and in no state inside it; what is said of it goes for those


@final
@dataclass(frozen=True, slots=True)
class ReflexionModel:
    """The answer."""

    machine: str
    function: str
    states: tuple[StateFound, ...]
    edges: tuple[Edge, ...]
    warnings: tuple[Diagnostic, ...]
    uncovered: tuple[tuple[str, str], ...] | None  # a valuation that no state covers; None: there is none
    bounds: tuple[str, ...]
    assumptions: tuple[str, ...]
    inconclusive: tuple[str, ...]  # reasons why not everything was decided
    lets: tuple[tuple[str, str], ...] = ()  # words of the design that conditions use, and what they stand for
    # Transitions whose conditions cannot hold where they begin: source, target, condition.
    never: tuple[tuple[str, str, str], ...] = ()
    interrupted: bool = False  # somebody did not want to wait for the rest
