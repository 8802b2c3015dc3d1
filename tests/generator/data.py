"""The types, macros and global variables of a program."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from tests.generator.context import Context, Macro, Place
from tests.generator.declarations import array_type, pick_integer
from tests.generator.expression import PRIMARY, UNARY, Expr, parenthesised
from tests.generator.expressions import constant_integer
from tests.generator.guards import arithmetic
from tests.generator.initialisers import initialiser
from tests.generator.literals import literal
from tests.generator.ranges import full
from tests.generator.types import (
    BOOL,
    INT,
    NAMED,
    SHORT,
    STANDARD,
    UCHAR,
    UINT,
    USHORT,
    ArrayType,
    CType,
    EnumType,
    Field,
    IntType,
    PointerType,
    StructType,
    bit_field,
    declaration,
    member_declaration,
)

_BIT_FIELD_BASES = (BOOL, INT, INT, UINT, UINT, UCHAR, SHORT, USHORT)


@final
@dataclass(frozen=True, slots=True)
class Global:
    """A file-scope variable: where it is defined, its definition, and how to name it there."""

    place: Place
    file: int
    static: bool
    definition: str
    extern: str


def enums(ctx: Context) -> list[str]:
    lines = []
    for number in range(ctx.dice.randrange(1, 3)):
        value, enumerators, texts = 0, [], []
        for position in range(ctx.dice.randrange(2, 5)):
            name = f"E{number}_{position}"
            jump = ctx.weighted([(4, 0), (2, 3), (1, -7), (1, 1 << 20)])
            if jump < 0 and position == 0:
                value = -5
                ctx.note("negative enumerator")
            elif jump > 0:
                value += jump
            if position and ctx.chance(0.1):
                value = INT.hi
                ctx.note("large enumerator")
            texts.append(f"{name} = {value}" if jump or value == INT.hi else name)
            enumerators.append((name, value))
            if value == INT.hi:
                break
            value += 1
        enum = EnumType(f"enum tag{number}", tuple(enumerators))
        ctx.world.enums.append(enum)
        ctx.world.integers.append(enum.representation)
        ctx.note("enum")
        lines.append(f"{enum.name} {{ {', '.join(texts)} }};")
    return lines


def typedefs(ctx: Context) -> list[str]:
    lines = []
    for number in range(ctx.dice.randrange(1, 3)):
        base = ctx.pick(STANDARD)
        alias = IntType(f"t{number}_alias", base.width, base.signed, base.rank)
        # Plain char is a type of its own for pointers, whatever it is called.
        if base.name != "char":
            ctx.world.integers.append(alias)
            ctx.note("typedef")
            lines.append(f"typedef {base.name} {alias.name};")
    return lines


def structs(ctx: Context) -> list[str]:
    lines = []
    for number in range(ctx.dice.randrange(1, 4)):
        name = f"struct s{number}"
        fields: list[Field] = [Field("a", pick_integer(ctx))]
        for letter in "bcd"[: ctx.dice.randrange(1, 4)]:
            fields.append(Field(letter, _field_type(ctx)))
        if ctx.world.wide:
            fields += _bit_fields(ctx)
        if ctx.chance(0.4):
            fields.append(Field("next", PointerType(None, True, name)))
        struct = StructType(name, tuple(fields))
        ctx.world.structs.append(struct)
        ctx.note("struct")
        body = " ".join(f"{_unnamed(ctx, f)}{member_declaration(f.type, f.name)};" for f in fields)
        lines.append(f"{name} {{ {body} }};")
    return lines


def _bit_fields(ctx: Context) -> list[Field]:
    made = []
    for number in range(ctx.dice.randrange(4)):
        base = ctx.pick(_BIT_FIELD_BASES)
        made.append(Field(f"m{number}", bit_field(base, ctx.dice.randrange(1, base.width + 1))))
        ctx.note("bit-field")
    return made


def _unnamed(ctx: Context, field: Field) -> str:
    """Now and then an unnamed bit-field, of width zero or not, before a named one."""
    if not isinstance(field.type, IntType) or not field.type.bit_field or not ctx.chance(0.25):
        return ""
    ctx.note("unnamed bit-field")
    return ctx.pick(["unsigned int : 0; ", "int : 3; ", "unsigned char : 0; "])


def _field_type(ctx: Context) -> CType:
    match ctx.weighted([(6, "integer"), (2, "array"), (2, "struct"), (1, "pointer")]):
        case "array":
            return ArrayType(pick_integer(ctx), ctx.dice.randrange(2, 4))
        case "struct" if ctx.world.structs:
            ctx.note("nested struct")
            return ctx.pick(ctx.world.structs)
        case "pointer":
            return PointerType(pick_integer(ctx), True)
        case _:
            return pick_integer(ctx)


def macros(ctx: Context) -> list[str]:
    lines = [
        "#define BUMP(x, n) do { (x) = (x) ^ (n); observe(x); } while (0)",
        "#define SHOW_AND_SET(x, n) do { if ((x) != (n)) observe(x); (x) = (n); } while (0)",
    ]
    for number in range(ctx.dice.randrange(1, 4)):
        e = parenthesised(constant_integer(ctx, 2)) if ctx.chance(0.5) else literal(ctx)
        e = e if e.level == PRIMARY else parenthesised(e)
        lines.append(f"#define LIMIT{number} {e.text}")
        ctx.world.macros.append(Macro(f"LIMIT{number}", None, e.type, e.range))
    for number in range(ctx.dice.randrange(1, 4)):
        lines.append(_function_macro(ctx, number))
    return lines


def _function_macro(ctx: Context, number: int) -> str:
    """A macro that evaluates each argument at most once, converted to a type that bounds its value."""
    arity = ctx.dice.randrange(1, 4)
    names = "xyz"[:arity]
    arguments = [_bounded(name, ctx.pick(NAMED)) for name in names]
    nested = [m for m in ctx.world.macros if m.arity is not None]
    e = arguments[0]
    for argument in arguments[1:]:
        e = _joined(ctx, e, argument)
    if nested and ctx.chance(0.6):
        inner = ctx.pick(nested)
        ctx.note("nested macro")
        rest = [literal(ctx).argument for _ in range((inner.arity or 1) - 1)]
        e = Expr(f"{inner.name}({', '.join([e.argument, *rest])})", inner.type, inner.range)
    e = parenthesised(_joined(ctx, e, literal(ctx)))
    name = f"MIX{number}"
    ctx.world.macros.append(Macro(name, arity, e.type, e.range))
    return f"#define {name}({', '.join(names)}) {e.text}"


def _bounded(name: str, t: IntType) -> Expr:
    return Expr(f"({t.name})({name})", t, full(t), UNARY)


def _joined(ctx: Context, left: Expr, right: Expr) -> Expr:
    before, ctx.constant_only = ctx.constant_only, True
    made = arithmetic(ctx, ctx.pick(["+", "-", "*", "^", "|", "&", "%", "/", ">>", "<<", "<", "=="]), left, right)
    ctx.constant_only = before
    return made or left


def globals_of(ctx: Context, files: int, count: int) -> list[Global]:
    """Variables for all files; each is visible to those after it in the order of the answer."""
    made: list[Global] = []
    for number in range(count):
        file = ctx.dice.randrange(files)
        static = ctx.chance(0.4)
        made.append(_global(ctx, f"g{number}", file, static, made))
    if files > 1:
        ctx.note("static names in two files")
        for file in range(files):
            made.append(_global(ctx, "hidden", file, True, made))
    return made


def visible_in(globals_: Sequence[Global], file: int) -> list[Place]:
    return [g.place for g in globals_ if not g.static or g.file == file]


def _global(ctx: Context, name: str, file: int, static: bool, before: Sequence[Global]) -> Global:
    # Addresses of variables of this file and of external ones are constants here.
    ctx.frames = [{p.text: p for p in visible_in(before, file)}]
    constant_value = ctx.chance(0.15) and name != "hidden"
    t = _global_type(ctx) if name != "hidden" else pick_integer(ctx)
    if isinstance(t, PointerType):
        constant_value = False
    addressable = not constant_value and ctx.chance(0.6)
    place = ctx.declare(name, t, static=True, addressable=addressable, writable=not constant_value)
    ctx.frames[0].pop(name)
    before_flag, ctx.constant_only = ctx.constant_only, True
    initial = initialiser(ctx, t, constant_integer)
    ctx.constant_only = before_flag
    const = "const " if constant_value else ""
    if constant_value:
        ctx.note("const global")
    ctx.note("static global" if static else "external global")
    text = f"{const}{declaration(t, name)}"
    definition = f"{text} = {initial.argument};" if constant_value or ctx.chance(0.85) or _never_null(t) else f"{text};"
    return Global(place, file, static, ("static " if static else "") + definition, f"extern {text};")


def _never_null(t: CType) -> bool:
    return isinstance(t, PointerType) and not t.nullable


def _global_type(ctx: Context) -> CType:
    open_places = [p for p in ctx.visible() if p.addressable and p.writable]
    targets = [p.type for p in open_places if isinstance(p.type, IntType | StructType)]
    match ctx.weighted([(6, "integer"), (4, "array"), (4, "struct"), (2, "pointer"), (1, "link")]):
        case "array":
            return array_type(ctx)
        case "struct" if ctx.world.structs:
            return ctx.pick(ctx.world.structs)
        case "pointer" if targets:
            return PointerType(ctx.pick(targets), ctx.chance(0.4))
        case "link":
            links = [s.fields[-1].type for s in ctx.world.structs if s.fields[-1].name == "next"]
            return ctx.pick(links) if links else pick_integer(ctx)
        case _:
            return pick_integer(ctx)
