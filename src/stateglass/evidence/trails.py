"""Runs of a model in terms of its source: what each step changes, where it stands, and whether it is a run at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from stateglass.evidence.claims import Graph, Node, Path, Step
from stateglass.model import STABLE, TAU, Model


def told(evidence: Path | Graph, model: Model) -> Path | Graph:
    """The evidence with what every step changes, and with the place in the source of its transition."""
    match evidence:
        case Path():
            return replace(evidence, steps=told_steps(evidence.steps, model))
        case Graph():
            labels = {label: number for number, label in enumerate(model.labels)}
            return Graph(tuple(_told_node(node, model, labels) for node in evidence.nodes))


def told_steps(steps: Iterable[Step], model: Model) -> tuple[Step, ...]:
    labels = {label: number for number, label in enumerate(model.labels)}
    return tuple(_told(step, model, labels) for step in steps)


def problem_of(evidence: Path | Graph, model: Model) -> str:
    """Why this is no run of the model, or no graph of its runs; empty if it is one."""
    labels = {label: number for number, label in enumerate(model.labels)}
    match evidence:
        case Path():
            return _problem_of_path(evidence, model, labels)
        case Graph():
            return _problem_of_graph(evidence, model, labels)


def _problem_of_graph(graph: Graph, model: Model, labels: dict[str, int]) -> str:
    if not graph.nodes or graph.nodes[0].state != model.initial:
        return "it does not start in the initial state"
    for number, node in enumerate(graph.nodes):
        for step, to in node.steps:
            if step.source != node.state or step.target != graph.nodes[to].state:
                return f"a step of node {number} leads from or to other states than its nodes have"
            # Conjunctions and the like are nodes of one state.
            taken = _transition(step, model, labels) is not None if step.action else step.source == step.target
            if not taken:
                return f"the model has no transition for a step of node {number}, `{step.action}`"
    return ""


def _problem_of_path(path: Path, model: Model, labels: dict[str, int]) -> str:
    at = model.initial
    if path.start != at:
        return f"it starts in state {path.start}, not in the initial one"
    for number, step in enumerate(path.steps):
        if step.source != at:
            return f"step {number + 1} does not start where the one before ends"
        if _transition(step, model, labels) is None:
            return f"the model has no transition for step {number + 1}, `{step.action}`"
        at = step.target
    if path.loop_start is not None:
        if not 0 <= path.loop_start < len(path.steps):
            return "what is repeated has no steps"
        if path.steps[path.loop_start].source != at:
            return "what is repeated does not end where it begins"
    elif path.ends and model.first[at] != model.first[at + 1]:
        return f"state {at} at its end can be left"
    return ""


def spine(graph: Graph) -> Path | None:
    """The run along the first step of each node, from the initial state to a node without one or seen before."""
    if not graph.nodes:
        return None
    met: dict[int, int] = {}
    steps: list[Step] = []
    number, loop_start = 0, None
    while graph.nodes[number].steps:
        if number in met:
            loop_start = met[number]
            break
        met[number] = len(steps)
        step, number = graph.nodes[number].steps[0]
        # Conjunctions and the like are nodes of one state.
        if step.source != step.target or step.action:
            steps.append(step)
    if loop_start is not None and loop_start >= len(steps):
        loop_start = None
    return Path(graph.nodes[0].state, tuple(steps), loop_start)


def files_of(evidence: Path | Graph) -> tuple[str, ...]:
    """The files that steps point to, in the order in which they are met."""
    steps = evidence.steps if isinstance(evidence, Path) else [s for n in evidence.nodes for s, _ in n.steps]
    return tuple(dict.fromkeys(step.span.file for step in steps if step.span is not None and step.span.file))


def folded(path: Path) -> Iterator[tuple[int, Step, int]]:
    """The steps to be shown, each with its number from 1 and how many silent ones go before it.

    Silent steps that change nothing are passed over, except where the repeated part or the path ends with them.
    """
    passed = 0
    for number, step in enumerate(path.steps):
        last = number + 1 in (len(path.steps), path.loop_start)
        if step.action == TAU and not step.changes and not last:
            passed += 1
            continue
        yield number + 1, step, passed
        passed = 0


def _told_node(node: Node, model: Model, labels: dict[str, int]) -> Node:
    steps = tuple((_told(step, model, labels) if step.action else step, to) for step, to in node.steps)
    return replace(node, steps=steps)


def _told(step: Step, model: Model, labels: dict[str, int]) -> Step:
    transition = _transition(step, model, labels)
    span = None if transition is None else model.span_of_transition(transition)
    changes = tuple(
        (p.name, after)
        for p in model.propositions
        # What changes it is seen by the action.
        if p.name != STABLE and (after := p.text(step.target)) != p.text(step.source)
    )
    return replace(step, changes=changes, span=span)


def _transition(step: Step, model: Model, labels: dict[str, int]) -> int | None:
    """The number of the transition that a step takes; transitions of a state are sorted by action and target."""
    label = labels.get(step.action)
    if label is None or not 0 <= step.source < model.states:
        return None
    first, last = int(model.first[step.source]), int(model.first[step.source + 1])
    start = first + int(np.searchsorted(model.actions[first:last], label, side="left"))
    end = first + int(np.searchsorted(model.actions[first:last], label, side="right"))
    found = start + int(np.searchsorted(model.targets[start:end], step.target))
    return found if found < end and model.targets[found] == step.target else None
