"""A daemon under no abstraction at all, one label per system call: its size, and recorded runs against it."""

from __future__ import annotations

import io

import pytest

from stateglass.model import TAU, Model
from stateglass.operations.monitoring import LogOptions, Verdict, monitor_log
from stateglass.operations.reducing import reduce_model
from tests.explore.extracting import EXAMPLES, example

FOLDER = EXAMPLES / "file_server"


@pytest.fixture(scope="module")
def model() -> Model:
    return reduce_model(example("file_server"), "weak").model


def test_it_has_a_few_dozen_states(model: Model) -> None:
    assert (model.states, model.transitions) == (32, 45)
    assert not model.partial


def test_each_of_a_dozen_system_calls_has_its_label(model: Model) -> None:
    rules = (FOLDER / "server.lm").read_text(encoding="utf-8").splitlines()
    named = {rule.removesuffix(";").rpartition("=> ")[2] for rule in rules if rule}
    assert {label for label in model.labels if label != TAU} == named
    assert len(named - {"exit"}) >= 12


@pytest.mark.parametrize(("log", "verdict", "line"), [("run", Verdict.ACCEPTED, None), ("overrun", Verdict.LEFT, 28)])
def test_recorded_runs(model: Model, log: str, verdict: Verdict, line: int | None) -> None:
    recorded = (FOLDER / f"{log}.strace").read_bytes()
    found = monitor_log(model, io.BytesIO(recorded), log, LogOptions(format="strace")).outcome
    assert found.verdict is verdict
    assert found.line == line


def test_a_run_without_one_of_its_calls_is_none(model: Model) -> None:
    lines = (FOLDER / "run.strace").read_bytes().splitlines(keepends=True)
    missing = [number for number, line in enumerate(lines) if line.startswith((b"listen", b"fsync", b"accept"))]
    assert len(missing) == 3
    for number in missing:
        log = b"".join(lines[:number] + lines[number + 1 :])
        assert monitor_log(model, io.BytesIO(log), "log", LogOptions(format="strace")).outcome.verdict is Verdict.LEFT
