"""Reductions of particular models, limits, and what must not be loaded or written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from stateglass.cli.exits import Exit
from stateglass.compiled.interrupts import whole
from stateglass.formats import read_model, write_model
from stateglass.model import Model
from stateglass.reduce import Equivalence, partition, reduce, weak
from stateglass.reduce.graph import Graph, by_first
from stateglass.source import InputError
from stateglass.work import silent
from tests.cli.running import stateglass
from tests.house.test_start import ENVIRONMENT
from tests.reduce.models import Row, model_of

LOOP: list[Row] = [(0, "tau", 0), (0, "a", 1)]
STEP: list[Row] = [(0, "a", 1)]


def sizes(model: Model, *, by: Equivalence) -> tuple[int, int]:
    reduced = reduce(model, by).model
    return reduced.states, reduced.transitions


def test_endless_silence_is_kept_where_it_counts() -> None:
    model = model_of(LOOP, 2)
    assert sizes(model, by=Equivalence.BRANCHING) == (2, 1)
    assert sizes(model, by=Equivalence.DPBRANCHING) == (2, 2)
    assert sizes(model, by=Equivalence.WEAK) == (2, 1)
    assert sizes(model, by=Equivalence.DPWEAK) == (2, 2)


def test_a_silent_choice_is_no_visible_one() -> None:
    # a.(tau.b + c) is not a.b + a.(tau.b + c) for branching bisimulation, but it is for weak bisimulation.
    rows: list[Row] = [(0, "a", 1), (1, "tau", 2), (1, "c", 3), (2, "b", 3)]
    more: list[Row] = [*rows, (4, "a", 5), (5, "tau", 6), (5, "c", 7), (6, "b", 7), (4, "a", 6)]
    model = model_of(more, 8)
    branching, weakly = (partition(model, by) for by in (Equivalence.BRANCHING, Equivalence.WEAK))
    assert branching[0] != branching[4]
    assert weakly[0] == weakly[4]


def test_explicit_divergence_is_more_than_a_way_to_diverge() -> None:
    # Both can diverge; only state 0 can while `a` stays possible.
    model = model_of([(0, "tau", 0), (0, "a", 3), (0, "tau", 2), (1, "a", 3), (1, "tau", 2), (2, "tau", 2)], 4)
    classes = partition(model, Equivalence.DPWEAK)
    assert classes[0] != classes[1]


def test_a_silent_step_that_ends_is_not_skipped() -> None:
    model = model_of([(0, "a", 1), (1, "tau", 2)], 3, terminal=[2])
    for equivalence in Equivalence:
        assert reduce(model, equivalence).model.states == 3


def test_of_a_cycle_of_silent_states_one_is_left() -> None:
    model = model_of([(0, "tau", 2), (2, "tau", 1), (1, "tau", 0)], 3)
    reduced = reduce(model, Equivalence.PEEPHOLE).model
    assert (reduced.states, reduced.sources.tolist(), reduced.targets.tolist()) == (1, [0], [0])


def test_peephole_needs_one_pass_for_nested_silence() -> None:
    # Each state may silently go on or give up; only when the last one is skipped is the next to be seen as one step.
    n = 200
    rows: list[Row] = [(s, "tau", t) for s in range(n) for t in (s + 1, n)]
    assert sizes(model_of(rows, n + 1), by=Equivalence.PEEPHOLE) == (1, 0)


def test_redundant_weak_steps_go() -> None:
    model = model_of([(0, "tau", 1), (0, "b", 2), (0, "a", 2), (1, "a", 2)], 3)
    assert sizes(model, by=Equivalence.BRANCHING) == (3, 4)
    assert sizes(model, by=Equivalence.WEAK) == (3, 3)


def test_long_chains_have_a_class_per_state() -> None:
    n = 30_000
    sources = np.arange(n - 1, dtype=np.int32)
    model = Model(n, 0, sources, np.zeros(n - 1, dtype=np.int32), sources + np.int32(1), ("a",))
    assert len(set(partition(model, Equivalence.STRONG).tolist())) == n
    actions = (sources % 2).astype(np.int32)
    half = Model(n, 0, sources.copy(), actions, sources + np.int32(1), ("tau", "a"))
    assert sizes(half, by=Equivalence.BRANCHING) == (n // 2, n // 2 - 1)


def test_unknown_propositions_are_the_users_mistake() -> None:
    with pytest.raises(InputError, match="no proposition `depth`"):
        reduce(model_of(STEP, 2, levels=[0, 1]), Equivalence.STRONG, ["level", "depth"])


def test_too_many_sets_are_refused() -> None:
    # The k-th action from the end was an `a`: 2^k sets.
    k = 8
    rows: list[Row] = [(0, "a", 0), (0, "b", 0), (0, "a", 1)]
    rows += [(s, label, s + 1) for s in range(1, k) for label in ("a", "b")]
    model = model_of([*rows, (k, "c", k)], k + 1)
    assert reduce(model, Equivalence.TRACE).model.states > 100
    with pytest.raises(InputError, match="more than 100 states"):
        reduce(model, Equivalence.TRACE, most_states=100)


def test_too_many_weak_steps_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak, "MOST_WEAK_STEPS", 10)
    monkeypatch.setattr(weak, "_LEAST", 4)
    rows: list[Row] = [(s, "tau", s + 1) for s in range(20)]
    rows += [(s, f"a{s}", s) for s in range(20)]
    with pytest.raises(InputError, match="weak steps"):
        reduce(model_of(rows, 21), Equivalence.WEAK)


def test_exact_checks_find_what_hashes_would_hide() -> None:
    from stateglass.reduce import branching, large

    first = np.array([0, 1, 2, 2], dtype=np.int32)
    actions, targets = np.array([1, 2], dtype=np.int32), np.array([2, 2], dtype=np.int32)
    colours = np.zeros(3, dtype=np.int32)
    graph = Graph(first, actions, targets, colours, 0)
    too_coarse, count = by_first(np.array([0, 0, 1], dtype=np.int32))
    right, right_count = by_first(np.array([0, 1, 2], dtype=np.int32))
    assert large._odd(graph, too_coarse, count, silent).tolist() == [1]
    assert large._odd(graph, right, right_count, silent).tolist() == []
    assert not branching._stable(graph, too_coarse, silent)
    assert branching._stable(graph, right, silent)


SHOW_NUMBA = """
import sys
from stateglass.cli.main import run
status = run(sys.argv[1:], sys.stdout, sys.stderr, {})
print(int(status), "numba" in sys.modules)
"""


def test_small_models_do_without_numba(tmp_path: Path) -> None:
    path = str(tmp_path / "small.sg")
    write_model(model_of([(s, "tau", s + 1) for s in range(50)] + LOOP, 51), path)
    for equivalence in Equivalence:
        words = ["reduce", path, "--by", equivalence.value, "-o", str(tmp_path / "out.sg")]
        command = [sys.executable, "-c", SHOW_NUMBA, *words]
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["0", "False"], done.stderr


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    path = tmp_path / "waiting.sg"
    write_model(model_of([(0, "a", 1), (1, "tau", 2), (2, "b", 0)], 3, levels=[0, 0, 1]), str(path))
    return path


def test_the_command_writes_and_reports(waiting: Path, tmp_path: Path) -> None:
    out, classes = tmp_path / "out.sg", tmp_path / "classes.json"
    ran = stateglass("reduce", str(waiting), "--by", "branching", "-o", str(out), "--classes", str(classes))
    assert (ran.status, ran.out) == (Exit.OK, "")
    assert "3 states, 3 transitions reduced to 2 states, 2 transitions" in ran.err
    assert "level" in ran.err
    assert read_model(str(out)).origin.history == ("reduced by branching: 3 to 2 states",)
    assert json.loads(classes.read_text())["classes"] == [[0], [1, 2]]


def test_the_command_keeps_propositions(waiting: Path) -> None:
    ran = stateglass("reduce", str(waiting), "--by", "branching", "--keep", "level", "--format", "json")
    answer = json.loads(ran.out)
    assert (answer["states"], answer["transitions"], answer["dropped"]) == (3, 3, [])
    assert answer["original"] == {"states": 3, "transitions": 3}
    assert answer["propositions"] == ["level"]


def test_traces_have_no_classes_to_write(waiting: Path, tmp_path: Path) -> None:
    ran = stateglass("reduce", str(waiting), "--by", "trace", "--classes", str(tmp_path / "classes.json"))
    assert ran.status is Exit.BAD_INPUT
    assert list(tmp_path.iterdir()) == [waiting]


@pytest.mark.parametrize("words", [["--by", "string"], [], ["--by", "strong", "--max-states", "0"]])
def test_wrong_words_are_told(waiting: Path, words: list[str]) -> None:
    ran = stateglass("reduce", str(waiting), *words)
    assert ran.status is Exit.BAD_INPUT
    assert "error[usage]" in ran.err


def test_an_interruption_leaves_no_file(waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stateglass.cli.reduce.reduce_model", interrupted)
    ran = stateglass("reduce", str(waiting), "--by", "strong", "-o", str(tmp_path / "out.sg"))
    assert ran.status is Exit.INTERRUPTED
    assert list(tmp_path.iterdir()) == [waiting]


def test_a_loop_is_not_torn_by_an_interruption() -> None:
    ran: list[str] = []

    def loop() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # time for the interpreter to hear of it
            pass
        ran.append("to its end")

    with pytest.raises(KeyboardInterrupt):
        whole(loop)
    assert ran == ["to its end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
