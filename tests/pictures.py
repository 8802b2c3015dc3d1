"""Pictures in the documents: what one shows, wherever letters and lines come to lie on this machine."""

from __future__ import annotations

import re
from pathlib import Path

_SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]+\.svg)\)")
_CONTENT = re.compile(r"<text[^>]*>(.*?)</text>|<g id=\"((?:state|edge)\d+)\"|<title>(.*?)</title>")


def content(text: str) -> list[tuple[str, ...]]:
    """What a picture shows: where Graphviz puts it depends on the fonts of the machine."""
    return sorted(_CONTENT.findall(text))


def is_current(path: Path, drawn: str) -> bool:
    return path.exists() and content(path.read_text(encoding="utf-8")) == content(drawn)


def compare(path: Path, drawn: str, update: bool) -> None:
    """Holds a picture that is kept against the one that is drawn now."""
    if update and not is_current(path, drawn):
        path.write_text(drawn, encoding="utf-8")
    assert is_current(path, drawn), f"{path.name}: if this is meant: pytest --update-cases"


def pictures_of(document: Path) -> list[Path]:
    """The SVG files of this repository that a document shows."""
    return [(document.parent / link).resolve() for link in _SHOWN.findall(document.read_text(encoding="utf-8"))]
