"""What scenarios mean, as branching formulas over states and steps.

Each relation is the existence, or the absence, of a run: `a ~> b` of one on which `b` follows `a`; `a -> b` is refuted
by a run on which `a` happens and `b` never after it; `a <- b` by one on which `b` comes without an `a` before it or in
the same step. What such a run does is an existential formula whose witnesses are single runs: atoms, `EX`, `E[… U …]`,
`EF`, and at the end `EG`. No variable of the code is needed for an event, as events are on steps.

`init` comes before the first step. An event is therefore two formulas: for the start of a run, and for a step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.logic.joining import all_of, and_of, any_of, not_of, or_of, until_of
from stateglass.logic.predicates import Applied, Named, Predicate
from stateglass.logic.temporal import (
    FALSE,
    TRUE,
    Always,
    Constant,
    Formula,
    Happens,
    Holds,
    Next,
    Quantified,
    Turn,
    Turns,
)
from stateglass.logic.unrolling import Unrolled, each, unrolled
from stateglass.scenarios.language import (
    HOLE,
    Act,
    After,
    AllOf,
    AnyOf,
    Before,
    Between,
    Change,
    Condition,
    Endpoint,
    Event,
    EventName,
    Hole,
    Link,
    Part,
    Relation,
    Scenario,
    Start,
    Vocabulary,
    When,
)
from stateglass.source import Code, Span, input_error, suggestion


@final
@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """Whether an event happens at the start of a run, and at which steps."""

    at_start: Formula  # over the initial state
    at_step: Formula


_NEVER: Final = Occurrence(FALSE, FALSE)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Need:
    """What has to be possible for a relation to say anything."""

    event: Event
    formula: Formula


@final
@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A relation as a question about runs: is there one that does what `shown` says?"""

    link: Link  # with the plain relation: `<->` is two questions
    part: Part
    shown: Formula
    refutes: bool  # a run refutes the relation; else it is what the relation says
    needs: tuple[Need, ...] = ()


def questions(scenario: Scenario, vocabulary: Vocabulary) -> tuple[Question, ...]:
    """All that has to be asked to validate a scenario."""
    words = Words(vocabulary)
    return tuple(
        _question(Link(link.cause, relation, link.effect), part, words)
        for part in scenario.parts
        for link in part.links
        for relation in _plain(link.relation)
    )


def example_of(question: Question, vocabulary: Vocabulary) -> Question:
    """The question for a run on which the effect follows the cause once, where the relation is to hold."""
    link = Link(question.link.cause, Relation.CAN_FOLLOW, question.link.effect)
    return _question(link, question.part, Words(vocabulary))


def _plain(relation: Relation) -> tuple[Relation, ...]:
    return (Relation.LEADS_TO, Relation.ONLY_AFTER) if relation is Relation.LINKED else (relation,)


# ---- words


@final
class Words:
    """The meaning of events and conditions; each name is looked up once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._events: dict[str, Occurrence | None] = {}
        self._conditions: dict[str, Predicate | None] = {}

    def occurrence(self, event: Event) -> Occurrence:
        match event:
            case Start():
                return Occurrence(TRUE, FALSE)
            case Act():
                return Occurrence(FALSE, Happens(event.pattern, event.span))
            case Change():
                return Occurrence(FALSE, self._change(event))
            case EventName():
                return self._named(event)
            case AnyOf():
                each = [self.occurrence(inner) for inner in event.events]
                return Occurrence(any_of(e.at_start for e in each), any_of(e.at_step for e in each))
            case AllOf():
                each = [self.occurrence(inner) for inner in event.events]
                return Occurrence(all_of(e.at_start for e in each), all_of(e.at_step for e in each))
            case When():
                inner, condition = self.occurrence(event.event), self.condition(event.condition)
                return Occurrence(and_of(inner.at_start, condition), and_of(inner.at_step, condition))
            case Hole():
                raise input_error(
                    Code.USAGE, "`?` asks for an event: it has no meaning of its own", event.span, help=_HOLE_HELP
                )
            case _:
                assert_never(event)

    def condition(self, condition: Condition) -> Formula:
        return Holds(self.predicate(condition.predicate), condition.span)

    def predicate(self, predicate: Predicate) -> Predicate:
        """The predicate with what conditions of the vocabulary stand for."""
        return unrolled(self._replaced(predicate))

    def _replaced(self, predicate: Predicate) -> Unrolled[Predicate]:
        match predicate:
            case Named(name) if name in self._vocabulary.conditions:
                return self._named_condition(name, predicate.span)
            case Named(name) if name == HOLE:
                raise input_error(Code.USAGE, "`?` asks for a condition: it has no meaning of its own", predicate.span)
            case Applied(operator, operands):
                replaced = yield each(self._replaced(operand) for operand in operands)
                return Applied(operator, tuple(replaced))
            case _:
                return predicate

    def _change(self, change: Change) -> Formula:
        predicate = change.condition.predicate
        if change.turn is not Turn.CHANGES:
            return Turns(change.turn, self.predicate(predicate), change.span)
        if isinstance(predicate, Named) and predicate.name in self._vocabulary.conditions:
            # A condition of the vocabulary changes if it becomes true or false.
            meant = self.predicate(predicate)
            return or_of(Turns(Turn.RISES, meant, change.span), Turns(Turn.FALLS, meant, change.span))
        return Turns(change.turn, predicate, change.span)

    def _named(self, event: EventName) -> Occurrence:
        name = event.name
        if name not in self._vocabulary.events:
            raise input_error(
                Code.UNKNOWN_NAME,
                f"there is no event `{name}`",
                event.span,
                help=suggestion(name, self._vocabulary.events),
            )
        if name not in self._events:
            self._events[name] = None
            self._events[name] = self.occurrence(self._vocabulary.events[name])
        known = self._events[name]
        if known is None:
            raise _circular(name, event.span)
        return known

    def _named_condition(self, name: str, span: Span) -> Predicate:
        if name not in self._conditions:
            self._conditions[name] = None
            self._conditions[name] = self.predicate(self._vocabulary.conditions[name].predicate)
        known = self._conditions[name]
        if known is None:
            raise _circular(name, span)
        return known


_HOLE_HELP: Final = "a question is a single relation, such as `a -> ?` or `? <- b`"


def _circular(name: str, span: Span) -> Exception:
    return input_error(Code.USAGE, f"`{name}` is defined by itself", span)


# ---- relations


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """The stretches of runs in which a relation is to hold."""

    opened: Callable[[Formula], Formula]  # from what holds where a stretch begins, to what holds of the whole run
    start: Formula  # whether the start of the run belongs to it
    end: Formula | None  # what ends it
    inside: Formula = TRUE  # it has not ended yet

    @property
    def tail(self) -> Formula:
        """That the end comes: a stretch that does not end is none."""
        return TRUE if self.end is None else _some(until_of(TRUE, self.end))


def _question(link: Link, part: Part, words: Words) -> Question:
    cause, effect = words.occurrence(link.cause), words.occurrence(link.effect)
    frame = _frame(part, words)
    condition = TRUE if part.condition is None else words.condition(part.condition)
    exception = _NEVER if part.exception is None else words.occurrence(part.exception)
    spared, spared_at_start = not_of(exception.at_step), not_of(exception.at_start)
    guard = all_of((frame.inside, condition, spared))
    a, b = cause.at_step, effect.at_step
    inside, tail = frame.inside, frame.tail
    has_start = frame.start is not FALSE
    at_start = all_of((frame.start, condition, spared_at_start))
    # What begins with the start of the run is disturbed by an exception there.
    from_start = spared_at_start if has_start else TRUE

    def reached(event: Formula, through: Formula) -> Formula:
        """A way to an event, with the guard there."""
        return _some(until_of(through, all_of((event, guard, tail))))

    def question(shown: Formula, at_start_of_run: Formula, needs: tuple[Need, ...] = ()) -> Question:
        started = and_of(at_start, at_start_of_run)
        return Question(link, part, or_of(started, frame.opened(shown)), link.relation.is_refuted_by_runs, needs)

    def possible(event: Event, occurrence: Occurrence, way: Formula) -> Need:
        return Need(event, or_of(all_of((at_start, occurrence.at_start, tail)), frame.opened(way)))

    anywhere = {id(e): or_of(e.at_start, _some(until_of(TRUE, e.at_step))) for e in (cause, effect)}
    match link.relation:
        case Relation.CAN_FOLLOW:
            then = reached(b, guard)
            return question(
                _some(until_of(inside, all_of((a, guard, then)))),
                and_of(cause.at_start, or_of(and_of(effect.at_start, tail), then)),
            )
        case Relation.LEADS_TO:
            without = and_of(not_of(b), guard)
            then = _for_ever(without) if frame.end is None else _some(until_of(without, frame.end))
            here = a if frame.end is None else all_of((a, without))
            return question(
                _some(until_of(inside, and_of(here, then))),
                all_of((cause.at_start, not_of(effect.at_start), then)),
                (
                    possible(link.cause, cause, reached(a, inside)),
                    Need(link.effect, anywhere[id(effect)]),
                ),
            )
        case Relation.ONLY_AFTER | Relation.ONLY_SINCE:
            lacking = _some(until_of(and_of(not_of(a), guard), all_of((b, not_of(a), guard, tail))))
            lacks_at_start = all_of((not_of(cause.at_start), effect.at_start, tail))
            # An event at the start of the run is before all others, wherever the stretch begins at the start.
            first = all_of((not_of(cause.at_start), from_start, lacking)) if has_start else lacking
            again: Formula = FALSE
            if link.relation is Relation.ONLY_SINCE:
                after = _some(until_of(inside, all_of((b, inside, _some(Next(lacking))))))
                again = or_of(after, and_of(effect.at_start, lacking) if has_start else FALSE)
            return question(
                or_of(first, again),
                lacks_at_start,
                (
                    Need(link.cause, anywhere[id(cause)]),
                    possible(link.effect, effect, and_of(from_start, reached(b, guard))),
                ),
            )
        case Relation.LINKED:
            raise AssertionError("taken apart before")
        case _:
            assert_never(link.relation)


def _frame(part: Part, words: Words) -> _Frame:
    match part.scope:
        case None:
            return _Frame(lambda f: f, TRUE, None)
        case Before(end):
            ending = _endpoint(end, words)
            begun = not_of(ending.at_start)
            return _Frame(lambda f: and_of(begun, f), begun, ending.at_step, not_of(ending.at_step))
        case After(start):
            opening = _endpoint(start, words)

            def after(f: Formula) -> Formula:
                later = _some(until_of(not_of(opening.at_step), _then(start, opening.at_step, f)))
                return or_of(and_of(opening.at_start, f), and_of(not_of(opening.at_start), later))

            return _Frame(after, FALSE, None)
        case Between(start, end):
            opening, over = _endpoint(start, words), _endpoint(end, words).at_step

            def each_time(f: Formula) -> Formula:
                later = _some(until_of(TRUE, _then(start, opening.at_step, f)))
                return or_of(and_of(opening.at_start, f), later)

            return _Frame(each_time, FALSE, over, not_of(over))
        case _:
            assert_never(part.scope)


def _endpoint(end: Endpoint, words: Words) -> Occurrence:
    if isinstance(end, Condition):
        return Occurrence(FALSE, words.condition(end))
    return words.occurrence(end)


def _then(start: Endpoint, opening: Formula, f: Formula) -> Formula:
    """What begins at once where a condition holds, and after the step of an event."""
    return and_of(opening, f if isinstance(start, Condition) or f is FALSE else _some(Next(f)))


def _some(path: Formula) -> Formula:
    """On some run; what is trivial needs none."""
    return path if isinstance(path, Constant) else Quantified(False, path)


def _for_ever(inner: Formula) -> Formula:
    return inner if isinstance(inner, Constant) else Quantified(False, Always(inner))
