"""Joined conditions: whatever is joined to whatever, they mean what they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import final

from hypothesis import example, given
from hypothesis import strategies as st

from stateglass.reflexion.joining import all_of, any_of

VALUES = ("(", ")", "'", "a && b", "x")
ATOMS = ("""c == '('""", """c != ')'""", """c == '\\''""", """d == "a && b\"""", """t[c == 'x' || c == '('] == d""")


@final
@dataclass(frozen=True)
class Tree:
    """A condition: words of its own, or several that are joined."""

    atom: str = ""
    is_all: bool = False
    parts: Sequence[Tree] = ()

    @property
    def text(self) -> str:
        return self.atom or (all_of if self.is_all else any_of)(part.text for part in self.parts)

    def holds(self, values: Mapping[str, object]) -> bool:
        if self.atom:
            return _read(self.atom, values)
        return (all if self.is_all else any)(part.holds(values) for part in self.parts)


def _read(text: str, values: Mapping[str, object]) -> bool:
    """Words as C reads them: `and` and `or` bind like `&&` and `||`, and neither is a part of a literal here."""
    quoted = text.replace('"a && b"', "'AB'")
    return bool(eval(quoted.replace("&&", " and ").replace("||", " or "), {}, dict(values)))


TREES = st.recursive(
    st.sampled_from(ATOMS).map(Tree),
    lambda inner: st.builds(Tree, st.just(""), st.booleans(), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)
ONE, OTHER, THIRD = (Tree(atom) for atom in ATOMS[:3])


@given(TREES)
@example(Tree("", True, [Tree("", False, [ONE, OTHER]), THIRD]))
@example(Tree("", True, [Tree("", True, [Tree("", False, [ONE, OTHER])]), Tree("", False, [OTHER, THIRD])]))
def test_joined_words_mean_what_they_were_made_of(tree: Tree) -> None:
    for c, d in product(VALUES, ("AB", "x")):
        values = {"c": c, "d": d, "t": ("x", "AB")}
        assert _read(tree.text, values) == tree.holds(values), tree.text


def test_there_are_no_brackets_that_nobody_needs() -> None:
    assert all_of(["a == 1"]) == "a == 1"
    assert all_of(["a || b"]) == "a || b"
    assert all_of(["a && b", "(c || d)", "e || f"]) == "a && b && (c || d) && (e || f)"
    assert any_of(["a || b", "f(c && d)", "e && f"]) == "a || b || f(c && d) || (e && f)"
    assert all_of(["b != 0 && a % b == 1", "b != 0 && a / b > 3"]) == "b != 0 && a % b == 1 && a / b > 3"
    assert any_of(["a && b || c", "c", "(d || e) && f"]) == "(a && b) || c || ((d || e) && f)"
    assert all_of([]) == any_of([]) == ""
