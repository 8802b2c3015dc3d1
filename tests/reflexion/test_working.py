"""Who does the work: the answers are the same whoever does, and nobody is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, final

import pytest

from scripts.rooms import PACKAGE
from stateglass.evidence import Result
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.reflexion import working
from stateglass.reflexion.chance import Valuation
from stateglass.reflexion.hypothesis import Hypothesis, probes_of
from stateglass.reflexion.notation import parse_machine
from stateglass.reflexion.reflecting import Limits, reflect
from stateglass.reflexion.searching import Search
from stateglass.reflexion.starting import starting_hypothesis
from stateglass.reflexion.working import Clock, Workers, shares
from stateglass.smt import Answer, Term

CODE = """
int mode, level;
int step(int by, int reset) {
    if (reset) { mode = 0; level = 0; return 0; }
    switch (mode) {
    case 0: if (by > 3) mode = 1; break;
    case 1: level += by & 7; if (level > 40) { level = 0; mode = 2; } break;
    case 2: if (by * by == 1369) mode = 3; break;
    default: mode = by == 4242 && level == 17 ? 0 : mode;
    }
    if (level < 0 || level > 60) level = 0;
    return mode;
}
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Hypothesis]:
    file = tmp_path_factory.mktemp("working") / "step.c"
    file.write_text(CODE, encoding="utf-8")
    plain = read_program((str(file),)).program
    hypothesis = starting_hypothesis(plain, ("step",), (str(file),), ("mode", "level"), None)
    return read_program((str(file),), probes=probes_of(hypothesis)).program, hypothesis


def test_the_answer_is_the_same_for_any_executor(
    asked: tuple[Program, Hypothesis], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, hypothesis = asked
    limits = Limits(questions=2000)
    alone = reflect(program, hypothesis, limits)
    assert len(hypothesis.states) > 8, "there is more than one task"
    assert any(edge.condition is not None for edge in alone.edges)
    with ThreadPoolExecutor(3) as threads:
        assert reflect(program, hypothesis, limits, workers=Workers(threads)) == alone
    with ProcessPoolExecutor(2) as processes:
        assert reflect(program, hypothesis, limits, workers=Workers(processes)) == alone
    monkeypatch.setattr(working, "WORTH", 0.0)
    assert reflect(program, hypothesis, limits, workers=Workers(processes=2)) == alone


def test_no_time_is_a_reason(asked: tuple[Program, Hypothesis]) -> None:
    program, hypothesis = asked
    found = reflect(program, hypothesis, Limits(seconds=1e-9))
    assert any(reason.startswith("timeout: ") for reason in found.inconclusive)


@final
class _Impatient(Executor):
    """Does some tasks; then somebody presses Ctrl-C."""

    def __init__(self, patience: int) -> None:
        self.patience = patience

    def map(self, fn: Callable[..., Any], *tasks: Any, **_: Any) -> Iterator[Any]:
        for task in zip(*tasks, strict=True):
            if not self.patience:
                raise KeyboardInterrupt
            self.patience -= 1
            yield fn(*task)


@pytest.mark.parametrize("patience", [0, 1, 4, 5])
def test_what_is_known_when_it_is_interrupted_is_said(asked: tuple[Program, Hypothesis], patience: int) -> None:
    program, hypothesis = asked
    limits = Limits(questions=2000)
    whole = {(e.source, e.target): e for e in reflect(program, hypothesis, limits).edges}
    impatient = _Impatient(patience)
    found = reflect(program, hypothesis, limits, workers=Workers(impatient))
    assert impatient.patience == 0
    assert found.interrupted
    assert found.edges
    assert "interrupted: this was not known yet" in found.inconclusive
    for edge in found.edges:
        known = whole[edge.source, edge.target]
        assert edge.results == known.results, "a transition that was found is one"
        assert edge.unfound.startswith("interrupted") or edge.condition == known.condition


def test_an_answer_that_the_solver_owes_is_not_given_after_an_interruption(
    asked: tuple[Program, Hypothesis], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, _ = asked
    text = "machine M of step\n  state A: mode == 0\n  state B: mode != 0\n"
    hypothesis = parse_machine(text + "  A -> B when by > 3 && !reset\n  A -> A when reset\n  B -> B\n", "m")
    program = read_program((str(program.files[0]),), probes=probes_of(hypothesis)).program
    whole = {(e.source, e.target): e.results for e in reflect(program, hypothesis, Limits(questions=0)).edges}
    ask = Search.example

    def example(self: Search, *facts: Term) -> Valuation | None:
        if len(facts) == 3:
            monkeypatch.setattr(self._solver, "check", _interrupted)
        return ask(self, *facts)

    monkeypatch.setattr(Search, "example", example)
    found = reflect(program, hypothesis, Limits(questions=0))
    assert found.interrupted
    assert whole["A", "B"] == (Result.CONVERGENCE,)
    open_ones = {(e.source, e.target): e.reason for e in found.edges if e.results == (Result.INCONCLUSIVE,)}
    assert open_ones == dict.fromkeys([("A", "B"), ("A", "A")], "interrupted: this was not known yet")


def _interrupted(_: object) -> Answer:
    raise KeyboardInterrupt


def test_who_interrupts_twice_waits_for_nothing() -> None:
    clock = Clock(None)
    clock.interrupt()
    with pytest.raises(KeyboardInterrupt):
        clock.interrupt()


def test_states_that_may_overlap_leave_everything_open(tmp_path: Path) -> None:
    file = tmp_path / "step.c"
    file.write_text("unsigned a, b;\nvoid step(void) { a++; }\n", encoding="utf-8")
    hypothesis = parse_machine(
        "machine M of step\n  state One: a * b == 4294967291u && a > 1\n  state Two: a == b + 77\n  One -> Two\n", "m"
    )
    program = read_program((str(file),), probes=probes_of(hypothesis)).program
    found = reflect(program, hypothesis, Limits(seconds=1e-9))
    assert [edge.results for edge in found.edges] == [(Result.INCONCLUSIVE,)]
    assert found.edges[0].reason.startswith("timeout: ")


def test_shares_are_all_of_it_in_order() -> None:
    for count in (0, 1, 3, 4, 5, 31, 33, 500):
        found = shares(list(range(count)), 4, 48)
        assert [x for share in found for x in share] == list(range(count))
        assert all(len(share) <= 48 for share in found)
        assert all(len(share) >= 4 for share in found[:-1])


def test_a_clock_without_a_limit_is_never_late() -> None:
    clock = Clock(None)
    assert clock.left is None
    assert clock.why.startswith("solver: ")


WAITING = """
import os
import time
from stateglass.reflexion import working
from stateglass.reflexion.chance import Valuation

def wait(number):
    if number:
        os.write(1, b"%d\\n" % number)
        time.sleep(600)

if __name__ == "__main__":
    working.WORTH = -1.0
    list(working.Workers(processes=2).map(wait, [0, 1, 2, 3]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no groups of processes")
def test_an_interruption_leaves_no_process_behind(tmp_path: Path) -> None:
    script = tmp_path / "waiting.py"
    script.write_text(WAITING, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert {process.stdout.readline().strip() for _ in range(2)} == {"1", "2"}
    os.killpg(process.pid, signal.SIGINT)
    # Whoever is left would keep the pipes open.
    _, err = process.communicate(timeout=60)
    assert err.strip().endswith("KeyboardInterrupt")
    assert err.count("Traceback") == 1, "only the one that asked answers"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("a process is left")
