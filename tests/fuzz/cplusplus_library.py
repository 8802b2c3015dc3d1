"""Random sequences of operations on the containers of our C++ library, against g++'s: `python -m` this module."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.library.cplusplus.running import ours, theirs
from tests.library.cplusplus.sequences import program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=20, help="how many programs")
    parser.add_argument("--sequences", type=int, default=200, help="how many sequences of operations in each")
    parser.add_argument("--seed", type=int, default=1000, help="of the first program")
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.programs):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "sequences.cpp"
            file.write_text(program(seed, options.sequences), encoding="utf-8")
            expected, found = theirs(file, Path(folder)), ours(file)
        if found != expected:
            place = next((n for n, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), -1)
            print(f"seed {seed}: at {place}: {found[place]}, and g++ has {expected[place]}")
            return 1
    print(f"{options.programs} programs of {options.sequences} sequences: no differences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
