"""Threads with fixed priorities: of those that can do a step, only the most urgent ones do.

What one thread does together with another that waits for it is the step of the one that is active. Steps of nobody who
has a priority, such as those of the surroundings, may be done at any time. What cannot happen then is left out of the
exact model; of an abstract one nothing may be left out, since it may show steps that the most urgent thread cannot do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import product as combinations
from typing import Final, final

import numpy as np

from stateglass.model import TAU, Model, parsed
from stateglass.relate.product import Product
from stateglass.relate.rules import Rule
from stateglass.unbounded.threads.composing import Composition, composition_of, rules_of
from stateglass.unbounded.threads.parts import Team
from stateglass.work import Progress

_ANYBODY: Final = -1
_AT_ONCE: Final = -2
_TOLD_EVERY: Final = 1_000


@final
@dataclass(frozen=True)
class Scheduling:
    """Who goes first: the thread with the smallest number."""

    urgency: Mapping[str, int] = field(default_factory=dict)  # by thread; others are not scheduled
    active: Mapping[str, str] = field(default_factory=dict)  # by the name of an event: the thread that brings it about
    calls: Mapping[str, str] = field(default_factory=dict)  # by the name of an event: the thread that waits after it

    def rank(self, rule: Rule, team: Team) -> int:
        """How urgent a step is."""
        active = self.active.get(parsed(rule.result).name)
        if active is not None:
            return self.urgency.get(active, _ANYBODY)
        known = [n for part in rule.components if (n := self.urgency.get(team.names[part])) is not None]
        return max(known, default=_ANYBODY)

    def calling(self, team: Team) -> Sequence[Set[int]]:
        """Where the code of each part has begun what it waits for next: it takes no time to begin to wait."""
        steps = [_steps_of(part.model) for part in team.parts]
        linked = {label for _, _, labels in team.links for label in labels}
        begun = [[*self._begun(own, name)] for own, name in zip(steps, team.names, strict=True)]
        back: list[set[str]] = [set() for _ in team.parts]  # how a call returns by which the code has begun it
        for code, answer, labels in team.links:
            back[code] |= {label for target in begun[answer] for label in steps[answer].get(target, ())} & labels
        found: list[set[int]] = [set() for _ in team.parts]
        for code, part in enumerate(team.parts):
            silent = back[code] | {TAU}
            waiting = [state for state, own in steps[code].items() if back[code] & own.keys()]
            waiting += begun[code] if part.is_code else []
            while waiting:
                state = waiting.pop()
                own = steps[code].get(state, {})
                if state in found[code] or not own or not own.keys() <= linked | {TAU}:
                    continue
                found[code].add(state)
                if own.keys() <= silent:
                    waiting += [target for targets in own.values() for target in targets]
        return found

    def _begun(self, steps: _Steps, thread: str) -> Iterator[int]:
        """The states of a part of a thread in which it has just begun what it waits for."""
        for own in steps.values():
            for label, targets in own.items():
                if self.calls.get(parsed(label).name) == thread:
                    yield from targets


def scheduled(
    team: Team, scheduling: Scheduling, aliases: Mapping[str, str], most_states: int, progress: Progress
) -> Composition:
    """All that threads do together if the most urgent ones go first."""
    rules = rules_of(team)
    return composition_of(team, rules, _product(team, rules, scheduling, most_states, progress), most_states, aliases)


State = tuple[int, ...]


def _product(
    team: Team, rules: Sequence[Rule], scheduling: Scheduling, most_states: int, progress: Progress
) -> Product:
    """Breadth first, state by state: what is done in a state depends on all that could be."""
    results = tuple(dict.fromkeys(rule.result for rule in rules))
    numbers = {result: number for number, result in enumerate(results)}
    ranks = [scheduling.rank(rule, team) for rule in rules]
    beginning = _by_beginning(rules)
    steps = [_steps_of(part.model) for part in team.parts]
    calling = scheduling.calling(team)

    def rank(number: int, state: State) -> int:
        rule = rules[number]
        part = rule.components[0]
        return _AT_ONCE if rule.result == TAU and state[part] in calling[part] else ranks[number]

    first = tuple(part.model.initial for part in team.parts)
    known, states, waiting = {first: 0}, [first], deque([first])
    edges: dict[tuple[int, int, int], None] = {}
    expanded = 0
    while waiting and len(states) <= most_states:
        state = waiting.popleft()
        over = any(part.over is not None and part.over[at] for part, at in zip(team.parts, state, strict=True))
        able = [] if over else [(rank(n, state), n, target) for n, target in _able(state, steps, beginning, rules)]
        best = min((urgency for urgency, _, _ in able if urgency != _ANYBODY), default=_ANYBODY)
        for urgency, number, target in able:
            if urgency not in (best, _ANYBODY):
                continue
            if target not in known:
                known[target] = len(states)
                states.append(target)
                waiting.append(target)
            edges[expanded, numbers[rules[number].result], known[target]] = None
        expanded += 1
        if expanded % _TOLD_EVERY == 0:
            progress("putting threads together", states=len(states))
    columns = np.array(list(edges), dtype=np.int32).reshape(-1, 3).T
    return Product(np.array(states, dtype=np.int32), columns[0], columns[1], columns[2], results, expanded)


_Steps = Mapping[int, Mapping[str, Sequence[int]]]


def _steps_of(model: Model) -> _Steps:
    """The targets of each state by labels."""
    found: dict[int, dict[str, list[int]]] = {}
    for source, action, target in zip(
        model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True
    ):
        found.setdefault(source, {}).setdefault(model.labels[action], []).append(target)
    return found


def _by_beginning(rules: Sequence[Rule]) -> Mapping[tuple[int, str], Sequence[int]]:
    """Rules by the first component that takes part and its label."""
    found: dict[tuple[int, str], list[int]] = {}
    for number, rule in enumerate(rules):
        found.setdefault((rule.components[0], rule.labels[0]), []).append(number)
    return found


def _able(
    state: State, steps: Sequence[_Steps], beginning: Mapping[tuple[int, str], Sequence[int]], rules: Sequence[Rule]
) -> Iterator[tuple[int, State]]:
    """The rules that can be followed in a state, and where to."""
    for part, at in enumerate(state):
        for label in steps[part].get(at, ()):
            for number in beginning.get((part, label), ()):
                rule = rules[number]
                pairs = zip(rule.components, rule.labels, strict=True)
                targets = [steps[c].get(state[c], {}).get(own, ()) for c, own in pairs]
                for chosen in combinations(*targets):
                    after = list(state)
                    for component, target in zip(rule.components, chosen, strict=True):
                        after[component] = target
                    yield number, tuple(after)
