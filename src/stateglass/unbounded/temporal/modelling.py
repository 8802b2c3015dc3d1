"""The abstraction of a flow as a model, with the meaning of a claim's atoms on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, final

import numpy as np

from stateglass.check.ltl.alphabet import Meaning
from stateglass.check.truth import Truth, open_states
from stateglass.explore.stepwise import counting
from stateglass.explore.stretches import Phase
from stateglass.logic.predicates import Predicate
from stateglass.model import TAU, Action, Model, ModelBuilder, Origin, Relation, Verb
from stateglass.model.parts import with_transitions
from stateglass.system import System
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.temporal.events import Truths
from stateglass.unbounded.temporal.falling import Falling
from stateglass.unbounded.temporal.split import Asked
from stateglass.work import Progress

MOST_STATES: Final = 20_000
"""Abstractions of more states are given up."""
_NOWHERE: Final = -1


@final
class TooManyStates(Exception):
    """The abstraction has more states than anybody wants to look at."""


@final
@dataclass(frozen=True, slots=True)
class Node:
    """A state of the model: an abstract state, or an end with the values of the state before it."""

    state: State
    atoms: Truths
    is_over: bool = False  # an error has been told: nothing follows

    @property
    def rest(self) -> int:
        return self.state.rest


@final
@dataclass(frozen=True)
class Modelled:
    """A model, its states, and what each of its labels is: a stretch, or a step that no stretch makes."""

    model: Model
    meaning: Meaning
    nodes: tuple[Node, ...]
    stretches: dict[str, int] = field(default_factory=dict)  # by label; other labels are no stretches
    firsts: tuple[int, ...] = (0,)  # the states that runs begin in

    def beginnings(self) -> Iterator[Model]:
        """The model as it is from each of the states that runs begin in, without runs that do not count."""
        kept = counting(self.model, self.model.deadlocks)
        counted = with_transitions(self.model, kept[self.model.targets])
        return (replace(counted, initial=number) for number in self.firsts if kept[number])


@final
class Modelling:
    """Makes models of an abstraction that grows."""

    def __init__(self, asked: Asked, abstraction: Abstraction, system: System, falling: Falling) -> None:
        self._asked = asked
        self._abstraction = abstraction
        self._system = system
        self._falling = falling

    def model(self, progress: Progress, rounds: int) -> Modelled:
        """All that can be reached; what falls on a step is an event beside those of the claim."""
        asked, flow, system = self._asked, self._asked.flow, self._system
        builder = ModelBuilder()
        numbers: dict[Node, int] = {}
        nodes: list[Node] = []
        labels: dict[str, Truths] = {}
        fallen: dict[str, Truths] = {}
        stretches: dict[str, int] = {}

        def number_of(node: Node) -> int:
            if node not in numbers:
                if len(nodes) >= MOST_STATES:
                    raise TooManyStates
                numbers[node] = len(nodes)
                nodes.append(node)
            return numbers[node]

        firsts = tuple(map(number_of, self._firsts()))
        predicates, at = len(self._abstraction.predicates), 0
        while at < len(nodes):
            node = nodes[at]
            progress("refining", iteration=rounds, predicates=predicates, states=len(nodes))
            for step, truths, target, stretch in self._steps(node):
                falls = self._falls(node, stretch)
                label = f"{step} {falls}" if any(falls) else step
                labels[label], fallen[label] = truths, falls
                if stretch >= 0:
                    stretches[label] = stretch
                builder.add(at, label, number_of(target), flow.rests[node.rest].span if stretch >= 0 else None)
            at += 1
        lost = [n for n, node in enumerate(nodes) if self._phase(node) is Phase.LOST]
        terminal = [n for n, node in enumerate(nodes) if node.is_over or self._phase(node) is Phase.OVER]
        reasons = tuple(dict.fromkeys(str(flow.rests[nodes[n].rest]) for n in lost))
        origin = Origin(
            Relation.OVER,
            system.subject,
            system.program.files,
            system.bounds,
            tuple(system.assumptions),
            partial=reasons,
        )
        model = builder.build(len(nodes), terminal=terminal, unexplored=lost, origin=origin)
        patterns = enumerate(self._falling.patterns)
        more = {pattern: _truth([fallen[label][n] for label in model.labels]) for n, pattern in patterns}
        return Modelled(model, meaning_of(asked, model, nodes, labels, more), tuple(nodes), stretches, firsts)

    def _firsts(self) -> list[Node]:
        """Where runs begin: in one state, or in one of those with what is chosen once."""
        start = self._abstraction.start
        if self._asked.begins_before:
            return [self._node(start)]
        return list(dict.fromkeys(self._node(step.target) for step in self._abstraction.successors(start)))

    def _falls(self, node: Node, stretch: int) -> Truths:
        if stretch < 0:
            return (False,) * len(self._falling.patterns)
        return self._falling.on(self._abstraction.condition(node.state), self._asked.flow.stretches[stretch])

    def _phase(self, node: Node) -> Phase:
        return self._asked.flow.rests[node.rest].phase

    def _node(self, state: State, before: State | None = None) -> Node:
        """The node of a state; of an end, with the values of the state before it."""
        phase = self._asked.flow.rests[state.rest].phase
        source = before if before is not None and phase.is_end else state
        terms, flow = self._asked.atoms[source.rest, phase], self._asked.flow
        return Node(
            state,
            tuple(
                True
                if term is flow.terms.true
                else False
                if term is flow.terms.false
                else self._abstraction.predicates.holds(source, term)
                for term in terms
            ),
        )

    def _steps(self, node: Node) -> Iterable[tuple[str, Truths, Node, int]]:
        """Labels, which patterns mean them, where they lead to, and by which stretch."""
        asked, rest = self._asked, self._asked.flow.rests[node.rest]
        if node.is_over or rest.phase in (Phase.OVER, Phase.LOST):
            return
        if rest.phase is Phase.FAILED:
            over = replace(node, is_over=True)
            yield str(Action(Verb.ERROR, rest.what)), asked.errors[rest.what], over, _NOWHERE
            return
        for step in self._abstraction.successors(node.state):
            shown = asked.flow.stretches[step.stretch].action
            name = TAU if shown is None else str(Action(shown.verb, shown.name))
            label = f"{name} #{step.stretch}"
            yield label, asked.truths[step.stretch], self._node(step.target, node.state), step.stretch


def meaning_of(
    asked: Asked, model: Model, nodes: Iterable[Node], labels: Mapping[str, Truths], more: Mapping[str, Truth]
) -> Meaning:
    """What the atoms of the claim, and some more patterns, mean on a model of these nodes."""
    of_states = [node.atoms for node in nodes]
    of_labels = [labels[label] for label in model.labels]
    predicates = {id(p): _truth([atoms[n] for atoms in of_states]) for n, p in enumerate(asked.predicates)}
    patterns = {p: _truth([truths[n] for truths in of_labels]) for n, p in enumerate(asked.patterns)}
    patterns |= more

    def predicate(of: Predicate) -> Truth:
        return predicates[id(of)]

    def pattern(text: str) -> Truth:
        return patterns[text]

    return Meaning(predicate, pattern, open_states(model))


def _truth(values: list[bool | None]) -> Truth:
    must = np.array([value is True for value in values], dtype=np.bool_)
    may = np.array([value is not False for value in values], dtype=np.bool_)
    return Truth.known(must) if (must == may).all() else Truth(must, may)
