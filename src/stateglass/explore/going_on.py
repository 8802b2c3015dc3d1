"""Whether a run that was followed goes on so that it counts: an assumption that comes later may drop it."""

from __future__ import annotations

from typing import Final

from stateglass.explore.pauses import Ended
from stateglass.explore.retracing import Retracing
from stateglass.explore.states import Snapshot
from stateglass.work import OutOfTime

MOST_STEPS: Final = 5_000
"""So many steps are tried; with more, nobody knows."""


def goes_on(retracing: Retracing, state: Snapshot) -> bool:
    """Whether some run is found that goes on from a state to an end, or comes back to where it was.

    Depth first. From what was left again no such run was found, by whatever way it is come to.
    """
    tried = 0
    way, seen = {state}, {state}
    nodes, following = [state], [iter([step.state for step in retracing.steps(state)])]
    if isinstance(state.pause, Ended) or retracing.is_over(state):
        return True
    try:
        while nodes:
            after = next(following[-1], None)
            if after is None:
                way.remove(nodes.pop())
                following.pop()
                continue
            tried += 1
            if after in way or isinstance(after.pause, Ended) or retracing.is_over(after):
                return True
            if after not in seen:
                if tried > MOST_STEPS:
                    return False
                seen.add(after)
                way.add(after)
                nodes.append(after)
                following.append(iter([step.state for step in retracing.steps(after)]))
    except OutOfTime:
        return False
    return False
