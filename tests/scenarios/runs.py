"""Random questions, and all short runs that answer them, by enumeration and by what the operators mean on one run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from stateglass.check.ctl import Evaluation
from stateglass.evidence import Verdict
from stateglass.logic.claims import Fairness
from stateglass.logic.temporal import (
    Always,
    And,
    Eventually,
    Formula,
    Next,
    Or,
    Quantified,
    Until,
    parts,
)
from stateglass.model import Model
from stateglass.scenarios.language import Act, Link, Part, Relation
from stateglass.scenarios.meaning import Question
from stateglass.scenarios.validating import Reply
from tests.check.branching import Position, holds_at, mentions_event, positions_of, random_ctl


def random_plain(chance: random.Random, *, events: bool = True) -> Formula:
    """Without quantifiers."""
    while True:
        formula = random_ctl(chance, chance.randrange(3), events=events)
        if not has_quantifier(formula):
            return formula


def has_quantifier(formula: Formula) -> bool:
    return isinstance(formula, Quantified) or any(map(has_quantifier, parts(formula)))


def random_linear(chance: random.Random, depth: int) -> Formula:
    """A formula that single runs show."""
    if depth == 0:
        plain = random_plain(chance)
        return Quantified(False, Always(plain)) if chance.random() < 0.4 else plain
    rest = random_linear(chance, depth - 1)
    match chance.randrange(6):
        case 0:
            return Quantified(False, Next(rest))
        case 1:
            return Quantified(False, Eventually(rest))
        case 2:
            return Quantified(False, Until(random_plain(chance), rest))
        case 3:
            return Or(rest, random_linear(chance, depth - 1))
        case _:
            sides = [random_plain(chance), rest]
            chance.shuffle(sides)
            return And(*sides)


def question_of(formula: Formula) -> Question:
    """Asked as it stands, not because of a relation."""
    link = Link(Act("a"), Relation.CAN_FOLLOW, Act("b"))
    return Question(link, Part((link,)), formula, refutes=False)


def reply_on(formula: Formula, model: Model, fairness: tuple[Fairness, ...] = ()) -> Reply:
    evaluation = Evaluation(formula, model, fairness=fairness)
    verdict = {True: Verdict.HOLDS, False: Verdict.VIOLATED, None: Verdict.INCONCLUSIVE}[evaluation.at_start()]
    return Reply(question_of(formula), verdict, evaluation)


@dataclass(frozen=True)
class Told:
    """A run by its positions, of which those from `loop` on are repeated."""

    positions: tuple[Position, ...]
    loop: int | None = None


def all_runs(model: Model, length: int) -> Iterator[Told]:
    """All runs with so many positions, with and without a loop."""
    leaving: dict[int, list[Position]] = {}
    for position in positions_of(model):
        leaving.setdefault(position[0], []).append(position)

    def go_on(taken: tuple[Position, ...]) -> Iterator[Told]:
        at = taken[-1][2] if taken else model.initial
        if len(taken) == length:
            yield Told(taken)
            yield from (Told(taken, number) for number, p in enumerate(taken) if p[0] == at)
            return
        for position in leaving[at]:
            yield from go_on((*taken, position))

    yield from go_on(())


class OnOneRun:
    """What a single run shows of itself.

    What is repeated shows only what is to go on for ever: a step of which more is said is taken before that.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._there: dict[int, set[Position]] = {}

    def shows(self, formula: Formula, run: Told, at: int = 0, fixed: bool = False) -> bool:
        if not has_quantifier(formula):
            return self._plainly(formula, run, at)
        match formula:
            case And(left, right):
                fixed |= any(mentions_event(side) for side in (left, right) if not has_quantifier(side))
                return self.shows(left, run, at, fixed) and self.shows(right, run, at, fixed)
            case Or(left, right):
                return self.shows(left, run, at, fixed) or self.shows(right, run, at, fixed)
            case Quantified(path=Next(inner)):
                after = self._after(run, at)
                return after is not None and self.shows(inner, run, after)
            case Quantified(path=Eventually(inner)):
                return any(self.shows(inner, run, later) for later in self._ahead(run, at))
            case Quantified(path=Until(left, right)):
                for later in self._ahead(run, at):
                    if self.shows(right, run, later):
                        return True
                    if not self._plainly(left, run, later):
                        return False
                return False
            case Quantified(path=Always(inner)):
                lasts = run.loop is not None and at + fixed <= run.loop
                return lasts and all(self._plainly(inner, run, p) for p in self._ahead(run, at))
            case _:
                raise AssertionError(formula)

    def _after(self, run: Told, at: int) -> int | None:
        return at + 1 if at < len(run.positions) - (run.loop is not None) else None

    def _ahead(self, run: Told, at: int) -> range:
        return range(at, len(run.positions) + (run.loop is None))

    def _plainly(self, formula: Formula, run: Told, at: int) -> bool:
        if id(formula) not in self._there:
            self._there[id(formula)] = holds_at(formula, self._model)
        there = self._there[id(formula)]
        if at < len(run.positions):
            return run.positions[at] in there
        if mentions_event(formula):
            return False
        state = run.positions[-1][2] if run.positions else self._model.initial
        return any(p[0] == state for p in there)


def shortest(formula: Formula, model: Model, most: int) -> int | None:
    """How many positions a shortest run has that shows a formula; None if none has so few as `most`."""
    on_run = OnOneRun(model)
    for length in range(most + 1):
        if any(on_run.shows(formula, run) for run in all_runs(model, length)):
            return length
    return None
