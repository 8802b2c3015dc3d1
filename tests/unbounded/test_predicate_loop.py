"""Abstractions that refine themselves: proofs are inductive, walks can be gone, and work grows with what is asked."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow, Phase
from stateglass.smt import Term, evaluated
from stateglass.unbounded.abstraction.safety import Loop, run
from stateglass.unbounded.abstraction.seeding import seeded
from stateglass.unbounded.reachability.proofs import check
from stateglass.unbounded.results import GivenUp, Proof, Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.unbounded.flows import bad_rests, flow_in, system_of

SAFE = {
    "a lock around retries": """
int locked;
void lock(void) { assert(!locked); locked = 1; }
void unlock(void) { assert(locked); locked = 0; }
int main(void) {
    unsigned packets = 0, old;
    do {
        lock();
        old = packets;
        if (input()) { unlock(); packets++; }
    } while (packets != old);
    unlock();
    return 0;
}""",
    "a counter to a large bound": """
int main(void) {
    int i = 0, small = 0;
    while (i < 1000000) { i++; if (small < 5) small++; }
    assert(i == 1000000 && small <= 5);
    return 0;
}""",
    "two counters that go together": """
int main(void) {
    unsigned x = 0, y = 0;
    while (input()) { x++; y++; }
    while (x > 0) { x--; y--; }
    assert(y == 0);
    return 0;
}""",
    "nested loops": """
int main(void) {
    int n = input(), m = input(), i, j;
    if (n < 0 || m < 0) return 0;
    for (i = 0; i < n; i++) { for (j = 0; j < m; j++) assert(j < m); assert(j == m); }
    assert(i == n);
    return 0;
}""",
    "a sum of two": """
int main(void) {
    int tries = 0, done = 0, failed = 0, most = input();
    if (most < 1) return 0;
    while (!done && tries < most) { tries++; if (input()) done = 1; else failed++; }
    assert(tries == failed + done && (done || failed == most));
    return 0;
}""",
    "a window of numbers that wrap": """
int main(void) {
    unsigned sent = 0, acked = 0;
    while (input()) {
        if (input()) { if (sent - acked < 4) sent++; } else if (acked != sent) acked++;
        assert(sent - acked <= 4);
    }
    return 0;
}""",
    "flags one after the other": """
int main(void) {
    unsigned flags = 0;
    while (1) switch (input()) {
        case 1: flags |= 1; break;
        case 2: if (flags & 1) flags |= 4; break;
        case 3: if (flags & 4) flags |= 16; break;
        case 4: assert(!(flags & 16) || (flags & 1)); break;
    }
}""",
}
UNSAFE = {
    "a lock that is kept once": """
int locked;
int main(void) {
    unsigned packets = 0, old;
    do {
        assert(!locked);
        locked = 1;
        old = packets;
        if (input()) { if (input() != 3) locked = 0; packets++; }
    } while (packets != old);
    return 0;
}""",
    "a counter that goes too far": """
int main(void) {
    int i = 0;
    while (1) { if (input()) i++; else if (i > 0) i--; assert(i < 6); }
}""",
    "a sum that wraps": """
int main(void) {
    unsigned x = input(), y = input();
    while (input()) { if (x < y) { unsigned sum = x + y; assert(sum >= x); x = sum; } else y = input(); }
    return 0;
}""",
}


def _flow(folder: Path, code: str) -> Flow:
    return flow_in(system_of(folder, "#include <assert.h>\nint input(void);\n" + code, "main"))


def _is_walk(flow: Flow, walk: Walk, bad: frozenset[int]) -> None:
    """Goes along a walk with its values."""
    held: Mapping[Term, int] = {}
    at = 0
    for number, values in zip(walk.stretches, walk.values, strict=True):
        stretch = flow.stretches[number]
        assert stretch.source == at
        assert {slot.term: values[slot.term] for slot in flow.rests[at].slots} == held
        guard, *after = evaluated([stretch.guard, *stretch.after], values)
        assert guard
        at = stretch.target
        held = {slot.term: value for slot, value in zip(flow.rests[at].slots, after, strict=True)}
    assert at in bad


@pytest.mark.parametrize("name", SAFE)
def test_safe_programs_are_proved(name: str, tmp_path: Path) -> None:
    flow = _flow(tmp_path, SAFE[name])
    bad = bad_rests(flow)
    proof = run(flow, bad, Deadline(60), silent)
    assert isinstance(proof, Proof)
    assert check(flow, proof, bad, Deadline(60)) == ""


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_programs_have_walks(name: str, tmp_path: Path) -> None:
    flow = _flow(tmp_path, UNSAFE[name])
    bad = bad_rests(flow)
    walk = run(flow, bad, Deadline(60), silent)
    assert isinstance(walk, Walk)
    _is_walk(flow, walk, bad)


def _machine(states: int, *, safe: bool) -> str:
    """A loop with a switch: steps are counted, some come back, and the last state says how far it must have come."""
    cases = []
    for at in range(states):
        number = 0x100 + 16 * at
        if at == states - 1:
            cases.append(f"case {number}: assert(level == {states // 3 if safe else 1}); return 0;")
            continue
        code = f"if (in < 0) {{ rounds++; break; }} if (in == 9) state = {0x100 + 16 * (at - at % 3)}; else "
        level = f" if (level <= {at // 3}) level = {at // 3 + 1};" if at % 3 == 1 else ""
        cases.append(f"case {number}:{level} {code} state = {number + 16}; break;")
    head = f"int main(void) {{ int state = {0x100}, level = 0; unsigned rounds = 0;\n"
    return head + "while (1) { int in = input(); switch (state) {\n" + "\n".join(cases) + "\ndefault: return 1; } } }"


def test_states_of_a_machine_are_found_and_cost_little(tmp_path: Path) -> None:
    """Its constants are one question, and so twice the states are about twice the work."""
    asked = []
    for states in (12, 24):
        flow = _flow(tmp_path, _machine(states, safe=True))
        loop = Loop(flow, bad_rests(flow), Deadline(60), silent)
        (rest,) = flow.of_phase(Phase.LOOP)
        tree = loop.abstraction.predicates.trees[rest.number]
        assert tree is not None
        assert len(tree.question.constants) == states
        proof = loop.run()
        assert isinstance(proof, Proof)
        assert check(flow, proof, bad_rests(flow), Deadline(60)) == ""
        asked.append(loop.abstraction.questions)
    assert asked[1] < 3.5 * asked[0]


def test_a_machine_that_goes_wrong(tmp_path: Path) -> None:
    flow = _flow(tmp_path, _machine(12, safe=False))
    walk = run(flow, bad_rests(flow), Deadline(60), silent)
    assert isinstance(walk, Walk)
    _is_walk(flow, walk, bad_rests(flow))
    assert len(walk.stretches) >= 12


def test_predicates_of_the_user_are_asked_first(tmp_path: Path) -> None:
    flow = _flow(tmp_path, SAFE["two counters that go together"])
    first, second = flow.of_phase(Phase.LOOP)
    seeds = [(rest.number, flow.terms.equal(*(slot.term for slot in rest.slots))) for rest in (first, second)]
    assert seeded(flow, seeds).asked(first.number) == [seeds[0][1]]
    proof = run(flow, bad_rests(flow), Deadline(60), silent, seeds=seeds)
    assert isinstance(proof, Proof)
    assert proof.rounds == 1
    assert proof.predicates == 2


def test_without_time_there_is_no_answer(tmp_path: Path) -> None:
    flow = _flow(tmp_path, SAFE["nested loops"])
    answer = run(flow, bad_rests(flow), Deadline(0), silent)
    assert isinstance(answer, GivenUp)
    assert answer.reason is Reason.TIMEOUT


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[dict[str, int]] = []
    flow = _flow(tmp_path, SAFE["nested loops"])
    proof = run(flow, bad_rests(flow), Deadline(60), lambda phase, /, **counts: told.append(counts))
    assert isinstance(proof, Proof)
    assert told[-1]["iteration"] == proof.rounds
    assert told[-1]["predicates"] == proof.predicates
    assert told[-1]["states"] > 3


def _small(seed: int) -> str:
    """A random loop over few values."""
    chance = random.Random(seed)
    names = ["a", "b"]

    def value() -> str:
        return chance.choice([*names, "c", str(chance.randrange(8))])

    def condition() -> str:
        return f"{value()} {chance.choice(['<', '==', '!=', '<='])} {value()}"

    lines = []
    for _ in range(5):
        target = chance.choice(names)
        code = f"{target} = ({value()} {chance.choice(['+', '-', '^', '&'])} {value()}) & 7;"
        lines.append(f"if ({condition()}) {{ {code} }}")
    both = f" && b == {chance.randrange(8)}" if chance.random() < 0.5 else ""
    end = f"assert(!(a == {chance.randrange(1, 8)}{both}));"
    whole = "\n".join([*lines, end])
    return "int main(void) { unsigned a = 0, b = 0; while (1) { unsigned c = input() & 3;\n" + whole + "\n} }"


def _can_fail(flow: Flow, bad: frozenset[int]) -> bool:
    """By trying everything."""
    start: tuple[int, tuple[int, ...]] = (0, ())
    seen, work = {start}, [start]
    while work:
        at, held = work.pop()
        if at in bad:
            return True
        slots = [slot.term for slot in flow.rests[at].slots]
        for stretch in flow.leaving[at]:
            for chosen in range(4):
                values = dict(zip(slots, held, strict=True)) | {c.term: chosen for c in stretch.chosen}
                guard, *after = evaluated([stretch.guard, *stretch.after], values)
                if guard and (stretch.target, tuple(after)) not in seen:
                    seen.add((stretch.target, tuple(after)))
                    work.append((stretch.target, tuple(after)))
    return False


@pytest.mark.parametrize("seed", range(10))
def test_small_programs_get_the_right_answer(seed: int, tmp_path: Path) -> None:
    flow = _flow(tmp_path, _small(seed))
    bad = bad_rests(flow)
    answer = run(flow, bad, Deadline(60), silent)
    assert isinstance(answer, Walk) is _can_fail(flow, bad)
    if isinstance(answer, Walk):
        _is_walk(flow, answer, bad)
    else:
        assert isinstance(answer, Proof)
        assert check(flow, answer, bad, Deadline(60)) == ""


def test_small_programs_are_of_both_kinds(tmp_path: Path) -> None:
    flows = [_flow(tmp_path, _small(seed)) for seed in range(10)]
    assert {_can_fail(flow, bad_rests(flow)) for flow in flows} == {True, False}
