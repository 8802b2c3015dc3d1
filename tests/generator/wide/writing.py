"""Small helpers for pieces of C that are written around expressions of the core generator."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.generator.context import Context
from tests.generator.expression import Expr
from tests.generator.expressions import integer
from tests.generator.places import fitted
from tests.generator.types import IntType


@contextmanager
def braces(ctx: Context, head: str = "") -> Iterator[None]:
    """A block; its names cannot clash with those outside."""
    ctx.write(f"{head} {{".lstrip())
    with ctx.scope():
        yield
    ctx.write("}")


def pure(ctx: Context, depth: int = 1) -> Expr:
    """An expression without effects, which may be evaluated any number of times."""
    with ctx.without_effects():
        return integer(ctx, depth)


def bounded(ctx: Context, lo: int, hi: int) -> str:
    """A pure expression with a value in the range, as an operand of anything."""
    return f"(int)({fitted(pure(ctx), lo, hi).text})"


def value(ctx: Context, t: IntType) -> str:
    """Any expression, converted to the type; it may have effects and must be evaluated exactly once."""
    return f"({t.name})({integer(ctx, 2).text})"


def pure_value(ctx: Context, t: IntType) -> str:
    return f"({t.name})({pure(ctx).text})"
