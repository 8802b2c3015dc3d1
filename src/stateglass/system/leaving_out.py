"""Whether a system has runs that do not count."""

from __future__ import annotations

from stateglass.program.callgraph import reachable, statements_of
from stateglass.program.nodes import Drop
from stateglass.system.system import Entry, System


def leaves_out(system: System) -> bool:
    """Whether some run may not count: by an assumption in the code, or by an error that is left out."""
    if system.undefined.left_out:
        return True
    functions = system.program.functions
    used = reachable(system.program, [name for name in _called(system) if name in functions]).functions
    return any(isinstance(node, Drop) for name in used for node in statements_of(functions[name].blocks))


def _called(system: System) -> list[str]:
    """The functions that the environment runs, by itself or in place of others."""
    entries: list[Entry] = [*system.entries, *([system.init] if system.init is not None else [])]
    entries += [entry for levels in system.callbacks.values() for level in levels for entry in level]
    entries += [entry for called in system.process_calls.values() for entry in called]
    thrown = [function for external in system.externals.values() for _, function in external.throws]
    return [*(entry.function for entry in entries), *thrown, *sorted(system.stand_ins)]
