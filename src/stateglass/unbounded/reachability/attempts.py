"""The engines for reachability, how each is asked, and how much work it may do in the first round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import final

from stateglass.explore.stretches import Flow
from stateglass.smt import PER_SECOND
from stateglass.unbounded.abstraction import safety
from stateglass.unbounded.abstraction.seeding import Seed
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.reachability import bmc, spacer
from stateglass.unbounded.results import Result
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress


@final
@dataclass(frozen=True, slots=True)
class Attempt:
    """An engine with its options; `label` tells those of one name apart."""

    name: str
    label: str
    run: Callable[[Flow, frozenset[int], Deadline, Progress], Result]
    effort: int


def attempts_of(engine: Engine, seeds: Sequence[Seed] = ()) -> tuple[Attempt, ...]:
    """The engines that are asked, in their order; who names predicates thinks of the abstraction that has them."""
    bounded = Attempt("bmc", "bmc", bmc.run, 3 * PER_SECOND // 2)
    abstract = Attempt("predicate", "predicate", partial(safety.run, seeds=seeds), 10 * PER_SECOND)
    integers = Attempt("spacer", "spacer on integers", partial(spacer.run, encoding="integers"), 3 * PER_SECOND)
    bits = Attempt("spacer", "spacer on bits", partial(spacer.run, encoding="bits"), 3 * PER_SECOND)
    match engine:
        case Engine.BMC:
            return (bounded,)
        case Engine.PREDICATE:
            return (abstract,)
        case Engine.SPACER:
            return (integers, bits)
        case Engine.AUTO:
            return (bounded, abstract, integers, bits) if seeds else (bounded, integers, abstract, bits)
        case Engine.EXPLICIT:
            return ()
