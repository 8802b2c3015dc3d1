"""Bit-fields that fill words exactly, seen as words, and bit-fields of types wider than int."""

from tests.generator.context import Context
from tests.generator.types import LLONG, UINT, ULLONG
from tests.generator.wide.writing import bounded, braces, pure_value, value


def bit_fields_over_a_word(ctx: Context) -> None:
    """Fields that cover one or two words without a gap, in a union with them."""
    ctx.note("bit-fields over a word", "union")
    words = ctx.dice.randrange(1, 3)
    fields = []
    for _ in range(words):
        left = 32
        while left:
            width = min(left, ctx.dice.randrange(1, 17))
            fields.append((ctx.pick(["unsigned int", "int"]), width))
            left -= width
    with braces(ctx):
        name = ctx.fresh("w")
        members = " ".join(f"{t} f{n} : {width};" for n, (t, width) in enumerate(fields))
        ctx.write(f"union {{ struct {{ {members} }} in; unsigned int word[{words}]; }} {name};")
        for word in range(words):
            ctx.write(f"{name}.word[{word}] = {value(ctx, UINT)};")
        for _ in range(ctx.dice.randrange(2, 6)):
            field = f"{name}.in.f{ctx.dice.randrange(len(fields))}"
            match ctx.pick(["read", "write", "compound", "step"]):
                case "read":
                    ctx.write(f"observe({field});")
                case "write":
                    ctx.write(f"observe({field} = {value(ctx, UINT)});")
                case "compound":
                    ctx.write(f"{field} {ctx.pick(['^=', '|=', '&=', '+=', '-='])} {pure_value(ctx, UINT)} & 1023;")
                case _:
                    ctx.write(f"{ctx.pick(['++', '--'])}{field};")
            ctx.write(f"observe({name}.word[{bounded(ctx, 0, words - 1)}]);")


def wide_bit_fields(ctx: Context) -> None:
    """Each read is converted at once: C leaves open in which width an expression of them is computed."""
    ctx.note("bit-field wider than int")
    widths = [ctx.dice.randrange(1, 65) for _ in range(3)]
    signs = [ctx.chance(0.5) for _ in range(3)]
    with braces(ctx):
        name = ctx.fresh("w")
        members = " ".join(
            f"{'long long' if signed else 'unsigned long long'} f{n} : {width};"
            for n, (width, signed) in enumerate(zip(widths, signs, strict=True))
        )
        packed = ctx.pick(["", " __attribute__((packed))"])
        if packed:
            ctx.note("packed struct")
        ctx.write(f"struct {{ char before; {members} short after; }}{packed} {name} = {{1, 2, 0, 0, 3}};")
        for _ in range(ctx.dice.randrange(2, 5)):
            n = ctx.dice.randrange(3)
            t = LLONG if signs[n] else ULLONG
            ctx.write(f"{name}.f{n} = {value(ctx, t)};")
            ctx.write(f"observe((long long){name}.f{ctx.dice.randrange(3)} ^ {pure_value(ctx, LLONG)});")
        ctx.write(f"observe({name}.before + {name}.after); observe(sizeof {name});")
