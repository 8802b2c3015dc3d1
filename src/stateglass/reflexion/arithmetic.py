"""What C does to the types of integers in an expression: promotions, the usual conversions, literals and casts."""

from __future__ import annotations

from typing import Final, final

from stateglass.program import Int
from stateglass.smt import Term, Terms

INT: Final = Int(32, signed=True)
_LONGEST: Final = Int(64, signed=True)
_CASTS: Final = {
    (8, True): "signed char",
    (8, False): "unsigned char",
    (16, True): "short",
    (16, False): "unsigned short",
    (32, True): "int",
    (32, False): "unsigned",
    (64, True): "long long",
    (64, False): "unsigned long long",
}

Typed = tuple[Term, Int]


@final
class NoWords(Exception):
    """A term is too large, or nothing that C has an operator for."""


def cast_to(type: Int) -> str | None:
    """What a type is called in a cast; None if it has no name."""
    return _CASTS.get((type.bits, type.signed))


def promoted(terms: Terms, value: Term, type: Int) -> Typed:
    """A value after the integer promotions: what is narrower than `int` becomes one."""
    return (value, type) if type.bits >= INT.bits else (terms.resize(value, INT.bits, is_signed=type.signed), INT)


def common(terms: Terms, one: Typed, other: Typed) -> tuple[Term, Term, Int]:
    """Both operands in the type that C computes in."""
    (a, first), (b, second) = promoted(terms, *one), promoted(terms, *other)
    bits = max(first.bits, second.bits)
    # Of equally wide types the unsigned one counts; a wider one has room for both.
    signed = all(t.signed for t in (first, second) if t.bits == bits)
    type = Int(bits, signed)
    return terms.resize(a, bits, is_signed=first.signed), terms.resize(b, bits, is_signed=second.signed), type


def literal_type(number: int) -> Int:
    """The type of a decimal literal, with or without a sign; what only an unsigned type has gets a suffix."""
    for type in (INT, _LONGEST):
        if abs(number) <= type.high:
            return type
    return Int(64, signed=False)
