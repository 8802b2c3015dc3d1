"""Floating-point numbers as text, whatever their format."""

from __future__ import annotations

from fractions import Fraction

import pytest

from stateglass.program.floats import FORMATS, encode, float_text


@pytest.mark.parametrize("digits", FORMATS)
def test_the_text_of_the_smallest_and_of_the_largest_number_reads_back(digits: int) -> None:
    format = FORMATS[digits]
    largest = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** ((1 << (format.exponent_bits - 1)) - 1)
    for bits in (1, encode(0, Fraction(1), format) + 1, encode(0, largest, format)):
        assert encode(0, Fraction(float_text(bits, format)), format) == bits
