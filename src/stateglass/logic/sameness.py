"""Whether two formulas are the same, however deep they are."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from stateglass.source import Span


def same(one: object, other: object) -> bool:
    """Whether the formulas have the same structure. Where they stand in a text does not count; linear in print."""
    work = [(one, other)]
    while work:
        a, b = work.pop()
        if a is b or isinstance(a, Span):
            continue
        if type(a) is not type(b):
            return False
        if isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            work += zip(a, b, strict=True)
        elif is_dataclass(a):
            work += ((getattr(a, field.name), getattr(b, field.name)) for field in fields(a))
        elif a != b and not (a != a and b != b):  # not-a-number is the same constant
            return False
    return True
