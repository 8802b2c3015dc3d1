"""Claims on models of all that threads can do, which are put together block by block with what the claim sees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from stateglass.check.deciding import decide
from stateglass.check.events import matcher
from stateglass.evidence import Answer, Path, Support, Verdict
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.logic.predicates import Applied, Named, Predicate
from stateglass.logic.unrolling import parts_first
from stateglass.model import Model, is_error
from stateglass.unbounded.threads.composing import Composition
from stateglass.unbounded.threads.explicit import Ready
from stateglass.unbounded.threads.joining import Interest, Shelf
from stateglass.unbounded.threads.meeting import in_this_order
from stateglass.unbounded.threads.wholes import whole_of
from stateglass.work import Progress


@final
@dataclass(frozen=True)
class Stepped:
    """An answer, the largest model on the way to it, and the run that violates the claim, alone."""

    answer: Answer
    largest: Model
    run: Composition | None = None


def interest_of(claim: Claim) -> Interest | None:
    """What a claim sees of threads; None if it may depend on more than its words."""
    if claim.fairness:
        return None
    match claim.content:
        case BuiltIn.NO_DEADLOCK:
            return Interest(_nothing, _nothing)
        case BuiltIn.NO_ERROR:
            return Interest(is_error, _nothing)
        case BuiltIn():
            return None
        case content if isinstance(content, temporal.Formula):
            nodes = parts_first(content, temporal.parts)
            if any(isinstance(node, temporal.Next | temporal.Turns) for node in nodes):
                return None
            patterns = [matcher(node.pattern) for node in nodes if isinstance(node, temporal.Happens)]
            names = {name for node in nodes if isinstance(node, temporal.Holds) for name in _names(node.predicate)}
            return Interest(lambda label: any(matches(label) for matches in patterns), lambda name: name in names)
        case _:
            return None


def decided_by_steps(claim: Claim, ready: Ready, shelf: Shelf, most_states: int, progress: Progress) -> Stepped | None:
    """The answer to a claim; None if it is about more than can be left, or there are too many states."""
    interest = interest_of(claim)
    if interest is None:
        return None
    whole = whole_of(ready.team, interest, most_states, progress, ready.aliases, shelf=shelf)
    if whole is None:
        return None
    answer = decide(claim, whole.model, progress=progress)
    if isinstance(answer.evidence, Support):
        answer = replace(answer, evidence=Support(whole.largest.states, answer.evidence.spans))
    if not isinstance(answer.evidence, Path):
        return Stepped(answer, whole.largest)
    run = in_this_order(ready.team, whole.taken(answer.evidence), ready.aliases)
    found = decide(claim, run.model, progress=progress)
    if found.verdict is not answer.verdict or not isinstance(found.evidence, Path):
        return None
    if answer.verdict is not Verdict.VIOLATED:
        found = replace(found, explanation=answer.explanation)
    return Stepped(found, whole.largest, run)


def _names(predicate: Predicate) -> list[str]:
    nodes = parts_first(predicate, lambda node: node.operands if isinstance(node, Applied) else ())
    return [node.name for node in nodes if isinstance(node, Named)]


def _nothing(name: str) -> bool:
    return False
