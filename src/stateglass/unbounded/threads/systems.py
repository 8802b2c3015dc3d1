"""What each thread runs, as a system of its own: its function, called once with its constants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from stateglass.model import Model
from stateglass.program import Program
from stateglass.program.callgraph import reachable
from stateglass.source import Assumption, Code, Diagnostic, InputError, Topic, suggestion
from stateglass.system import Choice, Entry, Fixed, Mode, System, Undefined, build_system
from stateglass.system.dividing import divided
from stateglass.system.inputs import possible_inputs
from stateglass.system.sharing import access_of, holder, loading, with_accesses
from stateglass.system.threads import Sharing, Thread, Threads
from stateglass.system.updating import read_once
from stateglass.unbounded.threads.answering import results_of
from stateglass.unbounded.threads.before import different_starts
from stateglass.unbounded.threads.scheduling import Scheduling


@final
@dataclass(frozen=True)
class Setting:
    """A program whose functions run at the same time, and what is said of the surroundings of all of them."""

    program: Program
    threads: Threads
    bounds: tuple[tuple[str, str], ...] = ()
    init: str | None = None
    undefined: Undefined | None = None
    meant: Mapping[str, Model] = field(default_factory=dict)  # by file: what threads are to conform to
    scheduling: Scheduling | None = None  # None: any thread may go on
    spare: bool = False  # bounds may be for inputs that no thread comes to: nobody has written them by hand

    @staticmethod
    def of(
        program: Program,
        threads: Threads,
        bounds: tuple[tuple[str, str], ...] = (),
        init: str | None = None,
        undefined: Undefined | None = None,
        meant: Mapping[str, Model] | None = None,
    ) -> Setting:
        """The setting in which shared variables are held by processes that run beside the threads, if they are held."""
        whole = divided(read_once(program, threads.shared), threads.shared)
        program = whole.program
        shared = {part: sharing for name, sharing in threads.shared.items() for part in whole.names(name)}
        threads = replace(threads, shared=shared)
        # What is said of the whole is said of each part that nothing is said of.
        given = {part: bound for name, bound in bounds for part in whole.names(name)} | dict(bounds)
        given = {name: bound for name, bound in given.items() if name not in whole.parts}
        problems = [
            Diagnostic(Code.BOUND, f"`{name}` is shared directly, and has a bound", help="leave the bound out")
            for name, sharing in threads.shared.items()
            if sharing is Sharing.DIRECT and name in given
        ]
        holding: list[Thread] = []
        try:
            told = with_accesses(program, threads.shared)
        except InputError as error:
            problems += error.diagnostics
            told = program
        for name in (name for name, sharing in threads.shared.items() if sharing is Sharing.PROCESS):
            bound = given.pop(name, None)
            try:
                holding.append(holder(program, name, bound))
            except InputError as error:
                problems += error.diagnostics
            else:
                given[f"{loading(name)}()"] = bound or ""
        if problems:
            raise InputError(problems)
        everybody = replace(threads, threads=(*threads.threads, *holding))
        return Setting(told, everybody, tuple(given.items()), init, undefined, meant or {})


def thread_systems(setting: Setting, *, open: bool) -> tuple[System | None, ...]:
    """The system of each thread, None for a process. `open`: inputs without a bound have any value of their type.

    All that is wrong or missing is one `InputError`.
    """
    problems: dict[Diagnostic, None] = dict.fromkeys(different_starts(setting.program, setting.threads, setting.init))
    systems: list[System | None] = []
    unused = dict(setting.bounds)
    for thread in setting.threads.threads:
        if thread.process is not None:
            systems.append(None)
            continue
        own = _bounds_of(setting, thread)
        for name in own:
            unused.pop(name, None)
        try:
            systems.append(_system(setting, thread, own, open=open))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    for name in unused:
        if setting.spare or access_of(name.removesuffix("()")) is not None:
            continue  # a shared variable that nobody reads
        known = {n.name for t in setting.threads.threads if t.process is None for n in _needs(setting, t)}
        message = f"there is no input `{name}` of any thread to give a bound for"
        problems[Diagnostic(Code.BOUND, message, help=suggestion(name, known))] = None
    if problems:
        raise InputError(problems)
    return tuple(systems)


def _needs(setting: Setting, thread: Thread) -> list[_Need]:
    started = [thread.function, *([setting.init] if setting.init is not None else [])]
    used = reachable(setting.program, started)
    needs = possible_inputs(setting.program, tuple(started), used)
    return [_Need(n.name, n.owner) for n in needs if n.owner not in setting.threads.shared]


@final
@dataclass(frozen=True, slots=True)
class _Need:
    """An input of a thread, and the function or variable it belongs to."""

    name: str
    owner: str


def _bounds_of(setting: Setting, thread: Thread) -> dict[str, str]:
    """The bounds that are meant for a thread, its constants and what processes answer."""
    needs = _needs(setting, thread)
    own = {
        name: spec
        for name, spec in setting.bounds
        if any(
            name == n.name or name.startswith((f"{n.name}[", f"{n.name}.")) or _is_whole(name, n.name) for n in needs
        )
    }
    function = setting.program.functions[thread.function]
    for parameter, value in zip(function.parameters, thread.arguments, strict=True):
        own[f"{thread.function}.{parameter.name}"] = f"{{{value}}}"
    for name, process in setting.threads.answers.items():
        # What never returns does so with any value.
        values = results_of(process) or ("0",)
        if any(n.name == f"{name}()" for n in needs):
            own[f"{name}()"] = f"{{{', '.join(values)}}}"
    return own


def _is_whole(name: str, part: str) -> bool:
    """Whether a bound is for all of what an input is part of."""
    return part.startswith((f"{name}[", f"{name}."))


def _system(setting: Setting, thread: Thread, bounds: Mapping[str, str], *, open: bool) -> System:
    system = build_system(
        setting.program,
        (thread.function,),
        init=setting.init,
        mode=Mode.RUN,
        bounds=tuple(bounds.items()),
        undefined=setting.undefined,
        open=open,
        name=thread.name,
    )
    entries = tuple(_with_constants(entry) for entry in system.entries)
    return replace(system, entries=entries, assumptions=tuple(_kept(system, setting, thread)))


def _with_constants(entry: Entry) -> Entry:
    return replace(
        entry,
        arguments=tuple(
            Fixed(a.values[0], a.type) if isinstance(a, Choice) and not a.anything and len(a.values) == 1 else a
            for a in entry.arguments
        ),
    )


def _kept(system: System, setting: Setting, thread: Thread) -> Iterable[Assumption]:
    """What is assumed of a thread beside what its own notation says."""
    threads = setting.threads
    said = {*threads.events, *threads.answers, *(f"{name}()" for name in threads.answers)}
    for assumption in system.assumptions:
        is_own = assumption.subject.startswith(f"{thread.function}.") or assumption.kind is Topic.SCHEDULE
        is_access = access_of(assumption.subject.removesuffix("()")) is not None
        if not is_own and not is_access and assumption.subject not in said:
            yield assumption
