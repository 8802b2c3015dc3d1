"""The golden cases of each stage: C to a program, and C with options to a model."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.formats import read_model
from stateglass.frontend import read_program
from stateglass.model import TAU, Model
from stateglass.program.printer import print_program
from tests.cases import Case, load_cases
from tests.cli.running import Ran, stateglass
from tests.markdown import blocks

PROGRAM_CASES = load_cases("program")
MODEL_CASES = load_cases("model")
WIDTH = 160
# Sizes and signs are part of what is expected, so the machine the tests run on must not matter.
TARGET = "x86_64-linux-gnu"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, so that files go by short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_sources(case: Case, folder: Path) -> list[str]:
    """The files of a case: the block `c` as `NAME.c`, `cpp` as `NAME.cpp`, and blocks that are called like a file."""
    names = []
    for block in blocks(case.text):
        name = f"{case.name}.{block.tag}" if block.tag in ("c", "cpp") else block.tag
        if os.path.splitext(name)[1] in (".c", ".cpp", ".h", ".toml"):
            (folder / name).write_text(block.body, encoding="utf-8")
            names += [name] if name.endswith((".c", ".cpp")) else []
    return names


@pytest.mark.parametrize("case", PROGRAM_CASES, ids=lambda case: case.name)
def test_program(case: Case, here: Path, update_cases: bool) -> None:
    files = write_sources(case, here)
    options = (case.get("options") or "").split()
    program = read_program(tuple(files), target=TARGET).program
    case.check("program", print_program(program, spans="spans" in options), update_cases)


def extract(case: Case, folder: Path, *more: str) -> Ran:
    options = shlex.split(case.get("options") or "")
    sources = write_sources(case, folder)
    return stateglass("extract", *sources, "--target", TARGET, *options, *more, environ={"COLUMNS": str(WIDTH)})


@pytest.mark.parametrize("case", MODEL_CASES, ids=lambda case: case.name)
def test_model(case: Case, here: Path, update_cases: bool) -> None:
    ran = extract(case, here)
    assert "…" not in ran.out, "the table is cut: make the case smaller"
    report = ran.err if ran.status is Exit.OK else f"{ran.err}# exit {int(ran.status)}\n"
    case.check("model", ran.out, update_cases)
    case.check("report", report, update_cases)


# A budget cuts the two models at different places; what is ignored or assumed leaves a run out from where it is known.
CUT = ("--max-states", "--ub ignore", "--errors overflow", "__VERIFIER_assume")
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
