"""Time that is over, or Ctrl-C, in the midst of work that looks at no clock: an answer all the same."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from stateglass.answers import answering
from stateglass.cli import main
from stateglass.cli.exits import Exit
from stateglass.evidence import Reason
from stateglass.explore.stepwise import Failure
from stateglass.unbounded.results import GivenUp
from stateglass.unbounded.time import Deadline
from stateglass.work import in_time as working
from tests.cli.running import BY_THE_CODE, Ran, stateglass

CODE: Final = """\
#include <assert.h>
static unsigned level;
void step(unsigned change)
{
    level += change;
    assert(level != 70000);
}
"""
SHARED: Final = """\
#include <assert.h>
int x;
void left(void) { for (;;) { x = 1; assert(x != 2); } }
void right(void) { for (;;) { x = 2; } }
"""
WAITS: Final = """\
#include <assert.h>
int x;
void hand(void);
void take(void);
void left(void) { for (;;) { x = 1; hand(); take(); assert(x != 3); } }
void right(void) { for (;;) { x = 2; if (x == 1) take(); hand(); } }
"""
EVENTS: Final = """\
#include <assert.h>
void hand(unsigned value);
unsigned asked(void);
void give(void) { for (;;) hand(asked() & 1); }
void take(void) { unsigned sum = 0; for (;;) { hand(1); sum += asked(); assert(sum != 5); } }
"""
BOX: Final = """\
struct box { unsigned first, second; };
unsigned share;
void step(struct box *box) { share = 1 / (box->first - 5); }
"""
DESIGN: Final = str(Path(__file__).parents[2] / "examples" / "robot_cell" / "hasty.ccl")
ALONE: Final = ("check", "code.c", "--function", "step")
EXPLICIT: Final = (*ALONE, "--bound", "step.change=0..2", "--engine", "explicit", "--max-states", "50")
DIRECT: Final = ("check", "shared.c", "--thread", "left", "--thread", "right", "--shared", "x=direct")
WAITING: Final = ("check", "waits.c", *DIRECT[2:], "--event", "hand", "--event", "take")
THREADS: Final = ("check", "events.c", "--thread", "give", "--thread", "take", "--event", "hand")
ASSEMBLY: Final = ("assembly", DESIGN, "--of", "careful")
PLACES: Final = [
    (ALONE, "pipeline.read"),
    (ALONE, "operations.checking.assemble_or_open"),
    (ALONE, "answers.answering.explore"),
    (ALONE, "answers.without_bounds.flow_of"),
    (ALONE, "answers.without_bounds.decide"),
    (ALONE, "answers.without_bounds.executed"),
    (ALONE, "unbounded.reachability.bmc.simplified"),
    (EXPLICIT, "answers.answering.explore"),
    (EXPLICIT, "answers.checking.decide"),
    (EXPLICIT, "answers.checking.confirmed"),
    (DIRECT, "answers.sharing.Taking"),
    (DIRECT, "unbounded.threads.turns.systems.woven"),
    (DIRECT, "answers.sharing.explore"),
    (DIRECT, "answers.sharing.done_again"),
    (DIRECT, "answers.sharing.problem_of_threads"),
    (THREADS, "operations.checking.read_threads"),
    (THREADS, "answers.threads.thread_systems"),
    (THREADS, "unbounded.threads.deciding.prepared"),
    (THREADS, "unbounded.threads.deciding.executed"),
    (ASSEMBLY, "answers.threads.thread_systems"),
    (ASSEMBLY, "answers.threads.decide"),
]


@pytest.fixture(autouse=True)
def code(here: Path) -> None:
    files = {"code.c": CODE, "shared.c": SHARED, "events.c": EVENTS, "box.c": BOX, "waits.c": WAITS}
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


def out_of_time(*args: object, **kwargs: object) -> NoReturn:
    """Declares the time over and works on for ever."""
    assert working._working, "nobody would end this"
    working._working.update(dict.fromkeys(working._working, 0.0))
    signal.setitimer(signal.ITIMER_REAL, working._SOONEST, working.AGAIN)
    while True:
        pass


def interrupted(*args: object, **kwargs: object) -> NoReturn:
    signal.raise_signal(signal.SIGINT)
    raise AssertionError("it was not heard")


def ran_with(
    monkeypatch: pytest.MonkeyPatch, place: str, argv: tuple[str, ...], instead: object = out_of_time
) -> tuple[Ran, dict[str, object]]:
    monkeypatch.setattr(f"stateglass.{place}", instead)
    ran = stateglass(*argv, "--format", "json")
    verdicts = json.loads(ran.out)["verdicts"] if ran.out else [{}]
    return ran, verdicts[0] if verdicts else {}


@pytest.mark.parametrize(("argv", "place"), PLACES)
def test_nothing_is_claimed_when_time_is_over(
    argv: tuple[str, ...], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran, found = ran_with(monkeypatch, place, argv)
    assert ran.status == Exit.INCONCLUSIVE, ran.err
    assert (found["verdict"], found["reason"]) == ("inconclusive", "timeout")
    assert found["explanation"]


@pytest.mark.parametrize(("argv", "place"), PLACES)
def test_ctrl_c_ends_it_in_good_order(argv: tuple[str, ...], place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran, found = ran_with(monkeypatch, place, argv, interrupted)
    assert ran.status == Exit.INTERRUPTED
    assert "Traceback" not in ran.err
    assert "interrupted" in ran.err
    assert found.get("verdict", "inconclusive") == "inconclusive"


def test_a_run_that_was_found_is_told_if_it_could_not_be_followed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Failure(0, "there was not enough time", is_sure=False)
    _, found = ran_with(monkeypatch, "answers.without_bounds.executed", ALONE, lambda *args: late)
    assert (found["verdict"], found["reason"]) == ("inconclusive", "timeout")
    assert "a run to an error was found" in str(found["explanation"])
    assert "the last run that was not refuted goes by" in str(found["explanation"]).lower()


def test_what_is_known_is_told_if_there_is_no_time_for_claims_of_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is handed in has any value for the one, and is zero at first for the other."""
    usual, asked = answering._on_numbers, list[object]()

    def late_for_the_second(*args: Any) -> object:
        asked.append(args)
        return usual(*args) if len(asked) == 1 else out_of_time()

    claims = ("--claim", "no-error", "--claim", "ctl: AG EF [share == 0]", "--no-replay")
    argv = ("check", "box.c", "--function", "step", *claims)
    ran, first = ran_with(monkeypatch, "answers.answering._on_numbers", argv, late_for_the_second)
    assert ran.status == Exit.FINDINGS, ran.err
    second = json.loads(ran.out)["verdicts"][1]
    assert (first["verdict"], second["verdict"], second["reason"]) == ("violated", "inconclusive", "timeout")


@pytest.mark.parametrize("stopped_at", [1, 2, 3])
def test_ctrl_c_tells_no_claim_twice_nor_by_another_name(stopped_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two claims on threads that share variables take turns; for a deadlock, engines look for an error."""
    asked: list[object] = []

    def stopped(*args: Any) -> GivenUp:
        asked.append(args)
        if len(asked) == stopped_at:
            signal.raise_signal(signal.SIGINT)
        deadline = next(arg for arg in args if isinstance(arg, Deadline))
        deadline.spend(1 << 40)  # the turn of this claim is over
        return GivenUp(Reason.TIMEOUT, "no time is left", "bmc")

    claims = ("no-error", "no-deadlock")
    argv = (*WAITING, "--engine", "bmc", *(word for claim in claims for word in ("--claim", claim)))
    ran, _ = ran_with(monkeypatch, "answers.without_bounds.decide", argv, stopped)
    assert ran.status == Exit.INTERRUPTED
    assert "threads: " not in ran.err.replace("left || right: ", "")
    assert [verdict["claim"] for verdict in json.loads(ran.out)["verdicts"]] == list(claims[: min(stopped_at, 2)])


@pytest.mark.skipif("replay" not in BY_THE_CODE, reason="there is no compiler")
@pytest.mark.parametrize(("end", "status"), [(out_of_time, Exit.FINDINGS), (interrupted, Exit.INTERRUPTED)])
def test_a_violation_is_told_without_the_compiled_code(
    end: object, status: Exit, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran, found = ran_with(monkeypatch, "answers.compiled.replay", ALONE, end)
    assert ran.status == status
    evidence = found["evidence"]
    assert isinstance(evidence, dict)
    assert (found["verdict"], evidence["confirmed_by"]) == ("violated", ["reference"])


@pytest.mark.parametrize(
    ("status", "was_left", "at_once"),
    [(Exit.OK, False, False), (Exit.INCONCLUSIVE, True, True), (Exit.INTERRUPTED, False, True)],
)
def test_what_was_left_in_the_middle_is_not_cleared_away(
    status: Exit, was_left: bool, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solvers that were stopped anywhere may bring the process down when it takes them apart."""
    ended: list[int] = []
    monkeypatch.setattr(main, "run", lambda *given: status)
    monkeypatch.setattr(main, "something_was_left", lambda: was_left)
    monkeypatch.setattr("os._exit", ended.append)
    for name in ("unraisablehook", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(sys, "setrecursionlimit", lambda depth: None)
    monkeypatch.setattr("gc.set_threshold", lambda young: None)
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == status
    assert ended == [status] * at_once
