"""The stages as straight calls, one comment line each: the first file a newcomer reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

from stateglass.explore import Budget, Exploration, Progress, explore, silent
from stateglass.frontend import Reading, Surroundings, read_program
from stateglass.options import ExtractOptions, Project, find_project, merge, origins, read_project
from stateglass.program import Target, Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.source import Code, Diagnostic, Severity, Span, input_error
from stateglass.system import Guess, Mode, System, UndefinedBehaviour, build_system, guess_system


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
    options = merge(found, system, cli)
    if options.compile_commands is not None:
        message = "`compile_commands` is not used by this version: give the flags under [source]"
        warnings = (*warnings, Diagnostic(Code.PROJECT, message, severity=Severity.WARNING))
    return options, warnings


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
    exploration = explore(system, budget, every_step=options.steps == "all", progress=progress)
    return Extraction(exploration, system, reading.warnings)


def read(options: ExtractOptions) -> Reading:
    """The files of an extraction as one program."""
    if not options.files:
        raise input_error(
            Code.USAGE, "no C file is given", help="name one, or list it under [source] in stateglass.toml"
        )
    return read_program(options.files, options.flags, options.target, volatile_is_input=options.volatile == "input")


def assemble(reading: Reading, options: ExtractOptions) -> System:
    """The system that the options ask for; without a function named, `main` or the only one there is."""
    return build_system(
        reading.program,
        options.functions or (default_function(reading),),
        init=options.init,
        mode=Mode(options.mode) if options.mode is not None else None,
        bounds=options.bounds,
        undefined=UndefinedBehaviour(options.ub),
        name=options.system,
    )


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
    """How much of a file is understood: functions, and those without unsupported code."""

    name: str
    functions: int
    supported: int


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


def examine(options: ExtractOptions) -> Examination:
    """Read the files, if any, and look at what came of them."""
    reading = read_program(options.files, options.flags, options.target)
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
    troubled = {u.function for u in unsupported}
    files = []
    for name in program.files:
        functions = [f.name for f in program.functions.values() if f.span.file == name]
        files.append(FileReport(name, len(functions), sum(f not in troubled for f in functions)))
    return Examination(
        reading.surroundings,
        program.target,
        reading.warnings,
        tuple(files),
        unsupported,
        tuple(program.declarations),
        tuple(v.name for v in program.variables.values() if not v.defined),
    )


def guess(options: ExtractOptions) -> Guess:
    """What a project file for these files could say."""
    return guess_system(read(options).program, options.functions, options.init, options.mode, dict(options.bounds))
