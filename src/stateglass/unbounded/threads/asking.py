"""What a linear claim asks of threads: conditions on the data of each of them, and events.

A predicate may speak of several threads as long as it joins what it says of each by `&&`, `||` and `!`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, final

from stateglass.check.events import ERRORS, matcher, means_error
from stateglass.check.ltl.alphabet import Meaning
from stateglass.check.ltl.violations import meaning_on
from stateglass.check.truth import Truth
from stateglass.explore.stretches import Flow, Rest
from stateglass.logic import temporal
from stateglass.logic.claims import Claim
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text
from stateglass.logic.unrolling import parts_first
from stateglass.logic.vocabulary import Vocabulary, check_words
from stateglass.model import STABLE, Model, parsed
from stateglass.smt import Term
from stateglass.system import System
from stateglass.system.threads import Threads
from stateglass.unbounded.temporal.atoms import Atoms, Words, operands_of
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.threads.flows import ThreadFlow, moved
from stateglass.unbounded.threads.marks import Mark, is_mark
from stateglass.unbounded.threads.using import used_by

_JOINING: Final = (Operator.NOT, Operator.AND_ALSO, Operator.OR_ELSE)


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate on the data of one thread, in its own names."""

    name: str  # of the proposition
    thread: int
    predicate: Predicate


Conditions = tuple[str, tuple[Term, ...]]
"""The name of an atom, and what it is at each rest."""


@final
class Asking:
    """A claim, taken apart."""

    def __init__(
        self, claim: Claim, formula: temporal.Formula, threads: Threads, systems: Sequence[System | None]
    ) -> None:
        self._claim = claim
        self.formula = formula
        self._threads = threads
        self._words = {n: Words(system) for n, system in enumerate(systems) if system is not None}
        self._owned = {n: used_by(system) for n, system in enumerate(systems) if system is not None}
        self.patterns: dict[str, None] = {}
        self._atoms: dict[int, Atom] = {}  # by the predicate, or part of one, that it stands for
        self._held: dict[int, Predicate] = {}
        self._seen: set[str] = set()  # labels that threads have
        for node in parts_first(formula, temporal.parts):
            match node:
                case temporal.Holds(predicate):
                    self._take_apart(predicate)
                case temporal.Happens(pattern):
                    self.patterns[pattern] = None
                case temporal.Turns() | temporal.Quantified():
                    raise NotKnown("it is about more than single runs")
                case _:
                    pass

    # ---- what predicates speak of

    def _take_apart(self, predicate: Predicate) -> None:
        owners = {self._owner(node) for node in parts_first(predicate, operands_of) if isinstance(node, Named)} - {None}
        if owners == {_HELD}:
            self._held[id(predicate)] = predicate
        elif len(owners) <= 1 and _HELD not in owners:
            thread = next((o for o in owners if isinstance(o, int)), min(self._words))
            self._atoms[id(predicate)] = Atom(f"%{len(self._atoms)}", thread, self._own(predicate, thread))
        elif isinstance(predicate, Applied) and predicate.operator in _JOINING:
            for operand in predicate.operands:
                self._take_apart(operand)
        else:
            raise NotKnown("it computes with values of several threads at once")

    def _owner(self, node: Named) -> int | str | None:
        """The thread whose value is meant; None for an enumerator."""
        if node.name == STABLE:
            raise NotKnown("threads are not called from outside: nothing is `stable`")
        if node.name in self._threads.shared:
            return _HELD
        for number in self._words:
            if self._is_own(node.name.removeprefix(f"{self._threads.threads[number].name}."), number):
                is_named = node.name.startswith(f"{self._threads.threads[number].name}.")
                if is_named or not self._named_otherwise(node.name, number):
                    return number
        check_words([self._claim], Vocabulary(frozenset(), self._known(), lambda pattern: True, ERRORS))
        return None

    def _known(self) -> frozenset[str]:
        """All names that predicates may have."""
        own = [(self._threads.threads[n].name, name) for n, words in self._words.items() for name in words.names]
        return frozenset((*self._threads.shared, *(n for _, n in own), *(f"{thread}.{n}" for thread, n in own)))

    def _named_otherwise(self, name: str, number: int) -> bool:
        """Whether a name says that another thread is meant."""
        return any(
            name.startswith(f"{thread.name}.") and self._is_own(name.removeprefix(f"{thread.name}."), other)
            for other, thread in enumerate(self._threads.threads)
            if other != number and other in self._words
        )

    def _is_own(self, name: str, number: int) -> bool:
        return name in self._words[number].types and self._owned[number](name)

    def _own(self, predicate: Predicate, thread: int) -> Predicate:
        """A predicate in the names that a thread has."""
        prefix = f"{self._threads.threads[thread].name}."
        match predicate:
            case Named(name, span):
                return Named(name.removeprefix(prefix), span)
            case Applied(operator, operands):
                return Applied(operator, tuple(self._own(operand, thread) for operand in operands))
            case Number() | Text():
                return predicate

    def names(self) -> list[str]:
        """The names in its predicates, as they were written."""
        holding = [n.predicate for n in parts_first(self.formula, temporal.parts) if isinstance(n, temporal.Holds)]
        nodes = [node for predicate in holding for node in parts_first(predicate, operands_of)]
        return sorted({node.name for node in nodes if isinstance(node, Named)})

    def watch(self) -> dict[int, frozenset[str]]:
        """The variables of each thread that are asked about."""
        found: dict[int, set[str]] = {}
        for atom in self._atoms.values():
            nodes = parts_first(atom.predicate, operands_of)
            names = {n.name for n in nodes if isinstance(n, Named)} & self._words[atom.thread].types.keys()
            found.setdefault(atom.thread, set()).update(names)
        return {thread: frozenset(names) for thread, names in found.items()}

    def conditions(self, number: int, raw: Flow, labelled: ThreadFlow) -> list[Conditions]:
        """What the atoms of a thread are at each rest of its flow; `raw` is the flow that it was made from."""
        atoms = Atoms(raw, self._words[number])
        found = []
        for atom in self._atoms.values():
            if atom.thread == number:
                found.append(
                    (atom.name, tuple(self._condition(atom, r, atoms, raw, labelled) for r in labelled.flow.rests))
                )
        return found

    def _condition(self, atom: Atom, rest: Rest, atoms: Atoms, raw: Flow, labelled: ThreadFlow) -> Term:
        like = raw.rests[labelled.like[rest.number]]
        return moved(raw.terms, atoms.condition(atom.predicate, like), like, rest)

    # ---- what events are meant

    def asked(self, label: str, known: bool) -> bool:
        """Whether the claim asks for an action; one whose values are not known is told by its name."""
        self._seen.add(label)
        if known:
            return any(matcher(pattern)(label) for pattern in self.patterns)
        action = parsed(label)
        return any(_may_mean(pattern, label, action.name) for pattern in self.patterns)

    def events(self) -> list[str]:
        """The events that the claim names with their arguments: no others may be mixed up with them."""
        return [pattern for pattern in self.patterns if parsed(pattern).name in self._threads.events]

    def refuse_vague_patterns(self) -> None:
        """Patterns that mean some arguments and not others cannot be held against events that are not told apart."""
        for pattern in self.patterns:
            action = parsed(pattern)
            is_vague = pattern.startswith("re:") or ("(" in pattern and any(mark in pattern for mark in "*?"))
            is_any = action.name in self._threads.events and set(action.arguments) == {"*"}
            if is_vague and not is_any:
                raise NotKnown(f"`{pattern}` means some events of a name, and they are not told apart")

    def refuse_unknown_events(self, labels: Sequence[str], may_know: Callable[[str], bool]) -> None:
        """Refuses events that are none of these labels, and that nobody `may_know` otherwise."""
        known = [*labels, *self._seen, *self._threads.events]

        def has_event(pattern: str) -> bool:
            return any(map(matcher(pattern), known)) or means_error(pattern) or may_know(pattern)

        check_words([self._claim], Vocabulary(frozenset(known), self._known(), has_event, ERRORS))

    # ---- what it means on models

    def means(self, label: str) -> bool:
        """Whether the claim speaks of an action of the whole."""
        return any(matcher(pattern)(label) for pattern in self.patterns)

    def sees(self, value: str) -> bool:
        """Whether the claim speaks of a value of the whole: an atom of a thread, or a variable that a process holds."""
        held = {n.name for p in self._held.values() for n in parts_first(p, operands_of) if isinstance(n, Named)}
        return value in held or is_mark(value) or value in {self._column(atom) for atom in self._atoms.values()}

    def known(self, rankings: Mapping[int, int]) -> temporal.Formula | None:
        """What is true of all runs of threads, by how many numbers of each cannot become smaller for ever.

        A thread leaves the steps on which a number does not grow again and again, or makes it smaller no more.
        """
        found: list[temporal.Formula] = []
        for thread, count in rankings.items():
            for number in range(count):
                name = self._threads.threads[thread].name
                left, odd = (temporal.Holds(Named(f"{name}.{m.column(number)}")) for m in (Mark.LEFT, Mark.ODD))
                even_no_more, odd_no_more = (
                    temporal.Eventually(temporal.Always(none)) for none in (temporal.Or(left, odd), temporal.Not(odd))
                )
                again = temporal.Always(temporal.Eventually(left))
                found.append(temporal.Or(again, temporal.Or(even_no_more, odd_no_more)))
        return reduce(temporal.And, found) if found else None

    def _column(self, atom: Atom) -> str:
        return f"{self._threads.threads[atom.thread].name}.{atom.name}"

    def meaning(self, model: Model) -> Meaning:
        """What the atoms of the claim mean on a composition of models that show them."""
        usual = meaning_on(model, self.formula)

        def truth(column: str) -> Truth:
            return Truth.known(next(p for p in model.propositions if p.name == column).values != 0)

        def predicate(of: Predicate) -> Truth:
            if id(of) in self._held:
                return usual.predicate(of)
            if isinstance(of, Named) and is_mark(of.name):
                return truth(of.name)
            if id(of) in self._atoms:
                atom = self._atoms[id(of)]
                return truth(self._column(atom))
            assert isinstance(of, Applied)
            parts = [predicate(operand) for operand in of.operands]
            match of.operator:
                case Operator.NOT:
                    return parts[0].negated()
                case Operator.AND_ALSO:
                    return parts[0].and_also(parts[1])
                case _:
                    return parts[0].or_else(parts[1])

        return Meaning(predicate, usual.pattern, usual.open)


_HELD: Final = "held"


def _may_mean(pattern: str, label: str, name: str) -> bool:
    if pattern.startswith("re:") or any(mark in pattern for mark in "*?"):
        return True
    action = parsed(pattern)
    return matcher(pattern)(label) or (action.head == parsed(label).head and action.name == name)
