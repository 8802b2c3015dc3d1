"""What is not known of threads that take turns is known where processes hold what they share, with all its values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.evidence import Reason
from stateglass.source import InputError
from stateglass.system.threads import Sharing
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads import holding, systems
from stateglass.unbounded.threads.holding import NotHeld, held
from stateglass.unbounded.threads.turns import weaving
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.unbounded.threads.asking import PATIENT, Case, actions, checked, setting_of, verdict

FLAGS = Case(
    """
    #include <assert.h>
    enum colour { RED, GREEN, BLUE } light;
    int wants, level = 3;
    _Bool open;
    void first(void) { for (;;) { wants = 1; while (open) ; light = GREEN; assert(light != BLUE); wants = 0; } }
    void second(void) { for (;;) { open = !open; int l = level; if (l > 0) level = l - 1; if (wants) light = RED; } }
    """,
    ("first", "second"),
    shared=("light=direct", "wants=direct", "level=direct", "open=direct"),
)
COUNTING = Case(
    """
    #include <assert.h>
    extern void lock(int who), unlock(int who);
    extern int in(void);
    int inside, most = 1;
    void task(int who) { for (;;) { lock(who); inside = inside + 1; assert(inside <= most); inside--; unlock(who); } }
    """,
    ("task(0)", "task(1)", "process MUTEX"),
    ("lock", "unlock"),
    shared=("inside=direct",),
    processes={"MUTEX": "MUTEX = (lock(who:0..1) -> unlock(who) -> MUTEX)."},
)


def _values(setting: systems.Setting) -> dict[str, str]:
    found = held(setting, PATIENT, Deadline(PATIENT.timeout), silent)
    assert not isinstance(found, NotHeld)
    assert set(found.threads.shared.values()) == {Sharing.PROCESS}
    return {thread.name: ", ".join(text for text, _ in thread.held) for thread in found.threads.threads if thread.held}


def test_variables_have_the_values_that_somebody_stores(tmp_path: Path) -> None:
    values = _values(setting_of(FLAGS, tmp_path))
    assert values == {"light": "RED, GREEN", "wants": "0, 1", "level": "0, 1, 2, 3", "open": "false, true"}


def test_a_counter_behind_a_lock_has_the_values_that_it_gets_there(tmp_path: Path) -> None:
    assert _values(setting_of(COUNTING, tmp_path)) == {"inside": "0, 1"}


def test_values_are_found_thread_by_thread_where_there_are_too_many_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _values(setting_of(FLAGS, tmp_path))
    monkeypatch.setattr(holding, "MOST_TOGETHER", 5)
    assert _values(setting_of(FLAGS, tmp_path)) == expected
    unknown = held(setting_of(COUNTING, tmp_path), PATIENT, Deadline(PATIENT.timeout), silent)
    assert unknown == NotHeld("`inside` may have many values")


def test_values_are_found_thread_by_thread_where_inputs_may_be_anything(tmp_path: Path) -> None:
    code = FLAGS.code.replace("void first", "extern int in(void); void first").replace("wants = 1", "wants = in() > 5")
    assert _values(setting_of(replace(FLAGS, code=code), tmp_path))["level"] == "0, 1, 2, 3"
    counting = replace(COUNTING, code=COUNTING.code.replace("inside--", "inside -= in() ? 1 : 1"))
    found = held(setting_of(counting, tmp_path), PATIENT, Deadline(PATIENT.timeout), silent)
    assert found == NotHeld("`inside` may have many values")


@pytest.mark.parametrize("claim", ["no-error", "no-deadlock", "G [inside <= 1]", "G F lock", "G(lock(0) => F lock(1))"])
def test_more_places_than_are_woven_are_no_obstacle(
    claim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = verdict(COUNTING, claim, tmp_path)
    monkeypatch.setattr(weaving, "MOST_SPOTS", 5)
    assert verdict(COUNTING, claim, tmp_path) == expected
    bad = checked(replace(COUNTING, code=COUNTING.code.replace("most = 1", "most = 0")), "no-error", tmp_path)
    assert bad.answer.verdict.value == "violated"
    assert actions(bad)[-1] == "error(assertion)"
    refused = checked(COUNTING, claim, tmp_path, Engine.BMC).answer
    assert (refused.verdict.value, refused.reason) == ("inconclusive", Reason.UNSUPPORTED)
    assert "more than 5 places" in refused.explanation


def test_claims_that_turns_do_not_know_are_answered_by_processes(tmp_path: Path) -> None:
    assert verdict(COUNTING, "ctl: AG EF [inside == 1]", tmp_path) == "holds"
    assert verdict(COUNTING, "no-livelock", tmp_path) == "holds"
    claim = "assume fair(store(task0.inside)): G F store(task0.inside)"
    assert verdict(COUNTING, claim, tmp_path) == "violated"
    growing = replace(COUNTING, code=COUNTING.code.replace("inside--;", "").replace("inside <= most", "most"))
    answer = checked(growing, "ctl: AG EF [inside == 0]", tmp_path).answer
    assert answer.verdict.value == "inconclusive"
    assert "`inside` has many values" in answer.explanation


def test_calls_that_processes_answer_go_with_variables_that_have_few_values(tmp_path: Path) -> None:
    case = Case(
        """
        #include <assert.h>
        extern int receive(void);
        int last;
        void first(void) { for (;;) last = receive(); }
        void second(void) { for (;;) assert(last <= 2); }
        """,
        ("first", "second"),
        answers=("receive=process RECEIVE",),
        shared=("last=direct",),
        processes={"RECEIVE": "RECEIVE = (get(n:0..2) -> return {$0 == n} -> STOP)."},
    )
    assert verdict(case, "no-error", tmp_path) == "holds"
    endless = replace(case, code=case.code.replace("last = receive()", "last = last + receive()"))
    with pytest.raises(InputError, match="a process answers `receive`"):
        checked(endless, "no-error", tmp_path)
