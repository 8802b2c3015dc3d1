"""Reflexion models into files; the name tells the kind."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from stateglass.evidence import ReflexionModel
from stateglass.formats.files import utf8, write_bytes
from stateglass.formats.targets import STDIO, check_folder, extension
from stateglass.source import Code, close_match, input_error
from stateglass.views.page import sources_of
from stateglass.views.reflexion.drawing import drawing
from stateglass.views.reflexion.page import files_of, reflexion_page
from stateglass.views.reflexion.picture import png, svg

KINDS: Final = (".svg", ".png", ".html", ".json", ".dot")


def check_outputs(outputs: Sequence[str], more: Sequence[str] = ()) -> None:
    """What cannot be written is told before the work; `more` are extensions that somebody else writes."""
    known = (*KINDS, *more)
    for output in outputs:
        kind = _kind(output)
        if kind not in known:
            said = f"`{output}` has the unknown extension `{kind}`" if kind else f"`{output}` has no extension"
            help = f"{close_match(kind, known)} files of these kinds are written: {', '.join(known)}".lstrip()
            raise input_error(Code.USAGE, said, help=help)
        check_folder(output)


def write_reflexion(model: ReflexionModel, facts: Mapping[str, object], path: str, *, force: bool = False) -> None:
    """Writes one file, whole or not at all; `facts` is what a `.json` has."""
    match _kind(path):
        case ".svg":
            data = utf8(svg(model, force=force))
        case ".png":
            data = png(model, force=force)
        case ".html":
            title = f"{model.machine}: reflexion of {model.function}"
            data = utf8(reflexion_page(model, sources_of(files_of(model)), title))
        case ".dot":
            data = utf8(drawing(model))
        case ".json":
            # On one line: the lines that calls execute would fill most of the file with blanks.
            data = utf8(json.dumps(facts, ensure_ascii=False) + "\n")
        case kind:
            raise ValueError(kind)
    write_bytes(path, data)


def _kind(path: str) -> str:
    return ".svg" if path == STDIO else extension(path)
