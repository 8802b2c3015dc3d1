"""Chooses which statement comes next."""

from tests.generator import branches, pointers, simple
from tests.generator.context import Context
from tests.generator.declarations import declare
from tests.generator.loops import loop
from tests.generator.wide.statements import wide_statement


def block(ctx: Context, depth: int) -> None:
    """A few statements into the scope that is open."""
    statement(ctx, depth)
    for _ in range(ctx.dice.randrange(3) if depth > 0 else 0):
        if ctx.statements > 0:
            statement(ctx, depth)


def statement(ctx: Context, depth: int) -> None:
    if ctx.statements <= 0 or not ctx.afford(3):
        simple.least(ctx)
        return
    ctx.statements -= 1
    kinds = [
        (9, "assign"), (5, "observe"), (8, "declare"), (2, "step"), (2, "struct"), (2, "pointer"), (5, "call"),
        (3, "leave"), (1, "pointer result"), (1, "macro"), (1, "string"), (1, "function"),
    ]  # fmt: skip
    if depth > 0 and ctx.budget > 40:
        kinds += [
            (5, "if"), (8, "loop"), (4, "switch"), (1, "case in loop"), (2, "forward"), (2, "backward"), (2, "block"),
            (2, "walk"), (2, "cursor"), (2, "null check"), (1, "list"), (1, "pointer to array"),
        ]  # fmt: skip
    if ctx.world.wide and ctx.budget > 100:
        kinds.append((12, "wide"))
    match ctx.weighted(kinds):
        case "wide":
            wide_statement(ctx)
        case "assign":
            simple.assign(ctx)
        case "observe":
            simple.observe(ctx)
        case "declare":
            declare(ctx)
        case "step":
            simple.step(ctx)
        case "struct":
            simple.assign_struct(ctx)
        case "pointer":
            simple.assign_pointer(ctx)
        case "call":
            simple.call_statement(ctx)
        case "leave":
            simple.leave(ctx)
        case "pointer result":
            simple.use_pointer_result(ctx)
        case "macro":
            simple.statement_macro(ctx)
        case "string":
            pointers.string_walk(ctx)
        case "function":
            pointers.function_variable(ctx)
        case compound:
            _compound(ctx, compound, depth)


def _compound(ctx: Context, kind: str, depth: int) -> None:
    match kind:
        case "if":
            branches.choose(ctx, depth, block)
        case "loop":
            loop(ctx, depth, block)
        case "switch":
            branches.switch(ctx, depth, block)
        case "case in loop":
            branches.case_inside_loop(ctx, depth, block)
        case "forward":
            branches.forward(ctx, depth, block)
        case "backward":
            branches.backward(ctx, depth, block)
        case "block":
            branches.bare_block(ctx, depth, block)
        case "walk":
            pointers.walk(ctx, depth, block)
        case "cursor":
            pointers.cursor(ctx, depth, block)
        case "null check":
            pointers.null_check(ctx, depth, block)
        case "list":
            pointers.list_walk(ctx, depth, block)
        case _:
            pointers.pointer_to_array(ctx, depth, block)
