"""The recogniser of a*b*: the size of its model, and that it accepts these words and no others."""

from __future__ import annotations

import itertools
import re

from stateglass.formats import read_model
from stateglass.model import Relation
from stateglass.operations.comparing import compare_models
from stateglass.operations.reducing import reduce_model
from tests.explore.extracting import EXAMPLES, Words, example

LETTERS = ("a", "b", "eof", "X")
LONGEST = 6


def test_it_has_four_states_modulo_weak_equivalence() -> None:
    smallest = reduce_model(example("recogniser"), "weak").model
    assert (smallest.states, smallest.transitions) == (4, 9)


def test_step_by_step_one_more_is_on_its_way_to_an_end_that_has_no_label() -> None:
    smallest = reduce_model(example("recogniser", every_step=True), "weak").model
    assert (smallest.states, smallest.transitions) == (5, 10)


def test_it_is_what_one_would_draw_by_hand() -> None:
    drawn = read_model(str(EXAMPLES / "recogniser" / "by_hand.mmd"))
    for by in ("weaktrace", "dpbranching"):
        assert compare_models(example("recogniser"), drawn, by).related is True


def test_the_accepted_words_are_as_and_then_bs() -> None:
    words = Words(example("recogniser"))
    for length in range(LONGEST + 1):
        for word in itertools.product(LETTERS, repeat=length):
            wanted = re.fullmatch("a*b*E", "".join({"eof": "E"}.get(letter, letter) for letter in word)) is not None
            assert words.has((*word, "accept")) is wanted, word


def test_nothing_follows_accept() -> None:
    model = example("recogniser")
    accepting = model.labels.index("accept")
    ends = model.targets[model.actions == accepting]
    assert len(ends)
    assert all(model.is_terminal(int(end)) for end in ends)


def test_skipping_silent_states_removes_over_three_quarters() -> None:
    model = example("recogniser", every_step=True)
    skipped = reduce_model(model, "peephole").model
    assert (model.states, model.transitions) == (54, 61)
    assert 4 * skipped.states < model.states


def test_it_is_an_over_approximation() -> None:
    assert example("recogniser").origin.relation is Relation.OVER
