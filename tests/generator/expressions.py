"""Random integer expressions over the names in scope."""

from tests.generator.calls import call, call_through_pointer, callable_functions
from tests.generator.context import Context, Place, read
from tests.generator.expression import (
    ASSIGNMENT,
    LEVEL,
    OUTPUT_EFFECTS,
    POSTFIX,
    PRIMARY,
    UNARY,
    Effects,
    Expr,
    binary,
    cast,
    conditional,
    logical,
    sequence,
    unary,
)
from tests.generator.features import COMPOUND
from tests.generator.guards import arithmetic
from tests.generator.literals import STRINGS, constant, literal, string_length
from tests.generator.places import dereferenced, find, fitted, member, readable_integer, stepped, writable_integer
from tests.generator.ranges import ARITHMETIC, BITWISE, RELATIONAL, SHIFTS, Range, full
from tests.generator.types import (
    CHAR,
    INT,
    ULONG,
    ArrayType,
    CType,
    IntType,
    PointerType,
    StructType,
    declaration,
    signed_of,
    target_of,
    unsigned_of,
)
from tests.generator.wide.operators import wide_operator


def integer(ctx: Context, depth: int) -> Expr:
    """Any integer expression of about the given depth."""
    if depth <= 0:
        return _leaf(ctx)
    kinds = [(5, "leaf"), (22, "operator"), (8, "relation"), (7, "logical"), (6, "unary"), (7, "cast"), (5, "choice")]
    if ctx.world.macros:
        kinds.append((5, "macro"))
    if not ctx.constant_only:
        kinds += [(2, "pointer"), (1, "string")]
        if ctx.world.wide:
            kinds.append((9, "wide"))
        if ctx.effects_allowed:
            kinds += [(4, "step"), (4, "assign"), (3, "comma"), (7, "call"), (4, "indirect call")]
    for _ in range(4):
        made = _made(ctx, ctx.weighted(kinds), depth)
        if made is not None:
            return made
    return _leaf(ctx)


def condition(ctx: Context, depth: int) -> Expr:
    """An expression that is worth testing: mostly comparisons."""
    if ctx.chance(0.7):
        kind = ctx.pick(["relation", "logical"]) if depth > 0 else "relation"
        return _made(ctx, kind, depth) or _leaf(ctx)
    return integer(ctx, depth)


def constant_integer(ctx: Context, depth: int) -> Expr:
    """An integer constant expression."""
    before, ctx.constant_only = ctx.constant_only, True
    with ctx.without_effects():
        e = integer(ctx, depth)
    ctx.constant_only = before
    return e


def assigned(ctx: Context, place: Place, depth: int) -> Expr | None:
    """`place = e` or `place op= e`, as a value; None if that would be undefined or break what the place promises."""
    assert isinstance(place.type, IntType)
    e = integer(ctx, depth)
    if e.effects.conflicts(place.effects) or e.effects.writes_to(place.region):
        return None
    op = "="
    if place.range != full(place.type):
        e = fitted(e, place.range.lo, place.range.hi)
    elif ctx.chance(0.45):
        compound = _compound(ctx, place.type, e)
        if compound is None:
            return None
        op, e = compound
        ctx.note(f"operator {op}")
    effects = e.effects | place.reading | Effects(frozenset(), frozenset({place.region}))
    left = place.text if place.level >= UNARY else f"({place.text})"
    return Expr(f"{left} {op} {e.at(ASSIGNMENT)}", place.type, place.range, ASSIGNMENT, effects)


def _compound(ctx: Context, t: IntType, e: Expr) -> tuple[str, Expr] | None:
    op = ctx.pick(COMPOUND)
    old = Expr("x", t, full(t))
    simple = op[:-1]
    options = [e]
    match simple:
        case "<<" | ">>":
            options += [fitted(e, 0, 3), fitted(e, 0, 31)]
        case "/" | "%":
            small = binary("&", e, constant(15))
            options += [o for o in (binary("|", e, constant(1)), small and binary("+", small, constant(1))) if o]
        case "+" | "-" | "*":
            options += [fitted(e, 0, 255), cast(unsigned_of(t), e)]
        case _:
            pass
    for option in options:
        if binary(simple, old, Expr("y", option.type, option.range, odd=option.odd)) is not None:
            return op, option
    return None


def _made(ctx: Context, kind: str, depth: int) -> Expr | None:
    match kind:
        case "operator":
            op = ctx.pick((*ARITHMETIC, *BITWISE, *SHIFTS))
            return arithmetic(ctx, op, integer(ctx, depth - 1), integer(ctx, depth - 1))
        case "relation":
            return arithmetic(ctx, ctx.pick(RELATIONAL), integer(ctx, depth - 1), integer(ctx, depth - 1))
        case "logical":
            return _logical(ctx, depth)
        case "unary":
            return _unary(ctx, depth)
        case "cast":
            t = ctx.pick(ctx.world.integers)
            ctx.note("cast", *_type_feature(t))
            return cast(t, integer(ctx, depth - 1))
        case "choice":
            ctx.note("conditional")
            return conditional(condition(ctx, depth - 1), integer(ctx, depth - 1), integer(ctx, depth - 1))
        case "macro":
            return _macro(ctx, depth)
        case "step":
            return _step(ctx)
        case "assign":
            place = writable_integer(ctx)
            ctx.note("assignment as value")
            return None if place is None else assigned(ctx, place, depth - 1)
        case "comma":
            return _comma(ctx, depth)
        case "call":
            return _call(ctx, depth)
        case "indirect call":
            return call_through_pointer(ctx, integer, depth)
        case "pointer":
            return _through_nullable(ctx)
        case "string":
            text = ctx.pick(STRINGS)
            with ctx.without_effects():
                index = fitted(integer(ctx, 0), 0, string_length(text))
            ctx.note("string literal")
            return Expr(f'"{text}"[{index.text}]', CHAR, full(CHAR), POSTFIX, index.effects)
        case "wide":
            return wide_operator(ctx, integer, depth)
        case _:
            return _leaf(ctx)


def _leaf(ctx: Context) -> Expr:
    if not ctx.constant_only and ctx.chance(0.68):
        found = readable_integer(ctx)
        if found is not None:
            return found
    if ctx.world.enums and ctx.chance(0.2):
        ctx.note("enumerator")
        name, value = ctx.pick(ctx.pick(ctx.world.enums).enumerators)
        return Expr(name, INT, Range(value, value))
    named = [m for m in ctx.world.macros if m.arity is None]
    if named and ctx.chance(0.2):
        ctx.note("object-like macro")
        macro = ctx.pick(named)
        return Expr(macro.name, macro.type, macro.range)
    if ctx.chance(0.06):
        return _sizeof(ctx)
    return literal(ctx)


def _sizeof(ctx: Context) -> Expr:
    ctx.note("sizeof")
    names = [] if ctx.constant_only else [p.text for p in ctx.visible() if not p.decayed]
    match ctx.pick(["type", "name", "expression"]):
        case "name" if names:
            text = f"sizeof {ctx.pick(names)}"
        case "expression" if not ctx.constant_only:
            # The operand is not evaluated: whatever it would do does not happen, and costs nothing.
            budget = ctx.budget
            operand = integer(ctx, 1)
            # A bit-field has no size; promoted it has one.
            text = f"sizeof(+({operand.text}))" if operand.type.bit_field else f"sizeof({operand.text})"
            ctx.budget = budget
        case _:
            types: list[CType] = [*ctx.world.integers, *ctx.world.structs]
            t = ctx.pick(types)
            text = f"sizeof({declaration(t, '')})"
    return Expr(text, ULONG, Range(1, 1 << 12), UNARY)


def _logical(ctx: Context, depth: int) -> Expr:
    op = ctx.pick(["&&", "||"])
    left, right = condition(ctx, depth - 1), condition(ctx, depth - 1)
    ctx.note(op)
    if not right.pure:
        ctx.note("short circuit with effect")
    return logical(op, left, right)


def _unary(ctx: Context, depth: int) -> Expr:
    op = ctx.pick(["-", "+", "~", "!"])
    operand = integer(ctx, depth - 1)
    made = unary(op, operand)
    if made is None:
        wide = unsigned_of(operand.type)
        made = unary(op, cast(wide, operand)) or operand
        if ctx.chance(0.5):
            made = cast(signed_of(wide), made)
    ctx.note(f"unary {op}")
    return made


def _macro(ctx: Context, depth: int) -> Expr | None:
    macro = ctx.pick(ctx.world.macros)
    if macro.arity is None:
        ctx.note("object-like macro")
        return Expr(macro.name, macro.type, macro.range)
    arguments: list[Expr] = []
    effects = Effects()
    for _ in range(macro.arity):
        argument = integer(ctx, depth - 1)
        if argument.effects.conflicts(effects):
            argument = constant(ctx.dice.randrange(100))
        effects |= argument.effects
        arguments.append(argument)
    ctx.note("function-like macro")
    if effects.writes:
        ctx.note("macro argument with effect")
    text = f"{macro.name}({', '.join(a.argument for a in arguments)})"
    return Expr(text, macro.type, macro.range, PRIMARY, effects)


def _step(ctx: Context) -> Expr | None:
    place = writable_integer(ctx)
    if place is None:
        return None
    up, before = ctx.chance(0.5), ctx.chance(0.5)
    made = stepped(ctx, place, up=up, before=before)
    if made is not None:
        return made
    assert isinstance(place.type, IntType)
    if place.range != full(place.type) or place.effects.writes:
        return None
    # A signed int or long is stepped only behind a test that it is not at its limit.
    ctx.note("guarded operator", f"{'pre' if before else 'post'} {'increment' if up else 'decrement'}")
    name = place.text if place.level >= POSTFIX else f"({place.text})"
    op = "++" if up else "--"
    test = binary("<" if up else ">", read(place), constant(ctx.dice.randrange(-500, 500)))
    assert test is not None
    effects = place.reading | Effects(frozenset(), frozenset({place.region}))
    moved = Expr(f"{op}{name}" if before else f"{name}{op}", place.type, place.range, UNARY, effects)
    return conditional(test, moved, read(place))


def _comma(ctx: Context, depth: int) -> Expr | None:
    ctx.note("comma")
    then = integer(ctx, depth - 1)
    if ctx.chance(0.5):
        e = integer(ctx, depth - 1)
        if not ctx.afford(1):
            return None
        return sequence(f"observe({e.argument})", e.effects | OUTPUT_EFFECTS, then)
    first = _step(ctx)
    return None if first is None else sequence(first.at(ASSIGNMENT), first.effects, then)


def _call(ctx: Context, depth: int) -> Expr | None:
    functions = callable_functions(ctx, IntType)
    if ctx.chance(0.2):
        return _member_of_result(ctx, depth)
    if not functions:
        return None
    ctx.note("call as value")
    return call(ctx, ctx.pick(functions), integer, min(depth, 2))


def _member_of_result(ctx: Context, depth: int) -> Expr | None:
    functions = callable_functions(ctx, StructType)
    if not functions:
        return None
    function = ctx.pick(functions)
    assert isinstance(function.result, StructType)
    scalars = [f for f in function.result.fields if isinstance(f.type, IntType)]
    made = call(ctx, function, integer, min(depth, 2)) if scalars else None
    if made is None:
        return None
    field = ctx.pick(scalars)
    assert isinstance(field.type, IntType)
    ctx.note("struct result")
    return Expr(f"{made.text}.{field.name}", field.type, full(field.type), POSTFIX, made.effects)


def _through_nullable(ctx: Context) -> Expr | None:
    """`p ? p->x : e` or `p == q`."""
    place = find(ctx, lambda p: isinstance(p.type, PointerType) and p.type.nullable and not p.effects.writes)
    if place is None:
        return None
    assert isinstance(place.type, PointerType)
    ctx.note("null check")
    name = place.text if place.level >= UNARY else f"({place.text})"
    test = Expr(*ctx.pick([(name, INT), (f"{name} != NULL", INT)]), Range(0, 1), LEVEL["!="], place.reading)
    inner = dereferenced(ctx, place)
    target = target_of(place.type, ctx.world.struct_named)
    if isinstance(target, StructType):
        scalars = [f for f in target.fields if isinstance(f.type, IntType)]
        if not scalars:
            return None
        inner = member(ctx, inner, ctx.pick(scalars))
    if not isinstance(inner.type, IntType):
        assert not isinstance(inner.type, ArrayType)
        return Expr(f"{name} == NULL", INT, Range(0, 1), LEVEL["=="], place.reading)
    if ctx.chance(0.3):
        ctx.note("&&")
        return logical("&&", test, read(inner))
    return conditional(test, read(inner), literal(ctx))


def _type_feature(t: IntType) -> list[str]:
    return [f"type {t.name}"] if not t.name.endswith("_alias") and not t.name.startswith("enum ") else []
