"""Floating-point arithmetic in all three types, shown by bit patterns; a NaN is shown as such, without its payload."""

from typing import Final

from tests.generator.context import Context, Function, Parameter
from tests.generator.types import INT, LLONG
from tests.generator.wide.writing import braces, pure, value

_TYPES: Final = ("float", "double", "long double")
_LITERALS: Final = (
    "0.0", "-0.0", "1.0f", "0.1", "0.1f", "0.1L", "1.5", ".5f", "2.5e10", "1e300", "1e-310", "3.4e38f", "1e-40f",
    "1e4900L",
    "0x1.8p3", "0x1.fffffep0f", "16777217.0f", "9007199254740993.0", "1e10L", "123456789.125", "7.", "1e-5", "3.0L",
)  # fmt: skip


def float_functions(ctx: Context) -> list[str]:
    """Functions with floating parameters and results, and one that the core generator can call."""
    a, b, c = (ctx.pick(_LITERALS) for _ in range(3))
    ctx.world.functions.append(Function("weigh", LLONG, (Parameter("v0", INT), Parameter("v1", INT)), 0, False, 8))
    return [
        "struct measured { char tag; float low[2]; double high; long double most; };",
        f"static float blend(float a, double b, int n) {{ return n & 1 ? a * {a} : a + (float)b; }}",
        "static long double settle(long double a, float b) {",
        f"    for (int i = 0; i < 3; i++) a = a / 2 + b * {b};",
        "    return a;",
        "}",
        "static struct measured measure(struct measured m, double by) {",
        f"    m.low[m.tag & 1] += (float)by; m.high *= by; m.most = m.most - {c}; return m;",
        "}",
        "long long weigh(int v0, int v1);",
    ]


def weighing() -> str:
    """The definition of the function that is called with any integers."""
    return "\n".join(
        [
            "long long weigh(int v0, int v1) {",
            "    static double kept = 0.25;",
            "    kept = kept * 0.5 + blend((float)v0, (double)v1, v1);",
            "    return whole(kept) ^ double_bits(kept);",
            "}",
        ]
    )


def floats(ctx: Context) -> None:
    with braces(ctx):
        names: list[tuple[str, str]] = []
        for _ in range(ctx.dice.randrange(2, 5)):
            t, name = ctx.pick(_TYPES), ctx.fresh("x")
            ctx.note(t)
            ctx.write(f"{ctx.pick(['', '', 'static '])}{t} {name} = {ctx.pick(_LITERALS)};")
            names.append((name, t))
        for _ in range(ctx.dice.randrange(2, 7)):
            _step(ctx, names)
        for name, t in names:
            _show(ctx, name, t)


def _show(ctx: Context, text: str, t: str) -> None:
    match t:
        case "float":
            ctx.write(f"observe(float_bits({text}));")
        case "double":
            ctx.write(f"observe(double_bits({text}));")
        case _:
            ctx.write(f"show_long({text});")


def _operand(ctx: Context, names: list[tuple[str, str]], depth: int) -> str:
    kind = ctx.pick(["name", "name", "literal", "integer"] + (["operator"] * 4 + ["cast", "choice", "-"]) * (depth > 0))
    match kind:
        case "name":
            return ctx.pick(names)[0]
        case "literal":
            return ctx.pick(_LITERALS)
        case "integer":
            return f"({ctx.pick(_TYPES)})({pure(ctx).text})"
        case "operator":
            right = _operand(ctx, names, depth - 1) if ctx.chance(0.8) else f"({pure(ctx).text})"
            return f"({_operand(ctx, names, depth - 1)} {ctx.pick('+-*/')} {right})"
        case "cast":
            return f"({ctx.pick(_TYPES)}){_operand(ctx, names, depth - 1)}"
        case "choice":
            parts = [_operand(ctx, names, 0) for _ in range(3)]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        case _:
            return f"(-({_operand(ctx, names, depth - 1)}))"


def _step(ctx: Context, names: list[tuple[str, str]]) -> None:
    name, _ = ctx.pick(names)
    other = _operand(ctx, names, 2)
    match ctx.pick(["assign", "assign", "compound", "step", "whole", "compare", "truth", "call", "struct", "from"]):
        case "assign":
            ctx.write(f"{name} = {other};")
        case "compound":
            ctx.note("float compound assignment")
            ctx.write(f"{name} {ctx.pick(['+=', '-=', '*=', '/='])} {other};")
            if ctx.chance(0.4):
                count = ctx.fresh("n")
                ctx.write(f"int {count} = {ctx.dice.randrange(1, 100)};")
                ctx.write(
                    f"{count} {ctx.pick(['+=', '*=', '-='])} {ctx.pick(['1.5', '0.25f', '2.75L'])}; observe({count});"
                )
        case "step":
            ctx.write(f"observe({name}{ctx.pick(['++', '--'])} > {ctx.pick(_LITERALS)}); observe({name} > {other});")
        case "whole":
            ctx.note("float to integer")
            ctx.write(f"observe(whole({other}));")
        case "compare":
            op = ctx.pick(["<", ">", "<=", ">=", "==", "!="])
            ctx.write(f"observe({name} {op} {other});")
        case "truth":
            ctx.note("float condition")
            ctx.write(
                f"if ({other}) observe(!{name}); else observe((_Bool){name} + 2 * ({name} && {ctx.pick(names)[0]}));"
            )
        case "call":
            ctx.note("float parameter")
            call = ctx.pick([f"blend({name}, {other}, {ctx.dice.randrange(9)})", f"settle({other}, {name})"])
            ctx.write(f"{name} = {call};")
        case "struct":
            ctx.note("float in an aggregate")
            record = ctx.fresh("m")
            ctx.write(f"struct measured {record} = measure((struct measured){{1, {{{name}}}, {other}, 2}}, {name});")
            ctx.write(
                f"observe(float_bits({record}.low[1])); observe(double_bits({record}.high)); show_long({record}.most);"
            )
        case _:
            ctx.write(f"{name} = {value(ctx, LLONG)};")
