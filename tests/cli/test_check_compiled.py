"""Runs that violate something are done by the compiled code before they are shown: once compiled, or told why not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from stateglass.cli.exits import Exit
from stateglass.cli.progress import ProgressLine
from tests.cli.running import BY_THE_CODE, Ran, stateglass

needs_compiler = pytest.mark.skipif("replay" not in BY_THE_CODE, reason="there is no compiler")
CODE = """\
#ifndef STEP
#define STEP 1
#endif
struct motor { int speed; unsigned char turns[2]; };
int level;
void log_it(int n);
int unused(int n) { log_it(n); return n; }
int step(int change) { int before = level; level += change * STEP; return before; }
void turn(struct motor *m) { m->speed += 2; m->turns[1]++; }
"""
LITTLE = ("--engine", "explicit", "--max-states", "100")
ASKED = ("--function", "step", "--bound", "step.change=0..1")


@pytest.fixture
def code(here: Path) -> str:
    Path("code.c").write_text(CODE, encoding="utf-8")
    return "code.c"


def check(*argv: str) -> Ran:
    return stateglass("check", "code.c", *argv, *LITTLE, "--format", "json")


def evidence(ran: Ran) -> list[dict[str, Any]]:
    assert ran.status is Exit.FINDINGS, ran.err
    return [verdict["evidence"] for verdict in json.loads(ran.out)["verdicts"]]


@needs_compiler
def test_what_several_runs_have_in_common_is_compiled_once(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("counting").write_text(f'#!/bin/sh\necho "$*" >> compiled\nexec {shutil.which("cc")} "$@"\n', encoding="utf-8")
    Path("counting").chmod(0o755)
    monkeypatch.setenv("CC", "./counting")
    claims = ("G [level < 2]", "G [level < 3]", "ctl: AG [level != 3]", "G([level == 1] => F [level == 0])")
    listed = [word for claim in claims for word in ("--claim", claim)]
    found = evidence(check(*ASKED, *listed))
    assert [one["confirmed_by"] for one in found] == [["reference", "replay"]] * 4
    lines = Path("compiled").read_text(encoding="utf-8").splitlines()
    files = [Path(line.partition(" -c ")[2].partition(" ")[0]).name for line in lines if " -c " in line]
    assert files.count("following.c") == 1
    # The endless run is compared without a look at moments in the middle of functions.
    assert files.count("subject_0.c") <= 2


def test_it_is_not_asked_for_if_nobody_wants_it(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = evidence(check(*ASKED, "--claim", "G [level < 2]", "--no-replay"))
    assert (found["confirmed_by"], "not_replayed" in found) == (["reference"], False)
    Path("stateglass.toml").write_text("schema = 1\n[options]\nreplay = false\n", encoding="utf-8")
    assert evidence(check(*ASKED, "--claim", "G [level < 2]"))[0]["confirmed_by"] == ["reference"]
    assert evidence(check(*ASKED, "--claim", "G [level < 2]", "--replay"))[0]["confirmed_by"] == BY_THE_CODE
    # Without a compiler nothing is said, either.
    monkeypatch.setenv("CC", "no-such-compiler")
    (found,) = evidence(check(*ASKED, "--claim", "G [level < 2]", "--replay"))
    assert (found["confirmed_by"], "not_replayed" in found) == (["reference"], False)


@needs_compiler
def test_code_that_does_something_else_is_told_of(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc -DSTEP=2")
    ran = check(*ASKED, "--claim", "G [level < 2]")
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert (verdict["verdict"], verdict["evidence"]["confirmed_by"]) == ("violated", ["reference"])
    assert "The compiled code does something else: the values of level = 1 were not seen" in verdict["explanation"]


@needs_compiler
@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("G [step::before < 1]", "the claim is about `step::before`, whose values a driver cannot compare"),
        ("ctl: AF AG [level == 3]", "it is more than one run"),
    ],
)
def test_why_it_could_not_be_done_is_said(code: str, claim: str, why: str) -> None:
    text = CODE.replace("level +=", "if (level < 3) level +=")
    Path(code).write_text(text, encoding="utf-8")
    (found,) = evidence(check(*ASKED, "--claim", claim))
    assert found["confirmed_by"] == ["reference"]
    assert why in found["not_replayed"]
    shown = stateglass("check", code, *ASKED, *LITTLE, "--claim", claim).out
    assert f"not confirmed on the compiled code: {why}" in " ".join(shown.split()) or claim.startswith("G")


@needs_compiler
def test_what_objects_hold_that_are_handed_in_is_seen(code: str) -> None:
    claims = ("G [motor.speed < 4]", "G [motor.turns[1] != 3]")
    listed = [word for claim in claims for word in ("--claim", claim)]
    found = evidence(check("--function", "turn", *listed))
    assert [one["confirmed_by"] for one in found] == [["reference", "replay"]] * 2


@needs_compiler
def test_ctrl_c_leaves_the_answers(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(self: ProgressLine, name: str, **counts: int) -> None:
        if name == "compiling the driver":
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "__call__", told)
    for engine in ("explicit", "bmc"):
        Path(code).write_text("void step(int n) { n = n / n; }\n", encoding="utf-8")
        ran = stateglass("check", code, "--bound", "step.n=0..1", "--engine", engine)
        assert ran.status is Exit.INTERRUPTED
        assert ran.out.startswith("no-error: violated")
        assert "interrupted: 1 claim answered" in ran.err


@needs_compiler
@pytest.mark.parametrize("name", ["code.c", "code.i"])
def test_preprocessed_code_fails_where_it_stands(here: Path, name: str) -> None:
    lines = (
        '# 1 "other.c"',
        "extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));",
        "int input(void);",
        '# 40 "other.c"',
        'void reach_error(void) { __assert_fail("0", "other.c", 3, "reach_error"); }',
        "int main(void) { if (input() == 7) reach_error(); return 0; }",
    )
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (found,) = evidence(stateglass("check", name, "--errors", "assertion", "--format", "json"))
    assert found["steps"][-1]["line"] == 5
    assert found["confirmed_by"] == ["reference", "replay"]


@needs_compiler
def test_a_body_that_says_nothing_of_an_error_is_not_asked(here: Path) -> None:
    text = "void log_it(void);\nvoid reach_error(void) { log_it(); }\nint main(void) { reach_error(); return 0; }\n"
    Path("code.c").write_text(text, encoding="utf-8")
    (found,) = evidence(stateglass("check", "code.c", "--format", "json"))
    assert found["confirmed_by"] == ["reference"]
    assert found["not_replayed"] == "that `reach_error` is called is the error, whatever its body does"


@needs_compiler
@pytest.mark.parametrize(("type", "confirmed"), [("unsigned char", True), ("unsigned", False)])
def test_what_is_repeated_may_go_on_with_other_values(here: Path, type: str, confirmed: bool) -> None:
    """A run that comes back but for a counter that no claim asks about is not shown as if it stayed what it is."""
    text = f"int get(void);\nvoid stop(void);\n{type} n;\nint twice;\nint main(void)\n{{\n    for (;;) {{\n"
    text += "        twice = 2 * (n & 7);\n        if (get() == 7)\n            stop();\n        n++;\n"
    Path("code.c").write_text(text + "        twice = 0;\n    }\n}\n", encoding="utf-8")
    ran = stateglass("check", "code.c", "--claim", "F call(stop)", "--format", "json", "-o", "evidence.json")
    (found,) = evidence(ran)
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert "goes on with other values of `n`, `twice`, which decide nothing" in verdict["explanation"]
    assert not {"n", "twice"} & found["initial"].keys()
    assert ("replay" in found["confirmed_by"]) is confirmed
    assert confirmed or found["not_replayed"].endswith("it is not where it was before in 300 rounds")
    again = stateglass("replay", "evidence.json")
    assert again.status is (Exit.OK if confirmed else Exit.INCONCLUSIVE)


@needs_compiler
def test_what_follows_a_counter_in_later_rounds_is_not_shown_either(here: Path) -> None:
    """The next two rounds have the same hundreds; `limit` is written again and again, and stays."""
    text = "int get(void);\nvoid stop(void);\nunsigned hundreds, more, limit;\nint main(void)\n{\n    unsigned n = 0;\n"
    text += "    for (;;) {\n        more = hundreds + 1;\n        limit = 3;\n        hundreds = ++n / 100;\n"
    Path("code.c").write_text(text + "        if (get() == 7)\n            stop();\n    }\n}\n", encoding="utf-8")
    ran = stateglass("check", "code.c", "--claim", "F call(stop)", "--format", "json")
    (found,) = evidence(ran)
    (verdict,) = json.loads(ran.out)["verdicts"]
    assert "goes on with other values of `hundreds`, `more`, which decide nothing" in verdict["explanation"]
    assert found["initial"].keys() & {"hundreds", "more", "limit"} == {"limit"}
    assert found["not_replayed"].endswith("it is not where it was before in 300 rounds")


@needs_compiler
def test_what_the_compiler_complains_of_is_said(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(code).write_text(CODE + "#ifndef __clang__\n#error for clang alone\n#endif\n", encoding="utf-8")
    monkeypatch.setenv("CC", "cc -U__clang__")
    (found,) = evidence(check(*ASKED, "--claim", "G [level < 2]"))
    assert found["confirmed_by"] == ["reference"]
    assert found["not_replayed"].startswith("the driver cannot be compiled: ")
    assert "for clang alone" in found["not_replayed"]
