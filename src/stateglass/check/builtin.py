"""The claims that need no formula: no error, deadlock, livelock or unreachable state; each with a shortest run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never, final

import numpy as np

from stateglass.check.positions import Positions
from stateglass.check.runs import Run, Runs
from stateglass.check.truth import open_states
from stateglass.check.verdicts import missing, support
from stateglass.evidence import Answer, Path, Reason, Support, Verdict
from stateglass.graphs.arrays import reached
from stateglass.logic.claims import BuiltIn
from stateglass.model import TAU, Model, Relation, is_error
from stateglass.model.model import Flags
from stateglass.source import Span, Topic, counted
from stateglass.work import Progress, silent

_MOST_LINES: Final = 8


def decide_builtin(
    claim: BuiltIn,
    model: Model,
    *,
    title: str = "",
    progress: Progress = silent,
    avoiding: frozenset[int] = frozenset(),
) -> Answer:
    """The answer to a built-in claim. Evidence goes through no state to be avoided, the initial one excepted."""
    progress("looking for states", states=model.states)
    question = _Question(title or claim.value, model, avoiding)
    match claim:
        case BuiltIn.NO_ERROR:
            return question.no_error()
        case BuiltIn.NO_DEADLOCK:
            return question.no_deadlock()
        case BuiltIn.NO_LIVELOCK:
            return question.no_livelock()
        case BuiltIn.NO_UNREACHABLE:
            return question.no_unreachable()
        case _:
            assert_never(claim)


def decide_lines(unreached: Sequence[Span], model: Model, *, title: str) -> Answer:
    """Whether the code has lines that no run comes to; of code, every state of the model is one that was reached."""
    abstract = model.origin.relation is Relation.OVER
    if not unreached:
        if abstract:
            words = "Every line can be reached in the abstraction, which may do more than the code."
            return Answer(title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, words)
        words = "Every line that a branch leads to, in the functions that may be called, can be reached."
        return Answer(title, Verdict.HOLDS, None, words, support(model))
    places = ", ".join(f"{span.file}:{span.line}" for span in unreached[:_MOST_LINES])
    more = f" and {len(unreached) - _MOST_LINES:,} more" if len(unreached) > _MOST_LINES else ""
    lines = f"{counted(len(unreached), 'line')}: {places}{more}"
    if model.partial:
        words = f"No run was found that comes to {lines}. {missing(model)}"
        return Answer(title, Verdict.INCONCLUSIVE, Reason.PARTIAL, words)
    return Answer(title, Verdict.VIOLATED, None, f"No run comes to {lines}.", Support(0, tuple(unreached)))


@final
class _Question:
    """A claim on a model, and what the answers to all of them need."""

    def __init__(self, title: str, model: Model, avoiding: frozenset[int]) -> None:
        self._title = title
        self._model = model
        self._positions = Positions(model)
        avoided = np.zeros(self._positions.states, dtype=np.bool_)
        avoided[list(avoiding)] = True
        avoided[model.initial] = False
        allowed = self._positions.existing(sure=False)
        self._everything = Runs(self._positions, allowed)
        if avoided.any():
            allowed = allowed & ~avoided[self._positions.sources] & ~avoided[self._positions.targets]
        self._allowed = allowed
        self._runs = Runs(self._positions, allowed)
        self._reached: Flags = reached(model.first, model.targets, model.initial)
        self._open = bool((open_states(model) & self._reached).any())
        self._abstract = model.origin.relation is Relation.OVER

    def no_error(self) -> Answer:
        wrong = np.array([is_error(label) for label in self._model.labels], dtype=np.bool_)
        bad = self._with_label(wrong)
        found = bad & self._reached_position()
        if not found.any():
            assumptions = self._model.origin.assumptions
            unseen = [a.text for a in assumptions if a.kind is Topic.LEFT_OUT]
            if unseen:
                return self._unknown(Reason.PARTIAL, f"No error is in the model, but {unseen[0]}: try --ub error.")
            narrowed = dict.fromkeys(f"; {a.text}" for a in assumptions if a.kind is Topic.ERRORS)
            return self._absent(f"No error can be reached{''.join(narrowed)}.", carries_over=True)
        path = self._through(bad)
        names = sorted(
            {self._model.labels[a] for a in np.unique(self._model.actions[found[: len(self._model.actions)]])}
        )
        return self._present(path, f"`{names[0]}` can be reached." if len(names) == 1 else _several(names))

    def no_deadlock(self) -> Answer:
        stuck: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        stuck[self._model.deadlocks] = True
        stuck[: self._model.states] &= self._reached & ~open_states(self._model)
        if not stuck.any():
            return self._absent("No deadlock can be reached.", carries_over=False)
        run = self._runs.to_goal(self._model.initial, self._allowed, stuck & ~self._avoided_states())
        path = None
        if run is not None:
            found = self._runs.path(self._model.initial, run)
            path = Path(found.start, found.steps, None, ends=True)
        count = int(stuck.sum())
        words = "A deadlock can be reached." if count == 1 else f"{counted(count, 'deadlock')} can be reached."
        return self._present(path, words)

    def no_livelock(self) -> Answer:
        quiet = self._with_label(np.array([label == TAU for label in self._model.labels], dtype=np.bool_))
        cyclic = self._everything.met_again(quiet)
        cyclic[: self._model.states] &= self._reached
        if not cyclic.any():
            return self._absent("No livelock can be reached: silent steps always end.", carries_over=False)
        path = None
        stem = self._runs.to_goal(self._model.initial, self._allowed, self._runs.met_again(quiet))
        if stem is not None:
            last = stem.positions[-1] if stem.positions else None
            entry = self._model.initial if last is None else int(self._positions.targets[last])
            loop = self._runs.for_ever(entry, quiet)
            assert loop is not None and loop.loop == 0
            path = self._runs.path(self._model.initial, Run(stem.positions + loop.positions, len(stem.positions)))
        return self._present(path, "Silent steps can go on for ever.")

    def no_unreachable(self) -> Answer:
        apart = ~self._reached
        if not apart.any():
            if self._abstract:
                return self._unknown(Reason.ABSTRACTION, "All states of the abstraction can be reached there.")
            words = "Every state can be reached."
            if self._model.origin.files:
                # All states of such a model are there because they were reached.
                words += (
                    " That says nothing of lines: those that are never run are told where the code itself is checked."
                )
            return Answer(self._title, Verdict.HOLDS, None, words, support(self._model))
        if self._open:
            return self._unknown(Reason.PARTIAL, missing(self._model))
        states = np.flatnonzero(apart)
        if len(states) == 1:
            words = f"State {states[0]} cannot be reached."
        else:
            shown = ", ".join(map(str, states[:5].tolist())) + (", …" if len(states) > 5 else "")
            words = f"{counted(len(states), 'state')} cannot be reached: {shown}."
        return Answer(self._title, Verdict.VIOLATED, None, words, support(self._model, apart))

    def _reached_position(self) -> Flags:
        flags: Flags = np.zeros(self._positions.count, dtype=np.bool_)
        flags[: self._model.transitions] = self._reached[self._model.sources]
        return flags

    def _avoided_states(self) -> Flags:
        """States that no allowed position touches cannot be shown."""
        flags: Flags = np.ones(self._positions.states, dtype=np.bool_)
        flags[self._positions.sources[self._allowed]] = False
        flags[self._positions.targets[self._allowed]] = False
        flags[self._model.initial] = False
        return flags

    def _with_label(self, labels: Flags) -> Flags:
        found: Flags = np.zeros(self._positions.count, dtype=np.bool_)
        if len(labels):
            found[: self._model.transitions] = labels[self._model.actions]
        return found

    def _through(self, bad: Flags) -> Path | None:
        """A shortest run whose last step is one of these."""
        goal: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        goal[self._positions.sources[bad & self._allowed]] = True
        run = self._runs.to_goal(self._model.initial, self._allowed, goal)
        if run is None:
            return None
        state = int(self._positions.targets[run.positions[-1]]) if run.positions else self._model.initial
        last = next(p for p in self._runs.leaving(state).tolist() if bad[p])
        return self._runs.path(self._model.initial, Run((*run.positions, last)))

    def _absent(self, words: str, *, carries_over: bool) -> Answer:
        if self._open:
            return self._unknown(Reason.PARTIAL, f"{words[:-1]} as far as is known. {missing(self._model)}")
        if self._abstract and not carries_over:
            return self._unknown(Reason.ABSTRACTION, f"{words[:-1]} in the abstraction; the code may differ.")
        return Answer(self._title, Verdict.HOLDS, None, words, support(self._model))

    def _present(self, path: Path | None, words: str) -> Answer:
        if self._abstract:
            words = f"{words[:-1]} in the abstraction, which may do more than the code."
            return Answer(self._title, Verdict.INCONCLUSIVE, Reason.ABSTRACTION, words, path)
        return Answer(self._title, Verdict.VIOLATED, None, words, path)

    def _unknown(self, reason: Reason, words: str) -> Answer:
        return Answer(self._title, Verdict.INCONCLUSIVE, reason, words)


def _several(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:5]) + (", …" if len(names) > 5 else "")
    return f"{counted(len(names), 'kind')} of error can be reached: {shown}."
