"""A flow without what decides nothing: slots that no condition ever depends on, and rests that nothing leads to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from stateglass.explore.stretches.flow import Flow, Rest, Stretch
from stateglass.graphs.lists import postorder
from stateglass.smt import Operator, Term, needed


def sliced(flow: Flow, kept: Collection[int] = ()) -> Flow:
    """The same flow as far as conditions, actions and the cells that are `kept` are concerned."""
    flow = _connected(flow)
    owner = {slot.term: (rest.number, at) for rest in flow.rests for at, slot in enumerate(rest.slots)}
    wanted: set[tuple[int, int]] = set()
    work: list[tuple[int, int]] = []

    def want(terms: Iterable[Term]) -> None:
        for node in needed(list(terms)):
            if node.operator is Operator.VARIABLE and node in owner and owner[node] not in wanted:
                wanted.add(owner[node])
                work.append(owner[node])

    for stretch in flow.stretches:
        shown = stretch.action.arguments if stretch.action is not None else ()
        want([stretch.guard, *(value for value, _ in shown)])
    want(slot.term for rest in flow.rests for slot in rest.slots if slot.cell in kept)
    while work:
        number, at = work.pop()
        want(stretch.after[at] for stretch in flow.arriving[number])
    rests = tuple(_with_slots(rest, wanted) for rest in flow.rests)
    stretches = tuple(_with_after(stretch, wanted) for stretch in flow.stretches)
    return replace(flow, rests=rests, stretches=stretches, whole=flow.whole or flow)


def _with_slots(rest: Rest, wanted: Collection[tuple[int, int]]) -> Rest:
    return replace(rest, slots=tuple(s for at, s in enumerate(rest.slots) if (rest.number, at) in wanted))


def _with_after(stretch: Stretch, wanted: Collection[tuple[int, int]]) -> Stretch:
    return replace(stretch, after=tuple(t for at, t in enumerate(stretch.after) if (stretch.target, at) in wanted))


def _connected(flow: Flow) -> Flow:
    """Without rests that nothing leads to."""
    following = [[s.target for s in flow.leaving[rest.number]] for rest in flow.rests]
    left = sorted(postorder(following, 0))
    if len(left) == len(flow.rests):
        return flow
    numbers = {old: new for new, old in enumerate(left)}
    rests = tuple(replace(flow.rests[old], number=new) for old, new in numbers.items())
    stretches = [s for s in flow.stretches if s.source in numbers]
    return replace(
        flow,
        whole=None,
        rests=rests,
        stretches=tuple(
            replace(s, number=at, source=numbers[s.source], target=numbers[s.target]) for at, s in enumerate(stretches)
        ),
    )
