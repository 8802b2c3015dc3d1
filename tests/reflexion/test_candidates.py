"""State-variable candidates: what is one, how much depends on it, where it decides, and its ranges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.state_functions import product_states
from stateglass.cli.exits import Exit
from stateglass.frontend import read_program
from stateglass.reflexion.candidates import Candidate, counter_states, scan
from stateglass.source import InputError
from tests.cli.running import stateglass


def candidates(text: str, folder: Path, *functions: str) -> dict[str, Candidate]:
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    program = read_program((str(path),)).program
    return {c.name: c for c in scan(program, functions or tuple(program.own_functions)).candidates}


def conditions(candidate: Candidate) -> list[str]:
    return [r.condition for r in candidate.invariants]


TIMER = "int t;\nvoid process_20ms(void) {\n  if (t > 0) { t--; }\n}\n"


def test_the_timer(tmp_path: Path) -> None:
    found = candidates(TIMER, tmp_path)
    assert list(found) == ["t"]
    assert conditions(found["t"]) == ["t <= 0", "t > 0"]
    [use] = found["t"].uses
    assert (use.span.line, use.condition, use.direct) == (3, "t > 0", True)
    # The branch, and the assignment.
    assert found["t"].effect_size == 2


@pytest.mark.parametrize(
    ("declaration", "body", "found"),
    [
        ("int v;", "if (v) v = 0;", True),
        ("static int v;", "if (v) v = 0;", True),
        ("", "static int v; if (v) v = 0;", True),
        ("int v;", "v = 1; if (v) v = 0;", False),  # always written first
        ("int v;", "if (in) v = 1; if (v) o = 1;", True),  # written first on one path only
        ("int v;", "v = v + in;", False),  # decides nothing
        ("int v;", "int l = v * 2; v = in; if (l > 3) o = 1;", True),  # indirectly
        ("int v;", "int l; if (v) l = 1; else l = in; v = l; ", True),
        ("", "int v = in; if (v) v = 0;", False),  # local
        ("const int v = 3;", "if (v) o = 1;", False),
        ("volatile int v;", "if (v) v = 0;", False),  # an input each time
        ("int v[3];", "if (v[in & 1]) v[0] = 0;", True),
        ("double v;", "if (v > 0.5) v -= 1;", True),
        ("int *v;", "if (v) v = 0;", True),
        ("int v;", "switch (v) { case 1: v = 2; break; default: v = 1; }", True),
        ("int v;", "while (v > 3) v--;", True),
        ("int v;", "o = in && v; v = in;", True),  # `&&` decides whether to look
        ("int v;", "if (in) return; v = 0; if (v) o = 1;", False),
        ("int v; static void set(void) { v = 1; }", "set(); if (v) o = 1;", False),
        ("int v; static int get(void) { return v; }", "if (get()) v = 0;", True),
        ("int v; int g(void);", "if (g()) v = 0;", False),
    ],
)
def test_the_criteria(declaration: str, body: str, found: bool, tmp_path: Path) -> None:
    text = f"int o;\n{declaration}\nvoid f(int in) {{ {body} }}"
    names = {name.removeprefix("f::").removesuffix("[]") for name in candidates(text, tmp_path, "f")} - {"o"}
    assert names == ({"v"} if found else set())


def test_what_is_only_read_is_marked(tmp_path: Path) -> None:
    found = candidates("int a, b; void f(void) { if (a) b = 1; if (b) b = 2; }", tmp_path)
    assert {name: c.written for name, c in found.items()} == {"a": False, "b": True}


def test_they_are_sorted_by_effect_and_then_by_name(tmp_path: Path) -> None:
    text = """
int small, z, a, large, o;
void f(int in) {
  if (small) small = 0;
  if (z) { z = 0; o = 1; }
  if (a) { a = 0; o = 2; }
  if (large) { if (in) o = 3; o = 4; large = 0; }
}"""
    found = candidates(text, tmp_path)
    assert list(found) == ["large", "a", "z", "small"]
    assert [c.effect_size for c in found.values()] == [5, 3, 3, 2]


def test_members_behind_pointers_are_named_by_the_way_to_them(tmp_path: Path) -> None:
    text = """
enum mode { IDLE, RUN };
struct timer { int left; };
struct ctx { enum mode mode; struct timer *timer; };
static void tick(struct timer *t) { if (t->left > 0) t->left--; }
void f(struct ctx *self) {
  if (self->mode == IDLE) self->mode = RUN;
  tick(self->timer);
}"""
    found = candidates(text, tmp_path, "f")
    assert {name for name, c in found.items() if c.written} == {"self->mode", "self->timer->left"}
    assert found["self->mode"].through == "self"
    assert conditions(found["self->mode"])[:2] == ["self->mode == IDLE", "self->mode == RUN"]
    assert conditions(found["self->timer->left"]) == ["self->timer->left <= 0", "self->timer->left > 0"]


@pytest.mark.parametrize(
    ("declaration", "body", "expected"),
    [
        ("static enum e { A, B } v;", "if (v == A) v = B;", ["v == A", "v == B", "v != A && v != B"]),
        ("static _Bool v;", "if (v) v = in;", ["!v", "v"]),
        ("static int v;", "if (!v) v = 1; else v = 0;", ["v == 0", "v != 0"]),
        ("static int v;", "if (v == 1) v = 2; else if (v == 2) v = 5;", [*(f"v == {n}" for n in (0, 1, 2, 5)), "rest"]),
        (
            "static int v;",
            "switch (v) { case 1: v = 2; break; case 2: v = 1; }",
            ["v == 0", "v == 1", "v == 2", "rest"],
        ),
        ("static unsigned v;", "if (v > 0) v--;", ["v == 0", "v > 0"]),
        ("static int v, max;", "if (v < max) v++; max = max;", ["v < max", "v == max", "v > max"]),
        ("static int v;", "int copy = v; if (copy > 3) v = 0; else v++;", ["v <= 3", "v > 3"]),
        ("static int v;", "v++; if (v >= 10) v = 0;", ["v < 10", "v >= 10"]),
        ("static double v;", "if (v > 0.5) v -= 1;", ["v <= 0.5", "v > 0.5", "v != v"]),
        ("static float v;", "if (v > 0.1f) v -= 1;", ["v <= 0.1f", "v > 0.1f", "v != v"]),
        ("static int *v;", "if (v) v = 0;", ["v == 0", "v != 0"]),
        (
            "#define A 4\n#define B 7\nint v;",
            "switch (v) { case A: v = B; break; case B: v = A; }",
            ["v == 0", "v == A", "v == B", "rest"],
        ),
        ("int v;\n#define AT_END (v == 4)", "if (AT_END) v = 0;", ["v == 4", "v != 4"]),
        ("int v;\n#define END 4 // of all\n#define AT_END v == END", "if (AT_END) v = 0;", ["v == 4", "v != 4"]),
        ("#define A 4\nint v;", "if (v < A) v++; else v = 0;", ["v < A", "v >= A"]),
        (
            "typedef void step(void); static void a(void); static void b(void) {} static step *v = b;"
            "static void a(void) { v = b; }",
            "v(); if (in) v = a;",
            ["v == b", "v == a", "v != b && v != a"],
        ),
    ],
)
def test_ranges(declaration: str, body: str, expected: list[str], tmp_path: Path) -> None:
    found = candidates(f"{declaration}\nvoid f(int in) {{ {body} }}", tmp_path, "f")
    shown = conditions(found["v"])
    if expected[-1] == "rest":
        expected = [*expected[:-1], " && ".join(e.replace("==", "!=") for e in expected[:-1])]
    assert shown == expected


def test_the_product_of_ranges_is_states_with_names(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "enum m { IDLE, RUN }; static enum m state, last; static _Bool open; static int t, w[2];\n"
        "void f(int in) { if (state == IDLE && open) state = RUN; if (t > 0) t--; if (last == RUN) last = state;\n"
        " open = in; if (w[in & 1]) w[1] = 0; }",
        encoding="utf-8",
    )
    program = read_program((str(path),)).program
    states = product_states(program, "f", ["state", "t"])
    assert states[:3] == [
        ("IDLE, t <= 0", "state == IDLE && t <= 0"),
        ("IDLE, t > 0", "state == IDLE && t > 0"),
        ("RUN, t <= 0", "state == RUN && t <= 0"),
    ]
    assert len(states) == 6
    assert product_states(program, "f", ["open"]) == [("!open", "!open"), ("open", "open")]
    both = product_states(program, "f", ["state", "last"])
    assert both[0] == ("state == IDLE, last == IDLE",) * 1 + ("state == IDLE && last == IDLE",)
    assert len({name for name, _ in both}) == 9
    assert product_states(program, "f", ["w[1]"]) == [("w[1] == 0", "w[1] == 0"), ("w[1] != 0", "w[1] != 0")]
    for names, message in (
        (["stat"], "`f` does not read a `stat`"),
        (["w[]"], "`w[]` is all elements of an array"),
        ([], "no variable is named whose ranges are to be the states"),
    ):
        with pytest.raises(InputError) as caught:
            product_states(program, "f", names)
        assert caught.value.diagnostics[0].message == message
    with pytest.raises(InputError) as caught:
        product_states(program, "f", ["stat", "lst"])
    assert len(caught.value.diagnostics) == 2
    with pytest.raises(InputError):
        product_states(program, "g", ["state"])


@pytest.mark.parametrize(
    ("name", "message", "help"),
    [
        ("ev", "`ev` is a parameter of `step`: it has no value between two calls", "`assume`"),
        ("v.a", "`v` is a parameter of `step`: it has no value between two calls", "`assume`"),
        ("p", "`p` is a parameter of `step`: it has no value between two calls", "what it points to has: `p->a`"),
        ("p.a", "`step` does not read a `p.a`", "did you mean"),
        ("p->b", "`step` does not read a `p->b`", "`p->a`"),
        ("now", "`now` is a local variable of `step`: it does not live between two calls", "`step::st`"),
        ("g", "`g` is more than one value", "name a part of it, such as `g.a`, `g.in[0]`"),
        ("g.in", "`g.in` is more than one value", "name a part of it, such as `g.in[0]`"),
    ],
)
def test_what_has_no_ranges_is_told_why(name: str, message: str, help: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "struct s { int a, b, in[2]; } g;\n"
        "void step(int ev, struct s *p, struct s v) {\n"
        "  static int st; int now = ev;\n"
        "  if (now > 3 || v.a || g.a > 3 || g.in[ev & 1] > 3 || p->a > 3) g.a = 0;\n"
        "  if (st) st--;\n"
        "}\n",
        encoding="utf-8",
    )
    program = read_program((str(path),)).program
    with pytest.raises(InputError) as states:
        product_states(program, "step", [name])
    with pytest.raises(InputError) as counter:
        counter_states(program, "step", name, "3")
    assert states.value.diagnostics == counter.value.diagnostics
    [problem] = states.value.diagnostics
    assert problem.message == message
    assert help in problem.help
    assert product_states(program, "step", ["st"]) == [("st == 0", "st == 0"), ("st != 0", "st != 0")]


@pytest.mark.parametrize(
    ("condition", "direct"),
    [
        ("k++ > 3", True),
        ("++k > 3", True),
        ("(n ? k : 2) > 3", True),
        ("3 < k-- + n", True),
        ("k++ + k > 3", True),
        ("(k += 2) > 3", True),
        ("twice(k) > 3", False),
        ("old > 3", False),
    ],
)
def test_a_condition_decides_directly_on_what_stands_in_it(condition: str, direct: bool, tmp_path: Path) -> None:
    text = (
        f"int k, n, m;\nint twice(int x) {{ return 2 * x; }}\nvoid f(void) {{ int old = k; if ({condition}) k = m; }}\n"
    )
    found = candidates(text, tmp_path, "f")
    assert {use.direct for use in found["k"].uses if use.condition == condition} == {direct}


def test_the_states_of_a_counter(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int c; unsigned u; int max; void f(void) { if (c < max) c++; if (u < 3) u++; }", encoding="utf-8")
    program = read_program((str(path),)).program
    assert [condition for _, condition in counter_states(program, "f", "c", "10")] == [
        "c < 0",
        "c == 0",
        "c > 0 && c < 10",
        "c == 10",
        "c > 10",
    ]
    assert [name for name, _ in counter_states(program, "f", "u", "max")] == [
        "u == 0",
        "0 < u < max",
        "u == max",
        "u > max",
    ]
    for c in range(-3, 4):
        for limit in range(-3, 4):
            states = [s for _, s in counter_states(program, "f", "c", "max")]
            assert sum(bool(eval(s.replace("&&", "and"), {"c": c, "max": limit})) for s in states) == 1
    with pytest.raises(InputError):
        counter_states(program, "f", "d", "max")


def test_names_are_those_that_expressions_have(tmp_path: Path) -> None:
    text = "void f(int in) { { static int x; if (x > 3) x = in; } { static int x; if (x < 2) x = in; } }"
    assert set(candidates(text, tmp_path)) == {"f::x~1", "f::x~2"}
    one, other = tmp_path / "one.c", tmp_path / "other.c"
    one.write_text("static int x; void g(void); void f(int in) { if (x) x = in; g(); }", encoding="utf-8")
    other.write_text("static int x; void g(void) { if (x) x = 0; }", encoding="utf-8")
    program = read_program((str(one), str(other))).program
    assert {c.name for c in scan(program, ["f"]).candidates} == {"x", "x@other.c"}
    assert {c.name for c in scan(program, ["g"]).candidates} == {"x"}


# ---- the command


@pytest.mark.usefixtures("here")
def test_the_command() -> None:
    Path("timer.c").write_text(TIMER, encoding="utf-8")
    ran = stateglass("scan", "timer.c")
    assert ran.status is Exit.OK
    assert ran.err == "process_20ms: 1 state-variable candidate\n"
    assert ran.out == (
        "process_20ms may keep its state in\n"
        "  name  effect  decides at  ranges\n"
        "  t          2  3: t > 0    t <= 0\n"
        "                            t > 0\n"
    )
    ran = stateglass("scan", "timer.c", "--function", "process_20ms", "--format", "json")
    [found] = json.loads(ran.out)["candidates"]
    assert found["name"] == "t"
    assert found["effect_size"] == 2
    assert found["invariants"] == ["t <= 0", "t > 0"]
    assert found["uses"][0]["line"] == 3


@pytest.mark.usefixtures("here")
def test_nothing_found_has_a_status_of_its_own() -> None:
    Path("plain.c").write_text("int twice(int x) { return x > 3 ? 2 * x : x; }", encoding="utf-8")
    ran = stateglass("scan", "plain.c")
    assert ran.status is Exit.NOTHING_TO_CHECK
    assert "no state-variable candidate" in ran.err
    assert stateglass("scan", "plain.c", "--function", "thrice").status is Exit.BAD_INPUT


@pytest.mark.usefixtures("here")
def test_code_that_is_not_looked_at_is_said() -> None:
    Path("odd.c").write_text('int t; void f(void) { if (t) t = 0; __asm__("mov %0, 1" : "=r"(t)); }', encoding="utf-8")
    ran = stateglass("scan", "odd.c")
    assert ran.status is Exit.INCONCLUSIVE
    assert "partial: there may be more, for odd.c:1" in ran.err


@pytest.mark.usefixtures("here")
def test_lines_keep_within_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"a_rather_long_name_of_a_variable_{n}" for n in range(3)]
    tests = " ".join(f"if ({n} > 10 && {n} < 20 && in * {n} < 100 + {n} * 12) {n} = 3;" for n in names)
    Path("wide.c").write_text(f"static int {', '.join(names)}; void f(int in) {{ {tests} }}", encoding="utf-8")
    ran = stateglass("scan", "wide.c")
    assert ran.status is Exit.OK
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_elements_are_told_apart_by_what_they_are_compared_with(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "int a[3]; struct { signed char x[2]; } s;\n"
        "void f(int i) { if (a[0] > a[1]) a[1] = a[0]; if (s.x[1] == a[2]) a[2] = i; if (a[i] == a[1]) a[0] = i; }\n",
        encoding="utf-8",
    )
    program = read_program((str(path),)).program
    states = {name: [c for _, c in product_states(program, "f", [name])] for name in ("a[0]", "a[1]", "a[2]", "s.x[1]")}
    assert states["a[0]"] == ["a[0] < a[1]", "a[0] == a[1]", "a[0] > a[1]"]
    assert states["a[1]"] == ["a[1] < a[0]", "a[1] == a[0]", "a[1] > a[0]"]
    assert states["a[2]"] == ["a[2] < s.x[1]", "a[2] == s.x[1]", "a[2] > s.x[1]"]
    assert states["s.x[1]"] == ["s.x[1] < a[2]", "s.x[1] == a[2]", "s.x[1] > a[2]"]


def test_members_of_a_union_are_candidates(tmp_path: Path) -> None:
    code = "union { int i; unsigned char by[4]; float f; } un;\nvoid g(void) { if (un.i == 7) un.i = 0; }\n"
    found = candidates(code, tmp_path)
    assert list(found) == ["un.i"]
    assert conditions(found["un.i"]) == ["un.i == 7", "un.i != 7"]
    assert found["un.i"].written


def test_members_of_an_anonymous_union_are_candidates(tmp_path: Path) -> None:
    code = "struct { int k; union { int i; unsigned u; }; } v[2];\nvoid g(int n) { if (v[n].i > 3) v[n].u = 0; }\n"
    found = candidates(code, tmp_path)
    assert list(found) == ["v[].i", "v[].u"]
    assert conditions(found["v[].i"]) == ["v[].i <= 3", "v[].i > 3"]


def test_a_union_behind_a_pointer_is_a_candidate(tmp_path: Path) -> None:
    code = (
        "struct S { union { int i; float f; } un; union { struct S *next; long n; } link; };\n"
        "void g(struct S *s) { if (s->un.i == 7) s->un.i = 0; if (s->link.next->un.f > 1) s->un.i = 2; }\n"
    )
    assert {"s->un.i", "s->un.f", "s->link.next"} <= set(candidates(code, tmp_path))


def test_a_member_of_a_union_can_be_the_states(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("union { int i; char c[4]; } un; void g(void) { if (un.i == 7) un.i = 0; }\n")
    program = read_program((str(tmp_path / "a.c"),)).program
    assert [name for name, _ in product_states(program, "g", ["un.i"])] == ["un.i == 7", "un.i != 7"]


def test_a_state_that_callers_keep_is_guessed(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "enum s { A, B };\nenum s next(int ev, enum s now) { return ev ? B : now; }\n"
        "int twice(int x) { return x ? 2 * x : 0; }\n",
        encoding="utf-8",
    )
    program = read_program((str(path),)).program
    assert scan(program, ["next", "twice"]).handed == (("next", "now"),)
    for name, advised in (("now", True), ("ev", False)):
        with pytest.raises(InputError) as caught:
            product_states(program, "next", [name])
        assert (f"`{name} = next(…)`" in caught.value.diagnostics[0].help) is advised
