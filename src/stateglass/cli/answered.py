"""What commands that answer claims have in common: the look of answers, and what the exit status is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import Enum, unique
from typing import Final, final

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import write_json
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
