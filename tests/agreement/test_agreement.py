"""Ways to decide the same agree on all examples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest

from stateglass.answers.checking import check_claims
from stateglass.answers.scenarios import tell
from stateglass.evidence import Verdict
from stateglass.formats import read_model
from stateglass.logic.reading import read_claim
from stateglass.model import Model
from stateglass.scenarios.reading import read_story
from stateglass.unbounded.engines import Engine
from tests.agreement.machines import missed_by_machine, missed_transitions
from tests.agreement.open import (
    BY_ITSELF,
    DESIGNS,
    LARGE,
    SHARING,
    TOGETHER,
    Team,
    contradictions,
    design_verdicts,
    planted,
    planted_verdict,
    team_verdicts,
    teams,
)
from tests.agreement.questions import predicates
from tests.agreement.rows import (
    NOT_ASSERTED,
    abstract_differences,
    asserted_differences,
    differences,
    in_c,
    linear,
    questions_about,
    whole,
)
from tests.test_examples import EXAMPLES, model_of

WHOLE = whole()
WRITTEN = {"relations": lambda: read_model(str(Path(__file__).with_name("relations.fsp")))}
"""Models that were made for comparing."""
PROGRAMS = in_c()
PLANTED = sorted(planted().items())
TEAMS = [team for team in teams() if team.name not in SHARING]
SMALL = [file for file in DESIGNS if file.name not in LARGE]
MACHINES = sorted(EXAMPLES.glob("*/*.machine"))
LEFT_OUT = {
    "fader": "its headers are assumed: each claim rests on what they might say",
    "flow": "its map tells of data what no bound says",
    "kinds": "it shows all abstractions there are, of variables that decide nothing",
    "link_keeper": "its headers are made by a build that is not there",
    "request": "a machine that is edited, and no program",
}
"""Examples of which there is nothing to ask in two ways."""
SECONDS = 2.0
RELATIONS = ("~>", "->", "<-", "<<-")
OPPOSITE = {Verdict.HOLDS: Verdict.VIOLATED, Verdict.VIOLATED: Verdict.HOLDS}
ids = [folder.name for folder in PROGRAMS]


def told_by(model: Model, scenarios: Sequence[str]) -> list[Verdict]:
    story = read_story("\n".join(scenarios), "asked.scenarios")
    return [one.answer.verdict for one in tell(model, story.vocabulary, story.scenarios).told]


@pytest.mark.parametrize("name", [*WRITTEN, *WHOLE])
def test_notations(name: str) -> None:
    model = (WRITTEN | WHOLE)[name]()
    met = set()
    for question in questions_about(model):
        texts = (*question.same, *question.opposite)
        found = [one.answer.verdict for one in check_claims(model, [read_claim(text) for text in texts]).checked]
        told = told_by(model, question.scenarios)
        same, opposite = {*found[: len(question.same)], *told}, set(found[len(question.same) :])
        assert len(same) == 1, f"{question}: {found}, {told}"
        (verdict,) = same
        assert opposite <= {OPPOSITE.get(verdict, verdict)}, f"{question}: {found}"
        met.add(verdict)
    assert len(met) > 1 or met == {Verdict.INCONCLUSIVE}, "questions that all have one answer compare little"


def test_a_relation_that_is_read_as_another_one_is_noticed() -> None:
    """Or comparing scenarios with claims would show little."""
    model = WRITTEN["relations"]()
    stories = [s for question in questions_about(model) for s in question.scenarios]
    told = dict(zip(stories, told_by(model, stories), strict=True))
    assert len(told) == len(RELATIONS) * 6
    for one, other in permutations(RELATIONS, 2):
        assert any(told[s] != told[s.replace(f" {one} ", f" {other} ")] for s in stories if f" {one} " in s)


def of_each_verdict(folder: Path, number: int) -> list[str]:
    """A linear claim for each answer that there is."""
    claims = linear(folder)
    found = check_claims(model_of(folder), [read_claim(text) for text in claims]).checked
    by_verdict: dict[Verdict, list[str]] = {}
    for text, one in zip(claims, found, strict=True):
        by_verdict.setdefault(one.answer.verdict, []).append(text)
    return [texts[number % len(texts)] for texts in by_verdict.values()]


def test_both_answers_are_met() -> None:
    assert all(len(of_each_verdict(folder, 0)) > 1 for folder in PROGRAMS)


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=ids)
def test_engines(number: int, tmp_path: Path) -> None:
    """A few questions of each kind; `python -m tests.fuzz.examples_agreement` asks all."""
    folder = PROGRAMS[number]
    conditions = predicates(model_of(folder))
    _, wrong = differences(folder, of_each_verdict(folder, number))
    assert not wrong
    if folder.name not in NOT_ASSERTED:
        _, wrong = asserted_differences(folder, tmp_path, conditions[number % len(conditions)])
        assert not wrong


@pytest.mark.parametrize("number", range(len(PLANTED)), ids=lambda n: "/".join(PLANTED[n][0].parts[-2:]))
def test_planted_mistakes(number: int) -> None:
    """Each by one engine; `python -m tests.fuzz.examples_agreement` asks all."""
    file, known = PLANTED[number]
    assert planted_verdict(file, BY_ITSELF[number % len(BY_ITSELF)], SECONDS) in (known, Verdict.INCONCLUSIVE)


@pytest.mark.parametrize("engine", BY_ITSELF)
def test_each_engine_decides(engine: Engine) -> None:
    for name in ("drivers/request.c", "drivers/request_wrong.c", "retry/gauge.c"):
        file = EXAMPLES / name
        assert planted_verdict(file, engine, 60.0) is planted()[file]


@pytest.mark.parametrize("team", TEAMS, ids=lambda team: team.name)
def test_threads(team: Team) -> None:
    whole, abstract = (team_verdicts(team, engine, SECONDS) for engine in TOGETHER)
    assert not contradictions(whole, abstract)
    assert set(abstract) != {Verdict.INCONCLUSIVE}


@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.name)
def test_designs(file: Path) -> None:
    whole, abstract = (design_verdicts(file, engine, 60.0) for engine in TOGETHER)
    assert not contradictions(whole, abstract)
    assert Verdict.INCONCLUSIVE not in whole


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=ids)
def test_abstract_values(number: int, tmp_path: Path) -> None:
    claims = linear(PROGRAMS[number])
    _, wrong = abstract_differences(PROGRAMS[number], tmp_path / "proposed.am", claims[number % 3 :: 3])
    assert not wrong


@pytest.mark.parametrize("folder", PROGRAMS, ids=ids)
def test_reflexion_models_miss_no_call(folder: Path) -> None:
    _, missed = missed_transitions(folder)
    assert not missed


@pytest.mark.parametrize("file", MACHINES, ids=lambda file: file.name)
def test_machines_miss_no_call(file: Path) -> None:
    looked, missed = missed_by_machine(file)
    assert looked > 0
    assert not missed


def test_each_example_has_its_place() -> None:
    files = [*DESIGNS, *MACHINES, *(file for file, _ in PLANTED)]
    asked = {str(file.relative_to(EXAMPLES)).partition("/")[0] for file in files}
    asked |= {name.partition("/")[0] for name in WHOLE} | {"threads" for _ in TEAMS}
    assert asked.isdisjoint(LEFT_OUT)
    assert asked | set(LEFT_OUT) == {path.name for path in EXAMPLES.iterdir() if path.is_dir()}


def test_calls_are_looked_at() -> None:
    assert sum(missed_transitions(folder)[0] > 0 for folder in PROGRAMS) >= len(PROGRAMS) // 2
