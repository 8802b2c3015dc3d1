"""`stateglass replay`: does the compiled code do what the evidence says?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.formats.files import decode, read_bytes
from stateglass.formats.targets import check_folder
from stateglass.reports import ReplayReport
from stateglass.source import printable

if TYPE_CHECKING:  # help must come at once
    from stateglass.views.replays import Replayed

MOST_BYTES: Final = 256 << 20
"""The largest file of evidence that is read."""


@final
@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options of `replay`."""

    claim: str | None = None
    compiler: str | None = None
    timeout: float = 10.0
    keep: str | None = None
    format: OutputFormat = OutputFormat.TEXT


def replay(path: str, options: ReplayOptions, frame: Frame) -> Exit:
    from stateglass.operations.driving import Driving
    from stateglass.pipeline import replay_evidence
    from stateglass.views.replays import Replayed, replay_chapter

    out, err = frame.out, frame.err
    if options.keep is not None:
        check_folder(options.keep.rstrip("/"))
    text = decode(read_bytes(path, MOST_BYTES), path)
    driving = Driving(options.compiler, options.timeout, options.keep)
    with ProgressLine(err) as progress:
        evidence, found = replay_evidence(path, text, options.claim, driving, progress)
    outcome = found.outcome
    kept = options.keep if found.commands else None
    replayed = Replayed(
        evidence.claim,
        evidence.verdict,
        outcome.confirmed,
        found.events,
        outcome.step,
        outcome.reason,
        bool(found.commands),
        tuple(evidence.others),
    )
    frame.keep(lambda name: replay_chapter(replayed, name))
    if options.format is OutputFormat.JSON:
        report: ReplayReport = {
            "confirmed": outcome.confirmed,
            "claim": evidence.claim,
            "verdict": evidence.verdict,
            "step": outcome.step,
            "reason": outcome.reason or None,
            "events": found.events,
            "driver": kept,
            "others": list(evidence.others),
        }
        write_json(out, "replay", report)
    else:
        _say(replayed, out)
    if not found.commands:
        err.paragraph("nothing was compiled; if the code has changed since, `stateglass check` looks again", "  ")
    if kept is not None:
        err.line(f"the driver is in {kept}; it was made with:")
        for command in found.commands:
            err.line(f"  {command}")
    return {True: Exit.OK, False: Exit.FINDINGS, None: Exit.INCONCLUSIVE}[outcome.confirmed]


def _say(replayed: Replayed, out: Console) -> None:
    from stateglass.views.replays import others_sentence, outcome_word, sentences

    style = {True: Style.BOLD, False: Style.ERROR, None: Style.WARNING}[replayed.confirmed]
    out.line(f"{printable(replayed.claim)}: {out.styled(outcome_word(replayed.confirmed), style)}")
    for text in sentences(replayed):
        out.paragraph(f"  {text}", "    ")
    if replayed.others:
        out.paragraph(f"  {others_sentence(replayed)}", "    ")
        for claim in replayed.others:
            out.line(f"    {printable(claim)}")


@click.command(
    cls=Verb,
    examples=[
        "stateglass check log.c --function put -o evidence.json",
        "stateglass replay evidence.json",
        "stateglass replay evidence.json --claim no-error --keep driver",
        "stateglass replay evidence.json --compiler clang --format json",
    ],
    exits={
        Exit.OK: "confirmed",
        Exit.FINDINGS: "refuted",
        Exit.INCONCLUSIVE: "neither can be said",
    },
)
@click.argument("evidence")
@click.option("--claim", metavar="NAME", help="Of several claims, this one. Default: the first that is violated.")
@click.option(
    "--compiler",
    metavar="CC",
    help="The compiler. Default: $CC, else cc, gcc or clang. For C++: the one beside it, or $CXX.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    metavar="SECONDS",
    help="How long the code may run. Default: 10.",
)
@click.option("--keep", metavar="FOLDER", type=click.Path(), help="Keep the driver there.")
@common_options
@click.pass_obj
def command(
    frame: Frame, evidence: str, claim: str | None, compiler: str | None, timeout: float, keep: str | None
) -> Exit:
    """Compile the real code with a driver that follows EVIDENCE, run it, and compare.

    EVIDENCE is what `stateglass check FILE.c … -o evidence.json` writes. The driver calls the functions with the
    arguments of the run, stands for functions without a body, gives volatile variables their values, and compares
    calls, results and global variables with the run. Of a class it makes an object, with doubles of its parts.
    Run it where the evidence was made: files are named from there.
    """
    options = ReplayOptions(claim, compiler, timeout, keep, frame.format)
    return replay(evidence, options, frame)
