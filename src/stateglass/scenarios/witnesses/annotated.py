"""A witness: a run, and at each place what is to be shown there or by the rest of the run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

from stateglass.check.runs import Run
from stateglass.evidence import Path
from stateglass.logic.notation import formula_text
from stateglass.logic.temporal import Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A place of a run, and the formulas that are to be shown there or by what follows."""

    state: int
    owed: tuple[Formula, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The obligations as text, each once."""
        return tuple(dict.fromkeys(map(formula_text, self.owed)))


@final
@dataclass(frozen=True)
class AnnotatedPath:
    """A run that shows a formula, with its proof obligations (Chechik, Devereux, 2006, section 4.1).

    A finite run has a moment more than positions; one with a loop has as many, and then goes on from the loop's first.
    """

    path: Path
    run: Run
    moments: tuple[Moment, ...]
    is_certain: bool  # else it is a run of an abstraction, which the code may not have
    costs: tuple[int, ...]  # for each aim of the strategy; the last is the number of steps

    @cached_property
    def obligations(self) -> tuple[tuple[str, ...], ...]:
        """What is to be shown in each state of the path, from the first to the last.

        Where a run has ended, it stays in its last state: all that is left is to be shown there.
        """
        steps = len(self.path.steps)
        moments = list(self.moments)
        if self.run.loop is not None and len(moments) == steps:
            moments.append(moments[self.run.loop])
        each = [moment.texts for moment in moments]
        last = tuple(dict.fromkeys(text for texts in each[steps:] for text in texts))
        return (*each[:steps], last)
