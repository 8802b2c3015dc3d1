"""Obtaining packages, without a network: what is there is used, what is not is a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from casestudies import fetching
from casestudies.fetching import Fetched, fetch, source_entries, unpacked


def test_sources_of_the_machine_are_asked_for_source_packages(tmp_path: Path) -> None:
    parts = tmp_path / "sources.list.d"
    parts.mkdir()
    (tmp_path / "sources.list").write_text("# deb old\ndeb [trusted=yes] mirror stable main\ndebris\n")
    (parts / "one.sources").write_text("Types: deb\nURIs: mirror\nSuites: stable\n\nTypes: deb deb-src\nURIs: other\n")
    (parts / "off.list.disabled").write_text("deb mirror stable main\n")
    (parts / "empty.list").write_text("# nothing\n")
    assert source_entries(tmp_path) == {
        "sources.list": "# deb old\ndeb-src [trusted=yes] mirror stable main\ndebris\n",
        "one.sources": "Types: deb-src\nURIs: mirror\nSuites: stable\n\nTypes: deb-src\nURIs: other\n",
    }


def test_what_was_unpacked_before_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TOOLS", ("no-such-tool",))
    source = unpack(tmp_path / "kettle", "kettle-1.2")
    found, missing = fetch(["kettle", "toaster"], tmp_path)
    assert found == Fetched("kettle", source)
    assert missing == Fetched("toaster", None, "this machine has no no-such-tool")


def test_a_machine_without_package_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TOOLS", ())
    [answer] = fetch(["kettle"], tmp_path / "sources", tmp_path / "nothing")
    assert answer == Fetched("kettle", None, "no package sources are set up on this machine")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ('echo "W: something" >&2; echo "E: no network" >&2; exit 100', "no network"),
        ("exit 3", "apt-get ended with status 3"),
        ("exit 0", "it contains no source folder"),
    ],
)
def test_trouble_of_apt_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, reason: str) -> None:
    apt = stand_in(tmp_path, monkeypatch, script)
    assert fetch(["kettle"], tmp_path / "sources", apt) == [Fetched("kettle", None, reason)]


def test_a_package_is_unpacked_in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = 'case "$*" in *" source kettle") mkdir -p kettle-2/debian && touch kettle-2/debian/changelog;; esac'
    apt = stand_in(tmp_path, monkeypatch, script)
    folder = tmp_path / "sources"
    assert fetch(["kettle"], folder, apt) == [Fetched("kettle", folder / "kettle" / "kettle-2")]


def test_a_mirror_without_sources_does_not_hide_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = """
    case "$*" in
      *" update") echo "E: one mirror has none" >&2; exit 100;;
      *" source kettle") mkdir -p kettle-2/debian && touch kettle-2/debian/changelog;;
      *) echo "E: unknown" >&2; exit 100;;
    esac
    """
    apt = stand_in(tmp_path, monkeypatch, script)
    found, missing = fetch(["kettle", "toaster"], tmp_path / "sources", apt)
    assert found.folder is not None
    assert missing.reason == "one mirror has none"


def test_apt_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apt = stand_in(tmp_path, monkeypatch, "exec sleep 20")
    monkeypatch.setattr(fetching, "MOST_SECONDS", 0.2)
    [answer] = fetch(["kettle"], tmp_path / "sources", apt)
    assert answer.reason == "apt-get took more than 0.2 s"


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A program called apt-get, and settings for it."""
    programs, settings = folder / "bin", folder / "settings"
    for tool in fetching.TOOLS:
        path = programs / tool
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    settings.mkdir()
    (settings / "sources.list").write_text("deb mirror stable main\n")
    return settings


def unpack(folder: Path, name: str) -> Path:
    (folder / name / "debian").mkdir(parents=True)
    (folder / name / "debian" / "changelog").touch()
    found = unpacked(folder)
    assert found == folder / name
    return found
