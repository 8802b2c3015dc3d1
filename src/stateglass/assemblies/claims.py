"""What annotations say to us: claims, and settings of queues, data and threads."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from stateglass.design import COMFORT, Annotation
from stateglass.logic.claims import Claim
from stateglass.logic.reading import read_claim
from stateglass.source import InputError

VALUES: Final = "values"
PRIORITY: Final = "priority"
QUEUE: Final = "queue"
FULL: Final = "full"
SETTINGS: Final = MappingProxyType(
    {
        VALUES: frozenset({"pin", "variable"}),  # which data open surroundings give, or variables hold
        PRIORITY: frozenset({"pin", "reaction"}),
        QUEUE: frozenset({"reaction"}),
        FULL: frozenset({"reaction"}),
    }
)
"""Annotations that are no claims, and what they are about."""


def is_claim(annotation: Annotation) -> bool:
    """Whether an annotation is something to be checked: all texts for us that are no settings."""
    return annotation.framework == COMFORT and annotation.type == "string" and annotation.name not in SETTINGS


def claim_of(annotation: Annotation) -> Claim:
    """The claim that an annotation makes; what is wrong with it is an `InputError`."""
    text, span = str(annotation.value), annotation.value_span
    start, end = span.start, span.end
    if start.line == end.line and end.column - start.column == len(text):
        return read_claim(text, start.file, start.line, start.column, annotation.qualified)
    try:
        # It is written in several pieces or lines: what is wrong with it is shown in the message.
        return read_claim(text, name=annotation.qualified)
    except InputError as error:
        raise InputError(replace(d, span=span) for d in error.diagnostics) from None
