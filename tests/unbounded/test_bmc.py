"""Bounded model checking finds real walks, the shortest ones, and says how far it looked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow, Phase
from stateglass.smt import evaluated
from stateglass.unbounded.reachability import bmc, induction, proofs
from stateglass.unbounded.results import GivenUp, Proof, Walk
from stateglass.unbounded.time import Deadline
from tests.unbounded.flows import bad_rests, flow_in, system_of

ROUNDS = """
#include <assert.h>
int read_number(void);
int main(void) {
    unsigned n = 0, waited = 0;
    while (n < 3000) {
        int x = read_number();
        if (x == 123456 + (int)n) n++;
        else waited++;
        assert(n < 20);
    }
    return 0;
}
"""

ENTRIES = """
#include <assert.h>
static int opened, closed_at;
void open_it(int key) { if (key == 4711) opened = 1; }
void close_it(int when) { if (opened) closed_at = when; opened = 0; }
int state(void) { assert(closed_at != 99); return opened; }
"""


def assert_follows(flow: Flow, walk: Walk) -> None:
    """That a walk begins at the start, that guards hold along it, and that its values follow from each other."""
    rest, held = 0, list[int]()
    for number, values in zip(walk.stretches, walk.values, strict=True):
        stretch = flow.stretches[number]
        assert stretch.source == rest
        assert [values[slot.term] for slot in flow.rests[rest].slots] == held
        holds, *held = evaluated([stretch.guard, *stretch.after], values)
        assert holds
        rest = stretch.target
    assert flow.rests[rest].phase is Phase.FAILED


def test_an_error_many_rounds_away_is_found_by_the_shortest_walk(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, ROUNDS))
    walk = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(walk, Walk)
    assert_follows(flow, walk)
    chosen = [v[c.term] for n, v in zip(walk.stretches, walk.values, strict=True) for c in flow.stretches[n].chosen]
    assert chosen == [123456 + n for n in range(20)]


def test_several_functions_are_called_in_the_order_that_is_needed(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, ENTRIES, "open_it", "close_it", "state"))
    walk = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(walk, Walk)
    assert_follows(flow, walk)
    assert [flow.stretches[n].entry for n in walk.stretches] == [None, 0, 1, 2]
    assert [v[c.term] for n, v in zip(walk.stretches, walk.values, strict=True) for c in flow.stretches[n].chosen] == [
        4711,
        99,
    ]


def test_how_far_was_looked_is_said(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, ROUNDS))
    found = bmc.run(flow, bad_rests(flow), Deadline(50), max_depth=12)
    assert isinstance(found, GivenUp)
    assert (found.reason, found.rounds) == (Reason.BOUND, 12)
    assert "at most 12 times" in found.why


def test_without_time_nothing_is_said(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, ROUNDS))
    found = bmc.run(flow, bad_rests(flow), Deadline(0))
    assert isinstance(found, GivenUp)
    assert (found.reason, found.rounds) == (Reason.TIMEOUT, 0)


def test_choices_that_do_not_matter_are_small(tmp_path: Path) -> None:
    code = """
    #include <assert.h>
    int read_number(void);
    int main(void) {
        int a = read_number(), b = read_number(), c = read_number();
        for (;;) {
            assert(!(a > 5 && b + c == 70));
            a = read_number();
        }
    }
    """
    flow = flow_in(system_of(tmp_path, code))
    walk = bmc.run(flow, frozenset(r.number for r in flow.rests if r.what == "assertion"), Deadline(50))
    assert isinstance(walk, Walk)
    chosen = [v[c.term] for n, v in zip(walk.stretches, walk.values, strict=True) for c in flow.stretches[n].chosen]
    a, b, c = chosen[:3]
    assert 5 < a <= 9
    assert (b, c) == (0, 70)


BITS = """
#include <assert.h>
unsigned read_number(void);
int main(void) {
    unsigned n = read_number(), bits = 0;
    while (n) { bits++; n &= n - 1; }
    assert(bits <= %d);
    return 0;
}
"""

PAIRS = """
#include <assert.h>
int read_number(void);
static unsigned n, twice;
int main(void) {
    for (;;) {
        if (read_number() == 5) { n++; twice += 2; }
        assert(twice == 2 * n);
    }
}
"""


def test_where_every_run_is_over_soon_all_runs_are_looked_at(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, BITS % 32))
    proof = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(proof, Proof)
    assert proof.is_over
    assert proofs.check(flow, proof, bad_rests(flow), Deadline(50)) == ""
    shorter = replace(proof, depth=30)
    assert "some run goes on" in proofs.check(flow, shorter, bad_rests(flow), Deadline(50))


def test_the_longest_run_is_looked_at_too(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, BITS % 31))
    walk = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(walk, Walk)
    assert_follows(flow, walk)
    proof = induction.proof_by_length(flow, bad_rests(flow), len(walk.stretches), "test", is_over=True)
    assert "something bad is reached" in proofs.check(flow, proof, bad_rests(flow), Deadline(50))


def test_what_a_few_stretches_keep_is_kept(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, PAIRS))
    proof = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(proof, Proof)
    assert (proof.depth, proof.is_over) == (2, False)
    assert proofs.check(flow, proof, bad_rests(flow), Deadline(50)) == ""
    shorter = replace(proof, depth=1)
    assert "from somewhere by 1 stretches" in proofs.check(flow, shorter, bad_rests(flow), Deadline(50))
    assert "in time" in proofs.check(flow, proof, bad_rests(flow), Deadline(0))


def test_where_nothing_follows_the_start_nothing_is_reached(tmp_path: Path) -> None:
    code = """
    #include <assert.h>
    static int n;
    void begin(int x) { n = *(int *)0 + x; }
    void step(void) { assert(n); }
    """
    system = system_of(tmp_path, code, "step", init="begin", undefined_is="ignore")
    flow = flow_in(system)
    proof = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(proof, Proof)
    assert proofs.check(flow, proof, bad_rests(flow), Deadline(50)) == ""
