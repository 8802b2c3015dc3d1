"""Which steps get which label: what is read, written and watched, at once or by way of indices and pointers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explore.extracting import Words, explored

INPUTS = "int get(void); void set(int *place); void put(int value);\n"


def words(folder: Path, code: str, map: str, *rules: str) -> Words:
    exploration = explored(folder, INPUTS + code, map, rules)
    assert not exploration.model.partial
    return Words(exploration.model)


def test_a_variable_that_the_code_does_not_look_at_is_watched_all_the_same(tmp_path: Path) -> None:
    code = "int main(void) { int x = get(); int y = get(); put(1); return 0; }"
    map = "fun main () { var x : part(5, 6); var y : part(7, 8); }"
    watches = ("watch (main:x == 5) => five", "watch (main:y == 7 && main:x == 5) => both", "call put => put")
    found = words(tmp_path, code, map, *watches)
    assert found.has(("five", "both", "put"))
    assert found.has(("five", "put"))
    assert found.has(("put",))
    assert not found.has(("both",))


def test_a_condition_on_what_has_no_value_yet_does_not_hold(tmp_path: Path) -> None:
    code = "int main(void) { int x, y; x = 1; y = 2; return x + y; }"
    found = words(
        tmp_path, code, "fun main () { var x : int; var y : int; }", "watch (main:y == 2) => two", "exit => end"
    )
    assert found.has(("two", "end"))
    assert not found.has(("end",))


def test_an_element_is_not_its_neighbour(tmp_path: Path) -> None:
    code = "struct { int x, y; } s; int a[3]; int main(void) { s.x = 1; s.y = 2; a[0] = 3; a[1] = 4; return 0; }"
    found = words(tmp_path, code, "", "write s.y => y", "write a[1] => one", "exit => end")
    assert found.has(("y", "one", "end"))
    assert not found.has(("y", "y"))
    assert not found.has(("y", "one", "one"))


def test_an_index_that_is_not_known_may_mean_the_element(tmp_path: Path) -> None:
    code = "int a[3]; int main(void) { a[get()] = 1; return 0; }"
    found = words(tmp_path, code, "", "write a[1] => one", "exit => end")
    assert found.has(("one", "end"))
    assert found.has(("end",))


@pytest.mark.parametrize("map", ["var x : int; fun main () { var k : int; }", "fun main () { var k : free; }"])
def test_writing_through_a_pointer_is_writing(tmp_path: Path, map: str) -> None:
    code = "int x; void three(int *p) { *p = 3; } int main(void) { int k = 0; three(&k); x = k; three(&x); return 0; }"
    found = words(tmp_path, code, map, "watch (main:k == 3) => k", "write x => x", "exit => end")
    assert found.has(("k", "x", "x", "end"))
    assert not found.has(("x",))
    assert not found.has(("k", "x", "end"))


def test_the_same_value_again_is_written_all_the_same(tmp_path: Path) -> None:
    code = "int x; int main(void) { int *p = &x; *p = 1; *p = 1; return 0; }"
    found = words(tmp_path, code, "var x : int;", "watch (x == 1) => one", "exit => end")
    assert found.has(("one", "one", "end"))
    assert not found.has(("one", "end"))


def test_a_function_outside_that_is_given_a_variable_writes_it(tmp_path: Path) -> None:
    code = "int main(void) { int k = 0; set(&k); return 0; }"
    rules = ("watch (main:k == 7) => seven", "exit => end")
    found = words(tmp_path, code, "fun main () { var k : part(7, 8); }", *rules)
    assert found.has(("seven", "end"))
    assert found.has(("end",))


def test_reads_and_lines_of_branches_calls_and_returns_are_shown(tmp_path: Path) -> None:
    code = "int x;\nint main(void) {\n if (x)\n  put(1);\n put(x);\n return 0;\n}"
    rules = ('line "code.c":6 => put', 'line "code.c":7 => last', "read x => read($0)", "exit => end")
    found = words(tmp_path, code, "var x : int;", *rules)
    assert found.has(("read(0)", "put", "last", "end"))
    assert not found.has(("put",))
    assert not found.has(("read(0)", "last"))


def test_calls_through_pointers_are_shown(tmp_path: Path) -> None:
    code = """void one(int v) { put(v); } void two(int v) { put(v); }
    int main(void) { void (*f)(int) = get() ? one : two; f(3); return 0; }"""
    found = words(tmp_path, code, "", "call one(3) => one", "call two => two($1)", "exit => end")
    assert found.has(("one", "end"))
    assert found.has(("two(3)", "end"))
    assert not found.has(("end",))


def test_a_rule_that_hides_a_step_hides_no_other(tmp_path: Path) -> None:
    code = "int x; int main(void) { x = get(); return 0; }"
    found = words(
        tmp_path, code, "var x : part(1, 2);", "watch (x == 1) => tau", "watch (x > 1) => more", "exit => end"
    )
    assert found.has(("more", "end"))
    assert found.has(("end",))


def test_what_a_function_outside_returns_is_told_apart_as_its_map_says(tmp_path: Path) -> None:
    code = "int main(void) { int x = get(); if (x < 0) put(1); return 0; }"
    rules = ("return get < 0 => negative", "return get >= 0 => other", "call put => put", "exit => end")
    found = words(tmp_path, code, "fun get () : part(0); fun main () { var x : part(0); }", *rules)
    assert found.has(("negative", "put", "end"))
    assert found.has(("other", "end"))
    assert not found.has(("other", "put"))
    assert not found.has(("negative", "end"))


def test_what_a_function_returns_is_kept_as_its_map_says(tmp_path: Path) -> None:
    code = "int five(void) { return 5; } int main(void) { int x = five(); if (x == 5) put(1); return 0; }"
    rules = ("call put => put", "exit => end")
    exactly = words(tmp_path, code, "fun main () { var x : int; }", *rules)
    assert not exactly.has(("end",))
    vaguely = words(tmp_path, code, "fun five () : top; fun main () { var x : int; }", *rules)
    assert vaguely.has(("end",))


def test_a_text_of_which_only_some_characters_are_known_is_shown_by_its_name(tmp_path: Path) -> None:
    code = 'void say(const char *text); char t[4] = "ab"; int main(void) { t[1] = get(); say(t); return 0; }'
    model = explored(tmp_path, INPUTS + code, "var t[0] : int; var t[2] : int;", ()).model
    assert "call(say, &t=97)" in model.labels


def test_a_condition_that_divides_by_what_may_be_zero_may_not_hold(tmp_path: Path) -> None:
    code = "int x; int main(void) { x = get(); return 0; }"
    found = words(tmp_path, code, "var x : part(0, 10);", "watch (10 / x >= -10) => w", "exit => end")
    assert found.has(("w", "end"))
    assert found.has(("end",))


def test_what_has_no_value_yet_is_not_asked_if_the_rest_decides(tmp_path: Path) -> None:
    code = "int main(void) { int x = get(); int y = 1; return y; }"
    rules = ("watch (main:x > 0 || main:y == 1) => w", "exit => end")
    found = words(tmp_path, code, "fun main () { var x : part(1); var y : int; }", *rules)
    assert found.has(("w", "w", "end"))
    assert found.has(("w", "end"))
    assert not found.has(("end",))


def test_pointers_of_which_several_targets_are_possible_are_compared_with_null(tmp_path: Path) -> None:
    code = """int a, b, *table[3] = {&a, &b, 0}; int *p; void use(int *q) {}
    int main(void) { p = table[get()]; use(p); return 0; }"""
    rules = ("watch (p == 0) => none", "call use(0) => use(null)", "call use(!= 0) => use", "exit => end")
    found = words(tmp_path, code, "", *rules)
    assert found.has(("none", "use(null)", "end"))
    assert found.has(("use", "end"))
    assert not found.has(("none", "use"))


def test_a_function_outside_writes_what_it_may_be_given(tmp_path: Path) -> None:
    code = "int a, b, *table[3] = {&a, &b, 0}; int main(void) { set(table[get()]); return a; }"
    maps = "var a : part(0, 1, 2); var b : int;"
    rules = ("exit == 0 => zero", "exit == 1 => one")
    found = Words(explored(tmp_path, INPUTS + code, maps, rules, bounds=(("set.place", "1"),)).model)
    assert found.has(("zero",))
    assert found.has(("one",))


@pytest.mark.parametrize(
    "code", ["int step(void) { n = !n; return n; }", "int f(void) { return n = !n; } int step(void) { return f(); }"]
)
def test_the_function_that_is_called_from_outside_returns_once(tmp_path: Path, code: str) -> None:
    rules = ("call step => go", "return step => back($0)")
    found = Words(explored(tmp_path, "int n; " + code, "var n : bool;", rules, functions=("step",)).model)
    assert found.has(("go", "back(1)", "go", "back(0)"))
    assert not found.has(("go", "back(1)", "back(1)"))


def test_an_init_function_that_a_rule_is_about_is_seen_once(tmp_path: Path) -> None:
    code = "int n; void init(void) { n = 1; } void step(void) { n = !n; }"
    rules = ("call init => begin", "return init => ready", "call step => go")
    found = Words(explored(tmp_path, code, "var n : bool;", rules, functions=("step",), init="init").model)
    assert found.has(("begin", "ready", "go"))
    assert not found.has(("begin", "ready", "ready"))


def test_what_nothing_points_to_is_not_written_through_pointers(tmp_path: Path) -> None:
    code = "int x, y; int main(void) { int *p = &y; if (get()) p = 0; set(p); *p = 1; x = 1; return 0; }"
    found = words(tmp_path, code, "var x : int; var y : int;", "write x => x", "write y => y", "exit => end")
    assert found.has(("y", "y", "x", "end"))
    assert not found.has(("x", "x"))
