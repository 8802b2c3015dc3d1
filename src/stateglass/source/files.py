"""Small text files of the user: read up to a limit, and in UTF-8 or refused with the place of what is not."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import Final

from stateglass.source.diagnostics import Code, InputError, input_error
from stateglass.source.spans import Span

STDIN: Final = "<stdin>"
_CPLUSPLUS: Final = (".cpp", ".cc", ".cxx", ".c++", ".C", ".cppm", ".ixx", ".hpp", ".hh", ".hxx", ".ii")
_SOURCES: Final = (".c", ".cpp", ".cc", ".cxx", ".c++", ".C")


def is_cplusplus(file: str) -> bool:
    """Whether a file is C++ by its name."""
    return file.endswith(_CPLUSPLUS)


def is_source(file: str) -> bool:
    """Whether a file is, by its name, one that is compiled, and no header."""
    return file.endswith(_SOURCES)


def small_text(file: str, what: str, code: Code, most_bytes: int, *, help: str = "") -> str:
    """The text of a file, lines ended by a line feed alone.

    `what` names in messages what the file should be, with its article; `code` is for what is wrong in it; `help` says
    what to do if there is no such file.
    """
    return _decoded_limited(_bytes(Path(file), Span.at(file), what, most_bytes, help), file, what, code, most_bytes)


def as_written(text: str, file: str) -> str:
    """A text with the ends that most lines of a file have, and its byte order mark."""
    data = Path(file).read_bytes()
    if 2 * data.count(b"\r\n") > data.count(b"\n"):
        text = text.replace("\n", "\r\n")
    return f"\N{ZERO WIDTH NO-BREAK SPACE}{text}" if data.startswith(BOM_UTF8) else text


def small_text_of_stdin(what: str, code: Code, most_bytes: int) -> str:
    """The same from standard input."""
    try:
        data = sys.stdin.buffer.read(most_bytes + 1)
    except OSError as error:
        raise unreadable(error, Span.at(STDIN)) from None
    return _decoded_limited(data, STDIN, what, code, most_bytes)


def decoded(data: bytes, file: str, code: Code) -> str:
    """Text from UTF-8, with or without a byte order mark, or a diagnostic that points at the first byte that is not."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = error.start
        line = data.count(b"\n", 0, start) + 1
        column = len(data[data.rfind(b"\n", 0, start) + 1 : start].decode("utf-8-sig")) + 1
        message = f"byte 0x{data[start]:02X} is not UTF-8"
        raise input_error(code, message, Span.at(file, line, column), "save the file as UTF-8") from None


def _decoded_limited(data: bytes, file: str, what: str, code: Code, most_bytes: int) -> str:
    if len(data) > most_bytes:
        raise input_error(Code.TOO_LARGE, f"{what} has at most {most_bytes >> 20} MiB", Span.at(file))
    return decoded(data, file, code).replace("\r\n", "\n")


def _bytes(path: Path, at: Span, what: str, most_bytes: int, help: str) -> bytes:
    """One byte more than allowed, where there is one; devices and pipes may be endless and have no size to ask for."""
    try:
        if path.is_dir():
            raise input_error(Code.FILE, f"this is a folder, not {what}", at)
        with path.open("rb") as stream:
            return stream.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise unreadable(error, at, help) from None


def unreadable(error: OSError | ValueError, at: Span, help: str = "") -> InputError:
    """Why a file was not read; `help` says what to do if there is none."""
    if isinstance(error, FileNotFoundError):
        return input_error(Code.FILE, "there is no such file", at, help)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    what = "standard input" if at.file in ("", STDIN) else "the file"
    return input_error(Code.FILE, f"{what} cannot be read: {reason}", at)
