"""Generated C++ has nothing that compilers read in another way than it is meant, or get wrong."""

from __future__ import annotations

import pytest

from tests.generator.cplusplus.statements import is_declaration


@pytest.mark.parametrize("text", ["K(x)", "ns::K(x)", "K(S::count)", "K((*p))", "K(a[0])"])
def test_what_would_declare_a_variable_is_known(text: str) -> None:
    assert is_declaration(text)


@pytest.mark.parametrize("text", ["K(clip(x))", "K{x}", "K(x, y)", "K((x + 1))", "K(a.f)", "K(static_cast<int>(x))"])
def test_what_makes_an_object_is_written_plainly(text: str) -> None:
    assert not is_declaration(text)
