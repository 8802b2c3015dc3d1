"""What `reflect` says."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from stateglass.reports.shared import ErrorReport, OneOf, Values

Result = Annotated[str, OneOf(("convergence", "partial convergence", "divergence", "absence", "inconclusive"))]

Extent = Annotated[str, OneOf(("exact", "under", "over"))]


class StateReport(TypedDict):
    """A state of the machine; null is not known."""

    name: str
    condition: Annotated[str | None, "what its valuations satisfy"]
    parent: str | None
    initial: bool
    reachable: bool | None
    trap: Annotated[bool | None, "entered and never left"]
    entered: bool | None
    left: bool | None
    satisfiable: Annotated[bool, "whether a valuation before a call is in it"]
    itself: Annotated[bool, "false if the states inside leave nothing of it; else the rest is about what they leave"]


class WitnessReport(TypedDict):
    """A call."""

    before: Values
    after: Values
    path: Annotated[int, "a place in `paths`"]
    error: Annotated[str | None, "the kind of error it ends in"]


class LeadingReport(WitnessReport):
    """A call, and where it leads."""

    target: Annotated[str | None, "null is not known"]


class ConditionReport(TypedDict):
    """What was found about when a transition is taken."""

    text: str
    exact: bool
    extent: Annotated[
        Extent, "`under`: it is taken then, and at other times too; `over`: it is not taken unless this holds"
    ]
    note: Annotated[str | None, "what is missing if it is not exact"]
    example: Annotated[LeadingReport | None, "if it is not exact, a call that shows it"]
    inputs: Annotated[list[str], "what it says of values that come in during the call"]


class EdgeReport(TypedDict):
    """A transition that is claimed or found."""

    source: str
    target: str
    results: list[Result]
    claimed: Annotated[
        str | None,
        "the condition in the hypothesis, without what goes before it; an empty text: it is not said when;"
        " null: the hypothesis does not have this transition",
    ]
    condition: Annotated[ConditionReport | None, "what was found; null if nothing was"]
    necessary: Annotated[ConditionReport | None, "if only that is known: a condition without which it is not taken"]
    unfound: Annotated[str | None, "why `condition` is null"]
    witness: Annotated[WitnessReport | None, "a call that takes it"]
    elsewhere: Annotated[LeadingReport | None, "a call that the claimed condition leads elsewhere"]
    beyond: Annotated[WitnessReport | None, "a call that the claimed condition does not allow"]
    reason: Annotated[str | None, "why it is inconclusive"]


class LinesReport(TypedDict):
    """Lines that follow each other."""

    file: str
    first: int
    last: int


class NeverReport(TypedDict):
    """A condition that no valuation of its source satisfies."""

    source: str
    target: str
    condition: str


class ConsistencyReport(TypedDict):
    """What is to be said of the hypothesis itself."""

    uncovered: Annotated[Values | None, "a valuation that no state covers"]
    unsatisfiable: Annotated[list[str], "states that no valuation is in before a call"]
    unsatisfiable_conditions: list[NeverReport]
    warnings: list[str]


class ReflectReport(TypedDict):
    """A reflexion model."""

    hypothesis: NotRequired[Annotated[str, "its name in the project"]]
    machine: str
    function: str
    states: list[StateReport]
    edges: list[EdgeReport]
    paths: Annotated[list[list[LinesReport]], "the lines that calls execute, in their order"]
    consistency: ConsistencyReport
    bounds: list[str]
    assumptions: list[str]
    inconclusive: Annotated[list[str], "what could not be decided"]
    suggestion: NotRequired[Annotated[str, "with --suggest: the text of a machine"]]
    outputs: NotRequired[Annotated[list[str], "files written"]]


class RefusedHypothesis(TypedDict):
    """A hypothesis of the project that could not be looked at."""

    hypothesis: str
    errors: list[ErrorReport]


class SeveralReflectReport(TypedDict):
    """The hypotheses of a project."""

    hypotheses: list[ReflectReport | RefusedHypothesis]
    outputs: Annotated[list[str], "files written"]
