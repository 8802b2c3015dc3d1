"""`stateglass demo`: the tour works in an empty folder, again, and never over the files of somebody else."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.formats import read_model
from tests.cli.running import stateglass

WRITTEN = {"charger.c", "stateglass.toml", "model.sg", "model.svg", "model.aut", "report.html"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_tour(here: Path) -> None:
    ran = stateglass("demo")
    assert ran.status is Exit.OK
    assert ran.err == ""
    assert all(len(line) < 80 for line in ran.out.splitlines())
    folder = here / "stateglass-demo"
    assert {path.name for path in folder.iterdir()} == WRITTEN
    assert all(name in ran.out for name in WRITTEN)
    model = read_model(str(folder / "model.sg"))
    assert not model.partial
    assert "error(bounds)" in model.labels
    assert f"{model.states} states, {model.transitions} transitions" in ran.out
    assert "error(bounds)" in (folder / "report.html").read_text(encoding="utf-8")


def test_a_second_tour_gives_the_same(here: Path) -> None:
    first, before = stateglass("demo"), contents(here / "stateglass-demo")
    assert stateglass("demo") == first
    assert contents(here / "stateglass-demo") == before


def test_another_folder_and_a_report_for_programs(here: Path) -> None:
    ran = stateglass("demo", "--output", "a/b/", "--format", "json")
    answer = json.loads(ran.out)
    assert (answer["command"], answer["output"], answer["partial"]) == ("demo", "a/b", False)
    assert {Path(file).name for file in answer["files"]} == WRITTEN
    assert all((here / file).is_file() for file in answer["files"])
    assert "error(bounds)" in ran.err


def test_the_project_around_the_folder_does_not_matter(here: Path) -> None:
    (here / "stateglass.toml").write_text('schema = 1\n[source]\nfiles = ["none.c"]\n[options]\nmax_states = 1\n')
    assert stateglass("demo").status is Exit.OK


@pytest.mark.parametrize("name", ["charger.c", "stateglass.toml", "model.sg", "report.html"])
def test_what_somebody_else_wrote_is_left_alone(here: Path, name: str) -> None:
    (here / name).write_text("mine")
    ran = stateglass("demo", "--output", ".")
    assert ran.status is Exit.BAD_INPUT
    assert name in ran.err
    assert contents(here) == {name: b"mine"}


def test_a_changed_program_is_not_lost(here: Path) -> None:
    stateglass("demo")
    program = here / "stateglass-demo" / "charger.c"
    program.write_text(program.read_text() + "/* mine */\n")
    before = contents(program.parent)
    assert stateglass("demo").status is Exit.BAD_INPUT
    assert contents(program.parent) == before


def test_a_folder_that_cannot_be_made(here: Path) -> None:
    (here / "file").write_text("")
    assert stateglass("demo", "--output", "file/inside").status is Exit.BAD_INPUT


def test_the_program_is_part_of_the_package() -> None:
    folder = resources.files("stateglass") / "demonstration"
    assert {item.name for item in folder.iterdir()} >= {"charger.c", "stateglass.toml"}
