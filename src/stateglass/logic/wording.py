"""Requirements in their own words, which read back as the same requirement."""

from __future__ import annotations

from typing import assert_never

from stateglass.logic.expressions import predicate_text, quoted
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
    Scope,
    Universality,
)
from stateglass.logic.temporal import And, Formula, Happens, Holds, Not, Or
from stateglass.logic.unrolling import Writing, grouped, separated, written

_AND, _OR, _NOT = range(3)


def requirement_text(requirement: Requirement) -> str:
    """One sentence, such as "`close` follows `open` after `init`"."""
    return _behaviour(requirement.behaviour) + _scope(requirement.scope)


def _behaviour(behaviour: Behaviour) -> str:
    match behaviour:
        case Absence():
            return f"{thing_text(behaviour.thing)} never {_verb(behaviour.thing)}"
        case Universality():
            return f"{thing_text(behaviour.thing)} always {_verb(behaviour.thing)}"
        case Existence():
            return f"{thing_text(behaviour.thing)} eventually {_verb(behaviour.thing)}"
        case Bounded(most=most):
            times = {1: "once", 2: "twice"}.get(most, f"{most} times")
            return f"{thing_text(behaviour.thing)} {_verb(behaviour.thing)} at most {times}"
        case Precedence():
            verb = "precedes" if len(behaviour.cause) == 1 else "precede"
            return f"{_chain(behaviour.cause)} {verb} {_chain(behaviour.effect)}"
        case Response():
            verb = "follows" if len(behaviour.effect) == 1 else "follow"
            return f"{_chain(behaviour.effect)} {verb} {_chain(behaviour.cause)}"
        case _:
            assert_never(behaviour)


def _scope(scope: Scope) -> str:
    match scope:
        case Globally():
            return ""
        case Before():
            return f" before {thing_text(scope.end)}"
        case After():
            return f" after {thing_text(scope.start)}"
        case Between():
            return f" between {thing_text(scope.start, _OR)} and {thing_text(scope.end, _OR)}"
        case AfterUntil():
            return f" after {thing_text(scope.start)} until {thing_text(scope.end)}"
        case _:
            assert_never(scope)


def _verb(thing: Formula) -> str:
    return "holds" if isinstance(thing, Holds) else "happens"


def _chain(things: tuple[Formula, ...]) -> str:
    return ", then ".join(map(thing_text, things))


def thing_text(thing: Formula, around: int = _AND) -> str:
    """An event between back quotes, a condition in brackets, or several of them."""
    return written(_thing(thing, around))


def _thing(thing: Formula, around: int) -> Writing:
    match thing:
        case Happens():
            yield quoted(thing.pattern, "`")
        case Holds():
            yield f"[{predicate_text(thing.predicate)}]"
        case And():
            yield grouped(separated((_thing(thing.left, _AND), _thing(thing.right, _OR)), " and "), around > _AND)
        case Or():
            yield grouped(separated((_thing(thing.left, _OR), _thing(thing.right, _NOT)), " or "), around > _OR)
        case Not():
            yield "not "
            yield _thing(thing.inner, _NOT)
        case _:
            raise AssertionError("a requirement speaks of events and conditions")
