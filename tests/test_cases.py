"""The golden cases of each stage: C to a program, and C with options to a model."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from stateglass.formats import read_model
from stateglass.frontend import read_program
from stateglass.model import TAU, Model
from stateglass.program.printer import print_program
from tests.cases import TARGET, Case, load_cases
from tests.cli.running import Ran, stateglass

PROGRAM_CASES = load_cases("program")
MODEL_CASES = load_cases("model")
WIDTH = 160


@pytest.mark.parametrize("case", PROGRAM_CASES, ids=lambda case: case.name)
def test_program(case: Case, here: Path, update_cases: bool) -> None:
    files = case.write_files(here)
    options = (case.get("options") or "").split()
    program = read_program(tuple(files), target=TARGET).program
    case.check("program", print_program(program, spans="spans" in options), update_cases)


def extract(case: Case, folder: Path, *more: str) -> Ran:
    options = shlex.split(case.get("options") or "")
    sources = case.write_files(folder)
    return stateglass("extract", *sources, "--target", TARGET, *options, *more, environ={"COLUMNS": str(WIDTH)})


@pytest.mark.parametrize("case", MODEL_CASES, ids=lambda case: case.name)
def test_model(case: Case, here: Path, update_cases: bool) -> None:
    ran = extract(case, here)
    assert "…" not in ran.out, "the table is cut: make the case smaller"
    case.check("model", ran.out, update_cases)
    case.check("report", ran.report, update_cases)


# A budget cuts the two models at different places; what is ignored or assumed leaves a run out from where it is known.
CUT = ("--max-states", "--ub ignore", "--errors overflow", "__VERIFIER_assume", "assume_abort_if_not")
WHOLE_CASES = [c for c in MODEL_CASES if not any(o in c.text for o in CUT)]


@pytest.mark.parametrize("case", WHOLE_CASES, ids=lambda case: case.name)
def test_keeping_every_step_shows_the_same_visible_behaviour(case: Case, here: Path) -> None:
    extract(case, here, "--steps", "merged", "-o", "merged.sg")
    extract(case, here, "--steps", "all", "-o", "all.sg")
    assert first_difference(read_model("merged.sg"), read_model("all.sg")) is None


def first_difference(one: Model, other: Model) -> tuple[str, ...] | None:
    """The shortest visible trace after which the models offer different actions, or only one may have ended."""
    start = (silently(one, {one.initial}), silently(other, {other.initial}))
    reached: dict[tuple[frozenset[int], frozenset[int]], tuple[str, ...]] = {start: ()}
    queue = [start]
    for pair in queue:
        first, second = visible(one, pair[0]), visible(other, pair[1])
        ends = [any(m.is_terminal(s) for s in states) for m, states in zip((one, other), pair, strict=True)]
        if first.keys() != second.keys() or ends[0] != ends[1]:
            return reached[pair]
        for label in sorted(first):
            following = (silently(one, first[label]), silently(other, second[label]))
            if following not in reached:
                reached[following] = (*reached[pair], label)
                queue.append(following)
    return None


def visible(model: Model, states: frozenset[int]) -> dict[str, set[int]]:
    """Where each visible action leads from any of the states."""
    found: dict[str, set[int]] = {}
    for state in states:
        for label, target in moves(model, state):
            if label != TAU:
                found.setdefault(label, set()).add(target)
    return found


def silently(model: Model, states: set[int]) -> frozenset[int]:
    """All states that silent steps lead to."""
    found = set(states)
    queue = list(states)
    for state in queue:
        for label, target in moves(model, state):
            if label == TAU and target not in found:
                found.add(target)
                queue.append(target)
    return frozenset(found)


def moves(model: Model, state: int) -> list[tuple[str, int]]:
    numbers = range(int(model.first[state]), int(model.first[state + 1]))
    return [(model.labels[model.actions[n]], int(model.targets[n])) for n in numbers]
