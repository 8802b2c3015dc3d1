"""Computed gotos and case ranges."""

from tests.generator.context import Context
from tests.generator.simple import assign
from tests.generator.types import INT, UINT
from tests.generator.wide.writing import braces, pure_value, value


def computed_goto(ctx: Context) -> None:
    """A small interpreter: labels in a table, a byte code that ends. A function has only one.

    gcc takes it that a computed goto may lead to any label whose address is taken, so that of two each would seem to
    jump past the initialisers before the other.
    """
    if any("goto *" in line for line in ctx.lines):
        case_ranges(ctx)
        return
    ctx.note("computed goto")
    labels = [ctx.fresh("op") for _ in range(ctx.dice.randrange(2, 5))]
    end = ctx.fresh("done")
    count = len(labels)
    code = [ctx.dice.randrange(count) for _ in range(ctx.dice.randrange(2, 8))]
    with braces(ctx):
        table, at, sum_ = ctx.fresh("table"), ctx.fresh("at"), ctx.fresh("sum")
        storage = ctx.pick(["static void *const ", "static const void *", "void *"])
        entries = ", ".join(f"&&{label}" for label in (*labels, end))
        ctx.write(f"{storage}{table}[] = {{{entries}}};")
        ctx.write(f"static const unsigned char {table}_code[] = {{{', '.join(map(str, [*code, count]))}}};")
        ctx.write(f"const unsigned char *{at} = {table}_code;")
        ctx.write(f"unsigned int {sum_} = {value(ctx, UINT)};")
        ctx.write(f"goto *{table}[*{at}++];")
        for number, label in enumerate(labels):
            ctx.write(f"{label}: {sum_} = {sum_} * {number + 3}u ^ {pure_value(ctx, UINT)};")
            if ctx.chance(0.4):
                assign(ctx)
            last = f"goto *{table}[*{at}++];"
            ctx.write(f"if ({sum_} & 1) {last} else {{ observe({sum_}); {last} }}" if ctx.chance(0.4) else last)
        ctx.write(f"{end}: observe({sum_});")


def case_ranges(ctx: Context) -> None:
    ctx.note("case range", "switch")
    lo = ctx.dice.randrange(-20, 20)
    ends = sorted(ctx.dice.sample(range(lo, lo + 60), 6))
    with braces(ctx):
        name = ctx.fresh("n")
        ctx.write(f"int {name} = {value(ctx, INT)};")
        ctx.write(f"if ({name} > 99 || {name} < -99) {name} %= 50;")
        ctx.write(f"switch ({name}) {{")
        for number, (first, last) in enumerate(zip(ends[::2], ends[1::2], strict=True)):
            ctx.write(f"case {first} ... {last}: observe({number}); {ctx.pick(['break;', ''])}")
        ctx.write(f"case {lo + 70}: case {lo + 80} ... 2147483647: observe(9); break;")
        if ctx.chance(0.7):
            ctx.write("default: observe(-1);")
        ctx.write("}")
