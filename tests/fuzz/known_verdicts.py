"""Engines for unbounded data on random programs whose verdict is known by how they are made.

No verdict may be wrong, and nothing that an engine says may be refused by whoever looks at it again; what is not
decided is counted. `python -m tests.fuzz.known_verdicts --help` explains the options. The exit status is 1 if something
is wrong.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from stateglass.explore.stretches import flow_of
from stateglass.system import System, build_system
from stateglass.work import OutOfTime
from tests.fuzz.agreement import read
from tests.fuzz.asserted import asserted
from tests.fuzz.handed_programs import handed
from tests.fuzz.known_programs import Known, known
from tests.fuzz.seeds import parser_of, run
from tests.unbounded.flows import system_of
from tests.unbounded.verdicts import ENGINES, decided, is_lost

SECONDS: Final = 10.0
READING: Final = 20.0
"""Programs that take more seconds to become a flow are left out."""
MADE: Final[dict[str, Callable[[int], Known]]] = {"machines": known, "handed": handed}
KINDS: Final = (*MADE, "asserted")


def compare_seed(
    seed: int, names: tuple[str, ...], seconds: float, folder: Path, kind: str = "machines"
) -> tuple[Counter[str], list[str]]:
    """What engines say of the program of a seed, and what is wrong about it."""
    if kind in MADE:
        program = MADE[kind](seed)
        return compare(lambda: system_of(folder, program.text, program.function), names, seconds, holds=program.holds)
    made = asserted(seed, folder)
    if made is None:
        return Counter(["not fit"]), []
    system = build_system(read(made.files, folder / "asserted"), ("main",), open=True)
    try:
        flow_of(system, seconds=READING)
    except OutOfTime:
        return Counter(["too large"]), []
    return compare(lambda: system, names, seconds, holds=made.holds)


def compare(
    system: Callable[[], System], names: tuple[str, ...], seconds: float, *, holds: bool
) -> tuple[Counter[str], list[str]]:
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for name in names:
        # For each engine anew: what one has made of the terms does not help the next.
        try:
            asked = system()
            found = decided(asked, ENGINES[name], seconds)
            lost = is_lost(asked, found.result)
        except Exception as error:  # the other engines and programs are to be tried all the same
            wrong.append(f"{name}: our failure: {type(error).__name__}: {error}")
            continue
        if lost:
            seen[f"{name} not modelled"] += 1
            continue
        said = {True: "holds", False: "violated", None: "inconclusive"}[found.holds]
        seen[f"{name} {said}"] += 1
        if found.refused:
            wrong.append(f"{name}: {said}, but {found.refused}")
        elif found.holds is not None and found.holds != holds:
            wrong.append(f"{name}: {said}, and that is wrong")
    return seen, wrong


def main() -> int:
    parser = parser_of(__doc__, 250)
    parser.add_argument("--kind", choices=KINDS, default="machines", help="of programs")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each engine and program")
    parser.add_argument("--engine", action="append", choices=sorted(ENGINES), help="only this; may be repeated")
    options = parser.parse_args()
    names = tuple(options.engine or ENGINES)
    return run(options, lambda seed, folder: compare_seed(seed, names, options.seconds, folder, options.kind))


if __name__ == "__main__":
    sys.exit(main())
