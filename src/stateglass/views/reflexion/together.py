"""Reflexion models of functions that answer to the events of a statechart, as one model to look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar, final

from stateglass.evidence import Edge, ReflexionModel, StateFound
from stateglass.views.reflexion.relevance import is_pseudo

_T = TypeVar("_T")
_NOWHERE_ELSE: Final = frozenset(("other", "error", "exit"))


@final
@dataclass(frozen=True, slots=True)
class Part:
    """What was found about one function: the event that it answers to, and whose states it is about."""

    owner: str
    event: str
    model: ReflexionModel


def together(parts: Sequence[Part], machine: str, function: str) -> ReflexionModel:
    """All of them; of several owners, each is a state that has its own inside."""
    several = len({part.owner for part in parts}) > 1
    told = [_told(part) if several else part.model for part in parts]
    edges = [replace(e, event=part.event) for part, own in zip(parts, told, strict=True) for e in own.edges]
    return ReflexionModel(
        machine,
        function,
        tuple(_states(parts, told, several=several)),
        tuple(edges),
        tuple(_once(warning for own in told for warning in own.warnings)),
        next((own.uncovered for own in told if own.uncovered is not None), None),
        tuple(_once(bound for own in told for bound in own.bounds)),
        tuple(_once(text for own in told for text in own.assumptions)),
        tuple(_once(f"{part.event}: {why}" for part in parts for why in part.model.inconclusive)),
    )


def _told(part: Part) -> ReflexionModel:
    """The model with the owner in front of the names of states."""

    def named(name: str) -> str:
        return name if name in _NOWHERE_ELSE else f"{part.owner}.{name}"

    def edge(one: Edge) -> Edge:
        elsewhere = None if one.elsewhere is None else (named(one.elsewhere[0]), one.elsewhere[1])
        return replace(one, source=named(one.source), target=named(one.target), elsewhere=elsewhere)

    states = (s if is_pseudo(s) else replace(s, name=named(s.name), parent=part.owner) for s in part.model.states)
    return replace(part.model, states=tuple(states), edges=tuple(map(edge, part.model.edges)))


def _states(parts: Sequence[Part], told: Sequence[ReflexionModel], *, several: bool) -> Iterator[StateFound]:
    owners = _once(part.owner for part in parts) if several else []
    yield from (StateFound(owner, "", itself=False) for owner in owners)
    found: dict[str, StateFound] = {}
    for state in (state for own in told for state in own.states):
        known = found.setdefault(state.name, state)
        # What a function by itself never leaves, another one does.
        found[state.name] = replace(
            known, satisfiable=known.satisfiable or state.satisfiable, is_trap=False, is_entered=True, is_left=True
        )
    yield from (state for state in found.values() if not is_pseudo(state))
    yield from (state for state in found.values() if is_pseudo(state))


def _once(items: Iterable[_T]) -> list[_T]:
    return list(dict.fromkeys(items))
