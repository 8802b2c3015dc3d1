"""Rows of stretches: whether they can be gone, by which values, and why not."""

from __future__ import annotations

from pathlib import Path

from stateglass.explore.stretches import Flow, Phase, Stretch
from stateglass.smt import Term, Terms, evaluate
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import Infeasible, along, walk_along
from tests.unbounded.flows import flow_in, system_of

COUNTING = """
#include <assert.h>
int read_number(void);
int main(void) {
    unsigned n = 0;
    while (n < 3000) {
        int x = read_number();
        if (x == 123456) n++;
        assert(n < 3);
    }
    return 0;
}
"""


def _only(flow: Flow, source: Phase, target: Phase) -> Stretch:
    found = [s for s in flow.stretches if flow.rests[s.source].phase is source and flow.rests[s.target].phase is target]
    assert len(found) == 1
    return found[0]


def _row(flow: Flow, rounds: int) -> list[int]:
    """Into the loop, round it so often, and then to the error."""
    first = next(s for s in flow.leaving[0])
    row = [first.number]
    if flow.rests[first.target].phase is Phase.STABLE:
        row.append(_only(flow, Phase.STABLE, Phase.LOOP).number)
    row += [_only(flow, Phase.LOOP, Phase.LOOP).number] * rounds
    return [*row, _only(flow, Phase.LOOP, Phase.FAILED).number]


def test_a_row_that_can_be_gone_has_values_for_each_stretch(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    walk = walk_along(flow, _row(flow, 2), Deadline(10), "test")
    assert isinstance(walk, Walk)
    for number, values in zip(walk.stretches, walk.values, strict=True):
        stretch = flow.stretches[number]
        assert evaluate(stretch.guard, values) == 1
        if flow.rests[stretch.source].phase is Phase.LOOP:
            assert [values[c.term] for c in stretch.chosen] == [123456]
    for (number, before), after in zip(zip(walk.stretches, walk.values, strict=True), walk.values[1:], strict=False):
        stretch = flow.stretches[number]
        for slot, term in zip(flow.rests[stretch.target].slots, stretch.after, strict=True):
            assert after[slot.term] == evaluate(term, before)


def test_a_row_that_cannot_be_gone_says_where(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    row = _row(flow, 1)
    found = walk_along(flow, row, Deadline(10), "test")
    assert isinstance(found, Infeasible)
    assert found.core[-1] == len(row) - 1


def test_unknowns_of_one_stretch_differ_from_round_to_round(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    row = along(flow, _row(flow, 2))
    copies = [copy for step in row.steps for copy in step.copies.values()]
    assert len(copies) == len(set(copies)) == 3


def test_no_time_is_no_answer(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    assert walk_along(flow, _row(flow, 2), Deadline(0), "test") is None


def test_all_parts_are_replaced_at_once() -> None:
    terms = Terms()
    a, b = terms.variable("a", 8), terms.variable("b", 8)
    assert terms.substituted(terms.subtract(a, b), {a: b, b: a}) is terms.subtract(b, a)


def test_terms_through_one_mapping_share_what_is_made() -> None:
    terms = Terms()
    a, b = terms.variable("a", 8), terms.variable("b", 8)
    known: dict[Term, Term] = {}
    shared = terms.subtract(a, terms.constant(3, 8))
    first = terms.substituted(terms.equal(shared, b), {a: b}, known)
    assert known[shared] is terms.subtract(b, terms.constant(3, 8))
    assert terms.substituted(shared, {a: b}, known) in first.operands
    assert terms.copy_of(a, 3) is terms.copy_of(a, 3) is not terms.copy_of(a, 4)
