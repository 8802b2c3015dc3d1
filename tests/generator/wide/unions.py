"""Unions whose members cover the same bytes, written through one member and read through another."""

from dataclasses import dataclass
from typing import Final, final

from tests.generator.context import Context
from tests.generator.types import LLONG, SHORT, UCHAR, UINT, ULLONG, USHORT, IntType
from tests.generator.wide.writing import bounded, braces, pure_value, value


@final
@dataclass(frozen=True, slots=True)
class _Member:
    """A member of a union; `count` 0 means that it is no array."""

    name: str
    type: IntType
    count: int

    @property
    def text(self) -> str:
        return f"{self.type.name} {self.name}" + (f"[{self.count}]" if self.count else "")


_SIGNED: Final = {16: SHORT, 32: IntType("int", 32, True, 3), 64: LLONG}
_UNSIGNED: Final = {16: USHORT, 32: UINT, 64: ULLONG}
_SHAPES: Final[dict[str, tuple[_Member, ...]]] = {
    f"union cover{bits}": (
        _Member("whole", _UNSIGNED[bits], 0),
        _Member("bytes", UCHAR, bits // 8),
        _Member("signed_whole", _SIGNED[bits], 0),
        *([_Member("halves", USHORT, bits // 16)] if bits > 16 else []),
        *([_Member("words", UINT, 2)] if bits > 32 else []),
    )
    for bits in (16, 32, 64)
}


def union_functions(ctx: Context) -> list[str]:
    """The types, and a function for each that takes and returns it by value."""
    lines = []
    for name, members in _SHAPES.items():
        order = ctx.dice.sample(members, len(members))
        lines.append(f"{name} {{ {' '.join(m.text + ';' for m in order)} }};")
        first, last = ctx.dice.sample(range(members[1].count), 2)
        swap = f"unsigned char kept = u.bytes[{first}]; u.bytes[{first}] = u.bytes[{last}]; u.bytes[{last}] = kept;"
        lines.append(f"static {name} turned{name[-2:]}({name} u) {{ {swap} return u; }}")
    lines.append("struct tagged { char tag; union { unsigned int whole; unsigned char bytes[4]; }; short after; };")
    return lines


def unions(ctx: Context) -> None:
    name = ctx.pick(list(_SHAPES))
    members = _SHAPES[name]
    ctx.note("union")
    with braces(ctx):
        place, other = ctx.fresh("u"), ctx.fresh("u")
        if ctx.chance(0.3):
            ctx.note("union in an array")
            length = ctx.dice.randrange(2, 4)
            ctx.write(f"{name} {place}s[{length}] = {{{{.whole = {pure_value(ctx, members[0].type)}}}}};")
            ctx.write(f"{name} *{place}p = &{place}s[{bounded(ctx, 0, length - 1)}];")
            place = f"(*{place}p)"
        else:
            static = ctx.pick(["", "static "])
            ctx.write(f"{static}{name} {place} = {{.{_initial(ctx, members)}}};")
        ctx.write(f"{name} {other} = {place};")
        for _ in range(ctx.dice.randrange(2, 6)):
            _step(ctx, name, members, place, other)
        ctx.write(f"observe({place}.signed_whole);")
    if ctx.chance(0.3):
        _tagged(ctx)


def _initial(ctx: Context, members: tuple[_Member, ...]) -> str:
    member = ctx.pick(members)
    if not member.count:
        return f"{member.name} = {ctx.dice.getrandbits(15)}"
    return f"{member.name} = {{{', '.join(str(ctx.dice.randrange(256)) for _ in range(member.count))}}}"


def _target(ctx: Context, place: str, member: _Member) -> str:
    return f"{place}.{member.name}" + (f"[{bounded(ctx, 0, member.count - 1)}]" if member.count else "")


def _step(ctx: Context, name: str, members: tuple[_Member, ...], place: str, other: str) -> None:
    member = ctx.pick(members)
    target = _target(ctx, place, member)
    match ctx.pick(["write", "write", "read", "read", "change", "copy", "call", "pointer"]):
        case "write":
            ctx.note("union of bytes")
            # An index may read what the value writes, and their order is open.
            made = pure_value(ctx, member.type) if member.count else value(ctx, member.type)
            ctx.write(f"{target} = {made};")
        case "read":
            ctx.write(f"observe({target});")
        case "change":
            ctx.write(f"{target} {ctx.pick(['^=', '|=', '&='])} {pure_value(ctx, member.type)};")
        case "copy":
            ctx.note("union assignment")
            ctx.write(f"{other} = {place}; {other}.whole ^= {ctx.dice.randrange(1000)}; observe({other}.bytes[0]);")
            ctx.write(f"if ({other}.whole & 1) {place} = {other};")
        case "call":
            ctx.note("union parameter")
            ctx.write(f"{place} = turned{name[-2:]}({place});")
        case _:
            ctx.note("pointer into union")
            pointer = ctx.fresh("p")
            ctx.write(f"unsigned char *{pointer} = {place}.bytes + {bounded(ctx, 0, members[1].count - 1)};")
            ctx.write(f"*{pointer} {ctx.pick(['=', '+=', '^='])} {pure_value(ctx, UCHAR)};")
            ctx.write(f"observe({place}.whole);")


def _tagged(ctx: Context) -> None:
    """An unnamed union between other members."""
    with braces(ctx):
        name = ctx.fresh("t")
        ctx.write(f"struct tagged {name} = {{{ctx.dice.randrange(100)}, {{.whole = {pure_value(ctx, UINT)}}}, -2}};")
        ctx.write(f"{name}.bytes[{bounded(ctx, 0, 3)}] += {pure_value(ctx, UCHAR)};")
        ctx.write(f"observe({name}.whole); observe({name}.tag + {name}.after);")
