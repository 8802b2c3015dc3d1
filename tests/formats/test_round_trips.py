"""What is written is read back, in every format, for random models."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stateglass.formats import (
    FORMATS,
    aut,
    cwb,
    dot,
    fsm,
    json_model,
    losses,
    mcrl2,
    mermaid,
    plantuml,
    read_model,
    scxml,
    sg,
    write_model,
)
from stateglass.model import Model, ModelBuilder
from stateglass.source import InputError
from tests.formats.strategies import any_texts, assert_same, assert_same_graph, models, plain_models


@settings(max_examples=150, deadline=None)
@given(models())
def test_the_native_format_keeps_everything(model: Model) -> None:
    assert_same(sg.parse(sg.serialise(model), "m.sg"), model)


@settings(max_examples=150, deadline=None)
@given(models())
def test_json_keeps_everything(model: Model) -> None:
    assert_same(json_model.parse(json_model.serialise(model), "m.json"), model)


@settings(max_examples=150, deadline=None)
@given(plain_models())
def test_plain_formats_keep_the_graph(model: Model) -> None:
    for codec in (aut, fsm, dot, mermaid, plantuml, scxml):
        again = codec.parse(codec.serialise(model), "m")
        assert_same_graph(again, model)
        assert again.origin == model.origin


READABLE = [name for name, format in FORMATS.items() if format.reads and format.writes]


@settings(max_examples=150, deadline=None)
@given(st.lists(any_texts, min_size=1, max_size=3))
@example(["\xa0", "\u2028", "\x85"])
@example([" ", "  ", "\t"])
@example([""])
@example(["\ud800"])
def test_every_label_comes_back_or_is_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    builder = ModelBuilder()
    for text in texts:
        builder.add(0, text, 1)
    model = builder.build(2)
    writable = all(text and not re.search("[\ud800-\udfff]", text) for text in texts)
    for format in READABLE:
        path = str(tmp_path_factory.getbasetemp() / f"label.{format}")
        if writable:
            write_model(model, path, format)
            assert set(read_model(path, format).labels) == set(texts), format
        else:
            with pytest.raises(InputError, match="label"):
                write_model(model, path, format)


@settings(max_examples=60, deadline=None)
@given(models())
def test_plain_formats_keep_the_transitions_of_models_with_more(model: Model) -> None:
    for codec in (aut, fsm, dot, mermaid, plantuml, scxml):
        again = codec.parse(codec.serialise(model), "m")
        assert again.states >= model.states
        assert set(again.labels) <= set(model.labels) | {"tau"}


@settings(max_examples=30, deadline=None)
@given(models())
def test_the_same_model_gives_the_same_bytes(model: Model) -> None:
    for codec in (aut, sg, json_model, fsm, dot, mermaid, plantuml, scxml, cwb, mcrl2):
        assert codec.serialise(model) == codec.serialise(model)


@settings(max_examples=30, deadline=None)
@given(models())
def test_complete_formats_lose_nothing(model: Model) -> None:
    assert losses(model, "sg") == losses(model, "m.json") == []
    for format in ("aut", "fsm"):
        said = " ".join(losses(model, format))
        assert ("does not say that the model is partial" in said) == model.partial


@settings(max_examples=100, deadline=None)
@given(models())
def test_diagrams_keep_that_a_model_is_partial(model: Model) -> None:
    for codec in (dot, mermaid, plantuml, scxml):
        again = codec.parse(codec.serialise(model), "m")
        assert again.origin.partial == model.origin.partial
        assert again.origin.relation == model.origin.relation
        assert _unexplored(again) == _unexplored(model)


@settings(max_examples=100, deadline=None)
@given(models())
def test_diagrams_keep_which_states_are_normal_ends(model: Model) -> None:
    busy = set(model.sources.tolist())
    quiet = [state for state in range(model.states) if model.is_terminal(state) and state not in busy]
    for codec in (dot, mermaid, plantuml, scxml):
        again = codec.parse(codec.serialise(model), "m")
        assert [state for state in range(model.states) if again.is_terminal(state)] == quiet
        assert again.deadlocks.tolist() == model.deadlocks.tolist()


@pytest.mark.parametrize("format", READABLE)
def test_a_deadlock_after_an_ending_action_is_no_normal_end(tmp_path: Path, format: str) -> None:
    builder = ModelBuilder()
    builder.add(0, "exit(0)", 1)
    builder.add(0, "exit(1)", 2)
    model = builder.build(3, terminal=[1])
    path = str(tmp_path / "m")
    write_model(model, path, format)
    again = read_model(path, format)
    assert (again.deadlocks.tolist() == [2]) == (losses(model, format) == [])


def _unexplored(model: Model) -> list[int]:
    return [state for state in range(model.states) if model.is_unexplored(state)]


@pytest.mark.parametrize("format", READABLE)
def test_files(tmp_path: Path, format: str) -> None:
    model = aut.parse(b'des (0, 3, 3)\n(0, "a", 1)\n(1, "b(\\"x\\")", 0)\n(1, "exit(0)", 2)\n', "m.aut")
    for extension in FORMATS[format].extensions:
        path = str(tmp_path / f"m{extension}")
        write_model(model, path)
        assert_same_graph(read_model(path), model)
    assert len(list(tmp_path.iterdir())) == len(FORMATS[format].extensions)
