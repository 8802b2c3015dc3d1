"""Two outputs are two files, and what is open already is written to, not replaced."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.formats.targets import check_different
from stateglass.source import InputError
from tests.cli.running import stateglass

DOOR = 'des (0, 2, 2)\n(0, "open", 1)\n(1, "close", 0)\n'
RUN = [sys.executable, "-m", "stateglass"]
ON_LINUX = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="descriptors have no names here")


@pytest.fixture
def door(here: Path) -> Path:
    path = here / "door.aut"
    path.write_text(DOOR)
    return path


def test_classes_do_not_take_the_place_of_the_model(door: Path, tmp_path: Path) -> None:
    (tmp_path / "link.aut").symlink_to("new.aut")
    (tmp_path / "here").symlink_to(".")
    for classes in ("new.aut", "./new.aut", str(tmp_path / "new.aut"), "link.aut", "here/new.aut"):
        ran = stateglass("reduce", "door.aut", "--by", "strong", "-o", "new.aut", "--classes", classes)
        assert ran.status is Exit.BAD_INPUT, classes
        assert "two outputs cannot go to one place" in ran.err
        assert not (tmp_path / "new.aut").exists()


def test_two_outputs_of_one_kind_are_different_too(door: Path, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n")
    ran = stateglass("extract", "f.c", "-o", "f.aut", "-o", "./f.aut")
    assert (ran.status, ran.out) == (Exit.BAD_INPUT, "")
    assert "`f.aut` and `./f.aut` are the same file" in ran.err
    ran = stateglass("extract", "f.c", "-o", "-", "-o", "-", "--to", "aut")
    assert (ran.status, ran.out) == (Exit.BAD_INPUT, "")
    assert "standard output is named twice" in ran.err


def test_what_is_thrown_away_may_be_thrown_away_twice() -> None:
    check_different(["/dev/null", "/dev/null", "a", "b"])
    with pytest.raises(InputError):
        check_different(["a", "b", "./a"])


def test_standard_output_carries_one_document(door: Path) -> None:
    ran = stateglass("reduce", "door.aut", "--by", "strong", "--classes", "-", "--format", "json")
    assert ran.status is Exit.BAD_INPUT
    assert "both the classes and a JSON report" in json.loads(ran.out)["errors"][0]["message"]
    ran = stateglass("reduce", "door.aut", "--by", "strong", "--classes", "-", "-o", "-", "--to", "aut")
    assert (ran.status, ran.out) == (Exit.BAD_INPUT, "")
    command = [*RUN, "reduce", "door.aut", "--by", "strong", "--classes", "-"]
    ran_alone = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(ran_alone.stdout)["classes"] == [[0], [1]]


@ON_LINUX
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_a_file_that_is_open_as_standard_output_is_not_replaced(door: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    target = tmp_path / "out.aut"
    target.write_text("before\n")
    number = target.stat().st_ino
    with target.open("ab") as out:
        command = [*RUN, "convert", "door.aut", name, "--to", "aut"]
        subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=True)
    assert target.stat().st_ino == number
    assert target.read_text() == "before\n" + DOOR


@ON_LINUX
def test_another_open_file_is_written_where_it_stands(door: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.aut"
    number = os.open(target, os.O_RDWR | os.O_CREAT)
    try:
        os.write(number, b"before\n")
        assert stateglass("convert", "door.aut", f"/dev/fd/{number}", "--to", "aut").status is Exit.OK
        assert target.read_text() == "before\n" + DOOR
        assert os.fstat(number).st_ino == target.stat().st_ino
    finally:
        os.close(number)


@ON_LINUX
def test_json_and_a_model_do_not_meet_on_standard_output(door: Path) -> None:
    command = [*RUN, "convert", "door.aut", "/dev/stdout", "--to", "aut", "--format", "json"]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert ran.returncode == 2
    assert "both the model and a JSON report" in json.loads(ran.stdout)["errors"][0]["message"]


@ON_LINUX
def test_a_file_and_the_stream_into_it_are_one_place(door: Path, tmp_path: Path) -> None:
    with (tmp_path / "x").open("wb") as out:
        command = [*RUN, "reduce", "door.aut", "--by", "strong", "-o", "-", "--to", "aut", "--classes", "x"]
        ran = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == 2
    assert b"two outputs" in ran.stderr
