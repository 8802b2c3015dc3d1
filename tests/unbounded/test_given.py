"""Predicates of the user: where they are asked, and that they help without being believed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from stateglass.explore.stretches import Flow, Phase
from stateglass.source import InputError
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.given import Posed, read_given
from stateglass.unbounded.reachability.attempts import attempts_of
from stateglass.unbounded.reachability.deciding import Proved, Reached, Tried, decide
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.unbounded.flows import flow_with, system_of

STEPS = """
#include <assert.h>
extern int more(void);
static unsigned at;
static unsigned unused;
int main(void)
{
    for (;;) {
        unsigned mine = 0;
        if (more()) at += 4;
        while (more()) mine += 8;
        unused++;
        assert(at != LIMIT && mine != 70001);
    }
}
"""
SAFE, WRONG = STEPS.replace("LIMIT", "65538"), STEPS.replace("LIMIT", "16")
NESTED = """
extern int more(void);
int down(int depth)
{
    int sum = 0;
    while (more()) sum++;
    return depth > 0 ? down(depth - 1) + sum : sum;
}
int main(void) { return down(1); }
"""


def found(flow: Flow, seeds: Sequence[Posed], seconds: float) -> object:
    attempts = attempts_of(Engine.PREDICATE, [one.seed for one in seeds])
    return decide(flow, attempts, lambda walk: [walk.engine], Deadline(seconds), silent, Tried())


def test_they_prove_what_is_not_found_without_them(tmp_path: Path) -> None:
    flow, seeds = flow_with(system_of(tmp_path, SAFE), "at % 4 == 0", "main::mine % 8 == 0")
    proved = found(flow, seeds, 60)
    assert isinstance(proved, Proved)
    assert proved.proof.rounds == 1


@pytest.mark.parametrize("texts", [("at % 4 == 1", "unused > at"), ("at == 7 || main::mine < 3", "at != 16")])
def test_wrong_ones_change_no_answer(tmp_path: Path, texts: tuple[str, ...]) -> None:
    flow, seeds = flow_with(system_of(tmp_path, WRONG), *texts)
    assert seeds
    assert isinstance(found(flow, seeds, 60), Reached)


def test_they_are_asked_where_variables_have_values(tmp_path: Path) -> None:
    _, seeds = flow_with(system_of(tmp_path, SAFE), "at < 9", "main::mine < 9")
    lines = {text: {one.rest.span.line for one in seeds if one.text == text} for text in ("at < 9", "main::mine < 9")}
    assert lines["main::mine < 9"] == {11}
    assert lines["at < 9"] == {9, 11}


def test_in_a_recursion_the_innermost_variable_is_meant(tmp_path: Path) -> None:
    flow, seeds = flow_with(system_of(tmp_path, NESTED), "down::depth == 0", "down::sum > 2")
    loops = flow.of_phase(Phase.LOOP)
    meant = {one.rest.number: {s.cell for s in one.rest.slots if s.name == "down::sum"} for one in seeds}
    assert len(loops) == len(meant) == 2, "the condition on the depth is the same always"
    flows = [one for one in seeds if one.text == "down::sum > 2"]
    assert len({one.condition for one in flows}) == 2


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    texts = ("att < 3", "at = 4", "at -- 1", "3", "more() < 4", "at", "at < 4 ||")
    with pytest.raises(InputError) as caught:
        read_given(texts, system_of(tmp_path, SAFE))
    told = [(d.message.splitlines()[1].strip(), d.help) for d in caught.value.diagnostics]
    assert [text for text, _ in told] == [text for text in texts if text != "at"]
    assert "did you mean `at`?" in told[0][1]
    assert "assigns nothing" in told[1][1]
    assert "side effects" in told[4][1]
