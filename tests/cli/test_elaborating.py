"""`stateglass scenario --elaborate` and what goes with it: questions, kept stories, the walk in the terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import Ran, stateglass
from tests.shapes import check_shape

DOOR = """
enum door { CLOSED, OPEN };
enum door door = CLOSED;
int locked;
void press(void) { if (!locked && door == CLOSED) door = OPEN; }
void push(void) { if (door == CLOSED) door = OPEN; }
void shut(void) { door = CLOSED; }
void lock(void) { if (door == CLOSED) locked = 1; }
void unlock(void) { locked = 0; }
"""
STORY = """
event press = call(press) when (closed)
event push = call(push) when (closed)
event opens = rises(door == OPEN)
condition free = !locked
condition closed = door == CLOSED
scenario pressing: press -> opens  expected violated
scenario pushing: push -> opens
"""
NAMES = ("press", "push", "shut", "lock", "unlock")
CODE = ("door.c", *(word for name in NAMES for word in ("--function", name)))


@pytest.fixture(autouse=True)
def files(here: Path) -> None:
    Path("door.c").write_text(DOOR, encoding="utf-8")
    Path("door.scenarios").write_text(STORY, encoding="utf-8")


@pytest.fixture
def model() -> str:
    assert stateglass("extract", *CODE, "-o", "door.sg").status is Exit.OK
    return "door.sg"


def report(*argv: str) -> dict[str, Any]:
    ran = stateglass("scenario", *argv, "--format", "json")
    assert ran.status is Exit.OK, ran.err
    document: dict[str, Any] = json.loads(ran.out)
    check_shape("scenario", document)
    return document


def elaborate(model: str, *argv: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = report(model, "door.scenarios", "--elaborate", *argv)["elaborations"]
    return found


def test_what_keeps_an_exception_away_is_found_with_a_run(model: str) -> None:
    found = elaborate(model, "--scenario", "pressing", "--pattern", "avoid exception")
    best = found[0]
    assert (best["text"], best["from"], best["verdict"]) == ("press when (free) -> opens", "pressing", "holds")
    assert best["pattern"] == "avoid exception"
    assert best["evidence"]["steps"]
    assert best["english"].startswith("Whenever")


def test_other_causes_are_found_on_code_and_runs_are_executed_again() -> None:
    found = report(*CODE, "door.scenarios", "--elaborate", "--scenario", "pushing")["elaborations"]
    weakened = [one for one in found if one["pattern"] == "cause weakening"]
    # Pressing opens the door only if it is not locked, so that it is no cause without a word for that.
    assert not [one for one in weakened if one["verdict"] == "holds"]
    story = STORY + "event free_press = press when (free)\n"
    Path("door.scenarios").write_text(story, encoding="utf-8")
    found = report(*CODE, "door.scenarios", "--elaborate", "--scenario", "pushing")["elaborations"]
    texts = {one["text"]: one for one in found}
    best = texts["push | free_press <-> opens"]
    assert best["strategy"] == "avoid-events={push}"
    assert best["shown"] == "init ~> opens"
    assert best["evidence"]["confirmed_by"] == ["reference"]
    assert any("press" in step["action"] for step in best["evidence"]["steps"])


def test_people_are_told_in_lines(model: str) -> None:
    ran = stateglass("scenario", model, "door.scenarios", "--elaborate", "--scenario", "pressing")
    assert "elaborating pressing\n  by avoid exception:\n   1  press when (free) -> opens\n" in ran.out


def test_a_pattern_has_one_of_the_names(model: str) -> None:
    ran = stateglass("scenario", model, "door.scenarios", "--elaborate", "--pattern", "magic")
    assert ran.status is Exit.BAD_INPUT


# ---- questions


def answers(text: str, model: str) -> list[str]:
    found = report(model, "door.scenarios", "--scenario", text)["questions"]
    assert [question["text"] for question in found] == [text]
    return [one["answer"] for one in found[0]["answers"]]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("push -> ?", ["opens"]),
        ("press when (?) -> opens", ["free"]),
        ("AG(push => AF ?)", ["opens", "[!closed]"]),
    ],
)
def test_questions_are_answered(question: str, expected: list[str], model: str) -> None:
    assert answers(question, model) == expected


def test_questions_may_stand_in_the_file(model: str) -> None:
    Path("door.scenarios").write_text(STORY + "scenario which: push -> ?\n", encoding="utf-8")
    found = report(model, "door.scenarios")
    assert [told["name"] for told in found["scenarios"]] == ["pressing", "pushing"]
    assert found["questions"][0]["answers"][0]["text"] == "push -> opens"
    ran = stateglass("scenario", model, "door.scenarios", "--scenario", "which")
    assert "push -> ?\n  opens\n" in ran.out


def test_a_question_that_is_none_is_a_mistake(model: str) -> None:
    for text in ("AG(pusch => AF ?)", "AG(? => AF ?)", "? -> ?", "AG(push => AF ?", "AG([nothing] => AF ?)"):
        ran = stateglass("scenario", model, "door.scenarios", "--scenario", text)
        assert ran.status is Exit.BAD_INPUT, text


# ---- kept stories


def test_what_was_found_is_kept_and_stands_below_what_it_came_from(model: str) -> None:
    found = report(model, "door.scenarios", "--scenario", "pressing", "--elaborate", "--keep", "freely=1")
    line = "scenario freely: press when (free) -> opens  from pressing by avoid exception"
    assert found["kept"] == [line]
    assert Path("door.scenarios").read_text(encoding="utf-8") == f"{STORY}{line}\n"
    stories = report(model, "door.scenarios", "--stories")["stories"]
    assert [(one["name"], one["depth"], one["verdict"]) for one in stories] == [
        ("pressing", 0, "violated"),
        ("freely", 1, "holds"),
        ("pushing", 0, "holds"),
    ]


def test_it_is_kept_by_its_text_too(model: str) -> None:
    text = "press when (free) -> opens"
    found = report(model, "door.scenarios", "--scenario", "pressing", "--elaborate", "--keep", f"freely={text}")
    assert found["kept"][0].startswith(f"scenario freely: {text}")


@pytest.mark.parametrize("wish", ["freely=99", "freely=0", "freely=opens -> press", "pushing=1", "freely", "=1"])
def test_what_cannot_be_kept_changes_nothing(wish: str, model: str) -> None:
    ran = stateglass("scenario", model, "door.scenarios", "--scenario", "pressing", "--elaborate", "--keep", wish)
    assert ran.status is Exit.BAD_INPUT
    assert Path("door.scenarios").read_text(encoding="utf-8") == STORY


def test_there_has_to_be_a_file_to_keep_it_in(model: str) -> None:
    ran = stateglass("scenario", model, "--scenario", "call(push) -> call(shut)", "--elaborate", "--keep", "x=1")
    assert ran.status is Exit.BAD_INPUT
    assert "--keep" in stateglass("scenario", model, "door.scenarios", "--keep", "x=1").err


def test_verdicts_before_a_change_and_what_has_broken_a_story(model: str) -> None:
    changed = DOOR.replace("int locked;", "int locked, stuck;")
    changed = changed.replace(
        "void push(void) { if (", "void jam(void) { stuck = 1; }\nvoid push(void) { if (!stuck && "
    )
    Path("door.c").write_text(changed, encoding="utf-8")
    assert stateglass("extract", *CODE, "--function", "jam", "-o", "new.sg").status is Exit.OK
    ran = stateglass("scenario", "new.sg", "door.scenarios", "--stories", "--old", model)
    assert "pushing: push -> opens\n  violated; before: holds\n" in ran.out
    Path("door.scenarios").write_text(STORY + "condition jammed = stuck\n", encoding="utf-8")
    ran = stateglass("scenario", "new.sg", "door.scenarios", "--elaborate", "--old", model, "--scenario", "pushing")
    assert "by exception breaks causation:\n   1  while (!jammed): push -> opens\n" in ran.out


def test_stories_whose_origin_is_no_help(model: str) -> None:
    text = STORY.replace("expected violated", "from pushing by a  expected violated")
    Path("door.scenarios").write_text(
        f"{text.rstrip()} from pressing by b\nopens -> opens from x by c\n", encoding="utf-8"
    )
    told = stateglass("scenario", model, "door.scenarios", "--stories").out
    assert "pressing: press -> opens  by a from `pushing`, which was made from this one\n" in told
    assert "opens -> opens  by c from `x`, which is not here\n" in told


# ---- step by step


def walk(model: str, monkeypatch: pytest.MonkeyPatch, *lines: str) -> Ran:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    ran = stateglass("scenario", model, "door.scenarios", "--interactive")
    assert ran.status is Exit.OK
    return ran


def test_a_walk_from_a_scenario_to_a_kept_story(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = walk(model, monkeypatch, "1", "1", "1", "k 1 freely", "b", "b", "3", "q")
    assert "   1  pressing: press -> opens: violated\n" in ran.out
    assert "A run that shows" in ran.out
    assert "kept: scenario freely: press when (free) -> opens  from pressing by avoid exception" in ran.out
    assert "   3  freely: press when (free) -> opens: holds\n" in ran.out
    assert Path("door.scenarios").read_text(encoding="utf-8").endswith("by avoid exception\n")


def test_a_walk_takes_texts_and_questions_and_forgives_mistakes(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = walk(model, monkeypatch, "push ~> opens", "99", "b", "push -> ?", "nonsense ->", "7", "", "k", "q")
    assert "push ~> opens: holds" in ran.out
    assert "      opens\n" in ran.out
    assert "error" in ran.err


def test_a_walk_ends_with_its_input(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pressing" in walk(model, monkeypatch).out


def test_a_walk_is_for_people(model: str) -> None:
    ran = stateglass("scenario", model, "door.scenarios", "--interactive", "--format", "json")
    assert ran.status is Exit.BAD_INPUT
