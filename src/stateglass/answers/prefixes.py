"""How much of a run is needed to violate a claim: of `G p`, what comes after the state without `p` does not matter.

Behind a run that is cut short comes all that its events make possible, in states of which nothing is known. If the
opposite of the claim holds there, the claim is violated whatever follows, so that the rest need not be shown. What
violates a claim still does so with more steps behind it: the shortest beginning is found by halving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, final

import numpy as np

from stateglass.answers.claims import count_nodes
from stateglass.check.ctl import operands_first
from stateglass.check.events import labels_meant
from stateglass.check.ltl.alphabet import Meaning
from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.violations import Search, meaning_on
from stateglass.check.truth import Truth, open_states
from stateglass.evidence import Answer, Path, Step, Verdict
from stateglass.logic import temporal
from stateglass.logic.claims import Claim, Language
from stateglass.logic.predicates import Predicate
from stateglass.model import Model, ModelBuilder, Origin
from stateglass.work import Progress

MOST_NODES: Final = 500
"""Of a larger formula the whole run is shown: deciding it many times would take long."""


def shortened(claim: Claim, answer: Answer, model: Model, progress: Progress) -> Answer:
    """The answer with the shortest beginning of its run that violates the claim, if a beginning does."""
    if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
        return answer
    found = violating_beginning(claim, answer.evidence, model, progress)
    return answer if found is None else replace(answer, evidence=found)


def violating_beginning(claim: Claim, path: Path, model: Model, progress: Progress) -> Path | None:
    """The shortest beginning of a run that violates the claim whatever follows; None if none is known to."""
    if claim.fairness or count_nodes(claim, MOST_NODES) >= MOST_NODES:
        return None
    if claim.language not in (Language.LTL, Language.ENGLISH) or not isinstance(claim.content, temporal.Formula):
        return None
    beginnings = _Beginnings(claim.content, model, progress)
    low, high = 0, len(path.steps)
    try:
        if not beginnings.violates(path, high):
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if beginnings.violates(path, middle) else (middle + 1, high)
    except TooLargeError:
        return None
    return Path(path.start, path.steps[:high])


@final
class _Beginnings:
    """The first steps of runs of a model, held against a formula."""

    def __init__(self, formula: temporal.Formula, model: Model, progress: Progress) -> None:
        self._opposite = temporal.Not(formula)
        self._meaning = meaning_on(model, formula)
        self._origin = Origin(model.origin.relation, partial=model.origin.partial)
        self._progress = progress
        patterns = {node.pattern for node in operands_first(formula) if isinstance(node, temporal.Happens)}
        kinds: dict[tuple[bool, ...], str] = {}
        truths = [self._meaning.pattern(pattern) for pattern in sorted(patterns)]
        for number, label in enumerate(model.labels):
            kinds.setdefault(tuple(bool(s[number]) for truth in truths for s in (truth.must, truth.may)), label)
        self._labels = tuple(kinds.values())
        """Of the labels that the formula does not tell apart, one."""

    def violates(self, path: Path, count: int) -> bool:
        """Whether so many steps violate the formula: if the run ends there, and however it goes on."""
        steps = path.steps[:count]
        visited = np.array([path.start, *(step.target for step in steps)], dtype=np.int64)
        return not any(self._may_satisfy(steps, visited, more) for more in ((), self._labels))

    def _may_satisfy(
        self, steps: Sequence[Step], visited: np.ndarray[tuple[int], np.dtype[np.int64]], labels: Sequence[str]
    ) -> bool:
        """Whether a run may satisfy the formula that begins with these steps and goes on with any of these labels."""
        builder = ModelBuilder()
        for number, step in enumerate(steps):
            builder.add(number, step.action, number + 1, None)
        going, ended = len(visited), len(visited) + 1
        for label in labels:
            for source in (len(steps), going):
                builder.add(source, label, going, None)
                builder.add(source, label, ended, None)
        # What was not explored may have labels of its own.
        unknown = [len(steps), going] if self._origin.partial else []
        run = builder.build(len(visited) + 2, unexplored=unknown, origin=self._origin)

        def predicate(of: Predicate) -> Truth:
            known = self._meaning.predicate(of)
            nothing = [False, False], [True, True]
            return Truth(np.append(known.must[visited], nothing[0]), np.append(known.may[visited], nothing[1]))

        def pattern(text: str) -> Truth:
            return labels_meant(text, run)

        return Search(run, (), Meaning(predicate, pattern, open_states(run)), self._progress).is_violated(
            self._opposite
        )
