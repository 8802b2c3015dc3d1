"""Callbacks with user data behind a void pointer, and those of qsort and bsearch."""

from tests.generator.context import Context
from tests.generator.types import INT, LLONG
from tests.generator.wide.writing import bounded, braces, pure_value, value


def visitor_functions(ctx: Context) -> list[str]:
    factor = ctx.dice.randrange(2, 30)
    return [
        "struct tally { unsigned int count; long long sum; struct tally *parent; };",
        "typedef int (*visitor)(int value, void *data);",
        "static int visit_sum(int value, void *data) {",
        "    struct tally *t = data;",
        f"    t->count++; t->sum = t->sum / 2 + value % {factor};",
        "    if (t->parent) t->parent->count += t->count;",
        "    return value < 0;",
        "}",
        "static int visit_keep(int value, void *data) { *(int *)data ^= value; return 0; }",
        "static int visit_pointer(int value, void *data) { void **p = data; *p = value & 1 ? data : NULL; return 0; }",
        "static int visit_all(const int *items, int count, visitor visit, void *data) {",
        "    int stopped = -1;",
        "    for (int i = 0; i < count && stopped < 0; i++) if (visit(items[i], data)) stopped = i;",
        "    return stopped;",
        "}",
        "static int by_value(const void *a, const void *b) {",
        "    int x = *(const int *)a, y = *(const int *)b;",
        "    return (x > y) - (x < y);",
        "}",
    ]


def visiting(ctx: Context) -> None:
    ctx.note("void * user data", "callback")
    with braces(ctx):
        items, data = ctx.fresh("items"), ctx.fresh("data")
        count = _items(ctx, items)
        match ctx.pick(["sum", "keep", "pointer"]):
            case "sum":
                ctx.write(
                    f"struct tally {data}_top = {{0, 0, NULL}}, {data} = {{1, {value(ctx, LLONG)}, &{data}_top}};"
                )
                ctx.write(f"observe(visit_all({items}, {count}, visit_sum, &{data}));")
                ctx.write(f"observe({data}.sum); observe({data}.count); observe({data}_top.count);")
            case "keep":
                ctx.write(f"int {data} = {value(ctx, INT)};")
                ctx.write(f"visitor {data}_with = {bounded(ctx, 0, 1)} ? visit_keep : &visit_keep;")
                ctx.write(f"observe(visit_all({items}, {count}, {data}_with, &{data})); observe({data});")
            case _:
                ctx.write(f"void *{data} = NULL;")
                ctx.write(f"visit_all({items}, {count}, visit_pointer, &{data}); observe({data} == (void *)&{data});")


def sorting(ctx: Context) -> None:
    ctx.note("qsort", "bsearch")
    with braces(ctx):
        items, found = ctx.fresh("items"), ctx.fresh("found")
        count = _items(ctx, items)
        ctx.write(f"qsort({items}, {count}, sizeof {items}[0], by_value);")
        ctx.write(f"for (int i = 0; i < {count}; i++) observe({items}[i]);")
        ctx.write(f"int {found}_key = {pure_value(ctx, INT)};")
        ctx.write(f"int *{found} = bsearch(&{found}_key, {items}, {count}, sizeof(int), by_value);")
        ctx.write(f"observe({found} ? *{found} == {found}_key : -1);")


def _items(ctx: Context, name: str) -> int:
    count = ctx.dice.randrange(2, 6)
    ctx.write(f"int {name}[] = {{{', '.join(pure_value(ctx, INT) for _ in range(count))}}};")
    return count
