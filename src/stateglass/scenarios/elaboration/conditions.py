"""The weakest conditions that fit: conjunctions and disjunctions of few literals, those that others imply left out.

What a condition is asked for fails for every weaker one if it fails for a condition (a relation that some runs refute
is refuted on more runs). So of each length candidates are tried from the weakest to the strongest, and what lies inside
of one that fits need not be tried. A run that refutes one candidate refutes all those that hold wherever it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final, final

from stateglass.logic.expressions import predicate_text
from stateglass.logic.predicates import Applied, Operator, Predicate, joined_by
from stateglass.scenarios.elaboration.candidates import Literal, opposite_of
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.judging import Stopped
from stateglass.scenarios.language import Condition

MOST_LITERALS: Final = 3
_MOST_TERMS: Final = 20_000
_MOST_LOOKED_AT: Final = 400_000
"""More candidates of one size are not put together, or not looked at if it is known which states are bad."""
_MOST_WORDS: Final = 2
"""Of so many weaker conditions of the vocabulary it is told that they are not enough."""


@final
@dataclass(frozen=True, slots=True)
class Against:
    """The states that a run comes to that refutes a condition: it refutes all that hold in all of them."""

    states: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A candidate: literals that hold all, or of which one holds."""

    literals: tuple[Literal, ...]
    is_conjunction: bool
    extent: Extent

    @property
    def condition(self) -> Condition:
        """The candidate as it is written."""
        return Condition(_predicate(self.literals, self.is_conjunction))

    @property
    def from_model(self) -> bool:
        return any(literal.from_model for literal in self.literals)

    @property
    def plainness(self) -> tuple[int, int, int, bool]:
        """Less is easier to read."""
        return (
            len(self.literals),
            sum(literal.from_model for literal in self.literals),
            sum(literal.is_negative for literal in self.literals),
            not self.is_conjunction,
        )


def terms(literals: Sequence[Literal], relevant: Extent, bad: int = 0) -> list[Term]:
    """All candidates of few literals, weakest first; the simplest of those that hold in the same relevant states.

    Those that hold in all or in none of them are left out, and so are those that may hold in a state that is known to
    be bad.
    """
    found: dict[Extent, Term] = {}
    distinct = _distinct(literals, relevant)
    sizes = [size for size in range(2, MOST_LITERALS + 1) if comb(len(distinct), size) <= _most(bad)]

    def add(chosen: tuple[Literal, ...], extent: Extent, is_conjunction: bool) -> None:
        if extent.may & bad or extent.is_empty or relevant.is_within(extent):
            return
        term = Term(chosen, is_conjunction, extent)
        if extent not in found or term.plainness < found[extent].plainness:
            found[extent] = term

    def grow(chosen: tuple[Literal, ...], extent: Extent, first: int, is_conjunction: bool) -> None:
        add(chosen, extent, is_conjunction)
        if len(chosen) + 1 not in sizes or (bad and is_conjunction and not extent.may & bad):
            return
        for number in range(first, len(inside)):
            literal, own = inside[number]
            both = extent.common(own) if is_conjunction else extent.joined(own)
            if both.may:
                grow((*chosen, literal), both, number + 1, is_conjunction)

    inside = [(literal, literal.extent.common(relevant)) for literal in distinct]
    for number, (literal, own) in enumerate(inside):
        grow((literal,), own, number + 1, True)
    # What joins a bad one is bad.
    inside = [(literal, own) for literal, own in inside if not own.may & bad]
    for number, (literal, own) in enumerate(inside):
        grow((literal,), own, number + 1, False)
    return sorted(found.values(), key=lambda term: (-term.extent.size, term.plainness))


def _most(bad: int) -> int:
    return _MOST_LOOKED_AT if bad else _MOST_TERMS


def _distinct(literals: Iterable[Literal], relevant: Extent) -> list[Literal]:
    """Those that differ in the relevant states; of the same, the first."""
    found: dict[Extent, Literal] = {}
    for literal in literals:
        inside = literal.extent.common(relevant)
        if not inside.is_empty and not relevant.is_within(literal.extent):
            found.setdefault(inside, literal)
    return list(found.values())


def weakest(
    candidates: Iterable[Term], fits: Callable[[Term], bool | Against], *, shortest: bool = False
) -> list[Term]:
    """The candidates that fit and are not implied by another one that does; those with the fewest literals first.

    Candidates come weakest first. If the `shortest` are wanted, one is told even if a longer one implies it.
    """
    against: list[int] = []
    accepted: list[Term] = []
    for term in sorted(candidates, key=lambda term: len(term.literals)) if shortest else candidates:
        if any(term.extent.is_within(other.extent) for other in accepted):
            continue
        if any(not states & ~term.extent.must for states in against):
            continue
        try:
            answer = fits(term)
        except Stopped:
            break  # What fits is known to fit all the same.
        if answer is True:
            accepted.append(term)
        elif isinstance(answer, Against):
            against.append(answer.states)
    return sorted(accepted, key=lambda term: (term.from_model, len(term.literals), -term.extent.size))


def weaker_neighbours(term: Term, relevant: Extent, literals: Sequence[Literal]) -> list[Term]:
    """What somebody would ask about: whether a weaker word is enough, or less of a conjunction, or one of two."""
    words = (_term((literal,), True, relevant) for literal in literals if not literal.from_model)
    weaker = [one for one in words if term.extent.is_within(one.extent) and not one.extent.is_within(term.extent)]
    telling = [one for one in weaker if not relevant.is_within(one.extent)]
    chosen = term.literals
    found = [_term(chosen, False, relevant)] if term.is_conjunction and len(chosen) == 2 else []
    found += sorted(telling, key=lambda one: one.extent.size)[:_MOST_WORDS]
    if term.is_conjunction and len(chosen) > 1:
        fewer = (tuple(other for other in chosen if other is not left_out) for left_out in chosen)
        found += [_term(some, True, relevant) for some in fewer]
    return list({one.extent: one for one in found}.values())


def _term(chosen: tuple[Literal, ...], is_conjunction: bool, relevant: Extent) -> Term:
    extent = chosen[0].extent
    for literal in chosen[1:]:
        extent = extent.common(literal.extent) if is_conjunction else extent.joined(literal.extent)
    return Term(chosen, is_conjunction, extent.common(relevant))


def _predicate(literals: tuple[Literal, ...], is_conjunction: bool) -> Predicate:
    """The literals joined, in the order of their texts; if all are negations, one negation around all."""
    parts = sorted((literal.predicate for literal in literals), key=_order)
    negations = all(isinstance(part, Applied) and part.operator is Operator.NOT for part in parts)
    if negations and len(parts) > 1:
        inner = [opposite_of(part) for part in parts]
        return Applied(Operator.NOT, (joined_by(Operator.OR_ELSE if is_conjunction else Operator.AND_ALSO, inner),))
    return joined_by(Operator.AND_ALSO if is_conjunction else Operator.OR_ELSE, parts)


def _order(predicate: Predicate) -> str:
    return predicate_text(predicate).lstrip("!")
