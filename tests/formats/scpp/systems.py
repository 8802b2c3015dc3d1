"""Systems whose specifications are tried: the examples, and small classes that use what objects consist of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from stateglass.options import ExtractOptions
from stateglass.options.settings import settings
from tests.test_objects import ACTUATOR, options_of

DOOR: Final = """
struct Door { bool open(); void close(); };
struct House {
    Door door;
    int n = 0;
    bool in() { n = door.open(); return n; }
    void out() { door.close(); n = 0; }
};
"""
DOOR_PROCESS: Final = """D=
D = (call(open) -> (return(open, true) -> O | creak -> return(open, false) -> D) | wind -> D | call(close) -> ERROR),
O = (call(close) -> return(close) -> D | call(open) -> return(open, true) -> O).
"""
FIELDS: Final = """
enum class Colour { Red, Green = 5 };
struct Tank {
    int level = 1;
    Colour colour = Colour::Red;
    unsigned char small = 0;
    bool on;
    Colour next() { colour = colour == Colour::Red ? Colour::Green : Colour::Red; return colour; }
    unsigned char add(unsigned char by) { small += by; return small; }
};
"""
SHAPES: Final = """
struct Shape { virtual int area() const = 0; virtual ~Shape() {} };
struct Square : Shape { int side = 2; int area() const override { return side * side; } };
struct Flat : Shape { int area() const override { return 0; } };
struct Error { int code; };
struct Deep : Error { Deep(int c) { code = c; } };
class Subject {
    Square square;
    Flat flat;
    Shape *now = &square;
    int count = 0;
    void deep(int n) { if (n == 0) throw Deep(7); deep(n - 1); }
public:
    void swap() { now = now == &square ? static_cast<Shape *>(&flat) : &square; }
    int area() { int a = now->area(); if (a == 0) throw Error{3}; return a / (a - 3); }
    int guarded() { try { deep(2); } catch (Error &e) { return e.code; } return 0; }
    int lambda(int x) { auto f = [&](int y) { count = y & 3; return x + y; }; return f(x * 2) % 5; }
    int over(int big) { return big + big; }
};
"""
LIST: Final = """
class Stack {
    struct Node { int value; Node *next; };
    Node *top = nullptr;
    int size = 0;
public:
    bool push(int v) { if (size == 2) return false; top = new Node{v, top}; size++; return true; }
    int pop() { if (!top) return -1; Node *n = top; int v = n->value; top = n->next; delete n; size--; return v; }
};
"""
REFERENCES: Final = """
class Swap {
    int kept = 0;
public:
    void exchange(int &v) { int old = kept; kept = v; v = old; }
    bool same(const int &v) const { return v == kept; }
};
"""
CONSTRUCTED: Final = """
enum class Way { Down = 1, Up };
class Counter {
    int most, now;
public:
    Counter(int limit, Way way, const int &first) : most(way == Way::Up ? limit : first), now(first) {}
    bool up() { if (now == most) throw now; now++; return now == most; }
    void set(int &to) { if (to > most) throw 1L; int old = now; now = to; to = old; }
};
"""
Options = Callable[[Path], ExtractOptions]


def _of(source: str, name: str, **more: Any) -> Options:
    def options(folder: Path) -> ExtractOptions:
        file = folder / "code.cpp"
        file.write_text(source, encoding="utf-8")
        return replace(settings({"files": (str(file),), "of_class": name}, None, None)[0], **more)

    return options


_PLATFORM: Final = ("suspension", "platform")
SYSTEMS: Final[dict[str, Options]] = {
    "actuator": lambda _: options_of("actuator"),
    "platform": lambda _: options_of(*_PLATFORM),
    "level": lambda _: options_of("suspension", "level"),
    "gate": lambda _: options_of("gate"),
    "locks": lambda _: replace(options_of("locks"), flags=("-DCOUNT=1",)),
    "processes": lambda _: replace(
        options_of(*_PLATFORM),
        members=("act1=process Actuator", "act2=process Actuator"),
        processes=(f"Actuator={ACTUATOR}",),
    ),
    "stubs": lambda _: replace(
        options_of(*_PLATFORM), members=("act1=stub", "act2=stub"), bounds=(("Actuator.move()", "-1..1"),)
    ),
    "door": _of(DOOR, "House", members=("door=process D",), processes=(DOOR_PROCESS,)),
    "fields": _of(FIELDS, "Tank", bounds=(("Tank.level", "0..1"), ("Tank.add.by", "{0, 128}"))),
    "shapes": _of(SHAPES, "Subject", bounds=(("lambda.x", "-2..2"), ("over.big", "{1, 2000000000}"))),
    "list": _of(LIST, "Stack", bounds=(("push.v", "0..1"),)),
    "made in one way": _of(
        CONSTRUCTED,
        "Counter",
        bounds=(("Counter.limit", "2"), ("Counter.first", "1"), ("Counter.way", "{Up}"), ("set.to", "{0, 3}")),
    ),
    "made in several ways": _of(
        CONSTRUCTED, "Counter", bounds=(("Counter.limit", "1..2"), ("Counter.first", "0..1"), ("set.to", "0"))
    ),
    "references": _of(REFERENCES, "Swap", bounds=(("exchange.v", "0..1"), ("same.v", "0..1"))),
}
