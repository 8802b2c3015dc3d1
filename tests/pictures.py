"""What a picture shows, wherever its parts are drawn."""

from __future__ import annotations

import re

_SHOWN = re.compile(r"<text[^>]*>(.*?)</text>|<g id=\"((?:state|edge)\d+)\"|<title>(.*?)</title>")


def shown_in(picture: str) -> list[tuple[str, ...]]:
    """Its texts, states and edges: where Graphviz puts them depends on the fonts of the machine."""
    return sorted(_SHOWN.findall(picture))
