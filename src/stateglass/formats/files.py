"""Bytes from and to files and the standard streams: limited when read, whole or not at all when written."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys

from stateglass.source import Code, InputError, Span, input_error

STDIO = "-"
"""The path that means standard input or output."""


def read_bytes(path: str, most_bytes: int) -> bytes:
    """The content of a file or standard input; more than `most_bytes` is refused before it is read."""
    try:
        if path == STDIO:
            data = sys.stdin.buffer.read(most_bytes + 1)
        else:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size > most_bytes:
                    raise _too_large(path, size, most_bytes)
                # Devices and pipes have size 0 and may still be endless.
                data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise input_error(Code.FILE, f"cannot read `{path}`: {_reason(error)}", Span.at(_shown(path))) from None
    if len(data) > most_bytes:
        raise _too_large(path, len(data), most_bytes)
    return data


def write_bytes(path: str, data: bytes) -> None:
    """Writes under a temporary name in the same folder and renames, so that no half file is ever seen."""
    if path == STDIO:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        real = os.path.realpath(path)
        mode = _mode(real)
        if mode is not None and not stat.S_ISREG(mode):
            with open(real, "wb") as file:
                file.write(data)
        else:
            _replace(real, data, mode)
    except (OSError, ValueError) as error:
        raise input_error(Code.FILE, f"cannot write `{path}`: {_reason(error)}", Span.at(_shown(path))) from None


def check_folder(path: str) -> None:
    """Refuses to write where there is no folder to write into."""
    folder = os.path.dirname(path)
    if path != STDIO and folder and not os.path.isdir(folder):
        raise input_error(Code.FILE, f"`{path}` cannot be written: there is no folder `{folder}`")


def utf8(text: str) -> bytes:
    """UTF-8; halves of surrogate pairs, which file names may contain, become `?`."""
    return text.encode("utf-8", "replace")


def decode(data: bytes, name: str) -> str:
    """The text of a file, or a diagnostic that points at the byte that is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = error.start
        line = data.count(b"\n", 0, start) + 1
        column = start - data.rfind(b"\n", 0, start)
        message = f"byte 0x{data[start]:02x} is not valid UTF-8"
        span = Span.at(name, line, column)
        raise input_error(Code.SYNTAX, message, span, "save the file in UTF-8") from None


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _replace(path: str, data: bytes, mode: int | None) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _too_large(path: str, size: int, most_bytes: int) -> InputError:
    message = f"`{path}` has {size} bytes or more; at most {most_bytes} are read in this format"
    return input_error(Code.TOO_LARGE, message, Span.at(_shown(path)), "the native format `.sg` is the most compact")


def _shown(path: str) -> str:
    return "" if path == STDIO else path


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
