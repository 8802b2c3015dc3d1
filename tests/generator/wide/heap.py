"""Objects on the heap: flexible array members, arrays that grow, lists."""

from tests.generator.context import Context
from tests.generator.types import LLONG, SHORT, UCHAR, UINT
from tests.generator.wide.writing import bounded, braces, pure_value, value


def flexible_array(ctx: Context) -> None:
    ctx.note("flexible array member", "malloc")
    t = ctx.pick((UCHAR, SHORT, UINT, LLONG))
    with braces(ctx):
        tag, p, n = (ctx.fresh(prefix) for prefix in ("packet", "p", "n"))
        ctx.write(f"struct {tag} {{ unsigned short count; char kind; {t.name} tail[]; }};")
        ctx.write(f"int {n} = {bounded(ctx, 1, ctx.dice.randrange(2, 7))};")
        ctx.write(f"struct {tag} *{p} = malloc(sizeof *{p} + {n} * sizeof {p}->tail[0]);")
        ctx.write(f"{p}->count = (unsigned short){n}; {p}->kind = 'k';")
        ctx.write(f"for (int i = 0; i < {p}->count; i++) {p}->tail[i] = ({t.name})(i * {ctx.dice.randrange(1, 300)});")
        ctx.write(f"{p}->tail[{bounded(ctx, 0, 1000)} % {n}] = {pure_value(ctx, t)};")
        if ctx.chance(0.4):
            ctx.note("realloc")
            ctx.write(f"{p} = realloc({p}, sizeof *{p} + ({n} + 1) * sizeof {p}->tail[0]);")
            ctx.write(f"{p}->tail[{p}->count++] = {value(ctx, t)};")
        ctx.write(f"for (int i = 0; i < {p}->count; i++) observe({p}->tail[i]);")
        ctx.write(f"observe(sizeof *{p}); free({p});")


def growing_array(ctx: Context) -> None:
    ctx.note("calloc", "realloc")
    t = ctx.pick((UCHAR, SHORT, UINT, LLONG))
    with braces(ctx):
        p, n = ctx.fresh("p"), ctx.fresh("n")
        ctx.write(f"size_t {n} = {bounded(ctx, 1, 3)};")
        ctx.write(f"{t.name} *{p} = calloc({n}, sizeof *{p});")
        ctx.write(f"observe({p}[{n} - 1]);")
        ctx.write(f"for (int round = 0; round < {ctx.dice.randrange(1, 4)}; round++) {{")
        ctx.write(f"    {p} = realloc({p}, ({n} + 2) * sizeof *{p});")
        ctx.write(f"    {p}[{n}] = ({t.name})(round + {p}[0]); {p}[{n} + 1] = {value(ctx, t)};")
        ctx.write(f"    {n} += 2;")
        ctx.write("}")
        ctx.write(f"for (size_t i = 0; i < {n}; i++) observe({p}[i]);")
        ctx.write(f"free({p});")


def heap_list(ctx: Context) -> None:
    """A list that is built, turned round or thinned out, shown and released."""
    ctx.note("list on the heap", "malloc")
    with braces(ctx):
        tag, head = ctx.fresh("node"), ctx.fresh("head")
        ctx.write(f"struct {tag} {{ short v; struct {tag} *next; }} *{head} = NULL;")
        ctx.write(f"for (int i = 0; i < {ctx.dice.randrange(1, 6)}; i++) {{")
        ctx.write(f"    struct {tag} *made = malloc(sizeof *made);")
        ctx.write(f"    *made = (struct {tag}){{{value(ctx, SHORT)}, {head}}}; {head} = made;")
        ctx.write("}")
        if ctx.chance(0.5):
            ctx.write(f"struct {tag} *{head}_new = NULL;")
            ctx.write(f"while ({head}) {{ struct {tag} *next = {head}->next; {head}->next = {head}_new;")
            ctx.write(f"    {head}_new = {head}; {head} = next; }}")
            ctx.write(f"{head} = {head}_new;")
        else:
            ctx.write(f"for (struct {tag} **at = &{head}; *at; ) {{")
            ctx.write(f"    struct {tag} *it = *at;")
            ctx.write("    if (it->v & 1) { *at = it->next; free(it); } else at = &it->next;")
            ctx.write("}")
        ctx.write(f"while ({head}) {{ struct {tag} *it = {head}; {head} = it->next; observe(it->v); free(it); }}")
