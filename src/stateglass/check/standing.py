"""Events that stand in the code: claims may ask for them, whether a run ever comes to them or not."""

from __future__ import annotations

from collections.abc import Callable

from stateglass.model import Verb, parsed
from stateglass.program import Void
from stateglass.program.callgraph import reachable
from stateglass.system import Mode, System


def standing_in(system: System) -> Callable[[str], bool]:
    """Whether an event is a call or return of a function without a body that stands in the code, met or not.

    Or the return of a function that the environment calls, which may be what none of its calls comes to.
    """
    started = [entry.function for entry in (*system.entries, system.init) if entry is not None]
    declared = system.program.declarations
    outside = reachable(system.program, started).externals if system.labels is None else ()
    counts: dict[tuple[Verb, str], int] = {}
    for name in outside:
        if name in declared:
            counts[Verb.CALL, name] = len(declared[name].parameters)
            counts[Verb.RETURN, name] = 0 if isinstance(declared[name].result, Void) else 1

    called = system.entries if system.mode is Mode.STEP and system.labels is None else ()
    for entry in called:
        function = system.program.functions.get(entry.function)
        if function is not None and not entry.result:
            counts[Verb.RETURN, entry.name] = 0 if isinstance(function.result, Void) else 1

    def stands(pattern: str) -> bool:
        action = parsed(pattern)
        count = None if action.verb is None else counts.get((action.verb, action.name))
        if count is None:
            return False
        # A star stands for several arguments, too.
        fewest = 1 if any("*" in argument for argument in action.arguments) else count
        return fewest <= len(action.arguments) <= count

    return stands
