"""The settings of one extraction: command line before environment before project file before default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Final, final

from stateglass.options.project import Project, SystemOptions
from stateglass.options.values import (
    MISSING_HEADERS,
    MODE,
    OPTION_RULES,
    Count,
    Rule,
    Seconds,
    Steps,
    Text,
    Texts,
    Volatile,
    complaints,
    printable,
    texts,
)
from stateglass.source import Code, Diagnostic, InputError, MissingHeaders, Span, suggestion
from stateglass.system import Numbers, UndefinedBehaviour
from stateglass.system.bounds import ListOf, parse_assignment, split_assignment
from stateglass.unbounded.engines import Engine

COMMAND_LINE: Final = "command line"
DEFAULT: Final = "default"


@final
@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """Everything that decides what an extraction does. Paths are as seen from the current folder."""

    files: tuple[str, ...] = ()
    system: str = "main"
    functions: tuple[str, ...] = ()
    of_class: str | None = None  # the class that is looked at, instead of functions
    init: str | None = None
    mode: str | None = None
    bounds: tuple[tuple[str, str], ...] = ()
    members: tuple[str, ...] = ()  # `act1=stub`: what stands for a part of the object
    visible: tuple[str, ...] = ()
    can_throw: tuple[str, ...] = ()  # `motor.start=Jammed`: what a function without a body may throw
    throws_terminates: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()  # `sensors.a=code Thermo`: objects that may be handed in
    callbacks: tuple[str, ...] = ()  # `motor.start=stopped`: what a function without a body may call
    callback_depth: int = 1
    callback_limit: int | None = None
    clients: tuple[str, ...] = ()  # `ui`, `ui.visible=open`: who calls, if that are several
    processes: tuple[str, ...] = ()  # `Door=DOOR = (…)`: by name, the text of a process
    threads: tuple[str, ...] = ()  # `left = serve(0)`, `process FORK`: what runs at the same time
    events: tuple[str, ...] = ()  # functions without a body whose calls threads do together
    answers: tuple[str, ...] = ()  # `choose=process CHOICE`: processes that answer calls of functions
    shared: tuple[str, ...] = ()  # `count=direct`: variables that several threads use
    predicates: tuple[str, ...] = ()  # conditions that an abstraction begins with
    abstraction: str | tuple[tuple[str, str], ...] | None = None  # a file, or names and abstractions
    labels: str | tuple[str, ...] | None = None  # a file, or rules
    flags: tuple[str, ...] = ()
    target: str | None = None
    ub: str = UndefinedBehaviour.ERROR.value
    errors: tuple[str, ...] = ()
    volatile: str = Volatile.INPUT.value
    steps: str = Steps.MERGED.value
    compress: bool = False
    max_states: int = 1_000_000
    timeout: float = 300.0
    max_depth: int = 64
    engine: str = Engine.AUTO.value  # who decides claims
    numbers: str = Numbers.BITS.value  # what numbers are for who does so
    replay: bool = True  # whether the compiled code does the runs that violate something
    compile_commands: str | None = None
    missing_headers: str = MissingHeaders.ERROR.value
    places: tuple[tuple[str, Span], ...] = field(default=(), compare=False)  # where some of these texts stand


ENVIRONMENT: Final = {"max_states": "STATEGLASS_MAX_STATES", "timeout": "STATEGLASS_TIMEOUT"}
# Options that are given once for each value.
SINGULAR: Final = {"bounds": "bound", "flags": "flag", "files": "file", "functions": "function", "errors": "errors"}
SHOWN: Final = {
    **SINGULAR,
    "members": "member",
    "categories": "category",
    "of_class": "class",
    "compile_commands": "build-dir",
    "threads": "thread",
    "events": "event",
    "answers": "answer",
    "predicates": "predicate",
}
# What the command line says goes behind what the file says.
ADDED: Final = ("flags", "members", "can_throw", "categories", "processes", "answers", "shared", "predicates")

RULES: Final[dict[str, Rule]] = {
    "files": Texts("motor.c"),
    "system": Text("main"),
    "functions": Texts("step"),
    "of_class": Text("Actuator"),
    "init": Text("init"),
    "mode": MODE,
    "bounds": Texts("f.x=0..10"),
    "members": Texts("motor=stub"),
    "visible": Texts("move"),
    "can_throw": Texts("motor.start=Jammed"),
    "throws_terminates": Texts("move"),
    "categories": Texts("sensors.a=code Thermo"),
    "callbacks": Texts("motor.start=stopped"),
    "callback_depth": Count(),
    "callback_limit": Count(),
    "clients": Texts("ui.visible=open"),
    "processes": Texts("Door=DOOR = (call(open) -> return(open) -> DOOR).", lines=True),
    "threads": Texts("left = serve(0)"),
    "events": Texts("take"),
    "answers": Texts("choose=process CHOICE"),
    "shared": Texts("count=direct"),
    "predicates": Texts("count <= limit"),
    "abstraction": Text("fsm.am"),
    "labels": Text("fsm.lm"),
    "flags": Texts("-std=c11"),
    "target": Text("arm-none-eabi"),
    "compile_commands": Text("build"),
    "missing_headers": MISSING_HEADERS,
    **OPTION_RULES,
}
# A field without a rule would go unchecked.
assert {*RULES, "places"} == {field.name for field in fields(ExtractOptions)}


def merge(
    project: Project | None,
    system: str | None,
    cli: dict[str, object],
    environment: Mapping[str, str] | None = None,
) -> ExtractOptions:
    """The settings to use. `cli` has fields of `ExtractOptions`, None or empty if not given, bounds as `NAME=SPEC`."""
    settings = _Settings(project, system, cli, environment, choose=True)
    return ExtractOptions(**{name: _in_force(settings, name) for name in RULES}, places=settings.places)


def origins(
    project: Project | None,
    system: str | None,
    cli: dict[str, object],
    environment: Mapping[str, str] | None = None,
) -> list[tuple[str, object, str]]:
    """Each setting, by its name in the project file, with its value and where that comes from.

    Each bound has a row `bounds.NAME`; functions and a class are both the `subject`.
    """
    settings = _Settings(project, system, cli, environment, choose=False)
    rows: list[tuple[str, object, str]] = []
    for name in RULES:
        if name == "bounds":
            rows += [(f"bounds.{bound}", spec, origin) for bound, (spec, origin) in settings.bounds.items()]
        elif name == "functions":
            given = name if settings.value("of_class") is None else "of_class"
            rows.append(("subject", settings.value(given), settings.origin(given)))
        elif name != "of_class":
            rows.append((name, _in_force(settings, name), settings.origin(name)))
    return rows


def _in_force(settings: _Settings, name: str) -> Any:
    if name == "ub" and settings.value("abstraction") is not None and settings.origin("ub") == DEFAULT:
        # On abstract values almost everything may overflow or leave its array: what the map is for would drown in it.
        return UndefinedBehaviour.IGNORE.value
    return settings.value(name)


def _located(project: Project, map: Any) -> Any:
    """A map that is a file is found from the project file."""
    return project.located(map) if isinstance(map, str) else map


@final
class _Settings:
    """The layers put one over the other; raises all that is wrong with them at once."""

    def __init__(
        self,
        project: Project | None,
        system: str | None,
        cli: dict[str, object],
        environment: Mapping[str, str] | None,
        choose: bool,
    ) -> None:
        unknown = cli.keys() - RULES.keys()
        if unknown:
            raise ValueError(f"no such settings: {sorted(unknown)}")
        self._problems: list[Diagnostic] = []
        self._given = {name: value for name, value in cli.items() if value is not None and value not in ((), [])}
        self._layers: dict[str, tuple[Any, str]] = {
            field.name: (field.default, DEFAULT) for field in fields(ExtractOptions) if field.default is not MISSING
        }
        self.bounds: dict[str, tuple[str, str]] = {}
        self.places: tuple[tuple[str, Span], ...] = ()
        self._file(project, self._system(project, system, choose))
        self._environment(os.environ if environment is None else environment)
        self._command_line()
        if self._problems:
            raise InputError(self._problems)

    def value(self, name: str) -> Any:
        if name == "bounds":
            return tuple((bound, spec) for bound, (spec, _) in self.bounds.items())
        value, _ = self._layers[name]
        return float(value) if name == "timeout" else value

    def origin(self, name: str) -> str:
        return self._layers[name][1]

    def _system(self, project: Project | None, name: str | None, choose: bool) -> SystemOptions | None:
        systems = project.systems if project else ()
        names = [s.name for s in systems]
        if name is not None:
            if name not in names:
                hint = suggestion(name, names) if project else "there is no project file; use --function instead"
                self._problem(f"there is no system `{printable(name)}`", hint, Code.UNKNOWN_NAME)
            return next((s for s in systems if s.name == name), None)
        if "threads" in self._given:
            # The events and bounds of a system are for its own threads.
            return None
        if functions := texts(self._given.get("functions")) or texts(self._given.get("of_class")):
            # The bounds of a system for other functions would name inputs that do not exist.
            same = [s for s in systems if set(s.subject) == set(functions)] or [s for s in systems if not s.subject]
            return same[0] if len(same) == 1 else None
        if len(systems) > 1 and choose:
            options = " or ".join(f"--system {n}" for n in names)
            self._problem(f"the project file has {len(systems)} systems, and one has to be chosen", f"add {options}")
        return systems[0] if len(systems) == 1 else None

    def _file(self, project: Project | None, system: SystemOptions | None) -> None:
        if project is None:
            return
        source, options = project.source, project.options
        compiling = [f"-I{project.located(i)}" for i in source.include] + [f"-D{d}" for d in source.define]
        said: dict[str, object] = {
            "files": tuple(project.located(f) for f in source.files),
            "flags": (*compiling, *source.flags),
            "target": source.target,
            "compile_commands": project.located(source.compile_commands) if source.compile_commands else None,
            "missing_headers": source.missing_headers,
            "processes": tuple(f"{name}={text}" for name, text in project.processes),
            **{name: getattr(options, name) for name in OPTION_RULES},
        }
        if system is not None:
            said |= {"members": system.members, "visible": system.visible}
            said |= {"can_throw": system.can_throw, "throws_terminates": system.throws_terminates}
            said |= {"categories": system.categories}
            said |= {"threads": system.threads, "events": system.events}
            said |= {"answers": system.answers, "shared": system.shared}
            said |= {"predicates": system.predicates}
            said |= {"callbacks": system.callbacks, "clients": system.clients}
            said |= {"callback_depth": system.callback_depth, "callback_limit": system.callback_limit}
            said |= {"system": system.name, "functions": system.subject, "init": system.init, "mode": system.mode}
            said |= {"abstraction": _located(project, system.abstraction), "labels": _located(project, system.labels)}
            self.bounds |= {name: (spec, str(project.path)) for name, spec in system.bounds}
            self.places = system.places
        for name, value in said.items():
            if value is not None and value != ():
                self._layers[name] = value, str(project.path)

    def _environment(self, environment: Mapping[str, str]) -> None:
        for name, variable in ENVIRONMENT.items():
            text = environment.get(variable, "").strip()
            if not text or name in self._given:
                continue
            number = _number(text, RULES[name])
            found = complaints(RULES[name], text if number is None else number)
            for complaint in found:
                problem = f"the environment variable {variable}, `{printable(text)}`, {complaint.message}"
                self._problem(problem, complaint.help)
            if not found:
                self._layers[name] = number, f"environment variable {variable}"

    def _command_line(self) -> None:
        for name, value in self._given.items():
            found = complaints(RULES[name], value)
            for complaint in found:
                shown = SHOWN.get(name, name).replace("_", "-")
                self._problem(f"--{shown} {complaint.message}", complaint.help)
            if found:
                continue
            if name == "bounds":
                self._bounds(texts(value))
            elif name in ADDED and self._layers[name][1] != DEFAULT:
                # The compiler takes the later of two flags: so the command line goes before the file here too.
                before, origin = self._layers[name]
                self._layers[name] = (*before, *texts(value)), f"{origin} and {COMMAND_LINE}"
            else:
                if name == "threads" and "functions" not in self._given:
                    # What the file says is run otherwise is not.
                    self._layers["functions"] = (), DEFAULT
                if name == "of_class" and "functions" not in self._given:
                    # The subject of the file is a class, too, or another one's.
                    self._layers["functions"] = (), DEFAULT
                self._layers[name] = texts(value) if isinstance(RULES[name], Texts) else value, COMMAND_LINE

    def _bounds(self, assignments: tuple[str, ...]) -> None:
        given: dict[str, str] = {}
        for text in assignments:
            try:
                name, parsed = parse_assignment(text)
            except InputError as error:
                self._problems += error.diagnostics
                continue
            spec = split_assignment(text)[2]
            if given.setdefault(name, spec) != spec:
                both = f"for both, write --bound '{name}={given[name]} | {spec}'"
                # What follows `of` would swallow the other bound.
                hint = "give one of them" if isinstance(parsed, ListOf) or given[name].startswith("list") else both
                self._problem(f"`{name}` has two bounds: `{given[name]}` and `{spec}`", hint, Code.BOUND)
        self.bounds |= {name: (spec, COMMAND_LINE) for name, spec in given.items()}

    def _problem(self, message: str, help: str = "", code: Code = Code.USAGE) -> None:
        self._problems.append(Diagnostic(code, message, help=help))


def _number(text: str, rule: Rule) -> int | float | None:
    try:
        match rule:
            case Count():
                return int(text)
            case Seconds():
                return float(text)
            case _:
                return None
    except ValueError:
        return None
