"""Variadic functions: the promotions of their arguments, va_copy, lists handed on, structs."""

from tests.generator.context import Context
from tests.generator.types import INT, LLONG, STANDARD, UINT, ULONG
from tests.generator.wide.writing import pure, pure_value


def variadic_functions(ctx: Context) -> list[str]:
    factor = ctx.dice.randrange(2, 40)
    return [
        "struct pair { int a; short b; };",
        "struct block { long long part[3]; char tag; };",
        "static unsigned long long mixed_list(const char *how, va_list list) {",
        "    unsigned long long sum = 0;",
        "    for (; *how; how++) {",
        "        switch (*how) {",
        "        case 'i': sum += va_arg(list, int); break;",
        "        case 'u': sum += va_arg(list, unsigned int); break;",
        "        case 'l': sum += va_arg(list, long long); break;",
        "        case 'z': sum += va_arg(list, unsigned long); break;",
        "        case 'd': sum += double_bits(va_arg(list, double)); break;",
        "        case 'D': sum += double_bits((double)va_arg(list, long double)); break;",
        "        case 's': sum += strlen(va_arg(list, const char *)); break;",
        "        case 'p': sum += *va_arg(list, int *); break;",
        "        case 'f': sum += va_arg(list, int (*)(int))(3); break;",
        "        case 'S': { struct pair got = va_arg(list, struct pair); sum += got.a ^ got.b; break; }",
        "        case 'B': { struct block got = va_arg(list, struct block); sum += got.part[2] - got.tag; break; }",
        "        }",
        f"        sum = sum * {factor} + 1;",
        "    }",
        "    return sum;",
        "}",
        "static unsigned long long mixed(const char *how, ...) {",
        "    va_list list, again;",
        "    va_start(list, how);",
        "    va_copy(again, list);",
        "    unsigned long long sum = mixed_list(how, list);",
        "    if (*how == 'i') sum ^= va_arg(again, int);",
        "    va_end(again);",
        "    va_end(list);",
        "    return sum;",
        "}",
        "static int largest(int count, ...) {",
        "    va_list list;",
        "    va_start(list, count);",
        "    int most = va_arg(list, int);",
        "    while (--count > 0) { int next = va_arg(list, int); most = next > most ? next : most; }",
        "    va_end(list);",
        "    return most;",
        "}",
    ]


def variadic_call(ctx: Context) -> None:
    ctx.note("variadic function")
    if ctx.chance(0.3):
        count = ctx.dice.randrange(1, 9)
        ctx.write(f"observe(largest({count}, {', '.join(pure_value(ctx, INT) for _ in range(count))}));")
        return
    how, arguments = "", []
    for _ in range(ctx.dice.randrange(1, 10)):
        code = ctx.pick("iiculzdDspfSB")
        arguments.append(_argument(ctx, code))
        how += "i" if code == "c" else code
    if how[0] == "i":
        ctx.note("va_copy")
    ctx.write(f'observe(mixed("{how}", {", ".join(arguments)}));')


def _argument(ctx: Context, code: str) -> str:
    match code:
        case "i":
            return pure_value(ctx, INT)
        case "c":
            return pure_value(ctx, ctx.pick([t for t in STANDARD if t.rank < INT.rank]))
        case "u":
            return pure_value(ctx, UINT)
        case "l":
            return pure_value(ctx, LLONG)
        case "z":
            return pure_value(ctx, ULONG)
        case "d":
            return f"({ctx.pick(['float', 'double'])})({pure(ctx).text}) / 7"
        case "D":
            return f"(long double)({pure(ctx).text}) / 7"
        case "s":
            return f'"{"x" * ctx.dice.randrange(5)}"'
        case "p":
            return f"&(int){{{pure(ctx).argument}}}"
        case "f":
            return ctx.pick(["abs", "toupper"])
        case "S":
            ctx.note("struct through varargs")
            return f"(struct pair){{{pure(ctx).argument}, {ctx.dice.randrange(-9, 9)}}}"
        case _:
            return f"(struct block){{{{1, 2, {pure(ctx).argument}}}, 'q'}}"
