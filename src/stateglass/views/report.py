"""A model as one HTML page: picture and source side by side, what it rests on, every state and transition."""

from __future__ import annotations

from collections.abc import Mapping

from stateglass.formats.files import utf8, write_bytes
from stateglass.model import Model
from stateglass.views.page import page, picture_pane, sources_of
from stateglass.views.picture import svg
from stateglass.views.report_parts import (
    Places,
    card,
    listing,
    state_rows,
    transition_rows,
    ways_section,
)
from stateglass.views.ways import noteworthy_ways

LEGEND = (
    "Boxes with values are states between calls, small boxes with a number are within one. "
    "A thick frame is a deadlock, a double frame an end, a dashed arrow an error. "
    '<span class="with-script">Click a state, an arrow or a line to see what belongs together; '
    "Escape lets go.</span>"
)


def report(model: Model, sources: Mapping[str, str], title: str) -> str:
    """The page. `sources` has the text of files by the names that the model's spans use; it may lack some."""
    places = Places(tuple(sources))
    used = {anchor for span in model.spans if (anchor := places.anchor(span)) is not None}
    parts = [
        card(model),
        '<div class="panes">',
        picture_pane(lambda: svg(model), LEGEND),
        *([listing(sources, used, places)] if sources else []),
        "</div>",
        ways_section(model, places),
        state_rows(model, places),
        transition_rows(model, places),
    ]
    return page(title, _contents(model, sources), parts)


def write_report(model: Model, path: str, title: str) -> None:
    """Writes the page to a file, with those source files of the model that can be read."""
    write_bytes(path, utf8(report(model, sources_of(model.origin.files), title)))


def _contents(model: Model, sources: Mapping[str, str]) -> list[tuple[str, str]]:
    links = [("picture", "Picture")] + ([("source", "Source")] if sources else [])
    links += [("ways", "Errors and deadlocks")] if noteworthy_ways(model) else []
    return [*links, ("states", f"States ({model.states})"), ("transitions", f"Transitions ({model.transitions})")]
