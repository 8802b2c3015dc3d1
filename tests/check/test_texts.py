"""Texts that values are compared with: one that no value can have is a mistake."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.check.predicates import states_with
from stateglass.check.texts import Texts
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.logic.reading import read_claim
from stateglass.model import Model, Origin, Proposition, Sort
from stateglass.source import InputError, render_diagnostics

NOTHING = np.zeros(0, dtype=np.int32)
MODEL = Model(
    2,
    0,
    NOTHING,
    NOTHING,
    NOTHING,
    ("tau",),
    (
        Proposition("u", Sort.INT, np.array([0, 16])),
        Proposition("on", Sort.BOOL, np.array([0, 1])),
        Proposition("m", Sort.ENUM, np.array([0, 5]), ((0, "IDLE"), (5, "RUN"))),
        Proposition("d", Sort.FLOAT, np.array([0.5, np.inf])),
        Proposition("a[0]", Sort.INT, np.array([0, 0])),
        Proposition("a[1]", Sort.INT, np.array([0, 0])),
        Proposition("p", Sort.POINTER, np.array([0, 64]), ((0, "null"), (64, "&u"))),
        Proposition("fp", Sort.POINTER, np.array([0, 16]), ((0, "null"), (16, "go"))),
    ),
)
PLACES = frozenset(("go", "stop", "&table"))


@pytest.mark.parametrize(
    "predicate",
    [
        *('u == "16"', 'u != "-3"', 'u == "?"', 'on == "true"', 'm == "RUN"', 'm != "7"', '"IDLE" == m'),
        *('d == "inf"', 'd != "1.0"', 'p == "null"', 'p == "&u"', 'p != "&a[1]"', 'p != "&a"', 'p != "&a+8"'),
        *('fp == "go"', 'fp != "stop"', 'p != "&table[3].x"', 'p != "address 77"'),
    ],
)
def test_texts_that_values_may_have(predicate: str) -> None:
    assert refuse_unknown_words([read_claim(f"G [{predicate}]")], MODEL, PLACES) == [()]


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ('G ![p == "&uu"]', 'no value of `p` is written "&uu"\n  G ![p == "&uu"]\n      ^\n  help: did you mean `&u`?'),
        ('ctl: AG [p != "&a[0]"]', "it is written `&a`"),
        ('mu: [true*]val(p != "&a[2]")', "did you mean `&a[1]`"),
        ('[m == "RUNN"] never holds', "did you mean `RUN`?"),
        ('G [m != "5"]', "it is written `RUN`"),
        ('G [fp != "&go"]', "did you mean `go`?"),
        ('G [fp != "halt"]', "there is `go`, `null`"),
        ('G [d != "infinity"]', "it is written `inf`"),
        ('G [u != "0x10"]', "it is written `16`"),
        ('G [u != "ten"]', "its values are written as a whole number"),
        ('G [on != "1"]', "it is written `true` or `false`"),
    ],
)
def test_texts_that_no_value_has(claim: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        refuse_unknown_words([read_claim(claim)], MODEL, PLACES)
    assert told in render_diagnostics(caught.value.diagnostics)


def test_what_a_pointer_may_hold_later_is_not_known_of_a_part() -> None:
    part = replace(MODEL, origin=Origin(partial=("stopped",)))
    assert refuse_unknown_words([read_claim('G [p != "&heap"]')], part) == [
        ('No value "&heap" of `p` was met in what was explored.',)
    ]
    with pytest.raises(InputError):
        refuse_unknown_words([read_claim('G [m != "RUNN"]')], part)


@given(st.sampled_from([p.name for p in MODEL.propositions]), st.text("019-.&xaupinf[]+?eE_ |", max_size=8))
def test_a_refused_text_is_one_of_no_state(name: str, text: str) -> None:
    own = next(p for p in MODEL.propositions if p.name == name)
    if Texts(MODEL, PLACES).odd(name, text) is not None:
        assert not states_with(own, text).any()
