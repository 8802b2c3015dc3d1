"""What commands that answer claims have in common: the look of answers, and what the exit status is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum, unique
from typing import Final, final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import AnyCommand, write_json
from stateglass.cli.styles import by_verdict
from stateglass.evidence import Verdict
from stateglass.reports import CheckReport
from stateglass.views.claims.cards import Card
from stateglass.views.claims.junit import junit
from stateglass.views.claims.sarif import sarif
from stateglass.views.claims.text import card_lines

EXITS: Final = {
    Verdict.HOLDS: Exit.OK,
    Verdict.VIOLATED: Exit.FINDINGS,
    Verdict.INCONCLUSIVE: Exit.INCONCLUSIVE,
    Verdict.VACUOUS: Exit.FINDINGS,
}
assert set(EXITS) == set(Verdict)


@final
@unique
class CheckFormat(Enum):
    """The `--format` option of commands that answer claims."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"


def answers_format_option(command: AnyCommand) -> AnyCommand:
    """Adds `--format` to a command that answers claims."""
    return click.option(
        "--format",
        type=click.Choice([format.value for format in CheckFormat]),
        default=CheckFormat.TEXT.value,
        help="What standard output is: text (the default), json, sarif or junit.",
    )(command)


def answers_output_option(command: AnyCommand) -> AnyCommand:
    """Adds `-o` to a command whose answers have runs."""
    return click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="OUT",
        help="Write the answers (.json .sarif .xml .html) or a run (.svg and .mmd: sequence diagrams, .itf.json); may"
        " be repeated.",
    )(command)


def print_answers(
    cards: Sequence[Card], report: CheckReport, format: CheckFormat, out: Console, command: str = "check"
) -> None:
    """The answers on standard output."""
    match format:
        case CheckFormat.JSON:
            write_json(out, command, report)
        case CheckFormat.SARIF:
            out.line(json.dumps(sarif(cards), indent=2, ensure_ascii=False))
        case CheckFormat.JUNIT:
            out.write(junit(cards))
        case CheckFormat.TEXT:
            for card in cards:
                for line in card_lines(card, out.width, by_verdict(out)):
                    out.line(line)
