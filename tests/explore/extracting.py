"""Models of examples and of small programs under maps, and the words that a model knows."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Final

from scripts.rooms import ROOT
from stateglass.explore import Exploration
from stateglass.model import TAU, Model
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import extract

EXAMPLES: Final = ROOT / "examples"


@functools.cache
def example(name: str, *, every_step: bool = False, compress: bool = False) -> Model:
    """The model of an example, as its project file says; with each of its steps if asked."""
    cli: dict[str, object] = {"steps": "all" if every_step else None, "compress": compress or None}
    options, _ = settings(cli, None, str(EXAMPLES / name / "stateglass.toml"))
    return extract(options).exploration.model


@functools.cache
def whole(name: str, *, every_step: bool = False) -> Model:
    """The model of an example with all states, whatever its project file says."""
    options, _ = settings({"steps": "all" if every_step else None}, None, str(EXAMPLES / name / "stateglass.toml"))
    return extract(replace(options, compress=False)).exploration.model


def explored(folder: Path, code: str, map: str, rules: tuple[str, ...], **others: object) -> Exploration:
    """What comes of a program under an abstraction map and the rules of a label map."""
    (folder / "code.c").write_text(code, encoding="utf-8")
    (folder / "code.am").write_text(map, encoding="utf-8")
    options = ExtractOptions(
        files=(str(folder / "code.c"),),
        abstraction=str(folder / "code.am"),
        labels=rules or None,
        **{"ub": "ignore", **others},  # type: ignore[arg-type]
    )
    return extract(options).exploration


class Words:
    """Which sequences of visible actions a model can do."""

    def __init__(self, model: Model) -> None:
        self._after: dict[int, list[tuple[str, int]]] = {state: [] for state in range(model.states)}
        for source, action, target in zip(model.sources, model.actions, model.targets, strict=True):
            self._after[int(source)].append((model.labels[action], int(target)))
        self._initial = model.initial

    def has(self, word: tuple[str, ...]) -> bool:
        states = self._silently({self._initial})
        for letter in word:
            states = self._silently({t for s in states for action, t in self._after[s] if action == letter})
        return bool(states)

    def _silently(self, states: set[int]) -> set[int]:
        todo = list(states)
        while todo:
            for action, target in self._after[todo.pop()]:
                if action == TAU and target not in states:
                    states.add(target)
                    todo.append(target)
        return states
