"""Random component designs: what their interpretation can do has to be what the simulator of their meaning does.

Both become models. Their events have to be the same up to silent steps, with all choices, deadlocks and endless
silence (branching bisimulation with divergence): once as sink pins see them, and once as source pins do. A third time,
the values of all variables and states are looked at in every state; then it is enough that what is seen is the same.
A fourth time, threads have random priorities, and the most urgent ones go first.
And what `stateglass assembly` says of random claims is what is so on the model of the simulator, with priorities and
without.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

import numpy as np

from stateglass.design import Design
from stateglass.model import Model
from stateglass.reduce import Equivalence
from stateglass.relate import Related, Undecided, compare
from stateglass.source import InputError
from stateglass.work import silent
from tests.assemblies.charts import TooLong
from tests.assemblies.designs import annotation
from tests.assemblies.exploring import TooLarge, model
from tests.assemblies.generator import WHOLE, random_design
from tests.assemblies.interpreted import TooMany, interpreted_model
from tests.assemblies.nested import nested_design
from tests.assemblies.systems import System, of_assembly, of_component
from tests.assemblies.varied import varied_design
from tests.fuzz.agreement import positive
from tests.fuzz.assemblies_claims import wrong_verdicts

MOST_STATES: Final = 2_500
REPORT_EVERY: Final = 100


@final
@dataclass(frozen=True, slots=True)
class Look:
    """What is looked at: the events of which pins, and perhaps values."""

    name: str
    of_sinks: bool
    watched: bool = False
    by_priority: bool = False


LOOKS: Final = (
    Look("sinks", of_sinks=True),
    Look("sources", of_sinks=False),
    Look("values", of_sinks=True, watched=True),
    Look("priorities", of_sinks=True, by_priority=True),
)
EVERYTHING: Final = (*(look.name for look in LOOKS), "claims")


KINDS: Final[Mapping[str, Callable[[int], Design]]] = {
    "wide": random_design,
    "nested": nested_design,
    "varied": varied_design,
}


def disagreements(
    seed: int,
    folder: Path,
    counts: Counter[str],
    most: int = MOST_STATES,
    kind: str = "wide",
    looks: Collection[str] = EVERYTHING,
) -> list[str]:
    """What the two say differently of a random design; outcomes are counted."""
    design = with_priorities(KINDS[kind](seed), seed)
    name, system = system_of(design)
    found = [
        f"{look.name}: {_difference(design, name, system, look, folder, counts, most)}"
        for look in LOOKS
        if look.name in looks
    ]
    wrong = [one for one in found if not one.endswith(": ")]
    if "claims" in looks:
        wrong += _wrong_claims(seed, design, system, counts, most)
    return [f"{kind} {seed}: {one}" for one in wrong]


def system_of(design: Design) -> tuple[str, System]:
    """What is looked at of a random design, by its name, and how it runs."""
    name = WHOLE if design.assemblies else design.components[0].name
    return name, of_assembly(design, name) if design.assemblies else of_component(design, name)


def meant_by(system: System, look: Look, most: int) -> Model:
    """What a system is meant to do, as one look sees it."""
    return model(
        system,
        shown=lambda event: event.is_sink is look.of_sinks,
        watched=look.watched,
        scheduled=look.by_priority,
        most=most,
    )


def with_priorities(design: Design, seed: int) -> Design:
    """Most threads have priorities; they matter only where somebody looks at them."""
    chance = random.Random(seed)
    more = [
        annotation(component.name, reaction.name, "priority", chance.randint(1, 3))
        for component in design.components
        for reaction in component.reactions
        if reaction.threaded and chance.random() < 0.8
    ]
    return replace(design, annotations=(*design.annotations, *more))


def _wrong_claims(seed: int, design: Design, system: System, counts: Counter[str], most: int) -> list[str]:
    found = []
    for by_priority in (False, True):
        of = "claims, by priority" if by_priority else "claims"
        try:
            meant = model(system, scheduled=by_priority, most=most)
            found += wrong_verdicts(seed, design, meant, counts, by_priority=by_priority)
        except (TooLarge, TooLong) as limit:
            counts[f"{of}: left out: {type(limit).__name__}"] += 1
        except InputError as refused:
            counts[f"{of}: refused: {refused.diagnostics[0].message[:60]}"] += 1
    return found


def _difference(
    design: Design, name: str, system: System, look: Look, folder: Path, counts: Counter[str], most: int
) -> str:
    def count(outcome: str) -> None:
        counts[f"{look.name}: {outcome}"] += 1

    try:
        meant = meant_by(system, look, most)
        found = interpreted_model(
            design, name, folder, of_sinks=look.of_sinks, watched=look.watched, by_priority=look.by_priority
        )
    except (TooLarge, TooLong, TooMany) as limit:
        count(f"left out: {type(limit).__name__}")
        return ""
    except InputError as refused:
        count(f"refused: {refused.diagnostics[0].message[:60]}")
        return ""
    return difference(meant, found, look, count)


def difference(meant: Model, found: Model, look: Look, count: Callable[[str], None]) -> str:
    """How two models differ in what a look sees; empty if they do not."""
    keep = tuple(one.name for one in meant.propositions if found.proposition(one.name) is not None)
    lost = [p.name for p in meant.propositions if p.name not in keep and len(np.unique(p.values)) > 1]
    if lost:
        return f"`{lost[0]}` changes, and has no values"
    answer = compare(meant, found, Equivalence.DPBRANCHING, keep=keep, progress=silent)
    match answer:
        case Related() if bool(len(meant.deadlocks)) is bool(len(found.deadlocks)):
            count("the same, with a deadlock" if len(meant.deadlocks) else "the same")
            return ""
        case Related():
            return f"a deadlock on one side: {len(meant.deadlocks)} meant, {len(found.deadlocks)} found"
        case Undecided(why):
            count(f"left open: {why[:60]}")
            return ""
        case _:
            weak = compare(meant, found, Equivalence.WEAKTRACE, keep=keep, progress=silent)
    if isinstance(weak, Related) and look.watched and bool(len(meant.deadlocks)) is bool(len(found.deadlocks)):
        # Whether a way is chosen just before or just after a value changes is nobody's business.
        count("the same, but for the moment of choices")
        return ""
    trace = "" if isinstance(weak, Related | Undecided) else f": {weak.trace}"
    return f"{meant.states} states meant, {found.states} found; {'traces' if trace else 'only choices'} differ{trace}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--designs", type=positive, default=1_000, help="how many (default: 1000)")
    parser.add_argument(
        "--kind", choices=KINDS, help="`wide` designs, or those about nesting and order (default: in turn)"
    )
    parser.add_argument(
        "--look", choices=EVERYTHING, action="append", help="what is compared; may be repeated (default: everything)"
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one; the others count on from it")
    parser.add_argument("--seconds", type=positive, help="stop after so many seconds, however many are left")
    parser.add_argument(
        "--states", type=positive, default=MOST_STATES, help=f"leave larger designs out (default: {MOST_STATES})"
    )
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    failed = False
    end = None if options.seconds is None else time.monotonic() + options.seconds
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.designs):
            if end is not None and time.monotonic() > end:
                break
            kind = options.kind or tuple(KINDS)[seed % len(KINDS)]
            for line in disagreements(seed, Path(folder), counts, options.states, kind, options.look or EVERYTHING):
                failed = True
                print(line, flush=True)
            done += 1
            if done % REPORT_EVERY == 0:
                print(f"{done} of {options.designs} designs", file=sys.stderr, flush=True)
    print(f"{done} designs")
    for what, number in sorted(counts.items()):
        print(f"{number:6}  {what}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
