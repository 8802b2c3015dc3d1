"""The identifiers of a specification: readable, and no two for different things."""

from __future__ import annotations

import re
from enum import Enum, unique
from typing import Final, final

_OTHER: Final = re.compile(r"[^A-Za-z0-9]+")


@final
@unique
class Sort(Enum):
    """What identifiers are of: the sort that they belong to, and what they begin with."""

    VARIABLE = ("ID_x", "x_")
    BODY = ("Body", "c_")
    FUNCTION = ("ID_f", "f_")
    MEMBER = ("ID_m", "m_")
    PROCESS = ("ID_p", "p_")
    ENUMERATOR = ("ID_e", "e_")
    ENUMERATION = ("ID_n", "n_")
    EXCEPTION = ("ID_t", "t_")
    EVENT = ("ID_v", "v_")

    @property
    def sort(self) -> str:
        return self.value[0]

    @property
    def prefix(self) -> str:
        return self.value[1]


@final
class Names:
    """Identifiers for names of the program, in the order in which they are first asked for."""

    def __init__(self) -> None:
        self._known: dict[tuple[Sort, str], str] = {}
        self._used: set[str] = set()

    def of(self, sort: Sort, text: str) -> str:
        """The identifier for a name; everything but letters and digits of ASCII becomes `_`."""
        known = self._known.get((sort, text))
        if known is not None:
            return known
        plain = sort.prefix + (_OTHER.sub("_", text).strip("_") or "nameless")
        name, number = plain, 1
        while name in self._used:
            number += 1
            name = f"{plain}_{number}"
        self._used.add(name)
        self._known[sort, text] = name
        return name

    def all(self, sort: Sort) -> list[tuple[str, str]]:
        """The identifiers of a sort, each with the name that it stands for."""
        return [(name, text) for (of, text), name in self._known.items() if of is sort]
