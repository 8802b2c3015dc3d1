"""Whether a run of a model violates a linear formula: the automaton of its negation, on the fly with the model."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, final

import numpy as np

from stateglass.check.ctl import operands_first
from stateglass.check.events import labels_meant
from stateglass.check.ltl.alphabet import Meaning, alphabet_of
from stateglass.check.ltl.automaton import simplified
from stateglass.check.ltl.beginnings import Beginning, sets_of, shortest_beginning, universal
from stateglass.check.ltl.lassos import Lasso, is_fair, truth_on
from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.normal import Normaliser
from stateglass.check.ltl.product import Product, table_of
from stateglass.check.ltl.search import shortened, shortest
from stateglass.check.ltl.translation import literals, translated
from stateglass.check.predicates import predicate_truth
from stateglass.check.truth import Truth, open_states
from stateglass.logic import temporal
from stateglass.logic.claims import Fairness
from stateglass.logic.predicates import Predicate
from stateglass.model import Model
from stateglass.model.model import Flags
from stateglass.source import NOWHERE
from stateglass.work import Progress, silent

_MOST_TRIES: Final = 300
"""So often it is tried to leave out parts of a counterexample."""
_TRIED_NODES: Final = 20_000
"""So many parts of formulas are evaluated for that."""


@final
@dataclass(frozen=True, slots=True)
class Violation:
    """A run that violates a formula; `certain` if it does whatever the values are that are not known."""

    lasso: Lasso
    certain: bool


@final
@dataclass(frozen=True, slots=True)
class Doubt:
    """No known run violates the formula, but one may that goes through this state, which is not fully explored."""

    state: int
    thorough: bool = True  # whether all beginnings of runs were looked at that violate the formula however they go on


@final
@dataclass(frozen=True, slots=True)
class Satisfied:
    """All runs satisfy the formula; the states of the model that had to be looked at."""

    states: Flags | None = None  # None: the formula is true of any run


def meaning_on(model: Model, formula: temporal.Formula = temporal.TRUE) -> Meaning:
    """The atoms of formulas on a model, each worked out once; what is wrong with one is told at its place."""
    places = {node.predicate: node.span for node in operands_first(formula) if isinstance(node, temporal.Holds)}

    @cache
    def predicate(of: Predicate) -> Truth:
        return predicate_truth(of, model, places.get(of, NOWHERE))

    @cache
    def pattern(text: str) -> Truth:
        return labels_meant(text, model)

    return Meaning(predicate, pattern, open_states(model))


@final
class Search:
    """Looks for violations in one model, of one formula or of several that share parts."""

    def __init__(
        self, model: Model, fairness: Sequence[Fairness], meaning: Meaning, progress: Progress = silent
    ) -> None:
        self._model = model
        self._fairness = tuple(fairness)
        self._meaning = meaning
        self._progress = progress
        self._normaliser = Normaliser()

    def violation(
        self, formula: temporal.Formula, avoiding: frozenset[int] = frozenset()
    ) -> Violation | Beginning | Doubt | Satisfied:
        """A run that violates the formula, checked; one that certainly does if there is any.

        Where runs are not known to their ends, it may be the beginning of one.

        Runs that go through a state to be avoided do not count, unless it is the initial one.
        """
        loose = self._visited(formula, avoiding, strict=False, stop=False)
        if isinstance(loose, Satisfied):
            return loose
        if isinstance(loose, Doubt):
            try:
                return self._beginning(formula, avoiding) or loose
            except TooLargeError:
                return self._plain_beginning(formula, avoiding) or replace(loose, thorough=False)
        product, undecided = loose
        lasso: Lasso | None = None
        if undecided:
            strict = self._visited(formula, avoiding, strict=True, stop=False)
            if isinstance(strict, tuple):
                lasso = self._lasso(strict[0])
        certain = lasso is not None or not undecided
        if not certain:
            # Given up, this leaves what is said of the run that may violate the formula as true as before.
            with suppress(TooLargeError):
                if (beginning := self._beginning(formula, avoiding)) is not None:
                    return beginning
        lasso = self._lasso(product) if lasso is None else lasso
        self._check(formula, lasso, certain=certain and not undecided)
        if not undecided:
            tries = min(_MOST_TRIES, _TRIED_NODES // len(operands_first(formula)))
            lasso = shortened(lasso, self._model, lambda shorter: self._is_confirmed(formula, shorter), tries)
        return Violation(lasso, certain)

    def is_violated(self, formula: temporal.Formula) -> bool:
        """Whether a run violates the formula, or may."""
        return not isinstance(self._visited(formula, frozenset(), strict=False, stop=True), Satisfied)

    def _visited(
        self, formula: temporal.Formula, avoiding: frozenset[int], *, strict: bool, stop: bool
    ) -> tuple[Product, bool] | Doubt | Satisfied:
        model = self._model
        self._progress("translating the formula")
        term = self._normaliser.term(formula, positive=False)
        terms = self._normaliser.terms
        alphabet = alphabet_of(
            literals(term, terms), self._normaliser.propositions, self._fairness, model, self._meaning
        )
        automaton = simplified(translated(term, terms, alphabet, strict=strict))
        if not automaton.states:
            return Satisfied()
        self._progress("looking for a violation", states=model.states, automaton=automaton.states)
        table = table_of(automaton, alphabet, self._fairness, strict=strict)
        product = Product(model, self._meaning.open, self._avoided(avoiding), alphabet, table, automaton.states)
        stopped, doubt = product.explore(stop=stop)
        if stopped or product.accepting()[0].any():
            return product, alphabet.undecided
        if doubt >= 0:
            return Doubt(int(product.nodes[doubt]) % model.states)
        visited = np.zeros(model.states, dtype=np.bool_)
        visited[product.nodes % model.states] = True
        return Satisfied(visited)

    def _beginning(self, formula: temporal.Formula, avoiding: frozenset[int]) -> Beginning | None:
        """A run that violates the formula however it goes on; None if all of the model is known."""
        model, open = self._model, self._meaning.open
        if not open.any():
            return None
        term = self._normaliser.term(formula, positive=True)
        terms = self._normaliser.terms
        alphabet = alphabet_of(literals(term, terms), self._normaliser.propositions, (), model, self._meaning)
        # What may satisfy the formula counts: what then remains to violate it does so for certain.
        automaton = simplified(translated(term, terms, alphabet, strict=False))
        self._progress("looking for a beginning that violates", states=model.states, automaton=automaton.states)
        sets, empty = sets_of(automaton, alphabet.letters)
        if empty < 0:
            return None
        return shortest_beginning(sets, empty, model, open, self._avoided(avoiding), alphabet)

    def _plain_beginning(self, formula: temporal.Formula, avoiding: frozenset[int]) -> Beginning | None:
        """A beginning after which the automaton of the negation accepts anything.

        That automaton may be much smaller than the one of sets, but not every such beginning leads it to a state of
        that kind.
        """
        term = self._normaliser.term(formula, positive=False)
        terms = self._normaliser.terms
        alphabet = alphabet_of(literals(term, terms), self._normaliser.propositions, (), self._model, self._meaning)
        automaton = simplified(translated(term, terms, alphabet, strict=True))
        goal = universal(automaton, alphabet.letters)
        if goal < 0:
            return None
        open = self._meaning.open
        return shortest_beginning(automaton, goal, self._model, open, self._avoided(avoiding), alphabet)

    def _avoided(self, avoiding: frozenset[int]) -> Flags:
        avoided = np.zeros(self._model.states, dtype=np.bool_)
        avoided[list(avoiding)] = True
        avoided[self._model.initial] = False
        return avoided

    def _lasso(self, product: Product) -> Lasso:
        self._progress("looking for a short run")
        return shortest(product, *product.accepting())

    def _is_confirmed(self, formula: temporal.Formula, lasso: Lasso) -> bool:
        return (
            truth_on(formula, lasso, self._model, self._meaning) is False
            and is_fair(lasso, self._fairness, self._model, self._meaning) is True
        )

    def _check(self, formula: temporal.Formula, lasso: Lasso, *, certain: bool) -> None:
        truth = truth_on(formula, lasso, self._model, self._meaning)
        fair = is_fair(lasso, self._fairness, self._model, self._meaning)
        wrong = truth is True or fair is False or (certain and (truth is None or fair is None))
        assert not wrong, "a counterexample that the meaning of the formula does not confirm"
