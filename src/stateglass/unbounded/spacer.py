"""Spacer on the whole program: one relation for each rest, one rule for each stretch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, assert_never

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow, Part, Slot
from stateglass.program import Enum, Int, Scalar
from stateglass.smt import Term
from stateglass.smt.horn import Horn, Reachable, Undecided, Unreachable
from stateglass.unbounded.paths import Infeasible, walk_along
from stateglass.unbounded.proofs import check
from stateglass.unbounded.results import GivenUp, Proof, Result
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

Encoding = Literal["bits", "integers"]
ENGINE: Final = "spacer"


def run(
    flow: Flow,
    bad: Collection[int],
    time: Deadline,
    progress: Progress,
    *,
    encoding: Encoding = "integers",
    settings=None,
) -> Result:
    """An invariant that rules out some rests, or a walk to one of them; either is checked on bits."""
    progress(f"looking for an invariant over {encoding}", rests=len(flow.rests))
    horn = clauses(flow, encoding)
    decision = horn.decide(bad, time.left(), settings)
    match decision:
        case Undecided(why, is_late):
            return GivenUp(Reason.TIMEOUT if is_late else Reason.SOLVER, why, ENGINE)
        case Unreachable(conditions):
            proof = Proof(conditions, ENGINE)
            problem = check(flow, proof, bad, time)
            return proof if not problem else GivenUp(Reason.SOLVER, f"Spacer's invariant is none: {problem}", ENGINE)
        case Reachable(rules):
            return _walked(flow, rules, time)
        case _:
            assert_never(decision)


def clauses(flow: Flow, encoding: Encoding) -> Horn:
    """A flow as relations and rules; the number of a rule is that of its stretch."""
    horn = Horn(flow.terms, integers=encoding == "integers", unsigned=unsigned(flow))
    for rest in flow.rests:
        horn.relation([slot.term for slot in rest.slots])
    for stretch in flow.stretches:
        horn.rule(stretch.source, stretch.guard, stretch.target, stretch.after)
    horn.rule(None, flow.terms.true, 0, ())
    return horn


def unsigned(flow: Flow) -> frozenset[Term]:
    """The variables of a flow that are best read as unsigned numbers."""
    slots = {slot.term for rest in flow.rests for slot in rest.slots if _is_unsigned(slot)}
    chosen = {c.term for stretch in flow.stretches for c in stretch.chosen if not _is_signed(c.type)}
    return frozenset(slots | chosen)


def _is_unsigned(slot: Slot) -> bool:
    return slot.part is not Part.VALUE or not _is_signed(slot.type)


def _is_signed(type_: Scalar) -> bool:
    match type_:
        case Int(_, signed):
            return signed
        case Enum(_, representation):
            return representation.signed
        case _:
            return False


def _walked(flow: Flow, rules: tuple[int, ...], time: Deadline) -> Result:
    stretches = [number for number in rules if number < len(flow.stretches)]
    found = walk_along(flow, stretches, time, ENGINE)
    if found is None:
        return GivenUp(Reason.TIMEOUT, "whether a run exists could not be found out in time", ENGINE)
    if isinstance(found, Infeasible):
        return GivenUp(Reason.ABSTRACTION, "the run that Spacer found does not exist", ENGINE)
    return found
