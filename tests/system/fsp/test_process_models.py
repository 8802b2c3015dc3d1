"""A process as a model, and its file as a format."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from stateglass.formats import fsp, read_model
from stateglass.model import Model, Relation
from stateglass.source import Code, InputError
from stateglass.system.fsp import Process, read_process
from stateglass.system.fsp.modelling import model_of
from tests.formats.strategies import edges
from tests.system.fsp.processes import processes


def explored(text: str, most_states: int = 1000) -> Model:
    return model_of(read_process(text), most_states)


def test_a_door() -> None:
    model = explored("D = (call(open) -> return(open, true) -> O), O = (call(close) -> return(close) -> D).")
    assert edges(model) == {
        (0, "call(open)", 1),
        (1, "return(open, true)", 2),
        (2, "call(close)", 3),
        (3, "return(close)", 0),
    }
    assert (model.origin.relation, model.origin.subject) == (Relation.EXACT, "D")


def test_errors_and_ends() -> None:
    model = explored("P = (a -> ERROR | b -> STOP | c -> Q[2]), Q[i:0..1] = (d(i) -> P).")
    assert edges(model) == {(0, "a", 1), (0, "b", 2), (0, "c", 3), (1, "error(process)", 4), (3, "error(process)", 4)}
    assert model.deadlocks.tolist() == [2]
    assert model.is_terminal(4)


def test_actions_of_both_sides() -> None:
    model = explored('P = (call(f, v:0..1) -> return(f, w:0..v) -> P | "x y" -> P | store(x, "a") -> P).')
    labels = {"call(f, 0)", "call(f, 1)", "return(f, 0)", "return(f, 1)", "x y", 'store(x, "a")'}
    assert set(model.labels) == labels
    assert model.states == 3


def test_what_is_cut_short_is_partial() -> None:
    text = "P = Q[0], Q[i:0..1000] = (when (i < 1000) up -> Q[i + 1])."
    assert not explored(text, 1001).partial
    model = explored(text, 1000)
    assert model.origin.partial == ("the search stopped at 1,000 states",)
    assert model.origin.relation is Relation.UNDER
    assert model.deadlocks.tolist() == []
    assert model.unexplored is not None


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "door.fsp"
    path.write_bytes(b"\xef\xbb\xbfP(N = 1) =\r\n  (a -> P).\r\n")
    model = read_model(str(path))
    assert edges(model) == {(0, "a", 0)}
    assert model.origin.files == (str(path),)
    assert model.origin.history == ("P: nothing uses the parameter `N`",)
    path.write_bytes(b"P =\n (a -> \xff).")
    with pytest.raises(InputError) as caught:
        read_model(str(path))
    assert (caught.value.diagnostics[0].code, caught.value.diagnostics[0].span.line) == (Code.SYNTAX, 2)
    path.write_bytes(b"P =\r\n (a -> Q).")
    with pytest.raises(InputError) as caught:
        read_model(str(path))
    assert str(caught.value.diagnostics[0].span) == f"{path}:2:8"


def test_several_processes_in_a_file_are_refused() -> None:
    with pytest.raises(InputError, match="2 processes here, where one is asked for"):
        fsp.parse(b"P = STOP. Q = STOP.", "x.fsp")


@settings(max_examples=60, deadline=None)
@given(processes())
def test_every_process_has_a_model(process: Process) -> None:
    model = model_of(process, 50)
    assert 0 < model.states
    assert (model.unexplored is None) == (not model.partial)
