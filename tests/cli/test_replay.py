"""`stateglass replay` on programs as people write them, with the compilers that they have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass
from tests.replay.driven import CLANG, GCC

# Each with the arguments of `check`; the claim is violated.
PROGRAMS: Final = {
    "prints, closes its output and divides": (
        """\
#include <stdio.h>
int main(void)
{
    int c = getchar();
    printf("got %d\\n", c);
    fprintf(stderr, "and so on\\n");
    fclose(stdout);
    return 10 / (c - 'd');
}
""",
        ("--bound", "getchar()={100}"),
    ),
    "reads input and system calls": (
        """\
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int step(void)
{
    int v = 0;
    if (scanf("%d", &v) != 1)
        return -1;
    write(1, "x", 1);
    return open("log", O_RDONLY);
}
""",
        ("--function", "step", "--bound", "scanf()=1", "--bound", "open()={3}", "--claim", "G(!return(step, 3))"),
    ),
    "ends in the middle": (
        "#include <unistd.h>\nint n;\nvoid step(int x) { n = x; if (n == 2) _exit(5); }\n",
        ("--function", "step", "--bound", "step.x=0..2", "--claim", "G(!exit(5))"),
    ),
    "has fields that are called like functions": (
        """\
struct state { void (*exit)(void); };
static int left;
static void first(void) { left = 1; }
static void second(void) { left = 2; }
static struct state states[2] = { { first }, { second } };
static struct state *at = states;
void step(void) { at->exit(); at = at == states ? states + 1 : states; }
""",
        ("--function", "step", "--claim", "G([left != 2])"),
    ),
    "is old": (
        "static int total;\nint add(x) int x; { total = total + x; return total; }\n",
        (
            "--bound",
            "add.x=1",
            "--flag=-std=c89",
            "--flag=-pedantic-errors",
            "--max-states=30",
            "--claim=G([total < 3])",
        ),
    ),
    "reads registers and leaves a buffer": (
        """\
#include <stdint.h>
static volatile uint8_t data;
static uint8_t buffer[2], used;
void isr(void) { uint8_t byte = data; if (byte) buffer[used++] = byte; else used = 0; }
""",
        ("--function", "isr", "--bound", "data=0..1"),
    ),
}
# Functions of verification competitions, which code need not define.
UNDEFINED: Final = """\
void reach_error(void), __VERIFIER_error(void), __VERIFIER_assert(int), __VERIFIER_assume(int);
int n;
void step(int x)
{
    __VERIFIER_assume(x != 1);
    n = x;
    if (n > 1)
        %s;
}
"""
UNDEFINED_CALLS: Final = ("reach_error()", "__VERIFIER_error()", "__VERIFIER_assert(n == 1)")
COMPILERS: Final = [
    pytest.param(f"{name} {flags}", id=title, marks=pytest.mark.skipif(name is None, reason=f"there is no {title}"))
    for title, name, flags in (("gcc", GCC, "-O2"), ("clang", CLANG, "-O1"))
]


pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_violations_are_confirmed(name: str, compiler: str) -> None:
    code, arguments = PROGRAMS[name]
    Path("code.c").write_text(code, encoding="utf-8")
    assert stateglass("check", "code.c", *arguments, "-o", "e.json").status == Exit.FINDINGS
    ran = stateglass("replay", "e.json", "--compiler", compiler)
    assert ran.status == Exit.OK, ran.out + ran.err


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_where_an_error_happened_is_said() -> None:
    Path("code.c").write_text("int n;\nvoid step(int x)\n{\n    n = 7 / x;\n}\n", encoding="utf-8")
    stateglass("check", "code.c", "--bound", "step.x=0..1", "-o", "e.json")
    ran = stateglass("replay", "e.json")
    assert ran.out.splitlines()[-1] == "  it fails as the run does: it divides by zero at code.c:4"
    report = json.loads(stateglass("replay", "e.json", "--format", "json").out)
    assert (report["confirmed"], report["step"]) == (True, None)
    assert "at code.c:4" in report["reason"]


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_code_that_does_not_end_proves_nothing() -> None:
    code = "int n;\nvoid step(int x)\n{\n#ifdef SLOW\n    for (;;) ;\n#endif\n    n = x;\n}\n"
    Path("code.c").write_text(code, encoding="utf-8")
    stateglass("check", "code.c", "--bound", "step.x=0..1", "--claim", "G([n == 0])", "-o", "e.json")
    assert stateglass("replay", "e.json").status == Exit.OK
    ran = stateglass("replay", "e.json", "--compiler", "cc -DSLOW", "--timeout", "0.5")
    assert ran.status == Exit.INCONCLUSIVE
    assert "the code did not come to an end in 0.5 s, which proves nothing" in ran.out


def test_what_holds_has_nothing_to_replay() -> None:
    Path("code.c").write_text("int n;\nvoid step(int x) { n = x; }\n", encoding="utf-8")
    stateglass("check", "code.c", "--bound", "step.x=0..1", "-o", "e.json")
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.BAD_INPUT
    assert "there is nothing to replay: no verdict has a run" in ran.err


# The compiled code never has the value that the run shows, and a driver sees that of some variables alone.
ELSEWHERE: Final = "#if __GNUC__ < 5\n{}\n#endif\n"
UNSEEN: Final = {
    "f::c": "void f(void) { static int c;\n" + ELSEWHERE.format("c = 5;") + "}\n",
    "`c@b.c`": "static int c; void f(void) {\n" + ELSEWHERE.format("c = 5;") + "}\n",
    "p.v": "struct { int v; } p; void f(void) { struct { int v; } q; __builtin_memcpy(&p, &q, sizeof p); }\n",
}


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
@pytest.mark.parametrize("name", UNSEEN)
@pytest.mark.parametrize("how", [(), ("--steps", "all")], ids=["merged", "all steps"])
def test_what_is_not_compared_is_not_confirmed(name: str, how: tuple[str, ...]) -> None:
    Path("a.c").write_text("static int c; int a(void) { return c; }\n", encoding="utf-8")
    Path("b.c").write_text(UNSEEN[name], encoding="utf-8")
    claim = f"G [{name} == 0]"
    checked = stateglass("check", "a.c", "b.c", "--function", "f", "--claim", claim, *how, "-o", "e.json")
    assert checked.status == Exit.FINDINGS, checked.out + checked.err
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.INCONCLUSIVE, ran.out + ran.err
    assert f"the claim is about `{name.strip('`')}`, whose values a driver cannot compare" in ran.out


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
@pytest.mark.parametrize(
    ("claim", "status"), [("p == 0", Exit.OK), ("!p", Exit.OK), ('p != "&f::s"', Exit.INCONCLUSIVE)]
)
def test_where_a_pointer_leads_to_is_not_confirmed_by_its_being_not_null(claim: str, status: Exit) -> None:
    Path("code.c").write_text("int *p; void f(void) { static int s; p = &s; }\n", encoding="utf-8")
    stateglass("check", "code.c", "--claim", f"G [{claim}]", "-o", "e.json")
    assert stateglass("replay", "e.json").status == status


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_what_the_first_state_violates_is_looked_at() -> None:
    code = ELSEWHERE.format("int g = 5;") + "int g, h = 5; void f(void) { g = h = 0; }\n"
    Path("code.c").write_text(code, encoding="utf-8")
    stateglass("check", "code.c", "--claim", "G [g < 5]", "-o", "e.json")
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.FINDINGS
    assert "  g is 0 when the environment goes on, where the run has 5 at the start" in ran.out.splitlines()
    Path("code.c").write_text("int h = 5; void f(void) { h = 0; }\n", encoding="utf-8")
    stateglass("check", "code.c", "--claim", "G [h < 5]", "-o", "e.json")
    assert stateglass("replay", "e.json").status == Exit.OK


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("call", UNDEFINED_CALLS)
def test_functions_of_competitions_need_no_definition(call: str, compiler: str) -> None:
    Path("code.c").write_text(UNDEFINED % call, encoding="utf-8")
    stateglass("check", "code.c", "--bound", "step.x=0..2", "-o", "e.json")
    ran = stateglass("replay", "e.json", "--compiler", compiler)
    assert ran.status == Exit.OK, ran.out + ran.err
    assert ran.out.splitlines()[-1] == "  it fails as the run does: it fails an assertion at code.c:8"


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_an_assumption_that_the_compiled_code_breaks_refutes() -> None:
    code = "void __VERIFIER_assume(int);\nint n;\nvoid step(void) { __VERIFIER_assume(__GNUC__ < 5); n = 1; }\n"
    Path("code.c").write_text(code, encoding="utf-8")
    stateglass("check", "code.c", "--claim", "G [n == 0]", "-o", "e.json")
    ran = stateglass("replay", "e.json")
    assert ran.status == Exit.FINDINGS, ran.out + ran.err
    assert "the code assumes what does not hold" in ran.out


@pytest.mark.skipif(GCC is None, reason="there is no compiler")
def test_headers_that_were_assumed_are_assumed_by_the_compiler_and_those_found_since_are_not() -> None:
    code = '#include "config.h"\n#include <board/pins.h>\n#ifndef TOP\n#define TOP 3\n#endif\nint n;\n'
    Path("a.c").write_text(code + "void step(void) { if (n < TOP) n++; }\n")
    asked = ("check", "a.c", "--missing-headers", "assume", "--claim", "G [n < 3]", "-o", "run.json")
    assert stateglass(*asked).status is Exit.FINDINGS
    ran = stateglass("replay", "run.json", "--keep", "driver")
    assert ran.status is Exit.OK, ran.err
    assert Path("driver/assumed/board/pins.h").read_text() == ""
    Path("config.h").write_text("#define TOP 1\n")
    assert stateglass("replay", "run.json").status is Exit.FINDINGS
