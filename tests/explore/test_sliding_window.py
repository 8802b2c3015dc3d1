"""The sender of a sliding-window protocol under `part` and `mod` alone: sizes, and what it never does."""

from __future__ import annotations

import re

import pytest

from stateglass.model import TAU, Model
from stateglass.operations.comparing import compare_models
from stateglass.operations.reducing import reduce_model
from tests.explore.extracting import EXAMPLES, Words, example, whole

FOLDER = "sliding_window"
SIZES = {
    "peephole": (116, 244),
    "strong": (420, 452),
    "dpbranching": (24, 44),
    "weak": (24, 40),
    "weaktrace": (9, 25),
}


@pytest.fixture(scope="module")
def model() -> Model:
    return whole(FOLDER, every_step=True)


def test_its_size(model: Model) -> None:
    assert (model.states, model.transitions) == (1722, 1850)
    assert not model.partial


@pytest.mark.parametrize("by", SIZES)
def test_its_size_after_a_reduction(model: Model, by: str) -> None:
    small = reduce_model(model, by).model
    assert (small.states, small.transitions) == SIZES[by]


def test_passing_over_silent_states_gives_what_the_reduction_gives(model: Model) -> None:
    small = example(FOLDER, every_step=True)
    assert (small.states, small.transitions) == SIZES["peephole"]
    assert compare_models(model, small, "dpbranching").related is True


def test_the_map_has_nothing_but_part_and_mod() -> None:
    text = (EXAMPLES / FOLDER / "window.am").read_text(encoding="utf-8")
    assert set(re.findall(r": (\w+)", text.partition("\n")[2])) == {"part", "mod"}


def test_no_more_than_two_packets_are_on_their_way(model: Model) -> None:
    packets = [re.fullmatch(r"(\w+)\((\d), (\d)\)", label) for label in model.labels if label != TAU]
    distances = {(p[1], (int(p[2]) - int(p[3])) % 4) for p in packets if p is not None}
    assert len(packets) == 20
    assert distances == {("data", 0), ("data", 1), ("again", 0), ("again", 1), ("enquiry", 2)}


def test_a_packet_is_sent_again_only_after_it_was_sent(model: Model) -> None:
    words = Words(model)
    assert words.has(("data(0, 0)", "data(1, 0)", "again(1, 0)", "data(2, 2)"))
    assert not words.has(("data(0, 0)", "again(0, 0)"))  # there is room for another packet first
    assert not words.has(("data(0, 0)", "data(1, 0)", "again(2, 0)"))
