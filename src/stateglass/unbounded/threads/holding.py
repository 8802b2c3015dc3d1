"""Variables that threads share directly, held by processes with all values that they can have.

Where inputs have bounds, these are found by what all threads do together, as long as somebody comes to store another
one. Where inputs may be anything, they are found thread by thread: what a variable holds at first, and what any thread
may store if it reads from each variable any value that was found so far [Flanagan and Qadeer, Thread-modular model
checking, SPIN 2003].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore import Manner
from stateglass.explore.stretches import Seen, Stretch, flow_of
from stateglass.model import Verb, parsed
from stateglass.program import is_scalar
from stateglass.source import InputError
from stateglass.system import System
from stateglass.system.sharing import first_value, holder, loading, storing, value_text
from stateglass.system.threads import Sharing
from stateglass.unbounded.threads.alphabets import Wording, number_of
from stateglass.unbounded.threads.composing import excess_met
from stateglass.unbounded.threads.explicit import LEAST_TOGETHER, Explorer
from stateglass.unbounded.threads.rows import argument_rows
from stateglass.unbounded.threads.systems import Setting, thread_systems
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

MOST_ROUNDS: Final = 20
"""So often threads are looked at anew with the values that were found."""
Values = Mapping[str, frozenset[int]]


@final
@dataclass(frozen=True, slots=True)
class NotHeld:
    """Why processes cannot hold what is shared."""

    why: str


def held(setting: Setting, manner: Manner, time: Deadline, progress: Progress) -> Setting | NotHeld:
    """The same threads, beside processes that hold what is shared directly."""
    values: dict[str, frozenset[int]] = {}
    for name, sharing in setting.threads.shared.items():
        if sharing is Sharing.DIRECT:
            first = first_value(setting.program.variables[name])
            if first is None:
                return NotHeld(f"what `{name}` holds at first is not known")
            values[name] = frozenset({first})
    name = ""
    for _ in range(MOST_ROUNDS):
        whole = _with_holders(setting, values)
        if isinstance(whole, NotHeld):
            return whole
        systems = _bounded(whole)
        if systems is None:
            stored = _stored_alone(whole, values, time, progress)
        else:
            stored = _stored_together(whole, systems, values, replace(manner, timeout=time.left()), progress)
        if isinstance(stored, NotHeld):
            return stored
        grown = {name: values[name] | more for name, more in stored.items() if not more <= values[name]}
        if not grown:
            return whole
        name = next(iter(grown))
        values |= grown
    return NotHeld(f"`{name}` has many values")


def _bounded(setting: Setting) -> Sequence[System | None] | None:
    try:
        return thread_systems(setting, open=False)
    except InputError:
        return None  # what is wrong beside missing bounds was said before


def _stored_together(
    setting: Setting, systems: Sequence[System | None], values: Values, manner: Manner, progress: Progress
) -> Values | NotHeld:
    """What somebody comes to store, as far as all threads together do with these values."""
    ready = Explorer(setting.threads, systems, progress).ready(manner, (), partly=False)
    if ready is None:
        return NotHeld("a thread has too many states")
    most = max(manner.max_states, LEAST_TOGETHER)
    composition = ready.together(most, progress).composition
    wording = Wording(next(system for system in systems if system is not None))
    found: dict[str, frozenset[int]] = {}
    for label in excess_met(composition.team, composition.found):
        name, text = parsed(label).name.removeprefix("::"), parsed(label).arguments[0]
        if name in values:
            number = wording.number(text, setting.program.variables[name].type)
            if number is None:
                return NotHeld(f"`{label}` stores a value without a name")
            found[name] = found.get(name, frozenset()) | {number}
    if not found and not composition.found.complete:
        return NotHeld(f"there are more than {most:,} states together")
    return found


def _stored_alone(setting: Setting, values: Values, time: Deadline, progress: Progress) -> Values | NotHeld:
    """What each thread may store that reads any of these values."""
    found = dict.fromkeys(values, frozenset[int]())
    for system in thread_systems(setting, open=True):
        if system is None:
            continue
        flow = flow_of(system, Seen(events=True), progress, time.left())
        calls: dict[str, list[Stretch]] = {}
        for stretch in flow.stretches:
            if stretch.action is not None and stretch.action.verb is Verb.CALL:
                calls.setdefault(stretch.action.name, []).append(stretch)
        for name in values:
            own = calls.get(storing(name), [])
            rows = argument_rows(flow, own, progress) if own else ()
            if rows is None:
                return NotHeld(f"`{name}` may have many values")
            type = setting.program.variables[name].type
            assert is_scalar(type)
            found[name] |= {number_of(bits, type) for (bits,) in rows}
    return found


def _with_holders(setting: Setting, values: Values) -> Setting | NotHeld:
    program, threads = setting.program, setting.threads
    holders, reads = [], []
    for name, known in values.items():
        type = program.variables[name].type
        assert is_scalar(type)
        bound = f"{{{', '.join(value_text(value, type, program.enums) for value in sorted(known))}}}"
        try:
            holders.append(holder(program, name, bound))
        except InputError:
            return NotHeld(f"`{name}` has values that are none of its named ones")
        reads.append((f"{loading(name)}()", bound))
    shared = dict.fromkeys(threads.shared, Sharing.PROCESS)
    everybody = replace(threads, threads=(*threads.threads, *holders), shared=shared)
    return replace(setting, threads=everybody, bounds=(*setting.bounds, *reads))
