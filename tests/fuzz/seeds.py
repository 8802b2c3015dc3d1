"""Campaigns over seeds: what is seen of the program of each is counted, and what is wrong with it is told."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from stateglass.source import InputError

Work = Callable[[int, Path], tuple[Counter[str], list[str]]]
"""From a seed and a folder to what was seen and what is wrong."""
REPORT_EVERY: Final = 20
MOST_CHARACTERS: Final = 900


def parser_of(description: str | None, programs: int) -> argparse.ArgumentParser:
    """A parser for the options that all campaigns have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--programs", type=int, default=programs, help=f"how many (default: {programs})")
    return parser


def run(options: argparse.Namespace, work: Work) -> int:
    """Does the work of all seeds; whatever goes wrong with one is a finding, and the others go on."""
    total: Counter[str] = Counter()
    failed, begin = 0, time.monotonic()
    for number, seed in enumerate(range(options.seed, options.seed + options.programs), 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                seen, wrong = work(seed, Path(folder))
            except InputError as error:
                seen, wrong = Counter(["not read"]), [f"not read: {error}"]
            except Exception as error:
                seen, wrong = Counter(["our failure"]), [f"{type(error).__name__}: {error}"]
        total += seen
        failed += bool(wrong)
        for difference in wrong:
            print(f"seed {seed}: {difference}"[:MOST_CHARACTERS], flush=True)
        if number % REPORT_EVERY == 0:
            print(f"{number} programs, {failed} with differences, {time.monotonic() - begin:.0f} s", flush=True)
    for what, count in total.most_common():
        print(f"{count:6}  {what}")
    print(f"{options.programs} programs, {failed} with differences")
    return 1 if failed else 0
