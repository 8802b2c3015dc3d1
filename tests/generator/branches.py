"""Statements that choose or jump: if, switch, goto."""

from tests.generator.context import Body, Context
from tests.generator.expression import Expr
from tests.generator.expressions import condition, integer
from tests.generator.places import find, fitted
from tests.generator.ranges import Range
from tests.generator.simple import assign, observe
from tests.generator.types import INT, IntType


def choose(ctx: Context, depth: int, body: Body) -> None:
    ctx.write(f"if ({condition(ctx, 3).text}) {{")
    _braced(ctx, depth, body)
    for _ in range(ctx.weighted([(6, 0), (2, 1), (1, 2)])):
        ctx.write(f"}} else if ({condition(ctx, 2).text}) {{")
        _braced(ctx, depth, body)
    if ctx.chance(0.5):
        ctx.note("if else")
        ctx.write("} else {")
        _braced(ctx, depth, body)
    ctx.note("if")
    ctx.write("}")


def bare_block(ctx: Context, depth: int, body: Body) -> None:
    ctx.note("bare block")
    ctx.write("{")
    _braced(ctx, depth, body)
    ctx.write("}")


def switch(ctx: Context, depth: int, body: Body) -> None:
    if ctx.switches:
        ctx.note("nested switch")
    ctx.note("switch")
    subject, labels = _subject_and_labels(ctx)
    default_at = ctx.dice.randrange(len(labels) + 1) if ctx.chance(0.7) else -1
    if 0 <= default_at < len(labels):
        ctx.note("default in the middle")
    ctx.write(f"switch ({subject.text}) {{")
    ctx.switches += 1
    ctx.breakable += 1
    parts = [f"case {label}:" for label in labels]
    if default_at >= 0:
        parts.insert(default_at, "default:")
    for part in parts:
        ctx.write(part)
        match ctx.weighted([(1, "empty"), (3, "simple"), (4, "block")]):
            case "empty" if part != parts[-1]:
                ctx.note("fall through")
                continue
            case "block":
                ctx.write("{")
                _braced(ctx, depth, body)
                ctx.write("}")
            case _:
                ctx.indent += 1
                ctx.pick([assign, observe])(ctx)
                ctx.indent -= 1
        if ctx.chance(0.65):
            ctx.write("    break;")
        elif part != parts[-1]:
            ctx.note("fall through")
    ctx.switches -= 1
    ctx.breakable -= 1
    ctx.write("}")


def case_inside_loop(ctx: Context, depth: int, body: Body) -> None:
    """A switch that jumps into the middle of a loop, as in Duff's device."""
    ctx.note("case inside a loop", "switch", "do while", "fall through")
    name, times = ctx.fresh("n"), ctx.dice.randrange(1, 5)
    ctx.write(f"int {name} = {times};")
    ctx.hide(name)
    ctx.write(f"switch ({fitted(integer(ctx, 2), 0, 3).text}) {{")
    ctx.write("case 0:")
    ctx.write("    do {")
    ctx.loops += 1
    ctx.breakable += 1
    ctx.indent += 1
    with ctx.repeated(times):
        for label in ctx.dice.sample([1, 2, 3], 3):
            ctx.write("    {")
            with ctx.scope():
                ctx.indent += 1
                body(ctx, depth - 1)
                ctx.indent -= 1
            ctx.write("    }")
            ctx.write(f"case {label}:")
        ctx.write("    ;")
        ctx.indent -= 1
        ctx.loops -= 1
        ctx.breakable -= 1
        ctx.write(f"    }} while (--{name} > 0);")
    ctx.write("}")


def forward(ctx: Context, depth: int, body: Body) -> None:
    ctx.note("goto forward")
    label = ctx.fresh("skip")
    ctx.write(f"if ({condition(ctx, 2).text}) goto {label};")
    ctx.write("{")
    _braced(ctx, depth, body)
    ctx.write("}")
    ctx.write(f"{label}: ;")


def backward(ctx: Context, depth: int, body: Body) -> None:
    ctx.note("goto backward")
    label, name, times = ctx.fresh("again"), ctx.fresh("n"), ctx.dice.randrange(1, 5)
    ctx.write(f"int {name} = 0;")
    ctx.hide(name)
    ctx.write(f"{label}: ;")
    with ctx.repeated(times):
        ctx.write("{")
        with ctx.scope():
            ctx.declare(name, INT, values=Range(0, times - 1), writable=False, addressable=False)
            body(ctx, depth - 1)
        ctx.write("}")
        ctx.write(f"if (++{name} < {times} && {condition(ctx, 1).at(6)}) goto {label};")


def _braced(ctx: Context, depth: int, body: Body) -> None:
    with ctx.scope():
        body(ctx, depth - 1)


def _subject_and_labels(ctx: Context) -> tuple[Expr, list[str]]:
    """What a switch tests, and distinct labels that it can hit."""
    if ctx.world.enums and ctx.chance(0.3):
        enum = ctx.pick(ctx.world.enums)
        place = find(ctx, lambda p: isinstance(p.type, IntType) and p.type.name == enum.name)
        if place is not None:
            ctx.note("enum")
            chosen = list(enum.enumerators[: ctx.dice.randrange(1, len(enum.enumerators) + 1)])
            return Expr(place.text, enum.representation, place.range, place.level), [name for name, _ in chosen]
    values = ctx.dice.sample(range(-1, 6), ctx.dice.randrange(1, 5))
    subject = integer(ctx, 2)
    if ctx.chance(0.8):
        subject = fitted(subject, 0, 5)
    return subject, [ctx.pick([str(v), f"{v:#x}" if v >= 0 else str(v), f"{v - 1} + 1"]) for v in values]
