"""Predicates that the user names: an abstraction asks them from the beginning, wherever their variables are known.

They are no more than suggestions: one that is of no use, or wrong, costs time and changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, final

from stateglass.explore.merging import Absent, Content, Partly
from stateglass.explore.stretches import Flow, Rest
from stateglass.logic.predicates import Named, Predicate
from stateglass.logic.reading.conditions import Condition, read_conditions
from stateglass.logic.reading.text import Text
from stateglass.logic.vocabulary import nodes_in
from stateglass.model import STABLE
from stateglass.program import Float
from stateglass.smt import Operator, Term, needed
from stateglass.source import Code, InputError, Span, suggestion
from stateglass.system import System
from stateglass.unbounded.abstraction.seeding import Seed
from stateglass.unbounded.temporal.atoms import WORDS, Atoms, Words
from stateglass.unbounded.temporal.numbers import NotKnown

T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Given:
    """A predicate of the user."""

    text: str
    predicate: Predicate
    variables: frozenset[str]


@final
@dataclass(frozen=True, slots=True)
class Posed:
    """A predicate of the user where code rests."""

    rest: Rest
    condition: Term
    opposite: Term
    text: str

    @property
    def seed(self) -> Seed:
        return self.rest.number, self.condition


def read_given(texts: Sequence[str], system: System, places: Mapping[str, Span] | None = None) -> tuple[Given, ...]:
    """The predicates for a system; all that is wrong with them is one `InputError`."""
    if not texts:
        return ()
    words = Words(system, inner=True)
    return tuple(read_all(texts, lambda condition: _given(condition, words), places))


def read_all(
    texts: Sequence[str], made: Callable[[Condition], T | None], places: Mapping[str, Span] | None = None
) -> list[T]:
    """What is made of the conditions in some texts; all that is wrong with them is one `InputError`."""
    conditions, read = read_conditions(dict.fromkeys(texts), places)
    found = [one for condition in conditions if (one := made(condition)) is not None]
    problems = [problem for text in read for problem in text.problems]
    if problems:
        raise InputError(problems)
    return found


def _given(condition: Condition, words: Words) -> Given | None:
    """A condition in the names of a system; None after a problem was noted."""
    text, known = condition.text, names_in(words)
    for node in condition.named():
        if node.name not in known:
            note_unknown(text, node, known)
    return None if text.problems else given_of(condition, condition.predicate, words)


def given_of(condition: Condition, predicate: Predicate, words: Words) -> Given | None:
    """A condition, as a predicate whose names are all known; None after a problem was noted."""
    text, names = condition.text, {node.name for node in nodes_in(predicate) if isinstance(node, Named)}
    variables = names & words.types.keys()
    if not variables:
        text.problem("this is no condition", 0, len(text.text), "no variable of the code is named in it")
    for name in sorted(variables):
        if isinstance(words.types[name], Float):
            text.problem(f"`{name}` is a floating-point number, which is not abstracted", 0, len(text.text))
    return None if text.problems else Given(text.text, predicate, frozenset(variables))


def names_in(words: Words) -> frozenset[str]:
    """What may be named: variables and enumerators."""
    return words.names - {STABLE, *WORDS}


def note_unknown(text: Text, node: Named, known: Collection[str]) -> None:
    # A variable within a function is often meant by its last part.
    last = node.name.rpartition(".")[2]
    own = sorted(name for name in known if name.endswith(f"::{last}"))
    help = suggestion("", own) if own else suggestion(node.name, known)
    text.problem_at(node.span, f"there is no variable `{node.name}` in what is checked", help, Code.UNKNOWN_NAME)


def names_of(given: Iterable[Given]) -> frozenset[str]:
    return frozenset(name for one in given for name in one.variables)


def cells_needed(flow: Flow, given: Iterable[Given]) -> frozenset[int]:
    """The cells that predicates speak of."""
    names = names_of(given)
    found: set[int] = set()
    for rest in flow.rests if names else ():
        terms = [term for w in rest.named if w.name in names for term in _terms(w.content)]
        speaks_of = _variables(terms)
        found.update(slot.cell for slot in rest.slots if slot.term in speaks_of)
    return frozenset(found)


def _variables(terms: Iterable[Term]) -> set[Term]:
    return {node for node in needed(terms) if node.operator is Operator.VARIABLE}


def _terms(content: Content) -> list[Term]:
    match content:
        case Absent():
            return []
        case Partly(value, absent, unwritten):
            return [value, *(when for _, when in absent), *([unwritten] if unwritten is not None else [])]
        case term:
            return [term]


def posed(flow: Flow, given: Sequence[Given], words: Words) -> list[Posed]:
    """The predicates at the rests where all of their variables are known, and the answer is not the same always."""
    atoms = Atoms(flow, words, named=True)
    found: list[Posed] = []
    for rest in flow.rests if given else ():
        here = {named.name for named in rest.named}
        slots = {slot.term for slot in rest.slots}
        for one in given:
            if one.variables <= here and not rest.phase.is_end:
                try:
                    condition = atoms.condition(one.predicate, rest)
                except NotKnown:
                    continue  # a value there is not told for all inputs at once
                # What is chosen before anything else happens is known at no rest.
                if condition.value is None and _variables([condition]) <= slots:
                    found.append(Posed(rest, condition, flow.terms.negation(condition), one.text))
    return found
