"""All questions about the examples in `tests/agreement`, asked of all engines; `--help` has the options.

The exit status is 1 if one of them contradicts what looking at all states says; what is not decided is counted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from stateglass.evidence import Verdict
from stateglass.unbounded.engines import Engine
from tests.agreement.open import (
    BY_ITSELF,
    DESIGNS,
    LARGE,
    SHARING,
    TOGETHER,
    contradictions,
    design_verdicts,
    planted,
    planted_verdict,
    team_verdicts,
    teams,
)
from tests.agreement.questions import predicates
from tests.agreement.rows import NOT_ASSERTED, abstract_differences, asserted_differences, differences, in_c, linear
from tests.test_examples import model_of

AT_ONCE = 6
"""So many claims share the time that an engine has."""
LONG = 300.0
"""Seconds for all claims on a large design."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.examples_agreement", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for an engine and what is asked of it at once")
    options = parser.parse_args()
    failed = _bounded()
    for name, seen, wrong in _open(options.seconds):
        failed += bool(wrong)
        _tell(name, seen, wrong)
    return 1 if failed else 0


def _open(seconds: float) -> Iterator[tuple[str, Counter[str], list[str]]]:
    """Examples whose inputs nobody bounds: what was said of each, and what is wrong."""
    for file, known in sorted(planted().items()):
        found = {engine: planted_verdict(file, engine, seconds) for engine in BY_ITSELF}
        wrong = [f"{e.value} says {v.value}" for e, v in found.items() if v not in (known, Verdict.INCONCLUSIVE)]
        yield "/".join(file.parts[-2:]), Counter(f"{e.value} {v.value}" for e, v in found.items()), wrong
    for team in teams():
        engines = (*TOGETHER, *(BY_ITSELF[1:] if team.name in SHARING else ()))
        yield team.name, *_each_pair(engines, [team_verdicts(team, engine, seconds) for engine in engines])
    for file in DESIGNS:
        most = LONG if file.name in LARGE else seconds
        yield file.name, *_each_pair(TOGETHER, [design_verdicts(file, engine, most) for engine in TOGETHER])


def _each_pair(engines: Sequence[Engine], found: Sequence[list[Verdict]]) -> tuple[Counter[str], list[str]]:
    seen = Counter(f"{e.value} {v.value}" for e, own in zip(engines, found, strict=True) for v in own)
    pairs = combinations(zip(engines, found, strict=True), 2)
    return seen, [
        f"claim {number}: {a.value} says {one.value}, {b.value} {other.value}"
        for (a, first), (b, second) in pairs
        for number, one, other in contradictions(first, second)
    ]


def _tell(name: str, seen: Counter[str], wrong: Sequence[str]) -> None:
    print(f"{name}: {dict(sorted(seen.items()))}", flush=True)
    for what in wrong:
        print(f"{name}: {what}", flush=True)


def _bounded() -> int:
    failed = 0
    for folder in in_c():
        claims, seen, wrong = linear(folder), Counter[str](), list[str]()
        with tempfile.TemporaryDirectory() as scratch:
            for first in range(0, len(claims), AT_ONCE):
                found, problems = differences(folder, claims[first : first + AT_ONCE])
                seen.update(f"predicate {one.value}" for one in found)
                wrong += problems
            found, problems = abstract_differences(folder, Path(scratch) / "proposed.am", claims)
            seen.update(f"abstract {one.value}" for one in found)
            wrong += problems
            for number, condition in enumerate([] if folder.name in NOT_ASSERTED else predicates(model_of(folder))):
                by_engine, problems = asserted_differences(folder, Path(scratch) / str(number), condition)
                seen.update(f"{engine.value} {verdict.value}" for engine, verdict in by_engine.items())
                wrong += problems
        failed += bool(wrong)
        _tell(folder.name, seen, wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main())
