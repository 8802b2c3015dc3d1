"""The engines for reachability, how each is asked, and how long it may work in the first round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import final

from stateglass.explore.stretches import Flow
from stateglass.unbounded import bmc, spacer
from stateglass.unbounded.abstraction import safety
from stateglass.unbounded.engines import Engine
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
    seconds: float


def attempts_of(engine: Engine) -> tuple[Attempt, ...]:
    """The engines that are asked, in their order."""
    bounded = Attempt("bmc", "bmc", bmc.run, 1.5)
    abstract = Attempt("predicate", "predicate", safety.run, 10.0)
    integers = Attempt("spacer", "spacer on integers", partial(spacer.run, encoding="integers"), 3.0)
    bits = Attempt("spacer", "spacer on bits", partial(spacer.run, encoding="bits"), 3.0)
    match engine:
        case Engine.BMC:
            return (bounded,)
        case Engine.PREDICATE:
            return (abstract,)
        case Engine.SPACER:
            return (integers, bits)
        case Engine.AUTO:
            return (bounded, integers, abstract, bits)
        case Engine.EXPLICIT:
            return ()
