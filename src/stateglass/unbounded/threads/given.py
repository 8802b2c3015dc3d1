"""Predicates of the user for threads: each is asked of the threads that have its variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

from stateglass.explore.stretches import Flow
from stateglass.logic.predicates import Applied, Named, Number, Predicate, Text
from stateglass.logic.reading.conditions import Condition
from stateglass.smt import Operator, needed
from stateglass.source import Span
from stateglass.system import System
from stateglass.system.threads import Threads
from stateglass.unbounded.given import Given, Posed, given_of, names_in, note_unknown, posed, read_all
from stateglass.unbounded.temporal.atoms import Words
from stateglass.unbounded.threads.flows import ThreadFlow, moved
from stateglass.unbounded.threads.using import used_by

GivenBy = Mapping[int, tuple[Given, ...]]
"""By the number of a thread."""


def read_for_threads(
    texts: Sequence[str],
    threads: Threads,
    systems: Sequence[System | None],
    places: Mapping[str, Span] | None = None,
) -> GivenBy:
    """The predicates for each thread, in its own names; all that is wrong with them is one `InputError`."""
    if not texts:
        return {}
    reading = _Reading(threads, systems)
    found = [pair for pairs in read_all(texts, reading.of, places) for pair in pairs]
    return {number: tuple(given for at, given in found if at == number) for number in dict(found)}


@final
class _Reading:
    def __init__(self, threads: Threads, systems: Sequence[System | None]) -> None:
        self._threads = threads
        self._words: dict[int, Words] = {}
        self._known: dict[int, frozenset[str]] = {}  # names that a thread has
        for number, system in enumerate(systems):
            if system is not None:
                words = self._words[number] = Words(system, inner=True)
                is_used, inner = used_by(system), words.inner
                others = {name for name in words.types if name not in inner and not is_used(name)}
                self._known[number] = names_in(words) - others

    def of(self, condition: Condition) -> list[tuple[int, Given]] | None:
        """A condition for each thread that has all of its variables; None after a problem was noted."""
        named = condition.named()
        numbers = [n for n in self._words if all(self._own(node.name, n) in self._known[n] for node in named)]
        if not numbers:
            self._refuse(condition)
        found = []
        for number in numbers:
            given = given_of(condition, self._renamed(condition.predicate, number), self._words[number])
            if given is None:
                return None
            found.append((number, given))
        return found or None

    def _refuse(self, condition: Condition) -> None:
        """Notes why no thread has all names of a condition."""
        text = condition.text
        known = {name for names in self._known.values() for name in names}
        known |= {f"{self._threads.threads[n].name}.{name}" for n, names in self._known.items() for name in names}
        for node in condition.named():
            if node.name in self._threads.shared:
                text.problem_at(node.span, f"a process holds `{node.name}`: its values are told apart as they are")
            elif node.name not in known:
                note_unknown(text, node, known)
        if not text.problems:
            message = "no thread has all of these variables: each is abstracted by itself"
            text.problem(message, 0, len(text.text), "name variables of one thread")

    def _own(self, name: str, number: int) -> str:
        return name.removeprefix(f"{self._threads.threads[number].name}.")

    def _renamed(self, predicate: Predicate, number: int) -> Predicate:
        """A predicate in the names that a thread has."""
        match predicate:
            case Named(name, span):
                return Named(self._own(name, number), span)
            case Applied(operator, operands):
                return Applied(operator, tuple(self._renamed(operand, number) for operand in operands))
            case Number() | Text():
                return predicate


def posed_for(given: Sequence[Given], system: System, raw: Flow, labelled: ThreadFlow) -> list[Posed]:
    """The predicates at the rests of a thread; `raw` is the flow that it was made from."""
    if not given:
        return []
    at: dict[int, list[Posed]] = {}
    for one in posed(raw, given, Words(system, inner=True)):
        at.setdefault(one.rest.number, []).append(one)
    found = []
    for rest in labelled.flow.rests:
        slots = {slot.term for slot in rest.slots}
        for one in at.get(labelled.like[rest.number], ()) if not rest.phase.is_end else ():
            condition = moved(raw.terms, one.condition, one.rest, rest)
            if {node for node in needed([condition]) if node.operator is Operator.VARIABLE} <= slots:
                found.append(Posed(rest, condition, raw.terms.negation(condition), one.text))
    return found
