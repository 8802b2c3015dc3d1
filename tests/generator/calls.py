"""Calls of the functions generated so far: by name, through tables, structs and callbacks."""

from dataclasses import replace

from tests.generator.context import Context, Family, Function, IntegerMaker, Parameter, Place
from tests.generator.expression import CALL_EFFECTS, NO_EFFECTS, POSTFIX, UNARY, Expr
from tests.generator.initialisers import compound_literal
from tests.generator.literals import constant
from tests.generator.places import address, addressable, find, fitted, of_type
from tests.generator.ranges import Range, full
from tests.generator.types import UINT, ArrayType, CType, IntType, PointerType, StructType, same_type, target_of


def callable_functions(ctx: Context, result: type[CType] | None) -> list[Function]:
    """Functions that may be called here and fit in the budget, by the kind of their result."""
    return [
        f
        for f in ctx.world.functions
        if (not f.static or f.file == ctx.file)
        and f.cost + 1 <= ctx.budget
        and (f.result is None if result is None else isinstance(f.result, result))
    ]


def call(ctx: Context, function: Function, integer: IntegerMaker, depth: int) -> Expr | None:
    """A call; for results other than integers only text and effects of the answer have a meaning."""
    arguments: list[Expr] = []
    budget = ctx.budget
    for parameter in function.parameters:
        argument = _argument(ctx, parameter, integer, depth)
        if argument is None or any(argument.effects.conflicts(a.effects) for a in arguments):
            argument = _plain_argument(ctx, parameter)
        if argument is None or any(argument.effects.conflicts(a.effects) for a in arguments):
            ctx.budget = budget
            return None
        arguments.append(argument)
    if function.callback:
        taken = _callback_argument(ctx)
        if taken is None:
            ctx.budget = budget
            return None
        arguments.append(taken)
        ctx.note("callback", "function pointer")
    if not ctx.afford(function.cost + 1):
        ctx.budget = budget
        return None
    if function.static:
        ctx.note("static function")
    elif function.file != ctx.file:
        ctx.note("external function")
    effects = NO_EFFECTS
    for argument in arguments:
        effects |= argument.effects
    text = f"{function.name}({', '.join(a.argument for a in arguments)})"
    t = function.result if isinstance(function.result, IntType) else UINT
    return Expr(text, t, full(t), POSTFIX, effects | CALL_EFFECTS)


def call_through_pointer(ctx: Context, integer: IntegerMaker, depth: int) -> Expr | None:
    options: list[tuple[str, Family, int]] = []
    for family in ctx.world.families:
        options += [(name, family, len(family.members)) for name, file in family.tables if file in (-1, ctx.file)]
    options += [(name, family, 0) for name, family in ctx.callbacks for _ in range(3)]
    options = [o for o in options if o[1].cost + 1 <= ctx.budget]
    if not options:
        return None
    name, family, length = ctx.pick(options)
    effects = NO_EFFECTS
    designator = name
    if length:
        with ctx.without_effects():
            index = fitted(integer(ctx, 0), 0, length - 1)
        effects, designator = index.effects, f"{name}[{index.text}]"
        ctx.note("function pointer table")
        if name.startswith("ops"):
            ctx.note("function pointer in struct")
            designator += ".run"
        elif ctx.chance(0.3):
            designator = f"(*{designator})"
    ctx.note("function pointer")
    arguments: list[Expr] = []
    for _ in family.parameters:
        argument = integer(ctx, depth - 1)
        if argument.effects.conflicts(effects):
            argument = constant(ctx.dice.randrange(100))
        effects |= argument.effects
        arguments.append(argument)
    if not ctx.afford(family.cost + 1):
        return None
    text = f"{designator}({', '.join(a.argument for a in arguments)})"
    return Expr(text, family.result, full(family.result), POSTFIX, effects | CALL_EFFECTS)


def _argument(ctx: Context, parameter: Parameter, integer: IntegerMaker, depth: int) -> Expr | None:
    match parameter.type:
        case IntType():
            return integer(ctx, depth - 1)
        case StructType():
            ctx.note("struct parameter")
            place = of_type(ctx, parameter.type)
            if place is None or ctx.chance(0.2):
                return compound_literal(ctx, parameter.type, integer)
            return Expr(place.text, UINT, Range(0, 0), place.level, place.reading)
        case PointerType():
            return pointer_to(ctx, parameter.type, parameter.length)
        case ArrayType():
            raise AssertionError("array parameters are declared as pointers with a length")


def _plain_argument(ctx: Context, parameter: Parameter) -> Expr | None:
    if isinstance(parameter.type, IntType):
        return constant(ctx.dice.randrange(100))
    with ctx.without_effects():
        return _argument(ctx, parameter, lambda c, _: constant(c.dice.randrange(100)), 0)


def pointer_to(ctx: Context, t: PointerType, length: int, depth: int = 99) -> Expr | None:
    """A value for a pointer that lives in scope `depth`; with `length`, one to the first of that many elements."""
    target = target_of(t, ctx.world.struct_named)
    if length:
        ctx.note("array parameter")
        array = _array_of(ctx, target, length)
        return None if array is None else Expr(array.text, UINT, Range(0, 0), array.level, array.reading)
    if t.nullable and ctx.chance(0.25):
        ctx.note("null pointer")
        return Expr(ctx.pick(["NULL", "0"]), UINT, Range(0, 0))
    if ctx.chance(0.3):
        held = find(ctx, lambda p: isinstance(p.type, PointerType) and p.holds <= depth and _assignable(p.type, t))
        if held is not None:
            return Expr(held.text, UINT, Range(0, 0), held.level, held.reading)
    place = addressable(ctx, target, depth)
    if place is not None:
        return address(ctx, place)
    if t.nullable:
        return Expr("NULL", UINT, Range(0, 0))
    return None


def _assignable(source: PointerType, to: PointerType) -> bool:
    return same_type(replace(source, nullable=to.nullable), to) and (to.nullable or not source.nullable)


def _array_of(ctx: Context, element: CType, length: int) -> Place | None:
    """A writable array of at least `length` elements, whose address may leave the function being written."""

    def fits(p: Place) -> bool:
        return (
            isinstance(p.type, ArrayType)
            and p.type.length >= length
            and same_type(p.type.element, element)
            and p.addressable
            and p.writable
        )

    return find(ctx, fits, tries=20)


def _callback_argument(ctx: Context) -> Expr | None:
    names: list[str] = []
    for family in ctx.world.families[:1]:
        names += [f.name for f in family.members if not f.static or f.file == ctx.file]
    if not names:
        return None
    name = ctx.pick(names)
    return Expr(ctx.pick([name, f"&{name}"]), UINT, Range(0, 0), UNARY)
