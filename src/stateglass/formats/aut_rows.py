"""The rows of an `.aut` file, chunk by chunk: in Python while there are few, compiled when there are many."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.formats.problems import Problems
from stateglass.model import TAU
from stateglass.model.model import Ints
from stateglass.source import Code, counted

_ROW = re.compile(rb"[ \t]*\([ \t]*(-?[0-9]+)[ \t]*,(.*),[ \t]*(-?[0-9]+)[ \t]*\)[ \t\r]*", re.DOTALL)
_CHANCES = re.compile(rb".*,[ \t]*[0-9]+([ \t]+[0-9]+/[0-9]+[ \t]+[0-9]+)+[ \t]*\)[ \t\r]*", re.DOTALL)
_ESCAPE = re.compile(r'\\([\\"nr])')
_ESCAPED = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}
_MOST_DIGITS = 9
_SHOWN = 60
_FEW_OF_A_STATE = 64


class Rows(Protocol):
    """Takes whole lines; what is wrong with them goes to the problems of the file."""

    @property
    def count(self) -> int:
        """How many lines were no blank ones."""

    @property
    def ordered(self) -> bool:
        """Whether the columns are known to be in the order of a model, each row once."""

    def take(self, chunk: bytes, line: int) -> int:
        """Reads a chunk that ends with a line, the first of which has this number; returns the number after it."""

    def columns(self) -> tuple[Ints, Ints, Ints]:
        """Sources, actions, targets; they are handed over and can be asked for once."""

    def labels(self) -> list[str]:
        """The labels, each once; the actions are numbers of them."""


@final
class FewRows:
    """The rows of a small file, one regular expression per line: what the compiled loops must agree with."""

    def __init__(self, states: int | None, problems: Problems) -> None:
        self.count = 0
        self.ordered = False
        self._states = states
        self._problems = problems
        self._labels = _Labels(problems)
        self._known: dict[bytes, int] = {}
        self._rows: list[tuple[int, int, int]] = []

    def take(self, chunk: bytes, line: int) -> int:
        for number, text in enumerate(chunk.split(b"\n")[:-1], start=line):
            if self._problems.full:
                break
            match = _ROW.fullmatch(text)
            if match is None and not text.strip(b" \t\r"):
                continue
            self.count += 1
            row = None if match is None else self._row(match, number)
            if row is None:
                _complain(text, number, self._states, self._problems)
            else:
                self._rows.append(row)
        return line + chunk.count(b"\n")

    def columns(self) -> tuple[Ints, Ints, Ints]:
        table = np.array(self._rows, dtype=np.int32).reshape(-1, 3)
        return table[:, 0].copy(), self._labels.merged(table[:, 1].copy()), table[:, 2].copy()

    def labels(self) -> list[str]:
        return self._labels.texts()

    def _row(self, match: re.Match[bytes], number: int) -> tuple[int, int, int] | None:
        raw = match[2].strip(b" \t")
        if len(match[1]) > _MOST_DIGITS or len(match[3]) > _MOST_DIGITS or not _is_label(raw):
            return None
        source, target = int(match[1]), int(match[3])
        if source < 0 or target < 0 or match[1][:1] == b"-" or match[3][:1] == b"-":
            return None
        if self._states is not None and max(source, target) >= self._states:
            return None
        action = self._known.get(raw)
        if action is None:
            action = self._known[raw] = len(self._known)
            self._labels.add(raw, number)
        return source, action, target


@final
class ManyRows:
    """The rows of a large file, read by compiled loops; numba is imported here and not before."""

    def __init__(self, states: int | None, rows: int, problems: Problems) -> None:
        from stateglass.formats.kernels import aut

        self._kernels = aut
        self.count = 0
        self.ordered = False
        self._order = aut.SORTED
        self._states = states
        self._problems = problems
        self._labels = _Labels(problems)
        self._columns = [np.empty(rows, dtype=np.int32) for _ in range(3)]
        self._used = 0
        self._salt = secrets.randbits(62)
        self._slots = np.full(1 << 10, -1, dtype=np.int32)
        self._starts = np.zeros(1 << 9, dtype=np.int64)
        self._first_lines = np.zeros(1 << 9, dtype=np.int64)
        self._followers = np.zeros(1 << 9, dtype=np.int32)
        self._pool = np.empty(1 << 14, dtype=np.uint8)

    def take(self, chunk: bytes, line: int) -> int:
        kernels = self._kernels
        text = np.frombuffer(chunk, dtype=np.uint8)
        states = 10**_MOST_DIGITS if self._states is None else self._states
        at = 0
        while at < len(text) and not self._problems.full:
            before = self._used
            sources, actions, targets = self._columns
            reason, at, line, self._used, labels, order = whole(
                kernels.read_rows, text, at, line, states, sources, actions, targets, self._used, self._slots,
                self._starts, self._first_lines, self._followers, self._pool, len(self._labels), self._salt,
            )  # fmt: skip
            self._order = min(self._order, order)
            self.count += self._used - before
            self._name(labels)
            if reason == kernels.BAD_LINE:
                end = chunk.index(b"\n", at)
                _complain(chunk[at:end], line, self._states, self._problems)
                self.count += 1
                at, line = end + 1, line + 1
            elif reason == kernels.FULL_ROWS:
                self._columns = [_grown(column, 2 * len(column) + 1) for column in self._columns]
            elif reason == kernels.FULL_LABELS:
                self._make_room(chunk.index(b"\n", at) - at)
        return line

    def columns(self) -> tuple[Ints, Ints, Ints]:
        kernels = self._kernels
        sources, actions, targets = (column[: self._used] for column in self._columns)
        self._columns = []
        actions = self._labels.merged(actions)
        self._order = min(self._order, kernels.BY_SOURCE if self._labels.merges else kernels.SORTED)
        self.ordered = self._order == kernels.SORTED
        if self._states is not None and not self.ordered:
            if self._order == kernels.BY_SOURCE:
                # Should a state have too many rows, those before it are sorted, which does no harm.
                left = whole(kernels.sort_runs, sources, actions, targets, _FEW_OF_A_STATE)
            else:
                left = whole(kernels.sort_rows, sources, actions, targets, self._states, _FEW_OF_A_STATE)
            self.ordered = left >= 0
            if 0 <= left < self._used:
                return sources[:left].copy(), actions[:left].copy(), targets[:left].copy()
        return sources, actions, targets

    def labels(self) -> list[str]:
        return self._labels.texts()

    def _name(self, labels: int) -> None:
        for i in range(len(self._labels), labels):
            raw = self._pool[self._starts[i] : self._starts[i + 1]].tobytes()
            self._labels.add(raw, int(self._first_lines[i]))

    def _make_room(self, length: int) -> None:
        labels = len(self._labels)
        if labels + 1 >= len(self._starts) or 2 * labels >= len(self._slots):
            self._starts = _grown(self._starts, 2 * len(self._starts))
            self._first_lines = _grown(self._first_lines, 2 * len(self._first_lines))
            self._followers = _grown(self._followers, 2 * len(self._followers))
            self._slots = np.full(2 * len(self._slots), -1, dtype=np.int32)
            whole(self._kernels.fill_slots, self._slots, self._starts, self._pool, labels, self._salt)
        if self._starts[labels] + length > len(self._pool):
            self._pool = _grown(self._pool, 2 * len(self._pool) + length)


@final
class _Labels:
    """Labels as they stand in the file, and as text; several spellings of one text are one label."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._numbers: list[int] = []
        self._texts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, raw: bytes, line: int) -> None:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"byte 0x{raw[error.start]:02X} is not UTF-8"
            self._problems.add(message, line, help="save the file as UTF-8")
            text = "?"
        if text.startswith('"'):
            text = _ESCAPE.sub(lambda m: _ESCAPED[m[1]], text[1:-1])
        elif text == "i":  # CADP writes its silent action without quotes.
            text = TAU
        self._numbers.append(self._texts.setdefault(text, len(self._texts)))

    def texts(self) -> list[str]:
        return list(self._texts)

    @property
    def merges(self) -> bool:
        """Whether a label is spelt in several ways."""
        return len(self._texts) < len(self._numbers)

    def merged(self, actions: Ints) -> Ints:
        if not self.merges:
            return actions
        numbers: Ints = np.array(self._numbers, dtype=np.int32)[actions]
        return numbers


def pieces(
    sources: Ints, actions: Ints, targets: Ints, labels: list[bytes], *, compiled: bool
) -> Iterator[bytes | memoryview]:
    """The text of rows, a part at a time."""
    if not compiled:
        size = 1 << 14
        for start in range(0, len(sources), size):
            columns = (column[start : start + size].tolist() for column in (sources, actions, targets))
            yield b"".join([b"(%d, %s, %d)\n" % (s, labels[a], t) for s, a, t in zip(*columns, strict=True)])
        return
    from stateglass.formats.kernels import aut

    starts = np.zeros(len(labels) + 1, dtype=np.int64)
    np.cumsum([len(label) for label in labels], out=starts[1:])
    pool = np.frombuffer(b"".join(labels), dtype=np.uint8)
    out = np.empty((1 << 19) + max(map(len, labels), default=0) + 64, dtype=np.uint8)
    row = 0
    while row < len(sources):
        row, used = whole(aut.write_rows, sources, actions, targets, row, starts, pool, out)
        # Whoever takes a piece is done with it before the next one is made.
        yield out[:used].data


def quoted(label: str) -> bytes:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'.encode("utf-8", "replace")


def excerpt(raw: bytes) -> str:
    text = raw[: 4 * _SHOWN].decode("utf-8", "replace").strip()
    return f"`{text[:_SHOWN]}…`" if len(text) > _SHOWN else f"`{text}`" if text else "nothing"


def _is_label(raw: bytes) -> bool:
    return len(raw) >= 3 and raw.endswith(b'"') if raw.startswith(b'"') else bool(raw)


def _complain(text: bytes, number: int, states: int | None, problems: Problems) -> None:
    """Says what is wrong with a line that is known to be no row."""
    match = _ROW.fullmatch(text)
    if match is None:
        help = 'a transition is `(SOURCE, "LABEL", TARGET)`'
        if _CHANCES.fullmatch(text):
            help += "; transitions with probabilities are not read"
        problems.add(f"expected a transition, found {excerpt(text)}", number, help=help)
        return
    raw = match[2].strip(b" \t")
    if not raw or raw == b'""':
        problems.add("the label is empty", number)
    elif not _is_label(raw):
        problems.add(f"the quotes of the label {excerpt(raw)} do not match", number)
    for which, digits in (("source", match[1]), ("target", match[3])):
        if digits.startswith(b"-"):
            problems.add(f"the {which} {excerpt(digits)} is negative", number, code=Code.MODEL)
        elif len(digits) > _MOST_DIGITS or (states is not None and int(digits) >= states):
            known = "too large" if states is None else f"not one of the {counted(states, 'state')} of the header"
            problems.add(f"the {which} {excerpt(digits)} is {known}", number, code=Code.MODEL)


def _grown(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    larger = np.empty(length, dtype=array.dtype)
    larger[: len(array)] = array
    return larger
