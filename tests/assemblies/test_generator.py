"""Random designs are the same for the same seed, and do enough to be worth comparing."""

from __future__ import annotations

from collections import Counter

from stateglass.design import Reaction
from tests.assemblies.charts import TooLong
from tests.assemblies.exploring import TooLarge, model
from tests.assemblies.generator import WHOLE, random_design
from tests.assemblies.systems import of_assembly, of_component


def test_random_designs_are_reproducible_and_alive() -> None:
    found = Counter[str]()
    for seed in range(60):
        design = random_design(seed)
        assert design == random_design(seed)
        reactions: list[Reaction] = [reaction for one in design.components for reaction in one.reactions]
        found["nested"] += any(state.parent for reaction in reactions for state in reaction.states)
        found["unthreaded"] += any(not reaction.threaded for reaction in reactions)
        system = of_assembly(design, WHOLE) if design.assemblies else of_component(design, design.components[0].name)
        try:
            whole = model(system, watched=False, most=1_000)
        except (TooLarge, TooLong):
            found["too large"] += 1
            continue
        found["lively"] += len(whole.labels) > 2 and not whole.is_terminal(0)
        found["error"] += any("error" in label for label in whole.labels)
        found["deadlock"] += len(whole.deadlocks) > 0
    assert found["lively"] >= 35
    assert found["too large"] <= 12
    assert all(found[what] >= 3 for what in ("nested", "unthreaded", "error", "deadlock")), found
