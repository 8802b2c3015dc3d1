"""`stateglass demo`: what it shows is what its commands do, its page is whole, and nobody else's files are touched."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest

from stateglass import pipeline
from stateglass.cli.console import Console
from stateglass.cli.demo import INDENT, demo
from stateglass.cli.exits import Exit
from stateglass.cli.frame import OutputFormat
from stateglass.formats import read_model
from tests.cli.running import stateglass
from tests.views.test_report import Outline

BUNDLED = {"charger.c", "mended.c", "charger.machine", "stateglass.toml"}
WRITTEN = BUNDLED | {"model.sg", "model.svg", "reflexion.svg", "evidence.json", "changes.svg", "report.html"}
PROMPT = f"{INDENT}$ "
CUT = re.compile(r"… (\d+) more lines")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shown(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands in what the tour printed, each with the indented lines that follow it."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(PROMPT)]
    for start, end in pairwise([*starts, len(lines)]):
        answer = lines[start + 2 : end]
        over = next((n for n, line in enumerate(answer) if line and not line.startswith(INDENT)), len(answer))
        yield lines[start].removeprefix(PROMPT), "\n".join(answer[:over]).rstrip().splitlines()


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What a tour printed, and its folder."""
    with pytest.MonkeyPatch.context() as patch:
        around = tmp_path_factory.mktemp("tour")
        patch.chdir(around)
        ran = stateglass("demo")
    assert (ran.status, ran.err) == (Exit.OK, "")
    return ran.out, around / "stateglass-demo"


def test_each_command_gives_what_the_tour_shows(
    tour: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, folder = tour
    (change, nothing), *commands = shown(text)
    assert (change, nothing) == ("cd stateglass-demo", [])
    verbs = [shlex.split(command)[1] for command, _ in commands]
    assert verbs == ["extract", "reflect", "check", "replay", "diff"]
    for name in BUNDLED:
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    for command, answer in commands:
        ran = stateglass(*shlex.split(command)[1:], environ={"COLUMNS": str(80 - len(INDENT))})
        real = (ran.out + ran.err).splitlines()
        lines = [line.removeprefix(INDENT) for line in answer]
        cut = next((n for n, line in enumerate(lines) if CUT.fullmatch(line)), None)
        if cut is not None:
            left_out = CUT.fullmatch(lines[cut])
            assert left_out is not None
            lines[cut : cut + 1] = real[cut : cut + int(left_out[1])]
        if real[0] == "error[file]: there is no C compiler":
            assert lines == ["left out: there is no C compiler"]
            continue
        assert lines == real
    here = contents(tmp_path)
    assert here.keys() == WRITTEN - {"report.html"}
    assert all(here[name] == data for name, data in contents(folder).items() if name in here)


def test_it_finds_what_there_is_to_find(tour: tuple[str, Path]) -> None:
    text, folder = tour
    assert {path.name for path in folder.iterdir()} == WRITTEN
    assert "error(bounds)" in read_model(str(folder / "model.sg")).labels
    source = (folder / "report.html").read_text(encoding="utf-8")
    page = Outline(source)
    for said in ("divergence", "absence", "safe: holds", "no-error: violated", "ehaviour changed"):
        assert said in text
        assert said in page.text
    # The run that the mend made possible is the one that is not folded away.
    assert re.findall(r"<details open><summary>(.*?)</summary>", source) == ["safe: what happens now"]
    assert "safe: holds -> violated" in text
    assert "no-error: violated -> holds" in text


def test_its_page_is_whole_and_loads_nothing(tour: tuple[str, Path]) -> None:
    page = (tour[1] / "report.html").read_text(encoding="utf-8")
    outline = Outline(page)
    assert len(outline.ids) == len(set(outline.ids))
    assert all(link.startswith("#") for link in outline.links)
    assert {link[1:] for link in outline.links} <= set(outline.ids)
    assert outline.tags.count("article") == 5
    assert outline.tags.count("svg") == 5
    assert not {"img", "link", "iframe", "object", "embed"} & set(outline.tags)
    assert not re.search(r"url\(|@import|src=", page)
    addresses = set(re.findall(r"https?://[^\"'\s<>]*", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/TR/SVG11/"}


def test_each_step_of_the_run_leads_to_lines_and_to_a_state_in_the_picture(tour: tuple[str, Path]) -> None:
    page = (tour[1] / "report.html").read_text(encoding="utf-8")
    names = set(Outline(page).ids)
    rows = re.findall(r'data-arrow="arrow\d+" data-from="(\d+)" data-to="(\d+)" data-line="(claims-[^"]*)"', page)
    evidence = json.loads((tour[1] / "evidence.json").read_text())
    steps = next(v for v in evidence["verdicts"] if v["verdict"] == "violated")["evidence"]["steps"]
    assert len(rows) == len(steps)
    for (source, target, lines), step in zip(rows, steps, strict=True):
        assert {f"claims-state{source}", f"claims-state{target}", *lines.split()} <= names
        assert step["state"] == int(target)
    # The call that overheats for the third time gets as far as the line that fails.
    assert rows[-1][2] == "claims-line-0-55"
    assert "claims-line-0-54" in rows[-2][2]
    assert "claims-line-0-56" not in rows[-2][2]


def test_a_terminal_is_not_too_narrow_for_it(here: Path) -> None:
    text = io.StringIO()
    console = Console(text, 80, terminal=True)
    assert demo("tour", OutputFormat.TEXT, console, console) is Exit.OK
    assert all(len(line) <= 80 for line in text.getvalue().splitlines())
    assert "\r" not in text.getvalue()


def test_without_a_compiler_it_goes_on(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(here))
    monkeypatch.delenv("CC", raising=False)
    ran = stateglass("demo", "--format", "json")
    assert ran.status is Exit.OK
    assert "left out: there is no C compiler" in ran.err.replace("\n", " ")
    steps = json.loads(ran.out)["steps"]
    assert [step["exit"] for step in steps] == [0, 1, 1, None, 1]
    page = Outline((here / "stateglass-demo" / "report.html").read_text(encoding="utf-8"))
    assert "there is no C compiler" in page.text
    assert "Behaviour changed" in page.text


def test_an_interruption_ends_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "replay_evidence", interrupted)
    ran = stateglass("demo")
    assert ran.status is Exit.INTERRUPTED
    assert "interrupted" in ran.err
    assert "no-error: violated" in ran.out
    assert "mended.c" not in ran.out
    assert not (here / "stateglass-demo" / "report.html").exists()
    assert Path.cwd() == here


def test_a_second_tour_elsewhere_gives_the_same(tour: tuple[str, Path], here: Path) -> None:
    # The project around the folder does not matter, nor do files that are there from a tour before.
    (here / "stateglass.toml").write_text('schema = 1\n[source]\nfiles = ["none.c"]\n[options]\nmax_states = 1\n')
    (here / "a").mkdir()
    (here / "a" / "charger.c").write_bytes((tour[1] / "charger.c").read_bytes())
    ran = stateglass("demo", "--output", "./a/", "--format", "json")
    answer = json.loads(ran.out)
    assert (answer["command"], answer["output"], answer["partial"]) == ("demo", "a", False)
    assert {Path(file).name for file in answer["files"]} == WRITTEN
    assert (
        ran.err.replace("a/report.html", "stateglass-demo/report.html").replace("cd a", "cd stateglass-demo") == tour[0]
    )
    assert contents(here / "a") == contents(tour[1])


@pytest.mark.parametrize("name", ["charger.c", "stateglass.toml", "model.sg", "report.html"])
def test_what_somebody_else_wrote_is_left_alone(here: Path, name: str) -> None:
    (here / name).write_text("mine")
    ran = stateglass("demo", "--output", ".")
    assert ran.status is Exit.BAD_INPUT
    assert name in ran.err
    assert contents(here) == {name: b"mine"}


def test_a_changed_program_is_not_lost(here: Path) -> None:
    folder = here / "stateglass-demo"
    folder.mkdir()
    for name in BUNDLED:
        (folder / name).write_bytes((resources.files("stateglass") / "demonstration" / name).read_bytes())
    (folder / "mended.c").write_text("/* mine */\n")
    before = contents(folder)
    assert stateglass("demo").status is Exit.BAD_INPUT
    assert contents(folder) == before


def test_a_folder_that_cannot_be_made_or_written(here: Path) -> None:
    (here / "file").write_text("")
    assert stateglass("demo", "--output", "file/inside").status is Exit.BAD_INPUT
    (here / "full" / "charger.c").mkdir(parents=True)
    ran = stateglass("demo", "--output", "full")
    assert ran.status is Exit.BAD_INPUT
    assert "full/charger.c" in ran.err
