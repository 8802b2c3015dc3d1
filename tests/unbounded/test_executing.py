"""Walks as runs of the reference semantics: what was chosen there is chosen here, and the same error happens."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from stateglass.explore import Manner
from stateglass.explore.stepwise import Failure
from stateglass.explore.stretches import Flow, Phase
from stateglass.smt import evaluated
from stateglass.system import Mode, System
from stateglass.unbounded.reachability import bmc
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.executing import Executed, executed
from tests.unbounded.flows import bad_rests, flow_in, system_of

LOOPS: Final = """
#include <assert.h>
int read_number(void);
int main(void) {
    unsigned n = 0; int ignored = 0;
    while (n < 3000) {
        int x = read_number();
        if (ignored) ignored = read_number() > 3;
        else ignored = x > 7;
        if (x == 123456 + (int)n) n++;
        assert(n < 5);
    }
    return 0;
}
"""

ENTRIES: Final = """
#include <assert.h>
#include <stdbool.h>
enum kind { SMALL = -3, LARGE = 70000 };
static int opened, level;
volatile unsigned char sensor;
void open_it(short key, bool really) { if (key == -4711 && really) opened = 1; }
void fill(enum kind kind, double amount) { if (opened && kind == LARGE && amount > 1.5) level = sensor; }
int state(void) { assert(level != 250); return opened; }
"""

WRITES: Final = """
#include <assert.h>
int receive(int *length, unsigned char *flag);
int main(void) {
    int length = 0; unsigned char flag = 0;
    for (;;) {
        if (receive(&length, &flag) != 17) continue;
        assert(!(length == 99 && flag == 200));
    }
}
"""

INPUTS: Final = """
#include <assert.h>
int button, row[2];
static int pressed;
void step(int *counted) {
    if (button == 7 && row[0] + row[1] == 5) pressed++;
    assert(!(pressed == 2 && *counted == -1));
}
"""

HANDED: Final = """
#include <assert.h>
const char *pick(const char *first, const char *second);
int main(void) {
    char a = 1, b = 2;
    for (;;) {
        const char *p = pick(&a, &b);
        if (p == 0) continue;
        if (p == &b) a++;
        assert(a < 4);
    }
}
"""

Bounds = tuple[tuple[str, str], ...]


def _walk(system: System, *, events: bool = False) -> tuple[Flow, Walk]:
    flow = flow_in(system, events=events)
    walk = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(walk, Walk)
    return flow, walk


@pytest.mark.parametrize("events", [False, True])
@pytest.mark.parametrize(
    ("code", "functions", "bounds", "last"),
    [
        (LOOPS, (), (), "return(read_number, 123460)"),
        (ENTRIES, ("open_it", "fill", "state"), (), "call(state)"),
        (WRITES, (), (), "return(receive, 17, &main::length=99, "),
        (
            INPUTS,
            ("step",),
            (("button", "0..9"), ("row", "0..3"), ("step.counted", "-5..5")),
            "call(step, &counted=-1)",
        ),
        (HANDED, (), (("pick()", "{null, second}"),), "return(pick, &main::b)"),
    ],
)
def test_the_reference_does_what_the_walk_says(
    tmp_path: Path, code: str, functions: tuple[str, ...], bounds: Bounds, last: str, events: bool
) -> None:
    system = system_of(tmp_path, code, *functions, bounds=bounds)
    flow, walk = _walk(system, events=events)
    found = executed(system, flow, walk, Manner())
    assert isinstance(found, Executed), found
    assert found.differs == ""
    actions = [taken.step.action for taken in found.run.taken]
    assert actions[-1] == "error(assertion)"
    assert actions[-2].startswith(last)
    assert "error(assertion)" in found.model.labels


def test_a_walk_that_the_code_does_not_go_is_refused(tmp_path: Path) -> None:
    system = system_of(tmp_path, LOOPS)
    flow, walk = _walk(system)
    # The same choices for code that fails later.
    other = system_of(tmp_path, LOOPS.replace("n < 5", "n < 6"))
    found = executed(other, flow, walk, Manner())
    assert isinstance(found, Failure)
    assert "asks for `read_number()`" in found.reason


def test_another_error_is_told(tmp_path: Path) -> None:
    system = system_of(tmp_path, LOOPS)
    flow, walk = _walk(system)
    other = system_of(tmp_path, "\n" + LOOPS)
    found = executed(other, flow, walk, Manner())
    assert isinstance(found, Executed)
    assert "in place of failed assertion" in found.differs


def test_a_walk_that_comes_back_is_a_run_for_ever(tmp_path: Path) -> None:
    code = """
    int read_number(void);
    static int on;
    void toggle(int x) { if (x == 77) on = !on; }
    """
    system = system_of(tmp_path, code, "toggle", mode=Mode.STEP)
    flow = flow_in(system, events=True, watch=frozenset({"on"}))
    walk = _round(flow)
    loop = next(at for at, number in enumerate(walk.stretches) if flow.stretches[number].entry is not None)
    found = executed(system, flow, walk, Manner(watch=frozenset({"on"})), loop)
    assert isinstance(found, Executed), found
    run = found.run
    assert run.loop_start is not None
    assert run.taken[-1].step.state == ([run.first, *(t.step.state for t in run.taken)])[run.loop_start]
    assert [t.step.action for t in run.taken].count("call(toggle, 77)") == 2


def _round(flow: Flow) -> Walk:
    """From the start through two calls that toggle something and toggle it back."""
    rest, held, stretches, values = 0, list[int](), list[int](), []
    calls = 0
    while calls < 2 or flow.rests[rest].phase is not Phase.STABLE:
        at = {slot.term: value for slot, value in zip(flow.rests[rest].slots, held, strict=True)}
        for stretch in flow.leaving[rest]:
            every = at | {chosen.term: 77 for chosen in stretch.chosen}
            holds, *after = evaluated([stretch.guard, *stretch.after], every)
            if holds:
                break
        else:
            raise AssertionError("nothing follows")
        calls += stretch.entry is not None
        stretches.append(stretch.number)
        values.append(every)
        rest, held = stretch.target, after
    return Walk(tuple(stretches), tuple(values), "test")
