"""How verdicts stand out in what commands print."""

from __future__ import annotations

from typing import Final

from stateglass.cli.console import Console, Style
from stateglass.evidence import Verdict
from stateglass.views.claims.text import Styled

_STYLES: Final = {
    Verdict.HOLDS: Style.BOLD,
    Verdict.VIOLATED: Style.ERROR,
    Verdict.INCONCLUSIVE: Style.WARNING,
    Verdict.VACUOUS: Style.WARNING,
}
assert set(_STYLES) == set(Verdict)


def by_verdict(console: Console) -> Styled:
    """Words in the style of a verdict, if the console has styles."""
    return lambda text, verdict: console.styled(text, _STYLES[verdict])
