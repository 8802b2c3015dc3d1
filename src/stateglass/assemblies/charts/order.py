"""Transitions of which the first one counts that can be taken, as ones that exclude each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from stateglass.assemblies.charts.labels import LabelReader
from stateglass.design import Expression, Operation, Transition
from stateglass.logic.predicates import Operator


def in_order(transitions: Sequence[Transition], labels: LabelReader) -> list[Transition]:
    """The same with guards that say that none before it can be taken; those that never can are left out."""
    found: list[Transition] = []
    before: dict[tuple[str, tuple[str, bool] | None], list[Transition]] = {}
    for transition in transitions:
        trigger = transition.trigger
        others = before.setdefault((transition.source, (trigger.pin, trigger.is_end) if trigger else None), [])
        if trigger and any(t.trigger and t.trigger.names != trigger.names for t in others):
            message = f"the data of `{trigger.pin}` has two names in `{transition.source}`"
            labels.problem(message, transition.span.line, "use the same names at each arrow")
        if all(other.guard is not None for other in others):
            # A guard is not looked at if one before it is true: it may make no sense then.
            guards = [_negated(other.guard) for other in others if other.guard is not None]
            guards += [transition.guard] if transition.guard is not None else []
            found.append(replace(transition, guard=reduce(_both, guards) if guards else None))
        others.append(transition)
    return found


def _negated(guard: Expression) -> Expression:
    return Operation(Operator.NOT, (guard,), guard.span)


def _both(left: Expression, right: Expression) -> Expression:
    return Operation(Operator.AND_ALSO, (left, right), left.span)
