"""Conditions in as few comparisons as possible, without what is known anyway.

A condition is a disjunction of cases, and a case is a *box*: for each of its *subjects* (a number, an order of two
numbers, a truth value) the values that it may have. A box is made wider or narrower wherever that makes no difference
for calls from the state in question. The solver proves each change under the condition of that state and the
assumptions, and in the end that the outcome means the same as what was put in: a mistake in between costs words, never
the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Final, final

from stateglass.program import Scalar
from stateglass.reflexion.folding import FEWEST, runs
from stateglass.reflexion.formula import Formula
from stateglass.reflexion.intervals import Interval, Intervals, cells, contains, joined, shared
from stateglass.reflexion.joining import all_of, any_of
from stateglass.reflexion.phrases import Phrases
from stateglass.reflexion.subjects import Number, Subject, Truth, term_of
from stateglass.reflexion.wording import NoWords, Vocabulary, Wording
from stateglass.smt import Answer, Columns, Operator, Solver, Term, needed

MOST_QUESTIONS: Final = 400
"""Questions to the solver about one condition; what is found by then is shown."""
MOST_CELLS: Final = 32
"""Parts that the values of a subject are cut into; of more, only those that the condition itself tells apart count."""
MOST_LOOKED_AT: Final = 200
"""Parts of a state's condition that are read for what they say."""
MOST_GAPS: Final = 6
"""Up to so many parts of the values make no difference: all combinations of them are tried."""
ALWAYS: Final = "always"
NOTHING_KNOWN: Final = Columns({}, 0)

Box = Mapping[Subject, Intervals]
"""The values that each subject may have; of those that are not mentioned, any."""


@final
class _Enough(Exception):
    """There are no questions left, or one was not answered."""


@final
class Simplifier:
    """Works for one formula."""

    def __init__(
        self,
        formula: Formula,
        names: Mapping[Term, tuple[str, Scalar]],
        vocabulary: Vocabulary,
        words: Mapping[Term, str],
        limits: tuple[int, float | None],
    ) -> None:
        """`words` are those of the comparisons that conditions consist of; `limits` are the solver's."""
        self._terms = formula.terms
        self._counts = formula.counts
        # The questions are about states, not about what the code does: a solver that does not know it is faster.
        self._solver = Solver(*limits, total=limits[0])
        self._solver.add(self._counts)
        wording = Wording(formula.terms, names, vocabulary, self._always)
        self._phrases = Phrases(formula.terms, wording, words)
        self._comparisons: dict[Term, list[tuple[Subject, Intervals]]] = {}
        self._possible: dict[tuple[Term, Subject], Intervals] = {}
        self._answers: dict[frozenset[Term], bool] = {}
        self._made: dict[tuple[Subject, Intervals], Term] = {}
        self._left = 0
        self._known = NOTHING_KNOWN

    @property
    def late(self) -> bool:
        return self._solver.late

    def _always(self, condition: Term) -> bool:
        return self._solver.check([self._terms.negation(condition)]) is Answer.NO

    def text(self, cases: Sequence[Sequence[Term]], here: Term, known: Columns = NOTHING_KNOWN) -> str | None:
        """C for a disjunction of conjunctions, with the same meaning for all valuations of a state.

        None if there is none, as for what is never true. What some valuations of the state that are known show is not
        asked of the solver.
        """
        terms = self._terms
        self._left = MOST_QUESTIONS
        self._known = known
        whole = terms.either(*(terms.both(*case) for case in cases))
        boxes = self._boxes(cases)
        with suppress(_Enough):
            cases = [[self._settled(literal, here) for literal in case] for case in cases]
            boxes = self._shorter(self._boxes(cases), here, whole)
            others = self._boxes(cases, divides=True)
            if len(_subjects(others)) < len(_subjects(boxes)):
                boxes = min(boxes, self._shorter(others, here, whole), key=self._cost)
            if len(boxes) > 1:
                # Wider cases may need fewer others beside them.
                wider = self._needed(_merged([self._wider(box, here, whole) for box in boxes]), here)
                boxes = min(boxes, self._shorter(wider, here, whole), key=self._cost)
        again = terms.either(*(self._term(box) for box in boxes))
        differs = terms.negation(terms.equal(whole, again))
        if differs is not terms.false and self._solver.check([here, differs]) is not Answer.NO:
            return None
        try:
            return self._said(boxes) if boxes else None
        except NoWords:
            return None

    def _boxes(self, cases: Sequence[Sequence[Term]], *, divides: bool = False) -> list[Box]:
        found: list[Box] = []
        for case in cases:
            box: dict[Subject, Intervals] = {}
            for literal in case:
                subject, holds = self._phrases.read(literal, divides=divides)
                box[subject] = shared(box.get(subject, (subject.domain,)), holds)
            if all(box.values()):
                found.append(box)
        return _merged(found)

    def _settled(self, literal: Term, here: Term) -> Term:
        """A comparison of several variables, with the values of those that have only one in this state."""
        found = literal
        variables = [n for v in needed([literal]) if (n := self._phrases.number(v)) is not None]
        for number in variables if len(variables) > 1 else ():
            possible = self._values_in(here, number)
            if len(possible) == 1 and possible[0][0] == possible[0][1]:
                value = self._terms.constant(possible[0][0], number.term.width)
                found = self._terms.replaced(found, number.term, value)
        if found.operator is Operator.VALUE or isinstance(self._phrases.read(found)[0], Truth):
            return literal
        return found

    def _term(self, box: Box) -> Term:
        return self._terms.both(*(self._term_of(subject, holds) for subject, holds in box.items()))

    def _term_of(self, subject: Subject, holds: Intervals) -> Term:
        key = subject, holds
        if key not in self._made:
            self._made[key] = term_of(self._terms, subject, holds)
        return self._made[key]

    def _may_be(self, facts: Iterable[Term]) -> bool:
        """Whether some valuation satisfies these facts; remembered, as the same is asked until nothing changes."""
        question = frozenset(facts)
        known = self._answers.get(question)
        if known is None:
            known = self._answers[question] = self._known.any_with(question) or self._finds(question)
        return known

    def _finds(self, facts: Iterable[Term]) -> bool:
        """As `_may_be`, but asked anew: afterwards the solver has the valuation."""
        if self._left <= 0:
            raise _Enough
        self._left -= 1
        answer = self._solver.check(sorted(facts, key=lambda t: t.number))
        if answer is Answer.UNKNOWN:
            raise _Enough
        return answer is Answer.YES

    # ---- less

    def _shorter(self, boxes: list[Box], here: Term, whole: Term) -> list[Box]:
        while True:
            before = boxes
            boxes = [self._shorter_box(box, here, whole) for box in boxes]
            boxes = self._needed(_merged(boxes), here)
            if self._cost(boxes) >= self._cost(before):
                return boxes if self._cost(boxes) == self._cost(before) else before

    def _cost(self, boxes: Sequence[Box]) -> tuple[int, int]:
        costs = [self._phrases.cost(subject, holds) for box in boxes for subject, holds in box.items()]
        return sum(count for count, _ in costs), sum(weight for _, weight in costs)

    def _shorter_box(self, box: Box, here: Term, whole: Term) -> Box:
        """A box that means the same in fewer words; what takes most words is tried first, as the rest may imply it."""
        found = dict(box)
        for subject in sorted(box, key=lambda s: self._phrases.cost(s, box[s]), reverse=True):
            rest = [here, self._term({s: h for s, h in found.items() if s != subject})]
            holds = self._simplest(subject, found[subject], rest, here, whole)
            if holds == (subject.domain,):
                del found[subject]
            else:
                found[subject] = holds
        return found

    def _wider(self, box: Box, here: Term, whole: Term) -> Box:
        """The box with all values that make no difference added."""
        found = dict(box)
        for subject in box:
            rest = [here, self._term({s: h for s, h in found.items() if s != subject})]
            needed, free = self._parts(subject, found[subject], rest, here, whole)
            found[subject] = joined([*needed, *free])
        return {s: h for s, h in found.items() if h != (s.domain,)}

    def _simplest(self, subject: Subject, holds: Intervals, rest: list[Term], here: Term, whole: Term) -> Intervals:
        """Of all sets of values that make no difference to a case, the one that takes the fewest words."""
        needed, free = self._parts(subject, holds, rest, here, whole)
        gaps = joined(free)
        if len(gaps) > MOST_GAPS:
            return holds
        ways = product(*(((), (gap,)) for gap in gaps))
        choices = [holds, *(joined([*needed, *(g for filled in way for g in filled)]) for way in ways)]
        choices.sort(key=lambda c: self._phrases.cost(subject, c) if c else (0, 0))
        everything = (subject.domain,)
        return next((c for c in choices if c and (c == everything or self._phrases.can_say(subject, c))), holds)

    def _parts(
        self, subject: Subject, holds: Intervals, rest: list[Term], here: Term, whole: Term
    ) -> tuple[list[Interval], list[Interval]]:
        """The values of a subject that a case needs, and those that make no difference in it.

        A value makes no difference if it cannot occur together with the rest of the case, or if all such calls are
        covered by the whole condition anyway.
        """
        possible = self._values_in(here, subject)
        elsewhere = self._terms.negation(whole)
        needed: list[Interval] = []
        free: list[Interval] = []
        for cell in cells(subject.domain, [holds, possible]):
            here_too = contains(holds, (cell,))
            facts = [*rest, self._term_of(subject, (cell,))]
            if not contains(possible, (cell,)) or not self._may_be(facts if here_too else [*facts, elsewhere]):
                free.append(cell)
            elif here_too:
                needed.append(cell)
        return needed, free

    def _values_in(self, here: Term, subject: Subject) -> Intervals:
        """Which values a subject has in a state, as far as the code and the hypothesis tell them apart."""
        if not isinstance(subject, Number):
            return (subject.domain,)
        key = here, subject
        if key not in self._possible:
            told = [holds for about, holds in (*self._told(here), *self._told(self._counts)) if about == subject]
            known = cells(subject.domain, [*self._phrases.sets(subject), *told])
            self._possible[key] = (
                self._found_in(here, subject, known) if len(known) <= MOST_CELLS else (subject.domain,)
            )
        return self._possible[key]

    def _told(self, condition: Term) -> list[tuple[Subject, Intervals]]:
        """What the comparisons in a condition say, each of its subject."""
        if condition not in self._comparisons:
            found: list[Term] = []
            seen, stack = {condition}, [condition]
            while stack and len(seen) < MOST_LOOKED_AT:
                term = stack.pop()
                if term.operator in (Operator.AND, Operator.OR, Operator.NOT):
                    stack += [o for o in term.operands if o not in seen]
                    seen.update(term.operands)
                else:
                    found.append(term)
            self._comparisons[condition] = [self._phrases.read(term) for term in found]
        return self._comparisons[condition]

    def _found_in(self, here: Term, subject: Number, known: Intervals) -> Intervals:
        found = [cell for cell in known if self._known.any_with([self._term_of(subject, (cell,))])]
        left = [cell for cell in known if cell not in found]
        while left and self._finds([here, self._term_of(subject, joined(left))]):
            bits = self._solver.value(subject.term)
            value = bits if not subject.is_signed or bits <= subject.domain[1] else bits - (1 << subject.term.width)
            cell = next(c for c in left if c[0] <= value <= c[1])
            found.append(cell)
            left.remove(cell)
        return joined(found)

    def _needed(self, boxes: list[Box], here: Term) -> list[Box]:
        """The boxes without those that the others cover together."""
        terms, left = self._terms, list(boxes)
        for box in boxes:
            others = [terms.negation(self._term(b)) for b in left if b is not box]
            if others and not self._may_be([here, self._term(box), *others]):
                left.remove(box)
        return left

    # ---- words

    def _said(self, boxes: Sequence[Box]) -> str:
        """The boxes as C; what all of them have in common comes first."""
        boxes = sorted(boxes, key=lambda box: sorted((self._phrases.place(s), h) for s, h in box.items()))
        common = {s: h for s, h in boxes[0].items() if all(b.get(s) == h for b in boxes)}
        texts = self._folded([{s: h for s, h in box.items() if s not in common} for box in boxes])
        if len(boxes) == 1 or not all(texts):
            return all_of(self._words(common)) or ALWAYS
        return all_of([*self._words(common), any_of(texts)])

    def _folded(self, boxes: Sequence[Box]) -> list[str]:
        """The words of each box; boxes that differ only in the element of an array they speak of become one."""
        left, texts = list(boxes), list[str]()
        for subject in _subjects(boxes) if len(boxes) >= FEWEST else ():
            name = self._phrases.name_of(subject)
            by_value: dict[int, Box] = {}
            for box in left if name else ():
                holds = box.get(subject, ())
                if len(holds) == 1 and holds[0][0] == holds[0][1]:
                    by_value.setdefault(holds[0][0], box)
            others = {v: all_of(self._words({s: h for s, h in b.items() if s != subject})) for v, b in by_value.items()}
            for first, last, text in runs(others, name):
                where = {subject: ((first, last),)} if (first, last) != subject.domain else {}
                texts.append(all_of([*self._words(where), text]))
                folded = [by_value[value] for value in range(first, last + 1)]
                left = [box for box in left if not any(box is f for f in folded)]
        return [*texts, *(all_of(self._words(box)) for box in left)]

    def _words(self, box: Box) -> list[str]:
        return [self._phrases.text(subject, box[subject]) for subject in sorted(box, key=self._phrases.place)]


def _subjects(boxes: Sequence[Box]) -> list[Subject]:
    return list(dict.fromkeys(subject for box in boxes for subject in box))


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """The boxes, where two that differ in one subject alone are one."""
    found: list[Box] = []
    for box in boxes:
        while (place := next((n for n, b in enumerate(found) if _together(b, box) is not None), None)) is not None:
            together = _together(found.pop(place), box)
            assert together is not None
            box = together
        found.append(box)
    return found


def _together(one: Box, other: Box) -> Box | None:
    """The box that is the union of two, if it is one."""
    subjects = list(dict.fromkeys([*one, *other]))
    first, second = ({s: box.get(s, (s.domain,)) for s in subjects} for box in (one, other))
    if all(contains(first[s], second[s]) for s in subjects):
        return one
    if all(contains(second[s], first[s]) for s in subjects):
        return other
    different = [s for s in subjects if first[s] != second[s]]
    if len(different) != 1:
        return None
    (subject,) = different
    union = joined([*first[subject], *second[subject]])
    return {s: h for s, h in (first | {subject: union}).items() if h != (s.domain,)}
