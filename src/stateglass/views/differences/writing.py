"""Writes a difference into a file, as what its name says."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stateglass.evidence import ChangeGraph
from stateglass.formats.files import write_bytes
from stateglass.formats.targets import extension
from stateglass.views.differences.drawing import png, svg
from stateglass.views.differences.markdown import markdown
from stateglass.views.differences.page import difference_chapter, difference_page
from stateglass.views.differences.text import Places, everywhere
from stateglass.views.differences.words import Shown

OUTPUTS: Final = (".svg", ".png", ".html", ".md", ".json")


def write_difference(
    shown: Shown,
    graph: Callable[[], ChangeGraph],
    facts: Mapping[str, object],
    path: str,
    places: Places = everywhere,
    files: tuple[Sequence[str], Sequence[str]] = ((), ()),
    *,
    force: bool = False,
) -> None:
    """A picture, a page, a comment, or the facts; `files` are those of both sides, `places` says where."""
    match extension(path):
        case ".md":
            write_bytes(path, markdown(shown, places).encode())
        case ".json":
            write_bytes(path, (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode())
        case ".svg":
            write_bytes(path, svg(graph(), force=force).encode())
        case ".png":
            write_bytes(path, png(graph(), force=force))
        case ".html":
            chapter = difference_chapter(shown, graph(), files, places, force=force)
            write_bytes(path, difference_page(shown, chapter).encode())
        case other:
            raise AssertionError(f"no such output: {other}")
