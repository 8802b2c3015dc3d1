"""Which claims on code one model serves: those that see the same variables change.

A model keeps every value of the variables that its claims ask about. A value that only another claim asks about would
be one more state between two others: what a claim says must not depend on the claims beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from stateglass.answers.checking import Checked, Checking
from stateglass.answers.claims import names_asked
from stateglass.explore import Manner
from stateglass.explore.stepwise import cells_called, prepare
from stateglass.logic.claims import Claim
from stateglass.system import System


@final
@dataclass(frozen=True, slots=True)
class Group:
    """Claims, by their numbers, and the names that they ask about."""

    claims: tuple[int, ...]
    watch: frozenset[str]


def grouped(claims: Sequence[Claim], system: System, manner: Manner) -> list[Group]:
    """The claims by the variables they see; where every step is kept, all of them are seen."""
    everything = tuple(range(len(claims)))
    if manner.every_step:
        return [Group(everything, frozenset())]
    names = [names_asked([claim]) for claim in claims]
    if len(set(names)) <= 1:
        return [Group(everything, names[0] if names else frozenset())]
    # Enumerators are names, too: what counts is which variables are meant.
    machine, _ = prepare(system, manner)
    members: dict[tuple[int, ...], list[int]] = {}
    for number, asked in enumerate(names):
        members.setdefault(tuple(sorted(cells_called(machine, asked))), []).append(number)
    return [Group(tuple(found), frozenset[str]().union(*(names[n] for n in found))) for found in members.values()]


def joined(groups: Sequence[Group], parts: Sequence[Checking]) -> Checking:
    """The answers in the order of the claims, and the largest model; answers of the last groups may be missing."""
    answers: dict[int, Checked] = {}
    for group, part in zip(groups, parts, strict=False):
        answers |= dict(zip(group.claims, part.checked, strict=False))
    model = max((part.model for part in parts), key=lambda model: model.states)
    interrupted = any(part.interrupted for part in parts)
    return Checking(model, tuple(answers[n] for n in sorted(answers)), interrupted, len(parts))
