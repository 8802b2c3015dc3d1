"""A map that does not make a model finite: the budget ends it, and names the variables whose values keep growing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explore.extracting import explored

INPUTS = "int get(void); void put(int value);\n"
LOOP = "int main(void) { unsigned n = 0, m = 0; for (;;) { m = (m + 1) % 3; if (get()) n++; put(1); } }"


def reason(folder: Path, code: str, map: str, most: int = 1000) -> str:
    model = explored(folder, INPUTS + code, map, (), max_states=most).model
    assert model.states == most
    return model.origin.partial[0]


def test_a_local_whose_bounds_drift_apart(tmp_path: Path) -> None:
    said = reason(tmp_path, LOOP, "fun main () { var n : minmax; var m : mod(3); }")
    assert said.startswith("stopped at 1,000 states (--max-states); values keep growing in number: `main::n` (")
    assert "`main::m`" not in said


def test_a_global_beside_it(tmp_path: Path) -> None:
    code = "unsigned total; int main(void) { unsigned n = 0; for (;;) { if (get()) n++; else total++; put(1); } }"
    said = reason(tmp_path, code, "var total : int; fun main () { var n : int; }", 2000)
    assert "`main::n`" in said
    assert "`total`" in said


def test_variables_of_functions_that_wait(tmp_path: Path) -> None:
    code = "void say(void) { put(1); } int main(void) { for (unsigned n = 0;; n++) { if (get()) say(); } }"
    assert "growing in number: `main::n`" in reason(tmp_path, code, "fun main () { var n : int; }")


def test_what_is_large_but_finite_does_not_grow(tmp_path: Path) -> None:
    steps = " ".join(f"if (get()) {name} = ({name} + 1) % 3;" for name in "abcdef")
    code = f"unsigned char a, b, c, d, e, f; int main(void) {{ for (;;) {{ {steps} put(1); }} }}"
    map = " ".join(f"var {name} : int;" for name in "abcdef")
    assert "most values so far: `a` (3), `b` (3), `c` (3)" in reason(tmp_path, code, map, 4000)


def test_a_parameter_has_no_more_values_for_being_in_many_places(tmp_path: Path) -> None:
    steps = " ".join(f"if (get()) {name} = ({name} + 1) % 3;" for name in "abcdef")
    calls = "say(1); say(1, 2); say(1, 2, 3); say(1, 2, 3, 4); say(1, 2, 3, 4, 5);"
    code = (
        f"void say(int n, ...) {{ put(n); }} char a, b, c, d, e, f; int main(void) {{ for (;;) {{ {steps} {calls} }} }}"
    )
    map = " ".join(f"var {name} : int;" for name in "abcdef")
    assert "`say::n`" not in reason(tmp_path, code, map, 4000)


@pytest.mark.parametrize(
    ("code", "map", "said"),
    [
        ("struct s { int a; unsigned n; } s; int main(void) { LOOP(s.n++) }", "var s.n : int;", "`s.n` ("),
        (
            "struct s { struct { unsigned n; } in[2]; }; int main(void) { struct s s = {0}; LOOP(s.in[1].n++) }",
            "fun main () { var s.in[].n : minmax; }",
            "`main::s.in[1].n` (",
        ),
        ("unsigned a[8]; int main(void) { LOOP(a[3]++) }", "var a : int array;", "`a[3]` ("),
        (
            "void f(void) { static unsigned n; n++; } int main(void) { LOOP(f()) }",
            "fun f () { var n : int; }",
            "`f::n` (",
        ),
        ("void f(unsigned n) { put(1); f(n + 1); } int main(void) { f(0); }", "fun f () { var n : int; }", "`f::n` ("),
        ("char b[1000]; int main(void) { char *p = b; LOOP(p++) }", "", "`main::p` ("),
    ],
)
def test_wherever_the_variable_is(tmp_path: Path, code: str, map: str, said: str) -> None:
    loop = "#define LOOP(step) for (;;) { if (get()) step; put(1); }\n"
    assert f"; values keep growing in number: {said}" in reason(tmp_path, loop + code, map, 300)


def test_an_array_of_which_each_element_has_few_values(tmp_path: Path) -> None:
    code = "unsigned a[8]; int main(void) { unsigned i = 0; for (;;) { if (get()) a[i]++; i = (i + 1) % 8; put(1); } }"
    said = reason(tmp_path, code, "var a : int array; fun main () { var i : int; }")
    assert "; most values so far: `a` (" in said


@pytest.mark.parametrize(
    ("code", "deepest"),
    [
        ("void f(void) { put(1); if (get()) f(); put(2); } int main(void) { f(); }", "f"),
        (
            "void g(void); void f(void) { put(1); if (get()) g(); put(2); } void g(void) { if (get()) f(); put(3); }"
            "int main(void) { f(); }",
            "f",
        ),
    ],
)
def test_recursion_without_end(tmp_path: Path, code: str, deepest: str) -> None:
    assert f"; calls nest deeper and deeper: `{deepest}` (" in reason(tmp_path, code, "", 200)
    model = explored(tmp_path, INPUTS + code, "", (), max_depth=5).model
    assert "more than 5 deep (--max-depth)" in model.origin.partial[0]


def test_a_heap_that_fills_up(tmp_path: Path) -> None:
    code = (
        "#include <stdlib.h>\nstruct n { struct n *next; }; int main(void) { struct n *head = 0;"
        "for (;;) { struct n *x = malloc(sizeof *x); if (!x) return 1; x->next = head; head = x; put(get()); } }"
    )
    map = "fun malloc () { var size : free; }"
    assert "; objects on the heap become more and more (" in reason(tmp_path, code, map, 300)
    model = explored(tmp_path, INPUTS + code, map, ()).model
    assert "the pool for malloc is used up" in model.origin.partial[0]


def test_calls_that_are_only_so_deep_are_not_named(tmp_path: Path) -> None:
    calls = "void f0(void) { put(0); } " + " ".join(
        f"void f{n}(void) {{ f{n - 1}(); put({n}); }}" for n in range(1, 12)
    )
    code = f"{calls} unsigned n; int main(void) {{ for (;;) {{ n++; f11(); }} }}"
    said = reason(tmp_path, code, "var n : int;", 600)
    assert "`n` (" in said
    assert "deeper" not in said
