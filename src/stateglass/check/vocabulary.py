"""The words that claims about a model may use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache

from stateglass.check.events import ERRORS, label_meant, labels_meant, means_error
from stateglass.check.names import Names
from stateglass.check.texts import Texts
from stateglass.logic.claims import Claim
from stateglass.logic.vocabulary import OddText, Vocabulary, check_words, unmet_events
from stateglass.model import Model

Elsewhere = Callable[[str], Sequence[str]]
"""What states call what the code calls so."""


def stands_nowhere(pattern: str) -> bool:
    """Whether an event stands in code of which nothing is known."""
    return False


def nowhere(name: str) -> Sequence[str]:
    """Where nothing is known of code."""
    return ()


def refuse_unknown_words(
    claims: Sequence[Claim],
    model: Model,
    places: Collection[str] = (),
    *,
    all_met: bool = True,
    stands: Callable[[str], bool] = stands_nowhere,
    elsewhere: Elsewhere = nowhere,
) -> list[tuple[str, ...]]:
    """Refuses claims with names that no state or label of the model has, all at once.

    What `stands` in the code is known, whether it is met or not, if the model is whole.

    Of a partial model, events that were not met are no mistake: for each claim, they are returned in sentences.
    """
    vocabulary = vocabulary_of(model, places, all_met=all_met, stands=stands, elsewhere=elsewhere)
    check_words(claims, vocabulary)
    return [unmet_events(claim, vocabulary) for claim in claims]


def vocabulary_of(
    model: Model,
    places: Collection[str] = (),
    *,
    all_met: bool = True,
    words: Collection[str] = (),
    stands: Callable[[str], bool] = stands_nowhere,
    elsewhere: Elsewhere = nowhere,
) -> Vocabulary:
    """The words of a model, and `words` that somebody has defined.

    `places` are the functions and variables that pointers may lead to beside those of the model. Without `all_met`,
    values may still be met that the model does not have.
    """
    texts = Texts(model, places)

    def odd_text(name: str, text: str) -> OddText | None:
        odd = texts.odd(name, text)
        return None if odd is not None and odd.may_come and not all_met else odd

    @cache
    def has_event(pattern: str) -> bool:
        return (
            bool(labels_meant(pattern, model).may.any())
            or means_error(pattern)
            or (stands(pattern) and not model.partial)
        )

    def stands_for(label: str) -> bool:
        return bool(label_meant(label, model).may.any())

    labels, names = frozenset(model.labels), Names(model).known
    return Vocabulary(
        labels, names, has_event, ERRORS, model.partial, odd_text, stands_for, frozenset(words), elsewhere
    )
