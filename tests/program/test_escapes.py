"""Which locals may be pointed to after their lives: too few would hide dangling pointers, too many only cost time."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.frontend import read_program
from stateglass.program.escapes import Escapes

DECLARATIONS = """
struct pair { int *first, *second; };
static int *kept;
static struct pair held;
static int *same(int *p) { return p; }
static void store(int *p) { kept = p; }
static void pass_on(int n, int *p) { if (n) pass_on(n - 1, p); else store(p); }
static int look(const int *p) { return *p + (p > kept); }
static int *through(int n, int *p) { return n ? through(n - 1, p) : same(p); }
static int many(int n, ...) { return n; }
void outside(int *p);
"""


def escapes(body: str, folder: Path) -> Escapes:
    path = folder / "program.c"
    path.write_text(f"{DECLARATIONS}\n{body}\n")
    return Escapes(read_program((str(path),)).program)


@pytest.mark.parametrize(
    ("statement", "outlives"),
    [
        ("kept = &x;", True),
        ("int *p = &x; int *q = p + 1; kept = q;", True),
        ("kept = same(&x);", True),
        ("int *p = through(2, &x); kept = p;", True),
        ("store(&x);", True),
        ("pass_on(2, &x);", True),
        ("many(1, &x);", True),
        ("void (*f)(int *) = store; f(&x);", True),
        ("struct pair s = {&x, 0}; held = s;", True),
        ("struct pair s; struct pair *p = &s; p->first = &x; held = s;", True),
        ("kept = (int *)((unsigned long)&x + 4);", True),
        ("int **p = &kept; *p = &x;", True),
        ("return &x;", True),
        ("return through(1, &x);", True),
        ("int *p = &x; *p = 1;", False),
        ("look(&x);", False),
        ("int *p = same(&x); *p = 2;", False),
        ("outside(&x);", False),
        ("kept = &x == kept ? kept : 0;", False),
        ("struct pair s = {&x, 0}; *s.first = 3;", False),
    ],
)
def test_what_outlives_a_call(statement: str, outlives: bool, tmp_path: Path) -> None:
    found = escapes(f"int *f(void) {{ int x = 1; {statement} return 0; }}", tmp_path).outliving("f")
    assert ("x" in found) == outlives


@pytest.mark.parametrize(
    ("loop", "reborn"),
    [
        ("for (int i = 0; i < 3; i++) { int x = i; if (p) n += *p; p = &x; }", True),
        ("again: { int x = n; if (p) return; p = &x; } goto again;", True),
        ("for (int i = 0; i < 3; i++) { int x = i; n += look(&x); }", False),
        ("{ int x = 1; p = &x; }", False),
    ],
)
def test_what_lives_again_while_it_is_pointed_to(loop: str, reborn: bool, tmp_path: Path) -> None:
    found = escapes(f"void f(void) {{ int *p = 0, n = 0; {loop} }}", tmp_path).reborn("f")
    assert ("x" in found) == reborn
