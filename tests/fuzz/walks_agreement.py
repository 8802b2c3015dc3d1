"""Every walk to an error that is found by formulas on random programs is a run of the reference semantics.

`python -m tests.fuzz.walks_agreement --help` explains the options. The exit status is 1 if one is not.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from stateglass.explore import Manner
from stateglass.explore.stepwise import Failure
from stateglass.explore.stretches import Flow, NoFlow, Phase, Seen, flow_of, sliced
from stateglass.source import InputError
from stateglass.system import System, build_system
from stateglass.unbounded.reachability import bmc
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.executing import executed
from tests.fuzz.agreement import read
from tests.fuzz.reactive import reactive
from tests.fuzz.risky import risky
from tests.fuzz.seeds import parser_of, run

DEPTH = 12
SECONDS = 4.0
KINDS = ("reactive", "bounded", "risky")


def system_of_seed(seed: int, kind: str, folder: Path) -> System:
    """The system of a random program; all its numbers are open unless it is bounded."""
    if kind == "risky":
        return build_system(read({"risky.c": risky(seed)}, folder), ("work",), open=True)
    made = reactive(seed)
    program = read({"reactive.c": made.text}, folder)
    bounds = tuple((name, bound) for name, bound in made.needed(program) if kind == "bounded" or name == "find()")
    return build_system(program, made.functions, init=made.init, bounds=bounds, open=True)


def follow_seed(seed: int, kind: str, folder: Path) -> tuple[Counter[str], list[str]]:
    """What came of the errors of one program, and the walks that are no runs."""
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    try:
        system = system_of_seed(seed, kind, folder)
        flows = [sliced(flow_of(system, Seen(events=events))) for events in (False, True)]
    except (InputError, NoFlow) as error:
        return Counter({str(error).splitlines()[0]: 1}), []
    for flow in flows:
        for rest in flow.of_phase(Phase.FAILED):
            wrong += _follow(system, flow, rest.number, seen)
    return seen, wrong


def _follow(system: System, flow: Flow, rest: int, seen: Counter[str]) -> list[str]:
    found = bmc.run(flow, frozenset({rest}), Deadline(SECONDS), max_depth=DEPTH)
    if not isinstance(found, Walk):
        seen["no walk"] += 1
        return []
    done = executed(system, flow, found, Manner(timeout=SECONDS))
    if isinstance(done, Failure):
        return [f"{flow.rests[rest]}: after {done.followed} steps, {done.reason}"]
    if done.differs:
        return [f"{flow.rests[rest]}: {done.differs}"]
    seen["executed"] += 1
    return []


def main() -> int:
    parser = parser_of(__doc__, 100)
    parser.add_argument("--kind", choices=KINDS, default="reactive", help="of programs")
    options = parser.parse_args()
    return run(options, lambda seed, folder: follow_seed(seed, options.kind, folder))


if __name__ == "__main__":
    sys.exit(main())
