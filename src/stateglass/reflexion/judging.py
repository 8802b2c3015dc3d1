"""Compares what a hypothesis says of each pair of states with what the code does.

The rules are RM1, RM2, RM3 and P1 to P3 of S. Said, J. Quante, R. Koschke, "Reflexion models for state machine
extraction and verification" (2018), completed by priorities and nested states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from stateglass.evidence import Edge, Result, Witness
from stateglass.explore.merging import Kind
from stateglass.reflexion.calls import Calls
from stateglass.reflexion.chance import Pair, Valuation
from stateglass.reflexion.claims import Row, claimed_text, claimed_when
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.searching import Search
from stateglass.reflexion.witnesses import Complete, Rerun
from stateglass.reflexion.working import Clock
from stateglass.smt import Term, Unanswered
from stateglass.source import Span


@final
@dataclass(frozen=True, slots=True)
class _Claim:
    """All transitions of the hypothesis from one leaf to one target."""

    target: str
    numbers: frozenset[int]  # of the leaves that count as the target
    condition: Term | None  # None: it is not said when
    text: str | None  # the same in C
    span: Span
    is_own: bool  # not only claimed of states around the leaf, or of what the states in it leave


@final
class Judge:
    """Judges one source after the other."""

    def __init__(self, encoding: Encoding, search: Search, rerun: Rerun, calls: Calls, clock: Clock) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._search = search
        self._rerun = rerun
        self._calls = calls
        self._clock = clock
        self._witnesses: dict[Pair, Witness] = {}
        self._numbers = encoding.numbers
        self._leaves = encoding.hypothesis.numbers
        self.reasons: dict[str, None] = {}
        self._possible: dict[tuple[int, Term], bool | None] = {}

    def edges(self, sources: list[int]) -> list[Edge]:
        for source in sources:
            self._say_if_open(source)
        among = set(sources)
        self._witnesses = self._calls.witnesses(
            {(s, t): v for (s, t), v in self._search.pairs.items() if s in among and t not in self._uncounted}
        )
        found = [edge for source in sources for edge in self._from(source)]
        return [*found, *self._nowhere({(e.source, e.target) for e in found})]

    def _say_if_open(self, source: int) -> None:
        """Notes why something about a state is not known, whether or not the hypothesis speaks of it."""
        if self._is_open(source):
            try:
                self._reason(source, self._terms.true)
            except Unanswered:
                self.reasons[self._clock.why] = None

    def _from(self, source: int) -> Iterator[Edge]:
        # What is said of a parent need not be possible in each of its children.
        claims = [c for c in self._claims(source) if c.is_own or self._applies(source, c.condition) is not False]
        found = [t for t in self._search.targets(source) if t not in self._uncounted]
        claimed = {number for claim in claims for number in claim.numbers}
        for claim in claims:
            edge = self._judged(source, claim, claims, found)
            is_doubtful = Result.ABSENCE in edge.results and not claim.is_own
            yield edge if not is_doubtful or self._applies(source, claim.condition) else self._open(edge)
        for target in sorted(set(found) - claimed):
            witness = self._witnesses[source, target]
            yield Edge(self._encoding.name(source), self._encoding.name(target), (Result.DIVERGENCE,), witness=witness)

    @property
    def _uncounted(self) -> frozenset[int]:
        return frozenset({self._numbers.unknown, self._numbers.dropped})

    # ---- what the hypothesis says

    def _claims(self, source: int) -> list[_Claim]:
        """What is claimed of a leaf, one for each target; a leaf inherits the transitions of the states around it."""
        encoding, hypothesis = self._encoding, self._encoding.hypothesis
        name = encoding.name(source)
        applying = hypothesis.applying(name)
        by_target: dict[str, list[Row]] = {}
        for n, transition in applying:
            by_target.setdefault(transition.target, []).append((n, transition))
        return [
            _Claim(
                target,
                frozenset(encoding.numbers_of(target)),
                claimed_when(encoding, rows, applying),
                claimed_text(encoding, rows, applying, partial(self._applies, source)),
                rows[0][1].span,
                name not in hypothesis.parents and any(t.source == name for _, t in rows),
            )
            for target, rows in by_target.items()
        ]

    def _applies(self, source: int, condition: Term | None) -> bool | None:
        """Whether a valuation of a leaf satisfies a condition; None if that is not known."""
        question = source, condition or self._terms.true
        if question not in self._possible:
            try:
                self._possible[question] = self._search.may_be(self._encoding.here(source), question[1])
            except Unanswered:
                self._possible[question] = None
        return self._possible[question]

    def _open(self, edge: Edge) -> Edge:
        """The edge as inconclusive: the solver has not answered."""
        self.reasons[self._clock.why] = None
        return replace(edge, results=(Result.INCONCLUSIVE,), reason=self._clock.why)

    def _nowhere(self, listed: set[tuple[str, str]]) -> Iterator[Edge]:
        """Claims about states with states inside that are possible in none of these: one absence for all of them."""
        hypothesis = self._encoding.hypothesis
        groups: dict[tuple[str, str], list[Row]] = {}
        for n, t in enumerate(hypothesis.transitions):
            if t.source in hypothesis.parents and (t.source, t.target) not in listed:
                groups.setdefault((t.source, t.target), []).append((n, t))
        for (source, target), rows in groups.items():
            leaves = [leaf.name for leaf in hypothesis.leaves_of(source)]
            conditions = ((n, claimed_when(self._encoding, rows, hypothesis.applying(n))) for n in leaves)
            answers = [self._applies(self._leaves[name], condition) for name, condition in conditions]
            if True not in answers:
                text, span = claimed_text(self._encoding, rows, rows, lambda _: False), rows[0][1].span
                edge = Edge(source, target, (Result.ABSENCE,), text, is_claimed=True, span=span, nowhere=True)
                yield edge if None not in answers else self._open(edge)

    # ---- what the code does

    def _judged(self, source: int, claim: _Claim, claims: list[_Claim], found: list[int]) -> Edge:
        edge = Edge(
            self._encoding.name(source),
            claim.target,
            (),
            claim.text,
            is_claimed=True,
            span=claim.span,
        )
        taken = next((t for t in found if t in claim.numbers), None)
        witness = None if taken is None else self._witnesses[source, taken]
        if claim.condition is None:
            if witness is not None:
                return replace(edge, results=(Result.CONVERGENCE,), witness=witness)
            return self._absent(edge, source, self._terms.true)
        try:
            return self._with_condition(replace(edge, witness=witness), source, claim, claims, claim.condition)
        except Unanswered:
            self.reasons[self._clock.why] = None
            return replace(edge, results=(Result.INCONCLUSIVE,), witness=witness, reason=self._clock.why)

    def _with_condition(self, edge: Edge, source: int, claim: _Claim, claims: list[_Claim], condition: Term) -> Edge:
        """The result for a transition with a condition, RM2 and RM3: asked of the solver in up to three questions."""
        encoding, terms, search = self._encoding, self._terms, self._search
        here = encoding.here(source)
        there = terms.either(*(encoding.leads_to(n) for n in sorted(claim.numbers)))
        lost = encoding.leads_to(self._numbers.unknown)
        first = search.example(here, condition, there)
        results: list[Result] = []
        if first is None:
            edge = self._absent(edge, source, condition)
            results += edge.results
        else:
            edge = replace(edge, witness=self._shown(source, first))
            second = search.example(here, condition, terms.negation(there), terms.negation(lost))
            if second is not None:
                results.append(Result.PARTIAL)
                _, target = search.pair_of(Complete(second))
                edge = replace(edge, elsewhere=(encoding.name(target), self._shown(source, second)))
            elif self._is_open(source) and search.may_be(here, condition, lost):
                results.append(Result.INCONCLUSIVE)
                edge = replace(edge, reason=self._reason(source, condition))
            else:
                results.append(Result.CONVERGENCE)
        # Another claim may cover what this one does not, when one is about a state and one about its parent.
        allowed = [c.condition or terms.true for c in claims if c.numbers & claim.numbers]
        third = search.example(here, terms.negation(terms.either(*allowed)), there)
        if third is not None:
            results.append(Result.DIVERGENCE)
            shown = self._shown(source, third)
            edge = replace(edge, beyond=shown, witness=edge.witness or shown)
        return replace(edge, results=tuple(results))

    def _absent(self, edge: Edge, source: int, condition: Term) -> Edge:
        if self._is_open(source):
            try:
                here = self._encoding.here(source)
                lost = self._encoding.leads_to(self._numbers.unknown)
                if source in self._search.undecided or self._search.may_be(here, condition, lost):
                    return replace(edge, results=(Result.INCONCLUSIVE,), reason=self._reason(source, condition))
            except Unanswered:
                return replace(edge, results=(Result.INCONCLUSIVE,), reason=self._clock.why)
        return replace(edge, results=(Result.ABSENCE,))

    def _is_open(self, source: int) -> bool:
        return source in self._search.undecided or (source, self._numbers.unknown) in self._search.pairs

    def _reason(self, source: int, condition: Term) -> str:
        """Why it is not known what the code does from a state."""
        if source in self._search.undecided:
            self.reasons[self._clock.why] = None
            return self._clock.why
        encoding = self._encoding
        here = encoding.here(source)
        for event in encoding.outcome.events:
            counts = event.kind in (Kind.BOUND, Kind.UNSUPPORTED)
            if counts and self._search.may_be(here, condition, event.when, encoding.leads_to(self._numbers.unknown)):
                reason = f"{event.kind.value}: {event.what} ({event.span})"
                self.reasons[reason] = None
                return reason
        return Kind.UNSUPPORTED.value

    def _shown(self, source: int, valuation: Valuation) -> Witness:
        _, target = self._search.pair_of(Complete(valuation))
        return self._rerun.witness(valuation, source, target)
