"""Arrays whose length is known only when they are declared."""

from tests.generator.context import Context
from tests.generator.types import INT, SHORT, UCHAR, UINT, ULLONG
from tests.generator.wide.writing import bounded, braces, pure_value, value


def row_functions(ctx: Context) -> list[str]:
    return [
        "static long long total(int n, int rows[n][3], const short weights[static n]) {",
        "    long long sum = 0;",
        "    for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) sum += (long long)rows[i][j] * weights[i];",
        f"    return sum + (long long)sizeof rows[0] * {ctx.dice.randrange(3)};",
        "}",
    ]


def variable_length(ctx: Context) -> None:
    ctx.note("variable-length array")
    t = ctx.pick((UCHAR, SHORT, UINT, ULLONG))
    with braces(ctx):
        n, name = ctx.fresh("n"), ctx.fresh("vla")
        ctx.write(f"int {n} = {bounded(ctx, 1, ctx.dice.randrange(2, 8))};")
        if ctx.chance(0.4):
            _rows(ctx, n, name)
            return
        loop = f"for (int i = 0; i < {n}; i++)"
        ctx.write(f"{t.name} {name}[{n}];")
        ctx.write(f"{loop} {name}[i] = ({t.name})(i * {ctx.dice.randrange(1, 99)});")
        ctx.write(f"{name}[{bounded(ctx, 0, 1000)} % {n}] = {pure_value(ctx, t)};")
        ctx.write(f"observe(sizeof {name}); observe({name}[{n} - 1]);")
        if ctx.chance(0.5):
            last = f"{name}_last"
            ctx.write(f"{t.name} *{last} = {name} + {n};")
            ctx.write(f"while ({last} > {name}) observe(*--{last});")
        else:
            ctx.write(f"for (int round = 1; round <= {n}; round++) {{")
            ctx.write(f"    {t.name} part[round];")
            ctx.write(f"    memcpy(part, {name}, sizeof part);")
            ctx.write("    observe(part[round - 1] + sizeof part);")
            ctx.write("}")


def _rows(ctx: Context, n: str, name: str) -> None:
    ctx.note("variable-length rows", "variable-length parameter")
    weights = ctx.fresh("w")
    ctx.write(f"int {name}[{n}][3];")
    ctx.write(f"short {weights}[{n} + 1];")
    ctx.write(f"for (int i = 0; i < {n}; i++) for (int j = 0; j < 3; j++) {name}[i][j] = i * 10 - j;")
    ctx.write(f"for (int i = 0; i <= {n}; i++) {weights}[i] = (short)(i - 2);")
    ctx.write(f"{name}[{n} - 1][0] = {value(ctx, INT)};")
    ctx.write(f"observe(total({n}, {name}, {weights})); observe(sizeof {name} / sizeof {name}[0]);")
