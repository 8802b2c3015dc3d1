"""Threads that are put together step by step do what they do at once, and runs of theirs are runs of all of them."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from stateglass.model import TAU, Model, Proposition, Relation, Sort
from stateglass.reduce import Equivalence
from stateglass.relate import Related, compare
from stateglass.relate.patience import Patience
from stateglass.unbounded.threads.composing import rules_of
from stateglass.unbounded.threads.following import Taken
from stateglass.unbounded.threads.joining import Interest, Shelf
from stateglass.unbounded.threads.parts import Team
from stateglass.unbounded.threads.wholes import Whole, whole_of
from stateglass.work import silent
from tests.unbounded.threads.teams import at_once, random_interest, random_path, random_team

SEEDS = range(60)


def whole(team: Team, interest: Interest, chance: random.Random) -> Whole:
    """All in one, block by block, or block by block until two of them are too large, perhaps after other claims."""
    once, between = chance.choice(((1_000, 0), (0, 1_000), (0, 1_000), (0, chance.randint(2, 20))))
    shelf = Shelf()
    for _ in range(chance.randint(0, 2)):
        whole_of(team, random_interest(chance), 1_000_000, silent, at_once=once, between=between, shelf=shelf)
    found = whole_of(team, interest, 1_000_000, silent, at_once=once, between=between, shelf=shelf)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_step_by_step_is_the_same_as_at_once(seed: int) -> None:
    chance = random.Random(seed)
    team, interest = random_team(chance), random_interest(chance)
    found, expected = whole(team, interest, chance).model, at_once(team, interest)
    names = [p.name for p in expected.propositions]
    assert sorted(names) == sorted(p.name for p in found.propositions)
    assert (found.unexplored is None) == (expected.unexplored is None)
    # What is open is to be the same states, too: they are compared as if they had another value.
    patience = Patience(silent, 0.0)
    if expected.unexplored is not None:
        found, expected = _told(found), _told(expected)
        names.append("%open")
    by = Equivalence.DPBRANCHING
    answer = compare(found, expected, by, keep=names, progress=silent, patience=patience)
    assert isinstance(answer, Related)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_the_reduced_whole_is_one_of_all_parts(seed: int) -> None:
    chance = random.Random(seed)
    team, interest = random_team(chance), random_interest(chance)
    found = whole(team, interest, chance)
    for _ in range(5):
        path = random_path(chance, found.model)
        taken = found.taken(path)
        shown, states = _followed(team, taken)
        steps = [step.action for step in path.steps]
        if path.loop_start is None:
            assert [label for label in shown if interest.label(label)] == [a for a in steps if a != TAU]
            assert not _moves(team, states[-1]) or _is_over(team, states[-1])
            continue
        assert taken.loop is not None
        assert taken.loop < len(taken.rows)
        assert states[taken.loop] == states[-1]
        before, again = shown[: taken.loop], shown[taken.loop :]
        loop = [a for a in steps[path.loop_start :] if a != TAU]
        first = [a for a in steps[: path.loop_start] if a != TAU]
        seen, repeated = ([label for label in part if interest.label(label)] for part in (before, again))
        assert repeated == loop * (len(repeated) // max(len(loop), 1))
        assert seen == first + loop * ((len(seen) - len(first)) // max(len(loop), 1))


def _told(model: Model) -> Model:
    """A model that hides nothing: what is not known of it is a value."""
    assert model.unexplored is not None
    flags = Proposition("%open", Sort.BOOL, model.unexplored.astype(np.int64))
    origin = replace(model.origin, relation=Relation.EXACT, partial=())
    return replace(model, unexplored=None, propositions=(*model.propositions, flags), origin=origin)


def _followed(team: Team, taken: Taken) -> tuple[list[str], list[tuple[int, ...]]]:
    """What is seen of moves, and the states of all parts before each and at the end; each is one that may be."""
    moves = {frozenset(zip(rule.components, rule.labels, strict=True)): rule.result for rule in rules_of(team)}
    states, shown = [tuple(part.model.initial for part in team.parts)], []
    for rows in taken.rows:
        at = states[-1]
        assert not _is_over(team, at)
        for part, (source, label, target) in rows.items():
            assert source == at[part]
            assert (label, target) in _leaving(team, part, source)
        shown.append(moves[frozenset((part, row[1]) for part, row in rows.items())])
        states.append(tuple(rows[part][2] if part in rows else own for part, own in enumerate(at)))
    return shown, states


def _leaving(team: Team, part: int, state: int) -> list[tuple[str, int]]:
    model = team.parts[part].model
    found = range(int(model.first[state]), int(model.first[state + 1]))
    return [(model.labels[model.actions[t]], int(model.targets[t])) for t in found]


def _moves(team: Team, at: tuple[int, ...]) -> list[str]:
    """What may follow."""
    can = [{label for label, _ in _leaving(team, part, own)} for part, own in enumerate(at)]
    return [
        rule.result
        for rule in rules_of(team)
        if all(label in can[part] for part, label in zip(rule.components, rule.labels, strict=True))
    ]


def _is_over(team: Team, at: tuple[int, ...]) -> bool:
    return any(part.over is not None and bool(part.over[own]) for part, own in zip(team.parts, at, strict=True))
