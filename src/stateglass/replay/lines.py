"""The lines of a log as they come: a pipe is not waited for, and no more than a piece is held in memory."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import Final, Protocol, final

from stateglass.source import Code, InputError, Span, input_error, unreadable

MOST_LINE_BYTES: Final = 1 << 20
"""A longer line is no line of a log."""

_PIECE: Final = 1 << 16
_GZIP: Final = b"\x1f\x8b"
_UTF8: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


class _Readable(Protocol):
    """The part of binary streams that is needed: `read1` gives what there is."""

    def read1(self, size: int, /) -> bytes: ...


def lines_of(stream: io.BufferedIOBase, name: str) -> Iterator[tuple[int, str]]:
    """Each line with its number from 1, without its end; what is packed with gzip is unpacked.

    Bytes that are not UTF-8 are kept apart from all text (PEP 383), so that they never equal a label by accident.
    """
    number, rest = 1, b""
    for piece in _pieces(stream, name):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            if len(line) > MOST_LINE_BYTES:
                raise _too_long(name, number)
            yield number, _text(line)
            number += 1
        if len(rest) > MOST_LINE_BYTES:
            raise _too_long(name, number)
    if rest:
        yield number, _text(rest)


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")


def _pieces(stream: io.BufferedIOBase, name: str) -> Iterator[bytes]:
    """What the stream holds, without a byte order mark."""
    try:
        start = _beginning(stream)
        source: _Readable = stream
        if start.startswith(_GZIP):
            source = gzip.GzipFile(fileobj=io.BufferedReader(_Resumed(start, stream)))
            start = _beginning(source)
        if start.startswith(_UTF16):
            help = "save it in UTF-8, or convert it with `iconv -f UTF-16 -t UTF-8`"
            raise input_error(Code.SYNTAX, "the log is in UTF-16", Span.at(name), help)
        piece = start.removeprefix(_UTF8) or source.read1(_PIECE)
        while piece:
            yield piece
            piece = source.read1(_PIECE)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise input_error(Code.SYNTAX, "the packed log is damaged or cut short", Span.at(name)) from None
    except IsADirectoryError as error:
        raise unreadable(error, Span.at(name)) from None


def _beginning(source: _Readable) -> bytes:
    """The first bytes, at least three unless there are fewer: enough to know every mark."""
    start = piece = source.read1(_PIECE)
    while piece and len(start) < len(_UTF8):
        piece = source.read1(_PIECE)
        start += piece
    return start


@final
class _Resumed(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, start: bytes, stream: io.BufferedIOBase) -> None:
        self._start = start
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = self._start[: len(view)] or self._stream.read1(len(view))
        self._start = self._start[len(view) :]
        view[: len(data)] = data
        return len(data)


def _too_long(name: str, number: int) -> InputError:
    message = f"line {number} of the log has more than {MOST_LINE_BYTES:,} bytes"
    return input_error(Code.TOO_LARGE, message, Span.at(name, number), "is this a log?")
