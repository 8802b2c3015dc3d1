"""Kept stories: which was made from which, and the line by which another one is kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.scenarios.language import Scenario, Vocabulary
from stateglass.scenarios.writing import scenario_text
from stateglass.source import Code, input_error


@final
@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A story in the tree of those that were made from each other."""

    scenario: Scenario
    depth: int  # how many stories stand above it
    is_orphan: bool  # the story that it says it was made from does not stand above it


def grown(scenarios: Sequence[Scenario]) -> list[Kept]:
    """The stories as trees, each below its parent, else as they stand. A parent is meant by its name or its text.

    Stories that say of each other that they were made from them begin with the first.
    """
    by_title: dict[str, int] = {}
    for number, scenario in enumerate(scenarios):
        for title in (scenario.name, scenario.text):
            if title:
                by_title.setdefault(title, number)
    parents = [None if s.ancestry is None else by_title.get(s.ancestry.parent) for s in scenarios]
    children: dict[int | None, list[int]] = {}
    for number in range(len(scenarios)):
        if _is_above(number, parents):
            parents[number] = None
        children.setdefault(parents[number], []).append(number)
    found: list[Kept] = []
    work = [(number, 0) for number in reversed(children.get(None, []))]
    while work:
        number, depth = work.pop()
        scenario = scenarios[number]
        found.append(Kept(scenario, depth, scenario.ancestry is not None and parents[number] is None))
        work += [(child, depth + 1) for child in reversed(children.get(number, []))]
    return found


def _is_above(number: int, parents: Sequence[int | None]) -> bool:
    """Whether a story stands above itself."""
    met: set[int] = set()
    above = parents[number]
    while above is not None and above not in met:
        if above == number:
            return True
        met.add(above)
        above = parents[above]
    return False


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
