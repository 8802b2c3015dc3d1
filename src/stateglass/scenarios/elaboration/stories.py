"""Kept stories: which was made from which, and the line by which another one is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from stateglass.scenarios.language import Scenario, Vocabulary
from stateglass.scenarios.writing import scenario_text
from stateglass.source import Code, input_error


@final
@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A story, those that were made from it, and whether the one that it says it was made from is not there."""

    scenario: Scenario
    children: list[Kept] = field(default_factory=list)
    is_orphan: bool = False

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Kept]]:
        """It and all that came of it, each with its depth."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)


def grown(scenarios: Sequence[Scenario]) -> list[Kept]:
    """The stories as trees, in the order in which they stand. A parent may be meant by its name or its text.

    Stories that say of each other that they were made from them begin with the first.
    """
    by_title: dict[str, int] = {}
    for number, scenario in enumerate(scenarios):
        for title in (scenario.name, scenario.text):
            if title:
                by_title.setdefault(title, number)
    parents = [None if s.ancestry is None else by_title.get(s.ancestry.parent) for s in scenarios]
    for number in range(len(scenarios)):
        met = {number}
        above = parents[number]
        while above is not None and above not in met:
            met.add(above)
            above = parents[above]
        if above == number:
            parents[number] = None
    kept = [
        Kept(scenario, is_orphan=scenario.ancestry is not None and parents[number] is None)
        for number, scenario in enumerate(scenarios)
    ]
    for number, parent in enumerate(parents):
        if parent is not None:
            kept[parent].children.append(kept[number])
    return [kept[number] for number, parent in enumerate(parents) if parent is None]


def kept_line(scenario: Scenario, name: str, taken: Collection[str], vocabulary: Vocabulary) -> str:
    """The line of a file that keeps a story under a name."""
    if not name.strip():
        raise input_error(Code.USAGE, "a story is kept under a name, and this one is empty")
    if name in taken:
        raise input_error(Code.USAGE, f"there is a scenario `{name}` already", help="keep it under another name")
    return scenario_text(replace(scenario, name=name), vocabulary)


def with_line(text: str, line: str) -> str:
    """The text of a file with one more line at its end."""
    separator = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{separator}{line}\n"
