"""`config show` tells every setting and where it comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

pytestmark = pytest.mark.usefixtures("here")


def shown(*argv: str) -> dict[str, tuple[object, str]]:
    ran = stateglass("config", "show", *argv, "--format", "json")
    assert ran.status is Exit.OK, ran.err
    return {row["name"]: (row["value"], row["origin"]) for row in json.loads(ran.out)["settings"]}


def test_defaults_and_the_command_line() -> None:
    settings = shown("a.c", "--max-states", "12")
    assert settings["max_states"] == (12, "command line")
    assert settings["files"] == (["a.c"], "command line")
    assert settings["ub"] == ("error", "default")


def test_the_project_file_is_named_as_an_origin(here: Path) -> None:
    (here / "stateglass.toml").write_text('schema = 1\n[options]\nmax_states = 7\nub = "wrap"\n')
    settings = shown("--ub", "ignore")
    assert settings["max_states"][0] == 7
    assert "stateglass.toml" in settings["max_states"][1]
    assert settings["ub"] == ("ignore", "command line")


def test_as_text() -> None:
    ran = stateglass("config", "show", "a.c")
    lines = ran.out.splitlines()
    assert any(line.startswith("max_states") and line.endswith("1000000  (default)") for line in lines)
    assert any(line.startswith("files") and line.endswith("a.c  (command line)") for line in lines)


def test_the_default_for_undefined_behaviour_depends_on_the_abstraction() -> None:
    assert shown("a.c", "--abstraction", "a.am")["ub"] == ("ignore", "default")
    assert shown("a.c", "--abstraction", "a.am", "--ub", "wrap")["ub"] == ("wrap", "command line")


def test_functions_and_a_class_are_both_the_subject() -> None:
    assert shown("a.c", "--function", "f", "--function", "g")["subject"] == (["f", "g"], "command line")
    assert shown("a.cpp", "--class", "Door")["subject"] == ("Door", "command line")
    assert "of_class" not in shown("a.cpp", "--class", "Door")
