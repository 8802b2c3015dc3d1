"""Whether a value of a log may be one of those that an argument in the label of an abstraction stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.replay.arguments import number
from stateglass.values.abstract import texts

_WIDTHS: Final = (1 << 32, 1 << 64)


def may_be_logged(text: str, value: str, *, either_sign: bool = False) -> bool:
    """With `either_sign` the same bits may be written with a sign or without."""
    return texts.may_be_one_of(text, value, _with_either_sign if either_sign else _numbers)


def _numbers(value: str) -> Sequence[int]:
    found = number(value)
    return () if found is None else (found,)


def _with_either_sign(value: str) -> Sequence[int]:
    found = number(value)
    if found is None:
        return ()
    same = [found]
    for width in _WIDTHS:
        same += [found - width] if width // 2 <= found < width else [found + width] if -width // 2 <= found < 0 else []
    return same
