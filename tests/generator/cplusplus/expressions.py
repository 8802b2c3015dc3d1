"""Writes expressions: numbers and objects, with at most one part that acts wherever the order is left open."""

from typing import Final

from tests.generator.cplusplus.world import LARGEST, LIMIT, Class, Context, Level, Number, Variable

_DEPTH: Final = 3


def number(ctx: Context, level: Level = Level.ACTING, depth: int = _DEPTH) -> Number:
    """An expression of type `int` that does at most what the level says."""
    if depth == 0 or ctx.chance(0.15):
        return _leaf(ctx, level)
    makers = [_binary, _binary, _condition]
    if level >= Level.READING and ctx.objects:
        makers += [_read, _read]
    if level >= Level.READING and ctx.containers:
        makers.append(_contained)
    if level is Level.ACTING:
        makers += [_logical, _conditional, _comma, _template, _compared]
        makers += [_act] * 4
        if ctx.world.functions:
            makers += [_call] * 2
    return ctx.dice.choice(makers)(ctx, level, depth)


def small(ctx: Context, level: Level = Level.ACTING, depth: int = 2) -> str:
    """An expression whose value is below the limit."""
    return clipped(number(ctx, level, depth))


def clipped(value: Number) -> str:
    return value.text if value.bound <= LIMIT else f"clip({value.text})"


def _leaf(ctx: Context, level: Level) -> Number:
    if level >= Level.READING and ctx.numbers and ctx.chance(0.6):
        return Number(ctx.dice.choice(ctx.numbers), LIMIT, Level.READING)
    if ctx.constants and ctx.chance(0.5):
        return Number(ctx.dice.choice(ctx.constants), LIMIT, Level.QUIET)
    value = ctx.dice.randrange(60)
    return Number(str(value), value, Level.QUIET)


def beside(ctx: Context, level: Level, other: Level, depth: int) -> Number:
    """An operand next to one of the other level, where nobody says which comes first."""
    if ctx.world.open_orders:
        return number(ctx, level, depth)
    if other is Level.ACTING:
        level = Level.QUIET
    elif other is Level.READING:
        level = min(level, Level.READING)
    return number(ctx, level, depth)


def _binary(ctx: Context, level: Level, depth: int) -> Number:
    one = number(ctx, level, depth - 1)
    two = beside(ctx, level, one.level, depth - 1)
    if ctx.chance(0.5):
        one, two = two, one
    operator = ctx.dice.choice(["+", "-", "*", "%", "^"])
    both = max(one.level, two.level)
    if operator == "%":
        divisor = ctx.dice.randrange(2, 40)
        return Number(f"({one.text} % {divisor})", divisor, one.level)
    if operator == "^":
        return Number(f"({clipped(one)} ^ {clipped(two)})", 1024, both)
    if operator == "*":
        if one.bound * two.bound > LARGEST:
            return Number(f"({clipped(one)} * {clipped(two)})", LIMIT * LIMIT, both)
        return Number(f"({one.text} * {two.text})", one.bound * two.bound, both)
    if one.bound + two.bound > LARGEST:
        return Number(f"({clipped(one)} {operator} {clipped(two)})", 2 * LIMIT, both)
    return Number(f"({one.text} {operator} {two.text})", one.bound + two.bound, both)


def _condition(ctx: Context, level: Level, depth: int) -> Number:
    one = number(ctx, level, depth - 1)
    two = beside(ctx, level, one.level, depth - 1)
    operator = ctx.dice.choice(["<", "==", "!=", ">="])
    return Number(f"({one.text} {operator} {two.text})", 1, max(one.level, two.level))


def _logical(ctx: Context, level: Level, depth: int) -> Number:
    one, two = number(ctx, level, depth - 1), number(ctx, level, depth - 1)
    ctx.note("&& and ||")
    return Number(f"({truth(one)} {ctx.dice.choice(['&&', '||'])} {truth(two)})", 1, level)


def truth(value: Number) -> str:
    return f"{value.text} % 3 != 0" if value.bound > 1 else value.text


def _conditional(ctx: Context, level: Level, depth: int) -> Number:
    test, one, two = (number(ctx, level, depth - 1) for _ in range(3))
    return Number(f"({truth(test)} ? {one.text} : {two.text})", max(one.bound, two.bound), level)


def _comma(ctx: Context, level: Level, depth: int) -> Number:
    return Number(f"(event(21, {small(ctx)}), {(two := number(ctx, level, depth - 1)).text})", two.bound, level)


def _template(ctx: Context, level: Level, depth: int) -> Number:
    ctx.note("function template")
    value = small(ctx, level, depth - 1)
    choice = ctx.dice.randrange(4)
    if choice == 0:
        return Number(f"clip(sum({value}, {ctx.dice.randrange(9)}, {ctx.dice.randrange(9)}L))", LIMIT, level)
    if choice == 1:
        return Number(f"scaled<{ctx.dice.randrange(2, 6)}>({value})", 6 * LIMIT, level)
    if choice == 2:
        return Number(f"clip(chain({value}, {ctx.dice.randrange(9)}, 'a'))", LIMIT, level)
    return Number(f"larger<int>({value}, {ctx.dice.randrange(99)})", LIMIT, level)


def _compared(ctx: Context, level: Level, depth: int) -> Number:
    found = [v for v in ctx.objects if "==" in v.type.operators]
    if not found:
        return _binary(ctx, level, depth)
    one = ctx.dice.choice(found)
    return Number(f"static_cast<int>({one.text} {ctx.dice.choice(['==', '!='])} {one.text})", 1, level)


def _read(ctx: Context, level: Level, depth: int) -> Number:
    found = ctx.dice.choice(ctx.objects)
    if found.type.fields and ctx.chance(0.5):
        field = ctx.dice.choice(found.type.fields)
        return Number(field.read(f"{found.text}."), field.bound, Level.READING)
    return Number(f"{found.text}.{found.type.total}()", LIMIT, Level.READING)


def _contained(ctx: Context, level: Level, depth: int) -> Number:
    return Number(ctx.dice.choice(ctx.containers).sum, LIMIT, Level.READING)


def _act(ctx: Context, level: Level, depth: int) -> Number:
    """Something is done with an object, be it one that lives no longer than that."""
    objects = [v for v in ctx.objects if not v.constant]
    if objects and ctx.chance(0.6):
        chosen = ctx.dice.choice(objects)
        text, type = chosen.text, chosen.type
    else:
        made = temporary(ctx, depth - 1)
        if made is None:
            return _leaf(ctx, level)
        text, type = made
        ctx.note("temporary")
    ways = [f"{text}.{type.total}()", f"{text}.{type.method}({small(ctx, depth=depth - 1)})"]
    ways += [f"{text}.{v}({small(ctx, depth=depth - 1)})" for v in type.virtuals]
    forms = {
        "()": f"{text}({small(ctx, depth=depth - 1)})",
        "int": f"static_cast<int>({text})",
        "bool": f"({text} ? {ctx.dice.randrange(9)} : {ctx.dice.randrange(9)})",
        "inner": f"clip({text}.inner{type.number}({small(ctx, depth=depth - 1)}))",
        "<": f"static_cast<int>({text} < {text})" if objects else "1",
        "*": f"static_cast<int>(*{text})",
    }
    ways += [form for operator, form in forms.items() if operator in type.operators and operator != "<"]
    return Number(ctx.dice.choice(ways), LIMIT * 2, Level.ACTING)


def _call(ctx: Context, level: Level, depth: int) -> Number:
    found = [f for f in ctx.world.functions if f.result is None]
    if not found:
        return _leaf(ctx, level)
    function = ctx.dice.choice(found)
    if function.taken is None:
        return Number(f"{function.name}({small(ctx, depth=depth - 1)})", LIMIT, level)
    given = argument(ctx, function.taken, function.passing, depth - 1)
    if given is None:
        return _leaf(ctx, level)
    return Number(f"{function.name}({_first(ctx, depth - 1)}, {given})", LIMIT, level)


def _first(ctx: Context, depth: int) -> str:
    """The first of several arguments, of which another one acts."""
    return small(ctx, depth=depth) if ctx.world.open_orders else _leaf(ctx, Level.QUIET).text


def objects_of(ctx: Context, type: Class, *, changed: bool) -> list[Variable]:
    """The variables that are of a class or of one derived from it."""
    return [v for v in ctx.objects if type.number in v.type.ancestors() and not (changed and v.constant)]


def argument(ctx: Context, type: Class, passing: str, depth: int) -> str | None:
    """What is passed for a parameter; None if there is nothing that fits."""
    named = objects_of(ctx, type, changed=passing in ("reference", "pointer", "moved"))
    match passing:
        case "reference" | "pointer":
            if not named:
                return None
            return ("&" if passing == "pointer" else "") + ctx.dice.choice(named).text
        case "moved":
            if named and ctx.chance(0.5):
                return f"moved({ctx.dice.choice(named).text})"
            return made(ctx, type, depth)
        case "constant" if named and ctx.chance(0.5):
            return ctx.dice.choice(named).text
    return value_of(ctx, type, depth)


def temporary(ctx: Context, depth: int) -> tuple[str, Class] | None:
    whole = [c for c in ctx.world.classes if not c.is_abstract and not c.parts]
    if not whole:
        return None
    type = ctx.dice.choice(whole)
    text = made(ctx, type, depth)
    return None if text is None else (text, type)


def made(ctx: Context, type: Class, depth: int = 2, *, to_assign: bool = False) -> str | None:
    """A new object of just this class; None if there is no way to make one."""
    if type.is_abstract or type.parts:
        return None
    ways = [construction(ctx, type, depth)] * 3
    if depth > 0:
        makers = [f for f in ctx.world.functions if f.result is type and f.taken is None]
        if makers:
            ways += [f"{ctx.dice.choice(makers).name}({small(ctx, depth=depth - 1)})"] * 3
        named = [v for v in ctx.objects if v.type is type and not v.constant]
        test = truth(number(ctx, Level.ACTING, 1))
        one, two = made(ctx, type, 0), made(ctx, type, 0)
        ways.append(f"({test} ? {one} : {two})")
        # Where both the copy and the assignment are trivial, g++ makes no temporary of what is named, though C++ wants
        # one ([expr.cond], [class.temporary]), and so its destructor is not called.
        if named and type.copied and (type.copies_written or not to_assign):
            ctx.note("conditional temporaries")
            chosen = ctx.dice.choice(named).text
            ways += [f"({test} ? {one} : {chosen})", f"({test} ? {chosen} : {one})"]
        if named and "+" in type.operators and type.copied:
            ways.append(f"({ctx.dice.choice(named).text} + {one})")
        if named and "-" in type.operators:
            ways.append(f"(-{ctx.dice.choice(named).text})")
        ways.append(f"(event(22, {small(ctx, depth=0)}), {one})")
        ways.append(f"[&] {{ return {one}; }}()")
    return ctx.dice.choice(ways)


def value_of(ctx: Context, type: Class, depth: int = 2, *, to_assign: bool = False) -> str | None:
    """What an object of the class can be made of, or be assigned: a new one, or a copy of one that is there."""
    named = [v for v in ctx.objects if v.type is type]
    changeable = [v for v in named if not v.constant]
    if named and type.copied and ctx.chance(0.4):
        return ctx.dice.choice(named).text
    if changeable and type.moved and ctx.chance(0.3):
        ctx.note("moved objects")
        return f"moved({ctx.dice.choice(changeable).text})"
    return made(ctx, type, depth, to_assign=to_assign)


def construction(ctx: Context, type: Class, depth: int) -> str:
    """`T(1)`, `T{1, f()}`: in braces, what is left comes first."""
    depth = max(depth - 1, 0)
    if type.empty and ctx.chance(0.2):
        return f"{type.full}{ctx.dice.choice(['()', '{}'])}"
    if type.second and ctx.chance(0.3):
        ctx.note("construction in braces")
        return f"{type.full}{{{small(ctx, depth=depth)}, {small(ctx, depth=depth)}}}"
    if type.second and ctx.chance(0.3):
        return f"{type.full}({_first(ctx, depth)}, {small(ctx, depth=depth)})"
    return f"{type.full}({small(ctx, depth=depth)})"
