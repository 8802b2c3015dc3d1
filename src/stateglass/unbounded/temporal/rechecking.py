"""Whether an abstraction has all steps that it must have: asked again, one by one, of other solvers."""

from __future__ import annotations

from stateglass.smt import Answer, Solver
from stateglass.unbounded.abstraction.predicates import Predicates, State
from stateglass.unbounded.temporal.modelling import Modelled
from stateglass.unbounded.temporal.split import Asked
from stateglass.unbounded.time import Deadline


def problem_of(asked: Asked, modelled: Modelled, predicates: Predicates, time: Deadline) -> str:
    """What is missing from a model of an abstraction, in words; nothing if it is complete."""
    flow, terms = asked.flow, asked.flow.terms
    nodes, model = modelled.nodes, modelled.model
    targets: dict[tuple[State, int], list[State]] = {}
    for source, action, target in zip(model.sources, model.actions, model.targets, strict=True):
        number = modelled.stretches.get(model.labels[action])
        if number is not None:
            targets.setdefault((nodes[source].state, number), []).append(nodes[target].state)
    states = dict.fromkeys(node.state for node in nodes if not node.is_over)
    if not asked.begins_before:
        (first,) = flow.leaving[0]
        start = State(0, ())
        states = {start: None, **states}
        targets[start, first.number] = [nodes[number].state for number in modelled.firsts]
    solvers: dict[int, Solver] = {}
    for state in states:
        if flow.rests[state.rest].phase.is_end:
            continue
        solver = solvers.get(state.rest)
        if solver is None:
            solver = solvers[state.rest] = Solver(seconds=time.left(), shared=time.effort)
        literals = predicates.literals(state)
        for stretch in flow.leaving[state.rest]:
            slots = {s.term: t for s, t in zip(flow.rests[stretch.target].slots, stretch.after, strict=True)}
            known = targets.get((state, stretch.number), [])
            led = [terms.substituted(predicates.condition(target), slots) for target in known]
            match solver.check([*literals, stretch.guard, terms.negation(terms.either(*led))]):
                case Answer.YES:
                    return f"the abstraction lacks a step from {flow.rests[state.rest]}"
                case Answer.UNKNOWN:
                    return "whether the abstraction has all steps is not known in time"
                case Answer.NO:
                    pass
    return ""
