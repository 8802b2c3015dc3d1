"""What libclang hides of statements: parts of `for` and `switch`, what loops over ranges and lambdas stand for.

They are read from the statement object behind a cursor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, final

import clang.cindex as ci
from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import Cursor, children, initialiser, parse
from stateglass.frontend.clang.words import WORD, class_number, word, words


@final
@dataclass(frozen=True, slots=True)
class ForParts:
    """The parts of a `for`, None where the source leaves one out."""

    initial: Cursor | None
    condition: Cursor | None
    step: Cursor | None
    body: Cursor
    declared: Cursor | None = None  # the variable that the condition declares


def for_parts(cursor: Cursor) -> ForParts | None:
    """The parts of a `for`; None if this libclang does not let us tell which part is missing.

    The binding drops missing parts from the children. The statement object behind the cursor holds five
    pointers (initial, condition variable, condition, step, body); they are compared with the children's.
    """
    parts = children(cursor)
    # What the first part declares stands in a statement.
    declared = next((part for part in parts if part.kind is CursorKind.VAR_DECL), None)
    parts = [part for part in parts if part is not declared]
    if len(parts) == 4:
        initial, condition, step, body = parts
        return ForParts(initial, condition, step, body, declared)
    if len(parts) == 1:
        return ForParts(None, None, None, parts[0], declared)
    if not _statement_pointers_known():
        return None
    return _parts_by_pointer(cursor, parts, declared)


def _parts_by_pointer(cursor: Cursor, parts: list[Cursor], declared: Cursor | None = None) -> ForParts | None:
    by_address = {part.data[1]: part for part in parts}
    initial, condition, step, body = (by_address.get(word(cursor.data[1], n)) for n in (1, 3, 4, 5))
    found = [part for part in (initial, condition, step, body) if part is not None]
    if body is None or len(found) != len(parts):
        return None
    return ForParts(initial, condition, step, body, declared)


@cache
def _statement_pointers_known() -> bool:
    """Whether the layout that `_parts_by_pointer` relies on is the one of this libclang."""
    probe = "void f(int i) { for (i = 1; ; ) ; for (; i < 2; ) ; for (; ; i++) ; for (i = 1; ; i++) ; }"
    unit, _ = parse("probe.c", [], probe)
    loops = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.FOR_STMT]
    expected = [(True, False, False), (False, True, False), (False, False, True), (True, False, True)]
    for loop, present in zip(loops, expected, strict=True):
        parts = _parts_by_pointer(loop, children(loop))
        if parts is None:
            return False
        if (parts.initial is not None, parts.condition is not None, parts.step is not None) != present:
            return False
    return True


@final
@dataclass(frozen=True, slots=True)
class RangeParts:
    """A loop over a range, in the words of an ordinary one."""

    declared: list[Cursor]  # statements, and variables that nobody wrote: the range, where it begins and ends
    condition: Cursor
    step: Cursor
    variable: Cursor  # the statement that declares it
    body: Cursor


def range_parts(cursor: Cursor) -> RangeParts | None:
    """What `for (x : range)` stands for; None if this libclang keeps it elsewhere."""
    found = (statement_at(a, cursor) if a else None for a in words(cursor.data[1], 1, 8))
    initial, _, _, _, condition, step, variable, body = found
    if condition is None or step is None or variable is None or body is None:
        return None
    hidden = {str(c.spelling): c.referenced for c in condition.walk_preorder() if c.kind is CursorKind.DECL_REF_EXPR}
    begin = next((v for n, v in hidden.items() if n.startswith("__begin")), None)
    end = next((v for n, v in hidden.items() if n.startswith("__end")), None)
    start = None if begin is None else initialiser(begin)
    if start is None or end is None:
        return None
    used = [c for c in start.walk_preorder() if c.kind is CursorKind.DECL_REF_EXPR]
    over = next((c.referenced for c in used if str(c.spelling).startswith("__range")), None)
    if over is None:
        return None
    return RangeParts([*([initial] if initial is not None else []), over, begin, end], condition, step, variable, body)


def statement_at(address: int, near: Cursor) -> Cursor:
    """The statement or expression at an address, as a cursor."""
    number = class_number(address)
    found = ci.Cursor()
    kind = _usual_kinds().get(number)
    if kind is None and number not in _never_shown():
        kind = _kinds_by_class(near.translation_unit).get(number)
    found._kind_id = (kind or CursorKind.UNEXPOSED_EXPR).value
    found.data[0], found.data[1], found.data[2] = near.data[0], address, near.data[2]
    found._tu = near._tu
    return found


# What often stands where libclang does not show it.
_USUAL: Final = """
struct object {
    int x; object(int); object(const object &); ~object();
    int f(); object operator+(const object &) const; operator int(); void g() { this; }
};
struct plain { int a[2]; object b; object c; };
int called(int);
int probe(int n, int *p, object &o) {
    plain list = {{1, 2}, object(3), o};
    object copy(o), several[2] = {object(2), o};
    auto lambda = [n] { return n; };
    for (int x : list.a) n += x;
    const char *text = "text";
    double number = 1.5 + sizeof(int) + (n ? -n : p[1]) + static_cast<double>(n) + (int)'c' + int(2.0);
    object *made = new object(o + o);
    bool all = true && (nullptr == made) && !(n = n++ + o.f() + lambda() + made->x + called(*p));
    return n;
}
template <class T> concept any = true;
struct base { virtual ~base(); };
struct derived : base {};
int rest(base *q, int n, int object::*member, object &o) {
    plain in_brackets(plain{{1, 2}, o, o});
    const bool known = any<int> && requires { n; } && noexcept(n);
    dynamic_cast<derived *>(q), const_cast<const base *>(q), reinterpret_cast<long>(q), delete q;
    n += (n ? throw 1 : 2) + o.*member + alignof(int) + ({ n; });
    return n;
}
template <int number, class... types> int substituted() { return number + sizeof...(types); }
int instance = substituted<3, int>();
"""


@cache
def _usual_kinds() -> dict[int, CursorKind]:
    unit, _ = parse("probe.cpp", ["-xc++", "-std=c++20"], _USUAL)
    calls = (c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.CALL_EXPR)
    instance = next(c for c in calls if c.spelling == "substituted")
    found = _kinds_by_class(unit)
    for cursor in instance.referenced.walk_preorder():
        if cursor.kind.is_expression():
            found.setdefault(class_number(cursor.data[1]), cursor.kind)
    return found


@cache
def _never_shown() -> frozenset[int]:
    """Classes of expressions that stand where nobody wrote any: no unit has a cursor for them."""
    unit, _ = parse("probe.cpp", ["-xc++", "-std=c++20"], "struct s { int a = 1; int b; int c[2]; }; s x = {};")
    (written,) = (c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.INIT_LIST_EXPR)
    return frozenset(map(class_number, _addresses_in(written))) - _usual_kinds().keys()


@lru_cache(maxsize=4)
def _kinds_by_class(unit: ci.TranslationUnit) -> dict[int, CursorKind]:
    """Which kind of cursor stands for which class of statements: as the unit itself shows it."""
    found: dict[int, CursorKind] = {}
    for cursor in unit.cursor.walk_preorder():
        if cursor.kind.is_expression() or cursor.kind.is_statement():
            found.setdefault(class_number(cursor.data[1]), cursor.kind)
    return found


_SWITCH_POINTERS: Final = 3
"""Where the statements that a `switch` consists of begin, counted in words."""


def switch_initial(cursor: Cursor) -> Cursor | None:
    """The statement before the condition: `switch (int x = f(); x)`."""
    shown = [part for part in children(cursor) if part.kind.is_expression() or part.kind.is_statement()]
    variables = sum(part.kind is CursorKind.VAR_DECL for part in children(cursor))
    pointers = words(cursor.data[1], _SWITCH_POINTERS, 3)
    before = pointers.index(shown[0].data[1]) if shown[0].data[1] in pointers else -1
    if before < 0:
        raise AssertionError("this libclang keeps the parts of a `switch` elsewhere")
    return statement_at(pointers[0], cursor) if before > variables else None


_CAPTURE_POINTERS: Final = 4


def captured_values(cursor: Cursor, count: int) -> list[Cursor] | None:
    """What each member of a lambda's object begins with; None if this libclang keeps it elsewhere."""
    body = next((part for part in children(cursor) if part.kind is CursorKind.COMPOUND_STMT), None)
    *values, last = words(cursor.data[1], _CAPTURE_POINTERS, count + 1)
    if body is None or last != body.data[1]:
        return None
    return [statement_at(value, cursor) for value in values]


def listed_values(cursor: Cursor) -> list[Cursor]:
    """What a list in braces gives each part of an object, converted and constructed: libclang shows it as written."""
    if not _lists_known():
        raise AssertionError("this libclang keeps lists in braces elsewhere")
    return _listed(cursor)


def is_left_out(value: Cursor) -> bool:
    """Whether a list says nothing about a part: its default, or zero, stands for it."""
    return value.kind is CursorKind.UNEXPOSED_EXPR and not children(value)


# Where a list in braces keeps, in words, its values, the other form of itself, and the member of a union.
_VALUES: Final = 2
_OTHER_FORM: Final = 6
_MEMBER: Final = 7
_MEANING: Final = 4  # the bit that says that a list is not as written, but as meant
_FLAGS: Final = 7  # the bits of an address that are none


def listed_member(cursor: Cursor, members: Iterable[Cursor]) -> Cursor | None:
    """The member of a union that a list in braces is about; None if it is none of these."""
    if not _lists_known():
        raise AssertionError("this libclang keeps lists in braces elsewhere")
    found = word(_meant(cursor).data[1], _MEMBER) & ~_FLAGS
    return next((member for member in members if member.data[0] == found), None)


def _meant(cursor: Cursor) -> Cursor:
    """The list as it is meant, where clang has it as it is written, too."""
    other = word(cursor.data[1], _OTHER_FORM)
    return statement_at(other & ~_FLAGS, cursor) if other & ~_FLAGS and not other & _MEANING else cursor


def _listed(cursor: Cursor) -> list[Cursor]:
    return [statement_at(value, cursor) for value in _addresses_in(cursor)]


def _addresses_in(cursor: Cursor) -> list[int]:
    """Where the values lie that a list in braces means."""
    start, end = words(_meant(cursor).data[1], _VALUES, 2)
    return [word(address) for address in range(start, end, WORD)]


@cache
def _lists_known() -> bool:
    unit, _ = parse("probe.cpp", ["-xc++"], "struct s { s(int); s(const s &); }; void f(s x) { s a[2] = {x, x}; }")
    (written,) = (c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.INIT_LIST_EXPR)
    return [c.kind for c in _listed(written)] == [CursorKind.CALL_EXPR] * 2
