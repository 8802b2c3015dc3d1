"""Every exact run is a run on abstract values, cell by cell; `make fuzz` tries thousands of programs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import pytest

from scripts.rooms import ROOT
from stateglass.explore.cells import blurred, vague
from stateglass.explore.cells.blurred import Blurred
from stateglass.explore.code import learning
from stateglass.frontend import read_program
from stateglass.program import Comparison, Program, abstractions
from stateglass.system.maps import ResolvedAbstractions, VariableName
from stateglass.values.abstract import narrow
from tests.fuzz.abstract_simulation import follow, follow_error, follow_risky
from tests.fuzz.planted import FAULTS, plant
from tests.fuzz.random_maps import random_abstractions, random_labels
from tests.fuzz.simulation import Outcome, Simulation

HARD: Final = sorted((ROOT / "tests" / "fuzz" / "hard").glob("*.c"))
MAPS: Final = 8
FIRST_SEED: Final = 300
PROGRAMS: Final = 16


def program(path: Path) -> Program:
    return read_program((str(path),)).program


def outcome(program: Program, seed: int) -> Outcome:
    chance = random.Random(seed)
    labels = random_labels(program, chance) if seed % 2 else None
    return Simulation(program, random_abstractions(program, chance), labels, chance).follow()


@pytest.mark.parametrize("path", HARD, ids=lambda path: path.stem)
def test_a_hard_program_is_followed_under_any_map(path: Path) -> None:
    read = program(path)
    outcomes = [outcome(read, seed) for seed in range(MAPS)]
    assert [o.what for o in outcomes] == ["followed"] * MAPS
    assert min(o.steps for o in outcomes) > 30


@pytest.mark.parametrize("part", range(4))
def test_generated_programs_are_followed(part: int) -> None:
    share = PROGRAMS // 4
    outcomes = [follow(seed) for seed in range(FIRST_SEED + part * share, FIRST_SEED + (part + 1) * share)]
    assert [o for o in outcomes if o.lost] == []
    assert sum(o.what.startswith("followed") for o in outcomes) >= share - 2


def named(name: str) -> Program:
    return program(next(p for p in HARD if p.stem == name))


def losses(read: Program) -> int:
    return sum(outcome(read, seed).lost for seed in range(2 * MAPS))


def test_a_comparison_that_tells_too_much_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = tmp_path / "code.c"
    code.write_text("void observe(int v); int x, y = 4; int main(void) { x = y; if (!(x < 4)) observe(x); return 0; }")
    chosen: dict[str, abstractions.Abstraction] = {"x": abstractions.Free(), "y": abstractions.Part((0, 10))}
    map = ResolvedAbstractions({VariableName(None, name): {"": chosen[name]} for name in chosen})
    honest = narrow

    def wrong(operator: Comparison, *others: Any) -> Any:
        return honest(Comparison.LESS_EQUAL if operator is Comparison.LESS else operator, *others)

    assert Simulation(program(code), map, None, random.Random(0)).follow().what == "followed"
    monkeypatch.setattr(learning, "narrow", wrong)
    assert Simulation(program(code), map, None, random.Random(0)).follow().lost


def test_a_store_that_spares_an_alias_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    read = named("pointers")
    monkeypatch.setattr(Blurred, "havoc", lambda self, cells, **how: None)
    monkeypatch.setattr(vague, "MOST_TARGETS", 0)
    assert losses(read) > 0


def test_bytes_that_are_not_forgotten_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    read = named("records")
    monkeypatch.setattr(Blurred, "forget", lambda self, cells, run, **how: None)
    monkeypatch.setattr(blurred, "TOP", 1)
    assert losses(read) > 0


def test_an_error_is_among_those_that_abstract_values_do_not_rule_out() -> None:
    for seed in range(len(FAULTS)):
        assert not follow_error(seed).lost, plant(seed).text


def test_however_a_careless_program_ends_the_abstract_run_may_end_so() -> None:
    outcomes = {seed: follow_risky(seed) for seed in range(12)}
    assert {seed: o.what for seed, o in outcomes.items() if o.lost} == {}
    assert sum(o.what.startswith("error(") for o in outcomes.values()) > 6


def test_null_is_one_of_several_targets(tmp_path: Path) -> None:
    code = tmp_path / "code.c"
    code.write_text(
        "struct s { int x, y; } a; struct s *table[2] = {&a, 0}; int i = 1;"
        "int main(void) { struct s *p = table[i]; p->y = 3; return 0; }"
    )
    read = program(code)
    found = Simulation(read, ResolvedAbstractions(), None, random.Random(0), errors=True).follow()
    assert found.what == "error(null)"
