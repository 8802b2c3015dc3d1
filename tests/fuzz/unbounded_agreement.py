"""What engines for unbounded data say of random programs with small inputs, against what exploring them finds.

`python -m tests.fuzz.unbounded_agreement --help` explains the options. The exit status is 1 if a verdict is wrong, or
if an engine suggests what turns out to be no proof or no run.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import Final

from stateglass.explore import Manner, explore
from stateglass.explore.stretches import NoFlow
from stateglass.logic.expressions import name_text
from stateglass.model import parsed
from stateglass.program import Int
from stateglass.system import System, UndefinedBehaviour, build_system, undefined
from stateglass.system.concrete import concretised
from stateglass.unbounded.temporal.atoms import Words
from tests.fuzz.agreement import read
from tests.fuzz.handed_programs import handed
from tests.fuzz.reactive import reactive
from tests.fuzz.risky import risky
from tests.fuzz.seeds import parser_of, run
from tests.unbounded.flows import system_of
from tests.unbounded.verdicts import ENGINES, decided, decided_with, is_lost

MOST: Final = 4_000
"""Programs with more states than this are not compared."""
SECONDS: Final = 10.0
PREDICATES: Final = 5
GIVEN: Final = "given"
"""The predicate engine with predicates by chance."""
KINDS: Final = ("reactive", "risky", "handed")
TRIED: Final = 3
"""So many values has what is handed in."""


def system_of_seed(seed: int, kind: str, folder: Path) -> System:
    """The program of a seed; of every second one, assertions alone count as errors."""
    errors = ("assertion",) if seed % 2 else ()
    meant = undefined(UndefinedBehaviour.WRAP if seed % 3 == 0 and not errors else UndefinedBehaviour.ERROR, errors)
    if kind == "handed":
        # What may be anything gets a few values, so that all states can be looked at.
        return concretised(system_of(folder, handed(seed).text, "step"), most=TRIED)
    if kind == "risky":
        program = read({"risky.c": risky(seed)}, folder)
        bounds = (("work.n", "-1..4"), ("work.k", "0..2"))
        return build_system(program, ("work",), bounds=bounds, undefined=meant)
    made = reactive(seed)
    program = read({"reactive.c": made.text}, folder)
    return build_system(program, made.functions, init=made.init, bounds=made.needed(program), undefined=meant)


def has_error(system: System) -> bool | None:
    """Whether there is a run with an error; None if not all runs are known."""
    model = explore(system, Manner(max_states=MOST, timeout=SECONDS)).model
    if any(parsed(label).error_kind is not None for label in model.labels):
        return True
    return None if model.partial else False


def compare_system(system: System, engines: Collection[str], seconds: float) -> tuple[Counter[str], list[str]]:
    """How often each engine said what, and what was wrong with it."""
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    fails = has_error(system)
    seen["fails" if fails else "holds" if fails is False else "not known"] += 1
    for name in engines:
        if name == GIVEN:
            said = decided_with(system, by_chance(system), seconds)
        else:
            said = decided(system, ENGINES[name], seconds)
        match said.holds:
            case None:
                seen[f"{name}: {'refused' if said.refused else 'inconclusive'}"] += 1
            case _:
                seen[f"{name}: decided"] += 1
        if said.refused and not is_lost(system, said.result):
            wrong.append(f"{name}: {said.refused}")
        if said.holds is not None and fails is not None and said.holds is fails:
            wrong.append(f"{name}: no error can happen: {said.holds}, which is wrong")
    return seen, wrong


def by_chance(system: System) -> list[str]:
    """Predicates as a user might name them who knows little: the same ones for the same variables."""
    types = Words(system, inner=True).types
    names = sorted(name_text(name) for name, type in types.items() if isinstance(type, Int))
    dice = Random(len(names))

    def side() -> str:
        return dice.choice(names) if dice.random() < 0.6 else str(dice.randrange(-2, 6))

    def predicate() -> str:
        part = f"{dice.choice(names)} {dice.choice(['<', '<=', '==', '!=', '% 2 <', '+ 1 >'])} {side()}"
        return part if dice.random() < 0.7 else f"{part} {dice.choice(['&&', '||'])} {dice.choice(names)} > {side()}"

    return [predicate() for _ in range(PREDICATES)] if names else []


def compare_seed(
    seed: int, kind: str, folder: Path, engines: Collection[str] = tuple(ENGINES), seconds: float = SECONDS
) -> tuple[Counter[str], list[str]]:
    """The same for the program of a seed."""
    try:
        return compare_system(system_of_seed(seed, kind, folder), engines, seconds)
    except NoFlow as reason:
        return Counter([str(reason)]), []


def main() -> int:
    parser = parser_of(__doc__, 100)
    parser.add_argument("--kind", choices=KINDS, default="reactive", help="of programs")
    every = (*ENGINES, GIVEN)
    parser.add_argument("--engine", choices=every, action="append", help="may be given again (default: all)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each engine and program")
    options = parser.parse_args()
    engines = options.engine or every
    return run(options, lambda seed, folder: compare_seed(seed, options.kind, folder, engines, options.seconds))


if __name__ == "__main__":
    sys.exit(main())
