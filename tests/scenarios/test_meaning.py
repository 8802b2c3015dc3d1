"""Verdicts on scenarios against an evaluation of runs that knows no formula."""

from __future__ import annotations

import random

import pytest

from stateglass.check.ctl import Evaluation
from stateglass.logic.joining import not_of
from stateglass.scenarios.formulas import claimed
from stateglass.scenarios.language import Scenario
from stateglass.scenarios.meaning import questions
from stateglass.scenarios.reading import read_story
from stateglass.scenarios.language import Story
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.writing import story_text
from tests.scenarios.agreement import disagreement


@pytest.mark.parametrize("seed", range(300))
def test_verdicts_are_those_of_looking_at_runs(seed: int) -> None:
    assert disagreement(seed) is None
