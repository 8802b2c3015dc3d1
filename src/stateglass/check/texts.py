"""Whether a value may be written as a claim has it: one that no state can show is a mistake, not a silent false."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property
from typing import Final, assert_never, final

from stateglass.check.names import Names
from stateglass.logic.vocabulary import OddText
from stateglass.model import Model, Proposition, Sort
from stateglass.source import close_match, suggestion
from stateglass.values.abstract.texts import Symbols, meaning

_UNDEFINED: Final = "?"
_NULL: Final = "null"
_DISTANCE: Final = re.compile(r"[+-]\d+$")
_ADDRESS: Final = re.compile(r"address \d+")
_PART: Final = re.compile(r"[.\[]")


@final
class Texts:
    """The texts that values of a model have or may have.

    `places` are what else pointers may lead to: functions by name, variables with `&` before it.
    """

    def __init__(self, model: Model, places: Collection[str] = ()) -> None:
        self._model = model
        self._names = Names(model)
        self._others = places

    def odd(self, name: str, text: str) -> OddText | None:
        """What to say about a text that a claim compares a proposition with and that no value has; None if one may."""
        own = self._names.proposition(name)
        if own is None or text == _UNDEFINED or any(text == shown for _, shown in own.names):
            return None
        if self._names.is_vague(name):
            return self._odd_set(own, text)
        match own.sort:
            case Sort.BOOL:
                return None if text in ("true", "false") else OddText("it is written `true` or `false`")
            case Sort.FLOAT:
                return _odd_number(text, _float_text(text), "a floating-point number")
            case Sort.INT:
                return _odd_number(text, _integer_text(text, own), "a whole number")
            case Sort.ENUM:
                number = _integer_text(text, own)
                return None if text == number else OddText(_written(number) or self._those_of(own, text))
            case Sort.POINTER:
                known = text == _NULL or _ADDRESS.fullmatch(text) or self._is_place(text)
                return None if known else OddText(self._those_of(own, text), may_come=True)
            case _:
                assert_never(own.sort)

    def _odd_set(self, own: Proposition, text: str) -> OddText | None:
        """As `odd`, for abstract values: any set of numbers may be asked for, but names must be known."""
        asked = meaning(text)
        if not isinstance(asked, Symbols):
            return None
        unknown = [name for name in asked.names if name not in self._names.known and not self._is_place(name)]
        return OddText(self._those_of(own, text), may_come=True) if unknown else None

    def _is_place(self, text: str) -> bool:
        start = _DISTANCE.sub("", text) if text not in self._places else text
        # Variables that states do not show have parts that are not known here.
        whole = _PART.split(start)[0]
        return start in self._places or (whole in self._others and whole not in self._places)

    @cached_property
    def _places(self) -> frozenset[str]:
        """Functions, and addresses as states write them: an array or a record is called by what begins there."""
        found: set[str] = {other for other in self._others if not other.startswith("&")}
        for own in self._model.propositions:
            whole = f"&{_whole(own.name)}"
            found.add(f"&{own.name}" if whole in found else whole)
        return frozenset(found)

    def _those_of(self, own: Proposition, text: str) -> str:
        shown = [name for _, name in own.names]
        if text.startswith("&") and self._names.proposition(text[1:]) is not None:
            return _written(f"&{_whole(text[1:])}")
        places = self._places if own.sort is Sort.POINTER else ()
        return close_match(text, shown) or close_match(text, places) or suggestion(text, shown)


def _whole(name: str) -> str:
    """The variable that a proposition is a part of; the name of a file has a dot of its own."""
    before, at, file = name.partition("@")
    if not at:
        return _PART.split(name)[0]
    return before + at + ".".join(file.partition("[")[0].split(".")[:2])


def _odd_number(text: str, written: str, kind: str) -> OddText | None:
    return None if text == written else OddText(_written(written) or f"its values are written as {kind}")


def _written(text: str) -> str:
    return f"it is written `{text}`" if text else ""


def _float_text(text: str) -> str:
    try:
        return repr(float(text))
    except ValueError:
        return ""


def _integer_text(text: str, own: Proposition) -> str:
    """How a whole number is shown; nothing if the text is none."""
    try:
        number = int(text, 0)
    except ValueError:
        return ""
    return dict(own.names).get(number, str(number))
