"""Random C++ programs that are free of undefined and unspecified behaviour; `observe` tells what happens in them."""

from tests.generator.cplusplus.program import CPLUSPLUS_FEATURES, generate_cplusplus

__all__ = ["CPLUSPLUS_FEATURES", "generate_cplusplus"]
