"""State machines that somebody believes in, and C files: from both to a reflexion model, or to a first machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.evidence import ReflexionModel
from stateglass.explore import Progress, silent
from stateglass.formats import read_chart
from stateglass.operations.reading import read, undefined_of
from stateglass.options import ExtractOptions
from stateglass.reflexion.candidates import Candidate as Candidate
from stateglass.reflexion.candidates import Scan as Scan
from stateglass.reflexion.candidates import Use as Use
from stateglass.reflexion.candidates import scan
from stateglass.reflexion.drawn import read_drawn
from stateglass.reflexion.hypothesis import Hypothesis as Hypothesis
from stateglass.reflexion.hypothesis import probes_of
from stateglass.reflexion.notation.loading import Loaded as Loaded
from stateglass.reflexion.notation.loading import load_machine as load_machine
from stateglass.reflexion.notation.loading import read_machine as read_machine
from stateglass.reflexion.notation.loading import read_mapping
from stateglass.reflexion.notation.loading import source_files as source_files
from stateglass.reflexion.partition import REST as REST
from stateglass.reflexion.reflecting import Limits as Limits
from stateglass.reflexion.reflecting import reflect
from stateglass.reflexion.starting import starting_hypothesis
from stateglass.reflexion.suggesting import Suggestion, completed
from stateglass.reflexion.working import Workers as Workers
from stateglass.reflexion.working import processors as processors
from stateglass.source import Diagnostic, InputError


def scan_functions(options: ExtractOptions) -> tuple[Scan, tuple[Diagnostic, ...]]:
    """The variables that may be the state of functions, of all that there are if none is named; and warnings."""
    reading = read(options)
    functions = options.functions or tuple(reading.program.own_functions)
    return scan(reading.program, functions), reading.warnings


@final
@dataclass(frozen=True, slots=True)
class Reflection:
    """A reflexion model, and what is worth saying about how it came about."""

    model: ReflexionModel
    hypothesis: Hypothesis
    warnings: tuple[Diagnostic, ...]


def reflect_machine(
    hypothesis: Hypothesis,
    options: ExtractOptions,
    limits: Limits,
    progress: Progress = silent,
    workers: Workers | None = None,
) -> Reflection:
    """Hold a hypothesis against the code."""
    # C text becomes a program in which the conditions of the hypothesis are functions.
    progress("reading", files=len(options.files))
    reading = read(options, probes_of(hypothesis))
    # The function is run once for all inputs, and every pair of states is judged.
    model = reflect(reading.program, hypothesis, limits, progress, workers)
    model = replace(model, assumptions=(*model.assumptions, *map(str, reading.assumptions)))
    return Reflection(model, hypothesis, (*reading.warnings, *model.warnings))


def all_problems(loaded: Loaded, options: ExtractOptions) -> list[Diagnostic]:
    """What is wrong with a hypothesis, and with what of it could be understood as far as the code is concerned."""
    found = list(loaded.problems)
    if loaded.hypothesis.function and options.files:
        try:
            read(options, probes_of(loaded.hypothesis))
        except InputError as error:
            found += loaded.without_consequences(error.diagnostics)
    return sorted(dict.fromkeys(found), key=lambda d: d.span)


def suggest(
    reflection: Reflection,
    options: ExtractOptions,
    limits: Limits,
    progress: Progress = silent,
    workers: Workers | None = None,
) -> Suggestion:
    """The hypothesis completed and corrected."""
    quick = replace(limits, questions=0)
    return completed(
        reflection.model, reflection.hypothesis, lambda h: reflect_machine(h, options, quick, progress, workers).model
    )


def drawn_hypothesis(diagram: str, mapping: str) -> Loaded:
    """The hypothesis of a state diagram, with the words of a `.machine` file, and what is wrong with both."""
    meant = read_mapping(mapping)
    try:
        chart = read_chart(diagram)
    except InputError as error:
        return Loaded(meant.hypothesis, (*error.diagnostics, *meant.problems), meant.unread)
    drawn = read_drawn(chart, meant.hypothesis, is_whole=not meant.problems)
    return Loaded(drawn.hypothesis, (*meant.problems, *drawn.problems), meant.unread, drawn.warnings)


def hypothesis_over(
    options: ExtractOptions, variables: Sequence[str], counter: tuple[str, str] | None, start: str | None
) -> Hypothesis:
    """States over the ranges of some variables that the code tells apart, and no transitions."""
    program = read(options).program
    return starting_hypothesis(program, options.functions, options.files, variables, counter, start)


def undefined_limits(options: ExtractOptions, limits: Limits) -> Limits:
    """Limits with what the options say about undefined behaviour."""
    return replace(limits, undefined=undefined_of(options))
