"""Initialisers: which value goes to which scalar, with designators and left-out braces (C 6.7.10).

Libclang shows initialiser lists as written, so the walk over the type is ours.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from clang.cindex import CursorKind, SourceRange

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.parts import is_left_out, listed_values
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import wrap
from stateglass.frontend.lowering.types import TypeTable, field_name
from stateglass.program import (
    Array,
    Constant,
    Element,
    Field,
    Initial,
    Int,
    Member,
    Place,
    Record,
    Type,
    Variable,
    size_of,
)
from stateglass.source import Span

Step = str | int  # a field or an index
MOST_ITEMS = 1_000_000


@final
@dataclass(frozen=True, slots=True)
class Item:
    """A value for one scalar (or for a whole record) of the initialised object; text for one character."""

    path: tuple[Step, ...]
    type: Type
    value: Cursor | int


def items_of(type: Type, cursor: Cursor, types: TypeTable, as_meant: bool = False) -> list[Item]:
    """The scalars that an initialiser sets, in the order it names them; the rest is zero.

    `as_meant`: in C++ what is written is not all, pointers to objects may still have to become pointers to their bases.
    """
    walker = _Walker(types, as_meant=as_meant)
    walker.single(type, (), cursor)
    return walker.items


def in_order(type: Type, items: list[Item], types: TypeTable) -> list[Item]:
    """Items in the order of the parts they are for, which is the order in which gcc evaluates them."""

    def numbers(item: Item) -> list[int]:
        found: list[int] = []
        part = type
        for step in item.path:
            if isinstance(part, Record):
                fields = types.records[part.name].fields
                found.append(step if isinstance(step, int) else [f.name for f in fields].index(step))
                part = fields[found[-1]].type
            else:
                assert isinstance(part, Array) and isinstance(step, int)
                found.append(step)
                part = part.element
        return found

    return sorted(items, key=numbers)


def length_of_tail(type: Type, cursor: Cursor, types: TypeTable) -> int:
    """How many elements an initialiser gives to the flexible array member at the end of a record."""
    if not isinstance(type, Record) or not types.records[type.name].fields:
        return 0
    walker = _Walker(types, tail=types.records[type.name].fields[-1].name)
    walker.single(type, (), cursor)
    return walker.tail_length


@final
class _Walker:
    def __init__(self, types: TypeTable, tail: Step | None = None, as_meant: bool = False) -> None:
        """`tail`: the member that has as many elements as it is given; without it such a member takes none."""
        self.types = types
        self._as_meant = as_meant
        self.tail_length = 0
        self._tail = tail
        self.items: list[Item] = []
        self._whole: set[tuple[Step, ...]] = set()  # records set by one value
        self._set: set[tuple[Step, ...]] = set()  # the paths of all items, and of what they are part of

    def single(self, type: Type, path: tuple[Step, ...], cursor: Cursor) -> None:
        """Takes an initialiser, braced or not, for a whole object; it replaces what was said about it before."""
        if len(self.items) > MOST_ITEMS:
            raise NotSupported(f"an initialiser with more than {MOST_ITEMS} values", span_of(cursor))
        self._reach(path)
        self._forget(path)
        if isinstance(type, Array) and is_text(type, cursor):
            self._text(type, path, cursor)
        elif cursor.kind is CursorKind.INIT_LIST_EXPR:
            inner = listed_values(cursor) if self._as_meant else libclang.children(cursor)
            if isinstance(type, Array | Record):
                if isinstance(type, Array) and len(inner) == 1 and is_text(type, inner[0]):
                    self._text(type, path, inner[0])
                else:
                    self._fill(type, path, deque(inner), braced=True)
            elif inner:
                self.single(type, path, inner[0])
        else:
            self._add(Item(path, type, cursor))

    def _reach(self, path: tuple[Step, ...]) -> None:
        """Notes the last element of the flexible member that a value was given for."""
        match path:
            case (member, int(index), *_) if member == self._tail:
                self.tail_length = max(self.tail_length, index + 1)

    def _add(self, item: Item) -> None:
        for length in range(len(item.path)):
            if item.path[:length] in self._whole:
                self._forget(item.path[:length])  # as gcc has it: of a record set as a whole nothing else stays
                self._whole.remove(item.path[:length])
        if isinstance(item.type, Record):
            self._whole.add(item.path)
        self.items.append(item)
        self._set.update(item.path[:length] for length in range(len(item.path) + 1))

    def _forget(self, path: tuple[Step, ...]) -> None:
        if path in self._set:
            self.items = [i for i in self.items if i.path[: len(path)] != path]

    def _fill(self, type: Array | Record, path: tuple[Step, ...], queue: deque[Cursor], braced: bool) -> None:
        """Take as many initialisers from the queue as `type` has room for, each for the next part in turn."""
        self._refuse(type, queue)
        room = 1 if self._is_union(type) else self._room(type, path)
        if isinstance(type, Array) and not room and queue:
            raise NotSupported("values for an array without a length", span_of(queue[0]))
        position = 0
        while queue:
            if _is_designated(queue[0]):
                if not braced:
                    return  # it belongs to the list around us
                designators, value = _designators(queue.popleft())
                position = self._designated(type, path, designators, value, queue)
                continue
            if position >= room:
                return
            step, part = self._step(type, position)
            position += 1
            if self._as_meant and is_left_out(queue[0]):
                queue.popleft()
            else:
                self._next(part, (*path, step), queue)

    def _next(self, part: Type, path: tuple[Step, ...], queue: deque[Cursor]) -> None:
        """The next initialiser for `part`; without braces of its own an aggregate takes several."""
        self._reach(path)
        cursor = queue[0]
        whole = cursor.kind is CursorKind.INIT_LIST_EXPR or not isinstance(part, Array | Record)
        if isinstance(part, Array) and is_text(part, cursor):
            whole = True
        if isinstance(part, Record) and self.types.convert(cursor.type) == part:
            whole = True
        if whole:
            self.single(part, path, queue.popleft())
        else:
            assert isinstance(part, Array | Record)
            self._fill(part, path, queue, braced=False)

    def _designated(
        self,
        type: Array | Record,
        path: tuple[Step, ...],
        designators: list[Cursor],
        value: Cursor,
        queue: deque[Cursor],
    ) -> int:
        """`[2].x = value`: set that part and what follows it inside; returns the position to go on with."""
        self._refuse(type, deque([value]))
        room = self._room(type, path)
        first, last, rest = self._range(type, designators)
        union = self._is_union(type)
        if union:
            self._forget_others(path, self._step(type, first)[0])
        for position in range(first, last + 1):
            if position >= room:
                raise NotSupported("an initialiser outside its array", span_of(value))
            step, part = self._step(type, position)
            if not rest:
                self.single_or_elided(part, (*path, step), value, queue)
            else:
                if not isinstance(part, Array | Record):
                    raise NotSupported("this designator", span_of(value))
                inner = self._designated(part, (*path, step), rest, value, queue)
                if position == last:
                    self._continue(part, (*path, step), inner, queue)
        return room if union else last + 1

    def _is_union(self, type: Array | Record) -> bool:
        return isinstance(type, Record) and self.types.records[type.name].union

    def _forget_others(self, union: tuple[Step, ...], member: Step) -> None:
        """Drops what was said about other members of a union: the one that is named last counts."""
        depth = len(union)
        if union in self._set:
            self.items = [
                i for i in self.items if i.path[:depth] != union or i.path[depth : depth + 1] in ((), (member,))
            ]

    def single_or_elided(self, part: Type, path: tuple[Step, ...], value: Cursor, queue: deque[Cursor]) -> None:
        if isinstance(part, Array | Record):
            queue.appendleft(value)
            self._next(part, path, queue)
        else:
            self.single(part, path, value)

    def _continue(self, type: Array | Record, path: tuple[Step, ...], position: int, queue: deque[Cursor]) -> None:
        """After `.a.b = 1` plain initialisers go on behind `.a.b`."""
        while queue and position < self._room(type, path) and not _is_designated(queue[0]):
            step, part = self._step(type, position)
            position += 1
            self._next(part, (*path, step), queue)

    def _range(self, type: Array | Record, designators: list[Cursor]) -> tuple[int, int, list[Cursor]]:
        """Positions the first designator names, and the designators left."""
        first = designators[0]
        if isinstance(type, Record):
            if first.kind is not CursorKind.MEMBER_REF:
                raise NotSupported("this designator", span_of(first))
            position = self._named(type, [field_name(d) for d in designators])
            if position is None:
                raise NotSupported(f"a designator into an unnamed member (`{first.spelling}`)", span_of(first))
            return position, position, designators[1:]
        low = libclang.evaluate(first)
        if low is None:
            raise NotSupported("this designator", span_of(first))
        second = designators[1] if len(designators) > 1 else None
        if second is not None and second.kind is not CursorKind.MEMBER_REF and _is_range(type, first, second):
            high = libclang.evaluate(second)
            if high is None:
                raise NotSupported("this designator", span_of(second))
            return low, high, designators[2:]
        return low, low, designators[1:]

    def _named(self, type: Record, names: list[str]) -> int | None:
        """Which member is meant: by its name, or if it has none, by the name of one of its own."""
        name = next((n for n in names if n), "")
        for position, field in enumerate(self.types.records[type.name].fields):
            if field.name != names[0]:
                continue
            if field.name or (isinstance(field.type, Record) and self.types.way_to(field.type.name, name)):
                return position
        return None

    def _room(self, type: Array | Record, path: tuple[Step, ...]) -> int:
        """How many parts an initialiser may speak of."""
        if isinstance(type, Array):
            return MOST_ITEMS if path == (self._tail,) else type.count
        return len(self.types.records[type.name].fields)

    def _step(self, type: Array | Record, position: int) -> tuple[Step, Type]:
        if isinstance(type, Array):
            return position, type.element
        field = self.types.records[type.name].fields[position]
        return field.name or position, field.type

    def _refuse(self, type: Array | Record, queue: deque[Cursor]) -> None:
        if isinstance(type, Record):
            reason = self.types.records[type.name].unsupported
            if reason:
                raise NotSupported(f"values of `{type.name}`: {reason}", span_of(queue[0]) if queue else Span.at(""))

    def _text(self, type: Array, path: tuple[Step, ...], cursor: Cursor) -> None:
        element = type.element
        assert isinstance(element, Int)
        room = self._room(type, path)
        if not room:
            raise NotSupported("values for an array without a length", span_of(cursor))
        text = text_of(strip(cursor))
        self._reach((*path, len(text)))
        for i, character in enumerate(text[:room]):
            self._add(Item((*path, i), element, wrap(character, element)))


def text_of(cursor: Cursor) -> tuple[int, ...]:
    """The characters of a string literal, without the closing NUL: bytes, or the units of a wide one.

    The spelling is the literal's text after concatenation, with escapes.
    """
    text = cursor.spelling
    start = text.index('"')
    return unescape(text[start + 1 : text.rindex('"')], text[:start])


_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "\\": 92, "'": 39, '"': 34, "?": 63}
_ESCAPE = re.compile(
    r"""\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]+)|(?:u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))"""
    r"""|(?P<simple>.))|(?P<seam>"")|(?P<plain>.)""",
    re.DOTALL,
)
_UNIT_BITS = {"": 8, "u8": 8, "u": 16, "U": 32, "L": 32}


def unescape(text: str, prefix: str = "") -> tuple[int, ...]:
    """C's escape sequences and characters replaced by the units that they stand for in a literal with that prefix."""
    bits = _UNIT_BITS[prefix]
    result: list[int] = []
    for found in _ESCAPE.finditer(text):
        match found.lastgroup, found[found.lastgroup or 0]:
            case "octal", digits:
                result.append(int(digits, 8) & (1 << bits) - 1)
            case "hex", digits:
                result.append(int(digits, 16) & (1 << bits) - 1)
            case (("short" | "long"), digits):
                result += _encoded(chr(min(int(digits, 16), 0x10FFFF)), bits)
            case "simple", mark:
                result.append(_SIMPLE.get(mark, ord(mark) & 255))
            case "plain", character:
                result += _encoded(character, bits)
            case _:
                pass  # where one literal ends and the next begins, so that its digits are not those of an escape
    return tuple(result)


def _encoded(character: str, bits: int) -> Iterable[int]:
    match bits:
        case 8:
            return character.encode("utf-8", errors="surrogateescape")
        case 16:
            raw = character.encode("utf-16-le", errors="surrogatepass")
            return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]
        case _:
            return [ord(character)]


def is_text(type: Array, cursor: Cursor) -> bool:
    """Whether an initialiser is a string literal for an array of its kind of characters."""
    element, literal = type.element, strip(cursor)
    if not isinstance(element, Int) or literal.kind is not CursorKind.STRING_LITERAL:
        return False
    return bool(8 * literal.type.get_canonical().element_type.get_size() == element.bits)


def _is_designated(cursor: Cursor) -> bool:
    """Libclang shows a designated initialiser as an untyped unexposed expression of several children."""
    if cursor.kind is not CursorKind.UNEXPOSED_EXPR or cursor.type.spelling != "void":
        return False
    return len(libclang.children(cursor)) > 1


def _designators(cursor: Cursor) -> tuple[list[Cursor], Cursor]:
    *designators, value = libclang.children(cursor)
    return designators, value


def _is_range(type: Array, first: Cursor, second: Cursor) -> bool:
    """Whether two index designators are `[a ... b]` rather than `[a][b]`."""
    if not isinstance(type.element, Array):
        return True
    extent = SourceRange.from_locations(first.extent.start, second.extent.end)
    return any(t.spelling == "..." for t in first.translation_unit.get_tokens(extent=extent))


def repeated_values(items: list[Item]) -> set[int]:
    """Values that `[a ... b] = value` gives to several parts and that are not constant: they are evaluated once."""
    counts = Counter(libclang.expression_key(i.value) for i in items if not isinstance(i.value, int))
    return {
        key
        for i in items
        if not isinstance(i.value, int)
        and counts[key := libclang.expression_key(i.value)] > 1
        and libclang.evaluate(i.value) is None
    }


def part_of(whole: Place, path: tuple[Step, ...], types: TypeTable, int_type: Int, span: Span) -> Place:
    """The part of a variable that a path leads to."""
    place = whole
    for step in path:
        type = place.type
        if isinstance(type, Array):
            assert isinstance(step, int)
            place = Element(place, Constant(step, int_type, span), type.element, span)
        else:
            assert isinstance(type, Record)
            field = _field(types, type, step)
            place = Member(place, field.name, field.offset, field.type, field.bit, span)
    return place


def position_of(type: Type, path: tuple[Step, ...], types: TypeTable) -> int:
    """Where the part that a path leads to begins, in bits."""
    position = 0
    for step in path:
        if isinstance(type, Array):
            assert isinstance(step, int)
            position += 8 * step * size_of(type.element, types.records)
            type = type.element
        else:
            assert isinstance(type, Record)
            field = _field(types, type, step)
            position += 8 * field.offset + field.bit
            type = field.type
    return position


def _field(types: TypeTable, type: Record, step: Step) -> Field:
    fields = types.records[type.name].fields
    return fields[step] if isinstance(step, int) else next(f for f in fields if f.name == step)


def text_variable(name: str, text: tuple[int, ...], type: Type, span: Span) -> Variable:
    """A string literal as a variable that is only read."""
    unit = unit_of_text(type)
    values = [wrap(number, unit) for number in text]
    initial = tuple(Initial(i * unit.bits, unit, Constant(v, unit)) for i, v in enumerate(values) if v)
    return Variable(name, type, initial, readonly=True, literal=True, span=span)


def unit_of_text(type: Type) -> Int:
    """What the elements of a string literal are."""
    assert isinstance(type, Array)
    assert isinstance(type.element, Int)
    return type.element
