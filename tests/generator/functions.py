"""Writes whole functions: ordinary ones, members of a signature, and those that take a callback."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from tests.generator.body import block
from tests.generator.context import Context, Family, Function, Parameter, Place, World
from tests.generator.declarations import declare, pick_integer
from tests.generator.simple import return_text
from tests.generator.types import ArrayType, CType, IntType, PointerType, StructType, declaration


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A function with its text."""

    function: Function
    head: str
    text: str


def write_function(
    dice: random.Random,
    world: World,
    visible: Sequence[Place],
    file: int,
    name: str,
    *,
    static: bool,
    budget: int,
    statements: int,
    family: Family | None = None,
    callback: Family | None = None,
) -> Written:
    """A function that calls only those written before it, so that none is recursive."""
    ctx = Context(dice, world, visible, file, budget)
    ctx.statements = statements
    ctx.result_known = True
    ctx.result = family.result if family else _result(ctx)
    parameters = _family_parameters(family) if family else _parameters(ctx)
    ctx.frames.append({})
    texts = [_declare_parameter(ctx, p) for p in parameters]
    if callback is not None:
        texts.append(f"{callback.name} apply")
        ctx.callbacks.append(("apply", callback))
    opening = []
    if isinstance(ctx.result, PointerType):
        home = ctx.fresh("home")
        assert ctx.result.target is not None
        opening.append(f"    static {declaration(ctx.result.target, home)};")
        ctx.declare(home, ctx.result.target, static=True)
    for _ in range(dice.randrange(4)):
        declare(ctx)
    while ctx.statements > 0 and ctx.budget > 10:
        block(ctx, 3)
    last = return_text(ctx)
    head = _head(ctx.result, name, texts, static)
    text = "\n".join([f"{head} {{", *opening, *ctx.lines, f"    {last}", "}"])
    function = Function(name, ctx.result, parameters, file, static, budget - ctx.budget + 2, callback is not None)
    return Written(function, head, text)


def _head(result: CType | None, name: str, parameters: Sequence[str], static: bool) -> str:
    inner = f"{name}({', '.join(parameters) or 'void'})"
    text = f"void {inner}" if result is None else declaration(result, inner)
    return f"static {text}" if static else text


def _result(ctx: Context) -> CType | None:
    match ctx.weighted([(6, "integer"), (2, "void"), (2, "struct"), (1, "pointer")]):
        case "void":
            return None
        case "struct" if ctx.world.structs:
            return ctx.pick(ctx.world.structs)
        case "pointer":
            return PointerType(pick_integer(ctx), False)
        case _:
            return pick_integer(ctx)


def _family_parameters(family: Family) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"v{i}", t) for i, t in enumerate(family.parameters))


def _parameters(ctx: Context) -> tuple[Parameter, ...]:
    made = []
    for number in range(ctx.dice.randrange(4)):
        name = f"v{number}"
        match ctx.weighted([(6, "integer"), (2, "struct"), (2, "pointer"), (2, "array")]):
            case "struct" if ctx.world.structs:
                made.append(Parameter(name, ctx.pick(ctx.world.structs)))
            case "pointer":
                targets = _pointed_at(ctx, IntType, StructType)
                t = PointerType(ctx.pick(targets) if targets else pick_integer(ctx), ctx.chance(0.3))
                made.append(Parameter(name, t))
            case "array" if _pointed_at(ctx, ArrayType):
                array = ctx.pick(_pointed_at(ctx, ArrayType))
                assert isinstance(array, ArrayType)
                made.append(Parameter(name, PointerType(array.element, False), array.length))
            case _:
                made.append(Parameter(name, pick_integer(ctx)))
    return tuple(made)


def _pointed_at(ctx: Context, *kinds: type[CType]) -> list[CType]:
    """Types that exist as external variables, so that a caller will find something to point to."""
    return [p.type for p in ctx.visible() if p.addressable and p.writable and isinstance(p.type, kinds)]


def _declare_parameter(ctx: Context, p: Parameter) -> str:
    if p.length:
        assert isinstance(p.type, PointerType)
        assert p.type.target is not None
        ctx.declare(p.name, ArrayType(p.type.target, p.length), decayed=True)
        ctx.note("array parameter")
        as_array = declaration(ArrayType(p.type.target, p.length), p.name)
        return ctx.pick([as_array, declaration(p.type, p.name)])
    if isinstance(p.type, PointerType):
        ctx.note("pointer parameter")
    ctx.declare(p.name, p.type, addressable=ctx.chance(0.4))
    return declaration(p.type, p.name)
