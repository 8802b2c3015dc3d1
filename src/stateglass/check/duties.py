"""What is to be shown of a branching formula, and several runs that show it as one graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.check.runs import Run
from stateglass.evidence import Graph, Node, Step
from stateglass.logic.notation import formula_text
from stateglass.logic.temporal import TRUE, Formula, Quantified
from stateglass.model import Model

_LONG: Final = 300
"""Longer formulas are cut in words that are to be read."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A state, and the position that is taken from there, if it matters which."""

    state: int
    position: int | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Duty:
    """A formula that is to be shown to hold, or to fail, at a place."""

    formula: Formula
    fixed: bool
    holds: bool
    place: Place


@final
@dataclass(frozen=True, slots=True)
class Where:
    """A point on a run: after how many positions, and whether the run was taken in order to come there."""

    at: int
    is_end: bool


Further = list[tuple[Duty, Where]]


@final
@dataclass(slots=True, eq=False)
class Shown:
    """A duty and the run that fulfils it, with what remains to be shown on the way and at its end."""

    duty: Duty
    run: Run
    more: list[tuple[Where, Shown]] = field(default_factory=list)
    said: list[Duty] = field(default_factory=list)


@final
class GraphOf:
    """Runs, and what is shown along them, as one graph; `shown` says whether something is shown at another place."""

    def __init__(self, model: Model, shown: Callable[[Duty], bool]) -> None:
        self._model = model
        self._is_shown = shown
        self._nodes: list[tuple[int, Formula, bool]] = []
        self._steps: list[list[tuple[Step, int]]] = []

    def of(self, duty: Duty, roots: list[Shown], said: list[Duty]) -> Graph:
        top = self._node(duty.place.state, duty.formula, duty.holds)
        work = [(top, shown) for shown in roots]
        for d in said:
            self._beside(top, d)
        while work:
            above, shown = work.pop(0)
            numbers = self._run(above, shown)
            for where, more in shown.more:
                work.append((numbers[min(where.at, len(numbers) - 1)], more))
            for d in shown.said:
                same = [n for n in numbers if self._nodes[n][0] == d.place.state]
                self._beside(same[-1] if same else numbers[-1], d)
        return Graph(
            tuple(
                Node(state, short(formula_text(formula)), holds, tuple(steps))
                for (state, formula, holds), steps in zip(self._nodes, self._steps, strict=True)
            )
        )

    def _node(self, state: int, formula: Formula, holds: bool) -> int:
        self._nodes.append((state, formula, holds))
        self._steps.append([])
        return len(self._nodes) - 1

    def _beside(self, above: int, duty: Duty) -> int:
        """Another thing about the same state."""
        number = self._node(duty.place.state, duty.formula, duty.holds)
        self._steps[above].append((Step(duty.place.state, duty.place.state, ""), number))
        return number

    def _run(self, above: int, shown: Shown) -> list[int]:
        """The nodes along a run; the first is that of what it shows, which need not be so to its end."""
        model, duty = self._model, shown.duty
        numbers = [self._beside(above, duty) if self._nodes[above][1] is not duty.formula else above]
        for at, position in enumerate(shown.run.positions):
            if position >= model.transitions:
                break
            source, target = int(model.sources[position]), int(model.targets[position])
            step = Step(source, target, model.labels[model.actions[position]])
            last = at == len(shown.run.positions) - 1
            if last and shown.run.loop is not None:
                self._steps[numbers[-1]].insert(0, (step, numbers[shown.run.loop]))
                break
            place = Place(target, None if last or not duty.fixed else shown.run.positions[at + 1])
            still = (place.position is None) is not duty.fixed and self._is_shown(replace(duty, place=place))
            numbers.append(self._node(target, duty.formula, duty.holds) if still else self._node(target, TRUE, True))
            self._steps[numbers[-2]].insert(0, (step, numbers[-1]))
        return numbers


def is_of_runs(duty: Duty) -> bool:
    """Whether a single run can show it."""
    return isinstance(duty.formula, Quantified) and duty.formula.on_all is not duty.holds


def words_of(said: list[Duty], *, at_start: bool) -> str:
    if not said:
        return ""
    where = "In the initial state" if at_start else "Where it ends"
    clauses = [f"`{short(formula_text(d.formula))}` {'holds' if d.holds else 'does not hold'}" for d in said]
    return f"{where}, {' and '.join(clauses)}."


def short(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
