"""Requirements as linear formulas.

The mappings are the published ones (Dwyer, Avrunin and Corbett, Property specification patterns for finite-state
verification, 1998), over instants, so that events and conditions can be mixed; and they are kept to the scopes as those
are defined: where the published formula of a chain or of precedence after something looks at what comes later than the
first start or the end of its scope, ours does not.
"""

from __future__ import annotations

from typing import assert_never

from stateglass.logic.instants import (
    Timed,
    always,
    both,
    either,
    eventually,
    implies,
    is_event,
    negated,
    occurs,
    required,
    then,
    until,
)
from stateglass.logic.patterns import (
    Absence,
    After,
    AfterUntil,
    Before,
    Behaviour,
    Between,
    Bounded,
    Existence,
    Globally,
    Precedence,
    Requirement,
    Response,
    Universality,
)
from stateglass.logic.temporal import FALSE, Always, And, Formula, Next, Not, Or, Until, WeakUntil

_NEVER = Timed(FALSE, FALSE)


def requirement_formula(requirement: Requirement) -> Formula:
    """The formula that holds of the runs that keep a requirement."""
    behaviour, scope = requirement.behaviour, requirement.scope
    match scope:
        case Globally():
            return _kept(behaviour, None, weak=True).state
        case Before():
            end = occurs(scope.end)
            return implies(eventually(end), _kept(behaviour, scope.end, weak=False)).state
        case After():
            start, kept = occurs(scope.start), _kept(behaviour, None, weak=True)
            if _goes_on(behaviour):
                return always(implies(start, kept)).state
            return until(negated(start), both(start, kept), weak=True).state
        case Between():
            end = occurs(scope.end)
            opened = both(both(occurs(scope.start), negated(end)), eventually(end))
            return always(implies(opened, _kept(behaviour, scope.end, weak=False))).state
        case AfterUntil():
            opened = both(occurs(scope.start), negated(occurs(scope.end)))
            return always(implies(opened, _kept(behaviour, scope.end, weak=True))).state
        case _:
            assert_never(scope)


def _goes_on(behaviour: Behaviour) -> bool:
    """Whether a pattern that is kept from some time on is kept from every later time on."""
    return isinstance(behaviour, Absence | Universality | Response)


def _kept(behaviour: Behaviour, end: Formula | None, *, weak: bool) -> Timed:
    """The behaviour from this instant up to an end: one that comes, or with `weak` one that may not come."""
    over = _NEVER if end is None else occurs(end)
    going = negated(over)
    match behaviour:
        case Absence():
            return until(negated(occurs(behaviour.thing)), over, weak=weak)
        case Universality():
            return until(required(behaviour.thing), over, weak=weak)
        case Existence():
            return _within(occurs(behaviour.thing), going)
        case Bounded():
            if is_event(behaviour.thing):
                return _counted(occurs(behaviour.thing), behaviour.most, over, weak)
            whole = _counted_periods(behaviour.thing, behaviour.most, end, weak)
            return Timed(whole, Next(whole))
        case Precedence(cause=(cause,), effect=(effect,)):
            return until(negated(occurs(effect)), either(occurs(cause), over), weak=weak)
        case Precedence(cause=(first, second), effect=(effect,)):
            without = negated(occurs(effect))
            reached = then(both(occurs(first), without), until(without, occurs(second)))
            return until(without, either(over, reached), weak=weak)
        case Precedence(cause=(cause,), effect=(first, second)):
            chain = _chain(first, second, going)
            return until(negated(chain), either(over, occurs(cause)), weak=weak)
        case Response(cause=(cause,), effect=(effect,)):
            answered = implies(occurs(cause), _within(occurs(effect), going))
            return until(answered, over, weak=weak)
        case Response(cause=(cause,), effect=(first, second)):
            answered = implies(occurs(cause), _within(_chain(first, second, going), going))
            return until(answered, over, weak=weak)
        case Response(cause=(first, second), effect=(effect,)):
            answer = both(occurs(second), _within(occurs(effect), going))
            answered = implies(_chain(first, second, going), then(occurs(first), _within(answer, going)))
            return until(answered, over, weak=weak)
        case Precedence() | Response():
            raise AssertionError("a chain has two things, on one side")
        case _:
            assert_never(behaviour)


def _within(goal: Timed, going: Timed) -> Timed:
    """The goal is reached before the end."""
    return until(going, both(goal, going))


def _chain(first: Formula, second: Formula, going: Timed) -> Timed:
    """The first thing is here and the second comes after it, both before the end."""
    return then(both(occurs(first), going), _within(occurs(second), going))


def _counted(thing: Timed, most: int, over: Timed, weak: bool) -> Timed:
    """An event happens so many times at most."""
    without = negated(thing)
    kept = until(without, over, weak=weak)
    for _ in range(most):
        once = then(both(thing, negated(over)), kept)
        kept = until(both(without, negated(over)), either(over, once), weak=weak)
    return kept


def _counted_periods(thing: Formula, most: int, end: Formula | None, weak: bool) -> Formula:
    """A condition holds in so many periods at most; over positions, for a period goes on while events happen."""
    if end is None:
        kept: Formula = Always(Not(thing))
        for _ in range(most):
            kept = WeakUntil(Not(thing), WeakUntil(thing, kept))
        return kept
    over = occurs(end)
    going, link = Not(end), WeakUntil if weak else Until
    without = And(Not(thing), going)

    def ended(where: Formula) -> Formula:
        """Here is the end, and it is not preceded by a state of this position that is against the count."""
        return end if over.event is FALSE else And(end, where)

    kept = link(without, ended(Not(thing)))
    for _ in range(most):
        period = link(And(thing, going), Or(ended(thing), And(Not(thing), kept)))
        kept = link(without, Or(ended(Not(thing)), And(thing, period)))
    return kept
