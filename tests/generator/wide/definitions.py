"""Functions whose definition is special: in the style of K&R, weak, inline."""

from dataclasses import dataclass
from typing import final

from tests.generator.context import Context, Function, Parameter
from tests.generator.types import CHAR, INT, LLONG, SHORT, UCHAR, UINT, IntType
from tests.generator.wide.floats import weighing


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A definition in one file, and what the header says about it."""

    file: int
    text: str
    head: str = ""


def definitions_of(ctx: Context, files: int) -> list[Definition]:
    last = files - 1
    return [Definition(0, weighing()), *_old_style(ctx, last), *_weak(ctx, files), *_inline(ctx)]


def _callable(ctx: Context, name: str, result: IntType, *parameters: IntType) -> None:
    given = tuple(Parameter(f"v{n}", t) for n, t in enumerate(parameters))
    ctx.world.functions.append(Function(name, result, given, 0, False, 6))


def _old_style(ctx: Context, file: int) -> list[Definition]:
    """Parameters narrower than int arrive promoted, so the prototype has int for them."""
    ctx.note("K&R definition")
    narrow = ctx.pick((CHAR, UCHAR, SHORT))
    _callable(ctx, "old_style", LLONG, INT, UINT)
    body = f"return (v0 + {ctx.dice.randrange(9)}) * 2LL ^ v1;"
    text = f"long long old_style(v0, v1)\n    {narrow.name} v0;\n    unsigned int v1;\n{{ {body} }}"
    return [Definition(file, text, "long long old_style(int, unsigned int);")]


def _weak(ctx: Context, files: int) -> list[Definition]:
    _callable(ctx, "fallback", INT, SHORT)
    ctx.note("weak function")
    weak = f"__attribute__((weak)) int fallback(short v0) {{ return v0 - {ctx.dice.randrange(1, 50)}; }}"
    made = [Definition(files - 1, weak, "int fallback(short v0);")]
    if files > 1 and ctx.chance(0.6):
        ctx.note("weak function replaced")
        made.append(Definition(0, f"int fallback(short v0) {{ return {ctx.dice.randrange(1, 50)} - v0; }}"))
    return made


def _inline(ctx: Context) -> list[Definition]:
    """An inline definition in the header has its external one in the first file."""
    _callable(ctx, "quick", LLONG, UCHAR, INT)
    _callable(ctx, "quicker", UINT, UINT)
    ctx.note("inline function", "external inline function")
    head = f"inline long long quick(unsigned char v0, int v1) {{ return v0 * {ctx.dice.randrange(2, 9)}LL - v1; }}"
    other = f"static inline unsigned int quicker(unsigned int v0) {{ return v0 << {ctx.dice.randrange(1, 20)} ^ v0; }}"
    return [Definition(0, "extern inline long long quick(unsigned char v0, int v1);", f"{head}\n{other}")]
