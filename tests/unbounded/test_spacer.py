"""Spacer on programs: invariants that are checked, walks that exist, and machines taken apart by their states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.explore.stretches import Flow
from stateglass.smt import evaluated
from stateglass.unbounded.reachability import proofs, spacer
from stateglass.unbounded.reachability.splitting import split
from stateglass.unbounded.results import Proof, Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.unbounded.flows import bad_rests, flow_in, system_of

BEGINNING = """
extern int any(void);
extern unsigned any_unsigned(void);
extern short any_short(void);
#include <assert.h>
"""
HOLD = {
    "a bound that is not known": "int n = any(), i = 0; while (i < n) i++; assert(n < 0 || i == n);",
    "two in step": "int n = any(), x = 0, y = 0; while (x < n) { x++; y++; } assert(x == y);",
    "one down, one up": "unsigned n = any_unsigned(), x = n, y = 0; while (x > 0) { x--; y++; } assert(y == n);",
    "nested": "int n = any(); if (n > 1000) return 0;"
    " for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) assert(j < n);",
    "a multiple": "unsigned n = any_unsigned(), i = 0, s = 0; while (i < n) { i++; s += 2; } assert(s == 2 * i);",
    "around the end": "unsigned x = 0; while (any()) x += 2; assert(x % 2 == 0);",
    "short numbers": "short s = any_short(); int i = s; long l = 0; while (l < i) l++; assert(l <= 32767);",
    "halves": "int x = any(); if (x < 0) return 0; while (x > 1) x = x / 2; assert(x == 0 || x == 1);",
    "a queue": "unsigned p = 0, c = 0; while (any()) { if (p - c < 10) p++; if (c != p && any()) c++; }"
    " assert(p - c <= 10);",
    "bits": "unsigned f = 0; while (any()) { f |= 4; f &= ~1u; } assert((f & 1) == 0);",
}
VIOLATED = {
    "a bound that is not known": "int n = any(), i = 0; while (i < n) i++; assert(i == n);",
    "out of step": "int n = any(), x = 0, y = 0; while (x < n) { x++; if (x != 4) y++; } assert(x == y);",
    "around the end": "unsigned x = any_unsigned(), y = x + 1; assert(y > x);",
    "overflow": "int x = any(), y = any(); if (x > 0 && y > 0) { int z = x + y; assert(z > 0); }",
}


def flow_of_body(folder: Path, body: str) -> Flow:
    return flow_in(system_of(folder, f"{BEGINNING}int main(void) {{ {body} return 0; }}"))


def machine(states: int, *, is_wrong: bool) -> str:
    """A ring of states with retries; a token is taken in the first and given back in the last one."""
    cases = "".join(
        f"case {n}: if (any()) s = {(n + 1) % states}; else {{ retries++; if (retries > 1000) return 0; }}"
        f" {'assert(!token); token = 1;' if n == 0 else ''} {'token = 0;' if n == states - 1 else ''} break;\n"
        for n in range(states)
    )
    if not is_wrong:
        cases = cases.replace("assert(!token); token = 1;", "assert(s == 0 || !token); token = s != 0;")
    return f"int s = 0, token = 0; unsigned retries = 0; for (;;) switch (s) {{ {cases} default: assert(0); }}"


def assert_follows(flow: Flow, walk: Walk) -> None:
    here = 0
    held: list[int] = []
    for number, values in zip(walk.stretches, walk.values, strict=True):
        stretch = flow.stretches[number]
        assert stretch.source == here
        assert [values[slot.term] for slot in flow.rests[here].slots] == held
        guard, *held = evaluated([stretch.guard, *stretch.after], values)
        assert guard
        here = stretch.target
    assert here in bad_rests(flow)


@pytest.mark.parametrize("name", HOLD)
def test_proofs_over_integers(tmp_path: Path, name: str) -> None:
    flow = flow_of_body(tmp_path, HOLD[name])
    result = spacer.run(flow, bad_rests(flow), Deadline(40), silent)
    assert isinstance(result, Proof), result
    assert proofs.check(flow, result, bad_rests(flow), Deadline(40)) == ""


@pytest.mark.parametrize("name", ["two in step", "bits", "a multiple", "around the end"])
def test_proofs_over_bits(tmp_path: Path, name: str) -> None:
    flow = flow_of_body(tmp_path, HOLD[name])
    result = spacer.run(flow, bad_rests(flow), Deadline(40), silent, encoding="bits")
    assert isinstance(result, Proof), result


@pytest.mark.parametrize("encoding", ["integers", "bits"])
@pytest.mark.parametrize("name", VIOLATED)
def test_walks_exist(tmp_path: Path, name: str, encoding: spacer.Encoding) -> None:
    flow = flow_of_body(tmp_path, VIOLATED[name])
    result = spacer.run(flow, bad_rests(flow), Deadline(40), silent, encoding=encoding)
    assert isinstance(result, Walk), result
    assert_follows(flow, result)


def test_signed_numbers_may_wrap_around(tmp_path: Path) -> None:
    """That they fit is taken for granted at first, and must not be believed."""
    code = f"{BEGINNING}int main(void) {{ int x = any(), y = x + 1; assert(y > x); return 0; }}"
    flow = flow_in(system_of(tmp_path, code, undefined_is="wrap"))
    result = spacer.run(flow, bad_rests(flow), Deadline(40), silent)
    assert isinstance(result, Walk), result
    assert_follows(flow, result)


@pytest.mark.parametrize("is_wrong", [False, True])
def test_machines_are_taken_apart(tmp_path: Path, is_wrong: bool) -> None:
    flow = flow_of_body(tmp_path, machine(8, is_wrong=is_wrong))
    parts = split(flow)
    assert parts is not None
    assert {value for _, value in parts.places if value is not None} == set(range(8))
    result = spacer.run(flow, bad_rests(flow), Deadline(60), silent)
    if isinstance(result, Walk):
        assert is_wrong
        assert_follows(flow, result)
    else:
        assert isinstance(result, Proof), result
        assert not is_wrong


def test_nothing_is_taken_apart_by_flags(tmp_path: Path) -> None:
    flow = flow_of_body(tmp_path, "int on = 0; while (any()) { on = !on; } assert(on == 0 || on == 1);")
    assert split(flow) is None


def test_what_is_no_proof_is_refused(tmp_path: Path) -> None:
    """An invariant that is too weak, one that the start breaks, one that a stretch leaves, and one of another flow."""
    flow = flow_of_body(tmp_path, HOLD["two in step"])
    bad = bad_rests(flow)
    good = spacer.run(flow, bad, Deadline(40), silent)
    assert isinstance(good, Proof)
    terms = flow.terms
    weak = tuple(terms.false if number in bad else terms.true for number in range(len(flow.rests)))
    assert "any more on the way" in proofs.check(flow, replace(good, invariant=weak), bad, Deadline(20))
    everything = tuple(terms.true for _ in flow.rests)
    assert "rule out" in proofs.check(flow, replace(good, invariant=everything), bad, Deadline(20))
    nothing = tuple(terms.false for _ in flow.rests)
    assert "at the start" in proofs.check(flow, replace(good, invariant=nothing), bad, Deadline(20))
    assert "another flow" in proofs.check(flow, replace(good, invariant=good.invariant[1:]), bad, Deadline(20))
    loop = next(rest for rest in flow.rests if rest.slots)
    foreign = tuple(
        terms.equal(loop.slots[0].term, loop.slots[0].term)
        if n
        else terms.equal(loop.slots[0].term, loop.slots[1].term)
        for n in range(len(flow.rests))
    )
    assert "something else" in proofs.check(flow, replace(good, invariant=foreign), bad, Deadline(20))
    too_strong = list(good.invariant)
    too_strong[loop.number] = terms.both(
        too_strong[loop.number], terms.equal(loop.slots[1].term, terms.constant(0, loop.slots[1].term.width))
    )
    assert proofs.check(flow, replace(good, invariant=tuple(too_strong)), bad, Deadline(20))
