"""Integer constants in all the ways C spells them."""

from typing import Final

from tests.generator.context import Context
from tests.generator.expression import Expr, unary
from tests.generator.ranges import Range
from tests.generator.types import INT, LLONG, LONG, UINT, ULLONG, ULONG, IntType

_LIMITS: Final[tuple[tuple[str, IntType, int], ...]] = (
    ("INT_MAX", INT, INT.hi), ("INT_MIN", INT, INT.lo), ("UINT_MAX", UINT, UINT.hi), ("LONG_MAX", LONG, LONG.hi),
    ("LONG_MIN", LONG, LONG.lo), ("ULONG_MAX", ULONG, ULONG.hi), ("LLONG_MAX", LLONG, LLONG.hi),
    ("LLONG_MIN", LLONG, LLONG.lo), ("ULLONG_MAX", ULLONG, ULLONG.hi), ("CHAR_BIT", INT, 8), ("CHAR_MAX", INT, 127),
    ("SCHAR_MIN", INT, -128), ("UCHAR_MAX", INT, 255), ("SHRT_MIN", INT, -32768), ("USHRT_MAX", INT, 65535),
    ("INT8_MIN", INT, -128), ("UINT16_MAX", INT, 65535), ("INT32_MAX", INT, INT.hi), ("UINT32_MAX", UINT, UINT.hi),
    ("INT64_MIN", LONG, LONG.lo), ("UINT64_MAX", ULONG, ULONG.hi), ("SIZE_MAX", ULONG, ULONG.hi),
    ("(-2147483647 - 1)", INT, INT.lo), ("(-9223372036854775807L - 1L)", LONG, LONG.lo),
)  # fmt: skip
_CHARACTERS: Final = (
    ("'a'", 97), ("'Z'", 90), ("'0'", 48), ("' '", 32), ("'\\n'", 10), ("'\\0'", 0), ("'\\''", 39), ("'\\\\'", 92),
    ("'\\x7f'", 127), ("'\\xff'", -1), ("'\\200'", -128), ("'\\t'", 9),
)  # fmt: skip
_SUFFIXES: Final = {"u": UINT, "U": UINT, "l": LONG, "L": LONG, "ul": ULONG, "UL": ULONG, "ll": LLONG, "LL": LLONG,
                    "ull": ULLONG, "ULL": ULLONG}  # fmt: skip
_ORDER: Final = (INT, UINT, LONG, ULONG, LLONG, ULLONG)


def constant(value: int) -> Expr:
    """A plain decimal constant of type int or long."""
    t = INT if abs(value) <= INT.hi else LONG
    e = Expr(str(abs(value)), t, Range(abs(value), abs(value)))
    if value >= 0:
        return e
    negative = unary("-", e)
    assert negative is not None
    return negative


def literal(ctx: Context) -> Expr:
    kind = ctx.weighted([(10, "number"), (1, "limit"), (2, "character")])
    match kind:
        case "limit":
            ctx.note("limit constant")
            name, t, value = ctx.pick(_LIMITS)
            return Expr(name, t, Range(value, value))
        case "character":
            ctx.note("char literal")
            text, value = ctx.pick(_CHARACTERS)
            return Expr(text, INT, Range(value, value))
        case _:
            return _number(ctx)


def _number(ctx: Context) -> Expr:
    magnitude = _magnitude(ctx)
    spelled = ctx.weighted([(6, "decimal literal"), (3, "hex literal"), (1, "octal literal")])
    suffix = ctx.pick(list(_SUFFIXES)) if ctx.chance(0.25) else ""
    if spelled == "decimal literal" and magnitude > LLONG.hi and "u" not in suffix.lower():
        suffix = "u" + suffix.lower()
    ctx.note(spelled)
    if suffix:
        ctx.note("literal suffix")
    match spelled:
        case "hex literal":
            digits = f"{magnitude:#x}"
        case "octal literal":
            digits = f"0{magnitude:o}"
        case _:
            digits = str(magnitude)
    t = literal_type(magnitude, suffix, spelled == "decimal literal")
    e = Expr(digits + suffix, t, Range(magnitude, magnitude))
    if ctx.chance(0.2):
        ctx.note("unary -")
        return unary("-", e) or e
    return e


def literal_type(value: int, suffix: str, decimal: bool) -> IntType:
    """The first type of C11 6.4.4.1's list that can hold the value."""
    least = _SUFFIXES[suffix] if suffix else INT
    for t in _ORDER:
        if t.rank < least.rank or value > t.hi:
            continue
        if not least.signed and t.signed:
            continue
        if least.signed and decimal and not t.signed:
            continue
        return t
    return ULLONG


def _magnitude(ctx: Context) -> int:
    match ctx.weighted([(6, "tiny"), (4, "small"), (2, "edge"), (1, "word"), (1, "wide")]):
        case "tiny":
            return ctx.dice.randrange(0, 12)
        case "small":
            return ctx.dice.randrange(0, 1000)
        case "edge":
            return max(0, (1 << ctx.pick([7, 8, 15, 16, 31, 32, 63])) + ctx.dice.randrange(-1, 2))
        case "word":
            return ctx.dice.getrandbits(32)
        case _:
            return ctx.dice.getrandbits(63)


STRINGS: Final = ("abc", "x", "state", "A\\nB", "hello world", "q\\0z", "\\x41\\101", "tab\\t")


def string_length(text: str) -> int:
    """How many characters the string literal holds, without its terminator."""
    return len(text.encode().decode("unicode_escape"))
