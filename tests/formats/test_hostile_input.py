"""Readers give a model or an `InputError`, whatever they are fed."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.formats import aut, dot, fsm, fsp, json_model, mermaid, plantuml, scxml, sg
from stateglass.model import Model
from stateglass.source import InputError
from tests.formats.strategies import models

CODECS = [aut, sg, json_model, fsm, dot, mermaid, plantuml, scxml]
SNIPPETS = [b"(", b")", b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b",", b"-1", b"99999999999999999999", b"-->", b"->",
            b"0", b"null", b"\xff", b"\x00", b"PK\x05\x06", b":", b"state", b"des (0,1,1)", b"1e999",
            b"[*]", b"---", b"@enduml", b"</state>", b"<final/>", b"<!DOCTYPE a []>", b"&lt;", b"'", b"note", b"_x28_",
            b"stateglass partial [", b"\x1f\x8b", b"\\"]  # fmt: skip


def read(codec: ModuleType, data: bytes) -> None:
    try:
        assert isinstance(codec.parse(data, "x"), Model)
    except InputError as error:
        assert error.diagnostics
        assert len(error.diagnostics) <= 21
        assert all(d.message for d in error.diagnostics)


@pytest.mark.parametrize("codec", [*CODECS, fsp])
@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=200) | st.lists(st.sampled_from(SNIPPETS), max_size=20).map(b"".join))
def test_random_bytes(codec: ModuleType, data: bytes) -> None:
    read(codec, data)


@pytest.mark.parametrize(
    "start",
    [
        "des (0, 2, 2)\n",
        "digraph {",
        "stateDiagram-v2\n",
        '{"format": "stateglass-model"',
        "@startuml\n",
        "<scxml>",
        "P = (a -> P",
        'a(1) Nat "x"\n---\n0\n---\n',
    ],
)
@settings(max_examples=50, deadline=None)
@given(rest=st.text(max_size=60))
def test_random_text_after_a_good_start(start: str, rest: str) -> None:
    data = (start + rest).encode("utf-8", "replace")
    for codec in (*CODECS, fsp):
        read(codec, data)


@pytest.mark.parametrize("codec", CODECS)
@settings(max_examples=120, deadline=None)
@given(
    model=models(),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(SNIPPETS) | st.binary(max_size=3)),
        min_size=1,
        max_size=4,
    ),
)
def test_mutated_files(codec: ModuleType, model: Model, edits: list[tuple[float, int, bytes]]) -> None:
    data = codec.serialise(model)
    for where, removed, inserted in edits:
        at = int(where * len(data))
        data = data[:at] + inserted + data[at + removed :]
    read(codec, data)


@pytest.mark.parametrize("codec", CODECS)
@settings(max_examples=30, deadline=None)
@given(model=models(), where=st.floats(0, 1, exclude_max=True))
def test_truncated_files(codec: ModuleType, model: Model, where: float) -> None:
    data = codec.serialise(model)
    read(codec, data[: int(where * len(data))])


_LONG = 100_000


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        (aut, "des (0, 1, 2)\n(" + "," * _LONG),
        (aut, "des (0, 1, 2)\n(0" + " " * _LONG + "," + " " * _LONG),
        (fsm, 'a(1) Nat "1"' + " " * _LONG + "x"),
        (fsm, "\n".join(f'a{i}(1) Nat "0"' for i in range(_LONG // 4)) + "\n---\n---\n"),
        (dot, "digraph {\n" + "// stateglass partial [\n" * (_LONG // 4) + "a}"),
        (mermaid, "stateDiagram-v2\n%% stateglass partial" + " " * _LONG + "x"),
        (mermaid, "stateDiagram-v2\n" + "A-" * _LONG),
        (plantuml, "@startuml\nA <<" + " " * _LONG + "-> B"),
        (plantuml, "@startuml\n" + "/' " * _LONG),
        (plantuml, "@startuml\nA -[" + "hidden " * _LONG),
        (plantuml, "@startuml\n" + "[*] --> A\n" * (_LONG // 4)),
        (scxml, "<scxml>" + '<state id="a"/>' * _LONG),
    ],
)
def test_long_files_are_read_in_one_pass(codec: ModuleType, text: str) -> None:
    """Each of these would take hours if the reader looked at the rest of the line, or file, again and again."""
    read(codec, text.encode())
