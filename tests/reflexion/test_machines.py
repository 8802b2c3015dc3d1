"""The machines beside the examples: what they and the code have in common, and what not."""

from __future__ import annotations

from collections import Counter

import pytest

from scripts.rooms import ROOT
from stateglass.evidence import ReflexionModel, Result
from stateglass.operations.hypotheses import Limits, load_machine, source_files
from stateglass.options.settings import new_settings
from stateglass.pipeline import reflect_machine

MACHINES = sorted((ROOT / "examples").glob("*/*.machine"))


def reflected(name: str) -> ReflexionModel:
    hypothesis = load_machine(str(ROOT / "examples" / name))
    options = new_settings({"files": source_files(hypothesis)})
    return reflect_machine(hypothesis, options, Limits(questions=0)).model


def results(model: ReflexionModel) -> dict[tuple[str, str], tuple[Result, ...]]:
    return {(e.source, e.target): e.results for e in model.edges}


def test_there_are_machines() -> None:
    assert {path.parent.name for path in MACHINES} >= {"timer", "saturating_counter", "one_hot_flags"}


@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.stem)
def test_everything_is_decided(path: str) -> None:
    model = reflected(str(path))
    assert model.inconclusive == ()
    assert model.warnings == ()
    # A machine that leaves states out says so: it claims a transition to the rest of them.
    leaves_out = any(edge.is_claimed and edge.target == "other" for edge in model.edges)
    assert (model.uncovered is not None) == leaves_out


def test_the_timer_converges() -> None:
    assert set(results(reflected("timer/timer.machine")).values()) == {(Result.CONVERGENCE,)}


def test_the_washer_is_a_minute_off() -> None:
    found = results(reflected("one_hot_flags/washer.machine"))
    both = (Result.CONVERGENCE, Result.DIVERGENCE)
    assert {pair for pair, kinds in found.items() if kinds != (Result.CONVERGENCE,)} == {
        ("Washing", "Draining"),
        ("Spinning", "Idle"),
    }
    assert Counter(found.values())[both] == 2


def test_a_burst_gets_past_the_maximum_and_there_is_no_way_back() -> None:
    model = reflected("saturating_counter/monitor.machine")
    found = results(model)
    assert found["Counting", "Beyond"] == (Result.DIVERGENCE,)
    assert {target for source, target in found if source == "Beyond"} == {"Beyond"}
    assert [s.name for s in model.states if s.is_trap] == ["Beyond"]
    [burst] = [e for e in model.edges if (e.source, e.target) == ("Counting", "Beyond")]
    assert burst.witness is not None
    assert dict(burst.witness.before)["burst"] == "true"
