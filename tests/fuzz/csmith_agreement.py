"""Programs of csmith: our checksum against gcc's. `python -m tests.fuzz.csmith_agreement --help` explains the options.

csmith runs with its default features. A program counts as compared if both runs come to their checksum; what kept the
others from it is counted apart, by reason. A program on which the checksums differ, or in which we see an error that
is none, is kept, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.pauses import CallingOut, Outside, Pause, Returning, Stuck
from stateglass.frontend import read_program
from stateglass.source import InputError
from stateglass.values import Concrete, FaultKind
from stateglass.work import OutOfTime
from tests.fuzz.agreement import positive

PROGRAMS: Final = 5000
KEPT: Final = "csmith-disagreements"
GCC_SECONDS: Final = 2.0
"""csmith's programs either end at once or, some of them, never."""
OUR_SECONDS: Final = 60.0
REPORT_EVERY: Final = 100
MOST_SHOWN: Final = 5
CALL_DEPTH: Final = 200
HEADER_FOLDERS: Final = ("/usr/include", "/usr/local/include")


@final
class Kind(Enum):
    """What came of a program."""

    AGREEMENT = "checksums agree"
    DISAGREEMENT = "disagreements"
    NOT_MADE = "not made or not compiled"
    ENDLESS = "do not end when gcc has compiled them"
    REFUSED = "refused"
    SLOW = "not ended by us in time"


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the program of a seed: the reason or both checksums, our time, and its text if it is to be kept."""

    kind: Kind
    what: str = ""
    seconds: float = 0.0
    source: str = ""


@final
class NotCompared(Exception):
    """There is nothing that our run could be compared with; carries the outcome."""

    def __init__(self, kind: Kind, what: str) -> None:
        super().__init__(what)
        self.outcome = Outcome(kind, what)


def main() -> int:
    options = _options()
    headers = csmith_headers()
    missing = [tool for tool in ("gcc", "csmith") if shutil.which(tool) is None] + ([] if headers else ["csmith.h"])
    if missing or headers is None:
        print(f"not installed: {', '.join(missing)}; nothing can be compared", file=sys.stderr)
        return 5
    seeds = range(options.seed, options.seed + options.programs)
    outcomes: dict[int, Outcome] = {}
    context = get_context("spawn")  # a child must not inherit clang's threads and locks half-way
    with ProcessPoolExecutor(options.jobs, context) as pool:
        results = pool.map(partial(outcome_of_seed, headers=headers, seconds=options.seconds), seeds)
        for done, (seed, outcome) in enumerate(zip(seeds, results, strict=True), 1):
            outcomes[seed] = outcome
            if outcome.kind is Kind.DISAGREEMENT:
                print(f"seed {seed}: {outcome.what}; kept in {_keep(Path(options.keep), seed, outcome)}", flush=True)
            if done % REPORT_EVERY == 0:
                print(f"{done} of {len(seeds)} programs: {_counts(outcomes)}", flush=True)
    _report(outcomes)
    return 1 if any(o.kind is Kind.DISAGREEMENT for o in outcomes.values()) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Programs of csmith: our checksum against gcc's.")
    parser.add_argument("--programs", type=positive, default=PROGRAMS, help=f"how many (default: {PROGRAMS})")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first one; the others count on from it")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="default: one for each core")
    parser.add_argument(
        "--seconds", type=float, default=OUR_SECONDS, help=f"how long we may run each (default: {OUR_SECONDS:g})"
    )
    parser.add_argument("--keep", default=KEPT, help=f"the folder for programs that differ (default: {KEPT})")
    return parser.parse_args()


def csmith_headers() -> str | None:
    """The folder that holds csmith.h."""
    for folder in HEADER_FOLDERS:
        found = sorted(Path(folder).glob("csmith*/csmith.h"))
        if found:
            return str(found[-1].parent)
    return None


def outcome_of_seed(seed: int, headers: str, seconds: float = OUR_SECONDS) -> Outcome:
    """The comparison for the program that csmith makes of a seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        try:
            expected = _expected(seed, path, headers)
        except NotCompared as reason:
            return reason.outcome
        begin = time.perf_counter()
        try:
            outcome = _compared(expected, path, headers, seconds)
        except Exception as error:  # one failure must not cost the answers for all other seeds
            outcome = Outcome(Kind.DISAGREEMENT, f"our failure: {type(error).__name__}: {error}")
        kept = path.read_text(encoding="utf-8") if outcome.kind is Kind.DISAGREEMENT else ""
        return Outcome(outcome.kind, outcome.what, time.perf_counter() - begin, kept)


def _expected(seed: int, path: Path, headers: str) -> str:
    """The checksum that the program of a seed prints when gcc has compiled it."""
    binary = path.with_suffix("")
    try:
        # csmith leaves a file of its own in the folder that it runs in.
        made = ["csmith", "-s", str(seed), "-o", str(path)]
        subprocess.run(made, cwd=path.parent, capture_output=True, timeout=60, check=True)
        command = ["gcc", "-w", "-O0", "-I", headers, str(path), "-o", str(binary)]
        subprocess.run(command, capture_output=True, timeout=60, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise NotCompared(Kind.NOT_MADE, f"{type(error).__name__} of {Path(error.cmd[0]).name}") from error
    try:
        run = subprocess.run([binary], capture_output=True, text=True, timeout=GCC_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotCompared(Kind.ENDLESS, f"still running after {GCC_SECONDS:g} s") from error
    checksum = re.fullmatch(r"checksum = ([0-9A-F]+)\s*", run.stdout)
    if checksum is None or run.returncode != 0:
        raise NotCompared(Kind.NOT_MADE, f"gcc's run ends with status {run.returncode} and no checksum")
    return checksum[1]


def _compared(expected: str, path: Path, headers: str, seconds: float) -> Outcome:
    try:
        program = read_program((str(path),), (f"-I{headers}",), volatile_is_input=False).program
    except InputError as error:
        return Outcome(Kind.REFUSED, f"not read: {error.diagnostics[0].message}")
    # csmith takes addresses of members of packed structures, and x86 does not mind.
    machine = Machine(program, Concrete(), max_depth=CALL_DEPTH, tolerated=(FaultKind.ALIGNMENT,))
    deadline = time.monotonic() + seconds
    machine.interrupt = lambda: time.monotonic() > deadline
    printed: list[int] = []
    try:
        pause: Pause = machine.start("main", [1, 0][: len(program.functions["main"].parameters)])
        while isinstance(pause, CallingOut):
            printed += pause.arguments[-1:]
            pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), 0)
    except OutOfTime:
        return Outcome(Kind.SLOW, f"still running after {seconds:g} s")
    match pause:
        case Returning():
            ours = f"{printed[-1]:X}" if printed else "no checksum"
            agree = ours == expected
            return Outcome(Kind.AGREEMENT if agree else Kind.DISAGREEMENT, f"gcc has {expected}, we have {ours}")
        case Stuck(reason):
            return Outcome(Kind.REFUSED, reason)
        case _:
            return Outcome(Kind.DISAGREEMENT, f"gcc has {expected}, we have {pause}")


def _keep(folder: Path, seed: int, outcome: Outcome) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{seed}.c"
    path.write_text(outcome.source, encoding="utf-8")
    return path


def _counts(outcomes: dict[int, Outcome]) -> str:
    count = Counter(outcome.kind for outcome in outcomes.values())
    return ", ".join(f"{count[kind]} {kind.value}" for kind in Kind if count[kind] or kind is Kind.DISAGREEMENT)


def _report(outcomes: dict[int, Outcome]) -> None:
    for kind in (Kind.NOT_MADE, Kind.REFUSED):
        reasons = Counter(o.what for o in outcomes.values() if o.kind is kind)
        for reason, times in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
            print(f"{kind.value}: {times} × {reason}")
    slowest = sorted(outcomes, key=lambda seed: (-outcomes[seed].seconds, seed))[:MOST_SHOWN]
    print("slowest for us: " + ", ".join(f"seed {seed} {outcomes[seed].seconds:.1f} s" for seed in slowest))
    print(f"{len(outcomes)} programs of csmith (seeds {min(outcomes)} to {max(outcomes)}): {_counts(outcomes)}")


if __name__ == "__main__":
    sys.exit(main())
