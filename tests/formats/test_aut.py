"""Aldebaran files: the exact text, what the reader accepts, what it says about broken files."""

from __future__ import annotations

import numpy as np
import pytest

from stateglass.formats import aut
from stateglass.model import ModelBuilder
from stateglass.source import Code, InputError
from tests.formats.strategies import edges


def test_the_text_is_exact() -> None:
    builder = ModelBuilder()
    builder.add(0, "call(f, 3)", 1)
    builder.add(1, 'return(f, "a\\n")', 2)
    builder.add(2, "tau", 3)
    assert aut.serialise(builder.build(4)).decode() == (
        'des (0, 3, 4)\n(0, "call(f, 3)", 1)\n(1, "return(f, \\"a\\\\n\\")", 2)\n(2, "tau", 3)\n'
    )


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ('(0,"a",1)', "a"),
        ("(0,a,1)", "a"),
        (" ( 0 ,\t send !1 , 1 ) \r", "send !1"),
        ("(0, call(f, 3), 1)", "call(f, 3)"),
        ("(0, i, 1)", "tau"),
        ('(0, "i", 1)', "i"),
        ('(0, "say("hi")", 1)', 'say("hi")'),
        ('(0, "a\\b", 1)', "a\\b"),
        ('(0, "  a ", 1)', "  a "),
        ('(0, "é", 1)', "é"),
    ],
)
def test_labels_of_other_tools_are_understood(line: str, label: str) -> None:
    model = aut.parse(f"\n des(0,1,2) \n\n{line}\n\n".encode(), "m.aut")
    assert edges(model) == {(0, label, 1)}


def test_ends_are_told_by_labels() -> None:
    text = 'des (0, 4, 5)\n(0, "exit(0)", 1)\n(0, "error(null)", 2)\n(0, "stop", 3)\n(4, "exit(1)", 0)\n'
    model = aut.parse(text.encode(), "m.aut")
    assert model.terminal is not None
    assert np.flatnonzero(model.terminal).tolist() == [1, 2]
    assert model.deadlocks.tolist() == [3]


def diagnostics(text: bytes) -> list[tuple[int, str]]:
    with pytest.raises(InputError) as caught:
        aut.parse(text, "m.aut")
    return [(d.span.line, d.message) for d in caught.value.diagnostics]


def test_all_problems_are_said_at_once() -> None:
    text = b'des (0, 6, 2)\n(0, "a", 5)\n\n(-1, "a", 0)\nfoo\n(0, "a, 1)\n(0, "a", 99999999999999999999)\n'
    assert diagnostics(text) == [
        (2, "the target `5` is not one of the 2 states of the header"),
        (4, "the source `-1` is negative"),
        (5, "expected a transition, found `foo`"),
        (6, 'the quotes of the label `"a` do not match'),
        (7, "the target `99999999999999999999` is not one of the 2 states of the header"),
        (1, "the header says 6 transitions, the file has 5"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "expected the header, found nothing"),
        (b"(0, a, 1)\n", "expected the header, found `(0, a, 1)`"),
        (b"des (0, 0, 0)\n", "the initial state 0 is not one of the 0 states"),
        (b"des (3, 0, 3)\n", "the initial state 3 is not one of the 3 states"),
        (b"des (0, 1, 1)\n(0, \xff, 0)\n", "byte 0xFF is not UTF-8"),
        (
            b"des (0, 1, 1)\n(0, a, 0000000000000)\n",
            "the target `0000000000000` is not one of the 1 state of the header",
        ),
    ],
)
def test_broken_files(text: bytes, message: str) -> None:
    assert [said for _, said in diagnostics(text)] == [message]


def test_problems_are_capped() -> None:
    found = diagnostics(b"des (0, 0, 1)\n" + b"x\n" * 1000)
    assert len(found) == 21
    assert found[-1][1] == "there are further problems"


def test_a_claim_of_too_many_states_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        aut.parse(b"des (0, 0, 2000000000)\n", "m.aut")
    assert [d.code for d in caught.value.diagnostics] == [Code.TOO_LARGE]
