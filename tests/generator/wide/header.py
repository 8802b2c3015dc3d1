"""What the header of a wide program holds: helpers that show floats and bytes, and functions of its own shape."""

from typing import Final

from tests.generator.context import Context
from tests.generator.wide.floats import float_functions
from tests.generator.wide.recursion import recursive_functions
from tests.generator.wide.rows import row_functions
from tests.generator.wide.unions import union_functions
from tests.generator.wide.userdata import visitor_functions
from tests.generator.wide.varargs import variadic_functions

_SHOWING: Final = (
    "static long long float_bits(float x) { union { float f; uint32_t u; } v = {x}; return x != x ? -1 : v.u; }",
    "static long long double_bits(double x) { union { double d; int64_t s; } v; v.d = x; return x != x ? -1 : v.s; }",
    "static void show_long(long double x) {",
    "    double high = (double)x;",
    "    observe(double_bits(high));",
    "    if (high - high == 0) observe(double_bits((double)(x - high)));",
    "}",
    "static long long whole(long double x) { return x > -1e15L && x < 1e15L ? (long long)x : -77; }",
    "static int sign(int x) { return (x > 0) - (x < 0); }",
)


def wide_header(ctx: Context) -> list[str]:
    """The lines, which may be repeated in every file."""
    return [
        *_SHOWING,
        *union_functions(ctx),
        *float_functions(ctx),
        *variadic_functions(ctx),
        *recursive_functions(ctx),
        *row_functions(ctx),
        *visitor_functions(ctx),
    ]
