"""Whether random component designs would show mistakes: each of some is put into the simulator of their meaning.

A mistake is shown by a design if what the simulator says with it is not what it says without, looked at as the
campaign on designs does. A mistake that too few designs show is one that the interpretation may have unnoticed.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, final

from stateglass.model import Model
from tests.assemblies.charts import Chart, TooLong
from tests.assemblies.exploring import TooLarge
from tests.assemblies.simulator import Simulator
from tests.assemblies.systems import System
from tests.fuzz.agreement import positive
from tests.fuzz.assemblies_agreement import KINDS, LOOKS, difference, meant_by, system_of

ENOUGH: Final = 3
MOST_STATES: Final = 1_500


@final
@dataclass(frozen=True, slots=True)
class Mistake:
    """Text in a method that is replaced by another one."""

    name: str
    owner: type
    method: str
    right: str
    wrong: str


_LOOK: Final = "                for pin in self.reaction.pins:\n"
_COMPLETED: Final = "passed(Passing.END)))\n                return Phase."
MISTAKES: Final = (
    Mistake("discarding does not complete", Chart, "move", "yield Complete(pin, (0,) *", "((0,) *"),
    Mistake("ends are never looked at", Chart, "move", "data = yield Look(pin)", "data = None"),
    Mistake("exits from the state of the transition", Chart, "_take", "_around(state)", "_around(transition.source)"),
    Mistake("initial states inside are skipped", Chart, "_take", "while (inner", "while False and (inner"),
    Mistake("pins without a priority first", Simulator, "_begin", "LEAST_URGENT", "-1"),
    Mistake(
        "no trigger before ends",
        Chart,
        "move",
        _LOOK,
        f"                if (yield from self._transition(state, None, ())):\n{' ' * 20}return Phase.LOOK\n{_LOOK}",
    ),
    Mistake("outer transitions before inner ones", Chart, "_transition", "in self._around(state)",
            "in reversed(list(self._around(state)))"),
    Mistake("entry actions from inside", Chart, "_take", "reversed(entered)", "entered"),
    Mistake("a state contains itself", Chart, "_shared", "_around(source))[1:]", "_around(source))"),
    Mistake("the latest message first", Simulator, "_begin", "LEAST_URGENT), i)", "LEAST_URGENT), -i)"),
    Mistake("the largest priority first", Simulator, "_begin", "(running.urgency.get(", "(-running.urgency.get("),
    Mistake("what has no trigger again after discarding", Chart, "move", f"{_COMPLETED}REST", f"{_COMPLETED}LOOK"),
    Mistake("ends in the opposite order of pins", Chart, "move", "in self.reaction.pins",
            "in reversed(self.reaction.pins)"),
    Mistake("an end is not forgotten", Simulator, "_settled", "ends.pop(pin, None)", "ends.get(pin)"),
    Mistake("the first initial state only", Chart, "_take", "while (inner", "if (inner"),
    Mistake("a message too many is not lost", Simulator, "_put", "receiver.full is WhenFull.DISCARD", "False"),
)  # fmt: skip


@contextmanager
def made(mistake: Mistake) -> Iterator[None]:
    """The simulator with a mistake."""
    original = getattr(mistake.owner, mistake.method)
    text = inspect.getsource(original)
    assert text.count(mistake.right) == 1, f"{mistake.name}: the text is not there, or more than once"
    text = text.replace(mistake.right, mistake.wrong)
    around = sys.modules[mistake.owner.__module__].__dict__
    names: dict[str, object] = {}
    exec(compile(f"class Wrong:\n{text}", "<mistake>", "exec"), around, names)
    setattr(mistake.owner, mistake.method, getattr(names["Wrong"], mistake.method))
    try:
        yield
    finally:
        setattr(mistake.owner, mistake.method, original)


def shown(mistake: Mistake, system: System, meant: tuple[Model, ...], most: int) -> bool:
    """Whether a design shows a mistake to one of the looks."""
    with made(mistake):
        for look, right in zip(LOOKS, meant, strict=True):
            try:
                wrong = meant_by(system, look, most)
            except (TooLarge, TooLong):
                continue  # nothing would be compared
            if difference(right, wrong, look, lambda outcome: None):
                return True
    return False


def numbers_shown(kind: str, seed: int, designs: int, most: int = MOST_STATES) -> dict[str, int]:
    """By how many of so many designs each mistake is shown."""
    found = dict.fromkeys((mistake.name for mistake in MISTAKES), 0)
    for one in range(seed, seed + designs):
        _, system = system_of(KINDS[kind](one))
        try:
            meant = tuple(meant_by(system, look, most) for look in LOOKS)
        except (TooLarge, TooLong):
            continue
        for mistake in MISTAKES:
            found[mistake.name] += shown(mistake, system, meant, 2 * most)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--designs", type=positive, default=60, help="how many (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--kind", choices=KINDS, default="nested", help="which designs (default: nested)")
    options = parser.parse_args()
    found = numbers_shown(options.kind, options.seed, options.designs)
    for name, number in found.items():
        print(f"{number:4} of {options.designs}  {name}{'' if number >= ENOUGH else '  (too few)'}")
    sys.exit(any(number < ENOUGH for number in found.values()))


if __name__ == "__main__":
    main()
