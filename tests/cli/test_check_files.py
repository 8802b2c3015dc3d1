"""`stateglass check` on several files that have variables of one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import Ran, stateglass

FIRST = """
static int count; static int list[2]; static int *last = &count;
static void tick(void) { static int n; n = 1; }
void a_step(void) { count = 0; list[1] = 3; tick(); (void)*last; }
"""
SECOND = """
static int count = 10; static int list[2]; static int alone;
static void tick(void) { static int n; n = 2; }
void b_step(void) { if (count > 5) count--; list[1] = 4; alone = 1; tick(); }
"""


@pytest.fixture(autouse=True)
def code(here: Path) -> None:
    Path("a.c").write_text(FIRST, encoding="utf-8")
    Path("b.c").write_text(SECOND, encoding="utf-8")


def check(files: tuple[str, ...], *claims: str) -> Ran:
    asked = (word for claim in claims for word in ("--claim", claim))
    return stateglass("check", *files, "--function", "a_step", "--function", "b_step", *asked)


@pytest.mark.parametrize("files", [("a.c", "b.c"), ("b.c", "a.c")])
def test_a_name_of_several_files_is_ambiguous_in_any_order(files: tuple[str, ...]) -> None:
    ran = check(files, "G [count == 0]", "G [list[1] < 4]", "G [tick::n < 2]")
    assert ran.status == Exit.BAD_INPUT
    assert "`count` is ambiguous: it may be `count@a.c`, `count@b.c`" in ran.err
    assert "`list[1]` is ambiguous: it may be `list@a.c[1]`, `list@b.c[1]`" in ran.err
    assert "did you mean `&count@a.c`" in check(files, 'G [last != "&count"]').err
    assert "`tick::n` is ambiguous: it may be `tick@a.c::n`, `tick@b.c::n`" in ran.err


@pytest.mark.parametrize("files", [("a.c", "b.c"), ("b.c", "a.c")])
def test_a_name_with_its_file_is_that_one_in_any_order(files: tuple[str, ...]) -> None:
    holding = ("[`count@a.c` == 0]", "[`count@b.c` >= 5]", "[`list@a.c[1]` < 4]", "[`tick@a.c::n` < 2]", "[alone < 2]")
    assert check(files, *(f"G {claim}" for claim in holding), 'G [last == "&count@a.c"]').status == Exit.OK
    violated = ("[`count@b.c` == 10]", "[`list@b.c[1]` < 4]", "[`tick@b.c::n` < 2]")
    ran = check(files, *(f"G {claim}" for claim in violated))
    assert ran.out.count(": violated\n") == len(violated)


def test_colons_before_a_name_stand_for_no_function() -> None:
    both = check(("a.c", "b.c"), "G [::alone < 2]", "G [::alone < 1]", "G [::alone == 0 || stable || ::alone == 1]")
    assert [line.rpartition(": ")[2] for line in both.out.splitlines() if line.startswith("G ")] == [
        "holds",
        "violated",
        "holds",
    ]
    assert "`count` is ambiguous" in check(("a.c", "b.c"), "G [::count < 1]").err


def test_what_all_files_share_goes_by_its_name() -> None:
    Path("a.c").write_text(FIRST.replace("static int count", "int count"), encoding="utf-8")
    for files in (("a.c", "b.c"), ("b.c", "a.c")):
        assert check(files, "G [count == 0]", "G [`count@b.c` >= 5]").status == Exit.OK
