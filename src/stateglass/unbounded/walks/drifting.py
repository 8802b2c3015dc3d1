"""What else may change while a run repeats itself but for values that decide nothing.

Two rounds show which variables change from one to the next. Others follow them later: a counter that has become larger
by one is the same divided by a hundred, for some rounds more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Term, needed


def drifting(flow: Flow, loop: Sequence[int], changing: Collection[str], shown: Collection[str]) -> frozenset[str]:
    """The variables that may have other values in some later round of a loop of stretches.

    Those that are `changing` have other ones in the second round than in the first, all others that are `shown` have
    the same. Slots that decide something come back; the next value of a slot is computed from slots.
    """
    whole = flow.whole or flow
    stretches = [whole.stretches[number] for number in loop]
    back = [frozenset(slot.term for slot in flow.rests[s.source].slots) for s in stretches]
    left = _left_alone(whole, stretches)
    found = [
        {
            slot.term
            for slot in whole.rests[stretch.source].slots
            if slot.term not in own and (slot.name in changing or (slot.name not in shown and slot.cell not in left))
        }
        for stretch, own in zip(stretches, back, strict=True)
    ]
    grows = True
    while grows:
        grows = False
        for at, stretch in enumerate(stretches):
            then = (at + 1) % len(stretches)
            for slot, after in zip(whole.rests[stretch.target].slots, stretch.after, strict=True):
                if slot.term in back[then] or slot.term in found[then]:
                    continue
                if not found[at].isdisjoint(needed([after])):
                    found[then].add(slot.term)
                    grows = True
    names = {slot.term: slot.name for stretch in stretches for slot in whole.rests[stretch.source].slots}
    return frozenset(changing) | {names[term] for terms in found for term in terms if names[term] in shown}


def _left_alone(flow: Flow, stretches: Sequence[Stretch]) -> frozenset[int]:
    """The cells that no stretch writes."""
    written: set[int] = set()
    for stretch in stretches:
        before: dict[tuple[int, object], Term] = {(s.cell, s.part): s.term for s in flow.rests[stretch.source].slots}
        for slot, after in zip(flow.rests[stretch.target].slots, stretch.after, strict=True):
            if before.get((slot.cell, slot.part)) is not after:
                written.add(slot.cell)
    cells = {slot.cell for stretch in stretches for slot in flow.rests[stretch.source].slots}
    return frozenset(cells - written)
