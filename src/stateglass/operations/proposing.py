"""From code to what a user might say of it: settings, an abstraction map, variables that may be a state, or states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stateglass.operations.assembling import asked_of, read
from stateglass.options import ExtractOptions
from stateglass.reflexion.candidates import Scan, scan
from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.reflexion.starting import starting_hypothesis
from stateglass.source import Diagnostic
from stateglass.system import Guess, guess_object, guess_system
from stateglass.system.guessing import plan_with_examples
from stateglass.system.proposing import Proposal, propose_abstractions
from stateglass.system.subjects import functions_called, subject_of


def guess(options: ExtractOptions) -> Guess:
    """What a project file for these files could say."""
    reading, bounds = read(options), dict(options.bounds)
    program = reading.program
    if options.of_class is not None:
        asked = asked_of(options)
        subject = subject_of(program, (), options.init, options.of_class, asked)
        plan = plan_with_examples(program, subject, bounds, asked)
        if plan.made is not None:
            reading = reading.with_made(plan.made)
            program, plan = reading.program, replace(plan, refused=reading.refused)
        return guess_object(program, options.of_class, options.init, bounds, asked, plan)
    return guess_system(program, options.functions, options.init, options.mode, bounds)


def propose(options: ExtractOptions) -> Proposal:
    """An abstraction map for these files."""
    program = read(options).program
    found = guess_system(program, options.functions, options.init, None, {})
    return propose_abstractions(program, (*found.functions, *([found.init] if found.init is not None else [])))


def scan_functions(options: ExtractOptions) -> tuple[Scan, tuple[Diagnostic, ...]]:
    """The variables that may be the state of functions, of all that there are if none is named; and warnings."""
    reading = read(options)
    program = reading.program
    named = [f for name in options.functions for f in functions_called(program, name)]
    return scan(program, tuple(named) or tuple(program.own_functions)), reading.warnings


def hypothesis_over(
    options: ExtractOptions, variables: Sequence[str], counter: tuple[str, str] | None, start: str | None
) -> Hypothesis:
    """States over the ranges of some variables that the code tells apart, and no transitions."""
    program = read(options).program
    return starting_hypothesis(program, options.functions, options.files, variables, counter, start)
