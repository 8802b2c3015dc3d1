"""Whether a run that was followed goes on so that it counts: an assumption that comes later may drop it."""

from __future__ import annotations

from typing import Final

from stateglass.explore.pauses import Ended
from stateglass.explore.retracing import Retracing
from stateglass.explore.states import Snapshot
from stateglass.work import OutOfTime

LOOKS: Final = (60, 500, 4_000)
"""So many states are looked at; with more, nobody knows."""


def goes_on(retracing: Retracing, state: Snapshot) -> bool:
    """Whether some run is found that goes on from a state to an end, or comes back to where it was."""
    following: dict[Snapshot, list[Snapshot]] = {}
    waiting, known = [state], {state}
    try:
        for look in LOOKS:
            while waiting and len(following) < look:
                now, waiting = waiting, []
                for one in now:
                    if isinstance(one.pause, Ended) or retracing.is_over(one):
                        return True
                    following[one] = [step.state for step in retracing.steps(one)]
                    waiting += [after for after in dict.fromkeys(following[one]) if after not in known]
                    known.update(following[one])
            if _comes_round(following):
                return True
            if not waiting:
                break
    except OutOfTime:
        pass
    return False


def _comes_round(following: dict[Snapshot, list[Snapshot]]) -> bool:
    """Whether there is a circle: states are taken out behind which there is nothing, until none is left."""
    before: dict[Snapshot, list[Snapshot]] = {}
    ways = {}
    for state, after in following.items():
        inside = [one for one in after if one in following]
        ways[state] = len(inside)
        for one in inside:
            before.setdefault(one, []).append(state)
    left, stuck = len(following), [state for state, count in ways.items() if not count]
    while stuck:
        left -= 1
        for state in before.get(stuck.pop(), ()):
            ways[state] -= 1
            if not ways[state]:
                stuck.append(state)
    return left > 0
