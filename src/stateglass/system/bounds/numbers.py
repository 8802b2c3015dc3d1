"""What a bound means for a floating-point input: the bit patterns of the numbers it takes."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from stateglass.program.floats import encode
from stateglass.program.types import Float
from stateglass.source import Code, input_error
from stateglass.system.bounds.spec import BoundSpec, Range, Union, Values

MOST_NUMBERS: Final = 65536


def resolve_float(spec: BoundSpec, type: Float, name: str) -> tuple[int, ...]:
    """The distinct numbers in ascending order, each rounded to the type."""
    parts = spec.parts if isinstance(spec, Union) else (spec,)
    numbers: set[Fraction] = set()
    for part in parts:
        match part:
            case Range(low, high, step):
                numbers.update(_range(Fraction(low), Fraction(high), Fraction(step), name))
            case Values(values):
                numbers.update(Fraction(v) for v in values)
            case _:
                message = f"`{part}` is no bound for `{name}`, which is `{type}`"
                raise input_error(Code.BOUND, message, help="a bound for it is `0..1 step 0.25` or `{0.5, 2}`")
    rounded = dict.fromkeys(encode(int(n < 0), abs(n), type.format) for n in sorted(numbers))
    return tuple(rounded)


def _range(low: Fraction, high: Fraction, step: Fraction, name: str) -> list[Fraction]:
    count = int((high - low) / step) + 1
    if count > MOST_NUMBERS:
        message = f"the bound of `{name}` has {count:,} values; the limit is {MOST_NUMBERS:,}"
        raise input_error(Code.BOUND, message, help="give a larger step: `0..1 step 0.25`")
    return [low + i * step for i in range(count)]
