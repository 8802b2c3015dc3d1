"""Verdicts on random scenarios and their runs, by both ways; what is said of partial and abstract models."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from stateglass.evidence import Verdict
from stateglass.model import Model, Origin
from stateglass.model import Relation as Likeness
from stateglass.scenarios.language import Relation, Scenario, Story, Vocabulary
from stateglass.scenarios.reading import read_story
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.witnesses import witness
from stateglass.scenarios.writing import story_text
from tests.scenarios.chances import (
    completed,
    narrowed,
    random_fairness,
    random_model,
    random_scenario,
    random_vocabulary,
)
from tests.scenarios.reference import Reference
from tests.scenarios.whole_runs import run_along

MOST_WORK: Final = 6_000
OTHERS: Final = 12
"""So many models are tried that a partial or abstract one may stand for."""

Found = tuple[Verdict, str | None]  # what was said, and what is wrong with it


def whole(seed: int) -> Found:
    """The verdict by formulas, against looking at runs."""
    chance = random.Random(seed)
    return _compared(random_model(chance), random_vocabulary(chance), random_scenario(chance), seed)


def of_text(text: str, seed: int) -> Found:
    """The same of a given story on a random model."""
    model = random_model(random.Random(seed))
    return _compared(model, Vocabulary(), read_story(text).scenarios[0], seed)


def fair(seed: int) -> Found:
    """The same where only fair runs count. Only what is to follow some day depends on what runs do for ever."""
    chance = random.Random(seed)
    model, vocabulary, scenario = random_model(chance), random_vocabulary(chance), random_scenario(chance)
    part = scenario.parts[0]
    links = tuple(replace(link, relation=Relation.LEADS_TO) for link in part.links)
    parts = (replace(part, links=links, scope=None),)
    return _compared(model, vocabulary, replace(scenario, parts=parts, fairness=random_fairness(chance)), seed)


def _compared(model: Model, vocabulary: Vocabulary, scenario: Scenario, seed: int) -> Found:
    text = story_text(Story(vocabulary, (scenario,)))
    # What is validated is what was read: the way through the text belongs to it.
    read = read_story(text, "random.scenarios")
    ours = Validator(model, read.vocabulary).validate(replace(read.scenarios[0], fairness=scenario.fairness)).verdict
    theirs: Verdict | None = None
    for uses in (1, 2, 3, 4):
        reference = Reference(model, vocabulary, uses)
        theirs = reference.verdict(scenario)
        if theirs is ours:
            return ours, None
        if reference.size > MOST_WORK:
            break
    assert theirs is not None
    said = f"{seed}: {ours.value} here, {theirs.value} by runs"
    return ours, f"{said}\n{text}{scenario.fairness}\n{_drawn(model)}"


def runs(seed: int) -> Found:
    """Every run that is found shows what it is to show, by the sentences alone."""
    chance = random.Random(seed)
    model, vocabulary = random_model(chance, 4, 7), random_vocabulary(chance)
    scenario = random_scenario(chance)
    validator, reference = Validator(model, vocabulary), Reference(model, vocabulary, 0)
    validation = validator.validate(scenario)
    for reply in validation.replies:
        found = witness(reply)
        question = reply.question
        if (found is None) is reply.has_run:
            return validation.verdict, f"{seed}: whether there is a run and whether one is found differ"
        if found is not None and not reference.shows(question.link, question.part, run_along(found.path)):
            text = story_text(Story(vocabulary, (scenario,)))
            return validation.verdict, f"{seed}: the run does not show it: {found.path}\n{text}{_drawn(model)}"
    return validation.verdict, None


def partial(seed: int) -> Found:
    """What is said of a partial model is true whatever is missing."""
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    model = random_model(chance, open_states=True)
    if model.unexplored is None:
        return Verdict.INCONCLUSIVE, None
    return _carried_over(model, vocabulary, random_scenario(chance), completed, chance, seed)


def abstract(seed: int) -> Found:
    """What is said of an abstraction is true of all that it stands for."""
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    model = replace(random_model(chance), origin=Origin(Likeness.OVER))
    return _carried_over(model, vocabulary, random_scenario(chance), narrowed, chance, seed)


def _carried_over(
    model: Model,
    vocabulary: Vocabulary,
    scenario: Scenario,
    other: Callable[[Model, random.Random], Model],
    chance: random.Random,
    seed: int,
) -> Found:
    said = Validator(model, vocabulary).validate(scenario)
    for _ in range(OTHERS):
        meant = other(model, chance)
        true = Validator(meant, vocabulary).validate(scenario)
        for one, two in zip(said.replies, true.replies, strict=True):
            # What may happen in an abstraction need not happen in the code.
            weaker = other is narrowed and (one.verdict, two.verdict) == (Verdict.HOLDS, Verdict.VACUOUS)
            if one.verdict not in (two.verdict, Verdict.INCONCLUSIVE) and not weaker:
                text = story_text(Story(vocabulary, (scenario,)))
                told = f"{seed}: {one.verdict.value} of this, {two.verdict.value} of what it may stand for"
                return said.verdict, f"{told}\n{text}{_drawn(model)}\n{_drawn(meant)}"
    return said.verdict, None


KINDS: Final[dict[str, Callable[[int], Found]]] = {
    "whole": whole,
    "fair": fair,
    "runs": runs,
    "partial": partial,
    "abstract": abstract,
}


def _drawn(model: Model) -> str:
    steps = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    lines = [f"{s} {model.labels[a]} {t}" for s, a, t in steps]
    return "\n".join([*(f"{own.name} {own.values.tolist()}" for own in model.propositions), *lines])
