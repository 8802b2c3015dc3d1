"""Case studies: real code, two versions of it, and a page whose commands are run on both.

Their sources are obtained when they are needed. What is kept here is what a user would write: a few lines around the
code, a project file, a hypothesis, scenarios.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from casestudies.fetching import fetch, unpacked

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
PAGES: Final = ROOT / "docs" / "case-studies"
SOURCES: Final = ROOT / "build" / "casestudies"
_VERSION: Final = re.compile(r"\((?:\d+:)?([^)~+]*?)(?:[~+][^)]*)?-[^-)]*\)")


@final
@dataclass(frozen=True, slots=True)
class Version:
    """A version of a source package, and the release of Debian that has it."""

    package: str
    suite: str
    number: str


@final
@dataclass(frozen=True, slots=True)
class Study:
    """Two versions of some code; their folders are called `NAME-NUMBER` where the page's commands run."""

    name: str
    old: Version
    new: Version
    parts: tuple[str, ...]  # of the sources: these folders and files are enough

    @property
    def page(self) -> Path:
        return PAGES / f"{self.name}.md"

    @property
    def versions(self) -> tuple[Version, Version]:
        return (self.old, self.new)


STUDIES: Final = (
    Study("ppp", Version("ppp", "bookworm", "2.4.9"), Version("ppp", "trixie", "2.5.2"), ("include", "pppd")),
    Study(
        "dhcpcd",
        Version("dhcpcd5", "bookworm", "9.4.1"),
        Version("dhcpcd", "trixie", "10.1.0"),
        ("compat", "src"),
    ),
    Study("qpdf", Version("qpdf", "bookworm", "11.3.0"), Version("qpdf", "trixie", "12.2.0"), ("include", "libqpdf")),
)


def study_of(page: Path) -> Study | None:
    """The study that a document is the page of."""
    return next((study for study in STUDIES if study.page == page), None)


def obtain(study: Study, sources: Path) -> str:
    """Fetches what a study needs and is not there; why something cannot be had, or nothing."""
    for version in study.versions:
        [fetched] = fetch([version.package], sources / version.suite, suite=version.suite)
        if fetched.folder is None:
            return f"{version.package} of {version.suite}: {fetched.reason}"
    return ""


def prepare(study: Study, sources: Path, folder: Path) -> str:
    """Puts a study's own files and copies of the sources into a new folder; what is lacking, or nothing."""
    found: list[tuple[Version, Path]] = []
    for version in study.versions:
        source = unpacked(sources / version.suite / version.package)
        if source is None:
            return f"{version.package} {version.number} is not here"
        there = _upstream(source)
        if there != version.number:
            return f"{version.package} {version.number} is not here: {version.suite} has {there}"
        found.append((version, source))
    shutil.copytree(HERE / study.name, folder)
    for version, source in found:
        for part in study.parts:
            shutil.copytree(source / part, folder / f"{study.name}-{version.number}" / part, symlinks=True)
    return ""


def _upstream(source: Path) -> str:
    """The version of a package without Debian's own numbers."""
    first = (source / "debian" / "changelog").read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    found = _VERSION.search(first)
    return found[1] if found else first
