"""Functions without a body on abstract values: what they may return, and where they may write."""

from __future__ import annotations

from pathlib import Path

from tests.explore.extracting import Words, explored

ENDS = tuple(f"exit == {n} => end({n})" for n in range(4))


def words(folder: Path, code: str, map: str, bounds: tuple[tuple[str, str], ...] = ()) -> Words:
    model = explored(folder, code, map, ENDS, bounds=bounds).model
    assert not model.partial
    return Words(model)


def test_a_record_is_returned_of_which_nothing_is_known(tmp_path: Path) -> None:
    code = "struct r { int a; char b[3]; } g; struct r f(void); int main(void) { g = f(); return g.b[1] == 7; }"
    found = words(tmp_path, code, "var g.b : part(7, 8) array;")
    assert found.has(("end(0)",))
    assert found.has(("end(1)",))


def test_one_of_the_arguments_is_returned_whatever_that_may_point_to(tmp_path: Path) -> None:
    code = """int get(void); int *which(const int *p, const int *q); int x, y, z, *table[2] = {&x, &y};
    int main(void) { *which(table[get()], &z) = 1; return x ? 1 : y ? 2 : z ? 3 : 0; }"""
    found = words(tmp_path, code, "var x : int; var y : int; var z : int;", (("which()", "{p, q}"),))
    assert all(found.has((f"end({n})",)) for n in (1, 2, 3))


def test_what_is_written_through_any_pointer_may_be_anywhere(tmp_path: Path) -> None:
    code = """int *where(void); void set(int *place); int x, y, *p = &x;
    int main(void) { set(where()); return y ? 2 : x == 1; }"""
    found = words(tmp_path, code, "var x : part(0, 1, 2); var y : int;", (("set.place", "1"),))
    assert found.has(("end(0)",))
    assert found.has(("end(1)",))
    assert not found.has(("end(2)",))  # nothing ever has the address of `y`
