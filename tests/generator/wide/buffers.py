"""Objects as bytes: copies between structs and buffers, access through unsigned char, blocks that overlap."""

from typing import Final

from tests.generator.context import Context
from tests.generator.types import CHAR, INT, LLONG, SHORT, UCHAR, UINT, ULLONG, USHORT, IntType
from tests.generator.wide.writing import bounded, braces, pure_value

_FIELDS: Final = (CHAR, UCHAR, SHORT, USHORT, INT, UINT, LLONG, ULLONG)


def struct_and_bytes(ctx: Context) -> None:
    """A struct goes into a buffer and comes back; of its bytes only those of members are looked at."""
    types = [ctx.pick(_FIELDS) for _ in range(ctx.dice.randrange(2, 5))]
    packed = ctx.chance(0.4)
    with braces(ctx):
        tag, one, two, buffer = (ctx.fresh(prefix) for prefix in ("b", "one", "two", "buffer"))
        attribute = "__attribute__((packed, may_alias)) " if packed else ""
        if packed:
            ctx.note("packed struct")
        members = " ".join(f"{t.name} f{n};" for n, t in enumerate(types))
        ctx.write(f"struct {attribute}{tag} {{ {members} }};")
        values = ", ".join(pure_value(ctx, t) for t in types)
        ctx.write(f"struct {tag} {one} = {{{values}}}, {two};")
        ctx.write(f"unsigned char {buffer}[sizeof {one} + {ctx.dice.randrange(3)}];")
        ctx.note("struct to bytes", "bytes to struct")
        ctx.write(f"memcpy({buffer}, &{one}, sizeof {one});")
        for _ in range(ctx.dice.randrange(1, 4)):
            _byte(ctx, tag, types, one, buffer, packed)
        ctx.write(f"memcpy(&{two}, {buffer}, sizeof {two});")
        for n in range(len(types)):
            ctx.write(f"observe({two}.f{n});")
        if packed:
            ctx.note("memcmp")
            ctx.write(f"observe(memcmp(&{one}, &{two}, sizeof {one}) == 0);")


def _byte(ctx: Context, tag: str, types: list[IntType], one: str, buffer: str, packed: bool) -> None:
    n = ctx.dice.randrange(len(types))
    offset = f"offsetof(struct {tag}, f{n}) + {bounded(ctx, 0, types[n].width // 8 - 1)}"
    match ctx.pick(["read", "write", "through", "cast"]):
        case "read":
            ctx.write(f"observe({buffer}[{offset}]);")
        case "write":
            ctx.write(f"{buffer}[{offset}] = {pure_value(ctx, UCHAR)};")
        case "through":
            ctx.write(f"((unsigned char *)&{one})[{offset}] ^= {pure_value(ctx, UCHAR)}; observe({one}.f{n});")
        case _ if packed:
            # Such a struct may stand at any address, in an object of any type.
            at = ctx.fresh("at")
            ctx.write(f"struct {tag} *{at} = (struct {tag} *)(void *){buffer}; observe({at}->f{n});")
        case _:
            ctx.write(f"observe(sizeof(struct {tag}) - offsetof(struct {tag}, f{n}));")


def containing_struct(ctx: Context) -> None:
    """From a member's address to the struct around it, and its neighbours in an array."""
    ctx.note("container_of")
    with braces(ctx):
        tag, items, link = (ctx.fresh(prefix) for prefix in ("c", "items", "link"))
        length = ctx.dice.randrange(2, 5)
        kind = ctx.pick(_FIELDS)
        ctx.write(f"struct {tag} {{ {kind.name} key; struct {{ int a; short b; }} link; char last; }};")
        ctx.write(f"struct {tag} {items}[{length}];")
        ctx.write(f"for (int i = 0; i < {length}; i++) {items}[i] = (struct {tag}){{i * 3, {{i, -i}}, 'a'}};")
        ctx.write(f"{items}[{bounded(ctx, 0, length - 1)}].key = {pure_value(ctx, kind)};")
        ctx.write(f"short *{link} = &{items}[{bounded(ctx, 0, length - 1)}].link.b;")
        ctx.write(f"struct {tag} *{link}_of = (struct {tag} *)((char *){link} - offsetof(struct {tag}, link.b));")
        ctx.write(f"observe({link}_of->key); observe({link}_of - {items}); observe({link}_of->link.a);")
        ctx.write(f"observe((char *)({link}_of + 1) == (char *)&{items}[{length}]);")


def blocks_of_bytes(ctx: Context) -> None:
    """memset, memmove over itself, memcmp, memchr on an array of bytes or words."""
    t = ctx.pick((UCHAR, USHORT, UINT))
    length = ctx.dice.randrange(4, 9)
    with braces(ctx):
        name, n = ctx.fresh("z"), ctx.fresh("n")
        ctx.write(f"{t.name} {name}[{length}];")
        ctx.note("memset", "memmove", "memcmp")
        ctx.write(f"memset({name}, {ctx.pick(['0', '0xff', '7', '-2'])}, sizeof {name});")
        ctx.write(f"for (int i = 0; i < {length}; i++) {name}[i] += ({t.name})(i * {ctx.dice.randrange(1, 60)});")
        ctx.write(f"{name}[{bounded(ctx, 0, length - 1)}] = {pure_value(ctx, t)};")
        start, to = ctx.dice.randrange(length), ctx.dice.randrange(length)
        ctx.write(f"size_t {n} = {bounded(ctx, 0, length - max(start, to))} * sizeof {name}[0];")
        ctx.write(f"memmove({name} + {to}, &{name}[{start}], {n});")
        ctx.write(f"for (int i = 0; i < {length}; i++) observe({name}[i]);")
        if t is UCHAR:
            ctx.write(f"observe(sign(memcmp({name}, {name} + {length // 2}, {length - length // 2 - length % 2})));")
            ctx.write(f"unsigned char *{n}p = memchr({name}, {bounded(ctx, 0, 255)}, sizeof {name});")
            ctx.write(f"observe({n}p ? {n}p - {name} : -1);")
