"""JSON models: what people write by hand, and messages that name the path."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stateglass.formats import json_model
from stateglass.source import InputError
from tests.formats.strategies import edges


def document(**parts: Any) -> bytes:
    base = {"format": "stateglass-model", "version": 1, "states": [{}, {}], "transitions": []}
    return json.dumps({**base, **parts}).encode()


def messages(data: bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        json_model.parse(data, "m.json")
    return [d.message for d in caught.value.diagnostics]


def test_a_model_by_hand() -> None:
    model = json_model.parse(
        document(
            propositions=[{"name": "mode", "sort": "enum", "names": [{"value": 4, "name": "ON"}]}, {"name": "n"}],
            states=[{"values": {"mode": "ON", "n": None}}, {"values": {"mode": 7, "n": -3}, "terminal": True}],
            transitions=[{"source": 0, "label": "stop", "target": 1}, {"source": 0, "label": "stop", "target": 1}],
        ),
        "m.json",
    )
    assert edges(model) == {(0, "stop", 1)}
    assert [model.valuation(state) for state in range(2)] == [{"mode": "ON", "n": "?"}, {"mode": "7", "n": "-3"}]
    assert model.deadlocks.tolist() == []


def test_all_problems_with_their_paths() -> None:
    data = document(
        propositions=[{"name": "n", "sort": "integer"}],
        states=[{"values": {"n": True}}, {"values": {"m": 1}, "span": 0}],
        transitions=[{"source": 0, "label": "", "target": 9}, 3],
        initial=-1,
        colour="red",
    )
    assert messages(data) == [
        "$.colour: unknown key",
        "$.propositions[0].sort: `integer` is not one of bool, int, enum, float, pointer",
        "$.states[1].values.m: unknown key",
        "$.states[1].values.n: is missing",
        "$.states[1].span: 0 is not in 0 … -1",
        "$.transitions[0].label: is empty",
        "$.transitions[0].target: 9 is not in 0 … 1",
        "$.transitions[1]: expected an object, found an integer",
        "$.transitions[1].label: is missing; expected a string",
        "$.transitions[1].source: is missing; expected an integer",
        "$.transitions[1].target: is missing; expected an integer",
        "$.initial: -1 is not in 0 … 1",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[" + b"9" * 5000 + b"]", "not valid JSON"),
        (b"[]", "$: expected an object, found an array"),
        (document(version=2), "$.version: only version 1 is understood"),
        (document(states=[]), "$.states: a model has at least one state"),
    ],
)
def test_broken_documents(data: bytes, message: str) -> None:
    assert messages(data)[0].startswith(message)
