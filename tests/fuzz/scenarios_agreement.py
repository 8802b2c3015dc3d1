"""What `scenario` says of random stories, against looking at runs one by one.

Whole, partial and abstract models, fair runs, and the runs that are shown; and code with and without its silent steps.
`python -m tests.fuzz.scenarios_agreement --help` explains the options. The exit status is 1 if they differ.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Final

from tests.scenarios.agreement import KINDS as ON_MODELS
from tests.scenarios.on_code import code

KINDS: Final = {**ON_MODELS, "code": code}
EACH: Final = {"code": 20}
"""So many models weigh as much as one of these."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=10_000, help="of the first story")
    parser.add_argument("--cases", type=int, default=4_000, help="stories of each kind")
    parser.add_argument("--only", choices=sorted(KINDS), help="one kind")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    failed = 0
    for kind, compare in KINDS.items():
        if options.only not in (None, kind):
            continue
        for seed in range(options.seed, options.seed + options.cases // EACH.get(kind, 1)):
            verdict, wrong = compare(seed)
            total[f"{kind} {verdict.value}"] += 1
            if wrong is not None:
                failed += 1
                print(f"{kind}, seed {wrong}", flush=True)
    print(f"{failed} differences; {dict(sorted(total.items()))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
