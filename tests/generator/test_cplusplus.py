"""Generated C++ has nothing that compilers read in another way than it is meant, or get wrong."""

from __future__ import annotations

import random
import re

import pytest

from tests.generator.cplusplus.expressions import value_of
from tests.generator.cplusplus.statements import is_declaration
from tests.generator.cplusplus.world import Class, Context, Variable, World

TRIES = 400


def assigned(copies_written: bool) -> list[str]:
    """Expressions that are assigned to an object of a class, where one is there by the name of `named`."""
    ctx = Context(World(random.Random(1)))
    type = Class("K", "K", 1, total="total", method="change", copies_written=copies_written)
    ctx.world.classes.append(type)
    ctx.objects.append(Variable("named", type))
    return [value_of(ctx, type, to_assign=True) or "" for _ in range(TRIES)]


def test_no_trivial_copy_that_gxx_forgets_to_destroy_is_assigned() -> None:
    one_side = re.compile(r"\? named :|: named\)$")
    assert any(map(one_side.search, assigned(copies_written=True)))
    assert not any(map(one_side.search, assigned(copies_written=False)))


@pytest.mark.parametrize("text", ["K(x)", "ns::K(x)", "K(S::count)", "K((*p))", "K(a[0])"])
def test_what_would_declare_a_variable_is_known(text: str) -> None:
    assert is_declaration(text)


@pytest.mark.parametrize("text", ["K(clip(x))", "K{x}", "K(x, y)", "K((x + 1))", "K(a.f)", "K(static_cast<int>(x))"])
def test_what_makes_an_object_is_written_plainly(text: str) -> None:
    assert not is_declaration(text)
