"""Ctrl-C while claims are checked, at every moment that is told of: exit status 130, and the answers so far."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.cli.progress import ProgressLine
from tests.cli.running import Ran, stateglass

CODE = """\
static int level;
int step(int change)
{
    level += change;
    if (level > 3)
        level = 0;
    return level;
}
"""
MODEL = 'des (0,3,2)\n(0,"a",1)\n(1,"b",0)\n(0,"c",0)\n'
LTL = "G(a => F c)"
CLAIMS = {"linear": LTL, "branching": "ctl: AG EF c", "modal": "mu: <true*.c.b>true", "built in": "no-deadlock"}
Interrupt = Callable[[str, int], list[str]]


@pytest.fixture
def interrupt_at(here: Path, monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Ctrl-C at the nth time that a phase is told; returns the phases as they are met."""
    Path("code.c").write_text(CODE, encoding="utf-8")
    Path("m.aut").write_text(MODEL, encoding="utf-8")

    def at(phase: str, time: int = 1) -> list[str]:
        met: list[str] = []

        def told(self: ProgressLine, name: str, **counts: int) -> None:
            met.append(name)
            if name == phase and met.count(phase) == time:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(ProgressLine, "__call__", told)
        return met

    return at


def check_interrupted(ran: Ran, answered: int) -> None:
    assert ran.status == Exit.INTERRUPTED
    assert "Traceback" not in ran.err
    assert "interrupted" in ran.err
    if answered >= 0:
        assert f"interrupted: {answered} claim" in ran.err


@pytest.mark.parametrize(
    ("phase", "claim", "answered"),
    [
        ("reading", LTL, -1),
        ("checking", LTL, 0),
        ("translating the formula", LTL, 0),
        ("looking for a violation", LTL, 0),
        ("looking for a short run", LTL, 0),
        ("evaluating a formula", CLAIMS["branching"], 0),
        ("evaluating a formula", CLAIMS["modal"], 0),
        ("looking for evidence", "ctl: AG !b", 0),
        ("looking for evidence", CLAIMS["modal"], 0),
        ("looking for states", CLAIMS["built in"], 0),
        ("following a recorded test backwards", "test: a b", 0),
    ],
)
def test_on_a_model(phase: str, claim: str, answered: int, interrupt_at: Interrupt) -> None:
    met = interrupt_at(phase, 1)
    ran = stateglass("check", "m.aut", "--claim", claim)
    assert phase in met
    check_interrupted(ran, answered)


@pytest.mark.parametrize(
    ("phase", "answered"),
    [
        ("reading", -1),
        ("exploring", 1),
        ("building the model", -1),
        ("checking", 0),
        ("following the evidence again", 0),
    ],
)
def test_on_code(phase: str, answered: int, interrupt_at: Interrupt) -> None:
    """What was explored before is answered on, as a model that was cut short is."""
    met = interrupt_at(phase, 1)
    ran = stateglass("check", "code.c", "--bound", "step.change=0..1", "--claim", "G [level < 3]")
    assert phase in met
    check_interrupted(ran, answered)


def test_answers_before_it_are_printed(interrupt_at: Interrupt) -> None:
    interrupt_at("checking", 3)
    asked = [word for claim in CLAIMS.values() for word in ("--claim", claim)]
    ran = stateglass("check", "m.aut", *asked, "--format", "json")
    check_interrupted(ran, 2)
    assert [verdict["claim"] for verdict in json.loads(ran.out)["verdicts"]] == list(CLAIMS.values())[:2]


def test_models_of_later_claims_are_not_begun(interrupt_at: Interrupt) -> None:
    met = interrupt_at("checking", 1)
    claims = ("--claim", "G [level < 9]", "--claim", "no-error")
    ran = stateglass("check", "code.c", "--bound", "step.change=0..1", *claims)
    check_interrupted(ran, 0)
    assert met.count("building the model") == 1


@pytest.mark.parametrize(
    "phase", ["deciding", "reading code from rest to rest", "bmc, unrolling", "predicate, refining"]
)
def test_where_inputs_have_no_bounds(phase: str, interrupt_at: Interrupt) -> None:
    met = interrupt_at(phase, 1)
    engine = phase.split(",")[0] if "," in phase else "auto"
    ran = stateglass("check", "code.c", "--engine", engine)
    assert phase in met
    check_interrupted(ran, 0)
    if "," in phase:
        assert "inconclusive: timeout" in ran.out
        assert "It was interrupted. What was said last is" in ran.out
