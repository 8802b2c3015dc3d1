"""The examples of state that no line names: their machines, found by running them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.state_functions import product_states
from scripts.rooms import ROOT
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.reflexion.candidates import counter_states, scan
from tests.reflexion.brute_force import explored

EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="it needs gcc")
POOL = (-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 20, 21, 22, 40, 50, 101, 512, 990, 2000)


def read(name: str) -> tuple[Path, Program]:
    path = EXAMPLES / name
    return path, read_program((str(path),)).program


def test_timer(tmp_path: Path) -> None:
    path, program = read("timer/timer.c")
    states = product_states(program, "process_20ms", ["t"])
    found = explored(path, program, "process_20ms", states, POOL, tmp_path)
    assert found.transitions == {("t > 0", "t > 0"), ("t > 0", "t <= 0"), ("t <= 0", "t <= 0")}


def test_the_counter_gets_past_its_maximum_and_stays_there(tmp_path: Path) -> None:
    path, program = read("saturating_counter/monitor.c")
    states = counter_states(program, "monitor_10ms", "cnt", "max")
    assert [name for name, _ in states] == ["cnt < 0", "cnt == 0", "0 < cnt < max", "cnt == max", "cnt > max"]
    found = explored(path, program, "monitor_10ms", states, POOL, tmp_path, special={"max": "any_() & 31"})
    assert {s for s, t in found.transitions if t == "cnt > max"} >= {"0 < cnt < max", "cnt > max"}
    assert {t for s, t in found.transitions if s == "cnt > max"} == {"cnt > max"}
    assert not {s for s, t in found.transitions if t == "cnt < 0"}


def test_one_flag_is_set_at_a_time(tmp_path: Path) -> None:
    path, program = read("one_hot_flags/washer.c")
    flags = ["idle", "filling", "washing", "draining", "spinning"]
    states = product_states(program, "washer_tick", flags)
    assert len(states) == 32
    found = explored(
        path, program, "washer_tick", states, POOL, tmp_path, special=dict.fromkeys(flags, "random_() & 1")
    )
    reachable = found.reachable("idle, !filling, !washing, !draining, !spinning")
    assert len(reachable) == len(flags)
    assert all(sum(not part.startswith("!") for part in state.split(", ")) == 1 for state in reachable)


def test_22_of_50_combinations_can_occur(tmp_path: Path) -> None:
    path, program = read("pattern_search/search.c")
    states = product_states(program, "search_step", ["state", "substate"])
    special = {"state": "random_() % 11", "substate": "random_() % 6"}
    found = explored(path, program, "search_step", states, POOL, tmp_path, special=special)
    named = [name for name in found.states if "other" not in name]
    assert len(named) == 50
    reachable = found.reachable("OFF, REST")
    assert reachable <= set(named)
    assert len(reachable) == 22
    counts = [
        sum(s.startswith(f"{main},") for s in reachable) for main in dict.fromkeys(n.split(",")[0] for n in named)
    ]
    assert sorted(counts) == [0, 1, 1, 1, 1, 1, 2, 5, 5, 5]


def test_the_counter_in_a_larger_function_is_found() -> None:
    _, program = read("saturating_counter/monitor.c")
    found = {c.name: c for c in scan(program, ["monitor_10ms"]).candidates}
    assert [name for name, c in found.items() if c.written] == ["mode", "cnt", "warm_up", "limp_home"]
    assert not found["max"].written
