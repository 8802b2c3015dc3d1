"""What runs once before all threads, and what each of them cannot run by itself instead, as if the others were not."""

from __future__ import annotations

from collections.abc import Iterator

from stateglass.program import Pointer, Program
from stateglass.program.callgraph import Reachable, mentioned, reachable
from stateglass.program.effects import Effects
from stateglass.program.layout import cells_of, is_modelled
from stateglass.program.program import ANYTHING
from stateglass.source import Code, Diagnostic
from stateglass.system.inputs import InputKind, possible_inputs
from stateglass.system.sharing import access_of
from stateglass.system.threads import Threads


def different_starts(program: Program, threads: Threads, init: str | None) -> Iterator[Diagnostic]:
    """Why what runs before all threads is not the same where each runs it by itself, and finds nothing but its own."""
    code = [thread for thread in threads.threads if thread.process is None]
    if len(code) < 2:
        return
    used_by = {thread.name: reachable(program, [thread.function]) for thread in code}
    for name in (*program.constructors, *([init] if init is not None else [])):
        used = reachable(program, [name])
        accesses = [access[1] for function in used.externals if (access := access_of(function)) is not None]
        needs = (n for n in possible_inputs(program, (name,), used) if access_of(n.owner) is None)
        # Where threads take turns, they are one system, in which it runs once.
        asked = [n.name for n in needs if n.kind not in (InputKind.GLOBAL, InputKind.FIELD) and not threads.is_direct]
        answered = [f"{function}()" for function in used.externals if function in threads.answers]
        of_threads = [v for v in sorted(used.variables) if v in program.variables and program.variables[v].by_thread]
        if of_threads:
            why, help = f"uses `{of_threads[0]}`, of which each thread has one", "set it in each thread"
        elif accesses:
            why, help = f"uses `{accesses[0]}`, which they share", "give it its first value where it is defined"
        elif asked or answered:
            why, help = f"gets `{(asked or answered)[0]}` from outside", "set what it is to be in the code"
        elif (pointed := _pointed(program, used, used_by)) is not None:
            why, help = pointed, "use it by its name, so that it can be shared, or let each thread have one of its own"
        else:
            continue
        message = f"`{name}` runs once before all threads and {why}: that is not known"
        yield Diagnostic(Code.UNSUPPORTED, message, program.functions[name].span, help=help)


def _pointed(program: Program, before: Reachable, used_by: dict[str, Reachable]) -> str | None:
    """What several threads use by pointers that were set before, and one of them changes; None if there is nothing."""
    effects = Effects(program)
    stored = effects.stored_by(before.functions)
    addressed = mentioned(program)[1]
    carriers = {
        name
        for name in stored | (addressed if ANYTHING in stored else frozenset())
        if name in program.variables and _holds_pointers(program, name)
    }
    led = {name: used for name, used in used_by.items() if not carriers.isdisjoint(used.variables)}
    changed = {name: effects.stored_by(used.functions) for name, used in used_by.items()}
    by_pointers = any(ANYTHING in names for names in changed.values())
    for target in sorted(before.variables & addressed):
        variable = program.variables.get(target)
        if variable is None or variable.readonly or variable.literal:
            continue
        users = [name for name, used in used_by.items() if name in led or target in used.variables]
        is_changed = by_pointers or any(target in names for names in changed.values())
        if led and len(users) > 1 and is_changed:
            return f"sets pointers by which `{users[0]}` and `{users[1]}` may both use the variable `{target}`"
    if before.allocates and len(led) > 1 and by_pointers:
        one, other = list(led)[:2]
        return f"sets pointers by which `{one}` and `{other}` may both use memory that it allocates"
    return None


def _holds_pointers(program: Program, name: str) -> bool:
    type = program.variables[name].type
    if not is_modelled(type, program.records):
        return True
    return any(isinstance(cell.type, Pointer) for cell in cells_of(type, program.records))
