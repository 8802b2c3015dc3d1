"""The stages as straight calls, one comment line each: the first file a newcomer reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BufferedIOBase
from pathlib import Path
from typing import assert_never, final

from stateglass.check import truth_at_start
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
from stateglass.model import Model
from stateglass.options import ExtractOptions, Project, find_project, merge, origins, read_project
from stateglass.program import Call, FunctionReference, Program, Target, Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.program.probes import Probe
from stateglass.program.walk import nodes_in
from stateglass.reduce import MOST_TRACE_STATES as MOST_TRACE_STATES
from stateglass.reduce import Equivalence, reduce
from stateglass.reduce import Reduction as Reduction
from stateglass.reflexion.candidates import Candidate as Candidate
from stateglass.reflexion.candidates import Scan as Scan
from stateglass.reflexion.candidates import Use as Use
from stateglass.reflexion.candidates import scan
from stateglass.reflexion.drawn import Drawn, hypothesis_of
from stateglass.reflexion.hypothesis import Hypothesis as Hypothesis
from stateglass.reflexion.hypothesis import probes_of
from stateglass.reflexion.notation.loading import load_machine as load_machine
from stateglass.reflexion.notation.loading import load_mapping
from stateglass.reflexion.notation.loading import source_files as source_files
from stateglass.reflexion.partition import REST as REST
from stateglass.reflexion.reflecting import Limits as Limits
from stateglass.reflexion.reflecting import reflect
from stateglass.reflexion.starting import starting_hypothesis
from stateglass.reflexion.suggesting import Suggestion, completed
from stateglass.relate import MOST_CASES as MOST_CASES
from stateglass.relate import MOST_COMPOSED_STATES as MOST_COMPOSED_STATES
from stateglass.relate import (
    RELATIONS,
    Answer,
    By,
    Claim,
    Communication,
    Pattern,
    Related,
    Renaming,
    Trace,
    Undecided,
    Unrelated,
    by_alphabets,
    by_communication,
    compare,
    compose,
    only,
    project,
    reachable,
    relabel,
)
from stateglass.relate import Side as Side
from stateglass.relate import Traces as Traces
from stateglass.relate import never_done as never_done
from stateglass.replay import (
    Alphabet,
    Dictionary,
    Extractor,
    Mapping,
    Match,
    Monitor,
    PlainReader,
    StraceReader,
    lines_of,
)
from stateglass.replay import Outcome as Outcome
from stateglass.replay import Shortfall as Shortfall
from stateglass.replay import Verdict as Verdict
from stateglass.source import Code, Diagnostic, InputError, Span, close_match, input_error
from stateglass.system import Guess, Mode, System, UndefinedBehaviour, build_system, guess_system
from stateglass.system.maps import Maps, load_maps
from stateglass.system.proposing import Proposal, propose_abstractions
from stateglass.values import FaultKind


@final
@dataclass(frozen=True, slots=True)
class Extraction:
    """A model, and what is worth saying about how it came about."""

    exploration: Exploration
    system: System
    warnings: tuple[Diagnostic, ...]


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
    budget = Budget(options.max_states, options.timeout, options.max_depth)
    every_step = options.steps == "all"
    exploration = explore(system, budget, every_step=every_step, compress=options.compress, progress=progress)
    return Extraction(exploration, system, reading.warnings)


EQUIVALENCES = tuple(equivalence.value for equivalence in Equivalence)


def reduce_model(
    model: Model,
    by: str,
    keep: Sequence[str] = (),
    most_states: int = MOST_TRACE_STATES,
    progress: Progress = silent,
) -> Reduction:
    """From a model to a smaller one that is equivalent; states are told apart by the propositions to keep, too."""
    return reduce(model, Equivalence(by), keep, progress, most_states)


NAMES_OF_RELATIONS = tuple(RELATIONS)


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two models are related (None: it cannot be said, for this reason), and if not, why."""

    by: By
    related: bool | None
    reason: str = ""
    traces: Traces = Traces.UNKNOWN
    trace: Trace | None = None
    claim: Claim | None = None  # confirmed on both models
    without_claim: str = ""


def compare_models(
    a: Model,
    b: Model,
    by: str,
    keep: Sequence[str] = (),
    names: tuple[str, str] = ("the first model", "the second model"),
    most_cases: int = MOST_CASES,
    progress: Progress = silent,
) -> Comparison:
    """From two models to whether they are related; only what was confirmed is said."""
    relation = RELATIONS.get(by) or Equivalence(by)
    # Two models become an answer: the relation is decided, and a difference explained.
    answer = compare(a, b, relation, keep=keep, names=names, most=most_cases, progress=progress)
    # An explanation is checked by an evaluator that knows nothing of how it was found.
    progress("checking the explanation")
    return confirm(a, b, relation, answer)


def confirm(a: Model, b: Model, by: By, answer: Answer) -> Comparison:
    """The answer with the first of its claims that is true of the model it names and false of the other."""
    match answer:
        case Related():
            return Comparison(by, True)
        case Undecided():
            return Comparison(by, None, answer.reason)
        case Unrelated():
            true = [claim for claim in answer.claims if _is_confirmed(claim, a, b)]
            if not true and answer.needs_proof:
                return Comparison(by, None, "the difference that was found depends on what was not explored")
            why = answer.without_formula or ("" if true else "none could be confirmed")
            return Comparison(by, False, "", answer.traces, answer.trace, true[0] if true else None, why)
        case _:
            assert_never(answer)


def _is_confirmed(claim: Claim, a: Model, b: Model) -> bool:
    one, other = (a, b) if claim.true_of is Side.FIRST else (b, a)
    return truth_at_start(claim.formula, one) is True and truth_at_start(claim.formula, other) is False


def compose_models(
    models: Sequence[Model],
    names: Sequence[str],
    shared: Sequence[str] | None = None,
    communications: Sequence[str] = (),
    allowed: Sequence[str] | None = None,
    most_states: int = MOST_COMPOSED_STATES,
    progress: Progress = silent,
) -> Model:
    """From several models to one of all of them in parallel.

    Components move together by alphabets, or by the labels that match `shared`; with communications or a list of what
    is allowed, as mCRL2 has it.
    """
    if communications or allowed is not None:
        rules = by_communication(models, [Communication.of(text) for text in communications], allowed)
        how = "communicating " + (", ".join(communications) or "nothing")
        how += "" if allowed is None else f", allowing {', '.join(allowed)}"
    else:
        rules = by_alphabets(models, None if shared is None else [Pattern.of(text) for text in shared])
        how = "synchronised on " + ("what they share" if shared is None else ", ".join(shared) or "nothing")
    return compose(models, names, rules, how, most_states, progress)


@final
@dataclass(frozen=True, slots=True)
class Transformation:
    """What `transform` is to do; patterns look at the labels as they are in the model."""

    hide: tuple[str, ...] = ()
    rename: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    reachable: bool = False
    project: tuple[str, ...] | None = None


def transform_model(model: Model, wanted: Transformation) -> tuple[Model, list[str]]:
    """From a model to one with other labels, fewer transitions, states or propositions; and what matched nothing."""
    hidden, kept = ([Pattern.of(text) for text in texts] for texts in (wanted.hide, wanted.only))
    renamings = [Renaming.of(text) for text in wanted.rename]
    patterns = [*hidden, *kept, *(renaming.pattern for renaming in renamings)]
    idle = [pattern.text for pattern in patterns if not pattern.among(model.labels)]
    if kept:
        model = only(model, kept)
    model = relabel(model, hidden, renamings)
    if wanted.reachable:
        model = reachable(model)
    return (model if wanted.project is None else project(model, wanted.project)), idle


LOG_FORMATS = ("plain", "strace")
MATCHES = tuple(match.value for match in Match)


@final
@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a log is to be read and held against a model; `match` is `text` for plain logs and `name` for strace's.

    What matches `hide` is an action that the log does not record.
    """

    format: str = "plain"
    hide: tuple[str, ...] = ()
    match: str | None = None
    mappings: tuple[str, ...] = ()
    event: str | None = None
    process: int | None = None
    ignore_unknown: bool = False
    complete: bool = False


@final
@dataclass(frozen=True, slots=True)
class Monitoring:
    """Where a log leaves a model, and what else was seen of the log."""

    outcome: Outcome
    skipped: int  # lines that say nothing
    processes: tuple[int, ...]  # those that strace numbered


def monitor_log(
    model: Model, log: BufferedIOBase, name: str, wanted: LogOptions, progress: Progress = silent
) -> Monitoring:
    """From a model and a log to whether the log is a run of the model, and if not, where it leaves it."""
    strace = wanted.format == "strace"
    match = Match(wanted.match or ("name" if strace else "text"))
    if strace and match is Match.TEXT:
        raise input_error(Code.USAGE, "what strace writes is no text of actions", help="use --match name or arguments")
    if strace and wanted.event is not None:
        raise input_error(Code.USAGE, "--event is for plain logs; strace's lines are understood as they are")
    if not strace and wanted.process is not None:
        raise input_error(Code.USAGE, "--pid is for logs of strace", help="add --log-format strace")
    hidden = [Pattern.of(text) for text in wanted.hide]
    # No system call is made where `main` begins.
    hidden += [Pattern.of(r"re:(?:call|return)\(main(?:, .*)?\)")] if strace else []
    model = relabel(model, hidden, []) if hidden else model
    alphabet = Alphabet(model.labels)
    mappings = [Mapping.of(text) for text in wanted.mappings]
    dictionary = Dictionary(alphabet, match, mappings, complete=wanted.complete)
    # Lines become what happened, this becomes moves of the model, and the model is followed until it cannot move.
    extractor = None if wanted.event is None else Extractor.of(wanted.event)
    reader = StraceReader(name, wanted.process) if strace else PlainReader(alphabet.by_text, extractor)
    monitor = Monitor(model, dictionary, ignore_unknown=wanted.ignore_unknown, complete=wanted.complete)
    outcome = monitor.run(reader, lines_of(log, name), progress)
    processes = tuple(reader.processes) if isinstance(reader, StraceReader) else ()
    return Monitoring(outcome, reader.skipped, processes)


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
    )


def assemble(reading: Reading, options: ExtractOptions) -> System:
    """The system that the options ask for; without a function named, `main` or the only one there is."""
    maps = _maps(reading.program, options)
    system = build_system(
        reading.program,
        options.functions or (default_function(reading),),
        init=options.init,
        mode=Mode(options.mode) if options.mode is not None else None,
        bounds=options.bounds,
        undefined=UndefinedBehaviour(options.ub),
        errors=_known_errors(options.errors),
        maps=maps,
        abstract=options.abstraction is not None,
        name=options.system,
    )
    return replace(system, assumptions=(*system.assumptions, *reading.assumptions))


def _maps(program: Program, options: ExtractOptions) -> Maps | None:
    """What abstraction and label maps mean for the program; None if there are none."""
    if options.abstraction is None and options.labels is None:
        return None
    abstraction = options.abstraction
    return load_maps(program, dict(abstraction) if isinstance(abstraction, tuple) else abstraction, options.labels)


def _known_errors(names: tuple[str, ...]) -> tuple[str, ...]:
    kinds = [kind.value for kind in FaultKind]
    unknown = [name for name in names if name not in kinds]
    if unknown:
        every = f"there is {', '.join(kinds)}"
        raise InputError(
            Diagnostic(Code.UNKNOWN_NAME, f"there is no kind of error `{n}`", help=close_match(n, kinds) or every)
            for n in unknown
        )
    return names


def default_function(reading: Reading) -> str:
    names = reading.program.own_functions
    if "main" in names:
        return "main"
    if len(names) == 1:
        return names[0]
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
    return guess_system(read(options).program, options.functions, options.init, options.mode, dict(options.bounds))


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
    hypothesis: Hypothesis, options: ExtractOptions, limits: Limits, progress: Progress = silent
) -> Reflection:
    """Hold a hypothesis against the code."""
    # C text becomes a program in which the conditions of the hypothesis are functions.
    progress("reading", files=len(options.files))
    reading = read(options, probes_of(hypothesis))
    # The function is run once for all inputs, and every pair of states is judged.
    model = reflect(reading.program, hypothesis, limits, progress)
    return Reflection(model, hypothesis, (*reading.warnings, *model.warnings))


def suggest(reflection: Reflection, options: ExtractOptions, limits: Limits, progress: Progress = silent) -> Suggestion:
    """The hypothesis completed and corrected."""
    quick = replace(limits, condition_seconds=0)
    return completed(
        reflection.model, reflection.hypothesis, lambda h: reflect_machine(h, options, quick, progress).model
    )


def drawn_hypothesis(diagram: str, mapping: str) -> Drawn:
    """The hypothesis of a state diagram, with the words of a `.machine` file."""
    return hypothesis_of(read_chart(diagram), load_mapping(mapping))


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
    asked = _known_errors(options.errors)
    kinds = frozenset(FaultKind)
    ignored = kinds - {FaultKind(k) for k in asked} if asked else frozenset[FaultKind]()
    wrap = (FaultKind.OVERFLOW, FaultKind.SHIFT) if options.ub == "wrap" else ()
    if options.ub == "ignore":
        ignored = kinds - {FaultKind.ASSERTION, FaultKind.ABORT}
    return replace(limits, wrap=wrap, ignored=ignored)
