"""Limits by work: which claim is decided does not depend on how fast a machine is."""

from __future__ import annotations

from pathlib import Path

from stateglass.answers.checking import Checked
from stateglass.answers.turns import in_turns
from stateglass.evidence import Answer, Reason, Verdict
from stateglass.explore import Manner, explore
from stateglass.logic.claims import Claim
from stateglass.logic.reading import read_claim
from stateglass.model import ModelBuilder
from stateglass.system.threads import AskedThreads, read_threads
from stateglass.unbounded.results import GivenUp
from stateglass.unbounded.temporal.deciding import decide
from stateglass.unbounded.threads.deciding import decide_threads
from stateglass.unbounded.threads.systems import Setting, thread_systems
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.unbounded.flows import system_of

ENDLESS = """
extern unsigned given(void);
extern void done(void);
int main(void) { unsigned n = 1; while (given()) n = n * 3 + 2 * given(); if (n % 2) done(); for (;;) ; }
"""


def test_a_linear_claim_ends_by_the_work_that_was_done(tmp_path: Path) -> None:
    time = Deadline(600)
    system = system_of(tmp_path, ENDLESS, undefined_is="wrap")
    found = decide(system, read_claim("G !call(done)"), time.part(5), Manner(), silent)
    assert isinstance(found, GivenUp)
    assert found.reason is Reason.TIMEOUT
    assert not time.is_over()


def test_abstraction_of_threads_ends_by_the_work_that_was_done(tmp_path: Path) -> None:
    time = Deadline(600)
    program = system_of(tmp_path, ENDLESS, undefined_is="wrap").program
    setting = Setting.of(program, read_threads(program, AskedThreads(("main",), ("done",))))
    systems, claim = thread_systems(setting, open=True), read_claim("G !done")
    part = time.part(5)
    answer = decide_threads(claim, setting.threads, systems, None, Manner(), part, silent).answer
    assert (answer.verdict, answer.reason) == (Verdict.INCONCLUSIVE, Reason.TIMEOUT)
    assert part.is_over()
    assert not time.is_over()


def test_exploration_can_end_by_steps(tmp_path: Path) -> None:
    code = "int main(void) { unsigned n = 0; while (n < 4000000000u) n++; return 0; }"
    first, second = (explore(system_of(tmp_path, code), Manner(max_steps=50_000, timeout=600)) for _ in range(2))
    assert first.model.origin.partial == ("stopped after 50,000 steps",)
    assert first.steps == second.steps


def test_claims_take_turns_until_each_has_had_enough() -> None:
    costs = {"easy": 1, "hard": 1_000_000, "harder": 10_000_000}
    claims = [read_claim(f"G !{name}") for name in costs]
    time, asked = Deadline(600), list[str]()
    model = ModelBuilder().build(1)

    def answered(claim: Claim, turn: Deadline) -> Checked:
        name = claim.title.removeprefix("G !")
        asked.append(name)
        turn.spend(costs[name])
        verdict = Verdict.INCONCLUSIVE if turn.is_over() else Verdict.HOLDS
        return Checked(claim, Answer(claim.title, verdict), model)

    last = dict(in_turns(claims, time, answered))
    assert [last[number].answer.verdict for number in range(3)] == [Verdict.HOLDS] * 3
    # Nobody else is left after the second round.
    assert asked == ["easy", "hard", "harder", "hard", "harder", "harder"]


def test_a_claim_that_is_alone_has_all_the_time() -> None:
    time = Deadline(600)
    claim, model = read_claim("G !event"), ModelBuilder().build(1)

    def answered(claim: Claim, turn: Deadline) -> Checked:
        assert turn is time
        return Checked(claim, Answer(claim.title, Verdict.INCONCLUSIVE, Reason.SOLVER), model)

    assert len(list(in_turns([claim], time, answered))) == 1
