"""What a project says about compiling its files is found, read and, where it is wrong, refused with reasons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stateglass.frontend.building.databases import MOST_BYTES, Command, Databases
from stateglass.source import InputError, Severity, render_diagnostics


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "src").mkdir()
    (here / "src" / "a.c").write_text("int i;\n")
    return here


def database(folder: Path, *entries: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries))
    return path


def entry(folder: Path, *words: str, file: str = "a.c") -> dict[str, object]:
    return {"directory": str(folder), "arguments": ["gcc", *words], "file": file}


def refusal(text: str | bytes) -> str:
    path = Path("compile_commands.json")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as error:
        Databases().command("src/a.c")
    assert all(d.severity is Severity.ERROR for d in error.value.diagnostics)
    return render_diagnostics(error.value.diagnostics)


def test_the_nearest_folder_wins_and_build_is_looked_into(here: Path) -> None:
    found = Databases().command("src/a.c")
    assert found is None or not found.origin.startswith(str(here))
    (here / "compile_flags.txt").write_text("-DFIXED\n\n  -I\n inc\n")
    assert Databases().command("src/a.c") == Command("compile_flags.txt", None, ("-DFIXED", "-I", "inc"), ".")
    database(here / "build", entry(here / "src", "-DBUILD"))
    built = Databases().command("src/a.c")
    assert built == Command("build/compile_commands.json", "gcc", ("-DBUILD",), str(here / "src"))
    database(here, entry(here / "src", "-DROOT"))
    assert (root := Databases().command("src/a.c")) is not None
    assert root.arguments == ("-DROOT",)
    (here / "src" / "compile_flags.txt").write_text("-DNEAR\n")
    assert (near := Databases().command("src/a.c")) is not None
    assert near.origin == "src/compile_flags.txt"


def test_a_command_is_split_as_a_shell_does_and_the_folder_may_be_relative(here: Path) -> None:
    line = "gcc '-DNAME=\"x y\"' -DB=a\\ b -c ../src/a.c"
    database(here / "build", {"directory": ".", "command": line, "file": "../src/a.c"})
    found = Databases().command("src/a.c")
    assert found is not None
    assert found.arguments == ('-DNAME="x y"', "-DB=a b", "-c", "../src/a.c")
    assert found.folder == str(here / "build")


def test_a_file_is_found_by_any_of_its_names(here: Path) -> None:
    database(here, entry(here, "-DX", file=str(here / "src" / "a.c")))
    (here / "other").symlink_to(here / "src")
    for name in ("src/a.c", "./src/../src/a.c", str(here / "src" / "a.c"), "other/a.c"):
        assert Databases().command(name) is not None


def test_several_entries_and_none_are_said(here: Path) -> None:
    database(here, entry(here / "src", "-DFIRST"), entry(here / "src", "-DSECOND"))
    databases = Databases()
    found = databases.command("src/a.c")
    assert found is not None
    assert found.arguments == ("-DFIRST",)
    assert databases.command("src/b.c") is None
    first, none = databases.notes
    assert first.message == "`compile_commands.json` has 2 entries for `src/a.c`: the first is used"
    assert none.message == "`compile_commands.json` has no entry for `src/b.c`: it is read with default flags"


def test_a_folder_that_is_named_goes_before_what_is_near(here: Path) -> None:
    (here / "src" / "compile_flags.txt").write_text("-DNEAR\n")
    path = database(here / "out", entry(here / "src", "-DOUT"))
    for name in ("out", str(path)):
        found = Databases(name).command("src/a.c")
        assert found is not None
        assert found.arguments == ("-DOUT",)


@pytest.mark.parametrize(
    ("name", "said"),
    [("nowhere", "`nowhere` does not exist"), ("src", "no compile_commands.json in `src`"), ("src/a.c", "no database")],
)
def test_a_build_folder_that_is_none(name: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        Databases(name)
    assert said in render_diagnostics(error.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "compile_commands.json:1:1: error[flag]: this is not JSON"),
        ('[{"file": ]', "compile_commands.json:1:11: error[flag]: this is not JSON"),
        ("{}", "a compilation database is a list of objects"),
        ("[" * 100_000, "this is nested too deeply"),
        ("[" + "9" * 5000 + "]", "this cannot be read"),
        (b"[\n\xff]", "compile_commands.json:2:1: error[flag]: byte 0xFF is not UTF-8"),
        ('[{"file": "src/a.c", "command": "gcc \'x"}]', "cannot be split into words: no closing quotation"),
        ('[{"file": "src/a.c", "command": " "}]', "the command for `src/a.c` is empty"),
        ('[{"file": "src/a.c", "arguments": []}]', "the command for `src/a.c` is empty"),
    ],
)
def test_what_is_no_database_is_refused(text: str | bytes, said: str) -> None:
    assert said in refusal(text)


def test_everything_wrong_with_the_entries_is_said_at_once() -> None:
    said = refusal('[1, {"file": 2, "arguments": "x"}, {"directory": [], "command": {}}, {"file": "\\u0000"}]')
    assert [line.partition("error[flag]: ")[2] for line in said.splitlines()] == [
        "entry 1 is not an object",
        "entry 2 has a `file` that is not a text",
        "entry 2 has `arguments` that are not a list of texts",
        "entry 3 has a `directory` that is not a text",
        "entry 3 has a `command` that is not a text",
        "entry 3 has no `file`",
        "entry 4 has a `file` that is not a text",
        "entry 4 has neither `arguments` nor `command`",
    ]
    assert "980 more mistakes like these" in refusal(json.dumps([1] * 1000))


def test_a_database_that_is_too_large(here: Path) -> None:
    with (here / "compile_commands.json").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError) as error:
        Databases().command("src/a.c")
    assert "the limit is 64 MiB" in str(error.value)
