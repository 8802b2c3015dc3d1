"""One run of each thread that the reference semantics has done: what becomes of them when they run together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from stateglass.evidence import Answer, Path, Verdict
from stateglass.model import Model, Relation
from stateglass.relate.product import Product, product
from stateglass.unbounded.threads.composing import Composition, composed, composition_of, rules_of
from stateglass.unbounded.threads.following import Taken
from stateglass.unbounded.threads.joining import Interest
from stateglass.unbounded.threads.parts import Team
from stateglass.unbounded.threads.wholes import AT_ONCE, whole_of
from stateglass.work import Progress, silent

MOST_STATES: Final = 200_000
"""So many states runs have at most together."""


def together(
    team: Team, interest: Interest, aliases: Mapping[str, str], decided: Callable[[Model], Answer], progress: Progress
) -> tuple[Composition, Answer] | None:
    """What parts do together that violates a claim, and the answer to it; None if nothing does.

    Of many runs, there are more orders than can be looked at. One is found where parts are put together step by step,
    and looked at by itself.
    """
    composition = composed(team, AT_ONCE, aliases, progress)
    if not composition.found.complete:
        whole = whole_of(team, interest, MOST_STATES, progress, aliases, at_once=0)
        answer = None if whole is None else decided(whole.model)
        if whole is None or answer is None or answer.verdict is not Verdict.VIOLATED:
            return None
        if not isinstance(answer.evidence, Path):
            return None
        composition = in_this_order(team, whole.taken(answer.evidence), aliases)
    answer = decided(composition.model)
    if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
        return None
    return composition, answer


def in_this_order(team: Team, taken: Taken, aliases: Mapping[str, str]) -> Composition:
    """What parts do together, as if nothing else could happen: only what may follow at the end is known."""
    rules = rules_of(team)
    moves = {frozenset(zip(rule.components, rule.labels, strict=True)): rule.result for rule in rules}
    results = tuple(dict.fromkeys(moves.values()))
    states = [tuple(part.model.initial for part in team.parts)]
    numbers = {states[0]: 0}
    edges: dict[tuple[int, int, int], None] = {}
    at = states[0]
    for rows in taken.rows:
        result = moves[frozenset((part, label) for part, (_, label, _) in rows.items())]
        after = tuple(rows[part][2] if part in rows else own for part, own in enumerate(at))
        if after not in numbers:
            numbers[after] = len(states)
            states.append(after)
        edges[numbers[at], results.index(result), numbers[after]] = None
        at = after
    columns = np.array(list(edges), dtype=np.int32).reshape(-1, 3).T
    found = Product(np.array(states, dtype=np.int32), columns[0], columns[1], columns[2], results, len(states))
    ahead = product([replace(p.model, initial=own) for p, own in zip(team.parts, at, strict=True)], rules, 1, silent)
    composition = composition_of(team, rules, found, len(states), aliases)
    model = composition.model
    unexplored = np.ones(len(states), dtype=np.bool_)
    is_over = any(part.over is not None and part.over[own] for part, own in zip(team.parts, at, strict=True))
    if is_over or not len(ahead.labels):
        unexplored[numbers[at]] = model.is_unexplored(numbers[at])
    origin = replace(model.origin, relation=Relation.UNDER, partial=("this is a single run",))
    return replace(composition, model=replace(model, unexplored=unexplored, origin=origin))
