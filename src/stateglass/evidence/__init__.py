"""What an answer consists of: verdicts, and the runs, valuations and places in the source that they rest on."""

from stateglass.evidence.claims import Answer, Graph, Node, Path, Reason, Step, Support, Verdict
from stateglass.evidence.differences import Became, Change, Difference, Distinction, Met, Version
from stateglass.evidence.reflexion import (
    MOST_VALUES,
    NOT_ASKED,
    NOT_TAKEN,
    Condition,
    Edge,
    ReflexionModel,
    Result,
    StateFound,
    Witness,
)
from stateglass.evidence.trails import files_of, folded, problem_of, spine, told, told_steps

__all__ = [
    "MOST_VALUES",
    "NOT_ASKED",
    "NOT_TAKEN",
    "Answer",
    "Became",
    "Change",
    "Condition",
    "Difference",
    "Distinction",
    "Edge",
    "Graph",
    "Met",
    "Node",
    "Path",
    "Reason",
    "ReflexionModel",
    "Result",
    "StateFound",
    "Step",
    "Support",
    "Verdict",
    "Version",
    "Witness",
    "files_of",
    "folded",
    "problem_of",
    "spine",
    "told",
    "told_steps",
]
