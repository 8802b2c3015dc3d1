"""From a program and claims to answers: of functions that the environment calls, and of threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stateglass.answers.answering import answer_claims, answer_open_claims
from stateglass.answers.both import answer_both, split, with_violated
from stateglass.answers.checking import Checked, Checking
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
from stateglass.answers.threads import answer_threads
from stateglass.formats import read_model
from stateglass.frontend import Reading
from stateglass.logic.claims import Claim, Conforms
from stateglass.operations.assembling import asked_of, assemble_or_open, manner_of, opened_up, undefined_of
from stateglass.operations.driving import compiling
from stateglass.options import ExtractOptions
from stateglass.source import Code, InputError, input_error
from stateglass.system import Numbers, System, with_integers
from stateglass.system.shown_locals import with_shown_locals
from stateglass.system.threads import AskedThreads, misnamed, read_threads
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.given import Given, read_given
from stateglass.unbounded.threads.systems import Setting
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress
from stateglass.work.in_time import in_time

Answers = tuple[Checking, tuple[str, ...]]
"""What came out, and what is worth saying about who decided."""


def refuse_what_excludes_itself(options: ExtractOptions, later: int) -> None:
    """Settings that cannot be had together are refused before anything is read."""
    if options.predicates:
        refuse_predicates(Engine(options.engine))
    if not options.threads:
        return
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


def check_code(
    reading: Reading, options: ExtractOptions, claims: Sequence[Claim], later: int, progress: Progress, end: float
) -> Answers:
    """Answers on functions that the environment calls; what violates something is done by the compiled code, too.

    `end` is the moment when time is over: `OutOfTime` if nothing can be said by then.
    """
    claimed = names_asked(claims)
    manner, engine = replace(manner_of(options), end=end), Engine(options.engine)

    def assembled() -> tuple[System, InputError | None, System | None, tuple[Given, ...]]:
        # Inputs without bounds have all values of their types, if whoever decides can do with that.
        system, missing = assemble_or_open(reading, options, claimed)
        # What is handed in may hold anything, for claims that can be decided so.
        return system, missing, opened_up(reading, options, system, claimed), _given(options, system)

    system, missing, opened, given = in_time(manner.left(), assembled)
    integers = Numbers(options.numbers) is Numbers.INTEGERS
    how = How(engine, given)
    looks_at_all = missing is None and engine in (Engine.AUTO, Engine.EXPLICIT) and not integers
    kinds, bounded = split(claims, manner, how), system
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
    first = checking.checked
    if opened is not None and missing is None:
        if engine is Engine.AUTO and not integers:
            checking = with_violated(bounded, manner, checking, progress)
        notes += less_to_look_at(checking.checked)
    if options.replay and all(file.endswith((".c", ".i")) for file in options.files):
        # Runs that violate something are done by the compiled code, too.
        widest = system if opened is None else opened
        decidable = [claims[n] for n in kinds.decidable]

        def explored(one: Checked) -> Explored:
            is_wide = any(one.claim is claim for claim in decidable) and any(one is other for other in first)
            return Explored(widest if is_wide else bounded, manner.watching(one.watch))

        time = Deadline(manner.left())
        checking = with_compiled(checking, explored, lambda: compiling(reading, system), time, progress)
    return checking, notes


def _given(options: ExtractOptions, system: System) -> tuple[Given, ...]:
    """The predicates of the user."""
    if not options.predicates:
        return ()
    return read_given(options.predicates, system, dict(options.places))


def check_threads(
    reading: Reading, options: ExtractOptions, claims: Sequence[Claim], progress: Progress, end: float
) -> Answers:
    """Answers on functions that run at the same time; `end` is the moment when time is over: `OutOfTime` if nothing can
    be said by then."""
    manner, engine = replace(manner_of(options), end=end), Engine(options.engine)
    setting = in_time(manner.left(), _setting, reading, options, claims)
    places = dict(options.places)
    return answer_threads(setting, manner, claims, engine, progress, options.predicates, places)


def _setting(reading: Reading, options: ExtractOptions, claims: Sequence[Claim]) -> Setting:
    # What is said of threads is held against the program.
    processes = asked_of(options).process_texts
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
    return Setting.of(program, threads, options.bounds, options.init, undefined_of(options), meant)


def _files_meant(claim: Claim) -> tuple[str, ...]:
    """The file of what threads are to conform to."""
    return (claim.content.file,) if isinstance(claim.content, Conforms) else ()
