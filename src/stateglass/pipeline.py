"""The stages as straight calls, one comment line each: the first file a newcomer reads."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as Folder
from typing import TYPE_CHECKING, final

from stateglass.explore import Exploration, Manner, explore
from stateglass.frontend import MissingHeaders, Reading, read_program
from stateglass.options import ExtractOptions
from stateglass.options.recorded import recorded_settings
from stateglass.program import Program
from stateglass.program.probes import Probe
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.system import (
    Guess,
    Mode,
    Numbers,
    System,
    Undefined,
    UndefinedBehaviour,
    build_system,
    default_function,
    guess_object,
    guess_system,
    undefined,
    with_integers,
)
from stateglass.system.guessing import plan_with_examples
from stateglass.system.making.planning import plan_for
from stateglass.system.maps import Maps, load_maps
from stateglass.system.shown_locals import with_shown_locals
from stateglass.system.subjects import Asked, functions_called, subject_of, throwing_names
from stateglass.unbounded.engines import Engine
from stateglass.values import FaultKind
from stateglass.work import Progress, silent

# Stages are imported where they are used: a command waits for none that it does not need.
if TYPE_CHECKING:
    from stateglass.answers.checking import Checked, Checking
    from stateglass.answers.confirming import Explored
    from stateglass.answers.replaying import Replay
    from stateglass.answers.scenarios import Steering, Telling
    from stateglass.evidence import ReflexionModel
    from stateglass.formats.scpp import Specification
    from stateglass.logic.claims import Claim
    from stateglass.operations.examining import Examination
    from stateglass.reflexion.candidates import Scan
    from stateglass.reflexion.hypothesis import Hypothesis
    from stateglass.reflexion.notation.loading import Loaded
    from stateglass.reflexion.reflecting import Limits
    from stateglass.reflexion.suggesting import Suggestion
    from stateglass.reflexion.working import Workers
    from stateglass.replay.driving.running import Compiling
    from stateglass.replay.recorded import Evidence
    from stateglass.scenarios.language import Scenario, Vocabulary
    from stateglass.system.proposing import Proposal
    from stateglass.unbounded.given import Given


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
class Driving:
    """How a driver is compiled and run, and where it is kept."""

    compiler: str | None = None
    seconds: float = 10.0
    keep: str | None = None


def extract(options: ExtractOptions, progress: Progress = silent) -> Extraction:
    """From C files to a model."""
    system, warnings = _assembled(options, progress)
    # A system becomes a model: every state it can reach, within the limits.
    manner = _manner(options)
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
    return Specified(specification(system, constructs=shows_construction(system)), system, warnings)


def shows_construction(system: System) -> bool:
    """Whether a model begins with the call that makes the object: its first steps tell."""
    if system.init is None:
        return False
    call = f"call({system.init.name}"
    return any(label.startswith((f"{call},", f"{call})")) for label in explore(system, Manner(2)).model.labels)


def check_program(
    options: ExtractOptions, claims: Sequence[Claim], later: int = 0, progress: Progress = silent
) -> Answered:
    """From C files and claims to answers; models are made for these claims."""
    from stateglass.answers.answering import answer_claims, answer_open_claims
    from stateglass.answers.both import answer_both, split
    from stateglass.answers.claims import names_asked
    from stateglass.answers.compiled import with_compiled
    from stateglass.answers.confirming import Explored
    from stateglass.answers.how import (
        How,
        less_to_look_at,
        refuse_another,
        refuse_other_numbers,
        refuse_predicates,
        refuse_undecidable,
    )

    if options.predicates:
        refuse_predicates(Engine(options.engine))
    if options.threads:
        return _check_threads(options, claims, later, progress)
    # Inputs without bounds have all values of their types, if whoever decides can do with that.
    progress("reading", files=len(options.files))
    reading, claimed = read(options), names_asked(claims)
    system, missing = _assemble_or_open(reading, options, claimed)
    manner, engine = _manner(options), Engine(options.engine)
    integers = Numbers(options.numbers) is Numbers.INTEGERS
    how = How(engine, _given(options, system))
    looks_at_all = missing is None and engine in (Engine.AUTO, Engine.EXPLICIT) and not integers
    # What is handed in may hold anything, for claims that can be decided so.
    opened = _opened(reading, options, system, claimed)
    kinds = split(claims, manner, how)
    if opened is not None and not (looks_at_all and kinds.others):
        system, looks_at_all = opened, False
    if opened is not None and later and kinds.decidable:
        refuse_another()
    if integers:
        refuse_other_numbers(claims, engine)
        meant = with_integers(system.undefined)
        system = replace(system, undefined=meant, assumptions=(*system.assumptions, meant.notes[-1]))
    if not looks_at_all:
        refuse_undecidable(claims, manner, how, later, missing)
        checking, notes = answer_open_claims(system, manner, claims, progress, how)
    elif opened is not None and kinds.decidable:
        checking, notes = answer_both(system, opened, manner, claims, progress, how)
    else:
        checking, notes = answer_claims(system, manner, claims, later, progress, how)
    if opened is not None and missing is None:
        notes += less_to_look_at(checking.checked)
    if options.replay and all(file.endswith(".c") for file in options.files):
        # Runs that violate something are done by the compiled code, too.
        widest = system if opened is None else opened
        decidable = [claims[n] for n in kinds.decidable]

        def explored(one: Checked) -> Explored:
            is_wide = any(one.claim is claim for claim in decidable)
            return Explored(widest if is_wide else system, manner.watching(one.watch))

        checking = with_compiled(checking, explored, lambda: _compiling(reading, system), options.timeout, progress)
    return Answered(checking, reading.warnings, notes)


def _given(options: ExtractOptions, system: System) -> tuple[Given, ...]:
    """The predicates of the user."""
    if not options.predicates:
        return ()
    from stateglass.unbounded.given import read_given

    return read_given(options.predicates, system, dict(options.places))


def _opened(reading: Reading, options: ExtractOptions, system: System, claimed: Collection[str]) -> System | None:
    """The system in which what is handed in may hold any value where it starts at zero in this one; None: nothing does.

    None, too, if whoever decides looks at all states.
    """
    if not system.is_tame or options.engine == Engine.EXPLICIT.value or not _may_be_open(options):
        return None
    return assemble(reading, options, open=True, claimed=claimed)


def _assemble_or_open(
    reading: Reading, options: ExtractOptions, claimed: Collection[str]
) -> tuple[System, InputError | None]:
    """The system; if inputs have no bounds, one in which they have any value, and what they lack.

    `claimed` are names in claims, which may be those of local variables.
    """
    try:
        return assemble(reading, options, claimed=claimed), None
    except InputError as error:
        if options.engine == Engine.EXPLICIT.value or not _may_be_open(options):
            raise
        others = any(problem.code is not Code.MISSING_BOUND for problem in error.diagnostics)
        try:
            system = assemble(reading, options, open=True, claimed=claimed)
        except InputError as without:
            # Whoever misspells a bound is not told to give others, which nobody needs.
            raise (without if others else error) from None
        if others:
            raise
        return system, error


def _may_be_open(options: ExtractOptions) -> bool:
    """Whether engines that need no bounds know all that is asked for."""
    of_others = (options.of_class, options.abstraction, options.labels)
    parts = (options.members, options.callbacks, options.clients, options.categories, options.processes)
    return all(one is None for one in of_others) and not any(parts)


def _check_threads(options: ExtractOptions, claims: Sequence[Claim], later: int, progress: Progress) -> Answered:
    """The same for functions that run at the same time."""
    from stateglass.answers.claims import names_asked
    from stateglass.answers.threads import answer_threads
    from stateglass.formats import read_model
    from stateglass.system.threads import AskedThreads, misnamed, read_threads
    from stateglass.unbounded.threads.systems import Setting

    others = {
        "functions that the environment calls": options.functions,
        "a class": options.of_class,
        "an abstraction map": options.abstraction,
        "a label map": options.labels,
        "`mode`": options.mode,
        "another run (--next)": later,
        "`--numbers integers`": Numbers(options.numbers) is Numbers.INTEGERS,
    }
    wrong = [what for what, given in others.items() if given]
    if wrong:
        raise input_error(Code.USAGE, f"threads run, and {wrong[0]} cannot be asked for beside them")
    progress("reading", files=len(options.files))
    reading = read(options)
    # What is said of threads is held against the program.
    processes = _asked(options).process_texts
    places = dict(options.places)
    asked = AskedThreads(options.threads, options.events, options.answers, options.shared, processes, places)
    threads = read_threads(reading.program, asked)
    # Each thread becomes a system of its own; their models are put together.
    meant = {file: read_model(file) for claim in claims for file in _files_meant(claim)}
    # A claim says `serve::x` of a local variable, or `left.x` if it is that of a thread.
    claimed = {name.removeprefix(f"{t.name}.") for name in names_asked(claims) for t in threads.threads}
    if wrong_names := misnamed(threads, claimed):
        raise InputError(wrong_names)
    program = with_shown_locals(reading.program, claimed, threads.functions)
    setting = Setting.of(program, threads, options.bounds, options.init, _undefined(options), meant)
    manner, engine = _manner(options), Engine(options.engine)
    checking, notes = answer_threads(setting, manner, claims, engine, progress, options.predicates, places)
    return Answered(checking, reading.warnings, notes)


def _files_meant(claim: Claim) -> tuple[str, ...]:
    """The file of what threads are to conform to."""
    from stateglass.logic.claims import Conforms

    return (claim.content.file,) if isinstance(claim.content, Conforms) else ()


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
    telling = tell_code(system, _manner(options), vocabulary, scenarios, steering=steering, progress=progress)
    return Narrated(telling, warnings)


def _manner(options: ExtractOptions) -> Manner:
    every_step = options.steps == "all"
    return Manner(options.max_states, options.timeout, options.max_depth, every_step, options.compress)


def replay_evidence(
    file: str, text: str, claim: str | None, driving: Driving, progress: Progress = silent
) -> tuple[Evidence, Replay]:
    """From evidence to what the compiled code says to it."""
    from stateglass.replay.recorded import claim_of, read_evidence

    evidence = read_evidence(text, file, claim)
    # The same settings give the same program and the same system.
    options, watch = recorded_settings(evidence.subject, file)
    return evidence, _replayed(evidence, claim_of(evidence, file), options, watch, driving, progress)


def _replayed(
    evidence: Evidence,
    claim: Claim,
    options: ExtractOptions,
    watch: frozenset[str],
    driving: Driving,
    progress: Progress,
) -> Replay:
    from stateglass.answers.claims import names_asked
    from stateglass.answers.confirming import Explored
    from stateglass.answers.how import is_decidable
    from stateglass.answers.replaying import replay
    from stateglass.replay.driving.running import Workshop

    reading = read(options)
    # Inputs without bounds have the values that the run has.
    claimed, manner = names_asked([claim]), _manner(options)
    system, _ = _assemble_or_open(reading, options, claimed)
    is_open = is_decidable(claim, manner, Engine(options.engine))
    opened = _opened(reading, options, system, claimed) if is_open else None
    explored = Explored(system if opened is None else opened, manner.watching(watch))
    with tempfile.TemporaryDirectory(prefix="stateglass-") as folder:
        how = _compiling(reading, system, driving.compiler)
        workshop = Workshop(Folder(folder if driving.keep is None else driving.keep), how, keep=driving.keep)
        return replay(evidence, claim, explored, workshop, driving.seconds, progress)


def _compiling(reading: Reading, system: System, compiler: str | None = None) -> Compiling:
    """How the user's compiler has the code."""
    from stateglass.replay.driving.running import Compiling

    wrapping = ("-fwrapv",) if FaultKind.OVERFLOW in system.undefined.wraps else ()
    return Compiling(compiler, tuple(use.for_this_machine() for use in reading.surroundings.files), wrapping)


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


def assemble(reading: Reading, options: ExtractOptions, *, open: bool = False, claimed: Collection[str] = ()) -> System:
    """The system that the options ask for; without a function named, the one that is taken for it.

    `open`: inputs without bounds have all values of their types. `claimed`: names in claims; those of local variables
    are shown.
    """
    if options.threads:
        help = "`stateglass check` checks claims on threads"
        raise input_error(Code.USAGE, "functions that run at the same time have no model of their own", help=help)
    functions = options.functions or (() if options.of_class else (default_function(reading.program),))
    asked = _asked(options)
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
        undefined=_undefined(options),
        maps=maps,
        abstract=options.abstraction is not None,
        open=open,
        name=options.system,
    )
    return replace(system, assumptions=(*system.assumptions, *reading.assumptions))


def _asked(options: ExtractOptions) -> Asked:
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


def _maps(program: Program, options: ExtractOptions) -> Maps | None:
    """What abstraction and label maps mean for the program; None if there are none."""
    if options.abstraction is None and options.labels is None:
        return None
    abstraction = options.abstraction
    return load_maps(program, dict(abstraction) if isinstance(abstraction, tuple) else abstraction, options.labels)


def _undefined(options: ExtractOptions) -> Undefined:
    return undefined(UndefinedBehaviour(options.ub), options.errors)


def examine(options: ExtractOptions) -> Examination:
    """How much of the files, if there are any, is understood."""
    from stateglass.operations.examining import examined

    # What is missing or wrong is to be told, not to be stopped at.
    reading = read_program(
        options.files,
        options.flags,
        options.target,
        build_folder=options.compile_commands,
        missing_headers=MissingHeaders.ASSUME,
        leave_out_bad=True,
    )
    return examined(reading, assumed_headers=MissingHeaders(options.missing_headers) is MissingHeaders.ASSUME)


def guess(options: ExtractOptions) -> Guess:
    """What a project file for these files could say."""
    reading, bounds = read(options), dict(options.bounds)
    program = reading.program
    if options.of_class is not None:
        asked = _asked(options)
        subject = subject_of(program, (), options.init, options.of_class, asked)
        plan = plan_with_examples(program, subject, bounds, asked)
        if plan.made is not None:
            reading = reading.with_made(plan.made)
            program, plan = reading.program, replace(plan, refused=reading.refused)
        return guess_object(program, options.of_class, options.init, bounds, asked, plan)
    return guess_system(program, options.functions, options.init, options.mode, bounds)


def propose(options: ExtractOptions) -> Proposal:
    """An abstraction map for these files."""
    from stateglass.system.proposing import propose_abstractions

    program = read(options).program
    found = guess_system(program, options.functions, options.init, None, {})
    return propose_abstractions(program, (*found.functions, *([found.init] if found.init is not None else [])))


def scan_functions(options: ExtractOptions) -> tuple[Scan, tuple[Diagnostic, ...]]:
    """The variables that may be the state of functions, of all that there are if none is named; and warnings."""
    from stateglass.reflexion.candidates import scan

    reading = read(options)
    program = reading.program
    named = [f for name in options.functions for f in functions_called(program, name)]
    return scan(program, tuple(named) or tuple(program.own_functions)), reading.warnings


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
    from stateglass.reflexion.hypothesis import probes_of
    from stateglass.reflexion.reflecting import reflect

    # C text becomes a program in which the conditions of the hypothesis are functions.
    progress("reading", files=len(options.files))
    reading = read(options, probes_of(hypothesis))
    # The function is run once for all inputs, and every pair of states is judged.
    limits = replace(limits, undefined=_undefined(options))
    model = reflect(reading.program, hypothesis, limits, progress, workers)
    model = replace(model, assumptions=(*model.assumptions, *map(str, reading.assumptions)))
    return Reflection(model, hypothesis, (*reading.warnings, *model.warnings))


def all_problems(loaded: Loaded, options: ExtractOptions) -> list[Diagnostic]:
    """What is wrong with a hypothesis, and with what of it could be understood as far as the code is concerned."""
    from stateglass.reflexion.hypothesis import probes_of

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
    from stateglass.reflexion.suggesting import completed

    quick = replace(limits, questions=0)
    return completed(
        reflection.model, reflection.hypothesis, lambda h: reflect_machine(h, options, quick, progress, workers).model
    )


def hypothesis_over(
    options: ExtractOptions, variables: Sequence[str], counter: tuple[str, str] | None, start: str | None
) -> Hypothesis:
    """States over the ranges of some variables that the code tells apart, and no transitions."""
    from stateglass.reflexion.starting import starting_hypothesis

    program = read(options).program
    return starting_hypothesis(program, options.functions, options.files, variables, counter, start)
