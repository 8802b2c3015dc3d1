"""Undefined behaviour on abstract values: shown wherever it is possible, if it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explore.extracting import explored

INPUTS = "#include <stdlib.h>\nint get(void); int *where(void);\n"

PAIR = "struct pair { int a, b; int c[1]; char d; } g; struct far { long space[600]; int last; } h;"
TWO_FAULTS = "int *p = 0; { int over = 1; if (get()) p = &over; }"

POSSIBLE = [
    ("int main(void) { return 100 / get(); }", "division"),
    ("int main(void) { return get() + 1; }", "overflow"),
    ("int main(void) { return -get(); }", "overflow"),
    ("int main(void) { return 1 << get(); }", "shift"),
    ("int a[3]; int main(void) { return a[get()]; }", "bounds"),
    ("int a[3]; int main(void) { int *p = a; return *(p + get()); }", "bounds"),
    ("int x; int main(void) { int *p = get() ? &x : 0; return *p; }", "null"),
    ("int x; int main(void) { return *where(); }", "null"),
    ("int x; int main(void) { *where() = 1; return 0; }", "null"),
    ("void f(void) {} int main(void) { void (*p)(void) = get() ? f : 0; p(); return 0; }", "null"),
    ("int x, y; int main(void) { int *p = get() ? &x : &y, *q = (int *)((char *)p - 4); return q < &x; }", "bounds"),
    ("int x; int main(void) { char *p = (char *)(get() ? &x : 0) - 4; return p < (char *)&x; }", "bounds"),
    ("int x; int main(void) { char *p = (char *)where() - 4; return p < (char *)&x; }", "bounds"),
    ("int x; int main(void) { char *p = (char *)&x - (get() ? 4 : 4); return (long)(get() ? p : 0) == 1; }", "bounds"),
    ("int x; int main(void) { int *p = get() ? &x : 0; p += get() & 1; return 0; }", "null"),
    ("int x; int main(void) { int *p = get() ? (int *)&main : 0; return *p; }", "null"),
    (f"{PAIR} int main(void) {{ struct pair *p = get() ? &g : 0; int *q = &p->b; return q != 0; }}", "null"),
    (f"{PAIR} int main(void) {{ struct pair *p = (void *)where(); int *q = &p->c[get()]; return q != 0; }}", "bounds"),
    (f"{PAIR} int main(void) {{ struct pair *p = (void *)where(); return p->c[1 / get()]; }}", "division"),
    (
        f"{PAIR} char b[14]; int main(void) {{ struct pair q = *(get() ? &g : (struct pair *)b); return q.a; }}",
        "bounds",
    ),
    (f"{PAIR} int main(void) {{ struct far *p = get() ? &h : 0; return p->last; }}", "null"),
    (f"{PAIR} int main(void) {{ struct far *p = get() ? &h : (struct far *)&g; return p->last; }}", "bounds"),
    (f"{PAIR} int main(void) {{ {TWO_FAULTS} return *p; }}", "dangling"),
    (f"{PAIR} int main(void) {{ {TWO_FAULTS} return *p; }}", "null"),
    ("int x; int main(void) { int (*p)(void) = get() ? 0 : (int (*)(void))&x; return p(); }", "call"),
    ("int main(void) { return (int)(double)get() + (int)(get() * 1e9); }", "overflow"),
]
IMPOSSIBLE = [
    "int main(void) { int x = get(); return x != 0 ? 100 / x : 0; }",
    "int a[3]; int main(void) { int x = get(); return x >= 0 && x < 3 ? a[x] : 0; }",
    "int main(void) { int x = get(); return x < 10 ? x + 1 : 0; }",
    "int x; int main(void) { int *p = get() ? &x : 0; return p != 0 ? *p : 0; }",
]
MAP = "fun main () { var x : part(-1, 0, 1, 3, 10); }"  # for those that have one


def errors(folder: Path, code: str, ub: str = "error", kinds: tuple[str, ...] = ()) -> set[str]:
    map = MAP if "int x = get()" in code else ""
    model = explored(folder, INPUTS + code, map, (), ub=ub, errors=kinds).model
    return {label for label in model.labels if label.startswith("error(")}


@pytest.mark.parametrize(("code", "kind"), POSSIBLE)
def test_what_is_possible_is_shown(tmp_path: Path, code: str, kind: str) -> None:
    assert f"error({kind})" in errors(tmp_path, code)


@pytest.mark.parametrize("code", IMPOSSIBLE)
def test_what_the_values_rule_out_is_not_shown(tmp_path: Path, code: str) -> None:
    assert not errors(tmp_path, code)


@pytest.mark.parametrize(("code", "kind"), POSSIBLE)
def test_nothing_is_shown_when_such_runs_are_left_out(tmp_path: Path, code: str, kind: str) -> None:
    assert not errors(tmp_path, code, ub="ignore")


def test_what_wraps_is_no_error(tmp_path: Path) -> None:
    assert not errors(tmp_path, "int main(void) { return get() + 1; }", ub="wrap")
    assert errors(tmp_path, "int main(void) { return 100 / get(); }", ub="wrap") == {"error(division)"}


def test_only_the_kinds_that_are_asked_for(tmp_path: Path) -> None:
    code = "int a[3]; int main(void) { return a[get()] + 100 / get(); }"
    assert errors(tmp_path, code, kinds=("bounds",)) == {"error(bounds)"}


def test_a_run_goes_on_after_what_is_only_possible(tmp_path: Path) -> None:
    model = explored(
        tmp_path, INPUTS + "int main(void) { return 100 / get(); }", "", ("exit => end",), ub="error"
    ).model
    assert "end" in model.labels


@pytest.mark.parametrize(
    "code",
    [
        f"{PAIR} int main(void) {{ struct pair *p = get() ? &g : 0; int *q = &p->b; ok(); return 1; }}",
        "int main(void) { int *p = 0; p += get(); ok(); return 1; }",
        "int x; int main(void) { int *p = (int *)((char *)&x - 4); p += get(); ok(); return 1; }",
        "int x; int main(void) { char *p = (char *)&x - 4; x = (get() ? p : (char *)&x) < (char *)&x; ok(); }",
        "struct s { int a[5]; }; int main(void) { struct { long b; struct s s; } x = {0}; struct s y;"
        "char *p = (char *)&x.s - 16; y = *(struct s *)(p + (get() ? 16 : 16)); ok(); return 1; }",
    ],
)
def test_a_run_goes_on_with_the_pointers_that_are_fine(tmp_path: Path, code: str) -> None:
    model = explored(tmp_path, f"{INPUTS}void ok(void); {code}", "", ("call ok => ok",), ub="error").model
    assert "ok" in model.labels


def test_an_init_function_that_may_fail_is_shown(tmp_path: Path) -> None:
    code = "int x, y = 2; void init(void) { x = 100 / y; } int step(void) { return x; }"
    model = explored(
        tmp_path, code, "var y : part(5);", ("call init => init",), ub="error", functions=("step",), init="init"
    ).model
    assert {"init", "error(division)"} <= set(model.labels)


def test_heap_objects_of_unknown_size_may_hold_anything(tmp_path: Path) -> None:
    code = """struct s { int *q; }; void ok(void);
    int main(void) { int *p = malloc(4); struct s *s = malloc(sizeof *s); s->q = p; *s->q = 5;
      if (*p == 5) ok(); free(p); return 1; }"""
    for map in ("", "fun malloc () { var size : free; }"):
        model = explored(tmp_path, INPUTS + code, map, ("call ok => ok", "exit == 1 => end")).model
        assert not model.partial
        assert {"ok", "end"} <= set(model.labels)
