"""Drivers on real code: what the reference semantics does, the compiled code does, and a difference is noticed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.options.settings import settings
from stateglass.program import Int
from stateglass.replay.driving.script import CallsOut, Changes, Fails, Item, Number, Reads, Returns, Script
from stateglass.source import NOWHERE, InputError, is_cplusplus
from tests.replay.driven import Subject, positions, subject, written
from tests.test_examples import EXAMPLES, PROJECTS

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
INT = Int(32, signed=True)
# What stands for variables that the code has itself cannot be told what is stored in them.
REFUSED = {"tank": "something stands for `::board.valve`, and the code has a variable of its own"}
NAMES = [folder.name for folder in PROJECTS if folder.name not in REFUSED]


def example(name: str) -> Subject:
    options, _ = settings({}, None, str(EXAMPLES / name / "stateglass.toml"))
    return subject(options)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_driven_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=REFUSED[name]):
        example(name).walk(seed=len(name), length=50)


@pytest.mark.parametrize("name", NAMES)
def test_random_runs_of_examples_are_confirmed(name: str, tmp_path: Path) -> None:
    found = example(name)
    if any(map(is_cplusplus, found.system.program.files)) and shutil.which("g++") is None:
        pytest.skip("there is no g++")
    outcome = found.drive(found.walk(seed=len(name), length=50), tmp_path)
    assert outcome.confirmed, outcome.reason


@pytest.mark.parametrize("name", ["door_lock", "slip_receiver", "thermostat"])
def test_code_that_does_something_else_is_refuted(name: str, tmp_path: Path) -> None:
    changes = {
        "door_lock": ("if (!wrong)", "if (wrong)"),
        "slip_receiver": ("length++;", "length += 2;"),
        "thermostat": ("minutes++;", "minutes += 2;"),
    }
    found = example(name)
    (path,) = found.system.program.files
    text = Path(path).read_text(encoding="utf-8")
    assert changes[name][0] in text
    other = tmp_path / "other.c"
    other.write_text(text.replace(*changes[name]), encoding="utf-8")
    script = found.walk(seed=1, length=60)
    assert found.drive(script, tmp_path / "same").confirmed
    outcome = found.drive(script, tmp_path / "other", [str(other)])
    assert outcome.confirmed is False
    assert outcome.step is not None


def altered(script: Script, position: int, item: Item) -> Script:
    return replace(script, items=(*script.items[:position], item, *script.items[position + 1 :]))


def test_each_kind_of_difference_is_noticed(tmp_path: Path) -> None:
    code = "int sensor(int channel);\nint level;\nint step(int x) { level = sensor(x); return level + 1; }\n"
    found = written(tmp_path, code, bounds=(("step.x", "0..1"), ("sensor()", "0..2")))
    script = found.walk(seed=3, length=12)
    assert found.drive(script, tmp_path / "right").confirmed
    called, returned = positions(script, CallsOut)[1], positions(script, Returns)[1]
    call, back = script.items[called], script.items[returned]
    assert isinstance(call.what, CallsOut)
    assert isinstance(back.what, Returns)
    argument, value = call.what.arguments[0], back.what.value
    assert isinstance(argument, Number)
    assert isinstance(value, Number)
    wrong = [
        (altered(script, called, replace(call, what=CallsOut("sensor", (replace(argument, value=9),)))), "argument 1"),
        (altered(script, returned, replace(back, what=Returns("step", replace(value, value=77)))), "returns"),
        (altered(script, returned, replace(back, values=(("level", Number(55, value.type)),))), "level is"),
        (altered(script, called, replace(call, what=Fails("abort", NOWHERE), text="error(abort)")), "calls a function"),
        (replace(script, items=script.items[:called] + script.items[called + 2 :]), "calls a function outside"),
    ]
    for number, (other, reason) in enumerate(wrong):
        outcome = found.drive(other, tmp_path / str(number))
        assert outcome.confirmed is False, reason
        assert reason in outcome.reason


def test_a_difference_is_not_told_as_if_the_run_had_happened(tmp_path: Path) -> None:
    code = "int total;\nint step(int x) { total = 7; return -1; }\n"
    found = written(tmp_path, code, bounds=(("step.x", "1"),))
    other = tmp_path / "other.c"
    other.write_text(code.replace("total = 7; return -1", "total = 4; return 0"), encoding="utf-8")
    outcome = found.drive(found.walk(0, 4), tmp_path / "driver", [str(other)])
    assert outcome.confirmed is False
    assert outcome.reason == "total is 4 when the code returns, where the run has 7 at return(step, -1)"


def test_what_stays_in_the_run_has_to_stay_in_the_code(tmp_path: Path) -> None:
    code = "int total;\nint step(int x) { total = 0; return -1; }\n"
    found = written(tmp_path, code, bounds=(("step.x", "1"),))
    other = tmp_path / "other.c"
    other.write_text(code.replace("total = 0", "total = 4"), encoding="utf-8")
    outcome = found.drive(found.walk(0, 4), tmp_path / "driver", [str(other)])
    assert outcome.confirmed is False
    assert outcome.reason == "total is 4 when the code returns, where the run has 0 at return(step, -1)"


POINTERS = """\
static int row[4], *at = row;
static void up(int);
static void down(int);
static void (*next)(int) = up;
void notify(const int *where, void (*how)(int));
static void up(int x) { at += x; next = down; }
static void down(int x) { at -= x; next = up; }
int *step(int *buffer, int x)
{
    next(x);
    notify(x ? buffer + 1 : at, next);
    return x ? at + 1 : buffer;
}
"""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("at += x", "at += 2 * x"),
            "at is another address when the code calls a function outside, where the run has &row+4",
        ),
        (
            ("next = down", "next = 0"),
            "next is null when the code calls a function outside, where the run has &down at",
        ),
        (("next = down", "next = up"), "next is another address when the code calls a function outside"),
        (("buffer + 1", "buffer + 2"), "argument 1 is another address, where the run has &"),
        ((": at, next)", ": at, up)"), "argument 2 is another address, where the run has &down at call(notify"),
        (("? at + 1 :", "? at :"), "what the code returns is another address, where the run has &row+8 at return(step"),
        ((": buffer;", ": buffer + 1;"), "what the code returns is another address, where the run has &"),
    ],
)
def test_pointers_lead_where_the_run_has_them(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    bounds = (("step.x", "0..1"), ("step.buffer", "{3}"))
    found = written(tmp_path, POINTERS, bounds=bounds)
    assert change[0] in POINTERS
    other = tmp_path / "other.c"
    other.write_text(POINTERS.replace(*change), encoding="utf-8")
    outcomes = []
    for seed in range(6):
        script = found.walk(seed, 8)
        right = found.drive(script, tmp_path / f"right{seed}") if seed == 0 else None
        assert right is None or right.confirmed, right.reason
        outcomes.append(found.drive(script, tmp_path / str(seed), [str(other)]))
        if outcomes[-1].confirmed is False:
            break
    assert words in outcomes[-1].reason


def test_volatile_inputs_change_between_two_reads_of_one_call(tmp_path: Path) -> None:
    code = "static volatile int port = 7;\nint sum;\nvoid step(void) { sum = port; sum = 10 * sum + port; }\n"
    found = written(tmp_path, code, bounds=(("port", "1..3"),))
    script = found.walk(seed=5, length=20)
    values = [i.what.number.value for i in script.items if isinstance(i.what, Reads)]
    assert len(set(values)) > 1
    assert found.drive(script, tmp_path / "driver").confirmed


def test_values_for_a_moment_are_seen(tmp_path: Path) -> None:
    code = "int mode;\nvoid step(int x) { mode = 3; if (x) mode = 2; mode = 1; }\n"
    found = written(tmp_path, code, bounds=(("step.x", "0..1"),))
    script = found.walk(seed=2, length=20, watch=("mode",))
    moments = positions(script, Changes)
    assert moments
    assert found.drive(script, tmp_path / "right").confirmed
    item = script.items[moments[0]]
    wrong = replace(item, values=tuple((name, Number(8, INT)) for name, _ in item.values))
    outcome = found.drive(altered(script, moments[0], wrong), tmp_path / "wrong")
    assert outcome.confirmed is False
    assert "not seen" in outcome.reason


def test_pointers_records_and_results_of_functions_outside(tmp_path: Path) -> None:
    code = """\
struct sample { short level; unsigned char flags[2]; double ratio; };
int receive(struct sample *to, const char *name);
char *find(char *text);
static struct sample last;
static _Bool known;
enum { NONE, SOME } state;
int step(const unsigned char *data, unsigned n, float scale)
{
    struct sample s = {0};
    int got = receive(&s, "x");
    char text[] = "abc";
    known = find(text) != 0;
    state = n ? SOME : NONE;
    if (got)
        last = s;
    return data[0] + (int)(scale * 2);
}
"""
    bounds = (
        ("step.data", "{1, 200}"),
        ("step.n", "0..1"),
        ("step.scale", "{0.5, 1.5}"),
        ("receive()", "bool"),
        ("receive.to.level", "{-3, 4}"),
        ("receive.to.flags", "{1}"),
        ("receive.to.ratio", "{0.25}"),
        ("find.text", '{"abd"}'),
    )
    found = written(tmp_path, code, bounds=bounds)
    for seed in range(2):
        outcome = found.drive(found.walk(seed, 30), tmp_path / str(seed))
        assert outcome.confirmed, outcome.reason


def test_what_cannot_be_driven_is_refused_by_name(tmp_path: Path) -> None:
    found = written(tmp_path, "int sum;\nvoid step(int x) { int y; if (x) sum = y; }\n", bounds=(("step.x", "1"),))
    script = found.walk(0, 4)
    assert positions(script, Fails)
    with pytest.raises(InputError, match="error\\(uninitialised\\) cannot be seen"):
        found.drive(script, tmp_path / "a")
    code = "int sum;\nvoid step(void) { static volatile int port; sum = port; }\n"
    found = written(tmp_path, code, bounds=(("step::port", "0..1"),))
    with pytest.raises(InputError, match="`step::port` is an input that cannot be reached"):
        found.drive(found.walk(0, 4), tmp_path / "b")
    code = "int sum;\nvoid step(void) { sum = *(volatile unsigned char *)0x25; }\n"
    found = written(tmp_path, code, bounds=(("at_0x25", "0..1"),))
    with pytest.raises(InputError, match="`at_0x25` is a register at the address 0x25"):
        found.drive(found.walk(0, 4), tmp_path / "c")


def test_a_register_that_the_run_cannot_come_to_is_in_nobodys_way(tmp_path: Path) -> None:
    code = "int sum;\nvoid step(void) { sum = !sum; }\nvoid other(void) { *(volatile unsigned char *)0x25 = 1; }\n"
    found = written(tmp_path, code)
    assert found.drive(found.walk(0, 4), tmp_path / "a").confirmed


def test_variables_that_nobody_has_are_in_nobodys_way_unless_the_run_needs_them(tmp_path: Path) -> None:
    code = "extern int used, left, at[]; int *where = at;\nint sum;\nvoid step(void) { sum += 1 + used; sum %= 3; }\n"
    found = written(tmp_path, code + "int other(void) { return left + at[1]; }\n")
    assert found.drive(found.walk(0, 8), tmp_path / "a").confirmed
