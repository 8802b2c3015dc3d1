"""All campaigns over random programs, models and designs, one after the other: `python -m tests.fuzz`.

Without `--minutes` each does as much as its line below says. With it each goes on with new seeds until it has used that
much processor time, so that a run on a busy machine is worth as much as one on an idle one. The exit status is 1 if one
of them found something.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

SEED: Final = 1
FIRST: Final = 5
"""So many programs are tried first, to see how long one takes."""
OF_THE_REST: Final = 0.5
"""Of the time that is left, so much is given to the next programs: what they take is a guess."""
INSTALLING_CSMITH: Final = Path(__file__).parents[2] / "scripts" / "install_csmith.sh"


@final
@dataclass(frozen=True, slots=True)
class Campaign:
    """One comparison, with the option that says how many programs it is made for, and how many are a night's work."""

    module: str
    count: int
    words: tuple[str, ...] = ()
    counted: str = "--programs"
    alone: tuple[str, ...] = ()  # what makes it take one core
    goes_on: bool = True  # other seeds make more of it

    @property
    def name(self) -> str:
        return " ".join((self.module, *self.words))

    def command(self, seed: int, count: int, *, alone: bool) -> list[str]:
        numbers = ("--seed", str(seed), self.counted, str(count)) if self.goes_on else ()
        return [
            sys.executable,
            "-m",
            f"tests.fuzz.{self.module}",
            *self.words,
            *numbers,
            *(self.alone if alone else ()),
        ]


_ONE_PROCESS: Final = ("--processes", "1")
CAMPAIGNS: Final = (
    # Values and programs on abstract values.
    Campaign("abstract_soundness", 100, counted="--rounds"),
    Campaign("abstract_simulation", 2000),
    Campaign("abstract_simulation", 500, ("--risky",)),
    # Data without bounds: flows, engines, verdicts that are known, runs that are told, the compiled code.
    Campaign("flow_agreement", 200),
    Campaign("unbounded_agreement", 100),
    Campaign("unbounded_agreement", 100, ("--kind", "handed")),
    Campaign("walks_agreement", 100),
    Campaign("walks_agreement", 100, ("--kind", "bounded")),
    Campaign("walks_agreement", 100, ("--kind", "risky")),
    Campaign("known_verdicts", 1000),
    Campaign("known_verdicts", 500, ("--kind", "handed")),
    Campaign("temporal_agreement", 500),
    Campaign("temporal_agreement", 100, ("--open",)),
    Campaign("compiled_agreement", 100),
    Campaign("compiled_agreement", 100, ("--kind", "reactive")),
    Campaign("compiled_agreement", 100, ("--kind", "risky")),
    Campaign("compiled_agreement", 100, ("--kind", "handed")),
    # Threads and designs.
    Campaign("threads_agreement", 1000),
    Campaign("sharing_agreement", 1000),
    Campaign("assemblies_agreement", 3000, counted="--designs"),
    Campaign("assemblies_mutation", 1, goes_on=False),
    Campaign("consistency_agreement", 200, counted="--classes"),
    Campaign("examples_agreement", 1, goes_on=False),
    # What programs mean, against compilers.
    Campaign("gcc_agreement", 3000, alone=_ONE_PROCESS),
    Campaign("cplusplus_agreement", 2000, alone=_ONE_PROCESS),
    Campaign("subject_campaign", 1000, alone=_ONE_PROCESS),
    Campaign("cplusplus_library", 20),
    Campaign("csmith_agreement", 5000, alone=("--jobs", "1")),
    # Functions run for all inputs at once, machines, claims and stories on models.
    Campaign("merged_agreement", 200),
    Campaign("merged_agreement", 100, ("--risky",)),
    Campaign("reflexion_agreement", 2000, counted="--cases"),
    Campaign("claims_agreement", 60, counted="--cases"),
    Campaign("scenarios_agreement", 4000, counted="--cases"),
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, help="of processor time for each campaign, on one core")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first program of each (default: %(default)s)")
    names = sorted({campaign.module for campaign in CAMPAIGNS})
    parser.add_argument("--only", choices=names, action="append", help="may be repeated (default: all)", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="print their names, and do nothing")
    options = parser.parse_args()
    chosen = [campaign for campaign in CAMPAIGNS if not options.only or campaign.module in options.only]
    if options.list:
        print("\n".join(campaign.name for campaign in chosen))
        return 0
    return run(chosen, options.seed, options.minutes)


def run(campaigns: Sequence[Campaign], seed: int, minutes: float | None) -> int:
    lines: list[str] = []
    failed = False
    for campaign in campaigns:
        print(f"== {campaign.name}", flush=True)
        if campaign.module == "csmith_agreement" and not _has_csmith():
            lines.append(f"{campaign.name}: not run: csmith could not be installed")
            continue
        before = _used()
        if minutes is None or not campaign.goes_on:
            found, tried = _ended_badly(campaign.command(seed, campaign.count, alone=False)), campaign.count
        else:
            found, tried = _for_a_while(campaign, seed, 60 * minutes)
        failed |= found
        took = f"{(_used() - before) / 60:.1f} min"
        lines.append(f"{campaign.name}: {'FOUND SOMETHING' if found else 'nothing'} in {tried}, {took}")
    print("\n== all campaigns")
    print("\n".join(lines))
    return 1 if failed else 0


def _for_a_while(campaign: Campaign, seed: int, seconds: float) -> tuple[bool, int]:
    """Goes on with new seeds until the time is used; whether something was found, and in how many programs."""
    begin, tried, found, count = _used(), 0, False, FIRST
    while True:
        found |= _ended_badly(campaign.command(seed + tried, count, alone=True))
        tried += count
        used = _used() - begin
        count = int((seconds - used) * OF_THE_REST * tried / max(used, 0.1))
        if used >= seconds or not count:
            return found, tried


def _ended_badly(command: Sequence[str]) -> bool:
    status = subprocess.run(command, check=False).returncode
    if status < 0:
        print(f"it was ended by signal {-status}: {' '.join(command[2:])}", flush=True)
    return status != 0


def _used() -> float:
    """Seconds of processor time that all campaigns have used so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _has_csmith() -> bool:
    return not _ended_badly(["sh", str(INSTALLING_CSMITH)])


if __name__ == "__main__":
    sys.exit(main())
