"""`info --path`: a way through a model in lines of the source and values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

CODE = """int get(void);
int level;

void step(void)
{
    level = get();
    if (level > 9)
        level = 10;
}
"""


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "level.c").write_text(CODE, encoding="utf-8")
    (here / "level.am").write_text("var level : part(0, 10, 11);", encoding="utf-8")
    made = stateglass("extract", "level.c", "--abstraction", "level.am", "-o", "level.sg")
    assert made.status is Exit.OK, made.err
    return here


def test_each_step_has_its_line_and_the_values_that_it_changes() -> None:
    ran = stateglass("info", "level.sg", "--path", "return(step)")
    assert ran.status is Exit.OK
    assert ran.out.splitlines() == [
        "a shortest way to `return(step)`: 5 steps",
        "      level = [0..9]",
        "   1  call(step)",
        "      level.c:4 | void step(void)",
        "   2  call(get)",
        "      level.c:6 | level = get();",
        "   3  return(get, top)",
        "      level = top",
        "   4  tau",
        "      level.c:7 | if (level > 9)",
        "      level = 10",
        "   5  return(step)",
        "      level.c:4 | void step(void)",
    ]
    assert "perhaps more" in ran.err


def test_without_the_source_there_are_numbers_of_lines(here: Path) -> None:
    (here / "level.c").unlink()
    assert "      level.c:6\n" in stateglass("info", "level.sg", "--path", "call(get)").out


def test_for_programs() -> None:
    path = json.loads(stateglass("info", "level.sg", "--path", "call(g*)", "--format", "json").out)["path"]
    assert path["to"] == "call(get)"
    assert [(s["action"], s["file"], s["line"]) for s in path["steps"]] == [
        ("call(step)", "level.c", 4),
        ("call(get)", "level.c", 6),
    ]
    assert path["steps"][0]["changes"] == {}


def test_a_state_is_a_place_to_go_to() -> None:
    assert stateglass("info", "level.sg", "--path", "0").out.startswith("a shortest way to state 0: 0 steps\n")


def test_that_there_is_no_way_is_an_answer(here: Path) -> None:
    (here / "apart.aut").write_text('des (0, 2, 3)\n(0, "a", 0)\n(1, "b", 2)\n', encoding="utf-8")
    for where in ("b", "2"):
        ran = stateglass("info", "apart.aut", "--path", where)
        assert ran.status is Exit.FINDINGS
        assert ran.out == f"no way leads to `{where}`\n"
    cut = stateglass("extract", "level.c", "--abstraction", "level.am", "--max-states", "2", "-o", "part.sg")
    assert cut.status is Exit.INCONCLUSIVE
    assert stateglass("info", "part.sg", "--path", "re:error.*").status is Exit.INCONCLUSIVE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--path", "call(gte)"], "did you mean `call(get)`"),
        (["--path", "99"], "the model has no state 99"),
        (["--path", ""], "a pattern is empty"),
        (["--path", "0", "--states"], "two different questions"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    ran = stateglass("info", "level.sg", *arguments)
    assert ran.status is Exit.BAD_INPUT
    assert message in ran.err
