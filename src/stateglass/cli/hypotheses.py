"""Which hypotheses a command line of `reflect` means: a machine, a diagram with its mapping, those of a project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.formats import CHARTS, FORMATS
from stateglass.pipeline import Hypothesis, drawn_hypothesis, load_machine
from stateglass.source import Code, Diagnostic, input_error

MACHINE: Final = ".machine"
DIAGRAMS: Final = tuple(extension for name in CHARTS for extension in FORMATS[name].extensions)


@final
@dataclass(frozen=True, slots=True)
class Given:
    """The files of a command line by what they are for."""

    machines: tuple[str, ...]
    diagrams: tuple[str, ...]
    code: tuple[str, ...]

    @property
    def is_hypothesis(self) -> bool:
        return bool(self.machines or self.diagrams)


def sorted_out(files: Sequence[str]) -> Given:
    machines = tuple(f for f in files if _extension(f) == MACHINE)
    diagrams = tuple(f for f in files if _extension(f) in DIAGRAMS)
    return Given(machines, diagrams, tuple(f for f in files if f not in (*machines, *diagrams)))


def read_hypothesis(given: Given) -> tuple[Hypothesis, tuple[Diagnostic, ...]]:
    """The one hypothesis that some files are, and warnings about what is not part of it."""
    if len(given.machines) > 1 or len(given.diagrams) > 1:
        what = "machine" if len(given.machines) > 1 else "diagram"
        raise input_error(Code.USAGE, f"more than one {what} is given", help="ask one after the other")
    if not given.diagrams:
        return load_machine(given.machines[0]), ()
    if not given.machines:
        help = "add a .machine file that says what its states are in the code: `state NAME: CONDITION`"
        raise input_error(Code.USAGE, f"the names in `{given.diagrams[0]}` have no meaning yet", help=help)
    drawn = drawn_hypothesis(given.diagrams[0], given.machines[0])
    return drawn.hypothesis, drawn.warnings


def _extension(name: str) -> str:
    return os.path.splitext(name)[1].lower()
