"""Which state of a diagram stands inside which: where it is declared, else where it is first mentioned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from stateglass.formats.problems import Problems
from stateglass.model.chart import ChartState, Note
from stateglass.source import Code

MOST_NESTING = 50


@final
@dataclass
class Nesting:
    """The nesting of states as far as it was read."""

    _open: list[tuple[str, int]] = field(default_factory=list)  # states, with the lines where they begin
    _parents: dict[str, str | None] = field(default_factory=dict)
    _lines: dict[str, int] = field(default_factory=dict)
    _declared: set[str] = field(default_factory=set)
    _texts: dict[str, list[Note]] = field(default_factory=dict)
    _initial: dict[str | None, dict[str, int]] = field(default_factory=dict)

    def mention(self, name: str, line: int) -> None:
        self._lines.setdefault(name, line)
        self._parents.setdefault(name, self._here)

    def declare(self, name: str, text: str | None, line: int, problems: Problems) -> None:
        """A state that is declared stands where it is declared, wherever it was mentioned before."""
        inside = any(name == state for state, _ in self._open)
        if name in self._declared and self._parents[name] != self._here and not inside:
            message = f"`{name[:40]}` is declared in two states"
            problems.add(message, line, help=f"the other place is line {self._lines[name]}", code=Code.MODEL)
        if not inside:
            self._parents[name] = self._here
        if name not in self._declared:
            self._lines[name] = line
        self._declared.add(name)
        if text is not None and text.strip():
            self._texts.setdefault(name, []).append(Note(text.strip(), line))

    def describe(self, name: str, text: str, line: int, problems: Problems) -> None:
        """A text beside a name: from outside of the state that it stands in, it leaves it there."""
        if not self._stands_deeper(name):
            self.declare(name, text, line, problems)
        elif text.strip():
            self._texts.setdefault(name, []).append(Note(text.strip(), line))

    def start_with(self, name: str, line: int) -> None:
        self._initial.setdefault(self._here, {}).setdefault(name, line)

    def open(self, name: str, line: int, problems: Problems) -> None:
        if any(name == state for state, _ in self._open):
            problems.add(f"`{name[:40]}` stands inside itself", line, code=Code.MODEL)
        if len(self._open) >= MOST_NESTING:
            problems.add(f"states are nested more than {MOST_NESTING} deep", line, code=Code.TOO_LARGE)
            problems.stop()
        self._open.append((name, line))

    def close(self, line: int, problems: Problems) -> None:
        if self._open:
            self._open.pop()
        else:
            problems.add("this `}` closes nothing", line)

    def check(self, problems: Problems) -> None:
        for name, line in self._open:
            problems.add(f"`}}` is missing for `{name[:40]}`", line)
        for parent, names in self._initial.items():
            inside = "the diagram" if parent is None else f"`{parent[:40]}`"
            if len(names) > 1:
                shown = ", ".join(f"`{n[:40]}`" for n in list(names)[:5])
                problems.add(f"{inside} has {len(names)} initial states: {shown}", code=Code.MODEL)
            for name in names:
                if self._parents[name] != parent:
                    message = f"{inside} starts with `{name[:40]}`, which is not directly inside"
                    problems.add(message, self._lines[name], code=Code.MODEL)

    def states(self) -> tuple[ChartState, ...]:
        """All states, each after the one it is inside of."""
        initial = {name: line for names in self._initial.values() for name, line in names.items()}
        found: list[ChartState] = []
        todo = [n for n in reversed(self._parents) if self._parents[n] is None]
        children: dict[str | None, list[str]] = {}
        for name, parent in self._parents.items():
            children.setdefault(parent, []).append(name)
        while todo:
            name = todo.pop()
            texts = self._texts.get(name, [])
            # The last text is what the state is called.
            text = texts[-1].text if texts and texts[-1].text != name else ""
            where = self._parents[name], name in initial, self._lines[name]
            found.append(ChartState(name, text, *where, tuple(texts), initial.get(name, 0)))
            todo += reversed(children.get(name, []))
        return tuple(found)

    def _stands_deeper(self, name: str) -> bool:
        """Whether a state stands inside a state that is not open, and that stands here."""
        around = self._parents.get(name)
        while around is not None and around != self._here:
            around = self._parents[around]
            if around == self._here:
                return True
        return False

    @property
    def _here(self) -> str | None:
        return self._open[-1][0] if self._open else None
