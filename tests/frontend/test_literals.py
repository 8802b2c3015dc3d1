"""String literals: what clang spells is read back as the units that were meant."""

from __future__ import annotations

from clang.cindex import CursorKind
from hypothesis import given
from hypothesis import strategies as st

from stateglass.frontend.clang import libclang
from stateglass.frontend.lowering.initialisers import text_of, unescape

WIDTHS = {"": 8, "u8": 8, "u": 16, "U": 32, "L": 32}


@given(st.text(max_size=30) | st.text('\\xuU0123456789abcdef"n', max_size=30), st.sampled_from(sorted(WIDTHS)))
def test_any_text_is_read(text: str, prefix: str) -> None:
    assert all(0 <= unit < 1 << WIDTHS[prefix] for unit in unescape(text, prefix))


@st.composite
def literals(draw: st.DrawFn) -> tuple[str, tuple[int, ...]]:
    prefix = draw(st.sampled_from(sorted(WIDTHS)))
    units = draw(st.lists(st.integers(0, 255) | st.integers(0, (1 << WIDTHS[prefix]) - 1), max_size=8))
    # Each in a literal of its own: a digit that follows is no part of an escape.
    return " ".join(f'{prefix}"\\x{unit:x}"' for unit in units) or f'{prefix}""', tuple(units)


@given(literals())
def test_units_survive_clang(literal: tuple[str, tuple[int, ...]]) -> None:
    source, units = literal
    unit, problems = libclang.parse("literal.c", ["--target=x86_64-linux-gnu"], f"const void *p = {source};")
    assert problems == []
    (found,) = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.STRING_LITERAL]
    assert text_of(found) == units
