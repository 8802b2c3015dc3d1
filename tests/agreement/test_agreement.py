"""Ways to decide the same agree on all examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.answers.checking import check_claims
from stateglass.answers.scenarios import tell
from stateglass.evidence import Verdict
from stateglass.logic.reading import read_claim
from stateglass.scenarios.reading import read_story
from tests.agreement.machines import missed_transitions
from tests.agreement.questions import predicates
from tests.agreement.rows import (
    NOT_ASSERTED,
    abstract_differences,
    asserted_differences,
    differences,
    in_c,
    linear,
    questions_of,
)
from tests.test_examples import FOLDERS, model_of

PROGRAMS = in_c()
OPPOSITE = {Verdict.HOLDS: Verdict.VIOLATED, Verdict.VIOLATED: Verdict.HOLDS}
ids = [folder.name for folder in PROGRAMS]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_notations(folder: Path) -> None:
    model = model_of(folder)
    met = set()
    for question in questions_of(folder):
        texts = (*question.same, *question.opposite)
        found = [one.answer.verdict for one in check_claims(model, [read_claim(text) for text in texts]).checked]
        story = read_story("\n".join(question.scenarios), "asked.scenarios")
        told = [one.answer.verdict for one in tell(model, story.vocabulary, story.scenarios).told]
        same, opposite = {*found[: len(question.same)], *told}, set(found[len(question.same) :])
        assert len(same) == 1, f"{question}: {found}, {told}"
        (verdict,) = same
        assert opposite <= {OPPOSITE.get(verdict, verdict)}, f"{question}: {found}"
        met.add(verdict)
    assert len(met) > 1 or met == {Verdict.INCONCLUSIVE}, "questions that all have one answer compare little"


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=ids)
def test_engines(number: int, tmp_path: Path) -> None:
    """One question of each kind; `python -m tests.fuzz.examples_agreement` asks all."""
    folder = PROGRAMS[number]
    claims, conditions = linear(folder), predicates(model_of(folder))
    _, wrong = differences(folder, [claims[number % len(claims)]])
    assert not wrong
    if folder.name not in NOT_ASSERTED:
        _, wrong = asserted_differences(folder, tmp_path, conditions[number % len(conditions)])
        assert not wrong


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=ids)
def test_abstract_values(number: int, tmp_path: Path) -> None:
    claims = linear(PROGRAMS[number])
    _, wrong = abstract_differences(PROGRAMS[number], tmp_path / "proposed.am", claims[number % 3 :: 3])
    assert not wrong


@pytest.mark.parametrize("folder", PROGRAMS, ids=ids)
def test_reflexion_models_miss_no_call(folder: Path) -> None:
    _, missed = missed_transitions(folder)
    assert not missed


def test_calls_are_looked_at() -> None:
    assert sum(missed_transitions(folder)[0] > 0 for folder in PROGRAMS) >= len(PROGRAMS) // 2
