"""Calls of extracted models, held against reflexion models of the same functions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from stateglass.check.predicates import predicate_truth
from stateglass.logic.reading.conditions import read_conditions
from stateglass.model import STABLE, Model, Sort
from stateglass.operations.proposing import hypothesis_over
from stateglass.pipeline import reflect_machine
from stateglass.reflexion.reflecting import Limits
from stateglass.source import InputError
from tests.agreement.rows import options_of
from tests.test_examples import model_of


def missed_transitions(folder: Path) -> tuple[int, list[str]]:
    """Calls of the extracted model that a reflexion model of the same states does not have, and how many there are."""
    model, options = model_of(folder), options_of(folder)
    kept = [own for own in model.propositions if own.name != STABLE and own.sort in (Sort.BOOL, Sort.ENUM)]
    looked, missed = 0, list[str]()
    for function in options.functions:
        try:
            asked = replace(options, functions=(function,))
            hypothesis = hypothesis_over(asked, [own.name for own in kept[:2]], None, None)
        except InputError:
            continue  # it does not look at these variables
        found = reflect_machine(hypothesis, options, Limits(questions=0)).model
        edges = {(edge.source, edge.target) for edge in found.edges if edge.in_code}
        said = {one.name: one.condition.text for one in hypothesis.states if one.condition is not None}
        place = {state: name for name, condition in said.items() for state in states_in(model, condition)}
        for source, target in calls_of(model, function):
            looked += 1
            if (place[source], place[target]) not in edges:
                missed.append(f"{function}: from {place[source]} to {place[target]}")
    return looked, missed


def calls_of(model: Model, function: str) -> set[tuple[int, int]]:
    """States between calls, and those in which a call can end."""
    stable = model.proposition(STABLE)
    assert stable is not None
    found = set[tuple[int, int]]()
    for source in range(model.states):
        ways = range(model.first[source], model.first[source + 1])
        calls = [n for n in ways if model.labels[model.actions[n]].startswith(f"call({function}")]
        todo, seen = [int(model.targets[n]) for n in calls], set[int]()
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            if stable.values[state]:
                found.add((source, state))
            else:
                todo += model.targets[model.first[state] : model.first[state + 1]].tolist()
    return found


def states_in(model: Model, condition: str) -> list[int]:
    (read,), _ = read_conditions([condition])
    return [int(state) for state in np.flatnonzero(predicate_truth(read.predicate, model).must)]
