"""The programs in `examples/`: each gives the model that stands beside it, and the documents' pictures show these."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.formats.aut import serialise
from stateglass.model import Model
from stateglass.options.settings import settings
from stateglass.pipeline import extract
from stateglass.views.picture import svg
from stateglass.views.summary import summary_text
from stateglass.views.terminal import state_table
from tests import pictures

EXAMPLES = ROOT / "examples"
LARGE = {"lift"}  # nobody would look at all their states: they have tests of their own
DESIGNS = {"store"}  # their project files say which code a design is held against, and nothing that could be extracted
PROJECTS = sorted(path.parent for path in EXAMPLES.glob("*/stateglass.toml") if path.parent.name not in DESIGNS)
FOLDERS = [folder for folder in PROJECTS if folder.name not in LARGE]
PICTURES = ROOT / "docs" / "pictures"
DRAWN = ("countdown", "event_log", "self_test", "thermostat")
WIDTH = 100


@functools.cache
def model_of(folder: Path) -> Model:
    options, warnings = settings({}, None, str(folder / "stateglass.toml"))
    assert not warnings
    extraction = extract(options)
    assert not extraction.warnings
    return extraction.exploration.model


def compare(path: Path, actual: str, update: bool) -> None:
    if update:
        path.write_text(actual, encoding="utf-8")
    assert path.exists(), f"{path.relative_to(ROOT)} is missing: pytest --update-cases writes it"
    assert actual == path.read_text(encoding="utf-8"), (
        "if this is meant: pytest --update-cases, and read the difference"
    )


def test_there_are_examples() -> None:
    assert len(FOLDERS) >= 8
    assert {EXAMPLES / name for name in DRAWN} <= set(FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_an_example_gives_its_model(folder: Path, update_cases: bool) -> None:
    model = model_of(folder)
    compare(folder / "expected.aut", serialise(model).decode(), update_cases)
    compare(folder / "expected.txt", summary_text(model, WIDTH) + "\n" + state_table(model, WIDTH), update_cases)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_an_example_is_whole_and_small_enough_to_be_drawn(folder: Path) -> None:
    model = model_of(folder)
    assert not model.partial
    assert 5 <= model.states <= 120


@pytest.mark.parametrize("name", DRAWN)
def test_the_pictures_in_the_documents_are_current(name: str, update_cases: bool) -> None:
    pictures.compare(PICTURES / f"{name}.svg", svg(model_of(EXAMPLES / name)), update_cases)
