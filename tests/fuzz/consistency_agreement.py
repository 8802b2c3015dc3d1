"""Random statecharts as classes, some with a mistake: what is said of functions has to be true of their calls.

`python -m tests.fuzz.consistency_agreement --help` explains the options. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from tests.assemblies.implementing import machine, mistaken, moves, same_runs
from tests.assemblies.test_consistency import held_class, results_of

KINDS: Final = ("", "missing transition", "wrong guard", "extra transition", "wrong state", "forgotten output")


def difference(seed: int, counts: Counter[str]) -> str:
    """What is said differently of one class; results are counted."""
    dice, kind = random.Random(seed), KINDS[seed % len(KINDS)]
    right = machine(dice)
    code = mistaken(right, dice, kind) if kind else right
    with tempfile.TemporaryDirectory() as folder:
        found = held_class(right, code, Path(folder))
    said = {one.handler.pin.name: results_of(one) for one in found.held}
    known = {pin: moves(code, right, pin) for pin in ("p", "q")}
    counts.update(" + ".join(sorted(results)) for edges in known.values() for results in edges.values())
    is_same = found.simulated.related is same_runs(code, right)
    return "" if said == known and is_same else f"{kind or 'no mistake'}: {said} in place of {known}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.consistency_agreement", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first class")
    parser.add_argument("--classes", type=int, default=200)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    failed = 0
    for seed in range(options.seed, options.seed + options.classes):
        said = difference(seed, counts)
        failed += bool(said)
        if said:
            print(f"seed {seed}: {said}", flush=True)
    for results, count in counts.most_common():
        print(f"{count:6}  {results}")
    print(f"{options.classes} classes, {failed} with differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
