"""The stages as straight calls, one comment line each: the first file a newcomer reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, final

from stateglass.evidence import ReflexionModel
from stateglass.explore import Budget, Exploration, Progress, explore, silent
from stateglass.formats import read_chart
from stateglass.frontend import (
    LENIENCIES,
    FileFlags,
    MissingHeader,
    MissingHeaders,
    Reading,
    Surroundings,
    read_program,
)
from stateglass.logic.claims import Claim

# The stages that need no code stand beside, so that they can be had without what reads it.
from stateglass.operations.comparing import Comparison as Comparison
from stateglass.operations.comparing import compare_models as compare_models
from stateglass.operations.composing import Transformation as Transformation
from stateglass.operations.composing import compose_models as compose_models
from stateglass.operations.composing import transform_model as transform_model
from stateglass.operations.monitoring import LogOptions as LogOptions
from stateglass.operations.monitoring import Verdict as Verdict
from stateglass.operations.monitoring import monitor_log as monitor_log
from stateglass.operations.reducing import Reduction as Reduction
from stateglass.operations.reducing import reduce_model as reduce_model
from stateglass.options import ExtractOptions, Project, find_project, merge, origins, read_project
from stateglass.options.recorded import recorded_settings
from stateglass.program import Call, FunctionReference, Program, Target, Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.program.probes import Probe
from stateglass.program.walk import nodes_in
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
from stateglass.source import Code, Diagnostic, InputError, Span, input_error
from stateglass.system import (
    Guess,
    Mode,
    System,
    Undefined,
    UndefinedBehaviour,
    build_system,
    guess_object,
    guess_system,
    undefined,
)
from stateglass.system.maps import Maps, load_maps
from stateglass.system.proposing import Proposal, propose_abstractions
from stateglass.system.subjects import Asked, throwing_names
from stateglass.values import FaultKind

if TYPE_CHECKING:
    from stateglass.operations.checking import Checking
    from stateglass.operations.replaying import Replay
    from stateglass.replay.recorded import Evidence


@final
@dataclass(frozen=True, slots=True)
class Extraction:
    """A model, and what is worth saying about how it came about."""

    exploration: Exploration
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
class Driving:
    """How a driver is compiled and run, and where it is kept."""

    compiler: str | None = None
    seconds: float = 10.0
    keep: str | None = None


def settings(
    cli: dict[str, object], system: str | None, project: str | None
) -> tuple[ExtractOptions, tuple[Diagnostic, ...]]:
    """The options of an extraction: command line over environment over the nearest project file."""
    found, warnings = _project(cli, project)
    return merge(found, system, cli), warnings


def new_settings(cli: dict[str, object]) -> ExtractOptions:
    """The options for a project that has no file yet."""
    return merge(None, None, cli)


def explain_settings(
    cli: dict[str, object], system: str | None, project: str | None
) -> tuple[list[tuple[str, object, str]], tuple[Diagnostic, ...]]:
    """Each option with its value and where that comes from."""
    found, warnings = _project(cli, project)
    return origins(found, system, cli), warnings


def _project(cli: dict[str, object], project: str | None) -> tuple[Project | None, tuple[Diagnostic, ...]]:
    files = cli.get("files")
    start = Path(str(files[0])) if isinstance(files, tuple | list) and files else Path()
    path = Path(project) if project is not None else find_project(start)
    return (None, ()) if path is None else read_project(path)


def extract(options: ExtractOptions, progress: Progress = silent) -> Extraction:
    """From C files to a model."""
    # C text becomes a program: functions of basic blocks over typed, checked nodes.
    progress("reading", files=len(options.files))
    reading = read(options)
    # A program becomes a system: what is called with which inputs, and what stands for the rest.
    system = assemble(reading, options)
    # A system becomes a model: every state it can reach, within the budget.
    exploration = explore(
        system,
        _budget(options),
        every_step=options.steps == "all",
        compress=options.compress,
        progress=progress,
    )
    return Extraction(exploration, system, reading.warnings)


def check_program(
    options: ExtractOptions, claims: Sequence[Claim], later: int = 0, progress: Progress = silent
) -> Answered:
    """From C files and claims to answers; models are made for these claims."""
    # Imported on use: most commands decide nothing.
    from stateglass.operations.answering import Running, answer_claims

    progress("reading", files=len(options.files))
    reading = read(options)
    running = Running(assemble(reading, options), _budget(options), options.steps == "all", options.compress)
    checking, notes = answer_claims(running, claims, later, progress)
    return Answered(checking, reading.warnings, notes)


def _budget(options: ExtractOptions) -> Budget:
    return Budget(options.max_states, options.timeout, options.max_depth)


def replay_evidence(
    file: str, text: str, claim: str | None, driving: Driving, progress: Progress = silent
) -> tuple[Evidence, Replay]:
    """From evidence to what the compiled code says to it."""
    from stateglass.operations.confirming import Code as Explored
    from stateglass.operations.replaying import replay
    from stateglass.replay.driving.running import Compiling, find_compiler
    from stateglass.replay.recorded import claim_of, read_evidence

    evidence = read_evidence(text, file, claim)
    # The same settings give the same program and the same system.
    options, watch = recorded_settings(evidence.subject, file)
    reading = read(options)
    system = assemble(reading, options)
    explored = Explored(
        system, options.max_depth, options.timeout, options.steps == "all", options.compress and not watch, watch
    )
    # The run is done by the code as the user's compiler has it.
    wrapping = ("-fwrapv",) if FaultKind.OVERFLOW in system.undefined.wraps else ()
    flags = tuple(use.for_this_machine() for use in reading.surroundings.files)
    how = Compiling(find_compiler(driving.compiler), flags, wrapping)
    return evidence, replay(evidence, claim_of(evidence, file), explored, how, driving.seconds, driving.keep, progress)


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
        throwing=throwing_names(_asked(options)),
    )


def assemble(reading: Reading, options: ExtractOptions) -> System:
    """The system that the options ask for; without a function named, the one that is taken for it."""
    maps = _maps(reading.program, options)
    system = build_system(
        reading.program,
        options.functions or (() if options.of_class else (default_function(reading),)),
        of_class=options.of_class,
        asked=_asked(options),
        init=options.init,
        mode=Mode(options.mode) if options.mode is not None else None,
        bounds=options.bounds,
        undefined=_undefined(options),
        maps=maps,
        abstract=options.abstraction is not None,
        name=options.system,
    )
    return replace(system, assumptions=(*system.assumptions, *reading.assumptions))


def _asked(options: ExtractOptions) -> Asked:
    return Asked(options.visible, options.throws_terminates, options.members, options.can_throw, options.processes)


def _maps(program: Program, options: ExtractOptions) -> Maps | None:
    """What abstraction and label maps mean for the program; None if there are none."""
    if options.abstraction is None and options.labels is None:
        return None
    abstraction = options.abstraction
    return load_maps(program, dict(abstraction) if isinstance(abstraction, tuple) else abstraction, options.labels)


def _undefined(options: ExtractOptions) -> Undefined:
    return undefined(UndefinedBehaviour(options.ub), options.errors)


def default_function(reading: Reading) -> str:
    names = reading.program.own_functions
    if "main" in names:
        return "main"
    from_outside = [name for name in names if not reading.program.functions[name].internal]
    if len(from_outside or names) == 1:
        return (from_outside or names)[0]
    if not names:
        files = ", ".join(reading.program.files)
        raise input_error(Code.UNKNOWN_NAME, f"there is no function with a body in {files}")
    shown = ", ".join(f"`{n}`" for n in names[:20]) + (", …" if len(names) > 20 else "")
    raise input_error(
        Code.USAGE, "say which function the environment calls", help=f"add --function NAME; there is {shown}"
    )


@final
@dataclass(frozen=True, slots=True)
class FileReport:
    """How a file was read, and how much of it is understood: functions, and those without unsupported code."""

    name: str
    flags: FileFlags
    functions: int
    supported: int
    in_part: tuple[str, ...]  # the other functions
    missing_headers: tuple[MissingHeader, ...]
    readable: bool  # False: clang finds errors in it, or it does not fit the other files


@final
@dataclass(frozen=True, slots=True)
class UnsupportedCode:
    """A place that is not modelled."""

    function: str
    reason: str
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Examination:
    """What `doctor` tells."""

    surroundings: Surroundings
    target: Target
    warnings: tuple[Diagnostic, ...]
    files: tuple[FileReport, ...]
    unsupported: tuple[UnsupportedCode, ...]
    without_body: tuple[str, ...]
    undefined_variables: tuple[str, ...]
    library_functions: tuple[str, ...]
    leniencies: tuple[str, ...]
    errors: tuple[Diagnostic, ...]
    assumed_headers: bool  # those that are not found are no errors


def examine(options: ExtractOptions) -> Examination:
    """Read the files, if any, and look at what came of them."""
    # What is missing or wrong is to be told, not to be stopped at.
    reading = read_program(
        options.files,
        options.flags,
        options.target,
        build_folder=options.compile_commands,
        missing_headers=MissingHeaders.ASSUME,
        leave_out_bad=True,
    )
    program = reading.program
    unsupported = tuple(
        UnsupportedCode(f.name, s.reason, s.span)
        for f in program.functions.values()
        for s in statements_of(f.blocks)
        if isinstance(s, Unsupported)
    )
    unsupported += tuple(
        UnsupportedCode("initialisation", v.unsupported, v.span) for v in program.variables.values() if v.unsupported
    )
    assumed = MissingHeaders(options.missing_headers) is MissingHeaders.ASSUME
    troubled = {u.function for u in unsupported}
    return Examination(
        reading.surroundings,
        program.target,
        reading.warnings,
        tuple(_report(use, reading, troubled) for use in reading.surroundings.files if use.file),
        unsupported,
        tuple(program.declarations),
        tuple(v.name for v in program.variables.values() if not v.defined),
        _library_functions(program),
        LENIENCIES,
        (*reading.errors, *(() if assumed else (h.error() for h in reading.missing_headers))),
        assumed,
    )


def _report(use: FileFlags, reading: Reading, troubled: set[str]) -> FileReport:
    path = os.path.abspath(use.file)
    name = next((f for f in reading.program.files if os.path.abspath(f) == path), use.file)
    functions = [f.name for f in reading.program.functions.values() if f.span.file == name]
    in_part = tuple(f for f in functions if f in troubled)
    missing = tuple(h for h in reading.missing_headers if h.file == use.file)
    readable = use.file not in reading.left_out
    return FileReport(name, use, len(functions), len(functions) - len(in_part), in_part, missing, readable)


def _library_functions(program: Program) -> tuple[str, ...]:
    """What the program itself uses of the C library."""
    used: dict[str, None] = {}
    for name in program.own_functions:
        for statement in statements_of(program.functions[name].blocks):
            if isinstance(statement, Call) and isinstance(statement.callee, str):
                used[statement.callee] = None
            used |= {node.name: None for node in nodes_in(statement) if isinstance(node, FunctionReference)}
    own = set(program.own_functions)
    return tuple(name for name in used if name in program.functions and name not in own)


def guess(options: ExtractOptions) -> Guess:
    """What a project file for these files could say."""
    program, bounds = read(options).program, dict(options.bounds)
    if options.of_class is not None:
        return guess_object(program, options.of_class, options.init, bounds, _asked(options))
    return guess_system(program, options.functions, options.init, options.mode, bounds)


def propose(options: ExtractOptions) -> Proposal:
    """An abstraction map for these files."""
    program = read(options).program
    found = guess_system(program, options.functions, options.init, None, {})
    return propose_abstractions(program, (*found.functions, *([found.init] if found.init is not None else [])))


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


def project_hypotheses(
    cli: dict[str, object], project: str | None
) -> tuple[Path | None, dict[str, tuple[str, str | None]]]:
    """The project file, and its hypotheses: files of machines or diagrams, and of mappings."""
    found, _ = _project(cli, project)
    if found is None:
        return None, {}
    located = found.located
    return found.path, {h.name: (located(h.file), located(h.mapping) if h.mapping else None) for h in found.hypotheses}


def undefined_limits(options: ExtractOptions, limits: Limits) -> Limits:
    """Limits with what the options say about undefined behaviour."""
    return replace(limits, undefined=_undefined(options))
