"""Examples whose inputs nobody bounds, asked by each engine: programs with mistakes planted, threads, designs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

from stateglass.evidence import Verdict
from stateglass.operations.designs import HowChecked, check_design, load_design
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.unbounded.engines import Engine
from tests.agreement.rows import verdicts
from tests.test_examples import EXAMPLES

BY_ITSELF: Final = (Engine.PREDICATE, Engine.SPACER, Engine.BMC)
"""Who decides on a program without threads."""
TOGETHER: Final = (Engine.EXPLICIT, Engine.PREDICATE)
"""Who decides on threads, and on designs, which become threads."""
_ROW: Final = re.compile(r"\| \[[\w.]+\]\(([\w.]+)\) \|[^|]*\| (holds|violated) \|")
# Of these nothing says in a table what is right.
OTHERS: Final = {
    "retry/gauge.c": Verdict.VIOLATED,
    "retry/middle.c": Verdict.VIOLATED,
    "retry/retry.c": Verdict.HOLDS,
    "retry/fill.c": Verdict.HOLDS,
    "door_alarm/door.c": Verdict.HOLDS,
    "lift/c/lift.c": Verdict.HOLDS,
}
TEAM_BOUNDS: Final = {
    "kernel": (("work()", "0..1"),),
    "link": (("pending()", "0..1"),),
    "mailbox": (("demand()", "0..2"),),
    "ring": (("waiting()", "0..1"),),
}
"""Values on both sides of what the code asks, for who looks at every state."""
SHARING: Final = {"mutex/mutex", "pipe/pipe"}
"""Threads that share variables directly: all engines know them, and take long."""
DESIGNS: Final = sorted(EXAMPLES.glob("*/*.ccl"))
LARGE: Final = {"cell.ccl", "cell_mended.ccl"}
"""Twelve threads: minutes for all claims."""


def planted() -> dict[Path, Verdict]:
    """Programs with an assertion, and whether it holds, as their tables say."""
    found = {EXAMPLES / name: verdict for name, verdict in OTHERS.items()}
    for table in (EXAMPLES / "drivers" / "README.md", EXAMPLES / "handshake" / "README.md"):
        for name, verdict in _ROW.findall(table.read_text(encoding="utf-8")):
            found[table.with_name(name)] = Verdict(verdict)
    return found


def planted_verdict(file: Path, engine: Engine, seconds: float) -> Verdict:
    options = ExtractOptions(files=(str(file),), engine=engine.value, timeout=seconds, replay=False)
    return verdicts(options, ["no-error"])[0]


@final
@dataclass(frozen=True)
class Team:
    """Threads that run at the same time, and what is claimed of them."""

    name: str
    options: ExtractOptions
    claims: tuple[str, ...]


def teams() -> Iterator[Team]:
    for file in sorted(EXAMPLES.glob("threads/*/stateglass.toml")):
        said = tomllib.loads(file.read_text(encoding="utf-8"))
        claims = dict.fromkeys((*said.get("claims", {}).values(), "no-error", "no-deadlock"))
        for system in said["system"]:
            options = settings({}, system, str(file))[0]
            bounds = (*options.bounds, *TEAM_BOUNDS.get(file.parent.name, ()))
            yield Team(f"{file.parent.name}/{system}", replace(options, bounds=bounds), tuple(claims))


def team_verdicts(team: Team, engine: Engine, seconds: float) -> list[Verdict]:
    return verdicts(replace(team.options, engine=engine.value, timeout=seconds), team.claims)


def design_verdicts(file: Path, engine: Engine, seconds: float) -> list[Verdict]:
    found = check_design(load_design(str(file)), HowChecked(engine=engine.value, seconds=seconds))
    return [one.answer.verdict for checked in found for one in checked.checked]


def contradictions(whole: Sequence[Verdict], abstract: Sequence[Verdict]) -> list[tuple[int, Verdict, Verdict]]:
    """Which claims are answered in two ways; an abstraction need not see that what holds is vacuous."""
    pairs = [(n, one, other) for n, (one, other) in enumerate(zip(whole, abstract, strict=True))]
    unlike = [pair for pair in pairs if pair[1] is not pair[2] and Verdict.INCONCLUSIVE not in pair[1:]]
    return [pair for pair in unlike if pair[1:] != (Verdict.VACUOUS, Verdict.HOLDS)]
