"""Found conditions are read as C again and asked before calls that the reference semantics runs: both must agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import final

import pytest

from stateglass.evidence import ReflexionModel
from stateglass.explore.cells.memory import Object
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Exiting, Failing, Returning, Stable
from stateglass.frontend import read_program
from stateglass.program import Program, is_scalar
from stateglass.program.floats import FORMATS, from_python
from stateglass.program.probes import Probe
from stateglass.reflexion import probes_of
from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.reflexion.notation import load_machine, source_files
from stateglass.reflexion.reflecting import Limits, reflect
from stateglass.source import Span, Words
from stateglass.values import Concrete

Value = int | float | str
"""A number, or the name of the variable that a pointer leads to."""
INT_MAX = 2**31 - 1
EDGES = (-INT_MAX - 1, -INT_MAX, -7, -1, 0, 1, 2, 3, 4, 7, 10, 11, INT_MAX - 1, INT_MAX)
LONGS = (-(2**63), -(2**62), -11, 0, 5, 11, 2**62, 2**63 - 1)
NAN, INFINITE = float("nan"), float("inf")


@final
@dataclass(frozen=True)
class Example:
    """A function `step`, and the values that variables and parameters may have. The states are those of `s`."""

    name: str
    code: str
    values: dict[str, tuple[Value, ...]]
    assumed: str = "1"


EXAMPLES = (
    Example("floats", "float t; void step(void) { if (t > 3.5f) s = 1; else if (t <= -2.25f) s = 2; }",
            {"t": (0.0, -0.0, 3.5, 3.6, -2.25, -2.5, NAN, INFINITE, -INFINITE)}),
    Example("floats_and_doubles", "float t; double d; void step(void) { if (t < 0.1) s = 1; else if (d == t) s = 2; }",
            {"t": (0.0, 0.1, 0.25, NAN), "d": (0.0, 0.1, 0.25, NAN, INFINITE)}),
    Example("computed_floats",
            "float t; int n; void step(void) { if (t * n - 1 > 2.5f) s = 1; else if (-t != n / 2.0) s = 2; }",
            {"t": (0.0, 1.5, -1.5, 1e30, NAN), "n": (0, 1, 3, -3, INT_MAX)}),
    Example("truncated_float", "float t; void step(void) { s = (int)t == 2; }",
            {"t": (0.0, 2.0, 2.9, -0.5, 2147483648.0, -2147483648.0, -2147484160.0, 2147483520.0, NAN, INFINITE)}),
    Example("division", "int a, b; void step(void) { s = a / b > 3; }", {"a": EDGES, "b": EDGES}),
    Example("guarded_division", "int a, b; void step(void) { if (b > 0 && a % b == 2) s = 1; }",
            {"a": EDGES, "b": EDGES}),
    Example("index", "int t[4]; void step(int i) { s = t[i] > 2; }", {"t[1]": (0, 3), "t[3]": (0, 3), "i": EDGES}),
    Example("index_of_many", "struct { signed char v; } t[6]; void step(unsigned char i) { s = t[i].v > 2; }",
            {"t[0].v": (0, 3), "t[1].v": (0, 3), "t[5].v": (0, 3), "i": (*range(8), 255)}),
    Example("index_before", "int t[5]; void step(int i) { if (i > 0 && i < 6 && t[i - 1] == 7) s = 1; }",
            {"t[0]": (0, 7), "t[3]": (0, 7), "t[4]": (0, 7), "i": (*EDGES, 5, 6)}),
    Example("sum", "int a, b; void step(void) { if (a + b > 10) s = 1; }", {"a": EDGES, "b": EDGES}),
    Example("difference", "int a, b; void step(void) { if (a - b > 10) s = 1; }", {"a": EDGES, "b": EDGES}),
    Example("product", "int a, b; void step(void) { if (a * b > 10) s = 1; }", {"a": EDGES, "b": EDGES}),
    Example("unsigned_product", "unsigned long long k; unsigned n;"
            " void step(void) { if (0xC96C5795D7870F43ull * k == 0xC96C5795D7870F43ull) s = 1;"
            " else if (n * 0x9E3779B9u == 0x9E3779B9u) s = 2; }",
            {"k": (0, 1, 2, 2**63), "n": (0, 1, 2, 2**31)}),
    Example("negation", "int a; void step(void) { if (-a > 10) s = 1; }", {"a": EDGES}),
    Example("long_sum", "long long a, b; void step(void) { if (a + b > 10) s = 1; }", {"a": LONGS, "b": LONGS}),
    Example("long_difference", "long long a, b; void step(void) { if (a - b > 10) s = 1; }", {"a": LONGS, "b": LONGS}),
    Example("guarded_sum",
            "int a, b; void step(void) { if (a >= 0 && a < 100 && b > -9 && b < 9 && a + b > 7) s = 1; }",
            {"a": (*EDGES, 99, 100), "b": EDGES}),
    Example("shifted_one", "void step(int i) { s = (1 << i) > 8; }", {"i": (*EDGES, 29, 30, 31, 32)}),
    Example("shifted_number", "int n; void step(void) { if (n << 4 == 32) s = 1; }",
            {"n": (*EDGES, 134217727, 134217728)}),
    Example("shifted_count", "unsigned u; void step(int i) { s = u << i == 16; }",
            {"u": (0, 1, 2, 16, 2**31), "i": (-1, 0, 1, 3, 4, 31, 32)}),
    Example("signed_bits", "struct { int x : 3; unsigned y : 5; } f; void step(void) { f.x++; f.y += 3;"
            " if (f.x > 1) s = 1; else if (f.y > 20) s = 2; }",
            {"f.x": tuple(range(-4, 4)), "f.y": tuple(range(32))}),
    Example("narrow",
            "signed char c; unsigned char u; void step(void) { c += 3; u--; if (c < 0) s = 1; if (u > 9) s = 2; }",
            {"c": (*range(-128, 128, 5), 124, 125, 126, 127, -3, -2), "u": (0, 1, 9, 10, 11, 255)}),
    Example("several_of_two", "int n; void step(int v, int w) { if ((n == 1 || n == 7) && (v > 2 || w < 0)) s = 1; }",
            {"n": (0, 1, 2, 7, 8), "v": (0, 2, 3), "w": (-1, 0, 1)}),
    Example("brackets_in_quotes",
            "char c; int n; void step(int v) { if ((c == '(' || c == '\\'' || n > v) && (n == 4 || v == 3)) s = 1;"
            " else if (c == ')' && (n < 0 || v < n)) s = 2; }",
            {"c": (*b"'()", 0), "n": (-1, 0, 3, 4, 5), "v": (-1, 0, 2, 3, 4)}),
    Example("pointer", "int x, t[2], *p; void step(void) { if (!p) s = 1; else if (p == &t[1]) s = 2; }",
            {"p": ("", "x", "t[0]", "t[1]", "s")}),
    Example("behind_a_pointer", "struct n { int v; struct n *next; } a, b, *head;"
            " void step(void) { s = head->v > 3; head = head->next; }",
            {"head": ("", "a", "b"), "a.v": (3, 4), "b.v": (3, 4), "a.next": ("", "b"), "b.next": ("", "a")}),
    Example("two_pointers", "int x, y, *p, *q; void step(void) { if (p == q) s = 1; else if (p != &y) s = 2; }",
            {"p": ("", "x", "y"), "q": ("", "x", "y")}),
    Example("function_pointer", "void on(void) {} void off(void) {} void (*f)(void) = on; void take(void) { f = off; }"
            " void step(void) { s = f == on ? 1 : f == off ? 2 : 0; }", {"f": ("", "on", "off")}),
)  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_conditions_hold_when_a_transition_is_taken_and_only_then(example: Example, tmp_path: Path) -> None:
    hypothesis, program = read(example, tmp_path)
    model = reflect(program, hypothesis, Limits())
    assert [e for e in model.edges if e.in_code and (e.condition is None or not e.condition.exact)] == []
    found = [e for e in model.edges if e.condition is not None]
    texts = [e.condition.text for e in found if e.condition is not None]
    probes = [
        Probe(f"%found.{n}", Words("1" if t == "always" else t, Span.at("found")), "step") for n, t in enumerate(texts)
    ]
    asked = read_program(source_files(hypothesis), probes=(*probes_of(hypothesis), *probes))
    assert asked.warnings == ()
    running = Running(asked.program, example)
    seen = set()
    for values in product(*example.values.values()):
        source, target, holding = running.call(dict(zip(example.values, values, strict=True)), len(found))
        seen.add((source, target))
        for number, edge in enumerate(found):
            if edge.source == source:
                assert (number in holding) == (edge.target == target), (texts[number], edge.target, target, values)
    assert seen == {(e.source, e.target) for e in found}, "the values do not show all transitions"


def read(example: Example, folder: Path) -> tuple[Hypothesis, Program]:
    (folder / "code.c").write_text(f"int s;\n{example.code}\n", encoding="utf-8")
    states = "".join(f"  state S{n}: s == {n}\n" for n in range(3))
    text = f'machine M of step in "code.c"\n  assume s == 0 && ({example.assumed})\n{states}'
    (folder / "m.machine").write_text(text, encoding="utf-8")
    hypothesis = load_machine(str(folder / "m.machine"))
    return hypothesis, read_program(source_files(hypothesis), probes=probes_of(hypothesis)).program


@final
class Running:
    """Calls `step` with some values, and asks the conditions before."""

    def __init__(self, program: Program, example: Example) -> None:
        self._program = program
        self._machine = Machine(program, Concrete())
        self._start = self._machine.snapshot(Stable())
        self._parameters = [p.name for p in program.functions["step"].parameters]

    def call(self, values: dict[str, Value], conditions: int) -> tuple[str, str, set[int]]:
        machine = self._machine
        machine.restore(self._start)
        for name, value in values.items():
            if name not in self._parameters:
                self._set(name, value)
        self._set("s", 0)
        arguments = [values[p] for p in self._parameters]
        before = machine.snapshot(Stable())
        holding = set()
        for number in range(conditions):
            pause = machine.start(f"%found.{number}", arguments)
            assert isinstance(pause, Returning), "a condition has no meaning"
            holding |= {number} if pause.value else set()
            machine.restore(before)
        match machine.start("step", arguments):
            case Failing():
                target = "error"
            case Exiting():
                target = "exit"
            case Returning():
                target = self._state()
            case other:
                raise AssertionError(other)
        return "S0", target, holding

    def _state(self) -> str:
        place = self._machine.globals["s"]
        value = self._machine.cells[place.first]
        return f"S{value}" if value in (0, 1, 2) else "other"

    def _set(self, name: str, value: Value) -> None:
        owner, cell = self._cell(name)
        type = owner.shape[cell].type
        if isinstance(value, str):
            value = self._address(value)
        elif isinstance(value, float):
            value = from_python(value, FORMATS[24 if owner.shape[cell].width == 32 else 53])
        assert is_scalar(type)
        self._machine.cells[owner.first + cell] = value

    def _cell(self, name: str) -> tuple[Object, int]:
        base = name.split(".")[0].split("[")[0]
        owner = self._machine.globals[base]
        return owner, next(n for n, c in enumerate(owner.shape) if c.path == name[len(base) :])

    def _address(self, name: str) -> int:
        if not name:
            return 0
        if name in self._program.functions:
            return self._machine.known.address(name)
        owner, cell = self._cell(name) if "[" in name else (self._machine.globals[name], 0)
        return owner.address + owner.shape[cell].position // 8


def test_each_edge_without_a_condition_says_why(tmp_path: Path) -> None:
    example = Example("hard", "unsigned a, b; void step(void) { s = a * b * a == 77777 && b % a == 9; }", {})
    hypothesis, program = read(example, tmp_path)
    for limits in (Limits(questions=0), Limits(questions=2), Limits(effort=1), Limits(effort=300)):
        assert_reasons(reflect(program, hypothesis, limits))


def assert_reasons(model: ReflexionModel) -> None:
    assert model.edges
    for edge in model.edges:
        assert (edge.condition is None) == (edge.unfound != ""), edge
        if edge.condition is not None and not edge.condition.exact:
            assert edge.condition.note
            assert edge.condition.example is not None
