"""From settings to a program, and to the systems of it that are asked for: as bounded as they say, or open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from stateglass.explore import Manner
from stateglass.frontend import MissingHeaders, Reading, read_program
from stateglass.options import ExtractOptions
from stateglass.program import Program
from stateglass.program.probes import Probe
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.system import (
    Mode,
    System,
    Undefined,
    UndefinedBehaviour,
    build_system,
    default_function,
    undefined,
)
from stateglass.system.making.planning import plan_for
from stateglass.system.maps import Maps, load_maps
from stateglass.system.shown_locals import with_shown_locals
from stateglass.system.subjects import Asked, subject_of, throwing_names
from stateglass.unbounded.engines import Engine


def read(options: ExtractOptions, probes: Sequence[Probe] = ()) -> Reading:
    """The files of an extraction as one program, with expressions from outside as functions of it."""
    if not options.files:
        raise input_error(
            Code.USAGE, "no C file is given", help="name one, or list it under [source] in stateglass.toml"
        )
    return read_program(
        options.files,
        options.flags,
        options.target,
        volatile_is_input=options.volatile == "input",
        build_folder=options.compile_commands,
        missing_headers=MissingHeaders(options.missing_headers),
        probes=probes,
        throwing=throwing_names(asked_of(options)),
    )


def assemble(reading: Reading, options: ExtractOptions, *, open: bool = False, claimed: Collection[str] = ()) -> System:
    """The system that the options ask for; without a function named, the one that is taken for it.

    `open`: inputs without bounds have all values of their types. `claimed`: names in claims; those of local variables
    are shown.
    """
    if options.threads:
        help = "`stateglass check` checks claims on threads"
        raise input_error(Code.USAGE, "functions that run at the same time have no model of their own", help=help)
    functions = options.functions or (() if options.of_class else (default_function(reading.program),))
    asked = asked_of(options)
    plan = plan_for(
        reading.program,
        subject_of(reading.program, functions, options.init, options.of_class, asked),
        options.bounds,
        asked,
    )
    if plan.made is not None and not plan.fails:
        # What objects are given may have to be made by code of ours, which is read with the program.
        reading = reading.with_made(plan.made)
        plan = replace(plan, refused=reading.refused)
    maps = _maps(reading.program, options)
    system = build_system(
        with_shown_locals(reading.program, claimed, reading.program.own_functions),
        functions,
        of_class=options.of_class,
        asked=asked,
        plan=plan,
        init=options.init,
        mode=Mode(options.mode) if options.mode is not None else None,
        bounds=options.bounds,
        undefined=undefined_of(options),
        maps=maps,
        abstract=options.abstraction is not None,
        open=open,
        name=options.system,
    )
    return replace(system, assumptions=(*system.assumptions, *reading.assumptions))


def assemble_or_open(
    reading: Reading, options: ExtractOptions, claimed: Collection[str]
) -> tuple[System, InputError | None]:
    """The system; if inputs have no bounds, one in which they have any value, and what they lack.

    `claimed` are names in claims, which may be those of local variables.
    """
    try:
        return assemble(reading, options, claimed=claimed), None
    except InputError as error:
        if options.engine == Engine.EXPLICIT.value:
            raise
        if not _may_be_open(options):
            raise InputError(_with_why(options, problem) for problem in error.diagnostics) from None
        others = any(problem.code is not Code.MISSING_BOUND for problem in error.diagnostics)
        try:
            system = assemble(reading, options, open=True, claimed=claimed)
        except InputError as without:
            # Whoever misspells a bound is not told to give others, which nobody needs.
            raise (without if others else error) from None
        if others:
            raise
        return system, error


def _with_why(options: ExtractOptions, problem: Diagnostic) -> Diagnostic:
    """What is said of a missing bound to whoever may expect, as of functions, that none is needed."""
    if problem.code is not Code.MISSING_BOUND:
        return problem
    what = "an object of a class is" if options.of_class is not None else "code with maps, parts or clients is"
    help = f"{what} checked state by state, by the explicit engine: it needs a bound for every input"
    return replace(problem, help=f"{help}\n{problem.help}")


def opened_up(reading: Reading, options: ExtractOptions, system: System, claimed: Collection[str]) -> System | None:
    """The system in which what is handed in may hold any value where it starts at zero in this one; None: nothing does.

    None, too, if whoever decides looks at all states.
    """
    if not system.is_tame or options.engine == Engine.EXPLICIT.value or not _may_be_open(options):
        return None
    return assemble(reading, options, open=True, claimed=claimed)


def _may_be_open(options: ExtractOptions) -> bool:
    """Whether engines that need no bounds know all that is asked for."""
    of_others = (options.of_class, options.abstraction, options.labels)
    parts = (options.members, options.callbacks, options.clients, options.categories, options.processes)
    return all(one is None for one in of_others) and not any(parts)


def manner_of(options: ExtractOptions) -> Manner:
    """How the system is explored."""
    every_step = options.steps == "all"
    return Manner(options.max_states, options.timeout, options.max_depth, every_step, options.compress)


def asked_of(options: ExtractOptions) -> Asked:
    """What is asked of an object, and what is around it."""
    return Asked(
        options.visible,
        options.throws_terminates,
        options.members,
        options.can_throw,
        options.processes,
        options.callbacks,
        options.callback_depth,
        options.callback_limit or 0,
        options.clients,
        options.categories,
    )


def undefined_of(options: ExtractOptions) -> Undefined:
    """What becomes of undefined behaviour."""
    return undefined(UndefinedBehaviour(options.ub), options.errors)


def _maps(program: Program, options: ExtractOptions) -> Maps | None:
    """What abstraction and label maps mean for the program; None if there are none."""
    if options.abstraction is None and options.labels is None:
        return None
    abstraction = options.abstraction
    return load_maps(program, dict(abstraction) if isinstance(abstraction, tuple) else abstraction, options.labels)
