"""The studies without a network: their own files can be read, and what is not there is said."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from casestudies import fetching
from casestudies.fetching import codename, source_entries
from casestudies.studies import HERE, STUDIES, Study, Version, __main__, prepare, study_of
from stateglass.operations.hypotheses import load_machine
from stateglass.options.reading import read_project
from stateglass.scenarios.reading.story import read_story
from stateglass.system.fsp.reader import read_processes
from tests.sessions import has_sessions

KETTLE = Study("kettle", Version("kettle", "old", "1.2"), Version("tea-kettle", "new", "1.3"), ("src",))


def files(pattern: str) -> list[Path]:
    found = sorted(HERE.rglob(pattern))
    assert found
    return found


def test_each_study_has_its_page() -> None:
    for study in STUDIES:
        assert has_sessions(study.page)
        assert study_of(study.page) is study


@pytest.mark.parametrize("path", files("stateglass.toml"), ids=lambda path: str(path.relative_to(HERE)))
def test_projects_and_their_claims_can_be_read(path: Path) -> None:
    project, warnings = read_project(path)
    assert not warnings
    assert len(project.claims) >= 2


@pytest.mark.parametrize("path", files("*.machine"), ids=lambda path: path.name)
def test_hypotheses_can_be_read(path: Path) -> None:
    assert load_machine(str(path)).transitions


@pytest.mark.parametrize("path", files("*.scenarios"), ids=lambda path: path.name)
def test_stories_can_be_read(path: Path) -> None:
    assert read_story(path.read_text(encoding="utf-8"), str(path)).scenarios


@pytest.mark.parametrize("path", files("*.fsp"), ids=lambda path: path.name)
def test_processes_can_be_read(path: Path) -> None:
    assert read_processes(path.read_text(encoding="utf-8"))


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert prepare(KETTLE, tmp_path, tmp_path / "run") == "kettle 1.2 is not here"


def test_another_version_is_not_taken_for_the_one_of_the_page(tmp_path: Path) -> None:
    unpack(tmp_path, KETTLE.old, "1:1.2.1+dfsg-3~deb12u1")
    assert prepare(KETTLE, tmp_path, tmp_path / "run") == "kettle 1.2 is not here: old has 1.2.1"


def test_sources_and_our_own_files_come_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = tmp_path / "ours" / "kettle"
    ours.mkdir(parents=True)
    (ours / "around.c").touch()
    monkeypatch.setattr("casestudies.studies.HERE", ours.parent)
    unpack(tmp_path, KETTLE.old, "1.2-1")
    unpack(tmp_path, KETTLE.new, "2:1.3-2+b1")
    assert prepare(KETTLE, tmp_path, tmp_path / "run") == ""
    assert (tmp_path / "run" / "around.c").exists()
    assert (tmp_path / "run" / "kettle-1.3" / "src" / "kettle.c").read_text() == "1.3"


def test_without_package_tools_studies_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TOOLS", ("no-such-tool",))
    out = io.StringIO()
    assert __main__.main(["ppp", "--sources", str(tmp_path)], out) == 0
    assert out.getvalue() == "ppp: skipped: ppp of bookworm: this machine has no no-such-tool\n"


def test_another_release_is_asked_of_the_same_mirrors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "os-release").write_text('NAME="Some"\nVERSION_CODENAME=old\n')
    monkeypatch.setattr(fetching, "codename", lambda: codename(tmp_path / "os-release"))
    (tmp_path / "sources.list").write_text("deb mirror/golden old main\ndeb mirror old-security main\n")
    entries = source_entries(tmp_path, "new")
    assert entries == {"sources.list": "deb-src mirror/golden new main\ndeb-src mirror new-security main\n"}


def unpack(sources: Path, version: Version, full: str) -> None:
    folder = sources / version.suite / version.package / f"{version.package}-x"
    (folder / "debian").mkdir(parents=True)
    (folder / "debian" / "changelog").write_text(f"{version.package} ({full}) unstable; urgency=low\n")
    (folder / "src").mkdir()
    (folder / "src" / "kettle.c").write_text(version.number)
