"""What is said of a component that is held against the code that implements it."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from stateglass.reports.models import Sizes
from stateglass.reports.reflexion import ReflectReport
from stateglass.reports.shared import ErrorReport


class HeldReport(TypedDict):
    """A function held against the part of the statechart that it carries out."""

    pin: str
    function: str
    unclear: Annotated[str | None, "why the design cannot be said as a machine of this function"]
    reflexion: ReflectReport | None


class RunStep(TypedDict):
    """A step in both words."""

    design: str
    code: str


class SimulatedReport(TypedDict):
    """Whether the component can do all that the code does."""

    simulates: Annotated[bool | None, "null: inconclusive"]
    reason: Annotated[str | None, "why it is inconclusive"]
    run: Annotated[list[RunStep], "what only the code can do"]
    ending: Annotated[str | None, "what happens at its end"]
    instead: Annotated[list[str], "what the component can do in place of the last step"]
    models: Annotated[list[Sizes], "of the component, and of the code"]


class AgreementReport(TypedDict):
    """A component and the code that implements it."""

    design: NotRequired[Annotated[str, "its name in the project"]]
    component: str
    code: Annotated[list[str], "files"]
    functions: list[HeldReport]
    simulation: SimulatedReport
    outputs: NotRequired[Annotated[list[str], "files written"]]


class RefusedDesign(TypedDict):
    """A design of the project that could not be looked at."""

    design: str
    errors: list[ErrorReport]


class SeveralAgreementsReport(TypedDict):
    """The designs of a project."""

    designs: list[AgreementReport | RefusedDesign]
    outputs: Annotated[list[str], "files written"]
