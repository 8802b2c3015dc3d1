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
    """A question, and what is asked next for each answer; None: nothing."""

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
        if any(case is self.terms.true for case in asked.cases):
            return self
        old = self.trees[rest]
        new = _with(old, asked, below)
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

    def states(self, beginning: State) -> Iterator[State]:
        """All states of a rest whose valuations begin like this."""
        for more in _leaves(self._under(beginning)):
            yield State(beginning.rest, beginning.valuation + more)

    def place(self, state: State) -> Valuation:
        """The beginning of a valuation that says which constants slots are equal to."""
        others = (at for at, (question, _) in enumerate(self.questions(state)) if question.subject is None)
        return state.valuation[: next(others, len(state.valuation))]

    def places_with(self, rest: int, question: Question) -> set[Valuation]:
        """The places of a rest in some states of which a question is asked."""
        found: set[Valuation] = set()
        stack: list[tuple[Split | None, Valuation, bool]] = [(self.trees[rest], (), True)]
        while stack:
            tree, place, is_open = stack.pop()
            if tree is None:
                continue
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
        while stack:
            tree = stack.pop()
            if tree is not None:
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


def _with(tree: Split | None, question: Question, below: Valuation) -> Split | None:
    if tree is None:
        return Split(question, (None,) * len(question.cases))
    if tree.question.cases == question.cases:
        return tree
    if below:
        first, rest = below[0], below[1:]
        new = _with(tree.below[first], question, rest)
        if new is tree.below[first]:
            return tree
        return replace(tree, below=(*tree.below[:first], new, *tree.below[first + 1 :]))
    children = tuple(_with(child, question, ()) for child in tree.below)
    return tree if all(map(lambda a, b: a is b, children, tree.below)) else replace(tree, below=children)


def _leaves(tree: Split | None) -> Iterator[Valuation]:
    if tree is None:
        yield ()
        return
    for answer, child in enumerate(tree.below):
        for more in _leaves(child):
            yield (answer, *more)
