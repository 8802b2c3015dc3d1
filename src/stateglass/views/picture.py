"""A model as a picture that a person can take in: SVG, or PNG where there are fonts."""

from __future__ import annotations

from stateglass.formats.files import write_bytes
from stateglass.formats.targets import STDIO, extension
from stateglass.formats.valuations import parallel
from stateglass.model import Model
from stateglass.source import Code, input_error, suggestion
from stateglass.views.drawing import drawing
from stateglass.views.graphviz import RESOLUTION, check_fonts, render

MOST_STATES = 150
"""More states than this make a picture that nobody can read."""

MOST_ARROWS = 1000
"""The same for arrows, parallel ones counted once."""

_FORMATS = {".svg": "svg", ".png": "png"}


def draw(model: Model, path: str, *, force: bool = False) -> None:
    """Draws the model into an .svg or .png file (`-`: SVG on standard output)."""
    kind = ".svg" if path == STDIO else extension(path)
    if kind not in _FORMATS:
        help = suggestion(kind, _FORMATS)
        raise input_error(Code.PICTURE, f"`{path}`: pictures are drawn as .svg or .png", help=help)
    format = _FORMATS[kind]
    if format == "png":
        check_fonts()
    write_bytes(path, _rendered(model, format, force=force))


def svg(model: Model, *, force: bool = False) -> str:
    """The picture as SVG text."""
    return _rendered(model, "svg", force=force).decode("utf-8")


def _rendered(model: Model, format: str, *, force: bool) -> bytes:
    if not force:
        _refuse_hairballs(model)
    resolution = RESOLUTION if format == "png" else None
    return render(drawing(model, resolution), format, patient=force)


def _refuse_hairballs(model: Model) -> None:
    help = (
        "make it smaller (`extract --reduce branching`, or `stateglass reduce`), give smaller bounds or name fewer"
        " functions, list it with `stateglass info --states`, or insist with --force"
    )
    if model.states > MOST_STATES:
        message = f"the model has {model.states:,} states; a picture of more than {MOST_STATES} cannot be read"
        raise input_error(Code.PICTURE, message, help=help)
    arrows = len(parallel(model))
    if arrows > MOST_ARROWS:
        message = f"the model has {arrows:,} arrows; a picture of more than {MOST_ARROWS:,} cannot be read"
        raise input_error(Code.PICTURE, message, help=help)
