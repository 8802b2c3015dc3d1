"""The Aldebaran format `.aut` of CADP and mCRL2."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import final

from stateglass.formats.assemble import MOST_STATES, assemble, is_plausible
from stateglass.formats.aut_rows import FewRows, ManyRows, Rows, excerpt, pieces, quoted
from stateglass.formats.files import Damaged, Source, utf8
from stateglass.formats.problems import Problems
from stateglass.formats.unkept import unkept
from stateglass.model import Model
from stateglass.source import Code, counted

CHUNK = 1 << 20
"""How many bytes are in memory at a time: few enough for the allocator to give out the same memory again."""

FEW_BYTES = 4 << 20
"""A file that is smaller is read faster than a compiler is loaded."""

MANY_ROWS = 200_000
"""The same for writing, in transitions."""

MOST_LINE = 16 << 20
"""A line of more bytes than this is no transition."""

_HEADER = re.compile(rb"des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)")
_LEAST_ROW = len("(0,a,0)")
_BLANK = b" \t\r\v\f"


def parse(data: bytes, name: str) -> Model:
    return parse_stream(Source(io.BytesIO(data), name, len(data), len(data)), name)


def parse_stream(source: Source, name: str) -> Model:
    """Reads a file in one pass, a few megabytes at a time, and says all that is wrong with it."""
    problems = Problems(name)
    chunks = _Chunks(source, problems)
    line, rest = _first_line(chunks)
    header = _header(line, chunks.line, problems)
    initial, transitions, states = header or (0, 0, None)
    rows: Rows
    if not rest or len(rest) < FEW_BYTES:
        rest += chunks.next(FEW_BYTES, rest.count(b"\n"))
    if not rest or len(rest) < FEW_BYTES:
        rows = FewRows(states, problems)
    else:
        # No more rows are made room for than the file can hold, whatever the header says.
        most = 1 << 20 if source.size is None else source.size // _LEAST_ROW
        rows = ManyRows(states, min(transitions, most), problems)
    above, number = chunks.line, chunks.line + 1
    while rest and not problems.full:
        number = rows.take(rest, number)
        chunks.line = number - 1
        rest = chunks.next(CHUNK)
    if header and rows.count != transitions and not problems.full:
        message = f"the header says {counted(transitions, 'transition')}, the file has {rows.count:,}"
        help = "is the file cut short?" if rows.count < transitions else ""
        problems.add(message, above, help=help, code=Code.MODEL)
    problems.stop_if_any()
    assert states is not None
    columns = rows.columns()
    return assemble(states, initial, columns, rows.labels(), ordered=rows.ordered)


def serialise(model: Model) -> bytes:
    return b"".join(map(bytes, serialise_pieces(model)))


def serialise_pieces(model: Model) -> Iterator[bytes | memoryview]:
    yield utf8(f"des ({model.initial}, {model.transitions}, {model.states})\n")
    labels = [quoted(label) for label in model.labels]
    many = model.transitions >= MANY_ROWS
    yield from pieces(model.sources, model.actions, model.targets, labels, compiled=many)


def losses(model: Model) -> list[str]:
    return unkept(model, "aut")


@final
class _Chunks:
    """Cuts a file into parts that end with a line."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.line = 0  # the number of the last line that was taken out of them
        self._source = source
        self._problems = problems
        self._tail = b""
        self._ended = False

    def next(self, size: int, ahead: int = 0) -> bytes:
        """The next whole lines, about `size` bytes of them, with a line end after the last; nothing at the end.

        `ahead` is how many lines were given and are not among those that `line` counts yet.
        """
        parts = [self._tail]
        self._tail = b""
        while not self._ended:
            try:
                data = self._source.read(size)
            except Damaged as damage:
                # No part has a line end in it, or there would be lines to give.
                self._problems.add(str(damage), self.line + ahead + damage.lines + 1)
                self._problems.stop()
            if not data:
                self._ended = True
                parts.append(b"\n" if parts[-1] or len(parts) > 1 else b"")
                break
            cut = data.rfind(b"\n") + 1
            parts.append(data[:cut] if cut else data)
            if cut:
                self._tail = data[cut:]
                break
            if sum(map(len, parts)) > MOST_LINE:
                self._problems.add(
                    f"a line has more than {MOST_LINE} bytes", self.line + ahead + 1, code=Code.TOO_LARGE
                )
                self._problems.stop()
        return b"".join(parts)


def _first_line(chunks: _Chunks) -> tuple[bytes, bytes]:
    """The first line that is not blank, and what follows it in its chunk."""
    chunk = chunks.next(1 << 16).removeprefix(b"\xef\xbb\xbf")
    while chunk:
        start = len(chunk) - len(chunk.lstrip(_BLANK + b"\n"))
        chunks.line += chunk.count(b"\n", 0, start)
        if start < len(chunk):
            chunks.line += 1
            line, _, rest = chunk[start:].partition(b"\n")
            return line, rest
        chunk = chunks.next(1 << 16)
    chunks.line = max(chunks.line, 1)
    return b"", b""


def _header(line: bytes, number: int, problems: Problems) -> tuple[int, int, int] | None:
    match = _HEADER.fullmatch(line.strip(_BLANK))
    if match is None:
        problems.add(
            f"expected the header, found {excerpt(line)}",
            number,
            help="the first line is `des (INITIAL, TRANSITIONS, STATES)`, for example `des (0, 3, 4)`",
        )
        return None
    texts = match.groups()
    if any(len(text) > 18 for text in texts) or int(texts[2]) > MOST_STATES or int(texts[1]) >= 2**31:
        message = f"the header claims more than the {MOST_STATES:,} states or {2**31 - 1:,} transitions read at most"
        problems.add(message, number, code=Code.TOO_LARGE)
        return None
    initial, transitions, states = map(int, texts)
    if initial >= states:
        problems.add(
            f"the initial state {initial} is not one of the {counted(states, 'state')}", number, code=Code.MODEL
        )
        return None
    if not is_plausible(states, transitions):
        claim = f"{counted(states, 'state')} for {counted(transitions, 'transition')}"
        message = f"the header claims {claim}; most could not be reached"
        problems.add(message, number, code=Code.TOO_LARGE)
        return None
    return initial, transitions, states
