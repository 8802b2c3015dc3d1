"""Completes a hypothesis: what it lacks is added, what is wrong is corrected, what the code never does is set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final, final

from stateglass.evidence import Condition, Edge, ReflexionModel, Result
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim
from stateglass.reflexion.notation.printer import name_text, print_hypothesis
from stateglass.source import InputError, Span, Words

FILE: Final = "suggestion"
"""What the conditions of a suggestion stand in as long as it is no file; their line is the number of a transition."""
ALWAYS: Final = "always"
MOST_ATTEMPTS: Final = 3
"""How often a suggestion is held against the code."""


@final
@dataclass(frozen=True, slots=True)
class Suggestion:
    """A hypothesis with remarks: on transitions, by their place, and on what is no part of it any more."""

    hypothesis: Hypothesis
    remarks: dict[int, str] = field(default_factory=dict)
    set_aside: tuple[str, ...] = ()

    def text(self, files: tuple[str, ...]) -> str:
        """The suggestion in the notation of machines; `files` are the code's files as seen from where it will stand."""
        return print_hypothesis(replace(self.hypothesis, files=files), self.remarks, self.set_aside)

    def without_conditions(self, places: Iterable[int]) -> Suggestion:
        """The suggestion without the conditions of these transitions; a remark has them instead."""
        transitions, remarks = list(self.hypothesis.transitions), dict(self.remarks)
        for place in places:
            condition = transitions[place].condition
            if condition is not None:
                transitions[place] = replace(transitions[place], condition=None)
                remarks[place] = f"taken about when {_one_line(condition.text)}"
        return Suggestion(replace(self.hypothesis, transitions=tuple(transitions)), remarks, self.set_aside)


def completed(
    model: ReflexionModel, hypothesis: Hypothesis, hold: Callable[[Hypothesis], ReflexionModel]
) -> Suggestion:
    """A hypothesis of which everything converges, as far as conditions were found.

    `hold` holds a hypothesis against the code: a suggestion is checked in this way before it is made.
    """
    found = _Completing(model, hypothesis).suggestion()
    for _ in range(MOST_ATTEMPTS):
        try:
            again = hold(found.hypothesis)
            if again.interrupted:
                raise KeyboardInterrupt
            wrong = _wrong_places(found, again)
        except InputError as error:
            wrong = {d.span.line - 1 for d in error.diagnostics if d.span.file == FILE and d.span.line}
            if not wrong:
                raise
        if not wrong:
            break
        # What was found does not read back as the same: then it is not said when.
        found = found.without_conditions(wrong)
    return found


@final
class _Completing:
    """Keeps what converges as it was written; the other sources get what was found."""

    def __init__(self, model: ReflexionModel, hypothesis: Hypothesis) -> None:
        self._model = model
        self._hypothesis = hypothesis
        self._edges: dict[str, list[Edge]] = {}
        for edge in model.edges:
            if not edge.nowhere:
                self._edges.setdefault(edge.source, []).append(edge)
        self._nowhere = {(e.source, e.target) for e in model.edges if e.nowhere and Result.ABSENCE in e.results}
        self._empty = {s.name for s in model.states if not s.satisfiable or not s.itself}
        self._wrong = self._wrong_sources()

    def suggestion(self) -> Suggestion:
        transitions: list[TransitionClaim] = []
        remarks: dict[int, str] = {}
        aside: list[str] = []
        rests: dict[str, StateClaim] = {}
        for claim in self._hypothesis.transitions:
            if self._sources_of(claim) <= self._empty:
                aside.append(f"{_shown(claim)}  (no valuation is in {claim.source})")
            elif (claim.source, claim.target) in self._nowhere:
                aside.append(f"{_shown(claim)}  (this is never true in {claim.source})")
            elif not self._sources_of(claim) & self._wrong:
                transitions.append(claim)
        for source in self._edges:
            if source not in self._wrong:
                continue
            for edge in self._edges[source]:
                claim, remark = self._corrected(edge)
                if Result.ABSENCE in edge.results and not edge.in_code:
                    aside.append(f"{_shown(claim)}  (the code never does this)")
                    continue
                if source in self._hypothesis.parents:
                    # What is said of it would be said of the states inside it too.
                    rest = rests.setdefault(source, self._rest(source))
                    claim = replace(claim, source=rest.name)
                if remark:
                    remarks[len(transitions)] = remark
                transitions.append(claim)
        numbered = tuple(_numbered(claim, place) for place, claim in enumerate(transitions))
        # The notation has only numbers for what goes before what.
        found = replace(self._restricted(), transitions=numbered, inner_first=False)
        found = replace(found, states=(*found.states, *rests.values()))
        return Suggestion(found, remarks, tuple(aside))

    def _rest(self, parent: str) -> StateClaim:
        """What the states inside a state leave of it, as one more of them."""
        names = self._hypothesis.by_name
        name = f"{parent} itself"
        while name in names:
            name += "'"
        inner = " || ".join(self._where(s.name) for s in self._hypothesis.states if s.parent == parent)
        return StateClaim(name, Words(f"!({inner})"), parent)

    def _where(self, name: str) -> str:
        """Where a state is, within the one around it."""
        condition = self._hypothesis.by_name[name].condition
        if condition is not None:
            return f"({condition.text})"
        return " || ".join(self._where(s.name) for s in self._hypothesis.states if s.parent == name)

    def _sources_of(self, claim: TransitionClaim) -> set[str]:
        """The leaves that a transition leaves, or the pseudo-state."""
        if claim.source not in self._hypothesis.by_name:
            return {claim.source}
        return {leaf.name for leaf in self._hypothesis.leaves_of(claim.source)}

    def _wrong_sources(self) -> set[str]:
        """Where something does not converge, and where transitions apply that have to be taken apart for that."""
        decided = (Result.PARTIAL, Result.DIVERGENCE, Result.ABSENCE)
        wrong = {source for source, edges in self._edges.items() if any(r in decided for e in edges for r in e.results)}
        wrong |= {name for name in self._edges if self._is_ordered_by_nesting(name)}
        while True:
            applying = [self._sources_of(c) for c in self._hypothesis.transitions if self._sources_of(c) & wrong]
            more = set[str]().union(*applying) - wrong
            if not more:
                return wrong
            wrong |= more

    def _corrected(self, edge: Edge) -> tuple[TransitionClaim, str]:
        """A transition as the code has it, and what to say about it."""
        converges = edge.results == (Result.CONVERGENCE,)
        claimed = None if edge.claimed is None else Words(edge.claimed)
        if Result.ABSENCE in edge.results and not edge.in_code:
            return TransitionClaim(edge.source, edge.target, claimed), ""
        if Result.INCONCLUSIVE in edge.results:
            return TransitionClaim(edge.source, edge.target, claimed), f"not decided: {edge.reason}"
        if converges and not self._has_priorities(edge.source):
            return TransitionClaim(edge.source, edge.target, claimed), ""
        found = edge.condition
        before = f"instead of {_one_line(edge.claimed)}" if edge.claimed is not None and not converges else ""
        remark = _unsaid(edge)
        if found is None or remark:
            return TransitionClaim(edge.source, edge.target), f"{remark}; {before}" if before else remark
        condition = None if found.text == ALWAYS else Words(found.text)
        return TransitionClaim(edge.source, edge.target, condition), before

    def _has_priorities(self, source: str) -> bool:
        claims = [claim for _, claim in self._hypothesis.applying(source)]
        return any(c.priority is not None for c in claims) or self._is_ordered_by_nesting(source)

    def _is_ordered_by_nesting(self, source: str) -> bool:
        """Whether it matters for a leaf that what is said of it goes before what is said of the states around it."""
        hypothesis = self._hypothesis
        if not hypothesis.inner_first:
            return False
        claims = [claim for _, claim in hypothesis.applying(source)]
        return any(
            one.source != other.source and hypothesis.gives_way(one, other) for one in claims for other in claims
        )

    def _restricted(self) -> Hypothesis:
        """The hypothesis with only the states that were looked at, and the assumption that a call starts in one."""
        if self._hypothesis.start is None:
            return self._hypothesis
        kept = {s.name for s in self._model.states}
        states = tuple(s for s in self._hypothesis.states if s.name in kept)
        parts = [f"({s.condition.text})" for s in states if s.condition is not None]
        together = Words(f"({' || '.join(parts)})" if len(parts) > 1 else parts[0][1:-1])
        return replace(self._hypothesis, states=states, assumes=(*self._hypothesis.assumes, together), start=None)


def _unsaid(edge: Edge) -> str:
    """Why a suggestion does not say when a transition is taken, if it does not."""
    found = edge.condition
    if found is None and edge.necessary is not None:
        return f"taken only when {edge.necessary.text}"
    if found is None:
        return f"when was not found: {edge.unfound}"
    if not found.exact:
        return f"taken at least when {found.text}"
    if found.inputs:
        return f"when {found.text}; inputs of the call: {', '.join(_mentioned(found) or found.inputs)}"
    return ""


def _mentioned(condition: Condition) -> list[str]:
    """The inputs that the words of a condition speak of."""
    return [n for n in condition.inputs if re.search(rf"(?<!\w){re.escape(n)}(?![\w#.\[])", condition.text)]


def _wrong_places(suggestion: Suggestion, model: ReflexionModel) -> set[int]:
    """Which conditions of a suggestion do not lead to convergence when it is held against the code itself."""
    found: set[int] = set()
    leaves = suggestion.hypothesis.leaves_of
    for edge in model.edges:
        if edge.results == (Result.CONVERGENCE,):
            continue
        for place, claim in enumerate(suggestion.hypothesis.transitions):
            inner = claim.source in suggestion.hypothesis.by_name and any(
                leaf.name == edge.source for leaf in leaves(claim.source)
            )
            if claim.target == edge.target and (claim.source == edge.source or inner):
                found.add(place)
    return found


def _numbered(claim: TransitionClaim, place: int) -> TransitionClaim:
    if claim.condition is None:
        return claim
    return replace(claim, condition=Words(claim.condition.text, Span.at(FILE, place + 1, 1)))


def _shown(claim: TransitionClaim) -> str:
    when = "" if claim.condition is None else f" when {_one_line(claim.condition.text)}"
    return f"{name_text(claim.source)} -> {name_text(claim.target)}{when}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
