"""Documents are true: their sessions run as shown, their links lead somewhere, their generated parts are current."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from casestudies.studies import SOURCES, prepare, study_of
from scripts import architecture, json_reference, reference
from scripts.rooms import PACKAGE, ROOT
from tests import pictures
from tests.markdown import prose
from tests.sessions import NeedsCompiler, has_sessions, run_document
from tests.transcript import install_program

EXAMPLES = ROOT / "examples"
PAPERS = ROOT / "docs" / "papers"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
WITH_SESSIONS = [path for path in DOCUMENTS if has_sessions(path)]
# Each command of this one is a process of its own, as it is for a reader.
STARTED = ROOT / "docs" / "tutorial.md"

# Those that say where in the tree something is.
OF_THE_TREE = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]

_PATH = re.compile(r"`([a-z_]+(?:/[a-z_.]+)*/(?:[a-z_.]+)?)`")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", WITH_SESSIONS, ids=name)
def test_sessions_run_as_shown(path: Path, tmp_path: Path, update_cases: bool) -> None:
    folder = tmp_path / "examples"
    study = study_of(path)
    if study is not None:
        lacking = prepare(study, SOURCES, folder)
        if lacking:
            pytest.skip(f"{lacking}; `python -m casestudies.studies` obtains it")
    else:
        shutil.copytree(EXAMPLES, folder)
    install_program(folder)
    try:
        ran = run_document(path, name(path), folder, is_rewritten=update_cases, start=path == STARTED)
    except NeedsCompiler as needed:
        pytest.skip(str(needed))
    if update_cases:
        path.write_text(ran.text, encoding="utf-8")
    elif ran.wrong:
        raise AssertionError("\n".join([*ran.wrong, "if this is meant: pytest --update-cases"]))
    # Every picture of a paper's page is drawn by a command of that page.
    for kept in pictures.pictures_of(path) if path.parent == PAPERS else ():
        drawn = folder / kept.name
        assert drawn.exists(), f"{name(path)} shows {kept.name}, and no command of it draws that"
        pictures.compare(kept, drawn.read_text(encoding="utf-8"), update_cases)


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_links_lead_to_files(path: Path) -> None:
    targets = [link for link in _LINK.findall(prose(path.read_text(encoding="utf-8"))) if "://" not in link]
    missing = [link for link in targets if not (path.parent / link.partition("#")[0]).exists()]
    assert not missing


@pytest.mark.parametrize("path", OF_THE_TREE, ids=name)
def test_places_in_the_tree_exist(path: Path) -> None:
    named = set(_PATH.findall(path.read_text(encoding="utf-8")))
    assert len(named) > 5
    assert [one for one in sorted(named) if not any(_is_there(folder / one) for folder in (ROOT, PACKAGE))] == []


def _is_there(path: Path) -> bool:
    """A file, a folder, or a module without its ending."""
    return path.exists() or path.with_suffix(".py").exists()


def test_the_table_of_rooms_is_current() -> None:
    text = architecture.FILE.read_text(encoding="utf-8")
    assert text == architecture.updated(text), "run `make docs`"


def test_the_reference_of_json_is_current() -> None:
    assert json_reference.FILE.read_text(encoding="utf-8") == json_reference.reference(), "run `make docs`"
    published = {path.name: path.read_text(encoding="utf-8") for path in json_reference.FOLDER.iterdir()}
    assert published == dict(json_reference.schemas()), "run `make docs`"


def test_the_reference_of_commands_is_current() -> None:
    assert reference.FILE.exists(), "run `make docs`"
    assert reference.FILE.read_text(encoding="utf-8") == reference.reference(), "run `make docs`"
