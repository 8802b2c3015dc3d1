"""The project file `stateglass.toml`: what it says once it is known to be valid, and where it is found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from stateglass.options.claims import ClaimText
from stateglass.source import Span, Words

PROJECT_FILE: Final = "stateglass.toml"
SCHEMA: Final = 1


@final
@dataclass(frozen=True, slots=True)
class SourceOptions:
    """`[source]`: the code, and how it is compiled. Paths are relative to the project file."""

    files: tuple[str, ...] = ()
    compile_commands: str | None = None
    flags: tuple[str, ...] = ()
    target: str | None = None
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    missing_headers: str | None = None


@final
@dataclass(frozen=True, slots=True)
class SystemOptions:
    """`[system.NAME]`: what is run, and which values its inputs take (name and text of each bound).

    Maps are files, or entries: names and abstractions, and rules.
    """

    name: str
    subject: tuple[str, ...] = ()
    init: str | None = None
    mode: str | None = None
    bounds: tuple[tuple[str, str], ...] = ()
    members: tuple[str, ...] = ()  # `act1=stub`
    visible: tuple[str, ...] = ()
    can_throw: tuple[str, ...] = ()  # `motor.start=Jammed`
    throws_terminates: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()  # `sensors.a=code Thermo`
    callbacks: tuple[str, ...] = ()  # `motor.start=stopped`
    callback_depth: int | None = None
    callback_limit: int | None = None
    clients: tuple[str, ...] = ()  # `ui`, `ui.visible=open`
    threads: tuple[str, ...] = ()  # `left = serve(0)`, `process FORK`
    events: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()  # `choose=process CHOICE`
    shared: tuple[str, ...] = ()  # `count=direct`
    predicates: tuple[str, ...] = ()  # conditions that an abstraction begins with
    abstraction: str | tuple[tuple[str, str], ...] | None = None
    labels: str | tuple[str, ...] | None = None
    places: tuple[tuple[str, Span], ...] = ()  # of texts that are held against the code later


@final
@dataclass(frozen=True, slots=True)
class LimitOptions:
    """`[options]`: how undefined behaviour is taken and when exploration stops; None where the file says nothing."""

    ub: str | None = None
    errors: tuple[str, ...] = ()
    volatile: str | None = None
    steps: str | None = None
    max_states: int | None = None
    timeout: float | None = None
    max_depth: int | None = None
    compress: bool | None = None
    engine: str | None = None
    numbers: str | None = None
    replay: bool | None = None


@final
@dataclass(frozen=True, slots=True)
class HypothesisOptions:
    """`[hypothesis.NAME]`: a machine, or a diagram with a machine that says what its names mean."""

    name: str
    file: str
    mapping: str | None = None


@final
@dataclass(frozen=True, slots=True)
class MeaningText:
    """`open = "state == OPEN"`: what a name of a component is in the code."""

    name: str
    words: Words
    span: Span  # of the name


@final
@dataclass(frozen=True, slots=True)
class DesignOptions:
    """`[design.NAME]`: a component that is held against the code that implements it."""

    name: str
    file: str
    component: str | None = None
    of_class: str | None = None
    code: tuple[str, ...] = ()
    system: str | None = None
    map: tuple[MeaningText, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class ScenarioSettings:
    """`[scenarios]`: the files with scenarios."""

    file: str | None = None
    files: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return (*(() if self.file is None else (self.file,)), *self.files)


@final
@dataclass(frozen=True, slots=True)
class Project:
    """A valid project file."""

    path: Path
    source: SourceOptions = SourceOptions()
    systems: tuple[SystemOptions, ...] = ()
    options: LimitOptions = LimitOptions()
    hypotheses: tuple[HypothesisOptions, ...] = ()
    claims: tuple[ClaimText, ...] = ()
    processes: tuple[tuple[str, str], ...] = ()  # names and texts
    scenarios: ScenarioSettings = ScenarioSettings()
    designs: tuple[DesignOptions, ...] = ()

    def located(self, path: str) -> str:
        """A path of the file as seen from the current folder."""
        return os.path.normpath(self.path.parent / path)


def find_project(start: Path) -> Path | None:
    """The nearest project file of a source file or a folder: there or in the closest folder above.

    It is named the way the start is: relative to the current folder, or absolute.
    """
    folder = Path(os.path.abspath(start))
    if not folder.is_dir():
        folder = folder.parent
    for place in (folder, *folder.parents):
        candidate = place / PROJECT_FILE
        if candidate.is_file():
            return candidate if start.is_absolute() else Path(os.path.relpath(candidate))
    return None
