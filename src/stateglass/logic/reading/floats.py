"""Constants of floating-point numbers, rounded once, as C does it."""

from __future__ import annotations

import struct
from fractions import Fraction
from math import inf, nextafter


def double(digits: str) -> float:
    """The double that is nearest to a number in C's notation, without a suffix."""
    return float.fromhex(digits) if _is_hexadecimal(digits) else float(digits)


def single(digits: str) -> float:
    """The float that is nearest; too large a number is an `OverflowError`."""
    value = double(digits)
    above, below = _rounded(nextafter(value, inf)), _rounded(nextafter(value, -inf))
    if above == below:
        return _rounded(value)
    # The double lies between two floats: which one is nearer to the number itself has been rounded away.
    exact = _exact(digits)
    return above if exact > value else below if exact < value else _rounded(value)


def _rounded(value: float) -> float:
    found: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return found


def _is_hexadecimal(digits: str) -> bool:
    return digits[:2] in ("0x", "0X")


def _exact(digits: str) -> Fraction:
    if not _is_hexadecimal(digits):
        return Fraction(digits)
    mantissa, _, exponent = digits[2:].lower().partition("p")
    whole, _, part = mantissa.partition(".")
    return Fraction(int(whole + part, 16)) * Fraction(2) ** (int(exponent) - 4 * len(part))
