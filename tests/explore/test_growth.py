"""A map that does not make a model finite: the budget ends it, and names the variables whose values keep growing."""

from __future__ import annotations

from pathlib import Path

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
