"""Functions of string.h, stdlib.h and ctype.h on small strings."""

from typing import Final

from tests.generator.context import Context
from tests.generator.types import CHAR
from tests.generator.wide.writing import bounded, braces, pure_value

_WORDS: Final = ("", "a", "ab", "abc", "b,c;d", "hello", "  12x", "-77", "0x1F", "same", "samer", "zz9")


def strings(ctx: Context) -> None:
    ctx.note("string.h", "malloc")
    with braces(ctx):
        name, other, p = ctx.fresh("text"), ctx.fresh("word"), ctx.fresh("p")
        ctx.write(f'char {name}[32] = "{ctx.pick(_WORDS)}", *{p};')
        ctx.write(f'const char *{other} = "{ctx.pick(_WORDS)}";')
        ctx.write(f"{name}[{ctx.dice.randrange(4)}] = (char)({pure_value(ctx, CHAR)} & 127);")
        for _ in range(ctx.dice.randrange(2, 6)):
            _step(ctx, name, other, p)
        ctx.write(f"observe(strlen({name})); for ({p} = {name}; *{p}; {p}++) observe(*{p});")


def _step(ctx: Context, name: str, other: str, p: str) -> None:
    word, character = f'"{ctx.pick(_WORDS)}"', bounded(ctx, 0, 127)
    match ctx.pick(["copy", "append", "compare", "find", "span", "replace", "number", "duplicate", "prefix"]):
        case "copy":
            ctx.write(f"strcpy({name}, {word}); observe({name}[0]);")
        case "append":
            ctx.write(f"if (strlen({name}) < 16) strcat({name}, {ctx.pick([word, other])});")
            ctx.write(f"if (strlen({name}) < 16) strncat({name}, {other}, {bounded(ctx, 0, 3)});")
        case "compare":
            ctx.write(
                f"observe(sign(strcmp({name}, {other})) * 3 + sign(strncmp({name}, {word}, {bounded(ctx, 0, 4)})));"
            )
        case "find":
            ctx.write(
                f"{p} = {ctx.pick(['strchr', 'strrchr'])}({name}, {character}); observe({p} ? {p} - {name} : -1);"
            )
            ctx.write(f"{p} = strstr({name}, {word}); observe({p} ? {p} - {name} : -1);")
        case "span":
            ctx.write(f'observe(strspn({name}, "abhel") * 100 + strcspn({name}, ",;x"));')
        case "replace":
            ctx.write(f"if (({p} = strpbrk({name}, \"bsz,\"))) *{p} = (char)('A' + ({character} & 15));")
        case "number":
            ctx.note("strtol")
            base = ctx.pick(["0", "10", "16", "36"])
            ctx.write(
                f"observe(strtol({ctx.pick([name, other, word])}, &{p}, {base})); observe(*{p}); observe(atoi({word}));"
            )
        case "duplicate":
            ctx.write(f"{p} = malloc(strlen({other}) + 1); memcpy({p}, {other}, strlen({other}) + 1);")
            ctx.write(f"observe(strcmp({p}, {other})); free({p});")
        case _:
            ctx.write(f"strncpy({name} + 16, {other}, 8); observe({name}[16] + {name}[17] * 2);")


def characters(ctx: Context) -> None:
    ctx.note("ctype.h")
    tests = ctx.dice.sample(["isalpha", "isdigit", "isspace", "isupper", "isxdigit", "ispunct", "isprint"], 3)
    with braces(ctx):
        name = ctx.fresh("c")
        ctx.write(f"int {name} = {bounded(ctx, 0, 127)};")
        ctx.write(f"observe({' + '.join(f'{1 << n} * !!{test}({name})' for n, test in enumerate(tests))});")
        ctx.write(f"observe(toupper({name}) * 1000 + tolower({name})); observe(labs({pure_value(ctx, CHAR)}));")
