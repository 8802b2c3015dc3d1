"""Writes what has to do with exceptions: throwing, catching in every way, throwing on."""

from collections.abc import Callable

from tests.generator.cplusplus.expressions import number, small, truth
from tests.generator.cplusplus.world import Context

Statements = Callable[[Context, int, int], None]


def thrown(ctx: Context) -> str:
    """What a `throw` throws."""
    ways = [f"{ctx.dice.choice(ctx.world.errors)}({small(ctx)})" for _ in range(3)]
    ways += [f"clip({number(ctx, depth=1).text})", "Mode::Fast", f"Pair{{{small(ctx)}, 2}}", "nowhere"]
    return ctx.dice.choice(ways)


def raising(ctx: Context) -> None:
    ctx.note("throw")
    ctx.write(f"if ({truth(number(ctx, depth=1))}) throw {thrown(ctx)};")


def attempts(ctx: Context, depth: int, statements: Statements) -> None:
    """`try` with handlers; some leave exceptions to others."""
    with ctx.block("try", "}"):
        statements(ctx, ctx.dice.randrange(1, 5), depth - 1)
        if ctx.chance(0.5):
            raising(ctx)
        elif ctx.chance(0.4):
            ctx.write(f"throw {thrown(ctx)};")
    errors = ctx.world.errors
    handlers = []
    if ctx.chance(0.7):
        # What is derived comes first: a handler behind one for its base would never run.
        for error in reversed(ctx.dice.sample(errors, ctx.dice.randrange(1, len(errors) + 1))):
            name = ctx.fresh("e")
            form = ctx.dice.choice([f"const {error} &{name}", f"{error} {name}", f"{error} &{name}"])
            ctx.note("catch by value" if "&" not in form else "catch by reference")
            handlers.append((form, f"{name}.code + {name}.kind()"))
    if ctx.chance(0.4):
        name = ctx.fresh("e")
        handlers.append((f"int {name}", name))
    if ctx.chance(0.2):
        name = ctx.fresh("e")
        handlers.append((f"const Error *{name}", f"{name} == nullptr ? 1 : 2"))
    if ctx.chance(0.2):
        handlers.append((ctx.dice.choice(["Mode", "const Pair &"]), "4"))
    if not handlers or ctx.chance(0.5):
        ctx.note("catch-all")
        handlers.append(("...", "5"))
    for declared, value in handlers:
        with ctx.block(f"catch ({declared})"):
            ctx.write(f"event(60, clip({value}));")
            statements(ctx, ctx.dice.randrange(0, 2), depth - 1)
            if ctx.chance(0.2):
                ctx.note("rethrow")
                ctx.write(f"if ({truth(number(ctx, depth=1))}) throw;")
            elif ctx.chance(0.15):
                ctx.note("throw in a handler")
                ctx.write(f"throw {thrown(ctx)};")
            elif ctx.loops and ctx.chance(0.3):
                ctx.note("handler that leaves a loop")
                ctx.write(f"{ctx.dice.choice(['break', 'continue'])};")
            elif ctx.returns and ctx.chance(0.2):
                ctx.note("handler that returns")
                ctx.write(f"{ctx.returns} {small(ctx)};")
