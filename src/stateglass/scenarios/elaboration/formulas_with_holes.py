"""Branching formulas with a hole, `AG(a => AF ?)`: answered by the strongest events or conditions that fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.check.vocabulary import vocabulary_of
from stateglass.logic.claims import Fairness
from stateglass.logic.joining import not_of
from stateglass.logic.predicates import Named
from stateglass.logic.reading.formulas import read_ctl
from stateglass.logic.reading.text import Text
from stateglass.logic.temporal import (
    TRUE,
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.logic.vocabulary import odd_words
from stateglass.scenarios.elaboration.candidates import event_candidates, has_action, literals
from stateglass.scenarios.elaboration.conditions import terms
from stateglass.scenarios.elaboration.extents import Extent, Extents
from stateglass.scenarios.elaboration.holes import Answered, Best, Filling, best
from stateglass.scenarios.elaboration.judging import MOST_CHECKS, Stopped
from stateglass.scenarios.language import HOLE, Condition, EventName, Vocabulary
from stateglass.scenarios.meaning import Words
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.writing import condition_text, event_text
from stateglass.source import Code, InputError, input_error

_BEGINS: Final = re.compile(r"\s*(?:ctl:\s*)?!?\(*(?:[AE][XFG]\b|[AE]\s*\[)")
_PREFIX: Final = re.compile(r"\s*ctl:")
_MOST_JOINED: Final = 2
"""So many conditions of the vocabulary are joined to one answer."""


@final
@unique
class _Kind(Enum):
    """What an atom is: two of one kind may be two words for one thing."""

    ACTION = "action"
    CHANGE = "change"
    CONDITION = "condition"


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    """What may stand in the hole: its text, the formula it means, when it happens or holds."""

    text: str
    formula: Formula
    extent: Extent
    kind: _Kind
    from_model: bool = False


def is_formula_question(text: str) -> bool:
    """Whether a text is a branching formula with a hole, rather than a story."""
    return HOLE in text and _BEGINS.match(text) is not None


def ask_formula(text: str, validator: Validator, fairness: Sequence[Fairness] = ()) -> Answered:
    """The answers: events first, then conditions. Names in the formula may be words of the vocabulary."""
    words = Words(validator.vocabulary)
    read = _read(text)
    formula = with_words(read, words, validator.vocabulary)
    _refuse_unknown_words(formula, validator)
    wanted = _wanted(formula)
    extents = Extents(validator)
    spoken_of = [_spoken_of(node, extents, words, validator.vocabulary) for node in _nodes(read) if _is_atom(node)]

    work = _Work(validator, fairness)

    def fits(choice: _Choice) -> bool:
        return work.holds(_filled(formula, choice.formula))

    def trivial(choice: _Choice) -> bool:
        """Whether it is a word for what the formula speaks of anyway, or comes again and again in any case."""
        same = [extent for kind, extent in spoken_of if kind is choice.kind]
        if wanted is Best.LARGEST:
            return any(choice.extent.is_within(extent) for extent in same)
        if choice.kind is _Kind.CONDITION:
            # What holds whenever an event happens is there at once: it does not follow.
            steps = extents.steps_from(choice.extent)
            if any(extent.is_within(steps) for kind, extent in spoken_of if kind is not _Kind.CONDITION):
                return True
        recurring = Quantified(True, Always(Quantified(True, Eventually(choice.formula))))
        return any(extent.is_within(choice.extent) for extent in same) or work.holds(recurring)

    def answers(*, with_trivial: bool) -> list[Filling]:
        return [
            Filling(one.text, _with_answer(text, one.text), is_trivial=with_trivial, from_model=one.from_model)
            for choices in (_events(extents, validator, words), _conditions(extents, validator, words))
            for one in best(
                choices,
                lambda choice: choice.extent,
                wanted,
                lambda choice: fits(choice) and trivial(choice) is with_trivial,
            )
        ]

    fillings = answers(with_trivial=False) or answers(with_trivial=True)
    remarks = [] if fillings else ["nothing that was tried fits"]
    if work.is_exhausted:
        remarks.append(f"the search was cut short after {MOST_CHECKS:,} candidates")
    return Answered(text, tuple(fillings), tuple(remarks), work.interrupted)


@final
class _Work:
    """Decides formulas, within a bound; after Ctrl-C no more."""

    def __init__(self, validator: Validator, fairness: Sequence[Fairness]) -> None:
        self._validator = validator
        self._fairness = fairness
        self._left = MOST_CHECKS
        self.interrupted = False

    @property
    def is_exhausted(self) -> bool:
        return self._left <= 0

    def holds(self, formula: Formula) -> bool:
        if self.is_exhausted or self.interrupted:
            raise Stopped
        self._left -= 1
        try:
            return self._validator.evaluation(formula, self._fairness).at_start() is True
        except KeyboardInterrupt:
            self.interrupted = True
            raise Stopped from None


def _with_answer(text: str, answer: str) -> str:
    return text.replace(HOLE, answer if re.fullmatch(r"[\w.]+|\[.*\]", answer) else f"({answer})")


def _read(text: str) -> Formula:
    prefix = _PREFIX.match(text)
    source = Text(text, code=Code.SCENARIO)
    formula = read_ctl(source, 0 if prefix is None else prefix.end(), len(text))
    source.check()
    assert formula is not None
    count = sum(_is_hole(node) for node in _nodes(formula))
    if count != 1:
        message = f"`{text}` has {'no' if not count else 'more than one'} `?` that stands for an event or a condition"
        raise input_error(Code.USAGE, message, help="ask for one thing, as in `AG(a => AF ?)`")
    return formula


def _refuse_unknown_words(formula: Formula, validator: Validator) -> None:
    known = vocabulary_of(validator.model, words=validator.vocabulary.events)
    problems = list(odd_words((_filled(formula, TRUE),), known))
    if problems:
        raise InputError(problems)


def _nodes(formula: Formula) -> list[Formula]:
    found = [formula]
    for node in found:
        found += parts(node)
    return found


def _is_hole(formula: Formula) -> bool:
    return isinstance(formula, Happens) and formula.pattern == HOLE


# ---- choices


def _events(extents: Extents, validator: Validator, words: Words) -> list[_Choice]:
    found = event_candidates(extents, validator.vocabulary)
    texts = [event_text(one.event, validator.vocabulary) for one in found]
    actions = [has_action(one.event, validator.vocabulary) for one in found]
    return [
        _Choice(
            text,
            words.occurrence(one.event).at_step,
            one.extent,
            _Kind.ACTION if action else _Kind.CHANGE,
            one.from_model,
        )
        for text, action, one in zip(texts, actions, found, strict=True)
    ]


def _conditions(extents: Extents, validator: Validator, words: Words) -> list[_Choice]:
    found = terms(literals(extents, validator.vocabulary), extents.everywhere)
    small = [term for term in found if len(term.literals) <= _MOST_JOINED]
    return [
        _Choice(f"[{condition_text(one.condition)}]", words.condition(one.condition), one.extent, _Kind.CONDITION)
        for one in small
    ]


# ---- formulas


def with_words(formula: Formula, words: Words, vocabulary: Vocabulary) -> Formula:
    """The formula with what words of the vocabulary mean."""

    def meant(atom: Happens | Holds) -> Formula:
        match atom:
            case Holds():
                return words.condition(Condition(atom.predicate, atom.span))
            case Happens(pattern, span):
                if pattern in vocabulary.events:
                    return words.occurrence(EventName(pattern, span)).at_step
                if pattern in vocabulary.conditions:
                    return words.condition(Condition(Named(pattern, span), span))
                return atom

    return _replaced(formula, meant)


def _filled(formula: Formula, filling: Formula) -> Formula:
    return _replaced(formula, lambda atom: filling if _is_hole(atom) else atom)


def _replaced(formula: Formula, atom: Callable[[Happens | Holds], Formula]) -> Formula:
    """The formula with others in place of its predicates and events."""

    def within(inner: Formula) -> Formula:
        return _replaced(inner, atom)

    match formula:
        case Happens() | Holds():
            return atom(formula)
        case Constant() | Turns():
            return formula
        case Not(inner):
            return not_of(within(inner))
        case Next(inner):
            return Next(within(inner))
        case Eventually() | Always():
            return type(formula)(within(formula.inner), formula.within)
        case Until():
            return Until(within(formula.left), within(formula.right), formula.within)
        case And() | Or() | Implies() | Iff() | WeakUntil() | Release():
            return type(formula)(within(formula.left), within(formula.right))
        case Quantified():
            return Quantified(formula.on_all, within(formula.path))
        case _:
            assert_never(formula)


def _is_atom(formula: Formula) -> bool:
    return isinstance(formula, Happens | Holds | Turns) and not _is_hole(formula)


def _spoken_of(atom: Formula, extents: Extents, words: Words, vocabulary: Vocabulary) -> tuple[_Kind, Extent]:
    meant = with_words(atom, words, vocabulary)
    if isinstance(meant, Holds):
        return _Kind.CONDITION, extents.predicate(meant.predicate)
    action = any(isinstance(node, Happens) for node in _nodes(meant))
    return _Kind.ACTION if action else _Kind.CHANGE, extents.steps(meant)


def _wanted(formula: Formula) -> Best:
    """In a formula that gets truer the more the answer is, the least says the most."""
    signs = set(_signs(formula, 1))
    if len(signs) > 1:
        return Best.ALL
    return Best.SMALLEST if signs == {1} else Best.LARGEST


def _signs(formula: Formula, sign: int) -> list[int]:
    match formula:
        case Not(inner):
            return _signs(inner, -sign)
        case Implies(left, right):
            return _signs(left, -sign) + _signs(right, sign)
        case Iff(left, right):
            return [s for side in (left, right) for way in (1, -1) for s in _signs(side, way)]
        case _:
            if _is_hole(formula):
                return [sign]
            return [s for part in parts(formula) for s in _signs(part, sign)]
