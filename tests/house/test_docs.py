"""Documents are true: their sessions run as shown, their links lead somewhere, their generated parts are current."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from scripts import architecture, json_reference, reference
from scripts.rooms import ROOT
from tests import pictures
from tests.markdown import Block, blocks, prose, with_bodies
from tests.transcript import (
    TAG,
    install_program,
    is_about_compiled_code,
    matches,
    parse,
    rewritten,
    run,
    without_compiler,
)

EXAMPLES = ROOT / "examples"
PAPERS = ROOT / "docs" / "papers"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
WITH_SESSIONS = [path for path in DOCUMENTS if any(b.tag == TAG for b in blocks(path.read_text(encoding="utf-8")))]
# Each command of this one is a process of its own, as it is for a reader.
STARTED = ROOT / "docs" / "tutorial.md"

HAS_COMPILER = any(map(shutil.which, ("cc", "gcc", "clang")))

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", WITH_SESSIONS, ids=name)
def test_sessions_run_as_shown(path: Path, tmp_path: Path, update_cases: bool) -> None:
    folder = tmp_path / "examples"
    if EXAMPLES.exists():
        shutil.copytree(EXAMPLES, folder)
    else:
        folder.mkdir()
    install_program(folder)
    text = path.read_text(encoding="utf-8")
    shown = {block: parse(block.body) for block in blocks(text) if block.tag == TAG}
    if not HAS_COMPILER:
        shown = {block: [without_compiler(step) for step in steps] for block, steps in shown.items()}
        if update_cases or is_about_compiled_code(step for steps in shown.values() for step in steps):
            pytest.skip(f"there is no compiler: {name(path)} shows what compiled code does")
    now: dict[Block, str] = {}
    wrong: list[str] = []
    for block, steps in shown.items():
        pairs = [(step, run(step, folder, start=path == STARTED)) for step in steps]
        now[block] = "".join(rewritten(expected, actual).text() for expected, actual in pairs)
        line = text.count("\n", 0, block.start) + 1
        wrong += [
            f"{name(path)}:{line}: expected\n{expected.text()}but got\n{actual.text()}"
            for expected, actual in pairs
            if not matches(expected, actual)
        ]
    if update_cases:
        path.write_text(with_bodies(text, now), encoding="utf-8")
    elif wrong:
        raise AssertionError("\n".join([*wrong, "if this is meant: pytest --update-cases"]))
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
