"""Who decides claims on code, and which of them can be decided without looking at every state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.answers.confirming import Checked
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.replay.driving.failures import Outcome
from stateglass.source import Code, InputError, input_error
from stateglass.unbounded.engines import Engine, Numbers

_WITHOUT: Final = "no-error does not"
Compiled = Callable[[Checked], Outcome]
"""What the compiled code says to the run of an answer."""


@final
@dataclass(frozen=True, slots=True)
class How:
    """Who decides claims, what numbers are, and how runs are held against the compiled code; None: they are not."""

    engine: Engine = Engine.AUTO
    numbers: Numbers = Numbers.BITS
    compiled: Compiled | None = None


def is_decidable(claim: Claim) -> bool:
    """Whether a claim can be decided without looking at every state: it speaks of all runs, each by itself."""
    return claim.content is BuiltIn.NO_ERROR


def refuse_undecidable(claims: Sequence[Claim], how: How, later: int, missing: InputError | None) -> None:
    """Refuses claims for which every state must be looked at where that is not possible; all at once."""
    others = [claim for claim in claims if not is_decidable(claim)]
    if not others and not later:
        return
    named = ", ".join(f"`{claim.title}`" for claim in others) or "another run (--next)"
    if missing is not None:
        first, *rest = missing.diagnostics
        why = f"{named} needs bounds of all inputs; {_WITHOUT}"
        raise InputError([replace(first, help=f"{first.help}\n{why}"), *rest])
    asked = f"--engine {how.engine.value}" if how.numbers is Numbers.BITS else f"--numbers {how.numbers.value}"
    raise input_error(Code.USAGE, f"{named} is not decided with {asked}", help="leave it out: no-error is")


@final
class Stopped(Exception):
    """Somebody did not want to wait for an answer: how far it came."""

    def __init__(self, checked: Checked) -> None:
        super().__init__()
        self.checked = checked
