"""A model as one HTML page: picture and source side by side, what it rests on, every state and transition."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path

from stateglass.formats.files import utf8, write_bytes
from stateglass.model import Model
from stateglass.source import InputError
from stateglass.views.drawing import ALARM, ALARM_PAPER, BORDER, FAINT, INK, PALE_INK, PAPER
from stateglass.views.picture import svg
from stateglass.views.report_parts import (
    Places,
    card,
    escaped,
    listing,
    state_rows,
    transition_rows,
    ways_section,
)
from stateglass.views.ways import noteworthy_ways

MOST_SOURCE_BYTES = 2 << 20
"""A larger source file is not put into a report."""

# What the colours of the picture become on a dark screen; each keeps its contrast with what is behind it.
_IN_THE_DARK = {
    "white": "#14181f",
    INK: "#e6e9ee",
    PALE_INK: "#9aa4b2",
    PAPER: "#17304a",
    FAINT: "#232a34",
    BORDER: "#6cb6ff",
    ALARM: "#ffa766",
    ALARM_PAPER: "#43260f",
}


def report(model: Model, sources: Mapping[str, str], title: str) -> str:
    """The page. `sources` has the text of files by the names that the model's spans use; it may lack some."""
    places = Places(tuple(sources))
    look = _beside("report.css") + _dark_picture()
    script = _beside("report.js")
    policy = f"default-src 'none'; style-src '{_digest(look)}'; script-src '{_digest(script)}'"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escaped(title)}</title>",
        f"<style>{look}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{escaped(title)}</h1>{_contents(model, sources)}</header>",
        "<main>",
        card(model),
        '<div class="panes">',
        _picture(model),
        *([listing(sources, model, places)] if sources else []),
        "</div>",
        ways_section(model, places),
        state_rows(model, places),
        transition_rows(model, places),
        "</main>",
        "<footer>Written by Stateglass. This page is complete in itself: it loads nothing from anywhere.</footer>",
        f"<script>{script}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def write_report(model: Model, path: str, title: str) -> None:
    """Writes the page to a file, with those source files of the model that can be read."""
    sources = {name: text for name in model.origin.files if (text := _source(name)) is not None}
    write_bytes(path, utf8(report(model, sources, title)))


def _source(name: str) -> str | None:
    try:
        path = Path(name)
        return None if path.stat().st_size > MOST_SOURCE_BYTES else path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return None


def _contents(model: Model, sources: Mapping[str, str]) -> str:
    links = [("picture", "Picture")] + ([("source", "Source")] if sources else [])
    links += [("ways", "Errors and deadlocks")] if noteworthy_ways(model) else []
    links += [("states", f"States ({model.states})"), ("transitions", f"Transitions ({model.transitions})")]
    return "<nav>" + " ".join(f'<a href="#{name}">{text}</a>' for name, text in links) + "</nav>"


def _picture(model: Model) -> str:
    head = '<section id="picture" class="pane"><h2>Picture</h2>'
    try:
        drawn = svg(model)
    except InputError as error:
        reasons = "; ".join(d.message for d in error.diagnostics)
        return f"{head}<p>No picture: {escaped(reasons)}. The tables below show what there is.</p></section>"
    # What stands before the element is for files of its own.
    inner = drawn[drawn.index("<svg") :].strip()
    legend = (
        '<p class="legend">Boxes with values are states between calls, small boxes with a number are within one. '
        "A thick frame is a deadlock, a double frame an end, a dashed arrow an error. "
        '<span class="with-script">Click a state, an arrow or a line to see what belongs together; '
        "Escape lets go.</span></p>"
    )
    zoom = (
        '<p class="zoom with-script"><button type="button" data-zoom="fit">Fit</button> '
        '<button type="button" data-zoom="out">Smaller</button> '
        '<button type="button" data-zoom="in">Larger</button></p>'
    )
    box = '<div class="scroll drawing" tabindex="0" role="group" aria-label="Picture of the model">'
    return f"{head}{zoom}{box}{inner}</div>{legend}</section>"


def _dark_picture() -> str:
    rules = []
    for light, dark in _IN_THE_DARK.items():
        rules.append(f'.drawing svg [fill="{light}"]{{fill:{dark}}}.drawing svg [stroke="{light}"]{{stroke:{dark}}}')
    return "@media screen and (prefers-color-scheme:dark){" + "".join(rules) + "}\n"


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What a content security policy calls an inline text by: nothing else on the page can take effect as code."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
