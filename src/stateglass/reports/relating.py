"""What commands say that hold a model against another, or against a log."""

from __future__ import annotations

from typing import Annotated, TypedDict

from stateglass.reports.models import Sizes
from stateglass.reports.shared import OneOf, Relation, Values

Side = Annotated[str, OneOf(("first", "second"))]


class ComparedModel(Sizes):
    """One of two models."""

    path: str


class CompareReport(TypedDict):
    """Whether two models are related, and if not, why."""

    equivalent: Annotated[bool | None, "null: inconclusive"]
    by: Annotated[str, "the relation"]
    keep: Annotated[list[str], "propositions that tell states apart"]
    reason: Annotated[str | None, "why it is inconclusive"]
    models: list[ComparedModel]
    traces: Annotated[str | None, "whether a trace tells unrelated models apart"]
    trace: Annotated[list[str] | None, "labels that lead to the difference"]
    trace_of: Annotated[Side | None, "the model that has the trace"]
    trace_ending: Annotated[str | None, "what happens at its end"]
    refused: Annotated[list[str] | None, "labels that the model refuses there"]
    formula: Annotated[str | None, "true of one of them, in mCRL2's notation"]
    formula_true_of: Side | None
    formula_in_words: str | None
    without_formula: Annotated[str | None, "why there is none"]


class MonitoredState(TypedDict):
    """A state in which the model may be."""

    state: int
    values: Values
    file: str | None
    source_line: int | None


class LogLine(TypedDict):
    """An event of the log."""

    line: int
    event: str


class MonitorReport(TypedDict):
    """Where a recorded run leaves a model."""

    accepted: Annotated[bool | None, "null: inconclusive"]
    line: Annotated[int | None, "where it leaves the model"]
    event: str | None
    reason: Annotated[str | None, "why it is inconclusive"]
    missing: Annotated[str | None, "what the model lacks"]
    help: str | None
    allowed: Annotated[list[str], "what would have been possible"]
    may_end: Annotated[bool, "whether the end would have been"]
    possible_states: Annotated[int, "number of states in which the model may be"]
    states: Annotated[list[MonitoredState], "some of them"]
    recent: Annotated[list[LogLine], "the last events before"]
    events: Annotated[int, "number of events"]
    last_line: int | None
    skipped_lines: int
    unknown: Annotated[dict[str, int], "events left out, and how often"]
    processes: list[int]
    complete: Annotated[bool, "whether the log was to end where the model may"]
    relation: Relation
    model: Sizes
