"""Times `stateglass monitor` on long logs: `python -m benchmarks.monitoring [--events N]`.

Each run is a new process that reads a model and a log. The logs are random walks: through a small model with silent
steps, where the monitor soon knows every set of states; through a large one, where most sets are met once; and the
output of strace for the small one.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.timing import Process, Row, best

CALLS: Final = ("open", "read", "write", "close", "poll", "accept", "send", "recv")

Steps = list[list[tuple[str, int]]]


def machine(chance: random.Random, states: int, labels: tuple[str, ...]) -> Steps:
    """Each state has a visible way on, and some have silent ones."""
    steps: Steps = []
    for _ in range(states):
        row = [(chance.choice(labels), chance.randrange(states)) for _ in range(chance.randint(1, 3))]
        steps.append(row + [("tau", chance.randrange(states))] * (chance.random() < 0.3))
    return steps


def write_model(steps: Steps, path: Path) -> None:
    rows = [f'({source}, "{label}", {target})\n' for source, row in enumerate(steps) for label, target in row]
    path.write_text(f"des (0, {len(rows)}, {len(steps)})\n" + "".join(rows), encoding="utf-8")


def walk(chance: random.Random, steps: Steps, events: int) -> Iterator[str]:
    state = 0
    while events:
        label, state = chance.choice(steps[state])
        if label != "tau":
            events -= 1
            yield label


def as_strace(chance: random.Random, name: str) -> str:
    return f'4711  12:00:00.{chance.randrange(10**6):06} {name}({chance.randrange(9)}, "x\\n"..., 4096) = 2\n'


def figures(folder: Path, times: int) -> Iterator[Row]:
    for title, _, took in measured(folder, 1_000_000, times):
        yield Row(f"1,000,000 events, {title}", (took.seconds,), "s")


def measured(folder: Path, events: int, times: int) -> Iterator[tuple[str, int, Process]]:
    """What a log is like, the states of its model, and what the best run took."""
    chance = random.Random(1)
    small = machine(chance, 30, CALLS)
    # With one label for few states, the next label mostly tells the state: sets stay small and new.
    large = machine(chance, 300_000, tuple(f"call(f{n})" for n in range(200)))
    model, log = folder / "model.aut", folder / "run.log"
    for title, steps, strace in (
        ("plain, small model", small, False),
        ("plain, large model", large, False),
        ("strace, small model", small, True),
    ):
        write_model(steps, model)
        with log.open("w", encoding="utf-8") as file:
            for event in walk(chance, steps, events):
                file.write(as_strace(chance, event) if strace else event + "\n")
        words = [sys.executable, "-m", "stateglass", "monitor", str(model), str(log)]
        yield title, len(steps), best([*words, "--log-format", "strace"] if strace else words, times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.monitoring", description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=2, help="how often each is measured; the best counts")
    arguments = parser.parse_args()
    events = arguments.events
    print(f"{'log':<34} {'states':>9} {'events':>10} {'wall':>8} {'cpu':>8} {'events/s':>10}")
    with tempfile.TemporaryDirectory() as name:
        for title, states, took in measured(Path(name), events, arguments.times):
            times = f"{took.seconds:>6.2f} s {took.processor:>6.2f} s {events / took.processor:>10,.0f}"
            print(f"{title:<34} {states:>9,} {events:>10,} {times}", flush=True)


if __name__ == "__main__":
    main()
