"""The monitor against a definition that remembers nothing, and what it says where a log leaves the model."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.model import Model, ModelBuilder, Origin
from stateglass.replay import (
    Alphabet,
    Dictionary,
    LogVerdict,
    Match,
    Monitor,
    PlainReader,
    Shortfall,
    StraceReader,
    Subsets,
    subsets,
)
from tests.replay.oracle import LABELS, followed, naive, random_model, random_walk

SEEDS = st.integers(0, 1 << 32)
WORDS = st.lists(st.sampled_from([*LABELS[:-1], "a", "b"]), max_size=8)


def model_of(*rows: tuple[int, str, int], states: int, **more: object) -> Model:
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    return builder.build(states, **more)  # type: ignore[arg-type]


@settings(max_examples=400, deadline=None)
@given(seed=SEEDS, word=WORDS, complete=st.booleans(), partial=st.booleans(), most_bytes=st.sampled_from([0, 1 << 20]))
def test_the_verdict_is_that_of_the_definition(
    seed: int, word: list[str], complete: bool, partial: bool, most_bytes: int
) -> None:
    model = random_model(random.Random(seed), partial=partial)
    # A label that no transition carries is no label of the model: the definition says the same of both.
    outcome = followed(model, word, complete=complete, most_bytes=most_bytes)
    assert (outcome.verdict, outcome.line) == naive(model, word, complete=complete)


@settings(max_examples=200, deadline=None)
@given(seed=SEEDS, steps=st.integers(1, 40), partial=st.booleans())
def test_every_walk_is_accepted(seed: int, steps: int, partial: bool) -> None:
    chance = random.Random(seed)
    model = random_model(chance, partial=partial)
    word, end = random_walk(chance, model, steps)
    outcome = followed(model, word)
    assert outcome.verdict is (LogVerdict.ACCEPTED if word else LogVerdict.EMPTY)
    assert outcome.course.events == len(word)
    if model.is_terminal(end):
        assert followed(model, word, complete=True).verdict is LogVerdict.ACCEPTED


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, partial=st.booleans())
def test_small_and_large_sets_are_stepped_alike(seed: int, partial: bool) -> None:
    chance = random.Random(seed)
    model = random_model(chance, partial=partial, most_states=12)
    word = [chance.choice(LABELS[:-1]) for _ in range(6)]
    with pytest.MonkeyPatch.context() as patch:
        few = followed(model, word)
        patch.setattr(subsets, "_FEW", 0)
        assert followed(model, word) == few


def test_sets_that_do_not_fit_are_forgotten() -> None:
    rows = [(n, "a", (n + 1) % 100) for n in range(100)]
    model = model_of(*rows, states=100)
    kept = Subsets(model, most_bytes=2_000)
    dictionary = Dictionary(Alphabet(model.labels))
    moves = dictionary.moves("a")
    assert moves is not None
    at = kept.start
    for n in range(1, 1_000):
        reached = kept.step(at, moves[0])
        assert reached is not None
        at = reached
        assert at.states.tolist() == [n % 100]
        assert len(kept._met) < 10
    # Nor do forgotten sets keep each other.
    assert not kept.start.after


def test_the_place_is_described() -> None:
    model = model_of((0, "a", 1), (0, "tau", 2), (2, "b", 3), (3, "tau", 0), states=4)
    outcome = followed(model, ["b", "a", "b"])
    assert (outcome.verdict, outcome.line, outcome.event) == (LogVerdict.LEFT, 3, "b")
    assert outcome.shortfall is Shortfall.STEP
    assert outcome.course.recent == ((1, "b"), (2, "a"))
    assert (outcome.course.states, outcome.course.allowed) == ((1,), ())
    assert followed(model, ["b"]).course.states == (0, 2, 3)


def test_an_unknown_action_is_told_from_a_misplaced_one() -> None:
    model = model_of((0, "call(open)", 1), (1, "call(close)", 0), states=2)
    outcome = followed(model, ["call(open)", "call(clsoe)"])
    assert outcome.shortfall is Shortfall.LABEL
    assert "`call(close)`" in outcome.advice
    left_out = followed(model, ["call(open)", "noise", "noise", "call(close)"], ignore_unknown=True)
    assert left_out.verdict is LogVerdict.ACCEPTED
    assert left_out.course.unknown == (("noise", 2),)
    assert followed(model, ["noise"], ignore_unknown=True).verdict is LogVerdict.EMPTY


def test_what_was_not_explored_may_carry_anything() -> None:
    rows = ((0, "a", 1), (0, "b", 2))
    model = model_of(*rows, states=3, unexplored=[1], origin=Origin(partial=("cut",)))
    assert followed(model, ["a", "new"]).verdict is LogVerdict.OPEN
    assert followed(model, ["b", "b"]).verdict is LogVerdict.LEFT
    assert followed(model, ["c"]).verdict is LogVerdict.LEFT
    # Without a word about where it was cut, anything may be missing anywhere.
    vague = model_of(*rows, states=3, origin=Origin(partial=("cut",)))
    assert followed(vague, ["b", "b"]).verdict is LogVerdict.OPEN
    assert followed(vague, ["b"]).verdict is LogVerdict.ACCEPTED
    # But what has ended does nothing more.
    ended = model_of((0, "a", 1), states=2, terminal=[0, 1], origin=Origin(partial=("cut",)))
    assert followed(ended, ["a", "b"]).verdict is LogVerdict.LEFT


@pytest.mark.parametrize("few", [0, 64])
def test_an_interrupted_call_may_have_happened_or_not(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(subsets, "_FEW", few)
    model = model_of((0, "read", 1), (1, "write", 0), states=2)

    def verdict(*calls: str) -> LogVerdict:
        lines = [(n, f"{call}(0) = " + ("? ERESTARTSYS" if call == "read" else "1")) for n, call in enumerate(calls, 1)]
        dictionary = Dictionary(Alphabet(model.labels), Match.NAME)
        return Monitor(model, dictionary).run(StraceReader(), iter(lines)).verdict

    # The kernel began it again by itself; or the program went on.
    assert verdict("read", "read", "write") is LogVerdict.ACCEPTED
    assert verdict("read", "write") is LogVerdict.ACCEPTED
    assert verdict("read", "write", "write") is LogVerdict.LEFT


def test_an_interruption_is_an_answer() -> None:
    model = model_of((0, "a", 0), states=1)

    def lines() -> Iterator[tuple[int, str]]:
        yield 1, "a"
        yield 2, "a"
        raise KeyboardInterrupt

    outcome = Monitor(model, Dictionary(Alphabet(model.labels))).run(PlainReader(), lines())
    assert (outcome.verdict, outcome.course.line, outcome.course.events) == (LogVerdict.INTERRUPTED, 2, 2)


def test_names_stand_for_calls_with_their_returns() -> None:
    model = model_of((0, "call(f, 1)", 1), (1, "return(f, true)", 2), (2, "g", 0), states=3)
    assert followed(model, ["f", "g", "f"], match=Match.NAME).verdict is LogVerdict.ACCEPTED
    assert followed(model, ["f(2)", "g"], match=Match.NAME).verdict is LogVerdict.ACCEPTED
    assert followed(model, ["f(2)", "g"], match=Match.ARGUMENTS).verdict is LogVerdict.LEFT
    assert followed(model, ["f(1)", "g"], match=Match.ARGUMENTS).verdict is LogVerdict.ACCEPTED
    assert followed(model, ["call(f, 1)", "g"], match=Match.NAME).line == 2
    assert followed(model, ["call(f, 1)", "return(f, true)", "g"], match=Match.NAME).verdict is LogVerdict.ACCEPTED
    assert followed(model, ["f"]).shortfall is Shortfall.LABEL
