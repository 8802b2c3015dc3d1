"""Several claims and one budget of time: they take turns by the work that they cost, so that none has all of it.

Which of them are decided must not depend on how fast or busy a machine is, as long as there is time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stateglass.answers.checking import Checked, Checking
from stateglass.answers.how import Stopped
from stateglass.evidence import Verdict
from stateglass.logic.claims import Claim
from stateglass.model import ModelBuilder
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

TURN: Final = 20.0
"""A claim may cost as much work in the first round as so many seconds are worth."""
GROWTH: Final = 3
"""Each round it may cost so many times more."""


def in_turns(
    claims: Sequence[Claim], time: Deadline, answered: Callable[[Claim, Deadline], Checked]
) -> Iterator[tuple[int, Checked]]:
    """Answers to claims, by their numbers: those that more work may change are given again until time is over."""
    left, most = list(range(len(claims))), TURN
    while left:
        more = []
        for number in left:
            # Who is alone needs not hurry.
            turn = time if len(left) == 1 else time.worth(most)
            found = answered(claims[number], turn)
            yield number, found
            if found.answer.verdict is Verdict.INCONCLUSIVE and turn.is_over():
                more.append(number)
        left = [] if time.is_over() else more
        most *= GROWTH


def checked_in_turns(
    claims: Sequence[Claim], time: Deadline, answered: Callable[[Claim, Deadline], Checked], progress: Progress
) -> Checking:
    """The answers to claims, each on a model of its own; fewer if somebody does not want to wait for all."""
    known: dict[int, Checked] = {}
    interrupted, unfinished = False, 0
    try:
        for number, found in in_turns(claims, time, answered):
            known[number] = found
            progress("checking", claims=len(known))
    except KeyboardInterrupt:
        interrupted = True
    except Stopped as stopped:
        known.setdefault(next(n for n, claim in enumerate(claims) if claim is stopped.checked.claim), stopped.checked)
        interrupted, unfinished = True, 1
    checked = tuple(known[number] for number in sorted(known))
    models = [one.asked or one.model for one in checked]
    largest = max(models, key=lambda model: model.states) if models else ModelBuilder().build(1)
    return Checking(largest, checked, interrupted, len(set(map(id, models))), unfinished=unfinished)
