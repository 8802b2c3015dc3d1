"""Edges with the conditions under which the code takes them, or with why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.evidence import NOT_ASKED, NOT_TAKEN, Condition, Edge, Witness
from stateglass.reflexion.chance import Valuation
from stateglass.reflexion.comparisons import Comparison
from stateglass.reflexion.conditions import Found, Wanted, find_conditions, usable_comparisons
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.implicants import Unfound
from stateglass.reflexion.searching import Search
from stateglass.reflexion.witnesses import Complete, Rerun
from stateglass.reflexion.working import Clock, Workers
from stateglass.smt import Term, Unanswered, needed
from stateglass.work import Progress

NOT_DECIDED: Final = "at least; other calls are not decided"


@final
class Conditioning:
    """Finds conditions, and for those that are not exact a call that shows it."""

    def __init__(self, encoding: Encoding, search: Search, rerun: Rerun, clock: Clock, effort: int) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._search = search
        self._rerun = rerun
        self._clock = clock
        self._effort = effort

    def of(self, edges: Sequence[Edge], questions: int, workers: Workers, progress: Progress) -> list[Edge]:
        """All edges; those that the code has get conditions, as many as there are questions for."""
        encoding = self._encoding
        numbers = {encoding.name(n): n for n in range(encoding.numbers.exit + 1)}
        found = [replace(e, unfound=NOT_ASKED if e.in_code else NOT_TAKEN) for e in edges]
        asked = {n: (numbers[e.source], _ends(encoding, e, numbers)) for n, e in enumerate(edges) if e.in_code}
        if not questions or not asked:
            return found
        try:
            self._find(found, asked, questions, workers, progress)
        except KeyboardInterrupt:
            self._clock.interrupt()
        return [replace(e, unfound=self._clock.why) if e.unfound == NOT_ASKED else e for e in found]

    def _find(
        self, found: list[Edge], asked: dict[int, Wanted], questions: int, workers: Workers, progress: Progress
    ) -> None:
        """Put conditions to edges, as far as there is time for it."""
        if self._clock.interrupted:
            return
        encoding, wanted = self._encoding, list(asked.values())
        comparisons = usable_comparisons(encoding, self._effort, self._clock)
        known, limits = self._search.pairs, (questions, self._effort)
        answers = find_conditions(encoding, comparisons, wanted, known, *limits, self._clock, workers)
        for done, (place, answer) in enumerate(zip(asked, answers, strict=True)):
            progress(f"finding conditions of {len(asked):,} transitions", done=done)
            condition = self._condition(answer, asked[place], comparisons) if answer.text else None
            if condition is None or condition.is_wide:
                found[place] = replace(found[place], necessary=condition, unfound=self._why(answer))
            else:
                found[place] = replace(found[place], condition=condition, unfound="")

    def _why(self, answer: Found) -> str:
        assert answer.why is not None
        return answer.why.value or self._clock.why

    def _condition(self, answer: Found, wanted: Wanted, comparisons: Sequence[Comparison]) -> Condition:
        source, targets = wanted
        terms, encoding = self._terms, self._encoding
        cases = [[_literal(comparisons, number) for number in case] for case in answer.cases]
        spoken = set(needed([literal for case in cases for literal in case]))
        inputs = tuple(f.name for f in encoding.outcome.fresh if f.term in spoken)
        found = Condition(answer.text, answer.why is None, is_wide=answer.is_wide, inputs=inputs)
        unknown = self._search.pairs.get((source, encoding.numbers.unknown))
        if answer.why is not None:
            holds = terms.either(*(terms.both(*case) for case in cases))
            there = terms.either(*(encoding.leads_to(t) for t in targets))
            other = (holds, terms.negation(there)) if answer.is_wide else (terms.negation(holds), there)
            note = "but not always then" if answer.is_wide else self._note(answer.why)
            return replace(found, note=note, example=self._example(source, *other))
        if unknown is not None:
            before = Witness(self._rerun.before(unknown), (), ())
            return replace(found, exact=False, note=NOT_DECIDED, example=("", before))
        return found

    def _note(self, why: Unfound) -> str:
        match why:
            case Unfound.UNTOLD:
                return "and in other cases that the code's comparisons do not tell"
            case Unfound.MANY:
                return "and in more cases than are written down"
            case Unfound.QUESTIONS | Unfound.UNANSWERED:
                return f"and in other cases, perhaps: {why.value or self._clock.why}"

    def _example(self, source: int, *facts: Term) -> tuple[str, Witness] | None:
        """A call from a state for which some facts hold."""
        try:
            found = self._search.example(self._encoding.here(source), *facts)
        except Unanswered:
            return None
        return None if found is None else self._shown(source, found)

    def _shown(self, source: int, valuation: Valuation) -> tuple[str, Witness]:
        _, target = self._search.pair_of(Complete(valuation))
        if target >= self._encoding.numbers.unknown:
            return "", Witness(self._rerun.before(valuation), (), ())
        return self._encoding.name(target), self._rerun.witness(valuation, source, target)


def _literal(comparisons: Sequence[Comparison], number: int) -> Term:
    comparison = comparisons[number // 2]
    return comparison.opposite if number % 2 else comparison.term


def _ends(encoding: Encoding, edge: Edge, numbers: dict[str, int]) -> tuple[int, ...]:
    """What an edge leads to: if it is claimed of a state with states inside, also those; else the state itself."""
    return encoding.numbers_of(edge.target) if edge.is_claimed else (numbers[edge.target],)
