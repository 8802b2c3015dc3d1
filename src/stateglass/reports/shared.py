"""What the reports of several commands have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypedDict, final


@final
@dataclass(frozen=True, slots=True)
class OneOf:
    """A text that is one of these; an annotation, since the enumerations behind them have plain texts as values."""

    choices: tuple[str, ...]


Relation = Annotated[str, OneOf(("exact", "over", "under"))]
Values = dict[str, str]
"""Names and values, as text: a 64-bit number is no number of JSON."""


class AssumptionReport(TypedDict):
    """Something that an answer rests on."""

    kind: Annotated[str, "what it is about: a bound, the schedule, a function without a body …"]
    subject: Annotated[str, "the function, variable or file that it is made of"]
    text: Annotated[str, "the assumption as a sentence"]


class ErrorReport(TypedDict):
    """A finding about the input."""

    code: Annotated[str, "its kind, the word in brackets of the text"]
    severity: Annotated[str, OneOf(("error", "warning", "note"))]
    message: str
    file: str | None
    line: int | None
    column: int | None
    help: Annotated[str | None, "advice"]


class ErrorsReport(TypedDict):
    """What every command prints instead of its report after a failure."""

    errors: list[ErrorReport]


class PlaceReport(TypedDict):
    """A line of the source."""

    file: str
    line: int


class StepReport(TypedDict):
    """A step of a run."""

    action: str
    changes: Annotated[Values, "values that it changes"]
    state: Annotated[int, "where it leads"]
    file: str | None
    line: int | None
