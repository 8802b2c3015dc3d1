"""Random C programs that are free of undefined behaviour, and what gcc makes of them: the oracle of our semantics."""

from tests.generator.features import FEATURES, WIDE_FEATURES
from tests.generator.program import Generated, generate, generate_wide

__all__ = ["FEATURES", "WIDE_FEATURES", "Generated", "generate", "generate_wide"]
