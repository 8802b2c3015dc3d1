"""The run as tables of C: items, and the values, arguments and writes that they point to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol, final

from stateglass.program import representation
from stateglass.replay.driving.cplusplus import result_name
from stateglass.replay.driving.script import (
    Calls,
    CallsOut,
    Changes,
    ComesBack,
    Ends,
    Fails,
    Happening,
    Item,
    Number,
    Reads,
    Returns,
    Sets,
    Throws,
    Value,
    Written,
)
from stateglass.replay.driving.spelling import constant, quoted, refused
from stateglass.replay.driving.targets import Targets

_KINDS: Final = {
    Sets: "SG_SETS",
    Calls: "SG_CALLS",
    Returns: "SG_RETURNS",
    Throws: "SG_THROWS",
    CallsOut: "SG_CALLS_OUT",
    ComesBack: "SG_COMES_BACK",
    Reads: "SG_READS",
    Changes: "SG_CHANGES",
    Ends: "SG_ENDS",
    Fails: "SG_FAILS",
}


class Numbers(Protocol):
    """What things are numbered as in a driver."""

    targets: Targets

    def getter(self, name: str) -> int | None: ...

    def which(self, what: Happening) -> int: ...

    def exception(self, type: str) -> int: ...


@final
class Tables:
    """The rows that items point into."""

    def __init__(self, driver: Numbers) -> None:
        self._driver = driver
        self.values: list[str] = []
        self.arguments: list[str] = []
        self.writes: list[str] = []

    def item(self, item: Item) -> str:
        what = item.what
        starts = len(self.arguments), len(self.values), len(self.writes)
        value, handed, thrown = "0, SG_NUMBER, 0", -2, ""
        match what:
            case CallsOut(_, arguments):
                self.arguments += [self._argument(a) for a in arguments]
            case ComesBack(_, number, from_argument, written, thrown):
                value = _given(number) if number is not None else value
                handed = -2 if from_argument is None else from_argument
                self.writes += [self._written(w) for w in written]
            case Returns(_, returned):
                value = f"1, {self._driver.targets.compared(returned)}" if returned is not None else value
            case Reads(_, number):
                value = _given(number)
            case Ends(status):
                value = f"1, SG_NUMBER, {status & ((1 << 64) - 1)}ULL"
            case Throws(_, thrown):
                pass
            case Sets() | Calls() | Changes() | Fails():
                pass
        for name, seen in values_at(item):
            getter = self._driver.getter(name)
            if getter is not None:
                self.values.append(f"{{ {getter}, {self._driver.targets.compared(seen)} }}")
        ranges = ", ".join(
            f"{start}, {len(rows) - start}"
            for start, rows in zip(starts, (self.arguments, self.values, self.writes), strict=True)
        )
        head = f"{_KINDS[type(what)]}, {self._driver.which(what)}, {item.step}, {quoted(item.text)}"
        return f"{{ {head}, {value}, {handed}, {self._driver.exception(thrown)}, {ranges} }}"

    def _argument(self, value: Value | None) -> str:
        return "{ 0, SG_NUMBER, 0 }" if value is None else f"{{ 1, {self._driver.targets.compared(value)} }}"

    @staticmethod
    def _written(written: Written) -> str:
        bits = representation(written.number.type).bits
        if written.position % 8 or bits not in (8, 16, 32, 64):
            raise refused("a function outside writes into the middle of a byte")
        return f"{{ {written.argument}, {written.position // 8}, {bits // 8}, {constant(written.number)} }}"


def values_at(item: Item) -> Iterator[tuple[str, Value]]:
    """What is seen at the moment of an item; the scalars of an object that is returned are there then, too."""
    yield from item.values
    if isinstance(item.what, Returns):
        yield from ((result_name(item.what.function, path), value) for path, value in item.what.parts)


def _given(number: Number) -> str:
    return f"1, SG_NUMBER, {constant(number)}"


def table(type: str, name: str, rows: Sequence[str], none: str) -> list[str]:
    return [f"const {type} {name}[] = {{", *(f"    {row}," for row in rows or [none]), "};"]
