"""The options that say which code is looked at and how; several commands share them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

import click

from stateglass.options.merge import RULES
from stateglass.options.values import OneOf

# The system is chosen before the settings are.
_SETTINGS: Final = tuple(name for name in RULES if name != "system")


def _words(setting: str) -> click.Choice[str]:
    rule = RULES[setting]
    assert isinstance(rule, OneOf)
    return click.Choice(rule.words)


_FILES: Final = (click.argument("files", nargs=-1, metavar="[FILES]..."),)
_ENTRIES: Final = (
    click.option(
        "--function",
        "functions",
        multiple=True,
        metavar="F",
        help="A function that the environment calls; may be repeated. Default: main, or the only one there is.",
    ),
    click.option(
        "--init", metavar="F", help="A function that runs once before all others; of a class, which constructor."
    ),
)
_INPUTS: Final = (
    click.option(
        "--class",
        "of_class",
        metavar="C",
        help="A class: one object of it is made, its public functions are called.",
    ),
    click.option(
        "--mode",
        type=_words("mode"),
        help="Call once (run, the default for main) or again and again (step).",
    ),
    click.option(
        "--bound",
        "bounds",
        multiple=True,
        metavar="NAME=SPEC",
        help="Values of an input: f.x (parameter, or what it points to), f() (what a function without a body returns),"
        " f.p (what it writes), x (global or volatile, an array as a whole), x[2] (one element). SPEC: 0..10, {1, 5},"
        ' bool, an enum; behind pointers also list 0..2 of 0..10 and texts, {"on", "off"}.',
    ),
    click.option(
        "--member",
        "members",
        multiple=True,
        metavar="PATH=KIND",
        help="What a part of the object is: code, stub or process NAME. Default: code if there is any, else stub.",
    ),
    click.option(
        "--category",
        "categories",
        multiple=True,
        metavar="NAME.OBJECT=KIND",
        help="An object that may be handed in where a bound says `category NAME`: code CLASS, stub or process NAME.",
    ),
)
_THREADS: Final = (
    click.option(
        "--thread",
        "threads",
        multiple=True,
        metavar="F(…)",
        help="A function that runs beside others, with constant arguments: `serve(0)`, `left = serve(0)`; or a process"
        " of the project file, `process FORK`; may be repeated.",
    ),
    click.option(
        "--event",
        "events",
        multiple=True,
        metavar="F",
        help="A function without a body whose calls are events that threads do together; may be repeated.",
    ),
    click.option(
        "--answer",
        "answers",
        multiple=True,
        metavar="F=process P",
        help="A process that answers the calls of a function without a body, one after the other.",
    ),
    click.option(
        "--shared",
        multiple=True,
        metavar="X=HOW",
        help="A variable that several threads use: `direct`, each read and write is a step of its own; or `process`, a"
        " process holds it, and it has a bound.",
    ),
)
_SCANNED: Final = (
    click.option(
        "--function",
        "functions",
        multiple=True,
        metavar="F",
        help="A function to look at; may be repeated. Default: all that there are.",
    ),
)
_REFLECTED: Final = (
    click.option(
        "--function",
        "functions",
        multiple=True,
        metavar="F",
        help="The function to look at, with --states or --counter. Default: the only one there is beside main.",
    ),
)
_MAPS: Final = (
    click.option(
        "--abstraction",
        metavar="FILE.am",
        type=click.Path(),
        help="Explore abstract values: each variable keeps what an abstraction map says. Inputs need no bounds then.",
    ),
    click.option(
        "--labels",
        metavar="FILE.lm",
        type=click.Path(),
        help="Name actions as a label map says; what it does not name is tau.",
    ),
)
_PROJECT: Final = (
    click.option("--system", metavar="S", help="A system of the project file."),
    click.option(
        "--project", metavar="FILE", type=click.Path(), help="The project file. Default: the nearest stateglass.toml."
    ),
)
_READING: Final = (
    click.option("-D", "--define", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
    click.option("-I", "--include", "includes", multiple=True, metavar="DIR", help="Search headers in DIR."),
    click.option("--flag", "flags", multiple=True, metavar="FLAG", help="Pass a flag to clang; may be repeated."),
    click.option("--target", metavar="TRIPLE", help="The machine the code is for, such as arm-none-eabi."),
    click.option(
        "-p",
        "--build-dir",
        "compile_commands",
        metavar="DIR",
        help="The folder with compile_commands.json. Default: the nearest one, also in `build`, above each file.",
    ),
    click.option(
        "--missing-headers",
        type=_words("missing_headers"),
        help="A header that is not found is an error (default), or taken to be empty, which the model then says.",
    ),
)
_MEANING: Final = (
    click.option(
        "--ub",
        type=_words("ub"),
        help="Undefined behaviour ends in error(kind) (default), or overflow wraps, or such runs are left out (default"
        " with --abstraction).",
    ),
    click.option(
        "--errors",
        multiple=True,
        metavar="KIND",
        help="Look only for this kind of error (overflow, bounds, null …); may be repeated. Default: all.",
    ),
    click.option(
        "--volatile",
        type=_words("volatile"),
        help="Each read of a volatile variable is an input (default), or it is ordinary memory.",
    ),
)
_EXPLORING: Final = (
    click.option(
        "--steps",
        type=_words("steps"),
        help="Silent steps run as one (default), or each is a tau transition.",
    ),
    click.option(
        "--compress",
        is_flag=True,
        default=None,
        help="Pass over states whose only transition is silent, while exploring: less memory, the same behaviour.",
    ),
    click.option("--max-states", type=int, metavar="N", help="Stop at N states. Default: 1,000,000."),
    click.option("--timeout", type=float, metavar="SECONDS", help="Stop after so many seconds. Default: 300."),
    click.option("--max-depth", type=int, metavar="N", help="How deep a function may call itself. Default: 64."),
)
_DECIDING: Final = (
    click.option(
        "--predicate",
        "predicates",
        multiple=True,
        metavar="CONDITION",
        help="A condition over variables, as `x <= limit` or `f::x % 4 == 0`, that an abstraction begins with; it helps"
        " where none is found that proves a claim, and changes no answer; may be repeated.",
    ),
    click.option(
        "--engine",
        type=_words("engine"),
        help="Who decides: explicit (all states; every input needs a bound), predicate (an abstraction that refines"
        " itself), spacer (invariants), bmc (longer and longer runs), or auto (default): what fits, in turn.",
    ),
    click.option(
        "--numbers",
        type=_words("numbers"),
        help="What numbers are: bits (default): as wide as their types, or integers: those of mathematics, so that"
        " runs with numbers that do not fit are not looked at (no-error only).",
    ),
    click.option(
        "--replay/--no-replay",
        default=None,
        help="Runs that violate something are done by the compiled code, too, where it is C and there is a compiler"
        " (default), or they are not.",
    ),
)


def subject_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Everything that decides about an extraction.

    The command gets the settings as one dictionary, `subject`, with names as `stateglass.options.ExtractOptions` has
    them, beside `system` and `project`.
    """
    return _gathered(command, (*_FILES, *_ENTRIES, *_INPUTS, *_MAPS, *_PROJECT, *_READING, *_MEANING, *_EXPLORING))


def checked_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same, what runs at the same time, and who decides."""
    own = (*_FILES, *_ENTRIES, *_THREADS, *_INPUTS, *_MAPS, *_PROJECT, *_READING, *_MEANING, *_EXPLORING, *_DECIDING)
    return _gathered(command, own)


def both_sides_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that is told otherwise which files are meant."""
    return _gathered(command, (*_ENTRIES, *_INPUTS, *_MAPS, *_PROJECT, *_READING, *_MEANING, *_EXPLORING))


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Only what decides how files are read: `subject`, `system` and `project` as above."""
    return _gathered(command, (*_FILES, *_PROJECT, *_READING))


def new_subject_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What a project file can be written from: `subject` as above."""
    return _gathered(command, (*_FILES, *_ENTRIES, *_INPUTS, *_READING))


def entry_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How files are read, and which functions a run starts from: `subject`, `system` and `project` as above."""
    return _gathered(command, (*_FILES, *_ENTRIES, *_PROJECT, *_READING))


def scanned_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How files are read, and which functions are looked at: `subject`, `system` and `project` as above."""
    return _gathered(command, (*_FILES, *_SCANNED, *_PROJECT, *_READING))


def reflected_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How files are read, which function is looked at and what of undefined behaviour: as above."""
    return _gathered(command, (*_FILES, *_REFLECTED, *_PROJECT, *_READING, *_MEANING))


def _gathered(command: Callable[..., Any], options: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    @functools.wraps(command)
    def with_subject(*args: Any, **kwargs: Any) -> Any:
        defines = [f"-D{d}" for d in kwargs.pop("defines")]
        includes = [f"-I{i}" for i in kwargs.pop("includes")]
        subject = {name: kwargs.pop(name) for name in _SETTINGS if name in kwargs}
        subject["flags"] = (*includes, *defines, *subject["flags"])
        return command(*args, subject=subject, **kwargs)

    for option in reversed(options):
        with_subject = option(with_subject)
    return with_subject


def files_in(subject: Mapping[str, object]) -> list[str]:
    """The files of a `subject`."""
    files = subject.get("files")
    return [str(file) for file in files] if isinstance(files, tuple | list) else []
