"""Which values an operator can give when its operands lie in known ranges, and when it may be undefined."""

from typing import NamedTuple

from tests.generator.types import IntType

ARITHMETIC = ("+", "-", "*", "/", "%")
BITWISE = ("&", "|", "^")
SHIFTS = ("<<", ">>")
RELATIONAL = ("<", ">", "<=", ">=", "==", "!=")


class Range(NamedTuple):
    """All integers from lo to hi."""

    lo: int
    hi: int

    def within(self, other: "Range") -> bool:
        return other.lo <= self.lo and self.hi <= other.hi

    def contains(self, value: int) -> bool:
        return self.lo <= value <= self.hi


def full(t: IntType) -> Range:
    return Range(t.lo, t.hi)


def wrap(value: int, t: IntType) -> int:
    if t.is_bool:
        return int(value != 0)
    value &= (1 << t.width) - 1
    return value - (1 << t.width) if value > t.hi else value


def converted(r: Range, t: IntType) -> Range:
    if r.lo == r.hi:
        value = wrap(r.lo, t)
        return Range(value, value)
    return r if r.within(full(t)) else full(t)


def result(op: str, a: Range, b: Range, t: IntType, nonzero: bool) -> Range | None:
    """Values of `a op b` computed in type `t`, both already converted to it; None if it may be undefined.

    `nonzero` promises that no value of `b` is zero, which a range alone cannot say.
    """
    match op:
        case "+":
            return _fitted(Range(a.lo + b.lo, a.hi + b.hi), t)
        case "-":
            return _fitted(Range(a.lo - b.hi, a.hi - b.lo), t)
        case "*":
            corners = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
            return _fitted(Range(min(corners), max(corners)), t)
        case "/" | "%":
            if not nonzero or (t.signed and a.lo == t.lo and b.contains(-1)):
                return None
            return _quotient(a, t) if op == "/" else _remainder(a, b)
        case "<<":
            if not b.within(Range(0, t.width - 1)) or (t.signed and a.lo < 0):
                return None
            return _fitted(Range(min(a.lo << b.lo, a.lo << b.hi), a.hi << b.hi), t)
        case ">>":
            if not b.within(Range(0, t.width - 1)):
                return None
            return Range(min(a.lo >> b.lo, a.lo >> b.hi), max(a.hi >> b.lo, a.hi >> b.hi))
        case "&" | "|" | "^":
            return _bitwise(op, a, b)
        case _:
            return Range(0, 1)


def _fitted(r: Range, t: IntType) -> Range | None:
    if r.within(full(t)):
        return r
    return None if t.signed else converted(r, t)


def _quotient(a: Range, t: IntType) -> Range:
    largest = max(abs(a.lo), abs(a.hi))
    return Range(max(-largest, t.lo), min(largest, t.hi))


def _remainder(a: Range, b: Range) -> Range:
    largest = min(max(abs(a.lo), abs(a.hi)), max(abs(b.lo), abs(b.hi)) - 1)
    return Range(-largest if a.lo < 0 else 0, largest if a.hi > 0 else 0)


def _bitwise(op: str, a: Range, b: Range) -> Range:
    bits = max(a.hi.bit_length(), b.hi.bit_length(), (~a.lo).bit_length(), (~b.lo).bit_length())
    if a.lo >= 0 and b.lo >= 0:
        bits = max(a.hi.bit_length(), b.hi.bit_length())
        return Range(0, min(a.hi, b.hi) if op == "&" else (1 << bits) - 1)
    if op == "&" and (a.lo >= 0 or b.lo >= 0):
        return Range(0, a.hi if a.lo >= 0 else b.hi)
    return Range(-(1 << bits), (1 << bits) - 1)
