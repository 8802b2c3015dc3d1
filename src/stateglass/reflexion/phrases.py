"""How to say of a number which values it has: a value, a limit, what it is not, or several of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.reflexion.intervals import Intervals, without
from stateglass.reflexion.joining import all_of, any_of
from stateglass.reflexion.subjects import Number, Order, Reader, Subject, Truth, at_least, at_most, interval_term
from stateglass.reflexion.wording import NoWords, Wording
from stateglass.smt import Operator, Term, Terms

Cost = tuple[int, int]
"""How many comparisons, and how far they are from what the code says."""

_TURNED: Final = {"<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_STRICT: Final = (Operator.LESS, Operator.SIGNED_LESS)
_UNNATURAL: Final = 2
"""What a limit counts more where the code knows only values."""
MOST_VALUES: Final = 4
"""So many enumerators in a row are named one by one."""
_Part = tuple[tuple[str, int], ...]


@final
@dataclass(slots=True)
class _Seen:
    """What the code compares a subject with."""

    sets: list[Intervals]
    values: set[int]
    limits: dict[int, int]  # where a part of the values begins, and the constant that says so
    turned: bool | None = None  # whether the code has the second of two numbers on the left, if it tells

    def limit(self, begin: int, other: int) -> int:
        """The constant to use for saying that a part of the values begins here: the code's own, if it has one."""
        if begin in self.limits:
            return self.limits[begin]
        return next((value for value in (begin, begin - 1) if value in self.values), other)


@final
class Phrases:
    """Knows the comparisons of the code, and writes others in their manner."""

    def __init__(self, terms: Terms, wording: Wording, words: Mapping[Term, str]) -> None:
        """`words` are those of the code's comparisons and of their opposites."""
        self._terms = terms
        self._wording = wording
        self._words = words
        self._readers = {divides: Reader(terms, wording.is_signed, divides=divides) for divides in (False, True)}
        self._seen: dict[Subject, _Seen] = {}
        self._read: dict[tuple[Term, bool], tuple[Subject, Intervals]] = {}
        self._texts: dict[tuple[Subject, str, int], str] = {}
        self._forms_known: dict[tuple[Subject, Intervals], tuple[_Form, Cost]] = {}
        for term in words:
            if term.operator is not Operator.NOT:
                self._look(term)
        self._places = {subject: place for place, subject in enumerate(self._seen)}

    def read(self, literal: Term, *, divides: bool = False) -> tuple[Subject, Intervals]:
        """What a comparison of the code, or its opposite, says of what."""
        key = literal, divides
        if key not in self._read:
            subject, holds = self._readers[divides].read(literal)
            self._read[key] = (subject, holds) if self._has_words(subject) else _as_it_is(literal)
        return self._read[key]

    def place(self, subject: Subject) -> int:
        """Where to mention a subject: in the order of the code."""
        return self._places.get(subject, len(self._places))

    def sets(self, subject: Subject) -> Sequence[Intervals]:
        """The values that the code tells apart."""
        return self._seen[subject].sets if subject in self._seen else ()

    def _look(self, term: Term) -> None:
        subject, holds = self.read(term)
        seen = self._seen.setdefault(subject, _Seen([], set(), {}))
        if isinstance(subject, Order) and term.operator is not Operator.EQUAL and seen.turned is None:
            seen.turned = term.operands[0] is not subject.left
        seen.sets.append(holds)
        low, high = subject.domain
        if term.operator is Operator.EQUAL:
            seen.values.update(first for first, last in holds if first == last)
            return
        step = 1 if term.operator in _STRICT else 0
        for first, last in holds:
            if first != low:
                seen.limits.setdefault(first, first - step)
            if last != high:
                seen.limits.setdefault(last + 1, last + step)

    def _is_turned(self, subject: Order) -> bool:
        """If the code does not say it, what has a name comes first."""
        turned = self._seen[subject].turned if subject in self._seen else None
        if turned is not None:
            return turned
        return not self._wording.name_of(subject.left) and bool(self._wording.name_of(subject.right))

    def _has_words(self, subject: Subject) -> bool:
        try:
            match subject:
                case Number(term):
                    self._wording.truth(self._terms.equal(term, self._terms.constant(1, term.width)))
                case Order(left, right):
                    self._wording.truth(self._terms.equal(left, right))
                case Truth():
                    pass
                case _:
                    assert_never(subject)
        except NoWords:
            return False
        return True

    def number(self, term: Term) -> Number | None:
        """An unknown that is a number and has a name."""
        is_signed = self._wording.is_signed(term)
        return None if is_signed is None else Number(term, is_signed)

    def name_of(self, subject: Subject) -> str:
        """What a number is called; nothing if it is computed, or no number."""
        if not isinstance(subject, Number) or self.number(subject.term) != subject:
            return ""
        return self._wording.name_of(subject.term)

    def can_say(self, subject: Subject, holds: Intervals) -> bool:
        try:
            self.text(subject, holds)
        except NoWords:
            return False
        return True

    # ---- which way to say it

    def cost(self, subject: Subject, holds: Intervals) -> Cost:
        if holds == (subject.domain,):
            return 0, 0
        return self._best_form(subject, holds)[1]

    def _best_form(self, subject: Subject, holds: Intervals) -> tuple[_Form, Cost]:
        key = subject, holds
        if key not in self._forms_known:
            costs = [(form, self._form_cost(subject, form)) for form in self._forms(subject, holds)]
            self._forms_known[key] = min(costs, key=lambda known: known[1])
        return self._forms_known[key]

    def text(self, subject: Subject, holds: Intervals) -> str:
        form, _ = self._best_form(subject, holds)
        inner, outer = (all_of, any_of) if form.is_in else (any_of, all_of)
        return outer(inner(self._said(subject, *piece) for piece in part) for part in form.parts)

    def _forms(self, subject: Subject, holds: Intervals) -> list[_Form]:
        """The intervals that a number is in, and those that it is not in."""
        outside = without(subject.domain, holds)
        return [
            _Form(tuple(self._parts(subject, holds, is_in=True)), is_in=True),
            _Form(tuple(self._parts(subject, outside, is_in=False)), is_in=False),
        ]

    def _parts(self, subject: Subject, some: Intervals, *, is_in: bool) -> Iterable[_Part]:
        low, high = subject.domain
        for first, last in some:
            if self._are_values(subject, first, last):
                yield from ((("==" if is_in else "!=", value),) for value in range(first, last + 1))
            elif is_in:
                yield tuple([(">=", first)] * (first != low) + [("<=", last)] * (last != high))
            else:
                yield tuple([("<=", first - 1)] * (first != low) + [(">=", last + 1)] * (last != high))

    def _are_values(self, subject: Subject, first: int, last: int) -> bool:
        """Whether what lies between two values is several of them to a reader, not a range."""
        if first == last:
            return True
        if not isinstance(subject, Number) or last - first >= MOST_VALUES:
            return False
        if self._wording.is_enumeration(subject.term):
            return True
        low, high = subject.domain
        seen = self._seen.get(subject)
        return seen is not None and last - first == 1 and {first, last} <= seen.values and low < first and last < high

    def _form_cost(self, subject: Subject, form: _Form) -> Cost:
        costs = [self._piece_cost(subject, *piece) for part in form.parts for piece in part]
        return sum(c for c, _ in costs), sum(w for _, w in costs)

    def _piece_cost(self, subject: Subject, word: str, value: int) -> Cost:
        """A value says more than a range, and a range more than what a value is not, unless the code says it so."""
        seen = self._seen.get(subject)
        if word == "==":
            return 1, 0
        if word == "!=":
            return 1, 1 if seen is not None and value in seen.values else 2
        if not isinstance(subject, Number):
            return 1, 1
        if seen is not None and (value if word == ">=" else value + 1) in seen.limits:
            return 1, 1
        return 1 + (_UNNATURAL if self._wording.is_enumeration(subject.term) else 0), 2

    # ---- words

    def _said(self, subject: Subject, word: str, value: int) -> str:
        key = subject, word, value
        if key not in self._texts:
            term = self._piece(subject, word, value)
            self._texts[key] = self._words[term] if isinstance(subject, Truth) else self._wording.truth(term)
        return self._texts[key]

    def _piece(self, subject: Subject, word: str, value: int) -> Term:
        terms, (low, high) = self._terms, subject.domain
        if isinstance(subject, Order) and self._is_turned(subject):
            subject, word, value = Order(subject.right, subject.left, subject.is_signed), _TURNED[word], -value
        if word in ("==", "!="):
            equal = interval_term(terms, subject, (value, value))
            return equal if word == "==" else terms.negation(equal)
        if not isinstance(subject, Number):
            return interval_term(terms, subject, (low, value) if word == "<=" else (value, high))
        seen, begin = self._seen.get(subject), value if word == ">=" else value + 1
        # `x < 5` and `x <= 4` are the same: said with the constant that the code has.
        limit = value if seen is None else seen.limit(begin, value)
        if word == ">=":
            return at_least(terms, subject, value) if limit == value else terms.negation(at_most(terms, subject, limit))
        return at_most(terms, subject, value) if limit == value else terms.negation(at_least(terms, subject, limit))


@final
@dataclass(frozen=True, slots=True)
class _Form:
    """Comparisons, each a word and a number: the parts that a number is in one of, or in none."""

    parts: tuple[_Part, ...]
    is_in: bool


def _as_it_is(literal: Term) -> tuple[Subject, Intervals]:
    if literal.operator is Operator.NOT:
        return Truth(literal.operands[0]), ((0, 0),)
    return Truth(literal), ((1, 1),)
