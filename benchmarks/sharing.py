"""What a state costs as the program's memory grows: `python -m benchmarks.sharing [--states N]`.

The program has a table of which it changes a few elements, under an abstraction that keeps all values apart. Bytes per
state are what the second half of the states took; states per second are measured without looking at memory.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.timing import Row
from stateglass.explore import Manner, explore
from stateglass.frontend import read_program
from stateglass.program.abstractions import Exact
from stateglass.system import System, UndefinedBehaviour, build_system, undefined
from stateglass.system.maps import ResolvedAbstractions, VariableName

SIZES: Final = (10, 100, 1_000, 10_000, 100_000)
PROGRAM: Final = """
int get(void);
int table[{size}];
unsigned n;
int main(void) {{
    for (;;)
        if (get()) {{
            n++;
            table[n % 8] = n;
        }}
}}
"""


def system_of(size: int, folder: Path) -> System:
    path = folder / "table.c"
    path.write_text(PROGRAM.format(size=size), encoding="utf-8")
    program = read_program((str(path),)).program
    cells = {f"[{i}]": Exact() for i in range(size)}
    map = ResolvedAbstractions({VariableName(None, "n"): {"": Exact()}, VariableName(None, "table"): cells})
    system = build_system(program, ("main",), undefined=undefined(UndefinedBehaviour.IGNORE), abstract=True)
    return replace(system, abstractions=map)


def peak(system: System, states: int) -> int:
    """The bytes that were in use at the same time to find so many states and build their model."""
    tracemalloc.start()
    explore(system, Manner(max_states=states))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def figures(folder: Path, times: int) -> Iterator[Row]:
    for size in (SIZES[0], SIZES[-1]):
        measured = [cost(size, 4000, folder) for _ in range(times)]
        yield Row(f"a state, table of {size:,} ints: bytes", tuple(grown for grown, _ in measured), "B")
        yield Row(f"states found, table of {size:,} ints", tuple(speed for _, speed in measured), "states/s")


def cost(size: int, states: int, folder: Path) -> tuple[float, float]:
    """Bytes of a state, and states per second."""
    system = system_of(size, folder)
    start = time.process_time()
    found = explore(system, Manner(max_states=states)).model.states
    speed = found / (time.process_time() - start)
    return (peak(system, states) - peak(system, states // 2)) / (states - states // 2), speed


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sharing", description=__doc__)
    parser.add_argument("--states", type=int, default=4000)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="leave larger tables aside")
    arguments = parser.parse_args()
    states = arguments.states
    print(f"{'ints in the table':>18}{'bytes per state':>18}{'states per second':>20}")
    with tempfile.TemporaryDirectory() as folder:
        for size in (s for s in SIZES if s <= arguments.most):
            grown, speed = cost(size, states, Path(folder))
            print(f"{size:>18,}{grown:>18,.0f}{speed:>20,.0f}", flush=True)


if __name__ == "__main__":
    main()
