"""Where a file is to be written: whether there is a folder for it, which stream it is, whether two names are one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from stateglass.source import Code, input_error

STDIO = "-"
"""The path that means standard input or output."""

PACKED = ".gz"
"""What is added to the name of a file that is packed with gzip."""
_STDOUT = 1
_DESCRIPTORS = re.compile(r"/proc/([0-9]+)/(?:task/[0-9]+/)?fd/([0-9]+)|/dev/fd/([0-9]+)")
_MOST_LINKS = 40
# Writing the same to it twice loses nothing.
_NOWHERE = "/dev/null"


def extension(path: str) -> str:
    """What a file's name ends with, in small letters and with the dot; empty if there is none."""
    return os.path.splitext(path)[1].lower()


def unpacked_extension(path: str) -> str:
    """The same for a file that may be packed: that of what is in it."""
    return extension(path[: -len(PACKED)] if path.lower().endswith(PACKED) else path)


def check_folder(path: str) -> None:
    """Refuses to write where there is no folder to write into."""
    folder = os.path.dirname(path)
    if path != STDIO and folder and not os.path.isdir(folder):
        raise input_error(Code.FILE, f"`{path}` cannot be written: there is no folder `{folder}`")


def check_different(paths: Iterable[str]) -> None:
    """Refuses to write two things to one file or stream: the second would take the place of the first."""
    seen: dict[str, str] = {}
    for path in paths:
        place = _place(path)
        if place in seen and place != _NOWHERE:
            one, other = _shown(seen[place]), _shown(path)
            said = f"{one} is named twice" if one == other else f"{one} and {other} are the same file"
            help = "give each output a name of its own"
            raise input_error(Code.USAGE, f"two outputs cannot go to one place: {said}", help=help)
        seen[place] = path


def is_stdout(path: str) -> bool:
    """Whether the path means the standard output of this process, under whatever name."""
    return path == STDIO or descriptor(path) == _STDOUT


def descriptor(path: str) -> int | None:
    """The number of the open file of this process that the path stands for, as `/dev/stdout` does."""
    for name in _links(path):
        match = _DESCRIPTORS.fullmatch(name)
        if match is not None and (match[3] or match[1] == str(os.getpid())):
            return int(match[3] or match[2])
    return None


def through_processes(path: str) -> bool:
    """Whether the way to the file leads through `/proc`, where names stand for what processes have open."""
    return any(name.startswith("/proc/") for name in _links(path))


def _links(path: str) -> Iterator[str]:
    """The path and what it is a link to, link by link; folders on the way are resolved."""
    for _ in range(_MOST_LINKS):
        try:
            folder, name = os.path.split(os.path.abspath(path))
            path = os.path.join(os.path.realpath(folder), name)
            yield path
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except (OSError, ValueError):  # no link, or no path at all, which is for those to say who open it
            return


def _place(path: str) -> str:
    """A text that is the same for all names of one file or stream."""
    if path == STDIO:
        return _open_file(_STDOUT)
    number = descriptor(path)
    return os.path.realpath(path) if number is None else _open_file(number)


def _open_file(number: int) -> str:
    """The file behind a descriptor where that can be told, so that `-o - > x` and `-o x` are one place."""
    try:
        name = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        name = ""
    return name if os.path.isfile(name) else f"descriptor {number}"


def _shown(path: str) -> str:
    return "standard output" if path == STDIO else f"`{path}`"
