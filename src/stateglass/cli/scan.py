"""`stateglass scan`: which variables may be the state of a function."""

from __future__ import annotations

import os
import textwrap
from itertools import zip_longest
from typing import Final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import scanned_options
from stateglass.cli.telling import say_diagnostics
from stateglass.operations.hypotheses import REST, Candidate, Scan, Use
from stateglass.operations.proposing import scan_functions
from stateglass.options.settings import settings
from stateglass.reports import ScanReport
from stateglass.source import counted, kept_by_caller

MOST_USES: Final = 6
MOST_INDIRECT: Final = 4
"""Where nothing is asked for itself, so many candidates are shown with the decisions that depend on them."""
MOST_NAMED: Final = 12
_HEAD: Final = ("name", "effect", "decides at", "ranges")
_GAP: Final = "  "


def scan(
    cli: dict[str, object], system: str | None, project: str | None, format: OutputFormat, out: Console, err: Console
) -> Exit:
    options, warnings = settings(cli, system, project)
    with ProgressLine(err) as progress:
        progress("reading")
        found, more = scan_functions(options)
    say_diagnostics(err, (*warnings, *more))
    if format is OutputFormat.JSON:
        write_json(out, "scan", _facts(found))
    else:
        _tell(found, out)
    _conclude(found, err)
    if found.unsupported:
        return Exit.INCONCLUSIVE
    return Exit.OK if found.candidates else Exit.NOTHING_TO_CHECK


def _conclude(found: Scan, err: Console) -> None:
    functions = [f for f in found.functions if any(c.function == f for c in found.candidates)]
    if found.candidates:
        where = ", ".join(functions) if len(functions) < 5 else f"{len(functions)} functions"
        err.paragraph(f"{where}: {counted(len(found.candidates), 'state-variable candidate')}", "  ")
    else:
        where = ", ".join(found.functions) if len(found.functions) < 5 else f"{len(found.functions)} functions"
        err.paragraph(
            f"{where}: no state-variable candidate: no variable that outlives a call decides about anything", "  "
        )
    for function, parameter in found.handed:
        if function not in functions:
            err.paragraph(f"{function} returns a value like `{parameter}`: {kept_by_caller(function, parameter)}", "  ")
    for reason, span in found.unsupported:
        word = err.styled("partial", Style.WARNING)
        err.paragraph(f"{word}: there may be more, for {span} was not looked at: {reason}", "  ")


def _facts(found: Scan) -> ScanReport:
    return {
        "functions": list(found.functions),
        "candidates": [
            {
                "name": c.name,
                "function": c.function,
                "type": str(c.type),
                "written": c.written,
                "through": c.through,
                "effect_size": c.effect_size,
                "uses": [
                    {
                        "file": u.span.file,
                        "line": u.span.line,
                        "column": u.span.start.column,
                        "function": u.function,
                        "condition": u.condition,
                        "direct": u.direct,
                    }
                    for u in c.uses
                ],
                "invariants": [r.condition for r in c.invariants],
            }
            for c in found.candidates
        ],
        "partial": bool(found.unsupported),
        "partial_reasons": [f"{span}: {reason}" for reason, span in found.unsupported],
    }


def _tell(found: Scan, out: Console) -> None:
    first = True
    for function in found.functions:
        own = [c for c in found.candidates if c.function == function]
        state, inputs = [c for c in own if c.written], [c for c in own if not c.written]
        titles = (f"{function} may keep its state in", f"{function} only reads, as inputs,")
        for title, candidates in zip(titles, (state, inputs), strict=True):
            if candidates:
                out.line(("" if first else "\n") + out.styled(title, Style.BOLD))
                first = False
                _table(candidates, out)


def _table(candidates: list[Candidate], out: Console) -> None:
    """Columns are as wide as what is in them; where the line is too short for that, the last three share it."""
    deciding = [c for c in candidates if _decides(c)] or candidates[:MOST_INDIRECT]
    rows = [_HEAD, *((c.name, str(c.effect_size), _uses(c), _ranges(c)) for c in deciding)]
    needed = [max(len(line) for row in rows for line in row[n].split("\n")) for n in range(len(_HEAD))]
    rest = out.width - needed[1] - len(_HEAD) * len(_GAP)
    name = min(needed[0], rest // 3)
    ranges = min(needed[3], max((rest - name) // 2, rest - name - needed[2]))
    widths = (name, needed[1], min(needed[2], rest - name - ranges), ranges)
    for row in rows:
        cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            columns = [
                part.rjust(width) if n == 1 else part.ljust(width)
                for n, (part, width) in enumerate(zip(parts, widths, strict=True))
            ]
            out.line((_GAP + _GAP.join(columns)).rstrip())
    others = [c.name for c in candidates if c not in deciding]
    if others:
        listed = ", ".join(others[:MOST_NAMED]) + (f", … {len(others) - MOST_NAMED} more" * (len(others) > MOST_NAMED))
        out.paragraph(f"{_GAP}Indirectly also: {listed}", 2 * _GAP)
    for pointer in dict.fromkeys(c.through for c in deciding if c.through is not None):
        out.line(f"{_GAP}What `{pointer}` points to is state of that object, and there may be several.")


def _decides(candidate: Candidate) -> bool:
    """Whether the code asks for the value itself, and not only for what becomes of it."""
    return any(use.direct for use in candidate.uses)


def _wrapped(cell: str, width: int) -> list[str]:
    return [
        line
        for paragraph in cell.split("\n")
        for line in textwrap.wrap(paragraph, width, subsequent_indent="  ", break_on_hyphens=False) or [""]
    ]


def _uses(candidate: Candidate) -> str:
    """The decisions of a candidate, those that read it first; each with its line, and its file if it is another one."""
    ordered = sorted(candidate.uses, key=lambda use: not use.direct)
    # A macro may decide several times in one line.
    lines = list(dict.fromkeys(_use(use, candidate.function) for use in ordered))
    more = [f"… {len(lines) - MOST_USES} more (--format json lists all)"] if len(lines) > MOST_USES else []
    return "\n".join((*lines[:MOST_USES], *more))


def _use(use: Use, function: str) -> str:
    where = f"{use.span.line}" if use.function == function else f"{os.path.basename(use.span.file)}:{use.span.line}"
    return f"{where}: {use.condition}{'' if use.direct else ' (indirectly)'}"


def _ranges(candidate: Candidate) -> str:
    shown = [REST if r.name == f"{candidate.name} {REST}" else r.condition for r in candidate.invariants]
    return "\n".join(shown) or "(not told apart)"


@click.command(
    cls=Verb,
    examples=["stateglass scan timer.c", "stateglass scan motor.c ramp.c --function motor_step --format json"],
    exits={
        Exit.OK: "there are candidates",
        Exit.INCONCLUSIVE: "there may be more: some code is not supported",
        Exit.NOTHING_TO_CHECK: "there is none",
    },
)
@scanned_options
@common_options
@click.pass_obj
def command(frame: Frame, subject: dict[str, object], system: str | None, project: str | None) -> Exit:
    """List the variables that may be the state of the functions in FILES.

    A candidate is static or global, or part of what a pointer leads to; it influences a decision; and on some path it
    is read before it is written. They are sorted by how much of the code depends on them.
    """
    return scan(subject, system, project, frame.format, frame.out, frame.err)
