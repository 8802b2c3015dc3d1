"""Writes lambdas: captures of every kind, generic ones, nested ones, and what is done with them."""

from tests.generator.cplusplus.expressions import number, small
from tests.generator.cplusplus.world import Class, Context, Level, Variable


def lambdas(ctx: Context) -> None:
    """A lambda and calls of it."""
    name = ctx.fresh("l")
    choice = ctx.dice.randrange(6)
    here = [v for v in ctx.objects if v.text == "(*this)" and not v.constant]
    if here and ctx.chance(0.4):
        _with_this(ctx, name, here[0])
    elif choice == 0:
        _function(ctx, name)
    elif choice == 1:
        _generic(ctx, name)
    elif choice == 2:
        _nested(ctx, name)
    else:
        _captures(ctx, name)


def _captures(ctx: Context, name: str) -> None:
    captures: list[str] = []
    inside: list[str] = []
    mutable = ctx.chance(0.5)
    copied = [
        v
        for v in ctx.objects
        if v.type.copied and v.text.isidentifier() and v.text not in _globals(ctx) and v.text[0] != "s"
    ]
    numbers = [n for n in ctx.numbers if n.isidentifier() and n not in ctx.world.numbers]
    if copied and ctx.chance(0.4):
        chosen = ctx.dice.choice([v for v in copied if not v.type.is_abstract] or copied)
        if not chosen.type.is_abstract:
            ctx.note("capture of an object by copy")
            captures.append(chosen.text)
            inside.append(_use(ctx, chosen, mutable and not chosen.constant))
    if numbers and ctx.chance(0.6):
        chosen_number = ctx.dice.choice(numbers)
        reference = ctx.chance(0.5)
        ctx.note("capture by reference" if reference else "capture by copy")
        captures.append(f"&{chosen_number}" if reference else chosen_number)
        inside.append(f"{chosen_number} = clip({chosen_number} + z)" if reference or mutable else chosen_number)
    if ctx.chance(0.5):
        own = ctx.fresh("k")
        types = [c for c in ctx.world.classes if not c.is_abstract and not c.parts]
        ctx.note("init-capture")
        if types and ctx.chance(0.5) and len(captures) < 2:
            type = ctx.dice.choice(types)
            captures.append(f"{own} = {type.full}({small(ctx)})")
            inside.append(_use(ctx, Variable(own, type), mutable))
        else:
            captures.append(f"{own} = {small(ctx)}")
            inside.append(f"{own} = clip({own} + z)" if mutable else own)
    if not captures or ctx.chance(0.15):
        captures = ["&"]
        inside = [f"event(50, {small(ctx, Level.READING)})"]
        ctx.note("captures left to the compiler")
    parameter = ctx.dice.choice(["int z", "auto z"])
    with ctx.block(f"auto {name} = [{', '.join(captures)}]({parameter}){' mutable' if mutable else ''}", "};"):
        for line in inside[:-1]:
            ctx.write(f"event(51, clip({line}));")
        ctx.write(f"return clip(({inside[-1]}) + z);")
    for _ in range(ctx.dice.randrange(1, 3)):
        ctx.write(f"event(52, {name}({small(ctx, Level.READING)}));")
    if ctx.chance(0.3):
        ctx.note("lambda as an argument")
        ctx.write(f"event(53, applied({name}, {small(ctx, Level.QUIET)}));")


def _globals(ctx: Context) -> set[str]:
    return {v.text for v in ctx.world.globals}


def _use(ctx: Context, variable: Variable, changed: bool) -> str:
    type: Class = variable.type
    return f"{variable.text}.{type.method}(z)" if changed else f"{variable.text}.{type.total}()"


def _function(ctx: Context, name: str) -> None:
    ctx.note("lambda as a pointer to a function")
    ctx.write(f"int (*{name})(int) = [](int x) {{ return clip(event(54, x) * {ctx.dice.randrange(9)}); }};")
    ctx.write(f"event(55, {name}({small(ctx)}));")


def _generic(ctx: Context, name: str) -> None:
    ctx.note("generic lambda")
    ctx.write(f"auto {name} = [](auto x, auto... more) {{ return clip(x + sum(more...)); }};")
    ctx.write(f"event(56, {name}({small(ctx, Level.READING)}, {ctx.dice.randrange(9)}, 'c') + {name}(3L));")


def _nested(ctx: Context, name: str) -> None:
    ctx.note("nested lambda")
    kept = ctx.fresh("k")
    ctx.write(f"int {kept} = {small(ctx)};")
    outer, inner = ctx.dice.choice(["=", "&", kept, f"&{kept}"]), ctx.dice.choice(["=", "&"])
    with ctx.block(f"auto {name} = [{outer}](int x)", "};"):
        ctx.write(f"auto inside = [{inner}](int y) {{ return clip({kept} + x * y); }};")
        ctx.write(f"return inside(2) + inside({ctx.dice.randrange(9)});")
    ctx.write(f"{kept} = {ctx.dice.randrange(99)};")
    ctx.write(f"event(57, clip({name}({number(ctx, Level.READING, 0).text})));")


def _with_this(ctx: Context, name: str, this: Variable) -> None:
    """One in another one, which both know the object at hand."""
    ctx.note("nested lambda with this")
    kept, field = ctx.fresh("k"), ctx.dice.choice(this.type.fields)
    outer = ctx.dice.choice(
        [f"this, {kept} = {small(ctx)}", f"&, {kept} = {small(ctx)}", f"=, this, {kept} = {small(ctx)}"]
    )
    inner = ctx.dice.choice(["&, this", "&", "=, this", f"this, &{kept}, x"])
    with ctx.block(f"auto {name} = [{outer}](int x) mutable", "};"):
        with ctx.block(f"auto inside = [{inner}](int y)", "};"):
            ctx.write(f"{ctx.dice.choice(['this->', ''])}{field.name} = {field.given('clip(x + y)')};")
            ctx.write(f"return clip(this->{this.type.total}() + {kept} * y);")
        ctx.write(f"{kept} = clip({kept} + event(58, inside(x)));")
        ctx.write(f"return inside({kept});")
    ctx.write(f"event(59, clip({name}({small(ctx, Level.READING)}) + {name}(2)));")
