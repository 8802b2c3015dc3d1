"""Verdicts on random scenarios by both ways."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from stateglass.evidence import Verdict
from stateglass.model import Model
from stateglass.scenarios.language import Relation, Story
from stateglass.scenarios.reading import read_story
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.writing import story_text
from tests.scenarios.chances import random_fairness, random_model, random_scenario, random_vocabulary
from tests.scenarios.reference import Reference

MOST_WORK: Final = 6_000


def disagreement(seed: int, *, fair: bool = False) -> str | None:
    """What the two ways say of the scenario of a seed, if they do not agree."""
    chance = random.Random(seed)
    model, vocabulary = random_model(chance), random_vocabulary(chance)
    scenario = random_scenario(chance)
    if fair:
        # Only what is to follow some day depends on what runs do for ever.
        links = [replace(link, relation=Relation.LEADS_TO) for link in scenario.parts[0].links]
        part = replace(scenario.parts[0], links=tuple(links), scope=None)
        scenario = replace(scenario, parts=(part,), fairness=random_fairness(chance))
    text = story_text(Story(vocabulary, (scenario,)))
    # What is validated is what was read: the way through the text belongs to it.
    read = read_story(text, "random.scenarios")
    told = replace(read.scenarios[0], fairness=scenario.fairness)
    ours = Validator(model, read.vocabulary).validate(told).verdict
    theirs: Verdict | None = None
    for uses in (1, 2, 3, 4):
        reference = Reference(model, vocabulary, uses)
        theirs = reference.verdict(scenario)
        if theirs is ours:
            return None
        if reference.size > MOST_WORK:
            break
    assert theirs is not None
    return f"{seed}: {ours.value} here, {theirs.value} by runs\n{text}{scenario.fairness}\n{_drawn(model)}"


def _drawn(model: Model) -> str:
    steps = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    lines = [f"{s} {model.labels[a]} {t}" for s, a, t in steps]
    return "\n".join([*(f"{own.name} {own.values.tolist()}" for own in model.propositions), *lines])
