"""Statements without statements inside: assignments, calls, observations, returns."""

from tests.generator.calls import call, callable_functions, pointer_to
from tests.generator.context import Context, Place
from tests.generator.expression import ASSIGNMENT, CONDITIONAL, Expr
from tests.generator.expressions import assigned, condition, integer
from tests.generator.initialisers import compound_literal, static_address
from tests.generator.literals import constant
from tests.generator.places import find, fitted, of_type, stepped, writable_integer
from tests.generator.ranges import Range, full
from tests.generator.types import UINT, CType, IntType, PointerType, StructType


def observe(ctx: Context) -> None:
    ctx.write(f"observe({integer(ctx, 3).argument});")


def least(ctx: Context) -> None:
    """What still fits when statements or budget are used up: something without calls."""
    if ctx.chance(0.2):
        ctx.note("empty statement")
        ctx.write(";")
        return
    with ctx.without_effects():
        ctx.write(f"observe({integer(ctx, 1).argument});")


def assign(ctx: Context) -> None:
    place = writable_integer(ctx)
    made = None if place is None else assigned(ctx, place, 3)
    ctx.write(f"{made.text};" if made else f"observe({integer(ctx, 2).argument});")


def step(ctx: Context) -> None:
    place = writable_integer(ctx)
    made = None if place is None else stepped(ctx, place, up=ctx.chance(0.5), before=ctx.chance(0.5))
    ctx.write(f"{made.text};" if made else ";")
    if made is None:
        ctx.note("empty statement")


def assign_struct(ctx: Context) -> None:
    place = find(ctx, lambda p: isinstance(p.type, StructType) and p.writable)
    if place is None:
        observe(ctx)
        return
    assert isinstance(place.type, StructType)
    value = struct_value(ctx, place.type)
    if value.effects.conflicts(place.effects):
        observe(ctx)
        return
    ctx.note("struct assignment")
    ctx.write(f"{place.text} = {value.at(ASSIGNMENT)};")


def struct_value(ctx: Context, t: StructType) -> Expr:
    """A struct as a value; only text and effects of the answer have a meaning."""
    functions = [f for f in callable_functions(ctx, StructType) if f.result == t]
    if functions and ctx.effects_allowed and ctx.chance(0.4):
        made = call(ctx, ctx.pick(functions), integer, 2)
        if made is not None:
            ctx.note("struct result")
            return made
    with ctx.without_effects():
        first, second = of_type(ctx, t), of_type(ctx, t)
        if first is None or second is None or ctx.chance(0.25):
            return compound_literal(ctx, t, integer)
        if ctx.chance(0.2):
            ctx.note("conditional")
            test = condition(ctx, 1)
            effects = test.effects | first.reading | second.reading
            text = f"{test.at(CONDITIONAL + 1)} ? {first.text} : {second.text}"
            return Expr(text, UINT, Range(0, 0), CONDITIONAL, effects)
    return Expr(first.text, UINT, Range(0, 0), first.level, first.reading)


def assign_pointer(ctx: Context) -> None:
    place = find(ctx, lambda p: isinstance(p.type, PointerType) and p.writable)
    if place is None:
        observe(ctx)
        return
    assert isinstance(place.type, PointerType)
    value = pointer_to(ctx, place.type, 0, place.accepts)
    if value is None or value.effects.conflicts(place.effects):
        observe(ctx)
        return
    ctx.note("pointer assignment")
    ctx.write(f"{place.text} = {value.text};")


def call_statement(ctx: Context) -> None:
    """A call for its effects, or one whose result goes straight into a variable."""
    functions = callable_functions(ctx, None) + callable_functions(ctx, IntType)
    if not functions:
        assign(ctx)
        return
    function = ctx.pick(functions)
    made = call(ctx, function, integer, 3)
    if made is None:
        assign(ctx)
        return
    if function.result is None:
        ctx.note("void function")
        ctx.write(f"{made.text};")
        return
    with ctx.without_effects():
        place = find(ctx, lambda p: isinstance(p.type, IntType) and p.writable and _by_name(p))
    if place is None or place.region in made.effects.writes or ctx.chance(0.2):
        ctx.write(f"(void){made.text};")
    else:
        # The call is complete before the assignment stores, whatever it did to the variable.
        ctx.write(f"{place.text} = {made.text};")


def _by_name(place: Place) -> bool:
    return isinstance(place.type, IntType) and place.text.isidentifier() and place.range == full(place.type)


def use_pointer_result(ctx: Context) -> None:
    functions = callable_functions(ctx, PointerType)
    made = call(ctx, ctx.pick(functions), integer, 2) if functions else None
    if made is None:
        observe(ctx)
        return
    ctx.note("pointer result", "dereference")
    if ctx.chance(0.5):
        ctx.write(f"observe(*{made.text});")
    else:
        ctx.write(f"*{made.text} = {constant(ctx.dice.randrange(-100, 100)).text};")


def statement_macro(ctx: Context) -> None:
    with ctx.without_effects():
        place = find(ctx, lambda p: isinstance(p.type, IntType) and p.writable and p.range == full(p.type))
        if place is None:
            ctx.write(";")
            ctx.note("empty statement")
            return
        e = integer(ctx, 1)
    ctx.note("statement macro")
    ctx.write(f"{ctx.pick(['BUMP', 'SHOW_AND_SET'])}({place.text}, {e.argument});")


def leave(ctx: Context) -> None:
    """One of the ways out of a loop or function, behind a test."""
    ways = []
    if ctx.breakable:
        ways.append("break")
    if ctx.loops:
        ways.append("continue")
    if ctx.result_known:
        ways.append("return")
    if not ways:
        assign(ctx)
        return
    way = ctx.pick(ways)
    test = condition(ctx, 2)
    if way == "return":
        ctx.note("early return", "if")
        ctx.write(f"if ({test.text}) {return_text(ctx)}")
    else:
        ctx.note(way, "if")
        ctx.write(f"if ({test.text}) {way};")


def return_text(ctx: Context) -> str:
    match ctx.result:
        case None:
            return "return;"
        case IntType():
            return f"return {integer(ctx, 2).text};"
        case StructType() as t:
            return f"return {struct_value(ctx, t).text};"
        case PointerType() as t:
            return f"return {static_address(ctx, t)};"
        case _:
            raise AssertionError("functions do not return arrays")


def late_value(ctx: Context, name: str, t: CType) -> None:
    """Gives its first value to a variable that was declared without one."""
    ctx.note("assigned after declaration")
    match t:
        case IntType() if ctx.chance(0.5):
            ctx.note("if else")
            test = condition(ctx, 2)
            yes, no = integer(ctx, 1), integer(ctx, 1)
            ctx.write(f"if ({test.text}) {name} = {yes.argument}; else {name} = {no.argument};")
        case IntType():
            ctx.write(f"{name} = {integer(ctx, 2).argument};")
        case StructType():
            ctx.write(f"{name} = {struct_value(ctx, t).at(ASSIGNMENT)};")
        case _:
            raise AssertionError("only scalars and structs are assigned late")


def snug(ctx: Context, lo: int, hi: int) -> Expr:
    """A pure expression in the given range."""
    with ctx.without_effects():
        return fitted(integer(ctx, 1), lo, hi)
