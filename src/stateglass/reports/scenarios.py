"""What `scenario` says."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from stateglass.reports.claims import EvidenceReport, Verdict
from stateglass.reports.elaborations import ElaborationReport, KeptReport, QuestionReport
from stateglass.reports.models import Sizes

# `from` is no name of Python: the type is made by a call.
ScenarioReport = TypedDict(
    "ScenarioReport",
    {
        "name": Annotated[str | None, "its name, if it has one"],
        "text": Annotated[str, "what it says, as it was written"],
        "english": Annotated[str, "the same as an English sentence"],
        "verdict": Verdict,
        "expected": Annotated[Verdict, "the verdict that its author expects: that it holds, unless it says otherwise"],
        "reason": Annotated[str | None, "why it is inconclusive, in a word"],
        "explanation": Annotated[str | None, "why the verdict is as it is, as a sentence"],
        "from": Annotated[str | None, "the scenario that it was made from"],
        "by": Annotated[str | None, "the pattern by which it was made"],
        "formulas": NotRequired[Annotated[list[str], "what it claims in CTL; with --explain"]],
        "obligations": NotRequired[
            Annotated[
                list[list[str]], "what is to be shown in each state of the run, from the first on; with --explain"
            ]
        ],
        "new_steps": NotRequired[
            Annotated[
                list[int], "the numbers, from 0, of steps of the run that an older version does not have; with --old"
            ]
        ],
        "evidence": EvidenceReport | None,
        "assumptions": list[str],
    },
)
ScenarioReport.__doc__ = "A scenario and its answer."


class WordReport(TypedDict):
    """An event or a condition of the vocabulary."""

    name: str
    kind: Annotated[str, "`event` or `condition`"]
    text: Annotated[str, "its definition"]
    count: Annotated[int, "the steps at which an event happens, the states in which a condition holds"]
    at_start: Annotated[bool, "whether an event happens at the start of runs"]
    parts: Annotated[list[str], "the words that it is made of"]
    used: Annotated[bool, "whether a scenario speaks of it, directly or by a word that is made of it"]


class ScenariosReport(TypedDict):
    """Answers to scenarios."""

    scenarios: list[ScenarioReport]
    vocabulary: NotRequired[Annotated[list[WordReport], "with --vocabulary"]]
    elaborations: NotRequired[Annotated[list[ElaborationReport], "with --elaborate"]]
    remarks: NotRequired[Annotated[list[str], "what else is worth saying of elaborations"]]
    questions: NotRequired[Annotated[list[QuestionReport], "scenarios with a hole, and their answers"]]
    stories: NotRequired[Annotated[list[KeptReport], "with --stories"]]
    kept: NotRequired[Annotated[list[str], "lines added to the file of scenarios"]]
    model: NotRequired[Annotated[Sizes, "what was looked at; absent where there was no scenario"]]
    outputs: NotRequired[Annotated[list[str], "files written"]]
