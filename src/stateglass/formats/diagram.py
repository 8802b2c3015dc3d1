"""State diagrams as people draw them in text: states, arrows, a start and an end; Mermaid and PlantUML share this.

An arrow without text is silent. `A --> [*]` makes A a normal end when it is the only arrow that leaves A,
else it leads to a normal end of its own. A model is flat; only a chart has states inside states.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import final

from stateglass.formats.assemble import from_graph
from stateglass.formats.marks import Marks, check_marks, left_out, marked, read_marks, words_for
from stateglass.formats.nesting import Nesting
from stateglass.formats.problems import Problems
from stateglass.model import TAU, Model
from stateglass.model.chart import Arrow, Chart, Note
from stateglass.source import Code

MARK = "[*]"
"""The start where an arrow leaves it, the end where one enters it."""

PREFIX = "s"
"""States called `s0`, `s1` … are numbered, not named."""


@final
@dataclass
class Diagram:
    """A diagram as far as it was read."""

    format: str
    problems: Problems
    nested: bool = False  # whether states inside states are wanted
    states: dict[str, None] = field(default_factory=dict)
    initial: dict[str, None] = field(default_factory=dict)
    arrows: list[tuple[str, str, str]] = field(default_factory=list)  # source, text, target
    comments: list[tuple[int, str]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    declared: bool = False  # whether a state was named otherwise than by an arrow
    nesting: Nesting = field(default_factory=Nesting)
    lines: list[int] = field(default_factory=list)  # of the arrows

    def arrow(self, source: str, text: str, target: str, line: int) -> None:
        for end in (source, target):
            if end != MARK:
                self.nesting.mention(end, line)
        if source == MARK and target == MARK:
            self.problems.add("an arrow from the start to the end names no state", line)
        elif source == MARK:
            if text:
                help = "remove the text after `:`"
                self.problems.add("the arrow from the start cannot carry a label", line, help=help)
            self.initial.setdefault(target)
            self.nesting.start_with(target, line)
        else:
            self.states.setdefault(source)
            self.arrows.append((source, text, target))
            self.lines.append(line)
        if target != MARK:
            self.states.setdefault(target)

    @property
    def shows_states(self) -> bool:
        """Whether anything but arrows says that this is a state diagram."""
        return self.declared or bool(self.initial) or any(target == MARK for _, _, target in self.arrows)

    def state(self, name: str, description: str | None = None, line: int = 0) -> None:
        self.declared = True
        self.states.setdefault(name)
        self.nesting.declare(name, description, line, self.problems)
        self._leave_out(name, description)

    def described(self, name: str, description: str, line: int) -> None:
        """A text beside the name of a state, which may stand elsewhere."""
        self.declared = True
        self.states.setdefault(name)
        self.nesting.describe(name, description, line, self.problems)
        self._leave_out(name, description)

    def _leave_out(self, name: str, description: str | None) -> None:
        if description is not None and description.strip() not in (name, name.removeprefix(PREFIX)):
            self.dropped["description of a state"] += 1

    def begin(self, name: str, description: str | None, line: int) -> None:
        """What follows stands inside a state."""
        self.state(name, description, line)
        self.nesting.open(name, line, self.problems)

    def end(self, line: int) -> None:
        self.nesting.close(line, self.problems)

    def chart(self, labels: Callable[[str], list[str]], line: int) -> Chart:
        """The diagram as it was drawn; `labels` and `line` as for `model`."""
        if not self.states and not self.problems:
            self.problems.add("the diagram has no states", line, code=Code.MODEL)
        self.nesting.check(self.problems)
        self.problems.stop_if_any()
        drawn = zip(self.arrows, self.lines, strict=True)
        arrows = [
            Arrow(source, target, label, at)
            for (source, text, target), at in drawn
            if target != MARK
            for label in labels(text) or [""]
        ]
        states = [
            replace(s, texts=tuple(Note(text, note.line) for note in s.texts for text in labels(note.text)))
            for s in self.nesting.states()
        ]
        drawn = zip(self.arrows, self.lines, strict=True)
        ends = tuple(Note(source, at) for (source, _, target), at in drawn if target == MARK)
        self.dropped.pop("description of a state", None)
        self.dropped["arrow to the end"] += len(ends)
        return Chart(self.problems.name, tuple(states), tuple(arrows), left_out=words_for(self.dropped), ends=ends)

    def not_understood(self, text: str, line: int) -> None:
        help = 'write `A --> B : label`, `[*] --> A`, `A --> [*]` or `state "text" as A`'
        self.problems.add(f"`{text[:60]}` is not understood", line, help=help)

    def unsupported(self, construct: str, text: str, line: int) -> None:
        message = f"{construct} is not understood: `{text[:60]}`"
        self.problems.add(message, line, help="only states and arrows are read", code=Code.UNSUPPORTED)

    def model(self, labels: Callable[[str], list[str]], line: int) -> Model:
        """The model; `labels` cuts the text of an arrow into its transitions; `line` is where the diagram begins."""
        problems = self.problems
        if not self.states and not problems:
            problems.add("the diagram has no states", line, code=Code.MODEL)
        if len(self.initial) > 1:
            shown = ", ".join(f"`{state[:40]}`" for state in list(self.initial)[:5])
            problems.add(f"the diagram has {len(self.initial)} initial states: {shown}", line, code=Code.MODEL)
        found = read_marks(self.comments, problems)
        check_marks(found, self.states, problems)
        problems.stop_if_any()
        return self._model(labels, found)

    def _model(self, labels: Callable[[str], list[str]], found: Marks) -> Model:
        leaving = Counter(source for source, _, _ in self.arrows)
        names = list(self.states)
        final = "final"
        while final in self.states:
            final += "_"
        rows: list[tuple[str, str, str]] = []
        terminal: list[str] = []
        for source, text, target in self.arrows:
            if target == MARK and not text and leaving[source] == 1:
                terminal.append(source)
                continue
            if target == MARK and final not in terminal:
                terminal.append(final)
                names.append(final)
            end = final if target == MARK else target
            rows += [(source, label, end) for label in labels(text) or [TAU]]
        initial = next(iter(self.initial), names[0])
        model, numbers = from_graph(names, initial, rows, terminal, PREFIX)
        return marked(model, found, numbers, left_out(self.format, self.dropped))


def labels_in(
    text: str, breaks: re.Pattern[str], entity: re.Pattern[str], meant: Callable[[re.Match[str]], str]
) -> list[str]:
    """The labels that the text of an arrow has, one in a line, with what stands for characters replaced."""
    parts = (part.strip() for part in breaks.split(text))
    return [entity.sub(meant, part) for part in parts if part]
