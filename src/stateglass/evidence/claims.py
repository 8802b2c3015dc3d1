"""The answer to a claim: a verdict and the run, tree or states that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from stateglass.source import Span


@final
@unique
class Verdict(Enum):
    """What is known of a claim."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    VACUOUS = "vacuous"


@final
@unique
class Reason(Enum):
    """Why a claim could not be decided."""

    BOUND = "bound"
    TIMEOUT = "timeout"
    UNSUPPORTED = "unsupported"
    PARTIAL = "partial"
    ABSTRACTION = "abstraction"
    SOLVER = "solver"


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run: the transition of the model, its action, and what it changes."""

    source: int  # states of the model
    target: int
    action: str
    changes: tuple[tuple[str, str], ...] = ()  # propositions with a new value
    span: Span | None = None
    by: tuple[str, ...] = ()  # the threads and processes that take part, if it is a run of such


@final
@dataclass(frozen=True, slots=True)
class Path:
    """A run of the model from its initial state: finite, or with a part at the end that is repeated for ever."""

    start: int
    steps: tuple[Step, ...]
    loop_start: int | None = None  # the number of the first repeated step; None: the run is finite
    ends: bool = False  # a finite run that cannot go on, as opposed to one that need not be followed further


@final
@dataclass(frozen=True, slots=True)
class Node:
    """A state, what is shown of it, and why: evidence for branching formulas."""

    state: int
    formula: str  # what holds here, as text
    holds: bool
    steps: tuple[tuple[Step, int], ...] = ()  # steps to other nodes, by their number


@final
@dataclass(frozen=True, slots=True)
class Graph:
    """A proof, or a refutation, over several states; the first node is that of the initial state."""

    nodes: tuple[Node, ...]


@final
@dataclass(frozen=True, slots=True)
class Support:
    """Why something holds: the states that were looked at, and the places in the source that they rest on."""

    states: int
    spans: tuple[Span, ...]


@final
@dataclass(frozen=True, slots=True)
class Decided:
    """Who decided a claim without looking at every state by itself, and what was found on the way."""

    engine: str
    invariant: tuple[tuple[str, str], ...] = ()  # places, and what holds whenever code is there
    told_apart: tuple[tuple[str, str], ...] = ()  # places, and what an abstraction asks there
    given: tuple[tuple[str, str], ...] = ()  # the same of predicates of the user; without a place: asked nowhere
    predicates: int = 0
    rounds: int = 0
    depth: int | None = None  # how many stretches between loops the run has, or up to how many there is none
    integers: bool = False  # runs with numbers that do not fit their types were not looked at
    begins_with: tuple[str, ...] = ()  # what may hold any value when a run begins


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """A claim, the verdict, and what it rests on."""

    claim: str
    verdict: Verdict
    reason: Reason | None = None
    explanation: str = ""  # a sentence: why it is inconclusive, what is vacuous, what goes wrong
    evidence: Path | Graph | Support | None = None
    # `reference` (re-executed step by step), `replay` (on the compiled code), `solver` (an invariant)
    confirmed_by: tuple[str, ...] = ()
    decided: Decided | None = None  # None: by exploring all states
    not_replayed: str = ""  # why the compiled code, which was asked, says nothing to the run
