"""What each position costs by the aims of a strategy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never, final
from weakref import WeakKeyDictionary

import numpy as np

from stateglass.check.ctl import Evaluation
from stateglass.check.positions import Positions
from stateglass.check.turns import turn_truth
from stateglass.check.vocabulary import vocabulary_of
from stateglass.evidence import Path
from stateglass.graphs.arrays import reached
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Formula, Turn, Turns
from stateglass.logic.vocabulary import odd_words
from stateglass.model import Model
from stateglass.model.model import Flags, Ints
from stateglass.scenarios.language import Condition, Event, Vocabulary
from stateglass.scenarios.meaning import Words
from stateglass.scenarios.validating import Reply
from stateglass.scenarios.witnesses.custom import custom_prices
from stateglass.scenarios.witnesses.ground import Longs
from stateglass.scenarios.witnesses.strategies import (
    NO_FACTS,
    Aim,
    Conditions,
    Custom,
    Events,
    Facts,
    NewSteps,
    NewVariables,
    OldWitness,
    Sense,
    Shortest,
    States,
    Strategy,
    Variables,
    Visited,
)
from stateglass.source import Code, InputError, input_error

_ASKED: Final[WeakKeyDictionary[Positions, dict[tuple[Custom, Facts], Longs]]] = WeakKeyDictionary()
"""What functions of somebody's own have said."""


@final
class Prices:
    """The costs of positions for the reply to one question; words of strategies are held against its model."""

    def __init__(self, reply: Reply, vocabulary: Vocabulary, facts: Facts = NO_FACTS) -> None:
        self._reply = reply
        self._positions = reply.evaluation.positions
        self._model = self._positions.model
        self._vocabulary = vocabulary
        self._words = Words(vocabulary)
        self._facts = facts

    def table(self, strategy: Strategy) -> Longs:
        """A row for each position, a column for each aim, and one that counts steps.

        Where a step leads to a state that was met before depends on the run: that column is empty.
        """
        columns = [self._column(aim) for aim in strategy.aims]
        return np.stack([*columns, np.ones(self._positions.count, dtype=np.int64)], axis=1)

    def _column(self, aim: Aim) -> Longs:
        match aim:
            case Shortest():
                return np.ones(self._positions.count, dtype=np.int64)
            case Visited():
                return np.zeros(self._positions.count, dtype=np.int64)
            case States():
                return _priced([self._into(self._states(aim))], aim.sense)
            case Conditions():
                return _priced([self._condition(condition, aim.sense) for condition in aim.conditions], aim.sense)
            case Events():
                events = aim.events or tuple(self._vocabulary.events.values())
                if not events:
                    message = "no event is named, and there is none in the vocabulary"
                    raise input_error(Code.USAGE, message, aim.span, help="write `fewest-events={a, b}`")
                return _priced([self._event(event, aim.sense) for event in events], aim.sense)
            case Variables():
                names = aim.names or tuple(Named(own.name) for own in self._model.propositions)
                return self._counted([self._changes(name, aim.sense) for name in names], aim.sense)
            case NewSteps():
                return _priced([self._fact("which steps are new", self._facts.is_new) != 0], aim.sense)
            case NewVariables():
                count = self._fact("which variables are new", self._facts.new_variable_changes)
                return count if aim.sense is Sense.FEWEST else _priced([count > 0], aim.sense)
            case OldWitness():
                old = self._facts.in_old_witness
                steps = self._fact("what an old witness does", None if old is None else old(self._reply))
                return _priced([steps != 0], Sense.PREFER)
            case Custom():
                return self._custom(aim)
            case _:
                assert_never(aim)

    def _counted(self, flags: list[Flags], sense: Sense) -> Longs:
        return _priced(flags, sense) if flags else np.zeros(self._positions.count, dtype=np.int64)

    def _into(self, states: Flags) -> Flags:
        found: Flags = states[self._positions.targets]
        return found

    def _states(self, aim: States) -> Flags:
        flags: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        for states in aim.states:
            if states.stop > self._model.states:
                message = f"the model has no state {states.stop - 1}"
                help = f"its states are numbered from 0 to {self._model.states - 1}"
                raise input_error(Code.UNKNOWN_NAME, message, aim.span, help=help)
            flags[states.start : states.stop] = True
        return flags

    def _condition(self, condition: Condition, sense: Sense) -> Flags:
        formula = self._words.condition(condition)
        self._refuse_unknown([formula])
        evaluation = Evaluation(formula, self._model, positions=self._positions)
        truth = evaluation.value(formula, False).truth
        return self._into(truth.must if sense is Sense.PREFER else truth.may)

    def _event(self, event: Event, sense: Sense) -> Flags:
        formula = self._words.occurrence(event).at_step
        self._refuse_unknown([formula])
        evaluation = Evaluation(formula, self._model, positions=self._positions)
        truth = evaluation.at_positions(evaluation.value(formula, True)).truth
        return truth.must if sense is Sense.PREFER else truth.may

    def _changes(self, name: Named, sense: Sense) -> Flags:
        truth = turn_truth(Turns(Turn.CHANGES, name, name.span), self._positions)
        return truth.must if sense is Sense.PREFER else truth.may

    def _refuse_unknown(self, formulas: Iterable[Formula]) -> None:
        problems = tuple(odd_words(tuple(formulas), vocabulary_of(self._model, words=self._vocabulary.events)))
        if problems:
            raise InputError(problems)

    def _fact(self, what: str, given: Flags | Ints | None) -> Longs:
        """What is known of transitions, for positions: where a run has ended, nothing happens."""
        if given is None:
            message = f"it is not known {what}"
            help = "name an older version with --old; where too many of its states look alike, nothing is known of it"
            raise input_error(Code.USAGE, message, help=help)
        assert len(given) == self._model.transitions
        return self._at_ends(given.astype(np.int64))

    def _custom(self, aim: Custom) -> Longs:
        """Asked once for all questions about a model: that may take longer than all the rest."""
        known = _ASKED.setdefault(self._positions, {})
        if (aim, self._facts) not in known:
            model = self._model
            there = reached(model.first, model.targets, model.initial)
            found = custom_prices(aim, model, np.flatnonzero(there[model.sources]), self._facts)
            known[aim, self._facts] = self._at_ends(found)
        return known[aim, self._facts]

    def _at_ends(self, given: Longs) -> Longs:
        found: Longs = np.zeros(self._positions.count, dtype=np.int64)
        found[: len(given)] = given
        return found


def _priced(flags: list[Flags], sense: Sense) -> Longs:
    count: Longs = np.sum(flags, axis=0, dtype=np.int64)
    match sense:
        case Sense.AVOID:
            return np.minimum(count, 1)
        case Sense.PREFER:
            return 1 - np.minimum(count, 1)
        case Sense.FEWEST:
            return count
        case _:
            assert_never(sense)


def taken_by(path: Path, model: Model) -> Flags:
    """The transitions that a run takes, as a fact for `reuse-old-witness`."""
    labels = {label: number for number, label in enumerate(model.labels)}
    found: Flags = np.zeros(model.transitions, dtype=np.bool_)
    for step in path.steps:
        mine = slice(int(model.first[step.source]), int(model.first[step.source + 1]))
        found[mine] |= (model.actions[mine] == labels.get(step.action, -1)) & (model.targets[mine] == step.target)
    return found
