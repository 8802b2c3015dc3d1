"""Runs of an abstraction that violate a claim, as rows of stretches: what has to be real for the code to violate it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.check.ltl.beginnings import Beginning
from stateglass.check.ltl.violations import Search
from stateglass.evidence import Path
from stateglass.explore.stretches import Phase
from stateglass.logic import temporal
from stateglass.model import ModelBuilder, Origin, Relation
from stateglass.smt import Term
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.temporal.events import Truths
from stateglass.unbounded.temporal.modelling import Modelled, Node, meaning_of
from stateglass.unbounded.temporal.split import Asked
from stateglass.unbounded.walks.paths import Row, along
from stateglass.work import silent

_ROUNDS: Final = 2
"""How often the repeated part of a run is gone to see whether what comes before its end violates a claim."""


@final
@dataclass(frozen=True, slots=True)
class AbstractRun:
    """A run of the abstraction from the start: nodes, and the stretch from each to the next; from `loop` on again."""

    nodes: tuple[Node, ...]  # one more than stretches
    stretches: tuple[int, ...]
    loop: int | None = None  # the number of the first stretch that is repeated

    @property
    def states(self) -> list[State]:
        return [node.state for node in self.nodes]

    def beginning(self, stretches: int) -> AbstractRun:
        return AbstractRun(self.nodes[: stretches + 1], self.stretches[:stretches])

    def beginnings(self, least: int) -> Iterator[AbstractRun]:
        """Beginnings of at least so many stretches, the shortest first; what is repeated is gone a few times."""
        whole = self if self.loop is None else self.rounds(_ROUNDS)
        return (whole.beginning(count) for count in range(least, len(whole.stretches) + 1))

    def rounds(self, count: int) -> AbstractRun:
        """As a finite run that goes so often through what is repeated."""
        assert self.loop is not None
        nodes, stretches = self.nodes[: self.loop + 1], self.stretches[: self.loop]
        for _ in range(count):
            nodes += self.nodes[self.loop + 1 :]
            stretches += self.stretches[self.loop :]
        return AbstractRun(nodes, stretches)


def run_along(path: Path, modelled: Modelled, first: tuple[Node, int] | None) -> AbstractRun:
    """A path of the model as a run; `first` is the start and the stretch from it, if the model begins behind it."""
    nodes = [modelled.nodes[path.start]]
    stretches: list[int] = []
    loop = path.loop_start
    if first is not None:
        nodes.insert(0, first[0])
        stretches.append(first[1])
        loop = None if loop is None else loop + 1
    for step in path.steps:
        target = modelled.nodes[step.target]
        stretch = modelled.stretches.get(step.action)
        if stretch is None:
            break  # an error that happens: nothing comes behind it
        nodes.append(target)
        stretches.append(stretch)
    return AbstractRun(tuple(nodes), tuple(stretches), loop)


def violating_beginning(formula: temporal.Formula, run: AbstractRun, asked: Asked) -> AbstractRun | None:
    """The shortest beginning that violates a formula however it goes on, if there is one."""
    whole = run if run.loop is None else run.rounds(_ROUNDS)
    skipped = 0 if asked.begins_before else 1
    nodes = whole.nodes[skipped:]
    builder = ModelBuilder()
    labels: dict[str, Truths] = {}
    for number, stretch in enumerate(whole.stretches[skipped:]):
        label = f"#{stretch}"
        labels[label] = asked.truths[stretch]
        builder.add(number, label, number + 1, None)
    model = builder.build(
        len(nodes), unexplored=range(len(nodes)), origin=Origin(Relation.UNDER, partial=("a beginning",))
    )
    found = Search(model, (), meaning_of(asked, model, nodes, labels, {}), silent).violation(formula)
    if not isinstance(found, Beginning):
        return None
    return whole.beginning(len(found.steps) + skipped)


def wanted_of(run: AbstractRun, asked: Asked) -> list[Term]:
    """What atoms say of the states of a run, in terms of the slots of each."""
    flow = asked.flow
    wanted: list[list[Term]] = [[] for _ in run.nodes]
    for position, node in enumerate(run.nodes):
        phase, at = flow.rests[node.rest].phase, position
        if phase.is_end:
            at -= 1  # an end has the values of what is before it
        elif phase is Phase.START and not asked.begins_before:
            continue
        for term, truth in zip(asked.atoms[run.nodes[at].rest, phase], node.atoms, strict=True):
            if truth is not None:
                wanted[at].append(term if truth else flow.terms.negation(term))
    return [flow.terms.both(*terms) for terms in wanted]


def row_of(run: AbstractRun, asked: Asked) -> tuple[Row, list[Term]]:
    """The row of a run, and what atoms say of its states, in terms of what is chosen along the row."""
    flow = asked.flow
    row = along(flow, run.stretches)
    held = [step.slots for step in row.steps] + [row.slots]
    facts: list[Term] = []
    for node, wanted, slots in zip(run.nodes, wanted_of(run, asked), held, strict=True):
        values = {slot.term: term for slot, term in zip(flow.rests[node.rest].slots, slots, strict=True)}
        facts.append(flow.terms.substituted(wanted, values))
    return row, [fact for fact in facts if fact is not flow.terms.true]
