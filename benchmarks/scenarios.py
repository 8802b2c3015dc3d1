"""Scenarios on a model of 100,000 states: `python -m benchmarks.scenarios [--times N] [--profile]`.

Processor time of all answers, runs included, without compiling and making the model.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.families import random_sparse
from benchmarks.timing import Row, repeat
from stateglass.answers.scenarios import tell
from stateglass.model import Model, Proposition, Sort
from stateglass.scenarios.language import Story
from stateglass.scenarios.reading import read_story

STATES: Final = 100_000
WORDS: Final = """
event first = a
event second = b
event up = rises(level >= 5)
event down = falls(level >= 5)
event any = first | up | changes(mode)
condition high = level >= 7
condition busy = mode == 2 || high
"""
SCENARIOS: Final = """
first ~> up
first -> up
first <- up
first <<- up
first <-> second
init -> down
init ~> up & second
first | second -> changes(level)
second -> up | down
any <- down
while (!busy): first -> up
while (!high): first <- up
while (level < 9): up ~> down
first -> up unless second
first <- down unless up
first when (busy) -> down
up -> second after first
up <- down before second
first -> up between [high] and down
first -> up -> down and second ~> up
"""


def story_and_model() -> tuple[Story, Model]:
    model = random_sparse(5 * STATES)
    chance = np.random.default_rng(1)
    values = {"level": 10, "mode": 3}
    own = [Proposition(name, Sort.INT, chance.integers(0, most, model.states)) for name, most in values.items()]
    return read_story(WORDS + SCENARIOS), replace(model, propositions=tuple(own))


def processor_time(story: Story, model: Model) -> float:
    start = time.process_time()
    telling = tell(model, story.vocabulary, story.scenarios)
    took = time.process_time() - start
    assert len(telling.told) == len(story.scenarios)
    return took


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Twenty scenarios."""
    story, model = story_and_model()
    processor_time(story, model)  # compiles the loops, or loads them
    took = repeat(partial(processor_time, story, model), times)
    yield Row(f"{len(story.scenarios)} scenarios, {model.states:,} states", took, "s", "within 10 s")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scenarios", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often it is measured")
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    options = parser.parse_args()
    if options.profile:
        import cProfile

        story, model = story_and_model()
        processor_time(story, model)
        cProfile.runctx("processor_time(story, model)", globals(), locals(), sort="cumulative")
        return
    for row in figures(Path(), options.times):
        print(row, flush=True)


if __name__ == "__main__":
    main()
