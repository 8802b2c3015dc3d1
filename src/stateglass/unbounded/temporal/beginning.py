"""Where runs begin for claims: behind an init function that shows nothing, as it does for exploration."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from stateglass.explore.stretches import Flow, Phase, Stretch
from stateglass.smt import evaluated
from stateglass.system import Choice, Entry, Filled, Fixed, Pointed, System
from stateglass.unbounded.temporal.numbers import NotKnown

MOST_STEPS: Final = 10_000
"""An init function that takes more stretches than this is not run beforehand."""


def begun(flow: Flow, system: System) -> tuple[Flow, bool]:
    """The flow, and whether its first rest is a state of its own.

    It is none where nothing happens before the environment may call; an init function that shows nothing is run
    beforehand, so that its stretches become one.
    """
    if system.init is None or (system.beginnings and _is_quiet(flow)):
        return flow, False
    if system.beginnings:
        raise NotKnown(f"something beside what `{system.init.name}` sets up may hold anything when it is called")
    if not _is_one_call(system.init):
        raise NotKnown(f"what `{system.init.name}` is called with is not known where data is not bounded")
    after = _after_init(flow)
    if after is None:
        return flow, True
    rest, values = after
    terms = flow.terms
    slots = flow.rests[rest].slots
    constants = tuple(terms.value_for(slot.term, value) for slot, value in zip(slots, values, strict=True))
    first = Stretch(0, 0, rest, terms.true, constants)
    others = [s for s in flow.stretches if s.source != 0]
    stretches = tuple(replace(s, number=number) for number, s in enumerate([first, *others]))
    return replace(flow, stretches=stretches), False


def _is_quiet(flow: Flow) -> bool:
    """Whether nothing happens before the environment may call, but that it chooses what is chosen once."""
    return all(flow.rests[s.target].phase is Phase.STABLE and s.action is None for s in flow.leaving[0])


def _is_one_call(entry: Entry) -> bool:
    def is_one(choice: Choice) -> bool:
        return not choice.anything and len(choice.values) == 1

    for argument in entry.arguments:
        match argument:
            case Choice():
                one = is_one(argument)
            case Pointed(_, content):
                one = content is None or is_one(content)
            case Filled(contents):
                one = len(contents.rows) == 1
            case Fixed():
                one = True
            case _:
                assert_never(argument)
        if not one:
            return False
    return True


def _after_init(flow: Flow) -> tuple[int, list[int]] | None:
    """The rest between calls that an init function leads to, and what slots hold there; None: it shows something."""
    rest, values = 0, list[int]()
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for _ in range(MOST_STEPS):
        here = flow.rests[rest]
        if (rest, tuple(values)) in seen:
            return None  # it never comes to its end
        seen.add((rest, tuple(values)))
        if here.phase is Phase.STABLE:
            return rest, values
        if here.phase not in (Phase.START, Phase.LOOP, Phase.CHANGED, Phase.RETURNING):
            return None
        known = {slot.term: value for slot, value in zip(here.slots, values, strict=True)}
        taken = [s for s in flow.leaving[rest] if not s.chosen and evaluated([s.guard], known)[0]]
        if len(taken) != 1 or any(s.chosen for s in flow.leaving[rest]):
            return None
        rest, values = taken[0].target, evaluated(taken[0].after, known)
    raise NotKnown("the init function takes too many steps")
