"""Whether an annotated run is a witness: checked by its definition, place by place.

After Chechik and Devereux (2006, section 4.1): (1) what is owed at the first place implies the formula; (2) at each
place, what is owed holds; (3) what is owed of the rest of the run follows from what is owed at the next place. At the
end of a finite run nothing is owed of the rest, and what is repeated for ever owes only what is to go on for ever.

Nothing here comes from the search. Where the values of a state are not known, there is nothing to object to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never, final

from stateglass.check.events import matcher
from stateglass.check.turns import propositions_meant
from stateglass.evidence import problem_of
from stateglass.logic.claims import Fairness
from stateglass.logic.notation import formula_text
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import (
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turn,
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.model import Model, Proposition, Relation
from stateglass.scenarios.witnesses.annotated import AnnotatedPath
from stateglass.scenarios.witnesses.values import Values

_TEMPORAL = (Next, Eventually, Always, Until, WeakUntil, Release)


@final
@dataclass(frozen=True, slots=True)
class _Place:
    """A state of a run and the step that leaves it: to which state, and with which label, none if the run stays."""

    state: int
    target: int | None = None  # None: nothing is said of what follows
    label: str | None = None


def objection(witness: AnnotatedPath, formula: Formula, model: Model, fairness: Sequence[Fairness] = ()) -> str:
    """Why an annotated run does not show that a formula holds in the initial state; empty if it does."""
    if (wrong := problem_of(witness.path, model)) != "":
        return wrong
    places = _places(witness)
    if places is None:
        return "there are not as many obligations as places"
    each = [moment.owed for moment in witness.moments]
    if not _implied(formula, each[0]):
        return f"what is owed at the start does not imply `{formula_text(formula)}`"
    values = _Places(model)
    loop = witness.run.loop
    for number, (place, owed) in enumerate(zip(places, each, strict=True)):
        after = number + 1 if number + 1 < len(each) else loop
        for part in owed:
            in_loop = loop is not None and number >= loop
            if not _is_met(part, place, values, None if after is None else each[after], in_loop):
                return f"`{formula_text(part)}` is owed at place {number} and is not met"
    repeated = [] if loop is None else places[loop:]
    return next((f"it is not fair to `{f.pattern}`" for f in fairness if not _is_fair(f, repeated, model)), "")


def _places(witness: AnnotatedPath) -> list[_Place] | None:
    """One for each moment; where a run has ended it stays."""
    path, count = witness.path, len(witness.run.positions)
    places = [_Place(step.source, step.target, step.action) for step in path.steps]
    last = path.steps[-1].target if path.steps else path.start
    if len(places) > count or (len(places) < count and not path.ends):
        return None
    places += [_Place(last, last)] * (count - len(places))
    if witness.run.loop is None:
        places.append(_Place(last))
    elif not 0 <= witness.run.loop < count or places[-1].target != places[witness.run.loop].state:
        return None
    same = [place.state for place in places] == [moment.state for moment in witness.moments]
    return places if same else None


def _implied(formula: Formula, owed: Sequence[Formula]) -> bool:
    """Whether a formula follows from some that are about the same place, by what its operators mean."""
    if any(formula is part for part in owed):
        return True
    match formula:
        case Constant():
            return formula.value
        case And(left, right):
            return _implied(left, owed) and _implied(right, owed)
        case Or(left, right):
            return _implied(left, owed) or _implied(right, owed)
        case Quantified(on_all=False, path=Eventually(inner) | Until(right=inner)):
            return _implied(inner, owed)
        case Quantified(on_all=False, path=path) if not isinstance(path, _TEMPORAL):
            return _implied(path, owed)
        case _:
            return False


def _is_met(formula: Formula, place: _Place, values: _Places, after: Sequence[Formula] | None, in_loop: bool) -> bool:
    """Whether what is owed holds at a place, given what is owed at the next one."""
    if not isinstance(formula, Quantified):
        if place.target is None and _mentions_step(formula):
            return False
        return values.truth(formula, place) is not False
    if formula.on_all or after is None or (in_loop and not isinstance(formula.path, Always)):
        return False
    match formula.path:
        case Next(inner):
            return _implied(inner, after)
        case Eventually(within=None):
            return _implied(formula, after)
        case Until(through, within=None) | Always(through, within=None):
            return values.truth(through, place) is not False and _implied(formula, after)
        case _:
            return False


def _mentions_step(formula: Formula) -> bool:
    return isinstance(formula, Happens | Turns) or any(map(_mentions_step, parts(formula)))


def _is_fair(fairness: Fairness, repeated: Sequence[_Place], model: Model) -> bool:
    """Whether an event gets its turn in what is repeated, or has no right to one."""
    matches = matcher(fairness.pattern)
    if not repeated or any(place.label is not None and matches(place.label) for place in repeated):
        return True

    def can_happen(state: int) -> bool:
        actions = model.actions[model.first[state] : model.first[state + 1]]
        return any(matches(model.labels[action]) for action in actions.tolist())

    able = [can_happen(place.state) for place in repeated]
    return not any(able) if fairness.strong else not all(able)


@final
class _Places:
    """What holds at single places of one model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._values = Values(model)
        self._matches = cache(lambda pattern, label: matcher(pattern)(label))
        self._abstract = model.origin.relation is Relation.OVER

    def truth(self, formula: Formula, place: _Place) -> bool | None:
        """Whether a formula without quantifiers holds; None: that is not known here."""
        match formula:
            case Constant():
                return formula.value
            case Holds():
                return self._values.is_true(formula.predicate, place.state)
            case Happens():
                if place.label is None:
                    return False
                return None if self._abstract else self._matches(formula.pattern, place.label)
            case Turns():
                return self._turns(formula, place)
            case Not(inner):
                return _not(self.truth(inner, place))
            case And(left, right):
                return _both(self.truth(left, place), self.truth(right, place))
            case Or(left, right):
                return _not(_both(_not(self.truth(left, place)), _not(self.truth(right, place))))
            case Implies(left, right):
                return _not(_both(self.truth(left, place), _not(self.truth(right, place))))
            case Iff(left, right):
                one, other = self.truth(left, place), self.truth(right, place)
                return None if one is None or other is None else one is other
            case Quantified() | Next() | Eventually() | Always() | Until() | WeakUntil() | Release():
                return False  # what is owed of the rest of a run is no part of what holds at a place
            case _:
                assert_never(formula)

    def _turns(self, turns: Turns, place: _Place) -> bool | None:
        if place.target is None:
            return None
        match turns.turn:
            case Turn.CHANGES:
                assert isinstance(turns.predicate, Named)
                meant = propositions_meant(turns.predicate, self._model)
                differs = any(_value(own, place.state) != _value(own, place.target) for own in meant)
                return None if self._abstract else differs
            case Turn.RISES | Turn.FALLS:
                ends = [self._values.is_true(turns.predicate, state) for state in (place.state, place.target)]
                before, after = ends if turns.turn is Turn.RISES else ends[::-1]
                return _both(_not(before), after)
            case _:
                assert_never(turns.turn)


def _value(own: Proposition, state: int) -> bytes | None:
    return None if own.defined is not None and not own.defined[state] else bytes(own.values[state].tobytes())


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True
