"""Checked access to decoded JSON: every problem names the path to the value, none stops the search for more."""

from __future__ import annotations

from typing import Any, final

from stateglass.formats.problems import Problems
from stateglass.source import Code, suggestion

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a Boolean",
    int: "an integer",
    float: "a number",
    type(None): "null",
}


@final
class Fields:
    """Takes values of the right kind out of JSON; where they are not, notes the problem and gives a stand-in."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def wrong(self, path: str, message: str, help: str = "") -> None:
        self.problems.add(f"{path}: {message}", help=help, code=Code.MODEL)

    def object(self, value: Any, path: str, known: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._unexpected(value, path, "an object")
            return {}
        for key in value:
            if key not in known:
                self.wrong(f"{path}.{_short(key)}", "unknown key", suggestion(key[:80], known))
        return value

    def array(self, value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            self._unexpected(value, path, "an array")
            return []
        return value

    def text(self, value: Any, path: str, *, empty: bool = True) -> str:
        if not isinstance(value, str):
            self._unexpected(value, path, "a string")
            return ""
        text: str = value
        if not text and not empty:
            self.wrong(path, "is empty")
        return text

    def texts(self, value: Any, path: str, *, empty: bool = True) -> tuple[str, ...]:
        items = enumerate(self.array(value, path))
        return tuple(self.text(item, f"{path}[{i}]", empty=empty) for i, item in items)

    def integer(self, value: Any, path: str, least: int, most: int) -> int:
        """An integer from `least` to `most`, both included."""
        if not isinstance(value, int) or isinstance(value, bool):
            self._unexpected(value, path, "an integer")
        elif not least <= value <= most:
            self.wrong(path, f"{_short(value)} is not in {least} … {most}")
        else:
            return value
        return least

    def choice(self, value: Any, path: str, known: tuple[str, ...]) -> str:
        if isinstance(value, str) and value in known:
            return value
        shown = f"`{_short(value)}`" if isinstance(value, str) else _kind(value)
        self.wrong(path, f"{shown} is not one of {', '.join(known)}")
        return known[0]

    def _unexpected(self, value: Any, path: str, expected: str) -> None:
        if value is None:
            self.wrong(path, f"is missing; expected {expected}")
        else:
            self.wrong(path, f"expected {expected}, found {_kind(value)}")


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "something else")


def _short(value: int | str) -> str:
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else "a number of more than 20 digits"
    return value if len(value) <= 40 else value[:40] + "…"
