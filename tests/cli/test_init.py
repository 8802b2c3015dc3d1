"""`init` writes a project file that `extract` can use at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

CODE = """int level;
int sensor(void);
static int clip(int x) { return x > 3 ? 3 : x; }
void tick(int by) { level = clip(level + by * sensor()); }
void clear(void) { level = 0; }
"""


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "tank.c").write_text(CODE, encoding="utf-8")
    return here


def test_the_project_file_is_beside_the_code_and_works(here: Path) -> None:
    ran = stateglass("init", "tank.c")
    assert (ran.status, ran.out) == (Exit.OK, "")
    text = (here / "stateglass.toml").read_text(encoding="utf-8")
    assert "tank.c" in text
    assert "tick.by" in text
    assert "sensor()" in text
    assert "guessed, please check: the bounds of tick.by, sensor()" in ran.err
    extracted = stateglass("extract", "--max-states", "50")
    assert extracted.status in (Exit.OK, Exit.INCONCLUSIVE)
    assert extracted.err.startswith("tick, clear: ")


def test_functions_that_others_call_are_no_entries(here: Path) -> None:
    stateglass("init", "tank.c")
    subject = next(t for t in (here / "stateglass.toml").read_text().splitlines() if t.startswith("subject"))
    assert "tick" in subject
    assert "clear" in subject
    assert "clip" not in subject


def test_how_the_files_are_read_is_kept(here: Path) -> None:
    (here / "include").mkdir()
    (here / "include" / "limits_of_tank.h").write_text("int sensor(void);\n")
    (here / "part").mkdir()
    (here / "part" / "tank.c").write_text(
        '#include "limits_of_tank.h"\nint n; void tick(void) { n = sensor() + TOP; }\n'
    )
    options = ("-I", "include", "-D", "TOP=3", "--flag=-O2", "--target", "arm-none-eabi")
    assert stateglass("init", "part/tank.c", *options).status is Exit.OK
    lines = (here / "part" / "stateglass.toml").read_text(encoding="utf-8").splitlines()
    assert [line.split("#")[0].strip() for line in lines[5:10]] == [
        'files = ["tank.c"]',
        'include = ["../include"]',
        'define = ["TOP=3"]',
        'flags = ["-O2"]',
        'target = "arm-none-eabi"',
    ]
    assert stateglass("extract", "part/tank.c").status is Exit.OK


def test_structures_with_many_members_are_one_guess(here: Path) -> None:
    members = "int a, b, c, d, e, f, g, h, i;"
    (here / "big.c").write_text(
        f"struct big {{ {members} }} big;\nvoid fill(struct big *b);\nvoid f(void) {{ fill(&big); }}\n"
    )
    assert stateglass("init", "big.c").status is Exit.OK
    text = (here / "stateglass.toml").read_text(encoding="utf-8")
    assert '"fill.b" = "list 0 of {0}"' in text
    assert "fill.b.a" not in text
    extracted = stateglass("extract", "-o", "big.sg")
    assert extracted.status is Exit.OK
    assert "fill: it has no body: it writes nothing through `b`" in extracted.err


def test_an_unknown_function() -> None:
    ran = stateglass("init", "tank.c", "--function", "tock")
    assert ran.status is Exit.BAD_INPUT
    assert "there is no function `tock`" in ran.err
    assert "did you mean `tick`?" in ran.err


def test_inputs_that_no_bound_can_be_given_for_are_named(here: Path) -> None:
    (here / "words.c").write_text("int n; void say(char *words[], int by) { n = words[0][0] + by; }\n")
    ran = stateglass("init", "words.c")
    assert ran.status is Exit.OK
    assert "warning[missing-bound]: no bound can say which values these take: `say.words`" in ran.err


def test_standard_output() -> None:
    ran = stateglass("init", "tank.c", "-o", "-", "--function", "clear")
    assert "schema = 1" in ran.out
    assert "clear" in ran.out


def test_an_existing_file_is_not_overwritten_unless_forced(here: Path) -> None:
    (here / "stateglass.toml").write_text("mine\n")
    ran = stateglass("init", "tank.c")
    assert ran.status is Exit.BAD_INPUT
    assert "`stateglass.toml` exists already" in ran.err
    assert (here / "stateglass.toml").read_text() == "mine\n"
    assert stateglass("init", "tank.c", "--force").status is Exit.OK
    assert (here / "stateglass.toml").read_text() != "mine\n"


def test_what_nobody_calls_beside_main_is_told(here: Path) -> None:
    (here / "main.c").write_text("int n;\nvoid isr(void) { n++; }\nint main(void) { for (;;) n = 0; }\n")
    ran = stateglass("init", "main.c", "-o", "-")
    assert "never called there, so never run: isr; --function adds one\n" in ran.err
    assert "never called" not in stateglass("init", "main.c", "--function", "isr", "--function", "main", "-o", "-").err


def test_where_there_is_much_to_choose_a_first_model_has_few_values_of_each(here: Path) -> None:
    (here / "many.c").write_text("int n;\nvoid set(int a, int b, unsigned c, int d) { n = a + b + (int)c + d > 2; }\n")
    assert stateglass("init", "many.c").status is Exit.OK
    text = (here / "stateglass.toml").read_text(encoding="utf-8")
    assert [line.split("#")[0].strip() for line in text.splitlines() if line.startswith('"set.')] == [
        '"set.a" = "-1..1"',
        '"set.b" = "-1..1"',
        '"set.c" = "0..1"',
        '"set.d" = "-1..1"',
    ]
    assert stateglass("extract", "-o", "many.sg").err.startswith("set: ")


def test_constructors_are_no_entries_and_what_they_precede_keeps_its_name(here: Path) -> None:
    (here / "late.c").write_text(
        "struct late { int a; };\nint n;\nvoid start(struct late *p, int *q) { n = p->a + *q; }\n"
        "__attribute__((constructor)) void con(void) { n = 3; }\nvoid step(void) { n = n > 3 ? 0 : n + 1; }\n"
    )
    assert stateglass("init", "late.c").status is Exit.OK
    text = (here / "stateglass.toml").read_text(encoding="utf-8")
    assert 'subject = ["start", "step"]' in text
    ran = stateglass("extract", "late.c", "--init", "start", "--function", "step")
    assert "start: `p` points to one `late` that starts at zero" in ran.err
    assert "start: `q` points to one `int32` that starts at zero" in ran.err
    checked = stateglass("check", "late.c", "--init", "start", "--function", "step")
    assert "#" not in ran.out + ran.err + checked.out + checked.err
