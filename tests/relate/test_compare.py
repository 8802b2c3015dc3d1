"""Every relation against its definition on thousands of small models, and every explanation against both models."""

from __future__ import annotations

import random
from itertools import product

import pytest

from stateglass.check import truth_at_start
from stateglass.model import Model
from stateglass.relate import RELATIONS, Answer, Related, Side, Traces, Undecided, Unrelated, compare
from stateglass.work import silent
from tests.relate.oracles import ORACLES, Plain
from tests.relate.random_models import built, random_pair

PAIRS = 400


def ask(a: Model, b: Model, by: str, keep: tuple[str, ...] = ()) -> Answer:
    return compare(a, b, RELATIONS[by], keep=keep, progress=silent)


def confirmed(answer: Unrelated, a: Model, b: Model) -> bool:
    """Whether some claim is true of the model that it names, and false of the other."""
    for claim in answer.claims:
        one, other = (a, b) if claim.true_of is Side.FIRST else (b, a)
        if truth_at_start(claim.formula, one) is True and truth_at_start(claim.formula, other) is False:
            return True
    return False


@pytest.mark.parametrize("by", ORACLES)
@pytest.mark.parametrize("look", ["plain", "ends", "values"])
def test_agrees_with_the_definition(by: str, look: str) -> None:
    chance = random.Random(f"{by} {look}")
    related = unrelated = 0
    for _ in range(PAIRS):
        a, b = random_pair(chance, ends=look != "plain", values=look == "values")
        keep = ("p",) if look == "values" else ()
        expected = ORACLES[by](Plain.of(a, keep), Plain.of(b, keep))
        answer = ask(a, b, by, keep)
        assert not isinstance(answer, Undecided)
        assert isinstance(answer, Related) is expected, (a, b)
        if isinstance(answer, Unrelated):
            unrelated += 1
            assert confirmed(answer, a, b), (a, b, answer)
        else:
            related += 1
    assert min(related, unrelated) > PAIRS // 20


FINER = [
    ("strong", "dpbranching"), ("dpbranching", "branching"), ("branching", "weak"), ("weak", "weaktrace"),
    ("dpbranching", "dpweak"), ("dpweak", "weak"), ("strong", "trace"), ("trace", "weaktrace"),
    ("strong", "simulation"), ("simulation", "traceinclusion"), ("simulation", "weaksimulation"),
    ("weaksimulation", "weaktraceinclusion"), ("trace", "traceinclusion"), ("failures", "weaktraceinclusion"),
    ("dpbranching", "failures"), ("weak", "weaksimulation"), ("dpweak", "failures"),
    ("traceinclusion", "weaktraceinclusion"), ("weaktrace", "weaktraceinclusion"),
]  # fmt: skip


def test_what_is_related_by_a_finer_relation_is_by_a_coarser_one() -> None:
    chance = random.Random(11)
    for _ in range(150):
        a, b = random_pair(chance, ends=True)
        related = {by: isinstance(ask(a, b, by), Related) for by in ORACLES}
        assert all(related[coarse] for fine, coarse in FINER if related[fine])


EQUIVALENCES = ["strong", "branching", "dpbranching", "weak", "dpweak", "trace", "weaktrace"]


def test_equivalences_are_symmetric_and_traces_are_inclusion_both_ways() -> None:
    chance = random.Random(12)
    for _ in range(80):
        a, b = random_pair(chance, ends=True)
        there, back = ({by: isinstance(ask(*pair, by), Related) for by in ORACLES} for pair in ((a, b), (b, a)))
        assert all(there[by] is back[by] for by in EQUIVALENCES)
        for both, one_way in (("trace", "traceinclusion"), ("weaktrace", "weaktraceinclusion")):
            assert there[both] is (there[one_way] and back[one_way])


@pytest.mark.parametrize("by", ORACLES)
def test_relations_are_reflexive_and_transitive(by: str) -> None:
    chance = random.Random(f"transitive {by}")
    chains = 0
    for _ in range(3):
        pool = [model for _ in range(4) for model in random_pair(chance)]
        related = {(i, j): isinstance(ask(a, b, by), Related) for i, a in enumerate(pool) for j, b in enumerate(pool)}
        for i, j, k in product(range(len(pool)), repeat=3):
            assert related[i, i]
            if related[i, j] and related[j, k]:
                chains += len({i, j, k}) == 3
                assert related[i, k]
    assert chains


def long_chain(last: str) -> Model:
    rows = [(i, "a" if i % 3 else "tau", i + 1) for i in range(6000)]
    return built([*rows, (6000, last, 6001)], 6002)


@pytest.mark.parametrize("by", ["weak", "dpweak", "branching", "strong", "simulation"])
def test_large_models(by: str) -> None:
    """The difference lies four thousand steps away: too far for a formula, not for a trace."""
    assert isinstance(ask(long_chain("b"), long_chain("b"), by), Related)
    answer = ask(long_chain("b"), long_chain("c"), by)
    assert isinstance(answer, Unrelated)
    assert answer.trace is not None
    assert answer.trace.labels[-1] in "bc"
    assert len(answer.trace.labels) == (6001 if by in ("strong", "simulation") else 4001)
    assert answer.claims == ()
    assert "operators" in answer.without_formula


def test_the_trace_is_a_shortest_one() -> None:
    a = built([(0, "a", 1), (1, "a", 2), (2, "x", 2), (0, "b", 3), (3, "y", 3)], 4)
    b = built([(0, "a", 1), (1, "a", 2), (0, "b", 3)], 4)
    answer = ask(a, b, "trace")
    assert isinstance(answer, Unrelated)
    assert answer.trace is not None
    assert (answer.trace.labels, answer.traces) == (("b", "y"), Traces.DIFFER)
