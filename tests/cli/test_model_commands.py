"""`info`, `convert` and `draw` on model files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from stateglass.cli.console import Console
from stateglass.cli.convert import ConvertOptions, convert
from stateglass.cli.exits import Exit
from stateglass.formats import read_model, write_model
from stateglass.model import ModelBuilder, Origin, Relation
from tests.cli.running import stateglass

STUCK_AFTER_OPEN = 'des (0, 3, 3)\n(0, "open", 1)\n(1, "close", 0)\n(0, "break", 2)\n'
REASON = "the limit of 3 states was reached"


@pytest.fixture
def door(tmp_path: Path) -> Path:
    path = tmp_path / "door.aut"
    path.write_text(STUCK_AFTER_OPEN)
    return path


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    builder = ModelBuilder()
    builder.add(0, "open", 1)
    path = tmp_path / "partial.sg"
    write_model(builder.build(2, origin=Origin(Relation.UNDER, "door", partial=(REASON,))), str(path))
    return path


def test_info_for_a_person_is_on_standard_output(door: Path) -> None:
    ran = stateglass("info", str(door))
    assert ran.status is Exit.OK
    assert "open" in ran.out
    assert ran.err == ""


def test_info_lists_states_on_request(door: Path) -> None:
    assert len(stateglass("info", str(door), "--states").out) > len(stateglass("info", str(door)).out)


def test_info_for_a_program(door: Path) -> None:
    ran = stateglass("info", str(door), "--format", "json")
    answer = json.loads(ran.out)
    assert (answer["schema_version"], answer["command"]) == (1, "info")
    assert (answer["states"], answer["transitions"]) == (3, 3)
    assert answer["labels"] == {"open": 1, "close": 1, "break": 1}
    assert answer["deadlocks"] == [2]


def test_info_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(STUCK_AFTER_OPEN.encode())))
    assert json.loads(stateglass("info", "-", "--format", "json").out)["states"] == 3


def test_convert_writes_the_other_format_and_says_what_is_lost(partial: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.aut"
    ran = stateglass("convert", str(partial), str(target))
    assert (ran.status, ran.out) == (Exit.OK, "")
    assert read_model(str(target)).transitions == 1
    assert "2 states, 1 transition" in ran.err
    assert "lost: " in ran.err
    assert f"partial: this model does not show all of the behaviour: {REASON}" in ran.err


def test_convert_reports_to_a_program(partial: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.aut"
    answer = json.loads(stateglass("convert", str(partial), str(target), "--format", "json").out)
    assert answer["output"] == str(target)
    assert (answer["partial"], answer["partial_reasons"]) == (True, [REASON])
    assert answer["losses"]


def test_convert_to_standard_output(door: Path) -> None:
    ran = stateglass("convert", str(door), "-", "--to", "aut")
    assert ran.status is Exit.OK
    assert ran.out.startswith("des (0, 3, 3)")
    assert ran.err.startswith("standard output: 3 states")


def test_convert_needs_to_know_the_format_of_standard_output(door: Path) -> None:
    ran = stateglass("convert", str(door), "-")
    assert ran.status is Exit.BAD_INPUT
    assert ran.out == ""


@pytest.mark.parametrize("argv", [["convert", "DOOR", "-", "--to", "aut"], ["draw", "DOOR", "-o", "-"]])
def test_standard_output_carries_one_thing(door: Path, argv: list[str]) -> None:
    ran = stateglass(*[str(door) if word == "DOOR" else word for word in argv], "--format", "json")
    assert ran.status is Exit.BAD_INPUT
    assert "cannot carry both" in ran.err
    assert "cannot carry both" in json.loads(ran.out)["errors"][0]["message"]


def test_a_command_is_a_function(door: Path, tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    status = convert(str(door), str(tmp_path / "x.json"), ConvertOptions(), Console(out), Console(err))
    assert (status, out.getvalue()) == (Exit.OK, "")


def test_draw_makes_a_picture(door: Path, partial: Path, tmp_path: Path) -> None:
    target = tmp_path / "door.svg"
    ran = stateglass("draw", str(door), "-o", str(target))
    assert (ran.status, ran.out) == (Exit.OK, "")
    assert "<svg" in target.read_text()
    assert "3 states, 3 transitions" in ran.err
    assert "partial: " in stateglass("draw", str(partial), "-o", str(target)).err


def test_draw_reports_to_a_program(door: Path, tmp_path: Path) -> None:
    target = tmp_path / "door.svg"
    answer = json.loads(stateglass("draw", str(door), "-o", str(target), "--format", "json").out)
    assert (answer["output"], answer["states"]) == (str(target), 3)


@pytest.mark.parametrize("command", [["info"], ["draw", "-o", "x.svg"], ["convert"]])
def test_a_missing_file_is_bad_input(command: list[str], tmp_path: Path) -> None:
    verb, *options = command
    files = [str(tmp_path / "none.sg")] + ([str(tmp_path / "x.aut")] if verb == "convert" else [])
    ran = stateglass(verb, *files, *options)
    assert ran.status is Exit.BAD_INPUT
    assert "none.sg" in ran.err
