"""The stages as straight calls, one comment line each: the first file a newcomer reads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from stateglass.explore import Exploration, Manner, explore
from stateglass.operations.assembling import assemble, manner_of, read, undefined_of
from stateglass.options import ExtractOptions
from stateglass.options.recorded import recorded_settings
from stateglass.source import Diagnostic
from stateglass.system import System
from stateglass.work import OutOfTime, Progress, silent
from stateglass.work.in_time import in_time

# Stages are imported where they are used: a command waits for none that it does not need.
if TYPE_CHECKING:
    from stateglass.answers.checking import Checking
    from stateglass.answers.replaying import Replay
    from stateglass.answers.scenarios import Steering, Telling
    from stateglass.evidence import ReflexionModel
    from stateglass.formats.scpp import Specification
    from stateglass.logic.claims import Claim
    from stateglass.operations.driving import Driving
    from stateglass.reflexion.hypothesis import Hypothesis
    from stateglass.reflexion.reflecting import Limits
    from stateglass.reflexion.suggesting import Suggestion
    from stateglass.reflexion.working import Workers
    from stateglass.replay.recorded import Evidence
    from stateglass.scenarios.language import Scenario, Vocabulary


@final
@dataclass(frozen=True, slots=True)
class Extraction:
    """A model, and what is worth saying about how it came about."""

    exploration: Exploration
    system: System
    manner: Manner
    warnings: tuple[Diagnostic, ...]


@final
@dataclass(frozen=True, slots=True)
class Specified:
    """A system as text, and what is worth saying about how it came about."""

    specification: Specification
    system: System
    warnings: tuple[Diagnostic, ...]


@final
@dataclass(frozen=True, slots=True)
class Answered:
    """Answers to claims on code, and what is worth saying about how they came about."""

    checking: Checking
    warnings: tuple[Diagnostic, ...]
    notes: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Narrated:
    """Answers to scenarios on code, and what is worth saying about how they came about."""

    telling: Telling
    warnings: tuple[Diagnostic, ...]


@final
@dataclass(frozen=True, slots=True)
class Reflection:
    """A reflexion model, and what is worth saying about how it came about."""

    model: ReflexionModel
    hypothesis: Hypothesis
    warnings: tuple[Diagnostic, ...]


def extract(options: ExtractOptions, progress: Progress = silent) -> Extraction:
    """From C files to a model."""
    system, warnings = _assembled(options, progress)
    # A system becomes a model: every state it can reach, within the limits.
    manner = manner_of(options)
    exploration = explore(system, manner, progress=progress)
    return Extraction(exploration, system, manner, warnings)


def _assembled(options: ExtractOptions, progress: Progress) -> tuple[System, tuple[Diagnostic, ...]]:
    """The system, and warnings; what clang knows of the files is forgotten, which takes much room."""
    # C text becomes a program: functions of basic blocks over typed, checked nodes.
    progress("reading", files=len(options.files))
    reading = read(options)
    # A program becomes a system: what is called with which inputs, and what stands for the rest.
    return assemble(reading, options), reading.warnings


def specify(options: ExtractOptions, progress: Progress = silent) -> Specified:
    """From C files to a specification of what `extract` would explore."""
    from stateglass.formats.scpp import specification

    system, warnings = _assembled(options, progress)
    return Specified(specification(system, constructs=_shows_construction(system)), system, warnings)


def check_program(
    options: ExtractOptions, claims: Sequence[Claim], later: int = 0, progress: Progress = silent
) -> Answered:
    """From C files and claims to answers; models are made for these claims. All of it has one limit of time."""
    from stateglass.answers.checking import UNREAD, undecided
    from stateglass.operations.checking import check_code, check_threads, refuse_what_excludes_itself

    refuse_what_excludes_itself(options, later)
    end, warnings = time.monotonic() + options.timeout, tuple[Diagnostic, ...]()
    try:
        # C text becomes a program.
        progress("reading", files=len(options.files))
        reading = in_time(options.timeout, read, options)
        warnings = reading.warnings
        if options.threads:
            # A program becomes a system for each thread; engines put together what these do.
            checking, notes = check_threads(reading, options, claims, progress, end)
        else:
            # A program becomes a system, and another one where data has no bounds; each claim goes to its engine.
            checking, notes = check_code(reading, options, claims, later, progress, end)
    except OutOfTime:
        return Answered(undecided(claims, UNREAD), warnings, ())
    return Answered(checking, warnings, notes)


def tell_program(
    options: ExtractOptions,
    vocabulary: Vocabulary,
    scenarios: Sequence[Scenario],
    steering: Steering | None = None,
    progress: Progress = silent,
) -> Narrated:
    """From C files and scenarios to answers; one model is made for all of them."""
    from stateglass.answers.scenarios import Steering, tell_code

    system, warnings = _assembled(options, progress)
    steering = steering or Steering()
    telling = tell_code(system, manner_of(options), vocabulary, scenarios, steering=steering, progress=progress)
    return Narrated(telling, warnings)


def reflect_machine(
    hypothesis: Hypothesis,
    options: ExtractOptions,
    limits: Limits,
    progress: Progress = silent,
    workers: Workers | None = None,
) -> Reflection:
    """Hold a hypothesis against the code."""
    from stateglass.reflexion.hypothesis import probes_of
    from stateglass.reflexion.reflecting import reflect

    # C text becomes a program in which the conditions of the hypothesis are functions.
    progress("reading", files=len(options.files))
    reading = read(options, probes_of(hypothesis))
    # The function is run once for all inputs, and every pair of states is judged.
    limits = replace(limits, undefined=undefined_of(options))
    model = reflect(reading.program, hypothesis, limits, progress, workers)
    model = replace(model, assumptions=(*model.assumptions, *map(str, reading.assumptions)))
    return Reflection(model, hypothesis, (*reading.warnings, *model.warnings))


def suggest(
    reflection: Reflection,
    options: ExtractOptions,
    limits: Limits,
    progress: Progress = silent,
    workers: Workers | None = None,
) -> Suggestion:
    """The hypothesis completed and corrected."""
    from stateglass.reflexion.suggesting import completed

    quick = replace(limits, questions=0)
    return completed(
        reflection.model, reflection.hypothesis, lambda h: reflect_machine(h, options, quick, progress, workers).model
    )


def replay_evidence(
    file: str, text: str, claim: str | None, driving: Driving, progress: Progress = silent
) -> tuple[Evidence, Replay]:
    """From evidence to what the compiled code says to it."""
    from stateglass.operations.driving import replayed
    from stateglass.replay.recorded import claim_of, read_evidence

    # What is recorded becomes a claim and a run that violates it.
    evidence = read_evidence(text, file, claim)
    # The same settings give the same program and the same system, whose run is driven on the compiled code.
    options, watch = recorded_settings(evidence.subject, file)
    return evidence, replayed(evidence, claim_of(evidence, file), options, watch, driving, progress)


def _shows_construction(system: System) -> bool:
    """Whether a model begins with the call that makes the object: its first steps tell."""
    if system.init is None:
        return False
    call = f"call({system.init.name}"
    return any(label.startswith((f"{call},", f"{call})")) for label in explore(system, Manner(2)).model.labels)
