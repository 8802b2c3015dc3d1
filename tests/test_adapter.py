"""The adapter in `examples/`: over a thousand lines of C++ as a model, and its protocol held against it."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.formats import read_model
from stateglass.model import Model
from stateglass.operations.comparing import compare_models
from stateglass.operations.composing import Transformation, transform_model
from stateglass.operations.reducing import reduce_model
from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from stateglass.pipeline import extract
from stateglass.views.picture import svg
from tests import pictures
from tests.cli.running import stateglass

FOLDER = ROOT / "examples" / "adapter"
SEEN = Transformation(
    hide=("return(*", "call(console.entered*", "throw(bus*", "call(DriveAdapter.mode)"),
    rename=(
        r"re:call\(DriveAdapter\.(?!mode)(\w+)\)=\1",
        r"re:call\(DriveAdapter\.move_to, .*\)=move_to",
        r"re:call\(DriveAdapter\.(answered|happened), (\w+)\)=\1(\2)",
        "throw(DriveAdapter.connect, Unavailable)=unavailable",
        "call(bus.cancel)=cancel",
        r"re:call\(bus\.request, (\w+), .*\)=request(\1)",
        r"re:call\(console\.failed, (\w+)\)=failed(\1)",
        r"re:call\(console\.arrived, .*\)=arrived",
    ),
)
MISTAKES = [
    # A drive that has lost its way is not configured anew.
    ("states_connection.cpp", "Mode::Standby : Mode::Configuring", "Mode::Standby : Mode::Homing"),
    # While it stops, nobody minds an overload.
    ("states.h", "class Stopping final : public AskingUnderPower", "class Stopping final : public Asking"),
]


def options_of(folder: Path, **changed: object) -> ExtractOptions:
    return replace(settings({}, None, str(folder / "adapter.toml"))[0], **changed)  # type: ignore[arg-type]


def seen_of(options: ExtractOptions) -> Model:
    model = extract(options).exploration.model
    assert not model.partial
    return transform_model(model, SEEN)[0]


@pytest.fixture(scope="module")
def protocol() -> Model:
    return transform_model(read_model(str(FOLDER / "protocol.puml"), None), Transformation(statechart=True))[0]


def test_it_is_large_and_its_protocol_has_fifteen_states() -> None:
    files = [*FOLDER.glob("*.h"), *FOLDER.glob("*.cpp")]
    text = "\n".join(re.sub(r"//.*", "", f.read_text(encoding="utf-8")) for f in files)
    assert sum(bool(line.strip()) for line in text.splitlines()) > 1000
    assert read_model(str(FOLDER / "protocol.puml"), None).states == 15


def test_it_has_a_model_of_the_size_that_is_documented() -> None:
    whole = extract(options_of(FOLDER, steps="all")).exploration.model
    assert not whole.partial
    assert (whole.states, whole.transitions) == (46_777, 47_858)
    small = reduce_model(whole, "dpbranching").model
    assert (small.states, small.transitions) == (859, 1743)


def test_it_does_what_its_protocol_says(protocol: Model) -> None:
    assert compare_models(seen_of(options_of(FOLDER)), protocol, "weaktraceinclusion").related is True


@pytest.mark.parametrize(("file", "right", "wrong"), MISTAKES)
def test_mistakes_show(file: str, right: str, wrong: str, protocol: Model, tmp_path: Path) -> None:
    folder = tmp_path / "adapter"
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    assert compare_models(seen_of(options_of(folder)), protocol, "weaktraceinclusion").related is False


def test_its_claims_hold() -> None:
    ran = stateglass("check", "--project", str(FOLDER / "adapter.toml"))
    assert int(ran.status) == 0
    assert "holds 3" in ran.err


def test_the_picture_in_the_documents_is_current(update_cases: bool) -> None:
    model = extract(options_of(FOLDER)).exploration.model
    small = reduce_model(model, "dpbranching").model
    heard = Transformation(hide=(r"re:(?!call\(console.entered).*",), rename=(r"re:call\(console.entered, (\w+)\)=\1",))
    drawn = svg(reduce_model(transform_model(small, heard)[0], "weaktrace").model)
    pictures.compare(ROOT / "docs" / "pictures" / "adapter.svg", drawn, update_cases)
