"""Arrays, lists and texts as inputs, from the command line and from the project file, and what `init` proposes."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

CODE = """#include <stdio.h>
#include <unistd.h>
struct frame { unsigned char kind; unsigned char body[3]; };
void next_frame(struct frame *to);
void levels(int *all);
unsigned char keys[2];
static int state;
void step(const char *command, const unsigned char (*table)[2])
{
    char line[8], raw[4];
    int all[3];
    struct frame frame;
    unsigned count = 0;
    next_frame(&frame);
    levels(all);
    read(3, raw, sizeof raw);
    read(4, &count, sizeof count);
    if (fgets(line, sizeof line, stdin) && line[0] == command[0])
        state = frame.kind + frame.body[2] + all[2] + (*table)[1] + keys[0];
}
"""
BOUNDS = {
    "step.command": '{"on", "off"}',
    "step.table": "0..1",
    "step.table[0]": "9",
    "next_frame.to.kind": "1",
    "next_frame.to.body": "0",
    "levels.all": "list 3 of 2",
    "read.buf": "list 4 of 0",
    "fgets.s": '{"on", "x"}',
    "fgets()": "{null, s}",
    "keys": "0..1",
    "keys[1]": "7",
}


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "link.c").write_text(CODE, encoding="utf-8")
    return here


def test_the_project_file_and_the_command_line_give_the_same_model(here: Path) -> None:
    options = [word for name, bound in BOUNDS.items() for word in ("--bound", f"{name}={bound}")]
    ran = stateglass("extract", "link.c", *options, "-o", "one.json", "--format", "json")
    assert ran.status is Exit.OK
    assert json.loads(ran.out)["partial"] is False
    lines = [f"{json.dumps(name)} = {json.dumps(bound)}" for name, bound in BOUNDS.items()]
    head = ["schema = 1", "[source]", 'files = ["link.c"]', "[system.link]", 'subject = "step"', "[system.link.bounds]"]
    (here / "stateglass.toml").write_text("\n".join([*head, *lines]), encoding="utf-8")
    assert stateglass("extract", "-o", "other.json").status is Exit.OK
    assert (here / "one.json").read_bytes() == (here / "other.json").read_bytes()
    labels = json.loads(ran.out)["labels"]
    assert 'call(step, "on", &table={9, 1})' in labels
    assert "store(::keys, {1, 7})" in labels
    assert 'return(fgets, &step::line, &step::line="on")' in labels
    assert "return(levels, &step::all[0]=2, &step::all[1]=2, &step::all[2]=2)" in labels


def test_init_proposes_bounds_that_work(here: Path) -> None:
    ran = stateglass("init", "link.c")
    assert ran.status is Exit.OK
    found = tomllib.loads((here / "stateglass.toml").read_text(encoding="utf-8"))["system"]["step"]["bounds"]
    assert found == {
        "step.command": '{"", "a"}',
        "step.table": "{0, 1}",
        "next_frame.to.kind": "0..10",
        "next_frame.to.body": "{0, 1}",
        "levels.all": "list 3 of {0, 1}",
        "read.buf": "list 4 of {0, 1}",
        "fgets.s": '{"", "a"}',
        "fgets()": "{null, s}",
    }
    extracted = stateglass("extract", "--max-states", "500")
    assert extracted.status in (Exit.OK, Exit.INCONCLUSIVE)
    assert "--max-states" in extracted.err or extracted.status is Exit.OK


def test_bounds_that_are_given_to_init_are_kept() -> None:
    given = ("--bound", "keys[1]=7", "--bound", "levels.all=list 3 of 5", "--bound", "keys=0..1")
    text = stateglass("init", "link.c", "-o", "-", *given).out
    found = tomllib.loads(text)["system"]["step"]["bounds"]
    assert found["keys"] == "0..1"
    assert found["keys[1]"] == "7"
    assert found["levels.all"] == "list 3 of 5"


def test_missing_bounds_are_named_once_and_can_be_pasted() -> None:
    ran = stateglass("extract", "link.c")
    assert ran.status is Exit.BAD_INPUT
    assert ran.err.count("error[") == 1
    assert "6 inputs need a bound" in ran.err
    options = re.findall(r"--bound '(.*?)'", ran.err)
    assert "fgets()={null, s}" in options
    assert "read.buf=list 4 of {0, 1}" in options
    pasted = [word for option in options for word in ("--bound", option)]
    again = stateglass("extract", "link.c", *pasted, "--max-states", "300")
    assert "error[" not in again.err
    assert "not supported" not in again.err


def test_two_lists_are_not_joined_by_a_bar() -> None:
    ran = stateglass("extract", "link.c", "--bound", "read.buf=list 1 of 0", "--bound", "read.buf=list 2 of 0")
    assert ran.status is Exit.BAD_INPUT
    assert "`read.buf` has two bounds" in ran.err
    assert "|" not in ran.err


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ("keys=0..100", "`keys`, 2 elements with 101 values each, could be filled in 10,201 ways; the most is 4,096"),
        ("keys[2]=0", "`keys` is `uint8[2]`: a bound is for all of it, or for one element, counted from 0"),
        ("next_frame.to=0", "its parts have bounds of their own: `next_frame.to.body`, `next_frame.to.kind`"),
        ("read.buf=300", "300 cannot be a value of `read.buf`"),
        ("read.buf[1]=3", "how many elements `read.buf` has is not known"),
        ("fgets()=0", "`0` cannot be what `fgets` returns, which is a pointer (`int8 *`)"),
        ("fgets()={null, other}", "it returns `null` or `s` or `stream`, a pointer that it is given"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(bound: str, said: str) -> None:
    bounds = {**BOUNDS, bound.partition("=")[0]: bound.partition("=")[2]}
    if bound.startswith("read.buf["):
        del bounds["read.buf"]
    if bound.startswith("keys="):
        del bounds["keys[1]"]
    options = [word for name, spec in bounds.items() for word in ("--bound", f"{name}={spec}")]
    ran = stateglass("extract", "link.c", *options)
    assert ran.status is Exit.BAD_INPUT
    assert said in ran.err
