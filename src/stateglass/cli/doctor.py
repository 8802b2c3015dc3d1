"""`stateglass doctor`: what was found on this machine, and what of the given files is understood."""

from __future__ import annotations

import platform
from dataclasses import replace
from importlib import metadata
from typing import Final

import click

from stateglass import __version__
from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.subject import reading_options
from stateglass.pipeline import Examination, examine, settings
from stateglass.source import Code, InputError, render_diagnostic

PACKAGES: Final = ("libclang-ng", "numpy", "pygraphviz", "lark")
MOST_LISTED: Final = 40


def doctor(
    cli: dict[str, object], system: str | None, project: str | None, format: OutputFormat, out: Console, err: Console
) -> Exit:
    options, warnings = settings(cli, system, project)
    try:
        found = examine(options)
    except InputError as error:
        # Code that clang cannot read is why people ask the doctor: what was found around it may tell the reason.
        if format is OutputFormat.TEXT and any(d.code is Code.SYNTAX for d in error.diagnostics):
            _tell(examine(replace(options, files=())), out)
        raise
    for warning in (*warnings, *found.warnings):
        err.line(render_diagnostic(warning))
    if format is OutputFormat.JSON:
        write_json(out, "doctor", _facts(found))
    else:
        _tell(found, out)
    return Exit.INCONCLUSIVE if found.unsupported else Exit.OK


def _facts(found: Examination) -> dict[str, object]:
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
        "flags": list(surroundings.flags),
        "dropped_flags": list(surroundings.dropped),
        "files": [{"name": f.name, "functions": f.functions, "supported": f.supported} for f in found.files],
        "unsupported": [
            {"function": u.function, "reason": u.reason, "file": u.span.file, "line": u.span.line}
            for u in found.unsupported
        ],
        "without_body": list(found.without_body),
        "undefined_variables": list(found.undefined_variables),
    }


def _tell(found: Examination, out: Console) -> None:
    surroundings, target = found.surroundings, found.target
    out.line(f"stateglass {__version__} on Python {platform.python_version()}")
    out.line("packages: " + ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES))
    out.line(f"clang: {surroundings.clang} (part of libclang-ng)")
    if surroundings.compiler is None:
        out.line("compiler: none found; only the headers that Stateglass and clang bring along are known")
    else:
        out.line(f"compiler: {surroundings.compiler} (asked for its header folders)")
    for folder in surroundings.include_folders:
        out.line(f"  {folder}")
    order = "big-endian" if target.big_endian else "little-endian"
    out.line(f"target: {target.triple}, {target.int_bits}-bit int, {8 * target.pointer_size}-bit pointers, {order}")
    shown = [f for f in surroundings.flags if not f.startswith(("-isystem", "-Wno-"))]
    out.line(f"flags: {' '.join(shown)}")
    lenient = sum(f.startswith("-Wno-") for f in surroundings.flags)
    out.line(f"gcc's leniencies allowed: {lenient} (--format json lists them)")
    for flag in surroundings.dropped:
        out.line(f"flag dropped, clang does not know it: {flag}")
    for file in found.files:
        out.line(f"{file.name}: {file.supported} of {file.functions} functions understood in full")
    _list(out, "not supported", [f"{u.span}: {u.reason} (in {u.function})" for u in found.unsupported])
    _list(out, "without a body, so assumed about", list(found.without_body))
    _list(out, "declared but defined nowhere, so they start at zero", list(found.undefined_variables))


def _list(out: Console, title: str, lines: list[str]) -> None:
    if not lines:
        return
    out.line(f"{out.styled(title, Style.BOLD)}:")
    for line in lines[:MOST_LISTED]:
        out.line(f"  {line}")
    if len(lines) > MOST_LISTED:
        out.line(f"  … {len(lines) - MOST_LISTED} more (--format json lists all)")


@click.command(cls=Verb, examples=["stateglass doctor", "stateglass doctor motor.c -I include"])
@reading_options
@common_options
@click.pass_obj
def command(frame: Frame, subject: dict[str, object], system: str | None, project: str | None) -> Exit:
    """Say what was found: compiler, headers, flags dropped, and what of FILES is not supported and why."""
    return doctor(subject, system, project, frame.format, frame.out, frame.err)
