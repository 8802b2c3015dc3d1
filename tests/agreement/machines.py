"""Calls of extracted models, held against reflexion models of the same functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from stateglass.check.predicates import predicate_truth
from stateglass.logic.reading.conditions import read_conditions
from stateglass.model import STABLE, Model, Sort
from stateglass.operations.hypotheses import REST, Hypothesis, load_machine, source_files
from stateglass.operations.proposing import hypothesis_over
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract, reflect_machine
from stateglass.reflexion.reflecting import Limits
from stateglass.source import InputError
from tests.agreement.rows import options_of
from tests.test_examples import model_of

BOUNDS: Final = {
    "coordinator": (("coordinate_100ms.degrees", "{29, 30, 90, 91, 96}"),),
    "one_hot_flags": (("washer_tick.water", "{-1, 0, 39, 40}"),),
    "pattern_search": (("search_step.level", "{0, 1, 101}"),),
    "saturating_counter": (("monitor_10ms.sample", "{39, 40}"), ("set_maximum.limit", "3")),
}
"""Values of inputs on both sides of what the code asks of them."""
OTHER_CALLS: Final = {"saturating_counter": ("set_maximum",)}


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
        more, wrong = _missed(model, function, hypothesis, options)
        looked, missed = looked + more, missed + wrong
    return looked, missed


def missed_by_machine(file: Path) -> tuple[int, list[str]]:
    """The same for the states of a machine that stands beside the code, and calls with some values of its inputs."""
    hypothesis = load_machine(str(file))
    functions = dict.fromkeys((*OTHER_CALLS.get(file.parent.name, ()), hypothesis.function))
    options = ExtractOptions(
        files=source_files(hypothesis), functions=tuple(functions), bounds=BOUNDS.get(file.parent.name, ())
    )
    model = extract(options).exploration.model
    assert not model.partial
    return _missed(model, hypothesis.function, hypothesis, options)


def _missed(model: Model, function: str, hypothesis: Hypothesis, options: ExtractOptions) -> tuple[int, list[str]]:
    found = reflect_machine(hypothesis, options, Limits(questions=0)).model
    edges = {(edge.source, edge.target) for edge in found.edges if edge.in_code}
    numbers = _enumerators(options.files, model)
    said = {
        one.name: re.sub(r"\w+", lambda word: numbers.get(word[0], word[0]), one.condition.text)
        for one in hypothesis.states
        if one.condition is not None
    }
    place = {state: name for name, condition in said.items() for state in states_in(model, condition)}
    pairs = [(place.get(a, REST), place.get(b, REST)) for a, b in calls_of(model, function)]
    missed = [f"{function}: from {source} to {target}" for source, target in pairs if (source, target) not in edges]
    return len(pairs), missed


def _enumerators(files: Sequence[str], model: Model) -> dict[str, str]:
    """The numbers of enumerators that the model, which has their variable as a number, does not know."""
    known = {name for own in model.propositions for _, name in own.names}
    lists = [m for file in files for m in re.findall(r"enum\s*\w*\s*\{([^}]*)\}", Path(file).read_text("utf-8"))]
    every = {name.strip(): str(number) for names in lists for number, name in enumerate(names.split(","))}
    return {name: number for name, number in every.items() if name not in known}


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
