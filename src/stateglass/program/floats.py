"""IEEE 754 numbers as bit patterns: decoding, and encoding with correct rounding, for every format C has.

A finite number is (sign, mantissa, exponent) with the value mantissa * 2**exponent; infinities and NaNs are dealt with
before. Values in between are exact fractions, rounded once: slow, but right for formats that this machine does not
have.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final


@final
@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary format; `digits` counts the bits of the significand, the leading one included."""

    digits: int
    exponent_bits: int
    leading_bit_stored: bool = False  # the x87 extended format

    @property
    def fraction_bits(self) -> int:
        return self.digits if self.leading_bit_stored else self.digits - 1

    @property
    def width(self) -> int:
        return 1 + self.exponent_bits + self.fraction_bits

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def infinity(self) -> int:
        leading = 1 << (self.fraction_bits - 1) if self.leading_bit_stored else 0
        return ((1 << self.exponent_bits) - 1) << self.fraction_bits | leading

    @property
    def smallest_normal(self) -> int:
        leading = 1 << (self.fraction_bits - 1) if self.leading_bit_stored else 0
        return 1 << self.fraction_bits | leading

    @property
    def sign_bit(self) -> int:
        return 1 << (self.width - 1)

    @property
    def quiet_bit(self) -> int:
        return 1 << (self.digits - 2)

    @property
    def default_nan(self) -> int:
        """What x86 gives for an invalid operation."""
        return self.sign_bit | self.infinity | self.quiet_bit


FORMATS = {
    11: FloatFormat(11, 5),
    24: FloatFormat(24, 8),
    53: FloatFormat(53, 11),
    64: FloatFormat(64, 15, leading_bit_stored=True),
    113: FloatFormat(113, 15),
}


def is_nan(bits: int, format: FloatFormat) -> bool:
    return bits & ~format.sign_bit & ((1 << format.width) - 1) > format.infinity


def is_infinite(bits: int, format: FloatFormat) -> bool:
    return bits & ~format.sign_bit == format.infinity


def decode(bits: int, format: FloatFormat) -> tuple[int, int, int]:
    """Sign (0 or 1), mantissa and exponent of a finite number."""
    sign = bits >> (format.width - 1) & 1
    exponent = bits >> format.fraction_bits & ((1 << format.exponent_bits) - 1)
    mantissa = bits & ((1 << format.fraction_bits) - 1)
    if exponent and not format.leading_bit_stored:
        mantissa |= 1 << format.fraction_bits
    return sign, mantissa, max(exponent, 1) - format.bias - (format.digits - 1)


def exact(bits: int, format: FloatFormat) -> Fraction:
    """The value of a finite number."""
    sign, mantissa, exponent = decode(bits, format)
    value = Fraction(mantissa) * Fraction(2) ** exponent
    return -value if sign else value


def encode(sign: int, value: Fraction, format: FloatFormat) -> int:
    """The bits of the number nearest to a non-negative value with a sign, ties to even."""
    if value == 0:
        return sign * format.sign_bit
    # The exponent of the last place, first as an estimate by the lengths of both numbers, which is off by one at most.
    # Below the least normal number it stays where it is, and the mantissa has fewer digits.
    length = value.numerator.bit_length() - value.denominator.bit_length()
    last = max(length - format.digits, 1 - format.bias - (format.digits - 1))
    while value >= Fraction(2) ** (last + format.digits):
        last += 1
    mantissa = _nearest(value / Fraction(2) ** last)
    least = 1 - format.bias - (format.digits - 1)
    while mantissa.bit_length() < format.digits and last > least:
        last -= 1
        mantissa = _nearest(value / Fraction(2) ** last)
    if mantissa.bit_length() > format.digits:
        # Rounding up has carried into one more digit; all others are 0 then.
        mantissa, last = mantissa >> 1, last + 1
    exponent = last + format.bias + format.digits - 1
    if exponent >= (1 << format.exponent_bits) - 1:
        return sign * format.sign_bit | format.infinity
    if mantissa.bit_length() < format.digits:
        exponent = 0  # subnormal
    if not format.leading_bit_stored:
        mantissa &= (1 << format.fraction_bits) - 1
    return sign * format.sign_bit | exponent << format.fraction_bits | mantissa


def _nearest(value: Fraction) -> int:
    return round(value)  # Python rounds halves to even


def convert_float(bits: int, source: FloatFormat, target: FloatFormat) -> int:
    """A number of one format in another."""
    if source == target:
        return bits
    sign = bits >> (source.width - 1) & 1
    if is_infinite(bits, source):
        return sign * target.sign_bit | target.infinity
    if is_nan(bits, source):
        payload = bits & ((1 << (source.digits - 1)) - 1)
        shift = target.digits - source.digits
        payload = payload << shift if shift >= 0 else payload >> -shift
        return sign * target.sign_bit | target.infinity | target.quiet_bit | payload
    return encode(sign, abs(exact(bits, source)), target)


def from_int(value: int, format: FloatFormat) -> int:
    return encode(int(value < 0), Fraction(abs(value)), format)


def from_python(value: float, format: FloatFormat) -> int:
    """A Python float, which is a double, in a format."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return convert_float(bits, FORMATS[53], format)


def to_python(bits: int, format: FloatFormat) -> float:
    """The nearest double."""
    wide = convert_float(bits, format, FORMATS[53])
    (value,) = struct.unpack("<d", struct.pack("<Q", wide))
    return float(value)


@lru_cache(maxsize=1024)
def float_text(bits: int, format: FloatFormat) -> str:
    """The shortest decimal that reads back as the same number."""
    if is_nan(bits, format):
        return "nan"
    if is_infinite(bits, format):
        return "-inf" if bits & format.sign_bit else "inf"
    if format.digits == 53:
        return repr(to_python(bits, format))
    value = exact(bits, format)
    sign = "-" if bits & format.sign_bit else ""
    for digits in range(1, 40):
        text = _scientific(abs(value), digits)
        if encode(int(bool(sign)), Fraction(text), format) == bits:
            return sign + _plain(text)
    return sign + str(float(value))


def _scientific(value: Fraction, digits: int) -> str:
    if value == 0:
        return "0e0"
    # About the power of ten: Python refuses to write numbers as long as the denominators of `long double` get.
    power = round((value.numerator.bit_length() - value.denominator.bit_length()) * math.log10(2))
    while value >= Fraction(10) ** (power + 1):
        power += 1
    while value < Fraction(10) ** power:
        power -= 1
    scaled = round(value / Fraction(10) ** (power - digits + 1))
    return f"{scaled}e{power - digits + 1}"


def _plain(text: str) -> str:
    """`15e-1` as Python writes such numbers: `1.5`."""
    digits, power = text.split("e")
    point = len(digits) + int(power)
    digits = digits.rstrip("0") or "0"
    if digits == "0":
        return "0.0"
    if -4 < point <= 16:
        if point <= 0:
            return "0." + "0" * -point + digits
        if point >= len(digits):
            return digits + "0" * (point - len(digits)) + ".0"
        return digits[:point] + "." + digits[point:]
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{'-' if point < 1 else '+'}{abs(point - 1):02}"
