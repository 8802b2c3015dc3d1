"""Loops of every kind, bounded by a counter that nothing else writes."""

from tests.generator.context import Body, Context
from tests.generator.expressions import condition, integer
from tests.generator.ranges import Range
from tests.generator.types import INT, LONG, SHORT, UCHAR, UINT, ULONG, IntType

_COUNTERS = (INT, INT, UINT, SHORT, UCHAR, LONG, ULONG)


def loop(ctx: Context, depth: int, body: Body) -> None:
    times = ctx.dice.randrange(1, 7)
    while times > 1 and ctx.budget // (times + 1) < 8:
        times -= 1
    if ctx.loops:
        ctx.note("nested loop")
    escape = ctx.fresh("out") if ctx.chance(0.15) else ""
    ctx.loops += 1
    ctx.breakable += 1
    kind = ctx.weighted([(4, "up"), (2, "down"), (3, "missing"), (3, "while"), (3, "do")])
    match kind:
        case "up":
            _counting_up(ctx, depth, body, times, escape)
        case "down":
            _counting_down(ctx, depth, body, times, escape)
        case "missing":
            _missing_parts(ctx, depth, body, times, escape)
        case "while":
            _while(ctx, depth, body, times, escape)
        case _:
            _do(ctx, depth, body, times, escape)
    ctx.loops -= 1
    ctx.breakable -= 1
    if escape:
        ctx.write(f"{escape}: ;")


def _inside(
    ctx: Context, depth: int, body: Body, name: str, t: IntType, values: Range, first: str, escape: str
) -> None:
    """The braces' content: what must come first, a way out, then anything."""
    with ctx.scope():
        ctx.hide(name)
        if first:
            ctx.write(first)
        ctx.declare(name, t, values=values, writable=False, addressable=False)
        if escape:
            ctx.note("goto out of a loop")
            ctx.write(f"if ({condition(ctx, 2).text}) goto {escape};")
        body(ctx, depth - 1)


def _extra(ctx: Context) -> str:
    return f" && {condition(ctx, 1).at(6)}" if ctx.chance(0.3) else ""


def _counting_up(ctx: Context, depth: int, body: Body, times: int, escape: str) -> None:
    ctx.note("for")
    t, name = ctx.pick(_COUNTERS), ctx.fresh("i")
    stride = ctx.pick([1, 1, 1, 2, 3])
    step = f"{name} += {stride}" if stride > 1 else ctx.pick([f"{name}++", f"++{name}", f"{name} = {name} + 1"])
    with ctx.repeated(times + 1):
        test = f"{name} < {times * stride}{_extra(ctx)}"
        ctx.write(f"for ({t.name} {name} = 0; {test}; {step}) {{")
        _inside(ctx, depth, body, name, t, Range(0, times * stride - 1), "", escape)
    ctx.write("}")


def _counting_down(ctx: Context, depth: int, body: Body, times: int, escape: str) -> None:
    ctx.note("for", "comma")
    t, name = ctx.pick(_COUNTERS), ctx.fresh("i")
    ctx.write(f"{t.name} {name};")
    ctx.hide(name)
    with ctx.repeated(times + 1):
        with ctx.without_effects():
            start = integer(ctx, 1)
        step = ctx.pick([f"--{name}", f"{name}--"])
        ctx.write(f"for (observe({start.argument}), {name} = {times}; {name} > 0; {step}) {{")
        _inside(ctx, depth, body, name, t, Range(1, times), "", escape)
    ctx.write("}")
    ctx.declare(name, t, values=Range(0, times), writable=False, addressable=False)


def _missing_parts(ctx: Context, depth: int, body: Body, times: int, escape: str) -> None:
    ctx.note("for with missing parts")
    t, name = ctx.pick(_COUNTERS), ctx.fresh("i")
    form = ctx.pick(["all", "test", "step", "first"])
    if form in ("all", "first", "step"):
        ctx.write(f"{t.name} {name} = 0;")
        ctx.hide(name)
    with ctx.repeated(times + 1):
        match form:
            case "all":
                ctx.write("for (;;) {")
                _inside(ctx, depth, body, name, t, Range(1, times), f"if ({name}++ >= {times}) break;", escape)
            case "test":
                ctx.write(f"for ({t.name} {name} = 0;; {name}++) {{")
                _inside(ctx, depth, body, name, t, Range(0, times - 1), f"if ({name} == {times}) {{ break; }}", escape)
            case "step":
                ctx.write(f"for (; {name} < {times};) {{")
                _inside(ctx, depth, body, name, t, Range(1, times), f"{name} += 1;", escape)
            case _:
                ctx.write(f"for (; {name} != {times}; {name}++) {{")
                _inside(ctx, depth, body, name, t, Range(0, times - 1), "", escape)
    ctx.write("}")


def _while(ctx: Context, depth: int, body: Body, times: int, escape: str) -> None:
    ctx.note("while")
    t, name = ctx.pick(_COUNTERS), ctx.fresh("n")
    ctx.write(f"{t.name} {name} = {times};")
    ctx.hide(name)
    with ctx.repeated(times + 1):
        if ctx.chance(0.5):
            ctx.write(f"while ({name}-- > 0{_extra(ctx)}) {{")
            _inside(ctx, depth, body, name, t, Range(0, times - 1), "", escape)
        else:
            ctx.write(f"while ({name}{_extra(ctx)}) {{")
            _inside(ctx, depth, body, name, t, Range(0, times - 1), f"--{name};", escape)
    ctx.write("}")


def _do(ctx: Context, depth: int, body: Body, times: int, escape: str) -> None:
    ctx.note("do while")
    t, name = ctx.pick(_COUNTERS), ctx.fresh("n")
    ctx.write(f"{t.name} {name} = 0;")
    ctx.hide(name)
    with ctx.repeated(times + 1):
        ctx.write("do {")
        _inside(ctx, depth, body, name, t, Range(0, times - 1), "", escape)
        ctx.write(f"}} while (++{name} < {times}{_extra(ctx)});")
