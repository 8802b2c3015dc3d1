"""Lowers the functions that gcc has built in: counting bits, checked arithmetic, questions about numbers, hints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, final

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.program import (
    AddressOf,
    Aggregate,
    Assign,
    Binary,
    BinaryOperator,
    Compare,
    Comparison,
    Constant,
    Dereference,
    Expression,
    Fail,
    Float,
    Int,
    Load,
    Place,
    Pointer,
    PointerAdd,
    Unary,
    UnaryOperator,
    is_scalar,
    representation,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

# What their first argument is; the others say how likely or how well aligned it is.
SAME: Final = {"expect", "expect_with_probability", "assume_aligned", "speculation_safe_value"}
HINTS: Final = {"prefetch", "__clear_cache", "ia32_pause"}
FENCES: Final = {"__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence"}
COUNTING: Final = re.compile(r"(clz|ctz|popcount|parity|clrsb)(l|ll)?")
SWAPPING: Final = re.compile(r"bswap(16|32|64)")
CHECKED: Final = re.compile(r"[su]?(add|sub|mul)(l|ll)?_overflow(_p)?")
SYNC: Final = re.compile(r"__sync_(\w+?)(_(1|2|4|8|16))?")
OPERATORS: Final = {
    "add": BinaryOperator.ADD,
    "sub": BinaryOperator.SUBTRACT,
    "mul": BinaryOperator.MULTIPLY,
    "or": BinaryOperator.OR,
    "and": BinaryOperator.AND,
    "xor": BinaryOperator.XOR,
    "nand": BinaryOperator.AND,
}
ORDERED: Final = {
    "isgreater": Comparison.GREATER,
    "isgreaterequal": Comparison.GREATER_EQUAL,
    "isless": Comparison.LESS,
    "islessequal": Comparison.LESS_EQUAL,
}
ABOUT_NUMBERS: Final = {"isnan", "isinf", "isinf_sign", "isfinite", "isnormal", "signbit", "fpclassify"}
ABOUT_TWO: Final = {*ORDERED, "isunordered", "islessgreater"}


@final
class Builtins:
    """Lowers the built-in functions in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._int = expressions.int_type

    def knows(self, name: str) -> bool:
        if SYNC.fullmatch(name) or name in FENCES:
            return True
        plain = name.removeprefix("__builtin_")
        if plain == name:
            return False
        # `signbitf` and `isnanf` are `signbit` and `isnan`: their arguments have their types.
        about = plain in ABOUT_NUMBERS or plain in ABOUT_TWO or plain.rstrip("fl") in ("signbit", "isnan", "isinf")
        patterns = (COUNTING, SWAPPING, CHECKED)
        simple = plain in SAME or plain in HINTS or plain == "addressof"
        return about or simple or any(p.fullmatch(plain) for p in patterns)

    def lower(self, name: str, cursor: Cursor) -> Expression | None:
        """What a call of a built-in function gives; None if that is nothing."""
        span = span_of(cursor)
        if name == "__builtin_addressof":
            return self._lower.objects.address(self._lower.place(libclang.children(cursor)[1]), span)
        arguments = self._lower.calls.arguments(libclang.children(cursor)[1:], None)
        values = [a for a in arguments if not isinstance(a, Aggregate)]
        if len(values) != len(arguments):
            raise NotSupported(f"the function {name}", span)
        plain = name.removeprefix("__builtin_")
        if plain in HINTS or name in FENCES or name == "__sync_synchronize":
            return None
        if plain in SAME:
            return values[0]
        if plain in ABOUT_TWO:
            return self._about_two(plain, values[0], values[1], span)
        if plain == "fpclassify":
            return self._classified(values, span)
        if counting := COUNTING.fullmatch(plain):
            return self._counted(counting[1], values[0], span)
        if swapping := SWAPPING.fullmatch(plain):
            return self._swapped(values[0], int(swapping[1]), span)
        if checked := CHECKED.fullmatch(plain):
            alignment = self._lower.symbols.types.alignment_behind(libclang.children(cursor)[3].type)
            only_asked = checked[3] is not None
            return self._checked(OPERATORS[checked[1]], values, span, None if only_asked else alignment)
        if sync := SYNC.fullmatch(name):
            return self._synchronised(sync[1], values, cursor, span)
        return self._about_number(plain, values[0], span)

    # ---- small helpers: everything that is used twice is kept

    def _kept(self, value: Expression, span: Span) -> Expression:
        return value if isinstance(value, Constant) else self._builder.kept(value, span)

    def _two(self, operator: BinaryOperator, left: Expression, right: Expression | int, span: Span) -> Expression:
        type = left.type
        assert isinstance(type, Int | Float)
        if isinstance(right, int):
            right = Constant(right, type, span)
        return Binary(operator, left, right, type, span)

    def _shifted(self, value: Expression, by: int, span: Span) -> Expression:
        """A shift to the right, or by a negative amount to the left."""
        operator = BinaryOperator.SHIFT_RIGHT if by > 0 else BinaryOperator.SHIFT_LEFT
        return self._two(operator, value, abs(by), span) if by else value

    def _compare(self, operator: Comparison, left: Expression, right: Expression, span: Span) -> Expression:
        return Compare(operator, left, right, self._int, span)

    def _chosen(self, choices: list[tuple[Expression | None, Expression]], span: Span) -> Expression:
        """The value beside the first condition that holds; the last value has no condition."""
        result = self._builder.temporary(choices[0][1].type, span)
        after = self._builder.new_block()
        for condition, value in choices:
            next_one = self._builder.new_block()
            if condition is not None:
                then = self._builder.new_block()
                self._builder.branch(condition, then, next_one, span)
                self._builder.current = then
            self._builder.emit(Assign(result, value, span))
            self._builder.start(after, span)
            self._builder.current = next_one
        self._builder.current = after
        return Load(result, choices[0][1].type, span)

    # ---- bits

    def _counted(self, what: str, value: Expression, span: Span) -> Expression:
        plain = representation(value.type)
        type = Int(plain.bits, signed=False)
        bits = self._kept(convert(value, type, span), span)
        if what in ("clz", "ctz"):
            self._refuse_zero(bits, span)
        match what:
            case "ctz":
                lowest = self._two(BinaryOperator.AND, bits, self._negated(bits, span), span)
                result = self._ones(self._two(BinaryOperator.SUBTRACT, lowest, 1, span), span)
            case "clz":
                result = self._leading_zeros(bits, span)
            case "clrsb":
                signed = Int(type.bits, signed=True)
                sign = self._shifted(convert(bits, signed, span), type.bits - 1, span)
                different = self._two(BinaryOperator.XOR, bits, convert(sign, type, span), span)
                result = self._two(BinaryOperator.SUBTRACT, self._leading_zeros(different, span), 1, span)
            case "parity":
                result = self._two(BinaryOperator.AND, self._ones(bits, span), 1, span)
            case _:
                result = self._ones(bits, span)
        return convert(result, self._int, span)

    def _negated(self, value: Expression, span: Span) -> Expression:
        assert isinstance(value.type, Int)
        return Unary(UnaryOperator.NEGATE, value, value.type, span)

    def _leading_zeros(self, bits: Expression, span: Span) -> Expression:
        """The zeros before the highest one: those that are left when all bits below it are ones, too."""
        type = representation(bits.type)
        by = 1
        while by < type.bits:
            bits = self._kept(bits, span)
            bits = self._two(BinaryOperator.OR, bits, self._shifted(bits, by, span), span)
            by *= 2
        return self._two(BinaryOperator.SUBTRACT, Constant(type.bits, type, span), self._ones(bits, span), span)

    def _ones(self, bits: Expression, span: Span) -> Expression:
        """How many bits are ones: sums of neighbours, of pairs, and so on."""
        type = representation(bits.type)
        width = 1
        while width < type.bits:
            bits = self._kept(bits, span)
            mask = sum(((1 << width) - 1) << at for at in range(0, type.bits, 2 * width))
            low = self._two(BinaryOperator.AND, bits, mask, span)
            high = self._two(BinaryOperator.AND, self._shifted(bits, width, span), mask, span)
            bits = self._two(BinaryOperator.ADD, low, high, span)
            width *= 2
        return bits

    def _refuse_zero(self, bits: Expression, span: Span) -> None:
        """A check that ends the program if an operand is zero, for which these functions have no result."""
        going_on, failing = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(bits, going_on, failing, span)
        self._builder.current = failing
        self._builder.finish(Fail("unreachable", span))
        self._builder.current = going_on

    def _swapped(self, value: Expression, width: int, span: Span) -> Expression:
        type = Int(width, signed=False)
        bits = self._kept(convert(value, type, span), span)
        result: Expression = Constant(0, type, span)
        for at in range(0, width, 8):
            byte = self._two(BinaryOperator.AND, self._shifted(bits, at, span), 255, span)
            result = self._two(BinaryOperator.OR, result, self._shifted(byte, at + 8 - width, span), span)
        return result

    # ---- arithmetic

    def _checked(
        self, operator: BinaryOperator, values: list[Expression], span: Span, alignment: int | None
    ) -> Expression:
        """Whether a result, computed as if in unlimited width, changes when it is stored as what the pointer points to.

        Without an alignment nothing is stored: the third argument only has the type in question.
        """
        left, right, pointer = values
        only_asked = alignment is None
        target = pointer.type if only_asked else pointer.type.target if isinstance(pointer.type, Pointer) else None
        if target is None or not is_scalar(target) or isinstance(target, Float | Pointer):
            raise NotSupported("checked arithmetic on this type", span)
        wide = Int(2 * max(representation(v.type).bits for v in (left, right)) + 64, signed=True)
        exact = self._kept(Binary(operator, convert(left, wide, span), convert(right, wide, span), wide, span), span)
        stored = self._kept(convert(exact, target, span), span)
        if alignment is not None:
            self._builder.emit(Assign(Dereference(pointer, target, alignment, span), stored, span))
        return self._compare(Comparison.UNEQUAL, convert(stored, wide, span), exact, span)

    def _synchronised(self, what: str, values: list[Expression], cursor: Cursor, span: Span) -> Expression | None:
        """What other threads cannot interrupt; between two steps of ours there are none."""
        pointer = values[0]
        target = pointer.type.target if isinstance(pointer.type, Pointer) else None
        if target is None or not is_scalar(target):
            raise NotSupported(f"__sync_{what} on this type", span)
        place: Place = Dereference(pointer, target, 1, span)
        if what == "lock_release":
            self._builder.emit(Assign(place, Constant(0, target, span), span))
            return None
        old = self._kept(Load(place, target, span), span)
        given = convert(values[1], target, span)
        if what == "lock_test_and_set":
            self._builder.emit(Assign(place, given, span))
            return old
        if what.endswith("_compare_and_swap"):
            same = self._kept(self._compare(Comparison.EQUAL, old, given, span), span)
            new = self._chosen([(same, convert(values[2], target, span)), (None, old)], span)
            self._builder.emit(Assign(place, new, span))
            return convert(same, self._lower.scalar_type(cursor), span) if what.startswith("bool") else old
        name = what.removeprefix("fetch_and_").removesuffix("_and_fetch")
        if name not in OPERATORS or name == "mul" or isinstance(target, Float | Pointer):
            raise NotSupported(f"__sync_{what} on this type", span)
        type = Int(representation(target).bits, signed=False)
        new = self._two(OPERATORS[name], convert(old, type, span), convert(given, type, span), span)
        if name == "nand":
            assert isinstance(new.type, Int)
            new = Unary(UnaryOperator.COMPLEMENT, new, new.type, span)
        kept = self._kept(convert(new, target, span), span)
        self._builder.emit(Assign(place, kept, span))
        return old if what.startswith("fetch") else kept

    # ---- questions about floating-point numbers

    def _about_two(self, name: str, left: Expression, right: Expression, span: Span) -> Expression:
        type = max((v.type for v in (left, right) if isinstance(v.type, Float)), key=lambda t: t.digits)
        a, b = (self._kept(convert(v, type, span), span) for v in (left, right))
        if name in ORDERED:
            return self._compare(ORDERED[name], a, b, span)
        if name == "islessgreater":
            one, other = self._compare(Comparison.LESS, a, b, span), self._compare(Comparison.GREATER, a, b, span)
        else:
            one, other = self._compare(Comparison.UNEQUAL, a, a, span), self._compare(Comparison.UNEQUAL, b, b, span)
        return self._two(BinaryOperator.OR, one, other, span)

    def _about_number(self, name: str, value: Expression, span: Span) -> Expression:
        type = value.type
        if not isinstance(type, Float):
            raise NotSupported(f"the function __builtin_{name}", span)
        number = self._kept(value, span)
        nan = self._compare(Comparison.UNEQUAL, number, number, span)
        # x - x is 0 for numbers and NaN for infinities and NaNs.
        zero = self._two(BinaryOperator.SUBTRACT, number, number, span)
        finite = self._compare(Comparison.EQUAL, zero, zero, span)
        match name:
            case "isfinite":
                return finite
            case "isnormal":
                return self._two(BinaryOperator.AND, finite, self._is_large(number, type, span), span)
            case "isinf_sign":
                infinite = self._compare(Comparison.EQUAL, finite, nan, span)
                negative = self._compare(Comparison.LESS, number, Constant(0, type, span), span)
                sign = self._two(BinaryOperator.SUBTRACT, infinite, self._twice(negative, span), span)
                return self._two(BinaryOperator.MULTIPLY, infinite, sign, span)
            case _ if name.startswith("signbit"):
                return self._sign(number, type, span)
            case _ if name.startswith("isnan"):
                return nan
            case _:
                return self._compare(Comparison.EQUAL, finite, nan, span)

    def _twice(self, value: Expression, span: Span) -> Expression:
        return self._two(BinaryOperator.ADD, value, value, span)

    def _is_large(self, number: Expression, type: Float, span: Span) -> Expression:
        """Whether a number is not smaller than the smallest normal one, whatever its sign."""
        least = type.format.smallest_normal
        above = self._compare(Comparison.GREATER_EQUAL, number, Constant(least, type, span), span)
        below = self._compare(Comparison.LESS_EQUAL, number, Constant(least | type.format.sign_bit, type, span), span)
        return self._two(BinaryOperator.OR, above, below, span)

    def _sign(self, number: Expression, type: Float, span: Span) -> Expression:
        """The highest bit, which zeros and NaNs have as well."""
        kept = self._builder.temporary(type, span)
        self._builder.emit(Assign(kept, number, span))
        byte, size = Int(8, signed=False), self._lower.symbols.types.pointer_size
        start = AddressOf(kept, Pointer(byte, size), span)
        last = type.format.width // 8 - 1
        at = 0 if self._lower.symbols.big_endian else last
        wide = self._lower.symbols.ptrdiff_type
        address = PointerAdd(start, Constant(at, wide, span), 1, Pointer(byte, size), span) if at else start
        bits = convert(Load(Dereference(address, byte, 1, span), byte, span), self._int, span)
        # gcc gives the bit where it stands, not 1; C promises no more than that it is not zero.
        return self._shifted(bits, 7, span)

    def _classified(self, values: list[Expression], span: Span) -> Expression:
        nan, infinite, normal, subnormal, zero, value = values
        type = value.type
        if not isinstance(type, Float):
            raise NotSupported("fpclassify of this type", span)
        number = self._kept(value, span)
        difference = self._two(BinaryOperator.SUBTRACT, number, number, span)
        choices = [
            (self._compare(Comparison.UNEQUAL, number, number, span), nan),
            (self._compare(Comparison.UNEQUAL, difference, difference, span), infinite),
            (self._compare(Comparison.EQUAL, number, Constant(0, type, span), span), zero),
            (self._is_large(number, type, span), normal),
            (None, subnormal),
        ]
        return self._chosen([(c, convert(v, self._int, span)) for c, v in choices], span)
