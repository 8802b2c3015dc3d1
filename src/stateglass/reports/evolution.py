"""What `diff` says."""

from __future__ import annotations

from typing import Annotated, TypedDict

from stateglass.reports.claims import VerdictReport
from stateglass.reports.models import Sizes
from stateglass.reports.shared import OneOf, StepReport

OldOrNew = Annotated[str, OneOf(("old", "new"))]


class DifferingModel(Sizes):
    """One of the two sides."""

    name: Annotated[str, "as it was given"]


class ChangeReport(TypedDict):
    """Something that one side does and the other does not, or does otherwise."""

    action: str
    condition: Annotated[str | None, "on the values before it; null: always, or in no condition that is short"]
    exact: Annotated[bool, "false: it happens in some of the states with this condition"]
    before: Annotated[str | None, "what the old side does"]
    after: Annotated[str | None, "what the new side does"]
    text: Annotated[str, "all of it as one line"]
    count: Annotated[int, "how many steps of the models it stands for"]
    run: Annotated[list[StepReport], "a shortest run that shows it"]
    run_of: OldOrNew
    confirmed_by: Annotated[list[str], "who has looked again at the run"]


class NamesReport(TypedDict):
    """Names that only one of the sides has."""

    added: list[str]
    removed: list[str]


class DistinctionReport(TypedDict):
    """A shortest run that tells the sides apart, whatever is said of changes."""

    of: OldOrNew
    actions: list[str]
    ending: Annotated[str | None, "what holds at its end"]


class ChangedVerdict(TypedDict):
    """A claim or scenario on both sides."""

    claim: Annotated[str, "its name, or its text if it has none"]
    text: str
    before: Annotated[VerdictReport | None, "null: it cannot be asked of the old side"]
    after: Annotated[VerdictReport | None, "null: it cannot be asked of the new side"]
    changed: Annotated[bool, "whether both are decided, and differently"]
    expected: Annotated[bool, "whether the change was declared"]
    reason: Annotated[str | None, "why it cannot be asked of a side"]


class ExpectationReport(TypedDict):
    """A declared change."""

    text: str
    came_true: bool
    reason: Annotated[str | None, "why it did not"]
    file: str | None
    line: int | None


class StructureReport(TypedDict):
    """Both sides as one structure, in which states with the same values are one."""

    states: int
    preserved: Annotated[int, "steps that both sides have"]
    imposed: Annotated[int, "steps that only the new side has"]
    deleted: Annotated[int, "steps that only the old side has"]


class DiffReport(TypedDict):
    """What became of a behaviour."""

    equivalent: Annotated[bool | None, "but for what was declared; null: inconclusive"]
    by: Annotated[str, "the relation"]
    compared: Annotated[list[str], "variables whose values between calls count"]
    reason: Annotated[str | None, "why it is inconclusive"]
    models: Annotated[list[DifferingModel], "the old side and the new one"]
    added: Annotated[list[ChangeReport], "what only the new side does"]
    removed: Annotated[list[ChangeReport], "what only the old side does"]
    moved: Annotated[list[ChangeReport], "what both do, with another outcome"]
    states: Annotated[list[str], "states that only one side has, in sentences"]
    scope: Annotated[str | None, "what the changes are about, if not about all states"]
    without_changes: Annotated[str | None, "why changes are not listed though there are some"]
    labels: NamesReport
    variables: Annotated[NamesReport, "variables that exist between calls; their values do not count"]
    distinction: DistinctionReport | None
    structure: Annotated[StructureReport | None, "null: the sides have too little in common"]
    scenarios: list[ChangedVerdict]
    claims: list[ChangedVerdict]
    expectations: list[ExpectationReport]
    outputs: Annotated[list[str], "files written"]
