"""What the environment offers where it may choose anything: the values that whoever follows a run asks for.

Exact runs cannot try all values of a type. Whoever follows a run knows which ones it has: from its actions, or because
a solver has found them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, final

from stateglass.model import parsed
from stateglass.program import Bool, Enum, Enumeration, Float, Pointer, Scalar, representation
from stateglass.program.floats import encode, from_python
from stateglass.system import Choice
from stateglass.values.abstract import TOP

Asked = Callable[[Choice, int | None], tuple[int, ...] | None]
"""The values that are asked for, of a choice that is shown as the argument with this number of an action (None: that is
not known); None: all."""
SOME: Final = (0,)
"""Of anything, one value is as good as another for those who only want to know whether something can happen."""


@final
class Offers:
    """The values of choices, as whoever steers wants them."""

    def __init__(self, is_exact: bool) -> None:
        self._is_exact = is_exact
        self.asked: Asked | None = None  # None: nobody steers
        self.guessed = False  # one value stood for all of them since somebody last set this

    def values(self, choice: Choice, position: int | None = None) -> tuple[Any, ...]:
        if self.asked is None:
            assert not (choice.anything and self._is_exact), f"nobody can try all values of `{choice.name}`"
            return (TOP,) if choice.anything else choice.values
        found = self.asked(choice, position)
        if choice.anything:
            self.guessed = self.guessed or found is None
            return SOME if found is None else found
        return choice.values if found is None else tuple(v for v in found if v in choice.values)


def shown_in(action: str, enums: Mapping[str, Enumeration]) -> Asked:
    """Asks for the values that the text of an action has."""
    arguments = parsed(action).arguments

    def asked(choice: Choice, position: int | None) -> tuple[int, ...] | None:
        if position is None and not choice.anything:
            return None
        texts = arguments if position is None else arguments[position : position + 1]
        found = (_read(text, choice.type, enums) for text in texts)
        values = tuple(dict.fromkeys(value for value in found if value is not None))
        if choice.anything:
            return values
        # What text does not tell exactly may still be one of few values.
        return tuple(value for value in values if value in choice.values) or None

    return asked


def _read(text: str, type: Scalar, enums: Mapping[str, Enumeration]) -> int | None:
    """The value of a type that is written so; None if that is none of its values."""
    if text.startswith("&"):
        text = text.partition("=")[2]  # what is behind a pointer
    try:
        match type:
            case Bool():
                return {"true": 1, "false": 0}.get(text)
            case Float(format=format):
                number = float(text)
                if number - number != 0:  # there is no such fraction
                    return from_python(number, format)
                return encode(int(text.startswith("-")), abs(Fraction(text)), format)
            case Pointer():
                return 0 if text == "null" else None
            case Enum(name=name) if name in enums and text in (names := dict(enums[name].members)):
                return names[text]
            case _:
                value = int(text)
    except ValueError:
        return None
    whole = representation(type)
    return value if whole.low <= value <= whole.high else None
