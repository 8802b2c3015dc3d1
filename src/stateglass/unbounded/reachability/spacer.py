"""Spacer on the whole program: one relation for each rest, one rule for each stretch.

Where a variable says in which state a machine is, each of its states has relations of its own. Numbers are integers or
rows of bits; whatever was taken for granted about them, what comes out is checked on bits.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal, assert_never, final

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow
from stateglass.smt import Effort
from stateglass.smt.horn import Decision, Horn, Reachable, Undecided, Unreachable
from stateglass.unbounded.reachability.proofs import check
from stateglass.unbounded.reachability.splitting import Split, split
from stateglass.unbounded.readings import unsigned
from stateglass.unbounded.results import GivenUp, Proof, Result
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import Infeasible, walk_along
from stateglass.work import Progress

Encoding = Literal["bits", "integers"]
ENGINE: Final = "spacer"
_GUIDED: Final = {"spacer.global": True}
"""Lemmas are generalised from many at once: better for sums, worse for machines with many states."""
_APART: Final = {"spacer.ground_pobs": False}
"""What is to be ruled out keeps its variables; for machines with many states it makes little difference."""


@final
@dataclass(frozen=True, slots=True)
class _Manner:
    """One way to ask."""

    integers: bool
    wraps: bool  # also of signed numbers
    share: float  # of the work that may be done, or of the time that is left


_MANNERS: Final[Mapping[Encoding, tuple[_Manner, ...]]] = {
    # That signed numbers fit is nearly always true, and the conditions that say so make up half of a formula.
    "integers": (_Manner(True, False, 0.7), _Manner(True, True, 1.0)),
    "bits": (_Manner(False, True, 1.0),),
}


def run(
    flow: Flow, bad: Collection[int], time: Deadline, progress: Progress, *, encoding: Encoding = "integers"
) -> Result:
    """An invariant that rules out some rests, or a walk to one of them; either is checked on bits."""
    progress(f"looking for an invariant over {encoding}", rests=len(flow.rests))
    parts = split(flow)
    result: Result = GivenUp(Reason.TIMEOUT, "there was no time", ENGINE)
    for rounds, manner in enumerate(_MANNERS[encoding], 1):
        result = _asked(flow, parts, bad, time, manner, rounds)
        if not isinstance(result, GivenUp) or time.is_over():
            break
    return result


def _asked(
    flow: Flow, parts: Split | None, bad: Collection[int], time: Deadline, manner: _Manner, rounds: int
) -> Result:
    asked = flow if parts is None else parts.flow
    goals = bad if parts is None else parts.parts_of(bad)
    horn = clauses(asked, manner.integers, wraps=manner.wraps)
    settings: Mapping[str, bool] = _APART if parts is not None else _GUIDED if manner.integers else {}
    effort = None if time.effort is None else Effort(int(time.effort.left() * manner.share), time.effort)
    # Where work is counted, the clock is not asked who is next.
    seconds = time.left() if effort is not None else time.left() * manner.share
    decision: Decision = horn.decide(goals, seconds, settings, effort)
    match decision:
        case Undecided(why, is_late):
            return GivenUp(Reason.TIMEOUT if is_late else Reason.SOLVER, why, ENGINE, rounds)
        case Unreachable(conditions):
            proof = Proof(conditions if parts is None else parts.whole_invariant(conditions), ENGINE, rounds)
            problem = check(flow, proof, bad, time)
            if not problem:
                return proof
            if time.is_over():
                return GivenUp(Reason.TIMEOUT, "Spacer's invariant could not be checked in time", ENGINE, rounds)
            return GivenUp(Reason.SOLVER, f"Spacer's invariant is none: {problem}", ENGINE, rounds)
        case Reachable(rules):
            stretches = [number for number in rules if number < len(asked.stretches)]
            if not stretches or asked.stretches[stretches[-1]].target not in goals:
                return GivenUp(Reason.SOLVER, "Spacer does not say all of the run that it found", ENGINE, rounds)
            return _walked(flow, stretches if parts is None else [parts.stretches[n] for n in stretches], time, rounds)
        case _:
            assert_never(decision)


def clauses(flow: Flow, integers: bool, *, wraps: bool = True) -> Horn:
    """A flow as relations and rules; the number of a rule is that of its stretch."""
    horn = Horn(flow.terms, integers=integers, unsigned=unsigned(flow), wraps=wraps)
    for rest in flow.rests:
        horn.relation([slot.term for slot in rest.slots])
    for stretch in flow.stretches:
        horn.rule(stretch.source, stretch.guard, stretch.target, stretch.after)
    horn.rule(None, flow.terms.true, 0, ())
    return horn


def _walked(flow: Flow, stretches: list[int], time: Deadline, rounds: int) -> Result:
    found = walk_along(flow, stretches, time, ENGINE)
    if found is None:
        return GivenUp(Reason.TIMEOUT, "whether a run exists could not be found out in time", ENGINE, rounds)
    if isinstance(found, Infeasible):
        return GivenUp(Reason.ABSTRACTION, "the run that Spacer found does not exist", ENGINE, rounds)
    return found
