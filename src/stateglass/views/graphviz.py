"""The door to Graphviz, which comes inside the pygraphviz package; nothing need be installed on the system."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from stateglass.source import Code, input_error

MOST_SECONDS = 120
"""How long a layout may take unless the user insists."""

RESOLUTION = 144
"""Dots per inch of pixel formats."""
_WORKER = Path(__file__).with_name("graphviz_worker.py")
_FONT_FILES = (".ttf", ".otf", ".ttc", ".pfb")
_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/X11/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
)


def render(dot: str, format: str, *, patient: bool) -> bytes:
    """The picture of a DOT graph in `svg` or `png`; `patient` waits as long as it takes."""
    # -P: what lies around in the current folder must not be taken for a module.
    command = [sys.executable, "-P", str(_WORKER), format]
    limit = None if patient else MOST_SECONDS
    try:
        done = subprocess.run(command, input=dot.encode("utf-8", "replace"), capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        message = f"the layout was not finished after {MOST_SECONDS} seconds"
        raise input_error(Code.PICTURE, message, help="make the model smaller first, or insist with --force") from None
    if done.returncode != 0 or not done.stdout:
        message = f"Graphviz could not draw the model: {_failure(done)}"
        raise input_error(Code.PICTURE, message, help="write the model as .dot and draw it with another tool")
    return done.stdout


def check_fonts() -> None:
    """Refuses to draw pixels where letters would be empty boxes."""
    if not fonts_found():
        message = "no fonts were found, and a .png without fonts has no readable text"
        help = "draw an .svg, or install a font package such as fonts-dejavu-core"
        raise input_error(Code.PICTURE, message, help=help)


def fonts_found() -> bool:
    """Whether there is any font; without one, Graphviz draws empty boxes for letters into pixel pictures."""
    return any(True for _ in _fonts())


def _failure(done: subprocess.CompletedProcess[bytes]) -> str:
    if done.returncode < 0:
        return f"it crashed with signal {-done.returncode}"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said else f"it ended with {done.returncode}"


def _fonts() -> Iterator[str]:
    for folder in _FONT_FOLDERS:
        for _, _, files in os.walk(os.path.expanduser(folder)):
            yield from (file for file in files if file.lower().endswith(_FONT_FILES))
