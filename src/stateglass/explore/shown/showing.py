"""Objects of the C++ library as people write them: texts in quotes, elements in braces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, final

from stateglass.program import Array, Bool, Pointer, Record, RecordLayout, Scalar, Type, is_scalar, size_of
from stateglass.program.names import is_made_up

MOST_SHOWN: Final = 64
"""So many elements are shown; what has more ends with `…`."""
_TEXTS: Final = ("std.basic_string<char>", "std.basic_string_view<char>")
_ROWS: Final = ("std.vector<", "std.initializer_list<")
_FLAGS: Final = "std.vector<bool>"
_PERHAPS: Final = "std.optional<"
_DEQUE: Final = "std.deque<"
_SETS: Final = tuple(f"std.{order}{several}set<" for order in ("", "unordered_") for several in ("", "multi"))
_MAPS: Final = tuple(f"std.{order}{several}map<" for order in ("", "unordered_") for several in ("", "multi"))
_CHAINS: Final = ("std.list<", *_SETS, *_MAPS)
_OWNERS: Final = ("std.unique_ptr<", "std.shared_ptr<")


def is_row(type: Type) -> bool:
    """Whether an object says where elements are, and how many, and nothing else: so it is passed as it is."""
    return isinstance(type, Record) and type.name.startswith(("std.basic_string_view<char>", "std.initializer_list<"))


def is_container(type: Type) -> bool:
    """Whether an object is a container that goes by its elements."""
    texts = _TEXTS[:1]
    return (
        isinstance(type, Record)
        and type.name.startswith((*texts, "std.vector<", _DEQUE, *_CHAINS))
        and (type.name != _FLAGS)
    )


def is_known(type: Type) -> bool:
    """Whether an object is shown by what it means, and not by what it consists of."""
    plain = isinstance(type, Record) and type.name.startswith((*_TEXTS, *_ROWS, _PERHAPS, *_OWNERS))
    return plain or is_container(type)


@final
class Showing:
    """Reads objects from memory: `load` gives the scalar of a type at an address and a bit, or None."""

    def __init__(
        self,
        records: Mapping[str, RecordLayout],
        load: Callable[[int, int, Scalar], Any],
        text: Callable[[Any, Scalar], str],
        quoted: Callable[[list[int]], str],
    ) -> None:
        self._records = records
        self._load = load
        self._text = text
        self._quoted = quoted

    def object(self, address: int, type: Type) -> str:
        """What lies at an address."""
        if is_scalar(type):
            return self._text(self._load(address, 0, type), type)
        if not is_known(type):
            return "{" + ", ".join(f"{path}={text}" for path, text in self._parts(address, type, "")) + "}"
        assert isinstance(type, Record)
        if type.name.startswith(_PERHAPS):
            engaged = self._scalar(address, type, 0)
            room = self._records[type.name].fields[1]
            assert isinstance(room.type, Record)
            value = next(f for f in self._records[room.type.name].fields if f.name == "value")
            return self.object(address + room.offset, value.type) if engaged else "none"
        if type.name.startswith(_OWNERS):
            return next(text for _, text in self._parts(address, type, ""))
        if type.name.startswith(_DEQUE):
            return self._several(self._behind_pointers(address, type))
        if type.name.startswith(_CHAINS):
            return self._several(self._linked(address, type))
        if type.name == _FLAGS:
            kept = self._records[type.name].fields[0]  # a number for each
            assert isinstance(kept.type, Record)
            return self._row_of(address + kept.offset, kept.type, Bool())
        return self._row_of(address, type)

    def _row_of(self, address: int, type: Record, shown_as: Scalar | None = None) -> str:
        return self.row(self._scalar(address, type, 0), self._scalar(address, type, 1), type, shown_as)

    def row(self, start: Any, count: Any, type: Record, shown_as: Scalar | None = None) -> str:
        """So many elements from an address on, as those of an object of a type."""
        element = getattr(self._records[type.name].fields[0].type, "target", None)
        if not isinstance(start, int) or not isinstance(count, int) or element is None:
            return "?"
        shown = min(count, MOST_SHOWN)
        if type.name.startswith(_TEXTS):
            letters = [self._load(start + i, 0, element) for i in range(shown)]
            if not all(isinstance(c, int) for c in letters):
                return "?"
            return self._quoted([c & 255 for c in letters]) + ("…" if shown < count else "")
        step = size_of(element, self._records)
        places = [start + i * step for i in range(shown)]
        elements = [
            self._text(self._load(p, 0, shown_as), shown_as) if shown_as else self.object(p, element) for p in places
        ]
        return "{" + ", ".join([*elements, *(["…"] if shown < count else [])]) + "}"

    def _several(self, elements: Iterator[str]) -> str:
        shown = [text for text, _ in zip(elements, range(MOST_SHOWN), strict=False)]
        return "{" + ", ".join([*shown, *(["…"] if next(elements, None) is not None else [])]) + "}"

    def _behind_pointers(self, address: int, type: Record) -> Iterator[str]:
        """The elements of a row that has a pointer to each."""
        row = self._records[type.name].fields[0].type
        assert isinstance(row, Record)
        start, count = self._scalar(address, row, 0), self._scalar(address, row, 1)
        pointer = getattr(self._records[row.name].fields[0].type, "target", None)
        if isinstance(start, int) and isinstance(count, int) and isinstance(pointer, Pointer):
            for number in range(count):
                place = self._load(start + number * pointer.size, 0, pointer)
                yield self.object(place, pointer.target) if isinstance(place, int) else "?"

    def _linked(self, address: int, type: Record) -> Iterator[str]:
        """The elements of a chain, which is the first member of an object or of its bases."""
        field = self._records[type.name].fields[0]
        while isinstance(field.type, Record):
            field = self._records[field.type.name].fields[0]
        link = getattr(field.type, "target", None)
        if not isinstance(link, Record) or not isinstance(field.type, Pointer):
            return
        layout = self._records[link.name]
        onward, value = layout.field("after"), layout.field("value")
        at = self._load(address, 0, field.type)
        while isinstance(at, int) and at:
            yield self._entry(at + value.offset, value.type, is_entry=type.name.startswith(_MAPS))
            at = self._load(at + onward.offset, 0, field.type)

    def _entry(self, address: int, type: Type, *, is_entry: bool) -> str:
        """An element; that of a map has a key and a value."""
        if not is_entry or not isinstance(type, Record):
            return self.object(address, type)
        layout = self._records[type.name]
        key, value = layout.field("first"), layout.field("second")
        return f"{self.object(address + key.offset, key.type)}: {self.object(address + value.offset, value.type)}"

    def _scalar(self, address: int, type: Record, number: int) -> Any:
        field = self._records[type.name].fields[number]
        return self._load(address + field.offset, field.bit, field.type) if is_scalar(field.type) else None

    def _parts(self, address: int, type: Type, path: str) -> Iterator[tuple[str, str]]:
        """The parts of an object that have a name, and what they hold."""
        if isinstance(type, Array):
            step = size_of(type.element, self._records)
            for index in range(type.count):
                yield from self._part(address + index * step, 0, type.element, f"{path}[{index}]")
        elif isinstance(type, Record):
            for field in self._records[type.name].fields:
                if not is_made_up(field.name):
                    inner = f"{path}.{field.name}" if field.name else path
                    yield from self._part(address + field.offset, field.bit, field.type, inner)

    def _part(self, address: int, bit: int, type: Type, path: str) -> Iterator[tuple[str, str]]:
        if is_scalar(type):
            yield path, self._text(self._load(address, bit, type), type)
        elif is_known(type):
            yield path, self.object(address, type)
        else:
            yield from self._parts(address, type, path)
