"""From two versions of a behaviour to what changed between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from stateglass.evidence import Became, Change, ChangeGraph, Difference, Distinction, Kept, Met, Step, Version
from stateglass.evolution import changes as evolution
from stateglass.evolution.effects import Effect
from stateglass.evolution.expectations.applying import Applied, apply
from stateglass.evolution.expectations.following import following
from stateglass.evolution.expectations.language import ChangedClaim, Expectation
from stateglass.evolution.graph import change_graph
from stateglass.evolution.observation import Observed, is_told_by_values, observe
from stateglass.evolution.outcomes import Became as Outcome
from stateglass.evolution.pairing import Refusal
from stateglass.evolution.showing import run_to
from stateglass.evolution.structure import Kind, structure
from stateglass.evolution.structure_graph import structure_graph
from stateglass.evolution.telling import changes
from stateglass.model import TAU, Model
from stateglass.operations.comparing import MOST_CASES, NAMES_OF_RELATIONS, Comparison, Side, compare_models
from stateglass.reduce import Equivalence
from stateglass.relate import reachable
from stateglass.source import Code, input_error
from stateglass.work import Progress, silent

EQUIVALENCES: Final = tuple(by.value for by in Equivalence if by.value in NAMES_OF_RELATIONS)
DEFAULT_RELATION: Final = "dpbranching"
"""What code does in one go may be done in other steps, but must not go on for ever instead."""
SECONDS_TO_EXPLAIN: Final = 3.0
"""For a run that tells the sides apart; what changed is found by other means."""
MOST_BEFORE: Final = 4
"""So many actions are told where they have to stand for a condition."""
BY_RUNS: Final = (
    "states are not told apart by the values that count: what is listed changed after runs that both sides have, and "
    "what comes after a change is not listed"
)
_VERSIONS: Final = {Side.FIRST: Version.OLD, Side.SECOND: Version.NEW}

_UNSEEN: Final = "?"
_BECAME: Final = {
    Outcome.POSSIBLE: Became.APPEARED,
    Outcome.GAINED: Became.APPEARED,
    Outcome.IMPOSSIBLE: Became.VANISHED,
    Outcome.LOST: Became.VANISHED,
    Outcome.MOVED: Became.MOVED,
}
assert set(_BECAME) == set(Outcome)


def differ(
    old: Model,
    new: Model,
    by: str = DEFAULT_RELATION,
    keep: Sequence[str] | None = None,
    expectations: Sequence[Expectation] = (),
    names: tuple[str, str] = ("the old side", "the new side"),
    progress: Progress = silent,
) -> Difference:
    """From two models to what changed, but for what was declared."""
    # Declared changes are made on both sides, or left out of both.
    old, new = reachable(old), reachable(new)
    applied = apply(expectations, old, new)
    # What nobody outside could tell apart is left out.
    observed = observe(applied.old, applied.new, keep)
    # The relation decides whether anything changed at all.
    found = _compared(observed, by, names, progress)
    rest = following(applied, observed) if found.related else None
    if rest is not None and len(rest.pairs[0]):
        # What comes after declared changes may have changed, too.
        again = compare_models(*rest.started, by, observed.compared, names, MOST_CASES, progress, SECONDS_TO_EXPLAIN)
        if not again.related:
            observed, found = rest.observed, replace(again, trace=None)
    expected = _met(expectations, applied, found, old, new, by, keep, progress)
    difference = Difference(
        found.related,
        by,
        found.reason,
        observed.compared,
        distinction=_distinction(found),
        labels=_only(_labels(observed.old), _labels(observed.new)),
        variables=(observed.only_new, observed.only_old),
        scope="" if rest is None else rest.left_out,
        structure=_kept(applied.old, applied.new),
        expectations=expected,
        interrupted=found.interrupted,
    )
    if found.related is not False or found.interrupted:
        return difference
    # If so, every change is described by its action and the values before it.
    try:
        progress("describing what changed")
        return _described(observed, difference)
    except KeyboardInterrupt:
        return replace(difference, without_changes="this was interrupted", interrupted=True)


def _kept(old: Model, new: Model) -> Kept | None:
    """How much of the old version is left in the new one, step by step."""
    both = structure(old, new)
    if isinstance(both, Refusal):
        return None
    counts = both.counts()
    return Kept(both.states, counts[Kind.PRESERVED], counts[Kind.IMPOSED], counts[Kind.DELETED])


def graph_of(
    old: Model, new: Model, keep: Sequence[str] | None = None, expectations: Sequence[Expectation] = ()
) -> ChangeGraph:
    """From two models to one graph of what was kept, what is new and what is gone, for a picture."""
    applied = apply(expectations, old, new)
    observed = observe(applied.old, applied.new, keep)
    return change_graph(observed.old, observed.new)


def graph_of_versions(old: Model, new: Model, expectations: Sequence[Expectation] = ()) -> ChangeGraph:
    """The same with every version of a state by itself, also of those that differ in what only one side has."""
    applied = apply(expectations, old, new)
    both = structure(reachable(applied.old), reachable(applied.new))
    if isinstance(both, Refusal):
        raise input_error(Code.PICTURE, f"there is no picture of all versions: {both.reason}")
    return structure_graph(both)


def _described(observed: Observed, difference: Difference) -> Difference:
    """The difference with what changed, and which states are new or gone; or with why that cannot be said."""
    # States that look alike and are not may only be compared after the same run.
    by_runs = not all(map(is_told_by_values, (observed.old, observed.new)))
    found = changes(observed.old, observed.new, by_runs=by_runs)
    if isinstance(found, Refusal):
        return replace(difference, without_changes=found.reason)
    told = (*(_told_start(effect) for effect in found.initial), *(_told(change, observed) for change in found.steps))
    states = () if by_runs else found.lines[len(told) :]
    return replace(difference, changes=told, states=states, scope=BY_RUNS if by_runs and told else difference.scope)


def _told_start(effect: Effect) -> Change:
    text = f"it starts with {effect.text}"
    before, after = _assigned((effect,))
    return Change(Became.MOVED, "start", "", True, before, after, text, 1)


def _told(change: evolution.Change, observed: Observed) -> Change:
    change = _without_unseen(change)
    became = _BECAME[change.became]
    of, example = (Version.OLD if became is Became.VANISHED else Version.NEW), change.example
    model = observed.whole[0 if of is Version.OLD else 1]
    ends = (example.old_source, example.old_target) if of is Version.OLD else (example.new_source, example.new_target)
    before, after = _assigned(change.effects)
    run = run_to(model, ends[0], example.label, ends[1])
    condition = change.condition
    text = change.text if condition.exact else change.text + _such_as(run, example.label)
    return Change(became, change.action, condition.text, condition.exact, before, after, text, change.count, run, of)


def _such_as(run: Sequence[Step], label: str) -> str:
    """Where a change can be seen, if values do not tell: what has been done before."""
    done = [step.action for step in run]
    if label not in done:
        return ""
    # What follows the call itself is the change, not the way to it.
    before = done[: len(done) - 1 - done[::-1].index(label)]
    if not before:
        return ", such as the first one"
    shown = ", ".join(f"`{action}`" for action in before[-MOST_BEFORE:])
    return f", such as after {'…, ' if len(before) > MOST_BEFORE else ''}{shown}"


def _without_unseen(change: evolution.Change) -> evolution.Change:
    """A change without values that nobody sees any more: those after an error."""
    seen = tuple(effect for effect in change.effects if _UNSEEN not in (effect.old, effect.new))
    if len(seen) == len(change.effects):
        return change
    leading, *others = change.phrases
    verb = leading.partition(" to ")[0]
    phrases = [f"{verb} to {' and '.join(effect.text for effect in seen)}"] if seen else []
    return replace(change, effects=seen, phrases=(*phrases, *others))


def _assigned(effects: Sequence[Effect]) -> tuple[str, str]:
    """The values that the old side leads to, and the new side."""
    before = [f"{effect.name} == {effect.old}" for effect in effects if effect.old is not None]
    after = [f"{effect.name} == {effect.new}" for effect in effects if effect.new is not None]
    return ", ".join(before), ", ".join(after)


def _compared(observed: Observed, by: str, names: tuple[str, str], progress: Progress) -> Comparison:
    return compare_models(
        observed.old, observed.new, by, observed.compared, names, MOST_CASES, progress, SECONDS_TO_EXPLAIN
    )


def _met(
    expectations: Sequence[Expectation],
    applied: Applied,
    found: Comparison,
    old: Model,
    new: Model,
    by: str,
    keep: Sequence[str] | None,
    progress: Progress,
) -> tuple[Met, ...]:
    """What was declared, each with why it did not come true. Whoever knows the claims answers those about them."""
    result: list[Met] = []
    for number, expectation in enumerate(expectations):
        unmet = applied.unmet[number]
        if not unmet and found.related and not isinstance(expectation, ChangedClaim):
            # It came true if it is needed: without it, there would be a difference.
            others = [*expectations[:number], *expectations[number + 1 :]]
            without = apply(others, old, new)
            if _compared(observe(without.old, without.new, keep), by, ("", ""), progress).related:
                unmet = "both sides behave alike without it"
        span = expectation.span
        result.append(Met(str(expectation), unmet, span.file, span.line))
    return tuple(result)


def _distinction(found: Comparison) -> Distinction | None:
    trace = found.trace
    if trace is None:
        return None
    ending = trace.ending
    if trace.refused is not None:
        ending = "nothing more need happen: " + ", ".join(trace.refused) + " can be refused" if trace.refused else ""
    return Distinction(_VERSIONS[trace.of], trace.labels, ending)


def _labels(model: Model) -> list[str]:
    """The labels that steps have, in the order of the table."""
    used = set(model.actions.tolist())
    return [label for number, label in enumerate(model.labels) if number in used and label != TAU]


def _only(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    before, after = set(old), set(new)
    return tuple(n for n in new if n not in before), tuple(n for n in old if n not in after)
