"""Cases of the elements of an array as one: for each value of the variable it says what the case said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stateglass.reflexion.folding import FEWEST, runs

WORDS = st.sampled_from(
    ["t[{0}] > 3", "t[{0}] > 4", "t[{1}] > 3", "p->t[{0}].x == 0 && u[5] > 1", "v > 3", "m[2][{0}]"]
)


@given(st.dictionaries(st.integers(0, 12), WORDS, max_size=13))
def test_each_value_says_what_its_case_said(chosen: dict[int, str]) -> None:
    cases = {value: text.format(value, value + 1) for value, text in chosen.items()}
    found = runs(cases, "i")
    values = [value for first, last, _ in found for value in range(first, last + 1)]
    assert len(set(values)) == len(values)
    for first, last, text in found:
        assert last - first + 1 >= FEWEST
        for value in range(first, last + 1):
            read = text.replace("[i]", f"[{value}]").replace("[i + 1]", f"[{value + 1}]")
            assert read.replace("[i - 1]", f"[{value - 1}]") == cases[value]


def test_elements_in_a_row_are_one_case() -> None:
    cases = {n: f"t[{n}] > 3" for n in (*range(4), 7, 8, 9, 11)}
    assert runs(cases, "i") == [(0, 3, "t[i] > 3"), (7, 9, "t[i] > 3")]
    assert runs({n: f"t[{n + 1}] == 0" for n in range(5)}, "n") == [(0, 4, "t[n + 1] == 0")]
    assert runs({0: "t[0] > 3", 1: "t[1] > 3"}, "i") == []
