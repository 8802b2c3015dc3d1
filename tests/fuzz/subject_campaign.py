"""Random C++ classes and sequences of calls: our runs against those of g++. `python -m` this module with `--help`.

Classes with a sequence that differs are kept with their driver, and the sequence is shortened. What we refuse is
counted apart, by reason; the exit status is 1 if anything differs.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.fuzz.campaign import read_options
from tests.fuzz.subject_agreement import Outcome, compare_batch
from tests.generator.cplusplus.batches import Batch, Extent, Looked, Sequence, batch_of, generate_batch
from tests.generator.gcc import GccError, gxx_available

CLASSES: Final = 1000
SIZE: Final = 15
SEQUENCES: Final = 8
CALLS: Final = 6
BATCH: Final = 8
MOST_ROUNDS: Final = 6
REPORT_EVERY: Final = 5


def main() -> int:
    options = read_options("Random C++ classes and calls of them: our runs against those of g++.", CLASSES, SIZE)
    if not gxx_available():
        print("g++ is not installed: nothing can be compared", file=sys.stderr)
        return 5
    extent = Extent(SEQUENCES, CALLS, options.size)
    last = options.seed + options.programs
    seeds = [range(first, min(first + BATCH, last)) for first in range(options.seed, last, BATCH)]
    reasons: Counter[str] = Counter()
    sequences = differences = 0
    context = get_context("spawn")  # a child must not inherit clang's threads and locks half-way
    with ProcessPoolExecutor(options.processes, context) as pool:
        for done, outcomes in enumerate(pool.map(partial(compare_seeds, extent=extent), seeds), 1):
            sequences += len(outcomes)
            reasons.update(_reason(o.refused) for o in outcomes if o.refused)
            found = [o for o in outcomes if o.difference]
            differences += len(found)
            for outcome in found:
                print(f"{outcome.seed}, sequence {outcome.number}: {outcome.difference}", flush=True)
            if found:
                _keep(found[0], extent, Path(options.keep) / f"class-{found[0].seed}", not options.no_shrink)
            if done % REPORT_EVERY == 0:
                print(f"{done} of {len(seeds)} files, {sequences} sequences, {differences} disagreements", flush=True)
    refused = sum(reasons.values())
    print(
        f"{options.programs} classes (seeds {options.seed} to {last - 1}, size {options.size}), {sequences} sequences"
        f" of {CALLS} calls, {differences} disagreements with g++, {refused} refused in part"
    )
    for reason, count in reasons.most_common():
        print(f"  {count} times: {reason}")
    return 1 if differences else 0


def compare_seeds(seeds: range, extent: Extent) -> list[Outcome]:
    """The classes of some seeds in one file; if that cannot be compared as a whole, each in a file of its own."""
    try:
        return _compare(generate_batch(seeds, extent))
    except Exception as error:  # one class must not cost the answers for all others
        if len(seeds) == 1:
            kind = "g++ refuses it" if isinstance(error, GccError) else f"our failure: {type(error).__name__}"
            return [Outcome(seeds[0], 0, f"{kind}: {error}")]
        return [outcome for seed in seeds for outcome in compare_seeds(range(seed, seed + 1), extent)]


def _compare(batch: Batch) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return compare_batch(batch, Path(folder))


def _reason(refused: str) -> str:
    return refused.partition(" at ")[0]


def _keep(outcome: Outcome, extent: Extent, folder: Path, shrinking: bool) -> None:
    """Writes a class that differs, with the shortest sequence found of which that is still true."""
    batch = generate_batch([outcome.seed], extent)
    (looked,) = batch.looked
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "subjects.cpp").write_text(batch.text, encoding="utf-8")
    sequence = looked.sequences[outcome.number]
    if shrinking:
        sequence = _shortened(batch, looked, sequence)
    (folder / "driver.cpp").write_text(batch_of(batch, looked, [sequence]).driver, encoding="utf-8")
    calls = "".join(f"{call.text}\n" for call in (sequence.making, *sequence.calls))
    (folder / "calls.txt").write_text(calls, encoding="utf-8")
    print(f"{outcome.seed}: kept in {folder}", flush=True)


def _shortened(batch: Batch, looked: Looked, sequence: Sequence) -> Sequence:
    for _ in range(MOST_ROUNDS):
        shorter = list(_shorter(sequence))
        try:
            outcomes = _compare(batch_of(batch, looked, shorter))
        except Exception:  # it is this failure that is kept, whatever is called
            return sequence
        differing = [shorter[o.number] for o in outcomes if o.difference]
        if not differing:
            break
        sequence = differing[0]
    return sequence


def _shorter(sequence: Sequence) -> Iterator[Sequence]:
    """With half of the calls, or all but one."""
    calls = sequence.calls
    half = len(calls) // 2
    yield Sequence(sequence.making, calls[:half])
    yield Sequence(sequence.making, calls[half:])
    for left_out in range(len(calls)):
        yield Sequence(sequence.making, (*calls[:left_out], *calls[left_out + 1 :]))


if __name__ == "__main__":
    sys.exit(main())
