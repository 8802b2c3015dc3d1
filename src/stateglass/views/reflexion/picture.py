"""Reflexion models through Graphviz."""

from __future__ import annotations

from stateglass.evidence import ReflexionModel
from stateglass.source import Code, input_error
from stateglass.views.graphviz import RESOLUTION, check_fonts, render
from stateglass.views.picture import MOST_ARROWS, MOST_STATES
from stateglass.views.reflexion.drawing import drawing


def svg(model: ReflexionModel, *, force: bool = False) -> str:
    """The picture as SVG text."""
    _refuse_hairballs(model, force)
    return render(drawing(model), "svg", patient=force).decode("utf-8")


def png(model: ReflexionModel, *, force: bool = False) -> bytes:
    check_fonts()
    _refuse_hairballs(model, force)
    return render(drawing(model, RESOLUTION), "png", patient=force)


def _refuse_hairballs(model: ReflexionModel, force: bool) -> None:
    if force:
        return
    help = "take fewer variables or coarser states, write an .html page or .json, or insist with --force"
    for count, word, most in (
        (len(model.states), "states", MOST_STATES),
        (len(model.edges), "transitions", MOST_ARROWS),
    ):
        if count > most:
            message = f"there are {count} {word}; a picture of more than {most} cannot be read"
            raise input_error(Code.PICTURE, message, help=help)
