"""A hypothesis from a state diagram and a file that says what its names mean in the code."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.model.chart import Arrow, Chart, ChartState
from stateglass.program.tokens import misfits
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim
from stateglass.reflexion.validation import problems_of, shown
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, Words, suggestion

# `event [guard]`: the bracket is not that of an element (`x[3]`), which no blank stands in front of.
_GUARDED: Final = re.compile(r"(?:(?P<event>.*\S)\s+)?\[(?P<guard>.*)\]", re.DOTALL)
_SILENT: Final = ("", "tau", "τ")


@final
@dataclass(frozen=True, slots=True)
class Drawn:
    """A hypothesis that was drawn, with warnings about what is not part of it.

    With problems it is what could be understood, good for asking the code about it.
    """

    hypothesis: Hypothesis
    warnings: tuple[Diagnostic, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def hypothesis_of(chart: Chart, mapping: Hypothesis) -> Drawn:
    """What a diagram says with the words of a mapping; everything wrong with both is one `InputError`."""
    drawn = read_drawn(chart, mapping)
    if drawn.problems:
        raise InputError(drawn.problems)
    return drawn


def read_drawn(chart: Chart, mapping: Hypothesis, *, is_whole: bool = True) -> Drawn:
    """The hypothesis of a diagram and a mapping, with what is wrong with them.

    If the mapping could not be read as a whole, nothing is reported as missing.
    """
    reading = _Reading(chart, mapping)
    problems = [*reading.problems]
    if not problems and is_whole:
        problems += problems_of(reading.hypothesis)
    return Drawn(reading.hypothesis, reading.warnings(), tuple(sorted(problems, key=lambda d: d.span)))


@final
class _Reading:
    """Puts a diagram and a mapping together."""

    def __init__(self, chart: Chart, mapping: Hypothesis) -> None:
        self.problems: list[Diagnostic] = []
        self._chart = chart
        self._mapping = mapping
        self._words = {let.name for let in mapping.lets}
        self._actions: Counter[str] = Counter()
        self._names = self._called()
        states = tuple(self._state(s) for s in chart.states)
        self.hypothesis = replace(mapping, states=states, transitions=self._transitions(), inner_first=True)

    def warnings(self) -> tuple[Diagnostic, ...]:
        left_out = list(self._chart.left_out)
        left_out += [f"the action {shown(text)}" for text in self._actions]
        if not left_out:
            return ()
        message = f"not part of the hypothesis: {', '.join(left_out)}"
        return (Diagnostic(Code.MACHINE, message, Span.at(self._chart.file), Severity.WARNING),)

    # ---- states

    def _called(self) -> dict[str, str]:
        """The name of each state: the diagram's, or what is written in it if the mapping has it so."""
        ids = {s.name for s in self._chart.states}
        texts = Counter(s.text for s in self._chart.states)
        names = {s.name: s.name for s in self._chart.states}
        meant = self._mapping.by_name
        for state in self._chart.states:
            if state.text in meant and state.text not in ids and texts[state.text] == 1 and state.name not in meant:
                names[state.name] = state.text
        known = set(names.values())
        for claim in self._mapping.states:
            if claim.name not in known:
                message = f"the diagram has no state {shown(claim.name)}"
                help = suggestion(claim.name, known)
                self.problems.append(Diagnostic(Code.UNKNOWN_NAME, message, claim.span, help=help))
        return names

    def _state(self, state: ChartState) -> StateClaim:
        name = self._names[state.name]
        parent = self._names[state.parent] if state.parent is not None else None
        span = Span.at(self._chart.file, state.line)
        meant = self._mapping.by_name.get(name)
        if meant is None:
            return StateClaim(name, None, parent, state.initial, span)
        if meant.parent is not None and meant.parent != parent:
            inside = "inside no other" if parent is None else f"inside {shown(parent)}"
            self._problem(f"in the diagram {shown(name)} is {inside}", meant.span)
        if meant.initial and not state.initial and any(s.initial for s in self._chart.states):
            self._problem(f"in the diagram {shown(name)} is not an initial state", meant.span)
        return StateClaim(name, meant.condition, parent, state.initial or meant.initial, meant.span)

    # ---- transitions

    def _transitions(self) -> tuple[TransitionClaim, ...]:
        leaving = Counter(arrow.source for arrow in self._chart.arrows)
        order: Counter[str] = Counter()
        found: list[TransitionClaim] = []
        for arrow in self._chart.arrows:
            order[arrow.source] += 1
            priority = order[arrow.source] if self._chart.in_order and leaving[arrow.source] > 1 else None
            span = Span.at(self._chart.file, arrow.line)
            source, target = self._names[arrow.source], self._names[arrow.target]
            found.append(TransitionClaim(source, target, self._condition(arrow, span), priority, span))
        return tuple(found)

    def _condition(self, arrow: Arrow, span: Span) -> Words | None:
        """When an arrow is followed: `event [guard] / action`, each part but the action a condition in C."""
        text = self._without_action(arrow.text.strip())
        parts = [text]
        if guarded := _GUARDED.fullmatch(text):
            parts = [part for part in (guarded["event"], guarded["guard"]) if part and part.strip()]
        parts = [part.strip() for part in parts if part.strip() not in _SILENT]
        wrong = [(part, misfit) for part in parts for misfit in misfits(part)]
        for part, misfit in wrong:
            self._problem(f"in {shown(part)}: {misfit.message}", span, misfit.help)
        if not parts or wrong:
            return None
        return Words(parts[0] if len(parts) == 1 else " && ".join(f"({part})" for part in parts), span)

    def _without_action(self, text: str) -> str:
        """The part before `/`, unless that divides: an action follows a guard, a word of the mapping, or nothing."""
        for match in re.finditer("/", text):
            before = text[: match.start()].strip()
            if not before or before in self._words or _GUARDED.fullmatch(before):
                action = text[match.end() :].strip()
                if action:
                    self._actions[action] += 1
                return before
        return text

    def _problem(self, message: str, span: Span, help: str = "") -> None:
        self.problems.append(Diagnostic(Code.MACHINE, message, span, help=help))
