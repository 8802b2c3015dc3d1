"""A state diagram as it was drawn: states inside states, arrows with their text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Note:
    """A piece of text in a diagram."""

    text: str
    line: int = 0


@final
@dataclass(frozen=True, slots=True)
class ChartState:
    """A state of a diagram."""

    name: str
    text: str = ""  # what is written in it, if that is not its name
    parent: str | None = None
    initial: bool = False  # where its parent, or the diagram, starts
    line: int = 0
    texts: tuple[Note, ...] = ()  # all that is written in it, such as `entry / beep`
    begun: int = 0  # the line that says that its parent, or the diagram, starts here, if there is one


@final
@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow with one label; without one the text is empty."""

    source: str
    target: str
    text: str = ""
    line: int = 0
    action: str = ""  # where the format has it apart from the text
    stays: bool = False  # no state is left or entered by it


@final
@dataclass(frozen=True, slots=True)
class Chart:
    """A diagram. `left_out` is what its file had besides, in words."""

    file: str
    states: tuple[ChartState, ...]
    arrows: tuple[Arrow, ...]
    in_order: bool = False  # of the arrows that leave a state, the first one counts that may be taken
    left_out: tuple[str, ...] = ()
    ends: tuple[Note, ...] = ()  # the states that the diagram ends in, or that lead to its end
    variables: tuple[tuple[str, Note], ...] = ()  # with the texts of their first values
