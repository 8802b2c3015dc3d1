"""Where a header that was not found lies: the folder near a file that `-I` should name, or what a build makes it of."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

MOST_FOLDERS: Final = 2_000
_TEMPLATES: Final = (".in", ".cmake", ".cmake.in", ".meson")
_TOP_OF_PROJECT: Final = (".git", "Makefile", "CMakeLists.txt", "compile_commands.json", "configure", "meson.build")


def include_folder(header: str, file: str) -> str | None:
    """The nearest folder in which `header` is found by the name it is included by; None if no such one is near."""
    found = _near(header, file)
    return os.path.relpath(found) if found is not None else None


def template_of(header: str, file: str) -> str | None:
    """The nearest file that configure, CMake or meson would make `header` from."""
    for ending in _TEMPLATES:
        folder = _near(header + ending, file)
        if folder is not None:
            return os.path.relpath(folder / (header + ending))
    return None


def _near(name: str, file: str) -> Path | None:
    """The nearest folder in which there is a file of this name, which may begin with folders."""
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or not name.isprintable():
        return None
    return next((folder for folder in _folders(Path(file).parent) if (folder / name).is_file()), None)


def _folders(start: Path) -> Iterator[Path]:
    """Folders from near to far: those below the file's own, below the top of its project, below the current one."""
    own, current = Path(os.path.abspath(start)), Path.cwd()
    seen: set[Path] = set()
    # Farther away are the headers of other programs, which have the same names.
    project = [own.parent] if any((own.parent / name).exists() for name in _TOP_OF_PROJECT) else []
    for root in (own, *project, *([current] if current in own.parents else [])):
        if root in (root.parent, Path.home()):
            continue
        waiting = deque([root])
        while waiting and len(seen) < MOST_FOLDERS:
            folder = waiting.popleft()
            if folder not in seen:
                seen.add(folder)
                yield folder
                waiting.extend(_within(folder))


def _within(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [e.name for e in entries if not e.name.startswith(".") and e.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]
