"""Large Aldebaran files: the compiled reader and writer against the plain ones, packed files, hostile sizes."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.formats import aut, aut_rows, files, read_model, write_model
from stateglass.formats.problems import Problems
from stateglass.model import Model
from stateglass.model.builder import canonical_columns, canonical_order
from stateglass.source import Code, InputError
from tests.formats.strategies import assert_same, models

_BLANKS = st.sampled_from(["", " ", "\t", "  "])
_NUMBERS = st.sampled_from(["0", "1", "2", "3", "007", "-1", "99", "1234567890", "00000000000", "", "x", "1 1/2 2"])
_LABELS = st.sampled_from(["a", '"a"', "i", '"i"', '"tau"', "tau", "", '"', '""', '"a', 'a"', "a, b", '"a,1)"',
                           "f(1, 2)", "a|b", "é", "\u2028", " ", '"  x "', "\\", '"\\""', "\r", "\x0b"])  # fmt: skip
_LINES = st.builds(
    lambda parts, blanks: f"{blanks[0]}({blanks[1]}{parts[0]}{blanks[2]},{parts[1]},{blanks[3]}{parts[2]})",
    st.tuples(_NUMBERS, _LABELS, _NUMBERS),
    st.tuples(_BLANKS, _BLANKS, _BLANKS, _BLANKS),
) | st.sampled_from(["", " \t", "\r", "(", "()", "(0,a,1", "0,a,1)", "(0,a,1)\r", "(0,a,1) \t\r", "\x0b", "(,,)"])


def outcome(data: bytes, *, compiled: bool, chunk: int) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aut, "FEW_BYTES", 0 if compiled else 1 << 40)
        patch.setattr(aut, "CHUNK", chunk)
        try:
            model = aut.parse(data, "m.aut")
        except InputError as error:
            return error.diagnostics
    return (model.states, model.initial, model.labels, model.sources.tolist(), model.actions.tolist(),
            model.targets.tolist(), None if model.terminal is None else model.terminal.tolist())  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(lines=st.lists(_LINES, max_size=8), states=st.integers(1, 4), chunk=st.integers(1, 40), ended=st.booleans())
def test_the_compiled_reader_says_what_the_plain_one_says(
    lines: list[str], states: int, chunk: int, ended: bool
) -> None:
    rows = sum(bool(line.strip(" \t\r")) for line in lines)
    data = (f"des (0, {rows}, {states})\n" + "\n".join(lines) + ("\n" if ended else "")).encode()
    plain = outcome(data, compiled=False, chunk=1 << 20)
    assert outcome(data, compiled=True, chunk=chunk) == plain
    assert outcome(data, compiled=False, chunk=chunk) == plain


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=60).map(lambda rest: b"des (0, 2, 3)\n(0, a, 1)\n" + rest), chunk=st.integers(1, 9))
def test_the_compiled_reader_on_any_bytes(data: bytes, chunk: int) -> None:
    assert outcome(data, compiled=True, chunk=chunk) == outcome(data, compiled=False, chunk=1 << 20)


_USUAL = st.tuples(
    st.integers(0, 3), st.sampled_from(['"a"', '"b"', '"ab"', '"b, 1)"', "a", "i", '"x\\"y"']), st.integers(0, 3)
)


@settings(max_examples=300, deadline=None)
@given(rows=st.lists(_USUAL, max_size=30), by_source=st.booleans(), chunk=st.integers(1, 60))
def test_lines_as_tools_write_them(rows: list[tuple[int, str, int]], by_source: bool, chunk: int) -> None:
    rows = sorted(rows, key=lambda row: row[0]) if by_source else rows
    lines = [f"({source}, {label}, {target})\n" for source, label, target in rows]
    data = (f"des (0, {len(rows)}, 4)\n" + "".join(lines)).encode()
    assert outcome(data, compiled=True, chunk=chunk) == outcome(data, compiled=False, chunk=1 << 20)


@pytest.mark.parametrize("numbers", [[0, 9, 10, 99, 100, 999, 1000, 12345, 999999, 1000000, 2**31 - 1]])
def test_the_compiled_writer_writes_numbers_of_any_length(numbers: list[int]) -> None:
    targets = np.array(numbers * len(numbers), dtype=np.int32)
    sources = np.sort(targets)
    actions = np.arange(len(targets), dtype=np.int32) % 2
    compiled, plain = (
        b"".join(map(bytes, aut_rows.pieces(sources, actions, targets, [b'"a"', b'"long"'], compiled=way)))
        for way in (True, False)
    )
    assert compiled == plain


@settings(max_examples=60, deadline=None)
@given(models())
def test_the_compiled_writer_writes_the_same(model: Model) -> None:
    plain = aut.serialise(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aut, "MANY_ROWS", 0)
        assert aut.serialise(model) == plain


def test_tables_grow() -> None:
    """More labels, longer labels, more rows and more duplicates than there is room for at first."""
    lines = [f"({i % 50}, label {i % 3000} {'x' * (i % 90)}, {i % 7})" for i in range(9000)]
    data = ("des (0, 9000, 50)\n" + "\n".join(lines)).encode()
    assert outcome(data, compiled=True, chunk=5000) == outcome(data, compiled=False, chunk=1 << 20)


def test_a_state_with_many_transitions_after_one_with_duplicates() -> None:
    lines = [f"(0, a{i % 3}, {i % 2})" for i in range(40)] + [f"(1, a{i % 100}, {i * 31 % 50})" for i in range(500)]
    data = (f"des (0, {len(lines)}, 50)\n" + "\n".join(lines)).encode()
    assert outcome(data, compiled=True, chunk=5000) == outcome(data, compiled=False, chunk=1 << 20)


def test_a_state_with_many_transitions() -> None:
    lines = [f"(0, a{i * 7 % 1000}, {i * 31 % 5000})" for i in range(5000)]
    data = ("des (0, 5000, 5000)\n" + "\n".join(lines)).encode()
    assert outcome(data, compiled=True, chunk=5000) == outcome(data, compiled=False, chunk=1 << 20)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 3) | st.sampled_from([2**31 - 1, 2**20])] * 3), max_size=12))
def test_sorting_by_one_number_is_sorting_by_columns(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    columns = [table[:, i].copy() for i in range(3)]
    order = canonical_order(*columns)
    for mine, theirs in zip(canonical_columns(*columns), columns, strict=True):
        assert mine.dtype == np.int32
        assert mine.tolist() == theirs[order].tolist()


TEXT = b'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n'


def test_packed_files(tmp_path: Path) -> None:
    model = aut.parse(TEXT, "m.aut")
    path = tmp_path / "m.aut.gz"
    write_model(model, str(path))
    assert gzip.decompress(path.read_bytes()) == TEXT
    once = path.read_bytes()
    write_model(model, str(path))
    assert path.read_bytes() == once
    assert_same(read_model(str(path)), model)
    misnamed = tmp_path / "m.aut"
    misnamed.write_bytes(gzip.compress(TEXT[:20]) + gzip.compress(TEXT[20:]))
    assert_same(read_model(str(misnamed)), model)
    other = tmp_path / "m.json.gz"
    write_model(model, str(other))
    assert_same(read_model(str(other)), model)


def packed(data: bytes) -> list[tuple[int, str]]:
    with pytest.raises(InputError) as caught:
        aut.parse_stream(files.Source(io.BytesIO(data), "m.aut.gz", 1 << 30), "m.aut.gz")
    return [(d.span.line, d.message) for d in caught.value.diagnostics]


def test_damaged_packed_files() -> None:
    whole = gzip.compress(TEXT * 5000)
    for data in (whole[:-9], whole[: len(whole) // 2], whole[:-8] + b"12345678", whole[:100] + b"?" + whole[101:]):
        assert packed(data)[-1][1] == "the packed data is damaged or cut short"
        assert packed(data)[-1][0] >= 1
    assert packed(whole[:5]) == [(1, "the packed data is damaged or cut short")]


@pytest.mark.parametrize("few_bytes", [0, 1 << 30])
def test_damage_is_reported_at_its_line(few_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aut, "FEW_BYTES", few_bytes)
    rows = 20_000
    whole = gzip.compress(b"des (0, %d, 2)\n" % rows + b"".join(b'(0, "a%d", 1)\n' % i for i in range(rows)))
    assert packed(whole[:-4]) == [(rows + 2, "the packed data is damaged or cut short")]
    ((line, _),) = packed(whole[: len(whole) // 2])
    assert rows // 4 < line < rows


def test_a_packed_bomb_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aut, "MOST_LINE", 1 << 16)
    monkeypatch.setattr(aut, "CHUNK", 1 << 12)
    bomb = gzip.compress(b"des (0, 1, 2)\n(0, " + b"a" * (1 << 22))
    assert packed(bomb) == [(2, "a line has more than 65536 bytes")]


def test_packed_data_counts_unpacked() -> None:
    source = files.Source(io.BytesIO(gzip.compress(b"des (0, 0, 1)\n" + b"\n" * 5000)), "m", 1000)
    with pytest.raises(InputError) as caught:
        aut.parse_stream(source, "m")
    assert caught.value.diagnostics[0].code is Code.TOO_LARGE


@pytest.mark.parametrize(
    "header",
    ["des (0, 1, 100000000)", "des (0, 0, 99999999)", "des (0, 2147483648, 10)", "des (0, 99999999999999999999, 2)"],
)
def test_claims_that_would_cost_memory(header: str) -> None:
    with pytest.raises(InputError) as caught:
        aut.parse(f"{header}\n(0, a, 0)\n".encode(), "m.aut")
    assert caught.value.diagnostics[0].code is Code.TOO_LARGE
    assert caught.value.diagnostics[0].span.line == 1


def test_no_room_is_made_for_rows_that_the_file_cannot_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Spy(aut_rows.ManyRows):  # type: ignore[misc]
        def __init__(self, states: int | None, rows: int, problems: Problems) -> None:
            asked.append(rows)
            super().__init__(states, rows, problems)

    monkeypatch.setattr(aut, "FEW_BYTES", 0)
    monkeypatch.setattr(aut, "ManyRows", Spy)
    with pytest.raises(InputError) as caught:
        aut.parse(b"des (0, 2000000000, 3)\n(0, a, 1)\n", "m.aut")
    assert caught.value.diagnostics[0].message == "the header says 2,000,000,000 transitions, the file has 1"
    assert asked == [4]


def test_small_files_load_no_compiler(tmp_path: Path) -> None:
    path = tmp_path / "m.aut"
    path.write_bytes(TEXT)
    code = (
        "import sys; from stateglass.formats import read_model, write_model;"
        f"m = read_model({str(path)!r}); write_model(m, {str(path)!r}); print('numba' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "False"
