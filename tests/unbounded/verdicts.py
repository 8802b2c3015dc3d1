"""What engines say of programs: an invariant counts when it is inductive, a walk when the reference has followed it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, assert_never, final

from stateglass.explore import Manner
from stateglass.explore.stepwise import Failure
from stateglass.explore.stretches import Flow, Phase
from stateglass.system import System
from stateglass.unbounded.abstraction import safety
from stateglass.unbounded.reachability import bmc, proofs, spacer
from stateglass.unbounded.results import GivenUp, Proof, Result, Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.executing import executed
from stateglass.work import Progress, silent
from tests.unbounded.flows import bad_rests, flow_in, flow_with

Engine = Callable[[Flow, frozenset[int], Deadline, Progress], Result]
ENGINES: Final[dict[str, Engine]] = {
    "bmc": bmc.run,
    "integers": partial(spacer.run, encoding="integers"),
    "bits": partial(spacer.run, encoding="bits"),
    "predicate": safety.run,
}
CHECKING: Final = 60.0
"""So many seconds there are for looking at a proof."""


@final
@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict: True if no error can happen, False if one can, None if that is not known."""

    holds: bool | None
    result: Result
    refused: str = ""  # why what the engine said was not believed


def decided(system: System, engine: Engine, seconds: float) -> Decided:
    return decided_on(system, flow_in(system), engine, seconds)


def decided_with(system: System, texts: Sequence[str], seconds: float) -> Decided:
    """The verdict of an abstraction that begins with predicates of a user."""
    flow, asked = flow_with(system, *texts)
    return decided_on(system, flow, partial(safety.run, seeds=[one.seed for one in asked]), seconds)


def decided_on(system: System, flow: Flow, engine: Engine, seconds: float) -> Decided:
    bad = bad_rests(flow)
    result = engine(flow, bad, Deadline(seconds), silent)
    match result:
        case Proof():
            problem = proofs.check(flow, result, bad, Deadline(CHECKING))
            return Decided(None, result, f"no invariant: {problem}") if problem else Decided(True, result)
        case Walk():
            done = executed(system, flow, result, Manner())
            if isinstance(done, Failure):
                return Decided(None, result, f"no run: {done.reason}")
            return Decided(False, result, done.differs)
        case GivenUp():
            return Decided(None, result)
        case other:
            assert_never(other)


def is_lost(system: System, result: Result) -> bool:
    """Whether what was found is a way to code that is not modelled: there is no run to its end."""
    flow = flow_in(system)
    return isinstance(result, Walk) and flow.rests[flow.stretches[result.stretches[-1]].target].phase is Phase.LOST
