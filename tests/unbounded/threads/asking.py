"""Threads of small programs, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from stateglass.answers.checking import Checked
from stateglass.answers.threads import answer_threads
from stateglass.evidence import Path as Run
from stateglass.explore import Manner
from stateglass.formats import read_model
from stateglass.logic.claims import Conforms
from stateglass.logic.reading import read_claim
from stateglass.operations.assembling import read
from stateglass.options import ExtractOptions
from stateglass.system.threads import AskedThreads, read_threads
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.systems import Setting
from stateglass.work import silent

PATIENT: Final = Manner(timeout=300)
"""No limit that a busy machine comes to: what is answered depends on the work alone."""


@dataclass(frozen=True)
class Case:
    """A program, who runs, and how they meet."""

    code: str
    threads: tuple[str, ...]
    events: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    processes: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[tuple[str, str], ...] = ()


def setting_of(case: Case, folder: Path) -> Setting:
    file = folder / "threads.c"
    file.write_text(case.code, encoding="utf-8")
    program = read(ExtractOptions(files=(str(file),))).program
    asked = AskedThreads(case.threads, case.events, case.answers, case.shared, case.processes)
    return Setting.of(program, read_threads(program, asked), case.bounds)


def checked(case: Case, claim: str, folder: Path, engine: Engine = Engine.AUTO, manner: Manner = PATIENT) -> Checked:
    setting, asked = setting_of(case, folder), read_claim(claim)
    if isinstance(asked.content, Conforms):
        setting = replace(setting, meant={asked.content.file: read_model(asked.content.file)})
    checking, _ = answer_threads(setting, manner, [asked], engine, silent)
    return checking.checked[0]


def verdict(case: Case, claim: str, folder: Path, engine: Engine = Engine.AUTO) -> str:
    return checked(case, claim, folder, engine).answer.verdict.value


def actions(found: Checked) -> list[str]:
    """What happens in a run, without silent steps."""
    path = found.answer.evidence
    assert isinstance(path, Run)
    return [step.action for step in path.steps if step.action != "tau"]
