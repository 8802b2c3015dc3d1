"""Writes statements: declarations of every kind, choices, loops, and what is done with objects."""

import re
from collections.abc import Callable
from typing import Final

from tests.generator.cplusplus.containers import declare_container, listed, use_container
from tests.generator.cplusplus.expressions import construction, made, number, small, truth, value_of
from tests.generator.cplusplus.idioms import idiom
from tests.generator.cplusplus.lambdas import lambdas
from tests.generator.cplusplus.raising import attempts, raising
from tests.generator.cplusplus.world import Class, Context, Level, Variable

_DECLARATOR: Final = re.compile(r"[\w:]+\((?:[\w:*\[\]) ]|(?<!\w)\()+\)")


def statements(ctx: Context, count: int, depth: int = 2) -> None:
    """About so many statements, in the block at hand."""
    for _ in range(count):
        if ctx.left <= 0:
            break
        ctx.left -= 1
        statement(ctx, depth)


def statement(ctx: Context, depth: int) -> None:
    simple: list[Callable[[Context], None]] = [
        _number, _object, _object, _object, _reference, _pointer, _tell, _tell, _tell, _change, _change, _assign,
        _heap, _static, _discard, _array, _deduced, _aggregate, lambdas, _cast, raising, _template, _pack,
    ]  # fmt: skip
    if ctx.world.library:
        simple += [declare_container, declare_container, *[use_container] * 6, listed, *[idiom] * 5]
    nested: list[Callable[[Context, int], None]] = [_if, _if, _switch, _for, _while, _do, _for_each, _for_each, _block]
    if depth > 0 and ctx.chance(0.35):
        if ctx.chance(0.35):
            attempts(ctx, depth, statements)
        else:
            ctx.dice.choice(nested)(ctx, depth)
    elif ctx.loops and ctx.chance(0.12):
        ctx.write(f"if ({truth(number(ctx))}) {ctx.dice.choice(['break', 'continue'])};")
        ctx.note("break and continue")
    elif ctx.returns and ctx.chance(0.06):
        ctx.write(f"if ({truth(number(ctx))}) {ctx.returns} {small(ctx)};")
        ctx.note("early return")
    else:
        ctx.dice.choice(simple)(ctx)


def _whole(ctx: Context) -> list[Class]:
    return [c for c in ctx.world.classes if not c.is_abstract and not c.parts]


# ---- declarations


def _number(ctx: Context) -> None:
    name = ctx.fresh("n")
    if ctx.chance(0.25):
        ctx.write(f"const int {name} = {small(ctx)};")
        ctx.constants.append(name)
        return
    form = ctx.dice.choice(["int {} = {};", "int {}{{{}}};", "auto {} = {};", "int {}({});"])
    ctx.write(form.format(name, f"clip({number(ctx).text})"))
    ctx.numbers.append(name)


def _object(ctx: Context) -> None:
    type = ctx.dice.choice(_whole(ctx))
    name = ctx.fresh("o")
    constant = ctx.chance(0.15)
    before = "const " if constant else ""
    value = value_of(ctx, type)
    forms = [f"{before}{type.full} {name} = {value};", f"{before}auto {name} = {value};"]
    forms += [
        f"{before}{type.full} {name}({small(ctx)});",
        f"{before}{type.full} {name}{{{small(ctx)}, {small(ctx)}}};",
    ]
    if type.empty:
        forms.append(f"{before}{type.full} {name};")
    ctx.write(ctx.dice.choice(forms))
    ctx.objects.append(Variable(name, type, constant))


def _reference(ctx: Context) -> None:
    """A reference to what is there, or to a temporary that then lives as long."""
    name = ctx.fresh("r")
    changeable = [v for v in ctx.objects if not v.constant]
    if changeable and ctx.chance(0.4):
        chosen = ctx.dice.choice(changeable)
        above = [chosen.type, *chosen.type.bases]
        type = ctx.dice.choice(above)
        ctx.write(f"{type.full} &{name} = {chosen.text};")
        ctx.objects.append(Variable(name, type))
        ctx.note("reference to a base" if type is not chosen.type else "reference")
        return
    type = ctx.dice.choice(_whole(ctx))
    ctx.note("lifetime extension")
    if ctx.chance(0.3) and type.fields:
        field = ctx.dice.choice(type.fields)
        ctx.write(f"const {field.type} &{name} = {construction(ctx, type, 1)}.{field.name};")
        ctx.write(f"event(23, static_cast<int>({name}));")
        ctx.note("lifetime extension by a field")
        return
    base = ctx.dice.choice([type, *type.bases])
    form = ctx.dice.choice([f"const {base.full} &", f"{type.full} &&", "auto &&"])
    ctx.write(f"{form}{name} = {made(ctx, type)};")
    seen = base if form.startswith("const") else type
    ctx.objects.append(Variable(name, seen, form.startswith("const")))


def _pointer(ctx: Context) -> None:
    changeable = [v for v in ctx.objects if not v.constant]
    if not changeable:
        return
    chosen = ctx.dice.choice(changeable)
    name = ctx.fresh("p")
    fields = [f for f in chosen.type.fields if f.type == "int"]
    if fields and ctx.chance(0.4):
        ctx.note("pointer to a field")
        field = ctx.dice.choice(fields)
        ctx.write(f"int *{name} = &{chosen.text}.{field.name};")
        ctx.numbers.append(f"(*{name})")
        return
    ctx.note("pointer to an object")
    ctx.write(f"{chosen.type.full} *{name} = &{chosen.text};")
    ctx.objects.append(Variable(f"(*{name})", chosen.type))


def _heap(ctx: Context) -> None:
    """An object that lives until it is deleted, in the same block; the pointer may be one to a base."""
    type = ctx.dice.choice(_whole(ctx))
    name = ctx.fresh("h")
    if ctx.chance(0.3) and type.empty:
        count = ctx.dice.randrange(1, 4)
        ctx.note("array of new objects")
        ctx.write(f"{type.full} *{name} = new {type.full}[{count}]{ctx.dice.choice(['', '{}', '()'])};")
        ctx.write(f"event(24, {name}[{count - 1}].{type.total}());")
        ctx.write(f"delete[] {name};")
        return
    ends = [type, *(b for b in type.bases if b.virtual_end)]
    seen = ctx.dice.choice(ends)
    ctx.note("delete through a base" if seen is not type else "new and delete")
    form = ctx.dice.choice([f"({small(ctx)})", f"{{{small(ctx)}, {small(ctx)}}}"])
    ctx.write(f"{seen.full} *{name} = new {type.full}{form};")
    ctx.write(f"event(25, {name}->{seen.method}({small(ctx, Level.READING)}));")
    for virtual in seen.virtuals[:1]:
        ctx.write(f"event(25, {name}->{virtual}({small(ctx, Level.READING)}));")
    ctx.write(f"delete {name};")


def _static(ctx: Context) -> None:
    type = ctx.dice.choice(_whole(ctx))
    name = ctx.fresh("s")
    ctx.note("static local")
    # What calls functions might come here again, which is undefined while the value is computed ([stmt.dcl]).
    ctx.write(f"static {type.full} {name}(event(45, {small(ctx, Level.READING)}));")
    ctx.objects.append(Variable(name, type))


def _array(ctx: Context) -> None:
    type = ctx.dice.choice(_whole(ctx))
    name = ctx.fresh("a")
    count = ctx.dice.randrange(1, 4)
    ctx.note("array of objects")
    values = [construction(ctx, type, 1) for _ in range(ctx.dice.randrange(count) if type.empty else count)]
    if not type.empty and not values:
        return
    if values or ctx.chance(0.5):
        ctx.write(f"{type.full} {name}[{count}] = {{{', '.join(values)}}};")
    else:
        ctx.write(f"{type.full} {name}[{count}];")
    ctx.objects.append(Variable(f"{name}[{ctx.dice.randrange(count)}]", type))


def _deduced(ctx: Context) -> None:
    """Structured bindings."""
    one, two = ctx.fresh("b"), ctx.fresh("b")
    ctx.note("structured binding")
    choice = ctx.dice.randrange(3)
    if choice == 0:
        ctx.write(f"auto [{one}, {two}] = Pair{{{small(ctx)}, {small(ctx)}}};")
    elif choice == 1:
        name = ctx.fresh("q")
        ctx.write(f"Pair {name} = {{{small(ctx)}, {small(ctx)}}};")
        ctx.write(f"auto &[{one}, {two}] = {name};")
        ctx.write(f"{two} = 7;")
    else:
        name = ctx.fresh("q")
        ctx.write(f"int {name}[2] = {{{small(ctx)}, {small(ctx)}}};")
        ctx.write(f"{ctx.dice.choice(['auto', 'auto &', 'const auto &'])} [{one}, {two}] = {name};")
        ctx.write(f"{name}[0] = 5;")
    ctx.write(f"event(26, clip({one} + {two}));")


def _aggregate(ctx: Context) -> None:
    """An aggregate with an object inside, made in braces; its parts may get names."""
    types = [c for c in ctx.world.classes if c.parts]
    if not types:
        return
    type = ctx.dice.choice(types)
    inner = type.bases[0]
    name = ctx.fresh("g")
    value = value_of(ctx, inner)
    given = f"{{{value}, {small(ctx)}}}" if ctx.chance(0.7) else f"{{{value}}}"
    if ctx.chance(0.4):
        one, two = ctx.fresh("b"), ctx.fresh("b")
        ctx.write(f"{ctx.dice.choice(['auto', 'auto &&', 'const auto &'])} [{one}, {two}] = {type.full}{given};")
        ctx.write(f"event(27, clip({one}.{inner.total}() + {two}));")
        ctx.note("structured binding of objects")
        return
    ctx.note("aggregate with an object")
    ctx.write(f"{type.full} {name}{given};")
    ctx.objects.append(Variable(f"{name}.{type.parts[0]}", inner))
    if inner.copied and ctx.chance(0.5):
        copy = ctx.fresh("g")
        ctx.write(f"auto {copy} = {name};")
        if inner.assigned:
            ctx.write(f"{name} = {copy};")
        ctx.objects.append(Variable(f"{copy}.{type.parts[0]}", inner))


# ---- what is done


def _tell(ctx: Context) -> None:
    ctx.write(f"event({ctx.dice.randrange(30, 40)}, clip({number(ctx).text}));")


def _discard(ctx: Context) -> None:
    type = ctx.dice.choice(_whole(ctx))
    text = made(ctx, type)
    assert text is not None
    plain = ctx.chance(0.7) and not is_declaration(text)
    ctx.write(f"{text};" if plain else f"(void){text};")


def is_declaration(text: str) -> bool:
    """Whether an expression, written as a statement, would declare a variable: `T(x);`, `T(S::x);`, `T((*x));`."""
    return _DECLARATOR.fullmatch(text) is not None


def _change(ctx: Context) -> None:
    if ctx.numbers and ctx.chance(0.5):
        ctx.write(f"{ctx.dice.choice(ctx.numbers)} = clip({number(ctx).text});")
        return
    found = [v for v in ctx.objects if not v.constant and v.type.fields]
    if found:
        chosen = ctx.dice.choice(found)
        field = ctx.dice.choice(chosen.type.fields)
        forms = [f"{chosen.text}.{field.name} = {field.given(small(ctx))};"]
        first = chosen.type.fields[0]
        if "[]" in chosen.type.operators:
            forms.append(f"{chosen.text}[{small(ctx)}] = {first.given(small(ctx))};")
        if "*" in chosen.type.operators:
            forms.append(f"*{chosen.text} = {first.given(small(ctx))};")
        if "++" in chosen.type.operators:
            forms.append(f"++{chosen.text};")
        if "=int" in chosen.type.operators:
            forms.append(f"{chosen.text} = {small(ctx)};")
        ctx.write(ctx.dice.choice(forms))


def _assign(ctx: Context) -> None:
    found = [v for v in ctx.objects if not v.constant and v.type.assigned and not v.type.is_abstract]
    if not found:
        return
    chosen = ctx.dice.choice(found)
    value = value_of(ctx, chosen.type, to_assign=True)
    if "+=" in chosen.type.operators and ctx.chance(0.4):
        ctx.write(f"{chosen.text} += {value};")
    elif "=int" not in chosen.type.operators:
        ctx.note("assignment of objects")
        ctx.write(f"{chosen.text} = {value};")


def _cast(ctx: Context) -> None:
    """From a base back to what an object really is, or to what it is not."""
    found = [v for v in ctx.objects if not v.constant and v.type.bases]
    if not found:
        return
    chosen = ctx.dice.choice(found)
    base = ctx.dice.choice(chosen.type.bases)
    name = ctx.fresh("p")
    ctx.write(f"{base.full} *{name} = &{chosen.text};")
    if base.virtuals or base.virtual_end:
        others = [c for c in ctx.world.classes if base.number in c.ancestors() and not c.parts]
        wanted = ctx.dice.choice(others)
        ctx.note("dynamic_cast")
        ctx.write(f"event(28, dynamic_cast<{wanted.full} *>({name}) != nullptr);")
    else:
        ctx.note("static_cast to a derived class")
        ctx.write(f"event(28, static_cast<{chosen.type.full} *>({name})->{chosen.type.total}());")


def _template(ctx: Context) -> None:
    type = ctx.dice.choice(_whole(ctx))
    name = ctx.fresh("t")
    ctx.note("class template")
    ctx.write(f"Holder<{type.full}, {ctx.dice.randrange(1, 4)}> {name}({small(ctx)});")
    ctx.write(f"event(29, {name}.get().{type.method}({small(ctx, Level.READING)}) + {name}.weight());")
    ctx.objects.append(Variable(f"{name}.value", type))
    if type.copied and ctx.chance(0.4):
        ctx.write(f"auto {name}c = {name};")


def _pack(ctx: Context) -> None:
    ctx.note("variadic template")
    values = ", ".join(small(ctx, Level.QUIET) for _ in range(ctx.dice.randrange(3)))
    type = ctx.dice.choice(_whole(ctx))
    given = construction(ctx, type, 1)
    ctx.write(f"event(20, clip(each([](const auto &x) {{ return x.{type.total}(); }}, {given})));")
    if values:
        ctx.write(f"event(20, clip(sum({values})));")


# ---- choices and loops


def _block(ctx: Context, depth: int) -> None:
    with ctx.block(""):
        statements(ctx, ctx.dice.randrange(1, 5), depth - 1)


def _if(ctx: Context, depth: int) -> None:
    initial = ""
    types = _whole(ctx)
    kept = list(ctx.objects), list(ctx.numbers)
    if ctx.chance(0.3):
        type, name = ctx.dice.choice(types), ctx.fresh("c")
        initial = f"{type.full} {name}({small(ctx)}); "
        ctx.objects.append(Variable(name, type))
        ctx.note("if with an initialiser")
    head = truth(number(ctx))
    if ctx.chance(0.15):
        name = ctx.fresh("c")
        head = f"int {name} = {small(ctx)}"
        ctx.numbers.append(name)
        ctx.note("condition that declares")
    other = ctx.chance(0.5)
    with ctx.block(f"if ({initial}{head})", "} else {" if other else "}"):
        statements(ctx, ctx.dice.randrange(1, 4), depth - 1)
    if other:
        ctx.depth += 1
        inner = list(ctx.objects), list(ctx.numbers), list(ctx.constants), list(ctx.containers)
        statements(ctx, ctx.dice.randrange(1, 4), depth - 1)
        ctx.objects, ctx.numbers, ctx.constants, ctx.containers = inner
        ctx.depth -= 1
        ctx.write("}")
    ctx.objects, ctx.numbers = kept


def _switch(ctx: Context, depth: int) -> None:
    kept = list(ctx.objects)
    initial = ""
    if ctx.chance(0.4):
        type, name = ctx.dice.choice(_whole(ctx)), ctx.fresh("c")
        initial = f"{type.full} {name}({small(ctx)}); "
        ctx.objects.append(Variable(name, type))
        ctx.note("switch with an initialiser")
    if ctx.chance(0.3):
        ctx.note("enum class")
        head, labels = f"{truth(number(ctx))} ? Mode::Fast : Mode::Slow", ["case Mode::Slow", "case Mode::Fast"]
    else:
        head, labels = f"{small(ctx)} % 4", ["case 0", "case 1", "default", "case 3"]
        ctx.dice.shuffle(labels)
    loops, ctx.loops = ctx.loops, 0
    with ctx.block(f"switch ({initial}{head})"):
        for label in labels:
            with ctx.block(f"{label}:"):
                statements(ctx, ctx.dice.randrange(1, 3), depth - 1)
                if ctx.chance(0.6):
                    ctx.write("break;")
                else:
                    ctx.note("fall-through")
    ctx.loops = loops
    ctx.objects = kept


def _for(ctx: Context, depth: int) -> None:
    name = ctx.fresh("i")
    count = ctx.dice.randrange(1, 4)
    step = ctx.dice.choice([f"{name}++", f"event(41, {name}++)", f"++{name}, event(42, {small(ctx)})"])
    kept = list(ctx.objects)
    initial = f"int {name} = 0"
    condition = f"{name} < {count}"
    if ctx.chance(0.4):
        condition += f" && ({truth(number(ctx))}, true)"
        ctx.note("calls in the condition of a loop")
    with ctx.block(f"for ({initial}; {condition}; {step})"):
        ctx.constants.append(name)
        _round(ctx, depth)
    ctx.objects = kept


def _round(ctx: Context, depth: int) -> None:
    ctx.loops += 1
    statements(ctx, ctx.dice.randrange(1, 5), depth - 1)
    ctx.loops -= 1


def _while(ctx: Context, depth: int) -> None:
    name = ctx.fresh("w")
    ctx.write(f"int {name} = {ctx.dice.randrange(1, 4)};")
    types = [c for c in _whole(ctx) if "bool" in c.operators]
    if types and ctx.chance(0.4):
        ctx.note("loop whose condition declares an object")
        object = ctx.fresh("c")
        type = ctx.dice.choice(types)
        head = f"while ({type.full} {object} = {type.full}({name} > 0 ? 2 : 1))"
    elif ctx.chance(0.3):
        ctx.note("loop whose condition declares")
        head = f"while (int {ctx.fresh('c')} = {name} > 0 ? event(43, {name}) : 0)"
    else:
        head = f"while ({name} > 0 && event(44, {small(ctx)}) > -2000)"
    with ctx.block(head):
        ctx.write(f"if (--{name} < 0) break;")
        _round(ctx, depth)


def _do(ctx: Context, depth: int) -> None:
    name = ctx.fresh("w")
    ctx.write(f"int {name} = {ctx.dice.randrange(1, 4)};")
    with ctx.block("do", f"}} while (--{name} > 0 && {small(ctx)} != 3);"):
        _round(ctx, depth)


def _for_each(ctx: Context, depth: int) -> None:
    """Over an array, over what has `begin` and `end`, be it a temporary."""
    ctx.note("range-for")
    name = ctx.fresh("x")
    choice = ctx.dice.randrange(4)
    initial = f"int {ctx.fresh('k')} = {small(ctx)}; " if ctx.chance(0.2) else ""
    if choice == 0:
        array = ctx.fresh("a")
        ctx.write(f"int {array}[3] = {{{small(ctx)}, {small(ctx)}, {small(ctx)}}};")
        head = f"for ({initial}{ctx.dice.choice(['int ', 'int &', 'auto &&'])}{name} : {array})"
        number_too = True
    elif choice == 1:
        head = (
            f"for ({initial}{ctx.dice.choice(['int ', 'auto ', 'const int &'])}{name} : Span({ctx.dice.randrange(4)}))"
        )
        number_too = False
    else:
        type = ctx.dice.choice(_whole(ctx))
        array = ctx.fresh("a")
        values = ", ".join(construction(ctx, type, 1) for _ in range(ctx.dice.randrange(1, 3)))
        ctx.write(f"{type.full} {array}[] = {{{values}}};")
        form = ctx.dice.choice(["auto &", "const auto &", "auto &&"] + (["auto "] if type.copied else []))
        with ctx.block(f"for ({initial}{form}{name} : {array})"):
            ctx.objects.append(Variable(name, type, form.startswith("const")))
            _round(ctx, depth)
        return
    with ctx.block(head):
        if number_too:
            ctx.numbers.append(name)
        else:
            ctx.constants.append(name)
        _round(ctx, depth)
