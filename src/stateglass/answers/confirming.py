"""Evidence is followed again before it is shown: on the model, and on the reference semantics where there is code.

An abstraction can do more than the code. A run that it violates a claim with is looked for among the exact runs of the
code, and the claim is decided anew on the one that is found: what is violated by a run of the code is violated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from stateglass.answers.prefixes import shortened, violating_beginning
from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Graph, Path, Reason, Step, Support, Verdict, problem_of, told
from stateglass.explore import Manner
from stateglass.explore.stepwise import (
    EXACTLY,
    Failure,
    Fitting,
    Retracing,
    Run,
    Wanted,
    WantedNode,
    follow_graph,
    goes_on,
)
from stateglass.logic.claims import Claim
from stateglass.model import Model, Relation, parsed
from stateglass.source import InputError, Span, counted
from stateglass.system import System
from stateglass.system.concrete import MOST_VALUES, concretised, numbers_in
from stateglass.values.abstract.texts import is_vague, may_be_one_of
from stateglass.work import OutOfTime, Progress


@final
@dataclass(frozen=True, slots=True)
class Explored:
    """What was explored, and how: enough to follow a run again."""

    system: System
    manner: Manner
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
    code: Explored | None = None  # the code whose run the evidence is, if it is one of the model, too


def confirmed(claim: Claim, answer: Answer, model: Model, code: Explored | None, progress: Progress) -> Checked:
    """The answer with evidence that was followed again, or a more careful one."""
    evidence = answer.evidence
    if evidence is None or isinstance(evidence, Support):
        return Checked(claim, answer, model)
    problem = problem_of(evidence, model)
    assert not problem, f"the evidence for `{claim.title}` is no run of the model: {problem}"
    answer = replace(answer, evidence=told(evidence, model), confirmed_by=("model",))
    if code is None:
        return Checked(claim, answer, model)
    progress("following the evidence again")
    if model.origin.relation is Relation.OVER:
        return _among_exact_runs(claim, answer, model, code, progress)
    return Checked(claim, _followed(answer, evidence, model, code), model, code=code)


def lines_run(answer: Answer, model: Model, code: Explored | None) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The files and lines that each step of a run of the code executes; empty if there is none, or no time."""
    path = answer.evidence
    if not isinstance(path, Path) or code is None or code.system.abstractions is not None:
        return ()
    retracing = Retracing(code.system, code.manner, noting=True)
    found = retracing.follow(wanted(path, model), EXACTLY)
    if isinstance(found, Failure):
        return ()
    try:
        return tuple(retracing.lines(taken) for taken in found.taken[: len(path.steps)])
    except OutOfTime:
        return ()


def wanted(path: Path, model: Model) -> Wanted:
    """A run of a model as one to be followed."""
    steps = tuple((step.action, model.valuation(step.target)) for step in path.steps)
    return Wanted(steps, model.valuation(path.start), path.loop_start, path.ends)


def _followed(answer: Answer, evidence: Path | Graph, model: Model, code: Explored) -> Answer:
    retracing = Retracing(code.system, code.manner)
    found = (
        retracing.follow(wanted(evidence, model), EXACTLY)
        if isinstance(evidence, Path)
        else follow_graph(retracing, _wanted_nodes(evidence, model))
    )
    if isinstance(found, Failure):
        # That the model and the semantics it was made by differ is a mistake of ours; nothing is claimed then.
        why = f"its evidence could not be executed again: after {counted(found.followed, 'step')}, {found.reason}"
        reason = Reason.UNSUPPORTED if found.is_sure else Reason.TIMEOUT
        return replace(answer, verdict=Verdict.INCONCLUSIVE, reason=reason, explanation=why)
    return replace(answer, confirmed_by=("reference",))


def _among_exact_runs(claim: Claim, answer: Answer, model: Model, code: Explored, progress: Progress) -> Checked:
    """A violation by a run of the code instead of one of the abstraction, if there is one to be found."""
    path = answer.evidence
    if not isinstance(path, Path) or answer.reason is not Reason.ABSTRACTION:
        return Checked(claim, answer, model)
    exact = concretised(code.system, numbers_in([claim.text])[:MOST_VALUES])
    # What an abstraction passes over may be what the code has to do.
    retracing = Retracing(exact, replace(code.manner, compress=False))
    # A run that is to be repeated for ever need not be there where its beginning is, which may be enough.
    beginning = violating_beginning(claim, path, model, progress)
    found: Run | Failure | None = None
    for along in (path,) if beginning is None else (beginning, path):
        found = retracing.follow(wanted(along, model), Fitting(_may_be, _may_hold, between=True))
        if isinstance(found, Run):
            again, run = decided_on(claim, found, retracing, model, progress)
            if again.verdict is Verdict.VIOLATED:
                return Checked(claim, replace(again, explanation=again.explanation or answer.explanation), run)
    is_sampled = replace(exact, abstractions=code.system.abstractions) != code.system
    text = f"{answer.explanation} {_not_found(found, is_sampled=is_sampled)}".strip()
    return Checked(claim, replace(answer, explanation=text), model)


def decided_on(
    claim: Claim, found: Run, retracing: Retracing, model: Model, progress: Progress
) -> tuple[Answer, Model]:
    """The answer for a run of the code alone, and the run as a model."""
    run = _with_labels_of(model, retracing.model(found))
    try:
        answer = shortened(claim, decide(claim, run, progress=progress), run, progress)
    except InputError:
        # The claim was read on the abstraction: it is right, and speaks of values that this run does not have.
        return Answer(claim.title, Verdict.INCONCLUSIVE), run
    if answer.verdict is not Verdict.VIOLATED:
        whole = violating_beginning(claim, _as_path(found, run), run, progress)
        if whole is not None:
            answer = Answer(answer.claim, Verdict.VIOLATED, evidence=whole)
    if not isinstance(answer.evidence, Path):
        return replace(answer, verdict=Verdict.INCONCLUSIVE), run
    if retracing.leaves_out and found.loop_start is None and not goes_on(retracing, found.states[-1]):
        return Answer(claim.title, Verdict.INCONCLUSIVE), run  # it may be dropped
    assert not problem_of(answer.evidence, run)
    return replace(answer, evidence=told(answer.evidence, run), confirmed_by=("reference",)), run


def _as_path(found: Run, run: Model) -> Path:
    """A run of the code as one of the model that is made of it."""
    numbers = found.numbers()
    steps = tuple(Step(numbers[t.source], numbers[t.step.state], t.step.action) for t in found.taken)
    return Path(run.initial, steps, found.loop_start)


def _not_found(found: Run | Failure | None, *, is_sampled: bool) -> str:
    """What the search for a run of the code came to, in a sentence."""
    if isinstance(found, Failure) and found.is_sure and not is_sampled:
        return "The code has no run along this one; it may have others that violate the claim."
    tried = f"at most {MOST_VALUES} values of each input that may be anything were tried" if is_sampled else ""
    cut = found.reason if isinstance(found, Failure) and not found.is_sure else ""
    why = " and ".join(part for part in (tried, cut) if part)
    return "No exact run along this one was found that violates it" + (f": {why}." if why else ".")


def _with_labels_of(model: Model, run: Model) -> Model:
    """A run as a model that knows the events which do not happen in it, too."""
    return replace(run, labels=(*run.labels, *(label for label in model.labels if label not in run.labels)))


def _wanted_nodes(graph: Graph, model: Model) -> list[WantedNode]:
    return [WantedNode(model.valuation(n.state), tuple((s.action, to) for s, to in n.steps)) for n in graph.nodes]


def _may_be(label: str, action: str) -> bool:
    """Whether an action of the code may be what a label of the abstraction stands for."""
    if label == action:
        return True
    one, two = parsed(label), parsed(action)
    if one.head != two.head or len(one.inside) != len(two.inside):
        return False
    return all(a == b or _contains(a, b) for a, b in zip(one.inside, two.inside, strict=True))


def _may_hold(sets: Mapping[str, str], values: Mapping[str, str]) -> bool:
    """Whether exact values may be among abstract ones, as far as both are known."""
    return all(
        name not in values or text == values[name] or "?" in (text, values[name]) or _contains(text, values[name])
        for name, text in sets.items()
    )


def _contains(text: str, value: str) -> bool:
    return is_vague(text) and may_be_one_of(text, value)
