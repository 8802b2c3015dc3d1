"""Calls in tail position cost no frame, and nothing else can tell; other recursion ends by itself or at a bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.model import Model
from stateglass.operations.comparing import compare_models
from tests.explore.extracting import Words, explored

INPUTS = "int get(void); void put(int value);\n"


def model(folder: Path, code: str, map: str = "", rules: tuple[str, ...] = ("call put => put($1)",)) -> Model:
    return explored(folder, INPUTS + code, map, rules, max_depth=5, max_states=3000).model


@pytest.mark.parametrize(
    "code",
    [
        "void a(void); void b(void) { put(2); if (get()) a(); else b(); } void a(void) { put(1); b(); }"
        "int main(void) { a(); return 0; }",
        "void a(void) { put(1); if (get()) { a(); return; } put(2); { int k = get(); if (k) a(); } }"
        "int main(void) { a(); return 0; }",
        "int b(int n); int a(int n) { put(1); return b(!n); } int b(int n) { put(2); return n ? a(n) : b(n); }"
        "int main(void) { return a(0); }",
        "int a(int n); int (*next)(int) = a; int a(int n) { put(1); return next(n); }int main(void) { return a(1); }",
        "struct pair { int x, y; }; struct pair a(int n) { struct pair p = {n, 0}; put(1); return n ? a(get()) : p; }"
        "int main(void) { return a(1).y; }",
        "void a(int *p) { put(*p); *p = get() > 0; a(p); } int main(void) { int x = 1; a(&x); return 0; }",
        "void a(int n) { int x; int *p = &x; *p = n; put(x); a(get() > 0); } int main(void) { a(0); return 0; }",
        "int main(void) { put(1); return get() ? main() : 0; }",
    ],
)
def test_functions_that_call_each_other_for_ever_make_a_finite_model(tmp_path: Path, code: str) -> None:
    found = model(tmp_path, code)
    assert not found.partial
    assert found.states < 60
    assert Words(found).has(("put(1)",)) or Words(found).has(("put(top)",))


@pytest.mark.parametrize(
    ("code", "map"),
    [
        # what is pointed to must live on
        ("void b(int *p) { put(*p); } void a(int n) { int x = n; b(&x); } int main(void) { a(7); }", "x"),
        (
            "int *left; void b(void) { put(*left); } void a(int n) { int x = n; left = &x; b(); }"
            "int main(void) { a(7); }",
            "x",
        ),
        (
            "struct box { int *p; }; void b(struct box k) { put(*k.p); }"
            "void a(int n) { int x = n; struct box k = {&x}; b(k); } int main(void) { a(7); }",
            "x",
        ),
        (
            "void b(int **p) { put(**p); } void a(int n) { int x = n; int *q = &x; b(&q); } int main(void) { a(7); }",
            "x",
        ),
        # what comes back is what was returned
        ("int b(void) { return 7; } int a(int n) { return b(); } int main(void) { put(a(6)); }", ""),
        ("int b(void) { return 263; } char a(int n) { return b(); } int main(void) { put(a(6)); }", ""),
        (
            "struct s { int *x, y; }; int seven = 7; struct s b(int n) { struct s v = {&seven, n}; return v; }"
            "struct s a(int n) { return b(n); }"
            "int main(void) { struct s v = a(6); put(v.x == &seven ? 7 : 6); }",
            "",
        ),
        # arguments are computed before the frame is gone
        ("int a(int n, int m) { return n ? a(n - 1, n + m) : m; } int main(void) { put(a(3, 1)); }", "m"),
    ],
)
def test_nobody_can_tell(tmp_path: Path, code: str, map: str) -> None:
    words = model(tmp_path, code, f"fun a () {{ var n : int; {f'var {map} : int;' if map else ''} }}")
    assert not words.partial
    assert Words(words).has(("put(7)",))
    assert not Words(words).has(("put(6)",))


CALLS = (
    "int b(int n) { return n; } int a(int n) { return b(n); }"
    "void d(void) { put(4); } void c(void) { d(); } int main(void) { a(1); c(); return 0; }"
)


def test_calls_and_returns_keep_their_labels(tmp_path: Path) -> None:
    rules = tuple(f"{what} {f} => {what}_{f}" for f in "abcd" for what in ("call", "return"))
    words = Words(model(tmp_path, CALLS, "", rules))
    assert words.has(
        ("call_a", "call_b", "return_b", "return_a", "call_c", "call_d", "return_d", "return_c"),
    )


def test_a_return_that_is_shown_is_waited_for(tmp_path: Path) -> None:
    code = "void a(int n) { put(n); if (n) a(n - 1); } int main(void) { a(3); return 0; }"
    words = Words(model(tmp_path, code, "fun a () { var n : int; }", ("call a => down", "return a => up")))
    assert words.has(("down",) * 4 + ("up",) * 4)
    assert not words.has(("down",) * 4 + ("up",) * 5)
    assert not words.has(("down",) * 5)


def test_a_line_behind_a_call_is_still_a_line(tmp_path: Path) -> None:
    code = "void b(void) { put(1); }\nvoid a(void) {\nb();\nreturn;\n}\nint main(void) { a(); return 0; }"
    rules = ("call put => put", 'line "code.c":5 => after')  # one line before it is that of the declarations
    assert Words(model(tmp_path, code, "", rules)).has(("put", "after"))


def test_what_a_map_says_of_a_result_is_done_to_it(tmp_path: Path) -> None:
    code = "int b(void) { return 7; } int a(void) { return b(); } int main(void) { put(a()); }"
    words = Words(model(tmp_path, code, "fun a () : part(0); fun b () : free;"))
    assert words.has(("put([0..])",))
    assert not words.has(("put(7)",))


def test_a_watch_sees_the_variables_of_a_function_that_waits(tmp_path: Path) -> None:
    code = "int g; void b(void) { g = 2; } void a(int n) { b(); } int main(void) { a(1); return 0; }"
    words = Words(
        model(tmp_path, code, "var g : int; fun a () { var n : int; }", ("watch (a:n == 1 && g == 2) => both",))
    )
    assert words.has(("both",))


def test_recursion_may_end_by_itself(tmp_path: Path) -> None:
    code = "void a(int n) { if (n > 0) { a(n - 1); put(n); } } int main(void) { a(3); return 0; }"
    found = model(tmp_path, code, "fun a () { var n : int; }")
    assert not found.partial
    assert Words(found).has(("put(1)", "put(2)", "put(3)"))
    endless = model(tmp_path, code, "fun a () { var n : part(0, 1); }")
    assert endless.partial
    assert endless.origin.partial[0].startswith("a bound was reached: `a` calls itself more than 5 deep (--max-depth)")


def test_a_value_that_is_not_there_is_still_an_error(tmp_path: Path) -> None:
    code = "int b(int n) { if (n) return 1; } int a(int n) { return b(n); } int main(void) { a(0); put(1); }"
    found = explored(
        tmp_path, INPUTS + code, "fun a () { var n : int; } fun b () { var n : int; }", (), ub="error"
    ).model
    assert "error(uninitialised)" in found.labels


def test_frames_or_not_the_model_is_the_same(tmp_path: Path) -> None:
    code = (
        "int b(int n); int a(int n) { put(1); if (n > 0) return b(n); return n; }"
        "int b(int n) { put(2); return a(n - 1); } int main(void) { return a(2); }"
    )
    map = "fun a () { var n : int; } fun b () { var n : int; }"
    rules = ("call put => put($1)", "exit => end($0)")
    one = model(tmp_path, code, map, rules)
    other = model(tmp_path, code, map, (*rules, "return a => tau", "return b => tau"))
    assert one.states < other.states
    assert compare_models(one, other, "dpbranching").related is True
