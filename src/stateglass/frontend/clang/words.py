"""Reads what lies behind libclang's cursors: clang's own objects, in words of eight bytes."""

from __future__ import annotations

import ctypes
from typing import Final

WORD: Final = 8
_CLASS_BITS: Final = 0x1FF


def word(address: int, number: int = 0) -> int:
    """One of the words that begin at an address, counted from 0."""
    return int.from_bytes(ctypes.string_at(address + WORD * number, WORD), "little")


def words(address: int, first: int, count: int) -> list[int]:
    """Some of the words that begin at an address."""
    return [word(address, number) for number in range(first, first + count)]


def class_number(address: int) -> int:
    """What kind of statement or expression lies at an address, as a number of this libclang's."""
    return word(address) & _CLASS_BITS
