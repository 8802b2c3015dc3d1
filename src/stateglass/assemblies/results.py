"""Answers as they are stored in the annotations that asked for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stateglass.evidence import Answer, Path, Verdict
from stateglass.model import TAU

RESULT: Final = "result"
RUN: Final = "run"
STORED: Final = frozenset({RESULT, RUN})
"""The names of constants that say what became of the claim in front of them."""
MOST_EVENTS: Final = 24
_WORST_FIRST: Final = (Verdict.VIOLATED, Verdict.VACUOUS, Verdict.INCONCLUSIVE, Verdict.HOLDS)
assert set(_WORST_FIRST) == set(Verdict)


def results_of(answers: Iterable[tuple[str, Answer]]) -> dict[str, list[tuple[str, str]]]:
    """What is stored with each annotation, by its qualified name; of several instances the worst answer is."""
    found: dict[str, Answer] = {}
    for name, answer in answers:
        known = found.get(name)
        if name and (known is None or _WORST_FIRST.index(answer.verdict) < _WORST_FIRST.index(known.verdict)):
            found[name] = answer
    return {name: _constants(answer) for name, answer in found.items()}


def _constants(answer: Answer) -> list[tuple[str, str]]:
    reason = "" if answer.reason is None else f": {answer.reason.value}"
    found = [(RESULT, f"{answer.verdict.value}{reason}")]
    if answer.verdict is Verdict.VIOLATED and isinstance(answer.evidence, Path):
        events = [step.action for step in answer.evidence.steps if step.action != TAU]
        left = len(events) - MOST_EVENTS
        shown = events if left <= 0 else [*events[:MOST_EVENTS], f"… {left} more"]
        found.append((RUN, " ".join(shown)))
    return found
