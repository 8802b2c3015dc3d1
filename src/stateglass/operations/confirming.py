"""Evidence is followed again before it is shown: on the model, and on the reference semantics where there is code.

An abstraction can do more than the code. A run that it violates a claim with is looked for among the exact runs of the
code, and the claim is decided anew on the one that is found: what is violated by a run of the code is violated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Graph, Path, Reason, Step, Support, Verdict, problem_of, told
from stateglass.explore.retracing import EXACTLY, Failure, Fitting, Retracing, Run, Wanted
from stateglass.logic.claims import Claim
from stateglass.model import Model, Relation
from stateglass.operations.concrete import concretised
from stateglass.operations.prefixes import shortened
from stateglass.reduce.progress import Progress
from stateglass.replay.arguments import split_arguments
from stateglass.replay.vague_values import is_vague, may_be_one_of
from stateglass.source import Span, counted
from stateglass.system import System

MOST_WALKS: Final = 100
"""Of a graph, so many runs are followed again."""


@final
@dataclass(frozen=True, slots=True)
class Code:
    """What was explored, and how: enough to follow a run again."""

    system: System
    max_depth: int
    timeout: float
    every_step: bool = False
    compress: bool = False
    watch: frozenset[str] = frozenset()
    unreached: tuple[Span, ...] | None = None  # lines that were never run, if a claim asks for them


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """A claim with its answer, and the model that the states of its evidence belong to."""

    claim: Claim
    answer: Answer
    model: Model
    watch: frozenset[str] = frozenset()  # variables of the code whose every value is seen
    asked: Model | None = None  # the model that was asked, if the evidence belongs to another one


def confirmed(claim: Claim, answer: Answer, model: Model, code: Code | None, progress: Progress) -> Checked:
    """The answer with evidence that was followed again, or a more careful one."""
    evidence = answer.evidence
    if evidence is None or isinstance(evidence, Support):
        return Checked(claim, answer, model)
    for walk in _walks(evidence):
        problem = problem_of(walk, model)
        assert not problem, f"the evidence for `{claim.title}` is no run of the model: {problem}"
    answer = replace(answer, evidence=told(evidence, model), confirmed_by=("model",))
    if code is None:
        return Checked(claim, answer, model)
    progress("following the evidence again")
    if model.origin.relation is Relation.OVER:
        return _among_exact_runs(claim, answer, model, code, progress)
    return Checked(claim, _followed(answer, evidence, model, code), model)


def wanted(path: Path, model: Model) -> Wanted:
    """A run of a model as one to be followed."""
    steps = tuple((step.action, model.valuation(step.target)) for step in path.steps)
    return Wanted(steps, model.valuation(path.start), path.loop_start, path.ends)


def _followed(answer: Answer, evidence: Path | Graph, model: Model, code: Code) -> Answer:
    retracing = Retracing(
        code.system,
        code.max_depth,
        every_step=code.every_step,
        compress=code.compress,
        watch=code.watch,
        out_of_time=_clock(code.timeout),
    )
    for walk in _walks(evidence):
        found = retracing.follow(wanted(walk, model), EXACTLY)
        if isinstance(found, Failure):
            # That the model and the semantics it was made by differ is a mistake of ours; nothing is claimed then.
            why = f"its evidence could not be executed again: after {counted(found.followed, 'step')}, {found.reason}"
            return replace(answer, verdict=Verdict.INCONCLUSIVE, reason=Reason.UNSUPPORTED, explanation=why)
    return replace(answer, confirmed_by=("reference",))


def _among_exact_runs(claim: Claim, answer: Answer, model: Model, code: Code, progress: Progress) -> Checked:
    """A violation by a run of the code instead of one of the abstraction, if there is one to be found."""
    path = answer.evidence
    if not isinstance(path, Path) or answer.reason is not Reason.ABSTRACTION:
        return Checked(claim, answer, model)
    exact = concretised(code.system)
    in_time = _clock(code.timeout)
    retracing = Retracing(exact, code.max_depth, every_step=code.every_step, watch=code.watch, out_of_time=in_time)
    found = retracing.follow(wanted(path, model), Fitting(_may_be, _may_hold, between=True))
    if isinstance(found, Run):
        run = _with_labels_of(model, retracing.model(found))
        again = shortened(claim, decide(claim, run, progress=progress), run, progress)
        if again.verdict is Verdict.VIOLATED and isinstance(again.evidence, Path):
            assert not problem_of(again.evidence, run)
            text = again.explanation or answer.explanation
            return Checked(
                claim,
                replace(again, explanation=text, evidence=told(again.evidence, run), confirmed_by=("reference",)),
                run,
            )
    return Checked(claim, answer, model)


def _with_labels_of(model: Model, run: Model) -> Model:
    """A run as a model that knows the events which do not happen in it, too."""
    return replace(run, labels=(*run.labels, *(label for label in model.labels if label not in run.labels)))


def _walks(evidence: Path | Graph) -> Iterator[Path]:
    """The runs that evidence consists of: of a graph, one along each step, as far as there are not too many."""
    if isinstance(evidence, Path):
        yield evidence
        return
    before: dict[int, tuple[Step, ...]] = {0: ()}
    order, number = [0], 0
    walks = 0
    while number < len(order) and walks < MOST_WALKS:
        node = order[number]
        number += 1
        fresh = False
        for step, to in evidence.nodes[node].steps:
            taken = (*before[node], step) if step.action else before[node]
            if to not in before:
                before[to] = taken
                order.append(to)
                fresh = True
            else:
                walks += 1
                yield Path(evidence.nodes[0].state, taken)
        if not fresh and before[node]:
            walks += 1
            yield Path(evidence.nodes[0].state, before[node])


def _may_be(label: str, action: str) -> bool:
    """Whether an action of the code may be what a label of the abstraction stands for."""
    if label == action:
        return True
    name, opened, rest = label.partition("(")
    other, _, others = action.partition("(")
    if not opened or name != other or not rest.endswith(")") or not others.endswith(")"):
        return False
    one, two = split_arguments(rest[:-1]), split_arguments(others[:-1])
    if len(one) != len(two):
        return False
    return all(a == b or _contains(a, b) for a, b in zip(one, two, strict=True))


def _may_hold(sets: Mapping[str, str], values: Mapping[str, str]) -> bool:
    """Whether exact values may be among abstract ones, as far as both are known."""
    return all(
        name not in values or text == values[name] or "?" in (text, values[name]) or _contains(text, values[name])
        for name, text in sets.items()
    )


def _contains(text: str, value: str) -> bool:
    return is_vague(text) and may_be_one_of(text, value)


def _clock(seconds: float) -> Callable[[], bool]:
    start = time.monotonic()
    return lambda: time.monotonic() - start > seconds
