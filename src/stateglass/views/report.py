"""A model as a chapter of a page: picture and source side by side, what it rests on, every state and transition."""

from __future__ import annotations

from collections.abc import Mapping

from stateglass.formats.files import utf8, write_bytes
from stateglass.model import Model
from stateglass.views.page import Chapter, page, picture_pane, sources_of
from stateglass.views.picture import svg
from stateglass.views.report_parts import (
    Places,
    card,
    listing,
    state_rows,
    transition_rows,
    ways_section,
)

LEGEND = (
    "Boxes with values are states between calls, small boxes with a number are within one. "
    "A thick frame is a deadlock, a double frame an end, a dashed arrow an error. "
    '<span class="with-script">Click a state, an arrow or a line to see what belongs together; '
    "Escape lets go.</span>"
)


def model_chapter(model: Model, sources: Mapping[str, str], name: str = "") -> Chapter:
    """`sources` has the text of files by the names that the model's spans use; it may lack some."""
    places = Places(tuple(sources), name)
    used = {anchor for span in model.spans if (anchor := places.anchor(span)) is not None}
    parts = (
        card(model),
        '<div class="panes">',
        picture_pane(lambda: svg(model), LEGEND, places),
        *([listing(sources, used, places)] if sources else []),
        "</div>",
    )
    ways = ways_section(model, places)
    links = [("picture", "Picture")] + ([("source", "Source")] if sources else [])
    links += [("ways", "Errors and deadlocks")] if ways else []
    links += [("states", f"States ({model.states})"), ("transitions", f"Transitions ({model.transitions})")]
    tables = (*([ways] if ways else []), state_rows(model, places), transition_rows(model, places))
    return Chapter(name, tuple(links), parts, tables)


def report(model: Model, sources: Mapping[str, str], title: str) -> str:
    """The page of a model alone."""
    return page(title, model_chapter(model, sources))


def write_report(model: Model, path: str, title: str) -> None:
    """Writes the page to a file, with those source files of the model that can be read."""
    write_bytes(path, utf8(report(model, sources_of(model.origin.files), title)))
