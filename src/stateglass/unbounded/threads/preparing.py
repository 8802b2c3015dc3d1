"""Threads made ready for abstraction: their flows in the words of the whole, and the events that each takes part in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.stretches import Flow, Seen, flow_of
from stateglass.model import ModelBuilder, parsed
from stateglass.system import System
from stateglass.system.threads import Threads
from stateglass.unbounded.given import Given, cells_needed, names_of
from stateglass.unbounded.threads.alphabets import Alphabet, Wording, alphabet_in, answered_in, events_in
from stateglass.unbounded.threads.answering import process_model
from stateglass.unbounded.threads.flows import Telling, ThreadFlow, thread_flow
from stateglass.unbounded.threads.given import GivenBy
from stateglass.unbounded.threads.parts import Part, Team, together
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

_EMPTY: Final = ModelBuilder().build(1)


@final
@dataclass(frozen=True)
class Prepared:
    """Flows by thread, and a team in which each has an empty place."""

    team: Team
    raw: Mapping[int, Flow]  # without labels
    flows: Mapping[int, ThreadFlow]
    wordings: Mapping[int, Wording]


def prepared(
    threads: Threads,
    systems: Sequence[System | None],
    watch: Mapping[int, Collection[str]],
    told: Mapping[str, Collection[tuple[int, ...]]],
    labels: Collection[str],
    asked: Callable[[str, bool], bool],
    given: GivenBy,
    time: Deadline,
    progress: Progress,
) -> Prepared:
    """The threads of a program. `watch` has the variables of each that claims speak of, `told` rows of arguments of
    events that are to be told apart beside those that some thread knows, and beside `labels`; `asked` is what
    `thread_flow` wants, `given` are predicates of the user. `OutOfTime` if reading all that takes too long."""
    raw: dict[int, Flow] = {}
    wordings: dict[int, Wording] = {}
    parts: list[Part] = []
    alphabets: list[Alphabet] = []
    for number, (thread, system) in enumerate(zip(threads.threads, systems, strict=True)):
        if system is None:
            process = process_model(thread)
            parts.append(Part(number, process, over=process.terminal))
            alphabets.append(Alphabet() if thread.held else Alphabet(together(process)))
            continue
        raw[number] = flow_of(system, _seen(watch.get(number, ()), given.get(number, ())), progress, time.left())
        wordings[number] = Wording(system)
        parts.append(Part(number, _EMPTY, True))
        # What a thread takes part in does not depend on what a claim asks for.
        plain = flow_of(system, Seen(events=True), progress, time.left()) if watch.get(number) else raw[number]
        own = alphabet_in(system, plain, frozenset(threads.events), wordings[number], threads.whole, progress)
        alphabets.append(own.joined(answered_in(system, threads)))
    flows = {}
    common = Counter(name for alphabet in alphabets for name in alphabet.names)
    contested = frozenset(name for name, count in common.items() if count > 1)
    # What one thread calls by its name nobody may take for one of many.
    named = {*labels, *(label for alphabet in alphabets for label in alphabet.labels)}
    named |= {label for number, flow in raw.items() for label in events_in(flow, threads, wordings[number])}
    for number, flow in raw.items():
        rows: dict[str, dict[tuple[int, ...], None]] = {}
        for name, more in told.items():
            rows.setdefault(name, {}).update(dict.fromkeys(more))
        for label in sorted(named):
            row = wordings[number].row(label)
            if row is not None:
                rows.setdefault(parsed(label).name, {})[row] = None
        told_apart = {name: tuple(found) for name, found in rows.items()}
        kept = cells_needed(flow, given.get(number, ()))
        alike = frozenset(name for name in map(_name, named) if not wordings[number].takes_numbers(name))
        telling = Telling(told_apart, alphabets[number].names, contested, asked, alike, kept)
        flows[number] = thread_flow(flow, threads.threads[number], threads, wordings[number], telling)
    return Prepared(Team(threads, tuple(parts), tuple(alphabets)), raw, flows, wordings)


def _name(label: str) -> str:
    return parsed(label).name


def _seen(watch: Collection[str], given: Collection[Given]) -> Seen:
    return Seen(events=True, watch=frozenset(watch), named=names_of(given))
