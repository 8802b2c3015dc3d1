"""Linear claims over states and events on code whose data has no bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from stateglass.evidence import Path as Run
from stateglass.evidence import Reason, Verdict
from stateglass.explore import Manner
from stateglass.logic.reading import read_claim
from stateglass.source import InputError
from stateglass.system import build_system
from stateglass.unbounded.results import GivenUp
from stateglass.unbounded.temporal.deciding import decide
from stateglass.unbounded.temporal.results import Decided
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.fuzz.agreement import read

# A component that stores a number: events come, it reacts, and is ready for the next one.
STORE: Final = """
enum event { INIT, INCR, DECR };
enum state { ONE, TWO, THREE, FOUR, FIVE };
enum event next_event(void);
int limit(void);
void init(void);
void incr(void);
void decr(void);
int data, max = 5;
enum state state = ONE;

static void enter(enum state to)
{
    state = to;
    switch (to) {
    case TWO:
        data = 0;
        break;
    case FOUR:
        if (data < max)
            data = data + 1;
        else
            data = 0;
        break;
    case FIVE:
        if (data > 0)
            data = data - 1;
        break;
    default:
        break;
    }
}

int main(void)
{
    int most = limit();
    if (most < 1)
        return 0;
    max = most;
    for (;;) {
        enum event event = next_event();
        if (state == ONE) {
            if (event != INIT)
                continue;
        }
        if (event == INIT) {
            init();
            enter(TWO);
        } else if (event == INCR) {
            incr();
            enter(FOUR);
        } else if (event == DECR) {
            decr();
            enter(FIVE);
        }
        enter(THREE);
    }
}
"""
CLAIMS: Final = (
    ("G [data >= 0]", Verdict.HOLDS),
    ("G [data <= max]", Verdict.HOLDS),
    ("G [data <= 3]", Verdict.VIOLATED),
    ("G([data == max] & call(incr) => F [data == 0])", Verdict.HOLDS),
    ("G([data == max] & call(decr) => F [data == 0])", Verdict.VIOLATED),
    ("G [data < 0]", Verdict.VIOLATED),
)


def decided(folder: Path, code: str, claim: str, functions: tuple[str, ...] = ("main",)) -> Decided | GivenUp:
    system = build_system(read({"code.c": code}, folder), functions, open=True)
    return decide(system, read_claim(claim), Deadline(30), Manner(), silent)


def verdict(folder: Path, code: str, claim: str, *functions: str) -> Verdict | Reason:
    found = decided(folder, code, claim, functions or ("main",))
    return found.reason if isinstance(found, GivenUp) else found.answer.verdict


@pytest.mark.parametrize(("claim", "expected"), CLAIMS)
def test_store(tmp_path: Path, claim: str, expected: Verdict) -> None:
    found = decided(tmp_path, STORE, claim)
    assert isinstance(found, Decided)
    assert found.answer.verdict is expected
    if expected is Verdict.VIOLATED:
        assert isinstance(found.answer.evidence, Run)
        assert found.answer.confirmed_by == ("reference",)


STEPS: Final = """
int get(void);
void put(int n);
int level;
unsigned seen;

int step(int n)
{
    seen++;
    if (n == 123456)
        put(n);
    level = get();
    if (level < 0)
        level = 0;
    return level > 9;
}
"""


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("G !call(put, 3)", Verdict.HOLDS),
        ("G !call(put, 123456)", Verdict.VIOLATED),
        ("G(call(step, 123456) => F call(put, *))", Verdict.HOLDS),
        ("G(call(step, 123457) => F call(put, *))", Verdict.VIOLATED),
        ("G([level > 9] & [stable] => (!return(get, 3)) W call(step, *))", Verdict.HOLDS),
        ("G(return(step, 0) => [level < 10])", Verdict.HOLDS),
        ("G(return(step, 1) => [level < 2000000000])", Verdict.VIOLATED),
        ("G([stable] => [level >= 0])", Verdict.HOLDS),
        ("G [level >= 0]", Verdict.VIOLATED),  # for a moment it is what `get` returned
        ("G F [stable]", Verdict.HOLDS),
        ("F call(put, *)", Verdict.VIOLATED),  # though `seen` never has the same value twice
        ("G [level + level != 4000000000]", Verdict.VIOLATED),
        ("G [level + level != 4000000001]", Verdict.HOLDS),
        ("`return(step, *)` follows `call(step, *)`", Verdict.HOLDS),
        ("`call(put, *)` happens at most once", Verdict.VIOLATED),
        ("G !error", Verdict.HOLDS),
    ],
)
def test_values_that_are_far_away(tmp_path: Path, claim: str, expected: Verdict) -> None:
    assert verdict(tmp_path, STEPS, claim, "step") is expected


def test_numbers_of_predicates_do_not_wrap(tmp_path: Path) -> None:
    code = "unsigned u; int get(void);\nvoid step(void) { u = get(); }\n"
    assert verdict(tmp_path, code, "G [u - 1 < 4294967295]", "step") is Verdict.HOLDS
    assert verdict(tmp_path, code, "G [u + 1 > 0]", "step") is Verdict.HOLDS
    assert verdict(tmp_path, code, "G [u - 1 >= 0]", "step") is Verdict.VIOLATED
    assert verdict(tmp_path, code, "G [-1 < u]", "step") is Verdict.HOLDS


def test_ends_of_runs(tmp_path: Path) -> None:
    code = "int get(void); int x;\nint main(void) { x = get(); if (x == 7) return 3; x = 5 / x; return 0; }\n"
    assert verdict(tmp_path, code, "F(exit | error)") is Verdict.HOLDS
    assert verdict(tmp_path, code, "G(error(division) => [x == 0])") is Verdict.HOLDS
    assert verdict(tmp_path, code, "G !error(division)") is Verdict.VIOLATED
    assert verdict(tmp_path, code, "G(exit(3) => [x == 7])") is Verdict.HOLDS
    assert verdict(tmp_path, code, "F [stable && x == 7]") is Verdict.VIOLATED
    assert verdict(tmp_path, code, "F G [x <= 5 || x == 7 || x == 0]") is Verdict.HOLDS


def test_a_loop_that_ends_for_constants(tmp_path: Path) -> None:
    code = "void put(int n); int x;\nvoid step(int n) { for (x = 0; x < 3; x++) put(n); }\n"
    assert verdict(tmp_path, code, "G(call(step, *) => F return(step))", "step") is Verdict.HOLDS
    assert verdict(tmp_path, code, "G [x <= 3]", "step") is Verdict.HOLDS


def test_a_loop_that_may_go_on_for_ever(tmp_path: Path) -> None:
    code = "int get(void); int x;\nvoid step(void) { while (get()) x = 1; x = 2; }\n"
    found = decided(tmp_path, code, "G(call(step) => F return(step))", ("step",))
    assert isinstance(found, Decided)
    assert found.answer.verdict is Verdict.VIOLATED
    assert isinstance(found.answer.evidence, Run)
    assert found.answer.evidence.loop_start is not None


LOOPS: Final = """
void put(int n);
void up(int n) { for (int i = 0; i < n; i++) put(i); }
void down(unsigned n) { while (n > 0) { n--; put(3); } }
void nested(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) put(j); }
void even(unsigned n) { while (n != 7) n += 2; }
void same(int n) { while (n != 3) put(n); }
"""


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("up", Verdict.HOLDS),
        ("down", Verdict.HOLDS),
        ("nested", Verdict.HOLDS),
        ("even", Reason.ABSTRACTION),  # it may go round all even numbers, which is far more often than anybody tries
        ("same", Verdict.VIOLATED),
    ],
)
def test_loops_end_if_a_number_becomes_smaller(tmp_path: Path, function: str, expected: Verdict | Reason) -> None:
    claim = f"G(call({function}, *) => F return({function}))"
    assert verdict(tmp_path, LOOPS, claim, function) is expected


def test_a_byte_that_counts_comes_round(tmp_path: Path) -> None:
    code = "unsigned char now, start; int on;\nvoid step(int k)\n{\n    now++;\n    if (k == 1 && !on)\n"
    code += "        on = 1, start = now;\n    else if (on && (unsigned char)(now - start) >= 10)\n        on = 0;\n}\n"
    assert verdict(tmp_path, code, "F [on == 1]", "step") is Verdict.VIOLATED
    # Unless it is 255 it grows, and after that it is 0.
    assert verdict(tmp_path, code, "G F [now == 0]", "step") is Verdict.HOLDS
    assert verdict(tmp_path, code.replace("now++", "now += 2"), "G F [now == 1]", "step") is Verdict.VIOLATED


TIMER: Final = """
int get(void);
unsigned left;
int state;
void step(void)
{
    switch (state) {
    case 0:
        if (get()) { state = 1; left = 50; }
        break;
    case 1:
        if (--left == 0) state = 2;
        break;
    case 2:
        state = 0;
    }
}
"""
TURNING: Final = """
signed char at;
_Bool back;
void step(void)
{
    if (!back) { at++; if (at == 5) back = 1; }
    else { at--; if (at == -5) back = 0; }
}
"""
GREATEST: Final = """
void step(int x, int y)
{
    if (x < 1 || y < 1 || x > 1000 || y > 1000) return;
    while (x != y)
        if (x > y) x -= y; else y -= x;
}
"""


@pytest.mark.parametrize(
    ("code", "claim", "old", "new"),
    [
        (TIMER, "G([state == 1] => F [state == 2])", "--left == 0", "--left == 0 || left == 7 && !left++"),
        (TIMER, "G([state == 2] => F [state == 0])", "state = 0;", ";"),
        (TURNING, "G F [at == 5]", "at == -5", "at == -5 && 0"),
        (GREATEST, "G(call(step, *) => F return(step))", "x -= y", "x -= y - y"),
    ],
)
def test_numbers_that_fall_in_one_state_and_not_in_others(
    tmp_path: Path, code: str, claim: str, old: str, new: str
) -> None:
    assert verdict(tmp_path, code, claim, "step") is Verdict.HOLDS
    assert old in code
    other = verdict(tmp_path, code.replace(old, new), claim, "step")
    assert other in (Verdict.VIOLATED, Reason.ABSTRACTION, Reason.TIMEOUT)


def test_why_a_loop_ends_is_told(tmp_path: Path) -> None:
    found = decided(tmp_path, LOOPS, "G(call(down, *) => F return(down))", ("down",))
    assert isinstance(found, Decided)
    assert found.answer.explanation.endswith("Loops end: `down::n` cannot become smaller for ever.")


def test_what_is_not_decided(tmp_path: Path) -> None:
    code = "void put(int n); double d; int x;\nvoid step(int n) { x = n; d = n; put(x); }\n"
    assert verdict(tmp_path, code, "X [x == 0]", "step") is Reason.UNSUPPORTED
    assert verdict(tmp_path, code, "ctl: AG EF [x == 0]", "step") is Reason.UNSUPPORTED
    assert verdict(tmp_path, code, "G [d < 3]", "step") is Reason.UNSUPPORTED
    with pytest.raises(InputError, match="no proposition or enumerator `y`"):
        verdict(tmp_path, code, "G [y == 0]", "step")
    with pytest.raises(InputError, match="no event `call\\(get\\)`"):
        verdict(tmp_path, code, "G !call(get)", "step")


def test_code_that_is_not_modelled_is_said_to_be_reached(tmp_path: Path) -> None:
    code = 'int get(void); int x;\nvoid step(void) { x = get(); if (x == 4) __asm__("nop" : "=r"(x)); }\n'
    assert verdict(tmp_path, code, "G [x < 5]", "step") is Verdict.VIOLATED
    assert verdict(tmp_path, code, "G(call(step) => F return(step))", "step") is Reason.UNSUPPORTED
    safe = code.replace("x = get();", "x = get(); if (x > 3) return;")
    assert verdict(tmp_path, safe, "G(call(step) => F return(step))", "step") is Verdict.HOLDS
