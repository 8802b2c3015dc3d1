"""Several components or assemblies have one limit of time: none of them has all of it before the others had some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stateglass.assemblies.ccl import read_design
from stateglass.assemblies.interpretation.translating import Asked
from stateglass.evidence import Reason, Verdict
from stateglass.operations import designs
from stateglass.operations.designs import HowChecked, check_design

LIMIT = 1000.0

TWO = """
component hard() { sink asynch go(); threaded react R(go) { start -> on {} on -> on { trigger ^go(); } } }
component easy() { sink asynch go(); threaded react R(go) { start -> on {} on -> on { trigger ^go(); } } }
"""


def test_what_one_cannot_decide_costs_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, float]] = []
    run = designs._Checking.run

    def slowly(self: designs._Checking, claims: tuple[Asked, ...]) -> designs.CheckedDesign:
        found, seconds = run(self, claims), self._time.left()
        done.append((found.wiring.name, seconds))
        if found.wiring.name == "easy" or seconds > LIMIT / 2:
            return found
        answer = replace(found.checked[0].answer, verdict=Verdict.INCONCLUSIVE, reason=Reason.TIMEOUT)
        return replace(found, checked=(replace(found.checked[0], answer=answer),))

    monkeypatch.setattr(designs._Checking, "run", slowly)
    found = check_design(read_design(TWO), HowChecked(seconds=LIMIT))
    assert [name for name, _ in done] == ["hard", "easy", "hard"]
    assert done[0][1] < LIMIT / 8 < done[2][1]
    assert [one.wiring.name for one in found] == ["hard", "easy"]
    assert [one.checked[0].answer.verdict for one in found] == [Verdict.HOLDS, Verdict.HOLDS]
