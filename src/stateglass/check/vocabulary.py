"""The words that claims about a model may use."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from stateglass.check.events import labels_meant
from stateglass.check.names import Names
from stateglass.logic.claims import Claim
from stateglass.logic.vocabulary import Vocabulary, check_words
from stateglass.model import Model


def refuse_unknown_words(claims: Iterable[Claim], model: Model) -> None:
    """Refuses claims with names that no state or label of the model has, all at once."""

    @cache
    def has_event(pattern: str) -> bool:
        return bool(labels_meant(pattern, model, needed=False).may.any())

    check_words(claims, Vocabulary(frozenset(model.labels), Names(model).known, has_event, model.partial))
