"""From evidence to what the compiled code says to it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path as Folder
from typing import final

from stateglass.answers.claims import names_asked
from stateglass.answers.confirming import Explored
from stateglass.answers.how import is_decidable
from stateglass.answers.replaying import Replay, replay
from stateglass.frontend import Reading
from stateglass.logic.claims import Claim
from stateglass.operations.assembling import assemble_or_open, manner_of, opened_up, read
from stateglass.options import ExtractOptions
from stateglass.replay.driving.running import Compiling, Workshop
from stateglass.replay.recorded import Evidence
from stateglass.system import System
from stateglass.unbounded.engines import Engine
from stateglass.values import FaultKind
from stateglass.work import Progress


@final
@dataclass(frozen=True, slots=True)
class Driving:
    """How a driver is compiled and run, and where it is kept."""

    compiler: str | None = None
    seconds: float = 10.0
    keep: str | None = None


def replayed(
    evidence: Evidence,
    claim: Claim,
    options: ExtractOptions,
    watch: frozenset[str],
    driving: Driving,
    progress: Progress,
) -> Replay:
    reading = read(options)
    # Inputs without bounds have the values that the run has.
    claimed, manner = names_asked([claim]), manner_of(options)
    system, _ = assemble_or_open(reading, options, claimed)
    is_open = is_decidable(claim, manner, Engine(options.engine))
    opened = opened_up(reading, options, system, claimed) if is_open else None
    explored = Explored(system if opened is None else opened, manner.watching(watch))
    with tempfile.TemporaryDirectory(prefix="stateglass-") as folder:
        how = compiling(reading, system, driving.compiler)
        workshop = Workshop(Folder(folder if driving.keep is None else driving.keep), how, keep=driving.keep)
        return replay(evidence, claim, explored, workshop, driving.seconds, progress)


def compiling(reading: Reading, system: System, compiler: str | None = None) -> Compiling:
    """How the user's compiler has the code."""
    wrapping = ("-fwrapv",) if FaultKind.OVERFLOW in system.undefined.wraps else ()
    return Compiling(compiler, tuple(use.for_this_machine() for use in reading.surroundings.files), wrapping)
