"""What `check` and `replay` say."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from stateglass.reports.models import Sizes
from stateglass.reports.shared import OneOf, PlaceReport, StepReport, Values

Verdict = Annotated[str, OneOf(("holds", "violated", "inconclusive", "vacuous"))]


class GraphStep(StepReport):
    """A step of a graph."""

    to: Annotated[int, "the node it leads to"]


class GraphNode(TypedDict):
    """A formula in a state, and the steps that its value rests on."""

    state: int
    formula: str
    holds: bool
    steps: list[GraphStep]


class EvidenceReport(TypedDict):
    """What a verdict rests on."""

    initial: NotRequired[Annotated[Values, "values at the start"]]
    steps: list[StepReport]
    loop_start: Annotated[int | None, "the step at which the endless part begins"]
    ends: NotRequired[Annotated[bool, "whether the run is over after its last step"]]
    confirmed_by: Annotated[list[str], "who has looked again"]
    not_replayed: NotRequired[Annotated[str, "why the compiled code, which was asked, says nothing to the run"]]
    bounds: dict[str, str]
    assumptions: list[str]
    subject: NotRequired[Annotated[dict[str, object], "what `replay` needs to build the code"]]
    graph: NotRequired[Annotated[list[GraphNode], "for branching formulas"]]
    states: NotRequired[Annotated[int, "number of states that it rests on"]]
    lines: NotRequired[Annotated[list[PlaceReport], "the lines that it rests on"]]


class InvariantReport(TypedDict):
    """What holds, or is asked, whenever code is at a place."""

    place: Annotated[str, "a loop, or between calls"]
    text: Annotated[str, "a condition in the manner of C"]


class GivenReport(TypedDict):
    """Predicates of the user at a place."""

    place: Annotated[str | None, "a loop, or between calls, or another place; null: their variables are known nowhere"]
    text: Annotated[str, "the predicates, as they were written"]


class VerdictReport(TypedDict):
    """A claim and its answer."""

    claim: Annotated[str, "its name, or its text if it has none"]
    text: Annotated[str, "its text"]
    meaning: Annotated[str | None, "its text as an English sentence"]
    verdict: Verdict
    reason: Annotated[str | None, "why it is inconclusive, in a word"]
    explanation: Annotated[str | None, "the same as a sentence"]
    evidence: EvidenceReport | None
    assumptions: list[str]
    engine: NotRequired[Annotated[str | None, "who decided; null: nobody did, and several have tried"]]
    numbers: NotRequired[Annotated[str, "`bits`: as wide as their types; `integers`: what does not fit is left out"]]
    invariant: NotRequired[Annotated[list[InvariantReport], "what a proof rests on"]]
    told_apart: NotRequired[Annotated[list[InvariantReport], "what an abstraction tells states apart by"]]
    given: NotRequired[Annotated[list[GivenReport], "where predicates of the user were asked (`--predicate`)"]]
    predicates: NotRequired[Annotated[int, "how many an abstraction has, those of the user among them"]]
    rounds: NotRequired[Annotated[int, "how often it was refined"]]
    depth: NotRequired[Annotated[int | None, "how long the runs are that were looked at, in stretches between loops"]]


class CheckReport(TypedDict):
    """Answers to claims."""

    verdicts: list[VerdictReport]
    model: NotRequired[Annotated[Sizes, "what was looked at; absent where there was no claim"]]
    outputs: NotRequired[Annotated[list[str], "files written"]]


class ReplayReport(TypedDict):
    """What the compiled code did along the evidence."""

    confirmed: Annotated[bool | None, "null: inconclusive"]
    claim: str
    verdict: str
    step: Annotated[int | None, "where the compiled code did something else"]
    reason: str | None
    events: Annotated[int, "number of events that were compared"]
    driver: Annotated[str | None, "the folder of the driver, if it was kept"]
    others: Annotated[list[str], "claims that were not taken"]
