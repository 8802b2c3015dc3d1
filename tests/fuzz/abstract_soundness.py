"""The laws of the abstract domain on many random pairs. `python -m tests.fuzz.abstract_soundness --help` explains it.

Types have four to six bits, where every number of every set is tried; half of the rounds forbid listing small sets. A
law that is broken is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from stateglass.program import BOOL, BinaryOperator, Comparison, Int, Scalar, UnaryOperator
from stateglass.values.abstract import Abstraction, Value, domain, narrowing, views
from tests.values import soundness
from tests.values.catalogue import abstractions, catalogue, small_types
from tests.values.soundness import SHIFTS, Tried

ROUNDS = 100
TYPES = small_types((4, 5, 6))
SAMPLE = 24
MOST_SHOWN = 20
REPORT_EVERY = 10
_LISTED = views.FEW


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many samples of values to try (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round; the others follow (%(default)s)")
    options = parser.parse_args()
    tried, broken = Tried(), 0
    for number in range(options.rounds):
        for wrong in one_round(options.seed + number, tried):
            broken += 1
            if broken <= MOST_SHOWN:
                print(f"round {options.seed + number}: {wrong}", flush=True)
        if (number + 1) % REPORT_EVERY == 0:
            print(f"{number + 1} of {options.rounds} rounds, {tried.count} pairs, {broken} failures", flush=True)
    print(f"{tried.count} pairs of abstract values, {broken} failures")
    return 1 if broken else 0


def one_round(seed: int, tried: Tried) -> Iterator[str]:
    """All laws on a sample of values; which ones depends on the seed alone."""
    chance = random.Random(seed)
    for module in (domain, narrowing, views):
        vars(module)["FEW"] = 0 if seed % 2 else _LISTED
    views._ranges_of_set.cache_clear()
    others: list[Scalar] = [*TYPES, *small_types((1, 2, 3, 7)), BOOL]
    type, other = chance.choice(TYPES), chance.choice(others)
    values = _sample(type, chance)
    counted = chance.choice(TYPES)
    for operator in BinaryOperator:
        yield from soundness.binary(operator, type, values, tried)
        yield from soundness.faults(operator, type, values, tried)
        if operator in SHIFTS:
            yield from soundness.binary(operator, type, values, tried, counted)
            yield from soundness.faults(operator, type, values, tried, counted)
    for unary in UnaryOperator:
        yield from soundness.unary(unary, type, values, tried)
    kept: list[Abstraction] = chance.sample(abstractions(type), 4)
    yield from soundness.convert(type, other, values, tried)
    yield from soundness.convert_back(type, other, values, _sample(other, chance), kept, tried)
    for comparison in Comparison:
        yield from soundness.compare(comparison, type, values, tried)
        pair = kept[0], kept[1]
        yield from soundness.narrowing(comparison, type, values, _sample(type, chance), pair, tried)


def _sample(type: Scalar, chance: random.Random) -> list[Value]:
    values = catalogue(type, dense=isinstance(type, Int) and type.bits < 7)
    return chance.sample(values, min(SAMPLE, len(values)))


if __name__ == "__main__":
    sys.exit(main())
