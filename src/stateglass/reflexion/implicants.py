"""Cases in which a transition is taken: prime implicants over comparisons.

A call that takes the transition gives a conjunction: all comparisons as they come out before it. As many are left out
as the known calls that do not take it allow. The solver says whether the rest is enough, or gives one more call that
does not take it; then whether there is a call that takes it and that no conjunction covers yet. So known calls do most
of the work, and the solver is asked to confirm (in the manner of counterexample-guided learning of a disjunctive normal
form). Exponentially many cases are possible; more than a few are given up.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from functools import reduce
from itertools import accumulate
from operator import or_
from typing import Final, final

from stateglass.reflexion.chance import Ground, Pair, Valuation
from stateglass.reflexion.samples import Calls, Samples, Set, first_of
from stateglass.reflexion.sentences import Literal
from stateglass.smt import Answer, Columns, Operator, Solver, Term, evaluated, needed

MOST_CASES: Final = 24
"""A condition with more alternatives than this is not one that a person reads."""
MOST_UNTOLD: Final = 8
"""So many calls are set aside that no comparison tells from calls which do not take the transition; then it ends."""
MOST_NECESSARY: Final = 40
"""So many comparisons that hold whenever a transition is taken are looked at."""
HARD: Final = 25
"""A hard question counts as several: as one more for each time that it costs so much effort."""
PLACE: Final = " == &"
"""In the text of a comparison: a pointer leads to a certain place."""
RANGES: Final = (" < ", " > ", " <= ", " >= ")
UNEQUAL: Final = " != "
_HARD: Final = frozenset(
    {
        Operator.MULTIPLY,
        Operator.DIVIDE,
        Operator.REMAINDER,
        Operator.SIGNED_DIVIDE,
        Operator.SIGNED_REMAINDER,
        Operator.MULTIPLY_OVERFLOWS,
    }
)

Choice = tuple[int, bool]
"""A comparison by its place, and whether it holds."""
Choices = tuple[Choice, ...]
"""All of these hold."""


@final
@unique
class Unfound(Enum):
    """Why a condition is not exact, or not there."""

    UNTOLD = "the comparisons that there are words for do not tell it"
    MANY = "it has too many cases"
    QUESTIONS = "there are no questions left (--conditions)"
    UNANSWERED = ""  # the clock knows


@final
class GivenUp(Exception):
    """There are no questions left, or one was not answered."""

    def __init__(self, why: Unfound) -> None:
        super().__init__(why)
        self.why = why


@final
@dataclass(frozen=True, slots=True)
class Transition:
    """A transition as what the solver is asked."""

    source: int
    targets: tuple[int, ...]
    here: Term
    there: Term
    elsewhere: Term


@final
class Implicants:
    """Looks for cases with one solver.

    `atoms` are the comparisons with their opposites, and a *choice* is one of them and whether it holds; a *case* is a
    conjunction of choices. `ends` are, for each source, all targets that anybody asks for: calls that lead elsewhere
    need not be told apart from each other.
    """

    def __init__(
        self,
        ground: Ground,
        atoms: Sequence[tuple[Term, Term]],
        literals: Mapping[Term, Literal],
        examples: Mapping[Pair, Valuation],
        ends: Mapping[int, Container[int]],
        solver: Solver,
        questions: int,
    ) -> None:
        self._ground = ground
        self._formula = ground.formula
        self._terms = ground.formula.terms
        self._atoms = atoms
        self._ends = ends
        self._solver = solver
        self._left = questions
        every = [atom for atom, _ in atoms]
        spoken_of = (t for t in needed(every) if t.operator is Operator.VARIABLE)
        self._variables = list(dict.fromkeys((*ground.variables, *spoken_of)))
        self._samples = Samples(ground, every, examples)
        self._hard = [_is_hard(atom) for atom in every]
        # Of each comparison first what is to be said where it does not hold.
        self._texts = [tuple(literals[a].text for a in reversed(pair)) for pair in atoms]
        self._ranks = [tuple(map(_rank, texts)) for texts in self._texts]
        self._loose = [tuple(literals[a].is_loose for a in reversed(pair)) for pair in atoms]

    def transition(self, source: int, targets: tuple[int, ...]) -> Transition:
        there = self._terms.either(*(self._formula.leads_to(t) for t in targets))
        return Transition(source, targets, self._formula.here(source), there, self._terms.negation(there))

    def valuations(self, edge: Transition) -> Columns:
        """Some of the source of a transition."""
        return self._calls(edge).valuations

    def said(self, case: Choices) -> tuple[Term, ...]:
        return tuple(self._atoms[place][0 if holds else 1] for place, holds in case)

    def find(self, cases: list[Choices], edge: Transition) -> Unfound | None:
        """Adds the cases in which a transition is taken; returns why there are others, if there are."""
        if not self._others(edge) and self._is_none(edge, edge.elsewhere):
            cases.append(())
            return None
        untold: list[Choices] = []
        while len(cases) < MOST_CASES and len(untold) < MOST_UNTOLD:
            calls = self._uncovered(edge, [*cases, *untold])
            if not calls:
                return Unfound.UNTOLD if untold else None
            case = self._best(edge, calls)
            if case is None:
                untold.append(tuple(enumerate(self._calls(edge).truths(first_of(calls)))))
            else:
                cases.append(case)
        return Unfound.UNTOLD if untold else Unfound.MANY

    def needed(self, edge: Transition, cases: list[Choices]) -> list[Choices]:
        """The cases without those that the others cover together."""
        left = list(cases)
        for case in cases if len(cases) <= self._left else ():
            calls = self._calls(edge)
            others = [c for c in left if c is not case]
            if not others or calls.with_all(case) & ~_in_any(others, calls):
                continue
            if self._is_none(edge, *self.said(case), *map(self._not, others)):
                left.remove(case)
        return left

    def necessary(self, edge: Transition) -> Choices:
        """What always holds when a transition is taken, without what holds in its source anyway."""
        while True:
            mine, before = self._mine(edge), self._calls(edge).before
            same = [place for place, holds in enumerate(before) if mine and holds & mine in (0, mine)]
            case = tuple((place, before[place] & mine != 0) for place in same)
            if not case or self._is_none(edge, edge.there, self._not(case)):
                break
        case = tuple(sorted(case, key=lambda c: len(self._text(*c)))[:MOST_NECESSARY])
        for choice in reversed(case):
            rest = tuple(c for c in case if c != choice)
            if self._is_none(edge, *self.said(rest), self._not((choice,))):
                case = rest
        return case

    def _not(self, case: Choices) -> Term:
        return self._terms.negation(self._terms.both(*self.said(case)))

    def _text(self, place: int, holds: bool) -> str:
        return self._texts[place][holds]

    # ---- questions

    def _is_none(self, edge: Transition, *facts: Term) -> bool:
        """Whether no call from the source satisfies these facts; if one does, it joins the known calls."""
        if self._left <= 0:
            raise GivenUp(Unfound.QUESTIONS)
        answer = self._solver.check([edge.here, *facts])
        self._left -= 1 + self._solver.spent // HARD
        if answer is Answer.UNKNOWN:
            raise GivenUp(Unfound.UNANSWERED)
        if answer is Answer.YES:
            self._keep(edge)
        return answer is Answer.NO

    def _keep(self, edge: Transition) -> None:
        """The call that the solver has found."""
        valuation = {v: self._solver.value(v) for v in self._variables}
        _, target = self._ground.placing.pair_of(valuation)
        truths = evaluated([atom for atom, _ in self._atoms], valuation)
        wanted = target if target in self._ends[edge.source] else -1
        self._calls(edge).add(wanted, truths)

    # ---- calls that are known

    def _calls(self, edge: Transition) -> Calls:
        return self._samples.of(edge.source)

    def _mine(self, edge: Transition) -> Set:
        """The calls that take the transition."""
        return self._calls(edge).leading_to(edge.targets)

    def _others(self, edge: Transition) -> Set:
        """The calls from the source that do not take it."""
        return self._calls(edge).every & ~self._mine(edge)

    def _uncovered(self, edge: Transition, cases: Sequence[Choices]) -> Set:
        """The calls that take the transition and are in none of some cases; nothing if there are none."""
        while True:
            left = self._mine(edge) & ~_in_any(cases, self._calls(edge))
            if left or self._is_none(edge, edge.there, *map(self._not, cases)):
                return left

    # ---- what is enough

    def _best(self, edge: Transition, calls: Set) -> Choices | None:
        """A case that has the first of these calls in it, and none that does not take the transition; None if there is
        none. Comparisons that are hard to compute, or say less than their words, are used only if the others do not do.
        """
        known, others = self._calls(edge), self._others(edge)
        # The order decides what `_smallest` leaves out first: what few of the other calls share, what tells few calls
        # apart that do not take the transition, and what takes many words.
        call, rows = known.truths(first_of(calls)), []
        for n, holds in enumerate(call):
            same = known.before[n] if holds else ~known.before[n]
            rows.append(((calls & same).bit_count(), (others & ~same).bit_count(), -len(self._texts[n][holds]), -n))
        every = tuple((-row[-1], call[-row[-1]]) for row in sorted(rows))
        plain = tuple(c for c in every if not self._loose[c[0]][c[1]])
        easy = tuple(c for c in plain if not self._hard[c[0]])
        why: GivenUp | None = None
        for case in dict.fromkeys((easy, plain, every)):
            try:
                best = self._widest(edge, case)
            except GivenUp as given_up:
                why = given_up
                continue
            if best is not None:
                return self._without_places(edge, best, case)
        if why is not None:
            raise why
        return None

    def _widest(self, edge: Transition, case: Choices) -> Choices | None:
        """The widest case that is enough, of parts of this one; of equally wide ones, what a person reads best.

        So values are tried before ranges, and ranges before what a value is not.
        """
        best: Choices | None = None
        for some in dict.fromkeys(tuple(c for c in case if self._ranks[c[0]][c[1]] <= most) for most in range(3)):
            found = self._smallest(edge, some, best)
            if found is not None and (best is None or self._is_wider(edge, found, best)):
                best = found
        return best

    def _without_places(self, edge: Transition, best: Choices, case: Choices) -> Choices:
        """The case with "not null" in the place of "leads to x", wherever that is enough: it covers more."""
        for place in [c for c in best if PLACE in self._text(*c)]:
            others = tuple(c for c in case if c != place and (c in best or PLACE not in self._text(*c)))
            found = self._smallest(edge, others, None)
            if found is not None and self._is_wider(edge, found, best):
                best = found
        return best

    def _smallest(self, edge: Transition, case: Choices, known: Choices | None) -> Choices | None:
        """The case without choices that are not needed, tried from the first to the last; None if even all of them are
        not enough. `known` is a case that is enough, so that whatever contains it need not be asked about.
        """
        before = self._calls(edge).before
        while True:
            # For each choice, the calls that do not take the transition and that it rules out. A choice can go if every
            # such call is ruled out by one that is kept, or by one that is yet to come.
            others = self._others(edge)
            refuting = [others & (~before[place] if holds else before[place]) for place, holds in case]
            later = list(accumulate(reversed(refuting), or_, initial=0))
            if later.pop() != others:
                return None
            kept, by_kept = [], 0
            for choice, by_it, by_later in zip(case, refuting, reversed(later), strict=True):
                if by_it & ~(by_kept | by_later):
                    kept.append(choice)
                    by_kept |= by_it
            found = tuple(kept)
            if (known and set(known) <= set(found)) or self._is_none(edge, edge.elsewhere, *self.said(found)):
                return found

    def _is_wider(self, edge: Transition, one: Choices, other: Choices) -> bool:
        return self._implies(edge, other, one) and not self._implies(edge, one, other)

    def _implies(self, edge: Transition, one: Choices, other: Choices) -> bool:
        if set(other) <= set(one):
            return True
        calls = self._calls(edge)
        if calls.with_all(one) & ~calls.with_all(other):
            return False
        return self._is_none(edge, *self.said(one), self._not(other))


def _in_any(cases: Iterable[Choices], calls: Calls) -> Set:
    """Before which calls all of a case holds."""
    return reduce(or_, map(calls.with_all, cases), 0)


def _rank(text: str) -> int:
    """A value says more than a range, and a range more than what a value is not."""
    return 2 if UNEQUAL in text else 1 if any(word in text for word in RANGES) else 0


def _is_hard(comparison: Term) -> bool:
    """Whether a comparison contains what solvers find hard: products and quotients of two unknowns."""
    return any(
        t.operator in _HARD and all(o.operator is not Operator.VALUE for o in t.operands) for t in needed([comparison])
    )
