"""Several engines in turn: what they say counts when it was checked, and what is not known is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow, Phase
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.reachability import bmc
from stateglass.unbounded.reachability.attempts import Attempt, attempts_of
from stateglass.unbounded.reachability.deciding import Proved, Reached, Tried, decide
from stateglass.unbounded.results import GivenUp, Proof, Result, Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress, silent
from tests.unbounded.flows import flow_in, system_of

SAFE = """
#include <assert.h>
extern int more(void);
int main(void) { int n = 0; while (more()) if (n < 9) n++; assert(n <= 9); return 0; }
"""
UNSAFE = SAFE.replace("n <= 9", "n < 9")
LOST = """
#include <assert.h>
extern char *where(void);
extern int more(void);
int main(void) { int n = 0; while (more()) if (n < 9) n++; if (more()) return *where(); assert(n <= 9); return 0; }
"""


def found(flow: Flow, *attempts: Attempt, refused: str = "") -> Proved | Reached[str] | GivenUp:
    def confirmed(walk: Walk) -> list[str] | str:
        return refused or [walk.engine]

    tried = Tried()
    result = decide(flow, attempts, confirmed, Deadline(20), silent, tried)
    return result if not isinstance(result, Reached) else Reached(result.walk, result.confirmed[0])


def lying(flow: Flow, bad: frozenset[int], time: Deadline, progress: Progress) -> Result:
    """An engine that says that nothing is ever reached but the start."""
    conditions = tuple(flow.terms.truth(rest.phase is Phase.START) for rest in flow.rests)
    return Proof(conditions, "liar")


LIAR = Attempt("liar", "liar", lying, 20_000)
BMC = Attempt("bmc", "bmc", bmc.run, 100_000)


@pytest.mark.parametrize("engine", [Engine.AUTO, Engine.SPACER, Engine.PREDICATE])
def test_proofs_and_runs(tmp_path: Path, engine: Engine) -> None:
    safe = found(flow_in(system_of(tmp_path, SAFE)), *attempts_of(engine))
    assert isinstance(safe, Proved)
    unsafe = found(flow_in(system_of(tmp_path, UNSAFE)), *attempts_of(engine))
    assert isinstance(unsafe, Reached)


def test_a_wrong_proof_is_not_believed(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, UNSAFE))
    alone = found(flow, LIAR)
    assert isinstance(alone, GivenUp)
    assert "what it found proves nothing" in alone.why
    assert isinstance(found(flow, LIAR, BMC), Reached)


def test_a_run_that_the_code_does_not_have_is_not_reported(tmp_path: Path) -> None:
    result = found(flow_in(system_of(tmp_path, UNSAFE)), BMC, refused="it goes another way")
    assert isinstance(result, GivenUp)
    assert result.reason is Reason.UNSUPPORTED
    assert "it goes another way" in result.why
    assert result.candidate is not None


def test_code_that_is_not_known_is_in_the_way_of_a_proof_only(tmp_path: Path) -> None:
    result = found(flow_in(system_of(tmp_path, LOST)), *attempts_of(Engine.AUTO))
    assert isinstance(result, GivenUp)
    assert result.reason is Reason.UNSUPPORTED
    assert "`where` has no body" in result.why
    wrong = LOST.replace("n <= 9", "n < 9")
    assert isinstance(found(flow_in(system_of(tmp_path, wrong)), *attempts_of(Engine.AUTO)), Reached)


ENDLESS = """
#include <assert.h>
extern unsigned given(void);
int main(void) { unsigned n = 1; while (given()) n = n * 3 + 2 * given(); assert(n % 2); return 0; }
"""


@pytest.mark.parametrize("attempt", attempts_of(Engine.AUTO), ids=lambda attempt: attempt.label)
def test_a_turn_ends_by_the_work_that_was_done(tmp_path: Path, attempt: Attempt) -> None:
    flow = flow_in(system_of(tmp_path, ENDLESS, undefined_is="wrap"))
    bad = frozenset(rest.number for rest in flow.of_phase(Phase.FAILED))
    time = Deadline(600)
    little = attempt.run(flow, bad, time.part(5), silent)
    assert isinstance(little, GivenUp)
    assert little.reason is Reason.TIMEOUT  # more work may help
    assert not time.is_over()


def test_work_of_a_part_is_work_of_the_whole() -> None:
    whole = Deadline(600).part(10)
    part = whole.part(4)
    part.spend(4)
    assert part.is_over()
    assert not whole.is_over()
    assert whole.effort is not None
    assert whole.effort.left() == 6
    assert whole.part(100).effort is not None
    whole.spend(6)
    assert whole.part(100).is_over()
