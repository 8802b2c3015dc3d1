"""What commands say of models."""

from __future__ import annotations

from typing import Annotated, TypedDict

from stateglass.reports.shared import AssumptionReport, Relation, StepReport

States = list[int]


class Sizes(TypedDict):
    """What is said of a model in passing."""

    states: Annotated[int, "number of states"]
    transitions: Annotated[int, "number of transitions"]
    partial: Annotated[bool, "whether some of the behaviour is missing"]
    partial_reasons: Annotated[list[str], "why it is"]
    relation: Annotated[Relation, "what the model is to the code"]


class Summary(Sizes):
    """All that there is to say of a model."""

    labels: Annotated[dict[str, int], "number of transitions of each label"]
    deadlocks: Annotated[States, "states without a transition that are no end"]
    livelocks: Annotated[States, "states on a cycle of silent steps"]
    deterministic: Annotated[bool, "no state has two targets for one label"]
    initial: Annotated[int, "the first state"]
    terminal: Annotated[States, "states in which the behaviour may end"]
    unexplored: Annotated[States, "states whose transitions are not known"]
    propositions: Annotated[list[str], "names of what has a value in each state"]
    subject: Annotated[str, "what the model is of"]
    assumptions: list[AssumptionReport]
    bounds: Annotated[dict[str, str], "the values that inputs were given"]
    history: Annotated[list[str], "what was done to the model since"]


class WrittenReport(Summary):
    """A new model, and where it went."""

    outputs: Annotated[list[str], "files written"]


class ExtractReport(WrittenReport):
    """A model of code."""

    notes: Annotated[list[str], "what was noticed on the way: leaks, inputs never read …"]


class Original(TypedDict):
    """The model that was reduced."""

    states: int
    transitions: int


class ReduceReport(WrittenReport):
    """A smaller model, and what it was made of."""

    by: Annotated[str, "the equivalence"]
    keep: Annotated[list[str], "propositions that told states apart"]
    original: Original
    dropped: Annotated[list[str], "propositions whose values were lost"]


class Way(TypedDict):
    """A shortest way through a model."""

    to: Annotated[str, "the action or state that was asked for"]
    steps: Annotated[list[StepReport] | None, "null if no way leads there"]


class PathReport(Sizes):
    """`info --path`."""

    path: Way


class ConvertReport(Sizes):
    """A model in another format."""

    output: str
    losses: Annotated[list[str], "what the format cannot keep"]


class SpecifyReport(TypedDict):
    """A system as a specification for other tools."""

    output: str
    missing: Annotated[list[str], "what of the code is not in it, and why"]
    assumptions: list[str]


class DrawReport(Sizes):
    """A picture."""

    output: str


class TourStep(TypedDict):
    """A command that the tour carried out."""

    command: Annotated[str, "as it is typed in the folder"]
    exit: Annotated[int | None, "its exit status; null: it was left out"]


class DemoReport(Sizes):
    """The tour; the sizes are those of the first model."""

    output: Annotated[str, "the folder"]
    files: Annotated[list[str], "what was written there"]
    steps: list[TourStep]


class ClassesFile(TypedDict):
    """What `reduce --classes` writes."""

    schema_version: int
    classes: Annotated[list[States], "for each new state, those that it stands for"]
    values: Annotated[list[dict[str, list[str]]], "for each new state, the values that each variable has in these"]
