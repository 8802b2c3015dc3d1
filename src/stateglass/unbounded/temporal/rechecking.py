"""Whether an abstraction has all steps that it must have: asked again, one by one, of other solvers."""

from __future__ import annotations

from stateglass.explore.stretches import Phase
from stateglass.smt import Answer, Solver
from stateglass.unbounded.abstraction.predicates import Predicates, State
from stateglass.unbounded.temporal.modelling import Modelled
from stateglass.unbounded.temporal.split import Asked
from stateglass.unbounded.temporal.stopping import Stopping
from stateglass.unbounded.time import Deadline


def problem_of(asked: Asked, modelled: Modelled, predicates: Predicates, stopping: Stopping, time: Deadline) -> str:
    """What is missing from a model of an abstraction, in words; nothing if it is complete."""
    flow, terms = asked.flow, asked.flow.terms
    nodes, model = modelled.nodes, modelled.model
    targets: dict[tuple[State, int], list[State]] = {}
    stops: set[State] = set()
    for source, action, target in zip(model.sources, model.actions, model.targets, strict=True):
        number = modelled.stretches.get(model.labels[action])
        if number is not None:
            targets.setdefault((nodes[source].state, number), []).append(nodes[target].state)
        elif nodes[target].stopped:
            stops.add(nodes[source].state)
    states = dict.fromkeys(node.state for node in nodes if not node.stopped)
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
        if state not in stops and flow.rests[state.rest].phase is not Phase.START:
            goes_on = terms.either(*stopping.ways(state.rest))
            if solver.check([*literals, terms.negation(goes_on)]) is not Answer.NO:
                return f"whether every run goes on from {flow.rests[state.rest]} is not known"
    return ""
