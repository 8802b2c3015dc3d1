"""What `scenario` says of stronger stories, of questions and of kept stories."""

from __future__ import annotations

from typing import Annotated, TypedDict

from stateglass.reports.claims import EvidenceReport, Verdict

ElaborationReport = TypedDict(
    "ElaborationReport",
    {
        "pattern": Annotated[str, "the pattern that it was made by"],
        "text": str,
        "english": Annotated[str, "the same as an English sentence"],
        "from": Annotated[str, "the scenario that it was made from"],
        "verdict": Annotated[Verdict, "`holds`, or `violated` of one that is near but does not hold"],
        "note": Annotated[str | None, "what is worth knowing beside it"],
        "facts": Annotated[bool, "whether it speaks of what the vocabulary has no word for"],
        "shown": Annotated[str, "the scenario whose run is the evidence"],
        "strategy": Annotated[str, "the strategy that the run was looked for with"],
        "evidence": EvidenceReport | None,
    },
)
ElaborationReport.__doc__ = "A story that was made from another one."


class FillingReport(TypedDict):
    """What may stand in the hole of a question."""

    answer: str
    text: Annotated[str, "the question with the answer in it"]
    trivial: Annotated[bool, "whether it fits whatever the model does"]
    facts: Annotated[bool, "whether the vocabulary has no word for it"]


class QuestionReport(TypedDict):
    """A question with a hole and its answers, the strongest first."""

    text: str
    answers: list[FillingReport]
    remarks: list[str]


KeptReport = TypedDict(
    "KeptReport",
    {
        "name": Annotated[str | None, "its name, if it has one"],
        "text": str,
        "from": Annotated[str | None, "the scenario that it was made from"],
        "by": Annotated[str | None, "the pattern by which it was made"],
        "depth": Annotated[int, "how many stories stand above it in the tree"],
        "verdict": Verdict | None,
        "old_verdict": Annotated[Verdict | None, "the verdict on the older model, if there is one"],
    },
)
KeptReport.__doc__ = "A story of the file, in the tree of those that were made from each other."
