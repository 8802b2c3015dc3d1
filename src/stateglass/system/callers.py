"""What callers of an object call: clients between calls, functions without a body and processes within them, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from stateglass.source import Assumption, Topic, counted
from stateglass.system.running import Running
from stateglass.system.subjects import Asked, Caller
from stateglass.system.system import Entry

Callbacks = dict[str, tuple[tuple[Entry, ...], ...]]
ProcessCalls = dict[tuple[str, str], tuple[Entry, ...]]


class MakeEntry(Protocol):
    """Makes the entry for a function that is called while so many calls back are under way.

    Each level has its own, because what a call is lent must not be taken by another. `chosen`: with arguments within
    their bounds.
    """

    def __call__(self, name: str, level: int = 0, *, chosen: bool = True) -> Entry: ...


def client_entries(callers: tuple[Caller, ...], entry: MakeEntry) -> Iterator[Entry]:
    """What clients call between calls; several call the same under names of their own."""
    for caller in callers:
        gone = f"%gone {caller.name}" if caller.name and caller.final_throws else ""
        for name in caller.functions:
            made = entry(name)
            shown = f"{caller.name}.{made.shown}" if caller.name else made.shown
            yield replace(made, shown=shown, throws_end=name in caller.final_throws, gone=gone)


def callback_entries(callbacks: Mapping[str, tuple[str, ...]], depth: int, entry: MakeEntry) -> Callbacks:
    """What functions without a body may call before they end, for each depth."""
    levels = range(1, depth + 1)
    return {
        name: tuple(tuple(entry(function, level) for function in called) for level in levels)
        for name, called in callbacks.items()
    }


def callback_assumptions(callbacks: Callbacks, asked: Asked) -> Iterator[Assumption]:
    """What is taken for granted of these calls."""
    often = f"at most {counted(asked.callback_limit, 'time')}" if asked.callback_limit else "any number of times"
    for name, levels in callbacks.items():
        shown = ", ".join(f"`{e.name}`" for e in levels[0])
        text = f"before it ends it may call {shown}, {often}; such calls nest at most {asked.callback_depth} deep"
        yield Assumption(Topic.SCHEDULE, name, text)


def process_entries(running: Running, depth: int, entry: MakeEntry) -> ProcessCalls:
    """What processes call: between calls, and at each depth before what they are called for has ended."""
    made: ProcessCalls = {}
    for call in running.calls:
        if call.path in running.clients:
            own = entry(call.function, chosen=False)
            made[call.path, call.name] = (replace(own, shown=f"{call.path}.{own.shown}"),)
        else:
            levels = range(depth + 1)
            made[call.path, call.name] = tuple(entry(call.function, level, chosen=False) for level in levels)
    return made
