"""Random C programs that are free of undefined behaviour, and what gcc makes of them: the oracle of our semantics."""

from tests.generator.features import FEATURES
from tests.generator.program import Generated, generate

__all__ = ["FEATURES", "Generated", "generate"]
