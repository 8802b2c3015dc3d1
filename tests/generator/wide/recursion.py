"""Recursive functions, bounded by their first argument whatever it is."""

from tests.generator.context import Context, Function, Parameter
from tests.generator.types import INT, LLONG, UINT

_DEPTH = 7


def recursive_functions(ctx: Context) -> list[str]:
    """Static functions for every file; the core generator calls them with any integers."""
    ctx.note("recursion", "mutual recursion", "recursion with array")
    a, b, c = (ctx.dice.randrange(1, 50) for _ in range(3))
    one, two = Parameter("n", INT), Parameter("x", UINT)
    for name, parameters, cost in (
        ("descend", (one, two), 30),
        ("branching", (one,), 120),
        ("even_steps", (two,), 30),
        ("filled", (one, two), 150),
    ):
        ctx.world.functions.append(Function(name, LLONG, parameters, 0, False, cost))
    return [
        "static long long descend(int n, unsigned int x) {",
        f"    if ((n &= {_DEPTH}) == 0) return x % {a * 7};",
        f"    long long below = descend(n - 1, x * {a}u + (unsigned int)n);",
        "    return n & 1 ? below ^ x : below * 2 - n;",
        "}",
        "static long long branching(int n) {",
        f"    n &= {_DEPTH - 2 if ctx.chance(0.5) else 3};",
        f"    return n < 2 ? n + {b} : branching(n - 1) + branching(n - 2);",
        "}",
        "static long long odd_steps(unsigned int x);",
        f"static long long even_steps(unsigned int x) {{ return (x &= 31) < 3 ? x : odd_steps(x - 2) + {c}; }}",
        "static long long odd_steps(unsigned int x) { return x == 1 ? -1 : even_steps(x - 1) * 2; }",
        "static void fill(unsigned short *to, int n, const unsigned short *above) {",
        "    unsigned short mine[3] = {above[0], (unsigned short)n, (unsigned short)(above[1] + above[2])};",
        "    if (n > 0) fill(to, n - 1, mine);",
        "    to[n] = (unsigned short)(to[n] * 3 + mine[n % 3]);",
        "}",
        "static long long filled(int n, unsigned int x) {",
        f"    static unsigned short kept[{_DEPTH + 1}];",
        f"    fill(kept, n & {_DEPTH}, (unsigned short[]){{(unsigned short)x, {a}, {b}}});",
        f"    return kept[x & {_DEPTH}] - kept[n & {_DEPTH}];",
        "}",
    ]
