"""The native format: damaged, foreign and hostile archives."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stateglass.formats import sg
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.source import Code, InputError, Span


def small() -> Model:
    builder = ModelBuilder()
    builder.add(0, "a", 1, Span.at("a.c", 3))
    builder.add(1, "b", 0)
    mode = Proposition("mode", Sort.ENUM, np.array([0, 1]), ((0, "OFF"), (1, "ON")), np.array([True, False]))
    return builder.build(2, propositions=[mode], terminal=[1])


def changed(name: str, change: Callable[[bytes], bytes | None]) -> bytes:
    """The archive of the small model with one member replaced or left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sg.serialise(small()))) as old, zipfile.ZipFile(out, "w") as new:
        for member in old.namelist():
            data: bytes | None = old.read(member)
            if member == name and data is not None:
                data = change(data)
            if data is not None:
                new.writestr(member, data)
    return out.getvalue()


def npy(array: Any) -> Callable[[bytes], bytes]:
    def make(_: bytes) -> bytes:
        out = io.BytesIO()
        np.save(out, np.asarray(array), allow_pickle=True)
        return out.getvalue()

    return make


def head(**changes: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps({**json.loads(data), **changes}).encode()


def messages(data: bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        sg.parse(data, "m.sg")
    return [d.message for d in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("member", "change", "message"),
    [
        ("sources.npy", npy(np.array([0, 7], np.int32)), "sources.npy: has numbers outside 0 … 1"),
        (
            "sources.npy",
            npy(np.array([1, 0], np.int32)),
            "sources.npy: the transitions are not sorted, or one occurs twice",
        ),
        ("sources.npy", npy(np.array([0, 1], np.int64)), "sources.npy: is not an array of 2 int32"),
        ("sources.npy", npy(np.array([0], np.int32)), "sources.npy: is not an array of 2 int32"),
        ("sources.npy", npy(np.array([[0, 1]], np.int32)), "sources.npy: is not an array of 2 int32"),
        ("sources.npy", npy(np.array([0, "x"], object)), "sources.npy: is not an array of 2 int32"),
        ("sources.npy", lambda data: data + b"x", "sources.npy: is shorter or longer than its header says"),
        ("sources.npy", lambda data: None, "sources.npy: is missing from the archive"),
        ("terminal.npy", lambda data: data[:-1] + b"\x07", "terminal.npy: has bytes that are no Booleans"),
        ("values0.npy", npy(np.array([0.0, 1.0])), "values0.npy: is not an array of 2 int64"),
        ("model.json", lambda data: None, "the archive has no `model.json`; it is no model of Stateglass"),
        ("model.json", head(version=2), "$.version: only version 1 is understood"),
        ("model.json", head(format="zip"), '$.format: expected "stateglass-model"; this is not a model of Stateglass'),
        ("model.json", head(initial=2), "$.initial: 2 is not in 0 … 1"),
        ("model.json", head(labels=["a", "a"]), "$.labels[1]: `a` occurs twice"),
        ("model.json", head(states=10**9), "$.states: 1000000000 is not in 1 … 100000000"),
    ],
)
def test_what_is_wrong_is_named(member: str, change: Callable[[bytes], bytes | None], message: str) -> None:
    assert messages(changed(member, change))[0] == message


def test_a_claim_of_states_that_nothing_stands_for() -> None:
    builder = ModelBuilder()
    data = sg.serialise(builder.build(1))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            new.writestr(member, head(states=99_999_999)(content) if member == "model.json" else content)
    assert messages(out.getvalue()) == ["$.states: 99,999,999 states for 0 transitions; most could not be reached"]


def test_several_problems_are_said_at_once() -> None:
    data = changed("model.json", head(initial="x", subject=1, spans=[{"start": {"file": 3, "line": -1}}]))
    assert messages(data)[:5] == [
        "$.subject: unknown key",
        "$.initial: expected an integer, found a string",
        "$.spans[0].start.file: expected a string, found an integer",
        "$.spans[0].start.line: -1 is not in 0 … 2147483647",
        "$.spans[0].end.file: expected a string, found an integer",
    ]


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sg, "MOST_UNPACKED", 1 << 20)
    data = changed("sources.npy", lambda _: b"\0" * (2 << 20))
    with pytest.raises(InputError) as caught:
        sg.parse(data, "m.sg")
    assert caught.value.diagnostics[0].code is Code.TOO_LARGE


def test_foreign_archives() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("model.json", "{}")
    assert "packed in a way" in messages(out.getvalue())[0]
    assert "damaged" in messages(b"PK\x03\x04 but no archive")[0]
    assert "damaged" in messages(sg.serialise(small())[:-30])[0]


def test_the_archive_is_one_that_numpy_loads() -> None:
    with np.load(io.BytesIO(sg.serialise(small()))) as archive:
        assert archive["sources"].tolist() == [0, 1]
