"""Pictures: what they show, that they are well-formed, and when they are refused."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from stateglass.formats import write_model
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Sort
from stateglass.source import Code, InputError, Span
from stateglass.views import graphviz, picture
from stateglass.views.drawing import drawing
from stateglass.views.picture import draw, svg
from tests.formats.strategies import models


def valve() -> Model:
    builder = ModelBuilder()
    builder.add(0, "call(open)", 1, Span.at("valve.c", 12, 3))
    builder.add(1, "tau", 2)
    builder.add(2, "error(overflow)", 3)
    builder.add(0, "call(jam)", 4)
    for level in range(11):
        builder.add(0, f"call(set, {level})", 0)
    return builder.build(
        5,
        propositions=[
            Proposition("mode", Sort.ENUM, np.array([0, 0, 1, 1, 1]), ((0, "SHUT"), (1, "OPEN"))),
            Proposition("limit", Sort.INT, np.full(5, 100)),
            Proposition("stable", Sort.BOOL, np.array([1, 0, 0, 1, 1])),
        ],
        terminal=[3],
        origin=Origin(subject="Valve", partial=("stopped after 5 states",)),
    )


def chain(states: int) -> Model:
    builder = ModelBuilder()
    for state in range(states - 1):
        builder.add(state, "next", state + 1)
    return builder.build(states)


def texts(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [(element.text or "").strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]


def titles(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [value for element in root.iter() for key, value in element.attrib.items() if key.endswith("}title")]


def test_what_a_picture_shows() -> None:
    drawn = svg(valve())
    shown = texts(drawn)
    for text in ("mode = SHUT", "call(open)", "tau", "error(overflow)", "deadlock", "… 3 more", "always: limit = 100"):
        assert text in shown
    assert "partial: stopped after 5 states" in shown
    assert "Valve: 5 states, 15 transitions" in shown
    assert not any("stable" in text for text in shown)
    assert shown.count("call(set, 7)") == 1
    assert "call(set, 8)" not in shown
    assert "stroke-dasharray" in drawn
    assert 'font-family="sans-serif"' in drawn


def test_tooltips_hold_the_rest() -> None:
    found = titles(svg(valve()))
    assert any("call(set, 10)" in title for title in found)
    assert "call(open) at valve.c:12:3" in found
    assert any(title.startswith("state 1\nmode = SHUT\nlimit = 100\nstable = false") for title in found)


def test_looks() -> None:
    lines = {line.strip().split(" [")[0]: line for line in drawing(valve()).splitlines()}
    assert 'peripheries="2"' in lines["3"]
    assert 'penwidth="3"' in lines["4"]
    assert 'fontsize="8"' in lines["1"]
    assert 'style="dashed"' in lines["2 -> 3"]
    assert "entry -> 0" in lines


def test_many_values_are_cut() -> None:
    columns = [Proposition(f"v{i}", Sort.INT, np.array([0, 1])) for i in range(9)]
    lines = drawing(ModelBuilder().build(2, propositions=columns)).splitlines()
    [state] = [line for line in lines if line.startswith("  0 [")]
    label = state.partition(' label="')[2]
    assert label.startswith("0\\nv0 = 0\\n")
    assert "v5 = 0\\n…" in label
    assert "v6" not in label


def test_the_same_model_gives_the_same_picture() -> None:
    assert svg(valve()) == svg(valve())


def test_no_graphviz_on_the_path(tmp_path: Path) -> None:
    source, target = tmp_path / "m.sg", tmp_path / "m.svg"
    write_model(valve(), str(source))
    code = (
        "import sys; from stateglass.formats import read_model; from stateglass.views.picture import draw;"
        "draw(read_model(sys.argv[1]), sys.argv[2])"
    )
    environment = {"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, str(source), str(target)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "mode = SHUT" in texts(target.read_text(encoding="utf-8"))


@settings(max_examples=8)
@given(models())
def test_any_model_gives_well_formed_svg(model: Model) -> None:
    assert ElementTree.fromstring(svg(model)).tag.endswith("svg")


def test_hairballs_are_refused_and_drawn_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "m.svg")
    with pytest.raises(InputError) as caught:
        draw(chain(151), path)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code is Code.PICTURE
    assert "151 states" in diagnostic.message
    assert all(word in diagnostic.help for word in ("smaller bounds", "info --states", "--force"))
    draw(chain(151), path, force=True)
    assert "150" in texts(Path(path).read_text(encoding="utf-8"))
    monkeypatch.setattr(picture, "MOST_ARROWS", 3)
    with pytest.raises(InputError, match="5 arrows"):
        draw(valve(), path)


def test_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.png"
    monkeypatch.setattr(graphviz, "fonts_found", lambda: True)
    draw(valve(), str(path))
    assert path.read_bytes().startswith(b"\x89PNG")
    monkeypatch.setattr(graphviz, "fonts_found", lambda: False)
    with pytest.raises(InputError) as caught:
        draw(valve(), str(path))
    assert "svg" in caught.value.diagnostics[0].help


def test_fonts_are_looked_for_in_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphviz, "_FONT_FOLDERS", (str(tmp_path),))
    assert not graphviz.fonts_found()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.TTF").touch()
    assert graphviz.fonts_found()


def test_other_formats_and_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"\.svg or \.png"):
        draw(valve(), str(tmp_path / "m.pdf"))
    with pytest.raises(InputError, match="could not draw"):
        graphviz.render("digraph {", "svg", patient=True)
    monkeypatch.setattr(graphviz, "MOST_SECONDS", 0.001)
    with pytest.raises(InputError, match="not finished"):
        graphviz.render("digraph {}", "svg", patient=False)
    assert list(tmp_path.iterdir()) == []
