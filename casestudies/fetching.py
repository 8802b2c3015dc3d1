"""Source packages of Debian, by the machine's own apt: with its mirrors and keys, but apart from its state.

Nothing outside the folder that is given is written, and no package is installed or built.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

TOOLS: Final = ("apt-get", "dpkg-source")
MOST_SECONDS: Final = 300
APT: Final = Path("/etc/apt")
RELEASE: Final = Path("/etc/os-release")
_BINARY_LINE: Final = re.compile(r"^deb(?=[ \t])", re.MULTILINE)
_CODENAME: Final = re.compile(r"^VERSION_CODENAME=\"?([a-z]+)\"?$", re.MULTILINE)
_TYPES: Final = re.compile(r"^Types:.*$", re.MULTILINE | re.IGNORECASE)


@final
@dataclass(frozen=True, slots=True)
class Fetched:
    """The folder of an unpacked package, or why there is none."""

    package: str
    folder: Path | None
    reason: str = ""


def fetch(packages: Iterable[str], folder: Path, apt: Path = APT, suite: str = "") -> list[Fetched]:
    """Obtain and unpack packages below `folder`; one that is there already is taken as it is.

    `suite` is a release of Debian, such as `trixie`, in place of the machine's own.
    """
    folder = folder.absolute()  # apt runs in folders of its own
    folder.mkdir(parents=True, exist_ok=True)
    there = {name: unpacked(folder / name) for name in packages}
    if None not in there.values():
        return [Fetched(name, source) for name, source in there.items()]
    obstacle = _obstacle(folder, apt, suite)
    # A mirror that has no source packages is no reason to give up: another one may have them.
    trouble = obstacle or _apt(folder, folder, "-o", "APT::Update::Error-Mode=any", "update")
    answers: list[Fetched] = []
    for name, source in there.items():
        if source is not None or obstacle:
            answers.append(Fetched(name, source, "" if source is not None else obstacle))
        else:
            answers.append(_fetch(name, folder, trouble))
    return answers


def unpacked(folder: Path) -> Path | None:
    """The source folder inside a package's own; apt names it after the version."""
    found = sorted(p.parent.parent for p in folder.glob("*/debian/changelog"))
    return found[0] if found else None


def source_entries(apt: Path, suite: str = "") -> dict[str, str]:
    """The machine's package sources, asked for source packages instead: file name and text for each."""
    entries: dict[str, str] = {}
    own = codename() if suite else ""
    for path in [apt / "sources.list", *sorted((apt / "sources.list.d").glob("*"))]:
        if path.suffix not in (".list", ".sources") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        text = _TYPES.sub("Types: deb-src", text) if path.suffix == ".sources" else _BINARY_LINE.sub("deb-src", text)
        if own:
            text = re.sub(rf"\b{re.escape(own)}\b", suite, text)
        if "deb-src" in text:
            entries[path.name] = text
    return entries


def codename(release: Path = RELEASE) -> str:
    """What the machine's own release is called; empty if that cannot be told."""
    try:
        found = _CODENAME.search(release.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
    return found[1] if found else ""


def _obstacle(folder: Path, apt: Path, suite: str) -> str:
    """Set up a private apt; a reason if there cannot be one."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"this machine has no {' and no '.join(missing)}"
    if suite and not codename():
        return "it cannot be told which release this machine has"
    entries = source_entries(apt, suite)
    if not entries:
        return "no package sources are set up on this machine"
    for part in ("apt/parts", "apt/lists/partial", "apt/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name, text in entries.items():
        (folder / "apt/parts" / name).write_text(text, encoding="utf-8")
    return ""


def _fetch(package: str, folder: Path, trouble: str) -> Fetched:
    """Obtain one package; `trouble` is what went wrong before, and the likely cause if this fails too."""
    own = folder / package
    own.mkdir(exist_ok=True)
    reason = _apt(folder, own, "source", package)
    found = unpacked(own)
    return Fetched(package, found, "" if found is not None else trouble or reason or "it contains no source folder")


def _apt(folder: Path, where: Path, *arguments: str) -> str:
    """Run apt-get within `folder`; a reason if it fails."""
    settings = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": folder / "apt/parts",
        "Dir::State::lists": folder / "apt/lists",
        "Dir::Cache": folder / "apt",
        "Acquire::Retries": 2,
        # apt would drop its rights for a user who may not write here.
        "APT::Sandbox::User": "root",
    }
    words = ["apt-get", "-qq", *(w for key, value in settings.items() for w in ("-o", f"{key}={value}")), *arguments]
    try:
        result = subprocess.run(
            words, cwd=where, capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"apt-get took more than {MOST_SECONDS} s"
    except OSError as error:
        return f"apt-get cannot be started: {error.strerror}"
    if result.returncode == 0:
        return ""
    said = [line.removeprefix("E: ") for line in result.stderr.splitlines() if line.startswith("E: ")]
    return said[0] if said else f"apt-get ended with status {result.returncode}"
