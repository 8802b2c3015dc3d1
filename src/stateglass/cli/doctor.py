"""`stateglass doctor`: what was found on this machine, and what of the given files is understood."""

from __future__ import annotations

import platform
import shlex
from importlib import metadata
from typing import Final

import click

from stateglass import __version__
from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import reading_options
from stateglass.cli.telling import say_diagnostics
from stateglass.cli.trouble import json_error
from stateglass.operations.examining import Examination, FileReport, examine
from stateglass.options.nearby import include_folder, template_of
from stateglass.options.settings import settings
from stateglass.reports import DoctorReport, FileReadReport
from stateglass.source import counted

PACKAGES: Final = ("libclang-ng", "numpy", "pygraphviz", "lark")
MOST_LISTED: Final = 40
MOST_FOLLOWING: Final = 3
"""How many errors are shown that may come from headers that were not found."""

DEFAULTS: Final = "no compile_commands.json or compile_flags.txt has others"


def doctor(
    cli: dict[str, object], system: str | None, project: str | None, format: OutputFormat, out: Console, err: Console
) -> Exit:
    options, warnings = settings(cli, system, project)
    with ProgressLine(err) as progress:
        progress("reading")
        found = examine(options)
    say_diagnostics(err, (*warnings, *found.warnings))
    _tell_errors(found, err)
    if format is OutputFormat.JSON:
        write_json(out, "doctor", _facts(found))
    else:
        _tell(found, out)
    if found.errors:
        return Exit.BAD_INPUT
    return Exit.INCONCLUSIVE if found.unsupported else Exit.OK


def _tell_errors(found: Examination, err: Console) -> None:
    """Headers that were not found first: the other errors may come from that, and are not worth mending before."""
    missing = {h.span for f in found.files for h in f.missing_headers}
    causes = [e for e in found.errors if e.span in missing]
    others = [e for e in found.errors if e.span not in missing]
    shown = others[:MOST_FOLLOWING] if missing else others
    say_diagnostics(err, (*causes, *shown))
    if len(shown) < len(others):
        err.line(f"… {counted(len(others) - len(shown), 'more error')} (--format json lists all)")


def _conclusion(found: Examination) -> str:
    """Whether one can go on, in one sentence."""
    functions, supported = sum(f.functions for f in found.files), sum(f.supported for f in found.files)
    bad = [f.name for f in found.files if not f.readable]
    missing = dict.fromkeys(h.name for f in found.files for h in f.missing_headers)
    if not found.files:
        return "All is ready: name C files to see what of them is understood."
    if bad:
        because = " (some may come from the headers that were not found)" if missing else ""
        return f"No model can be made of {', '.join(bad)} before the errors are mended{because}."
    if found.errors:
        are = "is" if len(missing) == 1 else "are"
        return (
            f"No model can be made before {', '.join(missing)} {are} found (-I) or assumed (--missing-headers assume)."
        )
    assumed = f", without {', '.join(missing)}" if missing else ""
    if not found.unsupported:
        return f"You can go on: all is understood{assumed}."
    return (
        f"You can go on: {supported} of {functions} functions are understood in full{assumed},"
        " and a model is partial only where it gets to one of the places listed."
    )


def _facts(found: Examination) -> DoctorReport:
    surroundings = found.surroundings
    return {
        "stateglass": __version__,
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in PACKAGES},
        "clang": surroundings.clang,
        "compiler": surroundings.compiler,
        "include_folders": list(surroundings.include_folders),
        "target": {
            "triple": found.target.triple,
            "pointer_size": found.target.pointer_size,
            "int_bits": found.target.int_bits,
            "big_endian": found.target.big_endian,
        },
        "flags": list(surroundings.files[0].flags),
        "dropped_flags": list(dict.fromkeys(flag for use in surroundings.files for flag in use.dropped)),
        "leniencies": list(found.leniencies),
        "files": [_file_facts(f) for f in found.files],
        "unsupported": [
            {
                "function": u.function,
                "reason": u.reason,
                "file": u.span.file,
                "line": u.span.line,
                "column": u.span.start.column,
            }
            for u in found.unsupported
        ],
        "without_body": list(found.without_body),
        "undefined_variables": list(found.undefined_variables),
        "library_functions": list(found.library_functions),
        "errors": [json_error(d) for d in found.errors],
        "can_go_on": not found.errors,
        "conclusion": _conclusion(found),
    }


def _file_facts(file: FileReport) -> FileReadReport:
    return {
        "name": file.name,
        "readable": file.readable,
        "functions": file.functions,
        "supported": file.supported,
        "in_part": list(file.in_part),
        "flags": list(file.flags.flags),
        "flags_from": file.flags.origin,
        "target_from": file.flags.compiler,
        "dropped_flags": list(file.flags.dropped),
        "missing_headers": [
            {"name": h.name, "file": h.span.file or None, "line": h.span.line or None} for h in file.missing_headers
        ],
    }


def _tell(found: Examination, out: Console) -> None:
    surroundings, target = found.surroundings, found.target
    out.line(f"stateglass {__version__} on Python {platform.python_version()}")
    out.line("packages: " + ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES))
    out.line(f"clang: {surroundings.clang} (part of libclang-ng)")
    if surroundings.compiler is None:
        out.line("compiler: none found; only the headers that Stateglass and clang bring along are known")
    elif surroundings.include_folders:
        out.line(f"compiler: {surroundings.compiler} (asked for its header folders)")
    else:
        out.line(f"compiler: {surroundings.compiler} (its headers are not for the target)")
    for folder in surroundings.include_folders:
        out.line(f"  {folder}")
    order = "big-endian" if target.big_endian else "little-endian"
    out.line(f"target: {target.triple}, {target.int_bits}-bit int, {8 * target.pointer_size}-bit pointers, {order}")
    for compiler in dict.fromkeys(use.compiler for use in surroundings.files if use.compiler):
        out.line(f"  by the name of the compiler, {compiler}")
    _tell_flags(found, out)
    _names(out, "gcc's leniencies allowed", tuple(f.removeprefix("-Wno-") for f in found.leniencies))
    for flag in dict.fromkeys(flag for use in surroundings.files for flag in use.dropped):
        out.line(f"flag dropped: {flag}")
    for file in found.files:
        if file.readable:
            out.line(f"{file.name}: {file.supported} of {file.functions} functions understood in full")
        else:
            out.line(f"{file.name}: not readable, see the errors")
    title = "headers not found, taken to be empty" if found.assumed_headers else "headers not found"
    _list(out, title, [line for f in found.files for line in _missing(f)])
    _list(out, "not supported", [f"{u.span}: {u.reason} (in {u.function})" for u in found.unsupported])
    _names(out, "without a body, so assumed about", found.without_body)
    _names(out, "declared but defined nowhere, so they start at zero", found.undefined_variables)
    _names(out, "from the C library", found.library_functions)
    out.paragraph(_conclusion(found))


def _missing(file: FileReport) -> list[str]:
    lines = []
    for header in file.missing_headers:
        folder, template = include_folder(header.name, header.file), template_of(header.name, header.file)
        found = "" if folder is None else f": there is one for -I {shlex.quote(folder)}"
        if folder is None and template is not None:
            found = f": the build makes it from {template}; a few lines of your own may do, where -I finds them"
        lines.append(f"{header.name} ({header.span if header.span.file else header.file}){found}")
    return lines


def _tell_flags(found: Examination, out: Console) -> None:
    """Once if all files have the same, else for each file."""
    told = {use.file: f"{' '.join(use.shown)} ({use.origin or DEFAULTS})" for use in found.surroundings.files}
    if len(set(told.values())) == 1:
        out.paragraph(f"flags: {next(iter(told.values()))}", "  ")
        return
    for file, text in told.items():
        out.paragraph(f"flags of {file}: {text}", "  ")


def _names(out: Console, title: str, names: tuple[str, ...]) -> None:
    if names:
        more = f", … {len(names) - MOST_LISTED} more (--format json lists all)" if len(names) > MOST_LISTED else ""
        out.paragraph(f"{title}: {', '.join(names[:MOST_LISTED])}{more}", "  ")


def _list(out: Console, title: str, listed: list[str]) -> None:
    lines = list(dict.fromkeys(listed))
    if not lines:
        return
    out.line(f"{out.styled(title, Style.BOLD)}:")
    for line in lines[:MOST_LISTED]:
        out.paragraph(f"  {line}", "    ")
    if len(lines) > MOST_LISTED:
        out.line(f"  … {len(lines) - MOST_LISTED} more (--format json lists all)")


@click.command(
    cls=Verb,
    examples=[
        "stateglass doctor",
        "stateglass doctor motor.c -I include",
        "stateglass doctor src/*.c --build-dir build --missing-headers assume",
    ],
    exits={
        Exit.OK: "all is understood",
        Exit.INCONCLUSIVE: "some code is not supported",
    },
)
@reading_options
@common_options
@click.pass_obj
def command(frame: Frame, subject: dict[str, object], system: str | None, project: str | None) -> Exit:
    """Say what was found: compiler, headers, flags, and what of FILES is not supported."""
    return doctor(subject, system, project, frame.format, frame.out, frame.err)
