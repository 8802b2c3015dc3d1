"""The words that claims about a model may use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from stateglass.check.events import label_meant, labels_meant
from stateglass.check.names import Names
from stateglass.logic.claims import Claim
from stateglass.logic.vocabulary import Vocabulary, check_words, unmet_events
from stateglass.model import Model


def refuse_unknown_words(claims: Sequence[Claim], model: Model) -> list[tuple[str, ...]]:
    """Refuses claims with names that no state or label of the model has, all at once.

    Of a partial model, events that were not met are no mistake: for each claim, they are returned in sentences.
    """

    @cache
    def has_event(pattern: str) -> bool:
        return bool(labels_meant(pattern, model).may.any())

    def stands_for(label: str) -> bool:
        return bool(label_meant(label, model).may.any())

    vocabulary = Vocabulary(frozenset(model.labels), Names(model).known, has_event, model.partial, stands_for)
    check_words(claims, vocabulary)
    return [unmet_events(claim, vocabulary) for claim in claims]
