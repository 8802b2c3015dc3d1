"""Every relation against its definition on thousands of small models, and every explanation against both models."""

from __future__ import annotations

import random

import pytest

from stateglass.check import truth_at_start
from stateglass.model import Model
from stateglass.reduce import silent
from stateglass.relate import RELATIONS, Answer, Related, Side, Undecided, Unrelated, compare
from tests.relate.oracles import ORACLES, Plain
from tests.relate.random_models import random_pair

PAIRS = 700


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
