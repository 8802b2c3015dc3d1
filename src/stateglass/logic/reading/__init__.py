"""From texts to claims: parsers that say everything that is wrong at once, with its place."""

from stateglass.logic.reading.claim import read_claim

__all__ = ["read_claim"]
