"""What abstract states tell apart: for each rest a tree of questions, each asked only where somebody needs its answer.

A tree, not a set: questions that matter for one value of a state variable need not double the states of all others.
Nothing here changes; a tree with one more question shares all the rest with the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from stateglass.explore.stretches import Flow
from stateglass.smt import Term, Terms

Valuation = tuple[int, ...]
"""The answers to the questions on the way down a tree: the numbers of the cases that are true."""


@final
class State(NamedTuple):
    """An abstract state: a rest, and the answers to its questions; it stands for all values with these answers."""

    rest: int
    valuation: Valuation


@final
@dataclass(frozen=True, slots=True)
class Question:
    """Cases of which exactly one is true, whatever values slots have.

    For a predicate: that it is false, and that it is true; so its answer is a truth value as a number.
    """

    cases: tuple[Term, ...]
    subject: Term | None = None  # a slot that the cases, but the last one, say is equal to a constant

    constants: tuple[Term, ...] = ()  # that it is compared with

    @property
    def predicates(self) -> tuple[Term, ...]:
        return self.cases[1:] if self.subject is None else self.cases[:-1]

    def constant(self, answer: int) -> Term | None:
        """What the subject is equal to in a case."""
        return self.constants[answer] if answer < len(self.constants) else None

    def answer(self, value: int) -> int:
        """The case for a value of the subject."""
        return next((at for at, c in enumerate(self.constants) if c.value == value), len(self.constants))


def whether(terms: Terms, predicate: Term) -> Question:
    """Whether a predicate holds. One and its negation are the same question."""
    opposite = terms.negation(predicate)
    first, second = sorted((predicate, opposite), key=lambda t: t.number)
    return Question((second, first))


def which_value(terms: Terms, subject: Term, constants: Iterable[int]) -> Question:
    """Which one of some constants a slot is, if it is one of them."""
    values = tuple(terms.constant(c, subject.width) for c in sorted(set(constants)))
    cases = [terms.equal(subject, value) for value in values]
    return Question((*cases, terms.negation(terms.either(*cases))), subject, values)


@final
@dataclass(frozen=True, slots=True)
class Split:
    """A question, and what is asked next for each answer; None: nothing.

    Where the same is asked next, it is one object: what is asked in all states makes a tree one node deeper, not twice
    as large. Nobody should go all ways through a tree, then.
    """

    question: Question
    below: tuple[Split | None, ...]


@final
@dataclass(frozen=True, slots=True)
class Predicates:
    """The questions at all rests."""

    terms: Terms
    trees: tuple[Split | None, ...]  # by the number of the rest

    @staticmethod
    def none(flow: Flow) -> Predicates:
        return Predicates(flow.terms, (None,) * len(flow.rests))

    def with_more(self, rest: int, question: Question | Term, below: Valuation = ()) -> Predicates:
        """A question, or a predicate, asked in all states of a rest whose valuations begin like this.

        States that are asked it already, and those where one case is all that is left by identity, stay as they are.
        """
        asked = whether(self.terms, question) if isinstance(question, Term) else question
        return self._asked(rest, asked, below, None)

    def with_more_for(self, rest: int, predicate: Term, below: Valuation, to: Question, answer: int) -> Predicates:
        """The same, where another question has one of its answers."""
        return self._asked(rest, whether(self.terms, predicate), below, (to, answer))

    def _asked(self, rest: int, question: Question, below: Valuation, only: tuple[Question, int] | None) -> Predicates:
        if any(case is self.terms.true for case in question.cases):
            return self
        old = self.trees[rest]
        new = _Asking(question, only).below(old, below)
        return self if new is old else replace(self, trees=(*self.trees[:rest], new, *self.trees[rest + 1 :]))

    def questions(self, state: State) -> list[tuple[Question, int]]:
        """What is asked on the way to a state, with the answers."""
        found: list[tuple[Question, int]] = []
        tree = self.trees[state.rest]
        for answer in state.valuation:
            assert tree is not None, "a valuation is not longer than its tree is deep"
            found.append((tree.question, answer))
            tree = tree.below[answer]
        return found

    def literals(self, state: State) -> list[Term]:
        """What is true in all that a state stands for."""
        return [question.cases[answer] for question, answer in self.questions(state)]

    def condition(self, state: State) -> Term:
        return self.terms.both(*self.literals(state))

    def is_whole(self, state: State) -> bool:
        """Whether all questions on the way are answered: if not, it is several states."""
        return self._under(state) is None

    def bare(self, rest: int) -> Iterator[State]:
        """The states of a rest of which nothing is known but their place."""
        stack: list[tuple[Split | None, Valuation]] = [(self.trees[rest], ())]
        while stack:
            tree, valuation = stack.pop()
            if tree is None:
                yield State(rest, valuation)
            elif tree.question.subject is not None:
                stack.extend((below, (*valuation, answer)) for answer, below in enumerate(tree.below))

    def place(self, state: State) -> Valuation:
        """The beginning of a valuation that says which constants slots are equal to."""
        others = (at for at, (question, _) in enumerate(self.questions(state)) if question.subject is None)
        return state.valuation[: next(others, len(state.valuation))]

    def places_with(self, rest: int, question: Question) -> set[Valuation]:
        """The places of a rest in some states of which a question is asked."""
        found: set[Valuation] = set()
        stack: list[tuple[Split | None, Valuation, bool]] = [(self.trees[rest], (), True)]
        met: set[tuple[int, Valuation, bool]] = set()
        while stack:
            tree, place, is_open = stack.pop()
            if tree is None or (id(tree), place, is_open) in met:
                continue
            met.add((id(tree), place, is_open))
            if tree.question == question:
                found.add(place)
                continue
            is_open = is_open and tree.question.subject is not None
            for answer, below in enumerate(tree.below):
                stack.append((below, (*place, answer) if is_open else place, is_open))
        return found

    def holds(self, state: State, predicate: Term) -> bool | None:
        """Whether a predicate that is asked on the way to a state holds there; None: it is not asked."""
        opposite = self.terms.negation(predicate)
        for question, answer in self.questions(state):
            if question.cases[answer] is predicate:
                return True
            if question.cases[answer] is opposite or predicate in question.cases:
                return False
            if opposite in question.cases:
                return True
        return None

    def asked(self, rest: int) -> list[Term]:
        """The predicates of a rest, each once, in the order in which they are met."""
        return [predicate for question in self.questions_at(rest) for predicate in question.predicates]

    def questions_at(self, rest: int) -> list[Question]:
        """The questions of a rest, each once, in the order in which they are met."""
        found: dict[Question, None] = {}
        stack = [self.trees[rest]]
        met: set[int] = set()
        while stack:
            tree = stack.pop()
            if tree is not None and id(tree) not in met:
                met.add(id(tree))
                found[tree.question] = None
                stack.extend(reversed(tree.below))
        return list(found)

    def __len__(self) -> int:
        """How many predicates there are."""
        return sum(len(self.asked(rest)) for rest in range(len(self.trees)))

    def _under(self, state: State) -> Split | None:
        tree = self.trees[state.rest]
        for answer in state.valuation:
            assert tree is not None, "a valuation is not longer than its tree is deep"
            tree = tree.below[answer]
        return tree


@final
class _Asking:
    """Asks a question in a tree, everywhere or where another question has one of its answers."""

    def __init__(self, question: Question, only: tuple[Question, int] | None) -> None:
        self._question = question
        self._only = only
        self._known: dict[tuple[int, bool], Split | None] = {}

    def below(self, tree: Split | None, valuation: Valuation, *, is_meant: bool = False) -> Split | None:
        """In all states whose valuations begin like this."""
        if not valuation or tree is None or tree.question.cases == self._question.cases:
            return self._everywhere(tree, is_meant or self._only is None)
        first, rest = valuation[0], valuation[1:]
        new = self.below(tree.below[first], rest, is_meant=is_meant or self._leads(tree, first))
        if new is tree.below[first]:
            return tree
        return replace(tree, below=(*tree.below[:first], new, *tree.below[first + 1 :]))

    def _everywhere(self, tree: Split | None, is_meant: bool) -> Split | None:
        key = id(tree), is_meant
        if key not in self._known:
            self._known[key] = self._made(tree, is_meant)
        return self._known[key]

    def _made(self, tree: Split | None, is_meant: bool) -> Split | None:
        if tree is None:
            return Split(self._question, (None,) * len(self._question.cases)) if is_meant else None
        if tree.question.cases == self._question.cases:
            return tree
        children = tuple(
            self._everywhere(child, is_meant or self._leads(tree, answer)) for answer, child in enumerate(tree.below)
        )
        same = all(one is other for one, other in zip(children, tree.below, strict=True))
        return tree if same else replace(tree, below=children)

    def _leads(self, tree: Split, answer: int) -> bool:
        return (tree.question, answer) == self._only
