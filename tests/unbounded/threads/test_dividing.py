"""Arrays and structs that threads share: each number in them is read and written by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stateglass.source import InputError
from stateglass.unbounded.engines import Engine
from tests.unbounded.threads.asking import Case, actions, checked, setting_of, verdict

ENGINES = (Engine.EXPLICIT, Engine.BMC, Engine.PREDICATE)

RING = Case(
    """
    #include <assert.h>
    static struct { unsigned char slots[2]; unsigned char head, tail; } ring;
    void producer(void)
    {
        for (unsigned char n = 0; n < 3; n++) {
            while ((unsigned char)(ring.head - ring.tail) == ROOM) ;
            ring.slots[ring.head % 2] = n;
            ring.head++;
        }
    }
    void consumer(void)
    {
        for (unsigned char n = 0; n < 3; n++) {
            while (ring.head == ring.tail) ;
            assert(ring.slots[ring.tail % 2] == n);
            ring.tail++;
        }
    }
    """,
    ("producer", "consumer"),
    shared=("ring=direct",),
)


def with_room(case: Case, room: int) -> Case:
    return replace(case, code=case.code.replace("ROOM", str(room)))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_ring_with_too_much_room_loses_what_is_in_it(engine: Engine, tmp_path: Path) -> None:
    found = checked(with_room(RING, 3), "no-error", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert found.answer.confirmed_by == ("reference",)
    steps = actions(found)
    assert "store(producer.ring.slots[0], 2)" in steps
    assert "load(consumer.ring.slots[0], 2)" in steps


def test_a_ring_keeps_what_it_has_room_for(tmp_path: Path) -> None:
    assert verdict(with_room(RING, 2), "no-error", tmp_path, Engine.EXPLICIT) == "holds"
    assert verdict(with_room(RING, 2), "G([ring.slots[1] <= 1])", tmp_path, Engine.EXPLICIT) == "holds"
    assert verdict(with_room(RING, 2), "G([ring.slots[0] <= 1])", tmp_path, Engine.EXPLICIT) == "violated"


def test_processes_hold_the_numbers_of_a_struct(tmp_path: Path) -> None:
    held = replace(with_room(RING, 2), shared=("ring=process",), bounds=(("ring", "0..3"),))
    assert verdict(held, "no-error", tmp_path) == "holds"
    assert verdict(held, "ctl: EF [ring.slots[0] == 2]", tmp_path) == "holds"
    # What is said of one number is said of it alone.
    narrow = replace(held, bounds=(*held.bounds, ("ring.slots[0]", "0..1")))
    assert verdict(narrow, "no-error", tmp_path) == "inconclusive"


BEYOND = Case(
    "int row[2], at; void left(void) { at = 2; } void right(void) { row[at] = 1; }",
    ("left", "right"),
    shared=("row=direct", "at=direct"),
)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_subscript_that_another_thread_moves_beyond_the_array_is_an_error(engine: Engine, tmp_path: Path) -> None:
    found = checked(BEYOND, "no-error", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert actions(found)[-1] == "error(bounds)"
    within = replace(BEYOND, code=BEYOND.code.replace("at = 2", "at = 1"))
    assert verdict(within, "no-error", tmp_path, engine) == "holds"


UPDATED = Case(
    """
    #include <assert.h>
    int row[2], at, own[2], count, got;
    static int calls;
    static int first(void) { calls++; return 0; }
    void left(void) { DONE }
    void right(void) { at = 1; count = 7; }
    """,
    ("left", "right"),
    shared=("row=direct", "at=direct", "count=direct"),
)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("done", "expected"),
    [
        ("row[at]++; assert(row[0] + row[1] == 1);", "holds"),
        ("got = row[at]++; assert(got == 0 && row[0] + row[1] == 1);", "holds"),
        ("row[1] = 2; row[at] -= 2; assert(row[0] == -2 || row[1] == 0);", "holds"),
        ("row[1] = 2; row[at] = row[at] - 2; assert(row[0] == -2 || row[1] == 0);", "violated"),
        ("own[0] = own[1] = 2; own[at]++; assert(own[0] + own[1] == 5 && own[0] != 1);", "holds"),
        ("count = 3; if (++count != 4) assert(count >= 7);", "holds"),
        ("count = 3; if (++count == 8) assert(0);", "violated"),
        ("got = count = 3; assert(got == 3);", "holds"),
        ("got = (count = 3, count); assert(got == 3);", "violated"),
        ("got = row[at] = 3; assert(got == 3 && row[0] + row[1] == 3);", "holds"),
        ("got = --row[at]; assert(got == -1);", "holds"),
        ("if ((row[at] += 5) != 5) assert(0);", "holds"),
        ("own[first()] = row[at] = 3; assert(own[0] == 3);", "holds"),
        ("own[first()] = ++row[at]; assert(own[0] == 1);", "holds"),
        ("got = row[(count = 1) - 1] = 3; assert(got == 3 && row[0] == 3);", "holds"),
    ],
)
def test_an_update_finds_its_place_once_and_its_value_is_not_read_again(
    done: str, expected: str, engine: Engine, tmp_path: Path
) -> None:
    case = replace(UPDATED, code=UPDATED.code.replace("DONE", done))
    assert verdict(case, "no-error", tmp_path, engine) == expected


COPIED = Case(
    """
    #include <assert.h>
    struct pair { int first, second; } pairs[2] = { { 1, 1 }, { 2, 2 } }, out;
    int at;
    void writer(void) { at = 1; MORE }
    void reader(void) { struct pair own; own = pairs[at]; assert(own.first == own.second); }
    """,
    ("writer", "reader"),
    shared=("pairs=direct", "at=direct", "out=direct"),
)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_struct_is_copied_number_by_number_from_where_it_is_at_first(engine: Engine, tmp_path: Path) -> None:
    # The subscript is read once: both numbers are of one struct, whenever the other thread changes it.
    moved = replace(COPIED, code=COPIED.code.replace("MORE", ""))
    assert verdict(moved, "no-error", tmp_path, engine) == "holds"
    # A struct that is written meanwhile is seen in parts.
    written = replace(COPIED, code=COPIED.code.replace("MORE", "pairs[0] = pairs[1];"))
    assert verdict(written, "no-error", tmp_path, engine) == "violated"


HANDED_OVER = Case(
    """
    #include <assert.h>
    struct pair { int first, second; } pairs[2];
    static struct pair at(int place) { return pairs[place]; }
    static void put(struct pair what) { pairs[what.first] = what; }
    static int of(struct pair what) { return what.second; }
    void writer(void) { struct pair own = { 1, 1 }; put(own); }
    void reader(void) { LOOK }
    """,
    ("writer", "reader"),
    shared=("pairs=direct",),
)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ("struct pair got = at(1); assert(got.first == got.second);", "violated"),
        ("struct pair got = at(1); assert(got.first >= got.second || got.second == 1);", "holds"),
        ("pairs[0] = at(1); assert(of(pairs[0]) <= 1);", "holds"),
        ("assert(of(pairs[1]) == 0);", "violated"),
    ],
)
def test_structs_are_handed_over_and_come_back_in_parts(
    look: str, expected: str, engine: Engine, tmp_path: Path
) -> None:
    case = replace(HANDED_OVER, code=HANDED_OVER.code.replace("LOOK", look))
    assert verdict(case, "no-error", tmp_path, engine) == expected


PARTLY = Case(
    """
    struct pair { int first, second; } shared;
    int seen;
    void left(void) { struct pair own; own.first = 1; MORE shared = own; }
    void right(void) { seen = shared.first; }
    """,
    ("left", "right"),
    shared=("shared=direct",),
)


@pytest.mark.parametrize("engine", ENGINES)
def test_to_copy_a_struct_that_is_not_all_written_is_no_error(engine: Engine, tmp_path: Path) -> None:
    # What others see of the rest is not known.
    partly = replace(PARTLY, code=PARTLY.code.replace("MORE", ""))
    found = checked(partly, "no-error", tmp_path, engine)
    assert found.answer.verdict.value == "inconclusive"
    assert "never written" in found.answer.explanation
    written = replace(PARTLY, code=PARTLY.code.replace("MORE", "own.second = 2;"))
    assert verdict(written, "no-error", tmp_path, engine) == "holds"


OWN = Case(
    """
    struct at { int place, step; } at = { 0, 1 };
    int seen;
    void left(void)
    {
        struct kind { int kind; union { int number; int *pointer; } as; } own[2], copy;
        own[1].kind = 5;
        at.place = 1;
        copy = own[at.place];
        seen = 1 / (copy.kind + at.step);
    }
    void right(void) { at.place = 1; }
    """,
    ("left", "right"),
    shared=("at=direct",),
)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_no_other_thread_sees_is_copied_as_a_whole(engine: Engine, tmp_path: Path) -> None:
    assert verdict(OWN, "no-error", tmp_path, engine) == "holds"


PASSED = Case(
    """
    #include <assert.h>
    struct pair { int first, second; } pairs[2];
    int at;
    static struct pair both(int n) { struct pair made = { n, n }; return made; }
    static struct pair now(void) { return pairs[at]; }
    static int sum(struct pair p) { return p.first + p.second; }
    void left(void) { at = 1; pairs[at] = both(1); }
    void right(void) { int n = sum(pairs[at]), m = sum(now()); assert(n SEEN 1 && m != 7); }
    """,
    ("left", "right"),
    shared=("pairs=direct", "at=direct"),
)


@pytest.mark.parametrize("engine", ENGINES)
def test_structs_are_passed_and_returned_number_by_number(engine: Engine, tmp_path: Path) -> None:
    # Half of it may have been written.
    found = checked(replace(PASSED, code=PASSED.code.replace("SEEN", "!=")), "no-error", tmp_path, engine)
    assert found.answer.verdict.value == "violated"
    assert "store(left.pairs[1].first, 1)" in actions(found)
    other = replace(PASSED, code=PASSED.code.replace("n SEEN 1", "n >= 0 && n <= 2"))
    assert verdict(other, "no-error", tmp_path, engine) == "holds"


@pytest.mark.parametrize(
    ("declared", "used", "message"),
    [
        ("int x[3]", "int *p = x; *p = 1;", "pointers lead to it"),
        ("int x[300]", "x[0] = 1;", "consists of 300 numbers"),
        ("struct { int a : 3; } x", "x.a = 1;", "bit-fields"),
        ("union { int a; char b; } x", "x.a = 1;", "union"),
        ("struct { volatile int a; } x", "x.a = 1;", "volatile"),
    ],
)
def test_what_cannot_be_shared_in_parts_is_refused(declared: str, used: str, message: str, tmp_path: Path) -> None:
    case = Case(f"{declared}; void left(void) {{ {used} }} void right(void) {{ {used} }}", ("left", "right"))
    with pytest.raises(InputError, match=message):
        setting_of(replace(case, shared=("x=direct",)), tmp_path)
