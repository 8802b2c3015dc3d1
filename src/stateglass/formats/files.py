"""Bytes from and to files and the standard streams: limited when read, whole or not at all when written.

What begins like gzip data is unpacked as it is read; a path that ends in `.gz` is packed as it is written.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import secrets
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from typing import cast, final

from stateglass.formats.targets import PACKED, STDIO, descriptor, is_stdout, through_processes
from stateglass.source import Code, InputError, Span, decoded, input_error, unreadable

_MAGIC = b"\x1f\x8b"


@final
class Damaged(Exception):
    """Packed data that ends too early or is no gzip data after all, so many lines after what was read before."""

    def __init__(self, lines: int) -> None:
        super().__init__("the packed data is damaged or cut short")
        self.lines = lines


@final
class Source:
    """A file that is being read: not more than a limit, unpacked where it is packed."""

    def __init__(self, stream: io.BufferedIOBase, name: str, most_bytes: int, size: int | None = None) -> None:
        buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(_Raw(stream))
        self.packed = buffered.peek(2)[:2] == _MAGIC
        self.name = name
        self.size = None if self.packed else size  # in bytes, where it is known
        self._stream: io.BufferedIOBase = gzip.GzipFile(fileobj=buffered) if self.packed else buffered
        self._ahead = b""
        self._left = most_bytes
        self._most = most_bytes

    def read(self, most: int) -> bytes:
        """The next bytes, at least one and at most `most`; none at the end."""
        if self._ahead:
            data, self._ahead = self._ahead[:most], self._ahead[most:]
            return data
        try:
            wanted = min(most, self._left + 1)
            data = self._unpacked(wanted) if self.packed else self._stream.read(wanted)
        except OSError as error:
            raise unreadable(error, Span.at(_shown(self.name))) from None
        if len(data) > self._left:
            raise too_large(self.name, self._most + 1, self._most)
        self._left -= len(data)
        return data

    def _unpacked(self, most: int) -> bytes:
        data = bytearray()
        try:
            # In small parts: of one that meets damage, nothing is given.
            while len(data) < most and (part := self._stream.read1(most - len(data))):
                data += part
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise Damaged(data.count(b"\n")) from None
        return bytes(data)

    def peek(self, most: int) -> bytes:
        """The first bytes, which the next `read` gives again."""
        with contextlib.suppress(Damaged):
            self._ahead = self.read(most)
        return self._ahead

    def all(self) -> bytes:
        """Everything that is left."""
        try:
            return b"".join(iter(lambda: self.read(1 << 24), b""))
        except Damaged as error:
            raise input_error(Code.SYNTAX, str(error), Span.at(self.name)) from None


@final
class _Raw(io.RawIOBase):
    """Any readable stream as the raw part of a buffered one."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = self._stream.read(len(view))
        view[: len(data)] = data
        return len(data)


@contextlib.contextmanager
def stream(path: str) -> Iterator[io.BufferedIOBase]:
    """The bytes of a file or of standard input."""
    if path == STDIO:
        yield cast(io.BufferedIOBase, sys.stdin.buffer)
        return
    try:
        file = open(path, "rb")  # noqa: SIM115 (it is closed below, but errors of the reader are none of opening)
    except (OSError, ValueError) as error:
        raise unreadable(error, Span.at(_shown(path))) from None
    with file:
        yield file


@contextlib.contextmanager
def opened(path: str, most_bytes: int) -> Iterator[Source]:
    """A file or standard input; a file of more than `most_bytes` is refused before it is read."""
    with stream(path) as file:
        if path == STDIO:
            yield Source(file, "<stdin>", most_bytes)
            return
        # Devices and pipes have size 0 and may still be endless.
        status = os.fstat(file.fileno())
        if status.st_size > most_bytes:
            raise too_large(path, status.st_size, most_bytes)
        yield Source(file, path, most_bytes, status.st_size if stat.S_ISREG(status.st_mode) else None)


def read_bytes(path: str, most_bytes: int) -> bytes:
    """The content of a file or standard input."""
    with opened(path, most_bytes) as source:
        return source.all()


def write_bytes(path: str, data: bytes) -> None:
    write_pieces(path, [data])


def write_pieces(path: str, pieces: Iterable[bytes | memoryview]) -> None:
    """Writes under a temporary name in the same folder and renames, so that no half file is ever seen.

    What is open already, as standard output is under any name, and what is no regular file is written as it stands.
    """
    if is_stdout(path):
        sys.stdout.flush()
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    if path.lower().endswith(PACKED):
        pieces = _packed(pieces)
    try:
        number = descriptor(path)
        if number is not None:
            with open(os.dup(number), "wb") as file:
                file.writelines(pieces)
            return
        real = os.path.realpath(path)
        mode = _mode(real)
        if mode is not None and (not stat.S_ISREG(mode) or through_processes(path)):
            with open(path, "wb") as file:
                file.writelines(pieces)
        else:
            _replace(real, pieces, mode)
    except (OSError, ValueError) as error:
        raise input_error(Code.FILE, f"cannot write `{path}`: {_reason(error)}", Span.at(_shown(path))) from None


def utf8(text: str) -> bytes:
    """UTF-8; halves of surrogate pairs, which file names may contain, become `?`."""
    return text.encode("utf-8", "replace")


def decode(data: bytes, name: str) -> str:
    """The text of a file that is a model or goes with one."""
    return decoded(data, name, Code.SYNTAX)


def too_large(path: str, size: int, most_bytes: int) -> InputError:
    message = f"`{path}` has {size} bytes or more; at most {most_bytes} are read in this format"
    return input_error(Code.TOO_LARGE, message, Span.at(_shown(path)), "the native format `.sg` is the most compact")


def _packed(pieces: Iterable[bytes | memoryview]) -> Iterator[bytes]:
    """The pieces packed with gzip, without name and time, so that the same pieces give the same bytes."""
    packer = zlib.compressobj(3, zlib.DEFLATED, 31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _replace(path: str, pieces: Iterable[bytes | memoryview], mode: int | None) -> None:
    folder, name = os.path.split(path)
    # Names are limited in bytes, of which a character may have four.
    temporary = os.path.join(folder, f".{name[:50]}.{secrets.token_hex(6)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.writelines(pieces)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _shown(path: str) -> str:
    return "" if path == STDIO else path


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
