"""Data dependence: random functions against searches along all paths, random C programs against their compiled runs."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.frontend import read_program
from stateglass.program import (
    VOID,
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Branch,
    Constant,
    Expression,
    Function,
    Global,
    Int,
    Jump,
    Load,
    Local,
    Place,
    Program,
    Return,
    Target,
    Terminator,
    Variable,
    successors,
)
from stateglass.program.dependence import Dependences, Influence, Leaf, RootKind
from stateglass.program.dependence.graphs import control_dependence, with_end
from stateglass.program.validator import check_program

INT = Int(32, True)
NAMES = "abc"
Point = tuple[int, int]  # block and index of a node in it


# ---- random functions against the definitions


@st.composite
def functions(draw: st.DrawFn) -> Function:
    """Blocks of assignments to three globals and a local, with any jumps."""
    count = draw(st.integers(1, 6))
    places: list[Place] = [*(Global(n, INT) for n in NAMES), Local("l", INT)]
    place = st.sampled_from(places)
    loads = place.map(lambda p: Load(p, INT))
    sums = st.tuples(loads, loads).map(lambda two: Binary(BinaryOperator.ADD, two[0], two[1], INT))
    values: st.SearchStrategy[Expression] = st.one_of(st.just(Constant(1, INT)), loads, sums)
    block = st.integers(0, count - 1)
    ends: st.SearchStrategy[Terminator] = st.one_of(
        st.builds(Jump, block), st.builds(Branch, loads, block, block), st.just(Return(None))
    )
    blocks = [
        Block(tuple(draw(st.lists(st.builds(Assign, place, values), max_size=3))), draw(ends)) for _ in range(count)
    ]
    return Function("f", VOID, (), (Local("l", INT),), tuple(blocks))


def program_of(function: Function) -> Program:
    target = Target("x86_64-linux-gnu", 8, 32, False)
    return Program(target, (), {}, {}, {n: Variable(n, INT) for n in NAMES}, {"f": function}, {})


def reads(node: object) -> set[str]:
    match node:
        case Assign(_, value):
            return _names(value)
        case Branch(condition):
            return _names(condition)
        case _:
            return set()


def _names(value: Expression) -> set[str]:
    match value:
        case Load(Global(name) | Local(name)):
            return {name}
        case Binary(_, left, right):
            return _names(left) | _names(right)
        case _:
            return set()


def written(node: object) -> str | None:
    return node.place.name if isinstance(node, Assign) and isinstance(node.place, Global | Local) else None


def node_at(function: Function, point: Point) -> object:
    block = function.blocks[point[0]]
    return (*block.statements, block.terminator)[point[1]]


def following(function: Function, point: Point) -> list[Point]:
    block = function.blocks[point[0]]
    if point[1] < len(block.statements):
        return [(point[0], point[1] + 1)]
    return [(s, 0) for s in successors(block.terminator)]


def seen_from(function: Function, starts: list[Point], name: str) -> set[Point]:
    """Nodes that read a variable on some path from some points on which nothing is written to it before."""
    found: set[Point] = set()
    seen: set[Point] = set()
    todo = list(starts)
    while todo:
        point = todo.pop()
        if point in seen:
            continue
        seen.add(point)
        node = node_at(function, point)
        if name in reads(node):
            found.add(point)
        if written(node) != name:
            todo += following(function, point)
    return found


def sliced(function: Function, name: str) -> set[Point]:
    """All that depends on what a variable holds at entry, by the definitions."""
    blocks = [successors(b.terminator) for b in function.blocks]
    ended = with_end(blocks)
    control = control_dependence(ended)
    deciding = {(n, len(b.statements)): n for n, b in enumerate(function.blocks)}
    found = seen_from(function, [(0, 0)], name)
    todo: list[Point | int] = list(found)
    loops: set[int] = set()
    reached = points(function)
    while todo:
        item = todo.pop()
        new: set[Point] = set()
        if isinstance(item, tuple):
            target = written(node_at(function, item))
            if target is not None:
                new |= seen_from(function, following(function, item), target)
        decision = item if isinstance(item, int) else deciding.get(item)
        if decision is not None:
            for number, parents in enumerate(control):
                if decision in parents and number < ended.given:
                    new |= {p for p in reached if p[0] == number}
                elif decision in parents and number != ended.end and number not in loops:
                    loops.add(number)
                    todo.append(number)
        todo += new - found
        found |= new
    return found & reached


def points(function: Function) -> set[Point]:
    seen: set[Point] = set()
    todo: list[Point] = [(0, 0)]
    while todo:
        point = todo.pop()
        if point not in seen:
            seen.add(point)
            todo += following(function, point)
    return seen


def numbered(function: Function) -> list[Point]:
    return [(n, i) for n, b in enumerate(function.blocks) for i in range(len(b.statements) + 1)]


@settings(max_examples=500, deadline=None)
@given(functions())
def test_slices_are_as_defined(function: Function) -> None:
    program = program_of(function)
    check_program(program)
    found = {str(i.leaf): i for i in Dependences(program, ["f"]).influences("f")}
    places = numbered(function)
    for name in NAMES:
        first = seen_from(function, [(0, 0)], name)
        expected = {p for p in sliced(function, name) if not isinstance(node_at(function, p), Jump)}
        influence = found.get(name)
        if influence is None:
            assert not expected
            assert not first
            continue
        assert {places[n.index] for n in influence.dependent} == expected
        assert influence.first_read == bool(first)
        stores = {p for p in points(function) if written(node_at(function, p)) == name}
        ends = [p for p in points(function) if isinstance(node_at(function, p), Return)]
        assert influence.written == any(_arrives(function, p, name, ends) for p in stores)
        decisions = {places[n.index] for n in influence.decided}
        direct = {p for p in first if isinstance(node_at(function, p), Branch)}
        assert direct <= decisions <= {p for p in expected if isinstance(node_at(function, p), Branch)}


def _arrives(function: Function, store: Point, name: str, ends: list[Point]) -> bool:
    """Whether what is stored may still be there when the function returns."""
    seen: set[Point] = set()
    todo = following(function, store)
    while todo:
        point = todo.pop()
        if point in ends:
            return True
        if point not in seen and written(node_at(function, point)) != name:
            seen.add(point)
            todo += following(function, point)
    return False


# ---- random C programs against what they do when they run

HEAD = """\
struct pair { int x, y; };
union both { int whole; short half[2]; };
int a, b, c, d, list[3];
struct pair p, q, *at = &p;
union both u;
static int *spot = &b;
static int get(struct pair *r) { return r->x > 3 ? r->y : a; }
static void put(int *target, int value) { if (value & 1) *target = value; }
static void fix(int *target, int value) { *target = value; }
static int sum(const int *items, int count) { int s = 0; for (int i = 0; i < count; i++) s += items[i]; return s; }
static void swap(struct pair *one, struct pair *other) { struct pair t = *one; *one = *other; *other = t; }
static int more(int x) { return x + 1; }
static int less(int x) { return x > c ? c : x; }
static int (*const ways[2])(int) = { more, less };
static int down(int n) { if (n <= 0) return d; b ^= n; return down(n - 1) + 1; }
static void leave(int n) { if (n > 5) return; while (n < 5) { n++; q.y += n; } }
"""
CELLS = ("a", "b", "c", "d", "list[0]", "list[1]", "list[2]", "p.x", "p.y", "q.x", "q.y", "u.whole")


def random_program(seed: int) -> str:
    pick = random.Random(seed)
    scalars = ["a", "b", "c", "d", "p.x", "p.y", "q.x", "q.y", "list[0]", "list[a & 1]", "at->x", "*spot", "u.whole"]
    scalars += ["u.half[1]", "l", "m"]

    def value() -> str:
        one, two = pick.choice(scalars), pick.choice([*scalars, "1", "3"])
        calls = [
            f"get(&{pick.choice('pq')})", f"sum(list, {pick.randrange(4)})", f"ways[{one} & 1]({two})",
            f"down({one} & 3)", "get(at)",
        ]  # fmt: skip
        return pick.choice([one, two, f"({one} ^ {two})", f"({one} & {two})", f"({one} > {two})", pick.choice(calls)])

    def statements(depth: int) -> Iterator[str]:
        for _ in range(pick.randrange(1, 4)):
            kind = pick.randrange(9 if depth < 3 else 5)
            if kind < 3:
                yield f"{pick.choice(scalars)} = {value()};"
            elif kind == 3:
                call = f"{pick.choice(['put', 'fix'])}(&{pick.choice(scalars)}, {value()});"
                yield call.replace("&u.half[1]", "&u.whole")
            elif kind == 4:
                yield pick.choice(["swap(&p, &q);", "swap(at, &q);", "q = *at;", f"leave({value()});", "spot = &c;"])
            elif kind in (5, 6):
                yield f"if ({value()}) {{"
                yield from statements(depth + 1)
                yield "} else {"
                yield from statements(depth + 1)
                yield "}"
            elif kind == 7:
                yield f"for (int i = 0; i < 3; i++) {{ if ({value()}) break;"
                yield from statements(depth + 1)
                yield "}"
            else:
                yield f"switch ({value()} & 3) {{ case 0: "
                yield from statements(depth + 1)
                yield "break; case 1: "
                yield from statements(depth + 1)
                yield f"default: if ({value()} > 6) return; }}"

    body = "\n".join(statements(0))
    return f"{HEAD}void step(void) {{ int l = 0, m = 1;\n{body}\n{body if pick.random() < 0.3 else ''} d ^= l & m; }}\n"


def accessors() -> str:
    stores = " ".join(f"case {n}: {cell} = v; break;" for n, cell in enumerate(CELLS))
    loads = " ".join(f"case {n}: return {cell};" for n, cell in enumerate(CELLS))
    start = "at = &p; spot = &b;"
    setting = f"void set(int n, int v) {{ {start} switch (n) {{ {stores} }} }}"
    return f"{setting} int look(int n) {{ switch (n) {{ {loads} }} return 0; }}"


def cells_of(leaf: Leaf, named: set[int]) -> list[int]:
    """The cells that a leaf stands for; one that is reached only through pointers has no name of its own."""
    name = str(leaf)
    if leaf.root.kind is not RootKind.GLOBAL:
        return [n for n, cell in enumerate(CELLS) if n not in named and cell.endswith(leaf.pattern)]
    return [n for n, cell in enumerate(CELLS) if cell == name or cell.startswith((f"{name}.", name.replace("[]", "[")))]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="it needs gcc")
@pytest.mark.parametrize("seed", range(24))
def test_what_does_not_depend_on_a_variable_does_not_change_with_it(seed: int, tmp_path: Path) -> None:
    text = random_program(seed)
    source, library = tmp_path / "step.c", tmp_path / "step.so"
    source.write_text(text, encoding="utf-8")
    (tmp_path / "all.c").write_text(text + accessors(), encoding="utf-8")
    subprocess.run(
        ["gcc", "-w", "-O1", "-fwrapv", "-fPIC", "-shared", "-o", library, tmp_path / "all.c"], check=True, timeout=60
    )
    flows = Dependences(read_program((str(source),)).program, ["step"]).flows("step")
    leaves = {*flows, *(leaf for inputs in flows.values() for leaf in inputs)}
    named = {n for leaf in leaves if leaf.root.kind is RootKind.GLOBAL for n in cells_of(leaf, set())}
    depends: dict[int, set[int]] = {n: {n} for n in range(len(CELLS))}
    for leaf, inputs in flows.items():
        for target in cells_of(leaf, named):
            for given_leaf in inputs:
                depends[target] |= set(cells_of(given_leaf, named))
    code = ctypes.CDLL(str(library))
    pick = random.Random(seed)
    for _ in range(300):
        before = [pick.choice([0, 1, 2, 3, 4, 5, 7, -1]) for _ in CELLS]
        one = run(code, before)
        for changed in range(len(CELLS)):
            other = run(code, [v ^ 5 if n == changed else v for n, v in enumerate(before)])
            wrong = [CELLS[n] for n in range(len(CELLS)) if one[n] != other[n] and changed not in depends[n]]
            assert not wrong, f"{wrong} changed with {CELLS[changed]}\n{text}"


def run(code: ctypes.CDLL, before: list[int]) -> list[int]:
    for n, value in enumerate(before):
        code.set(n, value)
    code.step()
    return [code.look(n) for n in range(len(CELLS))]


# ---- what the analysis must not lose, and what it need not add


def influences(text: str, folder: Path, function: str = "f") -> dict[str, Influence]:
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    program = read_program((str(path),)).program
    return {str(i.leaf): i for i in Dependences(program, [function]).influences(function)}


def lines(influence: Influence) -> list[int]:
    return sorted({place.node.span.line for place in influence.decided})


def test_a_decision_in_a_callee_counts_as_the_callers(tmp_path: Path) -> None:
    text = "static int s, o;\nstatic void g(int k)\n{ if (s > k)\n o = 1; }\nvoid f(int in) {\n g(in); s = 0; }"
    found = influences(text, tmp_path)
    assert lines(found["s"]) == [3]
    assert found["s"].first_read
    assert found["s"].written
    assert "o" not in found or not found["o"].first_read


def test_what_a_callee_always_writes_is_not_read_before(tmp_path: Path) -> None:
    text = "static int s; int o; static void g(void) { s = 1; }\nvoid f(void) { g(); if (s) o = 1; }"
    assert "s" not in influences(text, tmp_path) or not influences(text, tmp_path)["s"].first_read
    text = "static int s; int o, k; static void g(void) { if (k) s = 1; }\nvoid f(void) { g(); if (s) o = 1; }"
    assert influences(text, tmp_path)["s"].first_read


def test_what_goes_in_at_one_call_does_not_come_out_at_another(tmp_path: Path) -> None:
    text = """
static int s, t, o, r;
static int same(int x) { return x; }
void f(void) { int a = same(s), b = same(t);
  if (a) o = 1;
  if (b) r = 1; }"""
    found = influences(text, tmp_path)
    assert lines(found["s"]) == [5]
    assert lines(found["t"]) == [6]


def test_the_value_of_a_condition_does_not_hang_on_why_it_is_looked_at(tmp_path: Path) -> None:
    text = "int s, o;\nvoid f(int in) {\n if (s) {\n int y = in + 1;\n if (y > 3) o = 1; } }"
    found = influences(text, tmp_path)
    assert lines(found["s"]) == [3]
    assert 5 in {place.node.span.line for place in found["s"].dependent}
    text = "int s, o;\nvoid f(int in) {\n int y = 0; if (s)\n y = in;\n if (y > 3) o = 1; }"
    assert lines(influences(text, tmp_path)["s"]) == [3, 5]


def test_members_behind_a_parameter_have_a_name(tmp_path: Path) -> None:
    text = """
struct c { int state, timer; };
static void tick(struct c *it) { if (it->timer > 0) it->timer--; }
void f(struct c *self, struct c *other) {
  if (self->state == 1) self->state = 2;
  tick(self); other->state = 0; }"""
    found = influences(text, tmp_path)
    assert found["(*self).state"].first_read
    assert lines(found["(*self).timer"]) == [3]
    text = "struct c { int state; }; int o; void f(struct c *s) { s->state = 1; if (s->state) o = 1; }"
    assert (
        not influences(text, tmp_path)["(*s).state"].first_read if "(*s).state" in influences(text, tmp_path) else True
    )


def test_two_parameters_may_lead_to_one_object(tmp_path: Path) -> None:
    text = "struct c { int s; }; int o;\nvoid f(struct c *a, struct c *b) { b->s = a->s;\n if (b->s) o = 1; }"
    assert lines(influences(text, tmp_path)["(*a).s"]) == [3]
    text = "struct c { int s; }; int o, k;\nvoid f(struct c *a, struct c *b) { a->s = 0; b->s = k;\n if (a->s) o = 1; }"
    assert lines(influences(text, tmp_path)["k"]) == [3]


def test_a_table_of_functions_is_a_decision(tmp_path: Path) -> None:
    text = "static int s, o; static void x(void) { o = 1; s = 1; } static void y(void) { s = 0; }\n"
    text += "static void (*const t[2])(void) = { x, y };\nvoid f(void) { t[s](); }"
    found = influences(text, tmp_path)
    assert lines(found["s"]) == [3]
    assert found["s"].written


def test_what_comes_after_a_call_that_may_end_the_program_depends_on_it(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint s, o; static void check(void) { if (s > 3) exit(1); }\n"
    text += "void f(void) { check();\n o = 1; }"
    assert 4 in {place.node.span.line for place in influences(text, tmp_path)["s"].dependent}


def test_recursion_ends(tmp_path: Path) -> None:
    text = """
int s, o, k;
static void even(int n); static void odd(int n) { if (n > 0) even(n - 1); else if (s) o = 1; }
static void even(int n) { if (n > 0) odd(n - 1); else k = s; }
void f(void) { even(k); }
void forever(void) { forever(); }"""
    found = influences(text, tmp_path)
    assert lines(found["s"]) == [3]
    assert not influences(text, tmp_path, "forever")


def test_a_pointer_may_have_been_set_by_code_that_is_not_reached(tmp_path: Path) -> None:
    text = "static int s, o; static void (*at)(void); static void x(void)\n{ if (s) o = 1; }\n"
    text += "void start(void) { at = x; }\nvoid f(void) { at(); }"
    assert 2 in lines(influences(text, tmp_path)["s"])
