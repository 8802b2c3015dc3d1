"""Rows of bits as numbers, and division as C has it."""

from __future__ import annotations


def ones(width: int) -> int:
    return (1 << width) - 1


def signed(value: int, width: int) -> int:
    """A row of bits read as a number in two's complement."""
    return value - (1 << width) if width and value >> (width - 1) else value


def quotient(a: int, b: int) -> int:
    """Rounded towards zero, as in C."""
    return -(-a // b) if (a < 0) != (b < 0) else a // b
