"""The frame of an HTML page that is complete in itself: no part of it is loaded, and nothing else on it runs."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from stateglass.source import InputError
from stateglass.views.drawing import ALARM, ALARM_PAPER, BORDER, FAINT, INK, PALE_INK, PAPER
from stateglass.views.report_parts import Places, escaped

MOST_SOURCE_BYTES = 2 << 20
"""A larger source file is not put into a page."""

# What the colours of the picture become on a dark screen; each keeps its contrast with what is behind it.
IN_THE_DARK = {
    "white": "#14181f",
    INK: "#e6e9ee",
    PALE_INK: "#9aa4b2",
    PAPER: "#17304a",
    FAINT: "#232a34",
    BORDER: "#6cb6ff",
    ALARM: "#ffa766",
    ALARM_PAPER: "#43260f",
}


@final
@dataclass(frozen=True, slots=True)
class Chapter:
    """An answer on a page: HTML whose parts show each other, and tables to look things up in.

    No other chapter of its page has its `name`, which stands before all names within; that of an only one is empty.
    """

    name: str
    links: tuple[tuple[str, str], ...]  # names without that of the chapter, and texts
    parts: tuple[str, ...]
    tables: tuple[str, ...] = ()
    in_the_dark: Mapping[str, str] = field(default_factory=lambda: IN_THE_DARK)  # other colours for its pictures


@final
@dataclass(frozen=True, slots=True)
class Told:
    """A chapter in a story of several: its heading, and as HTML what is said before."""

    heading: str
    before: str
    chapter: Chapter


def left_out(reason: str, name: str) -> Chapter:
    """In the place of an answer that there is not."""
    return Chapter(name, (), (f'<section class="card partial"><p>Left out: {escaped(reason)}.</p></section>',))


def page(title: str, chapter: Chapter) -> str:
    """The whole page of a single answer."""
    links = [(chapter.name + name, text) for name, text in chapter.links]
    return _framed(title, links, [_article(chapter, [*chapter.parts, *chapter.tables])], chapter.in_the_dark)


def book(title: str, before: str, story: Sequence[Told]) -> str:
    """The whole page of several answers, one after the other, with tables folded away; `before` is HTML."""
    links = [(f"{told.chapter.name}chapter", told.heading) for told in story]
    in_the_dark = {light: dark for told in story for light, dark in told.chapter.in_the_dark.items()}
    articles = []
    for told in story:
        chapter = told.chapter
        heading = f'<h2 class="heading" id="{chapter.name}chapter">{escaped(told.heading)}</h2>'
        parts = [heading, told.before, *chapter.parts, *map(_folded, chapter.tables)]
        articles.append(_article(chapter, parts))
    return _framed(title, links, [before, *articles], in_the_dark)


def _article(chapter: Chapter, parts: Iterable[str]) -> str:
    inner = "\n".join(part for part in parts if part)
    return f'<article class="chapter" data-name="{chapter.name}">\n{inner}\n</article>'


def _folded(table: str) -> str:
    """A section that is shown when somebody asks for it, under its own heading."""
    heading = re.search(r"<h2>(.*?)</h2>", table)
    assert heading is not None
    return f"<details><summary>{heading[1]}</summary>{table.replace(heading[0], '', 1)}</details>"


def _framed(title: str, links: Iterable[tuple[str, str]], parts: Iterable[str], in_the_dark: Mapping[str, str]) -> str:
    look = _beside("report.css") + _dark_picture(in_the_dark)
    script = _beside("report.js")
    policy = f"default-src 'none'; style-src '{_digest(look)}'; script-src '{_digest(script)}'"
    contents = " ".join(f'<a href="#{name}">{text}</a>' for name, text in links)
    lines = [
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
        f"<header><h1>{escaped(title)}</h1><nav>{contents}</nav></header>",
        "<main>",
        *parts,
        "</main>",
        "<footer>Written by Stateglass. This page is complete in itself: it loads nothing from anywhere.</footer>",
        f"<script>{script}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def picture_pane(
    draw: Callable[[], str], legend: str, names: Places, name: str = "picture", title: str = "Picture"
) -> str:
    """The picture that `draw` makes as SVG, or why there is none; `legend` is HTML."""
    head = f'<section id="{names.name(name)}" class="pane picture"><h2>{title}</h2>'
    try:
        drawn = draw()
    except InputError as error:
        reasons = "; ".join(d.message for d in error.diagnostics)
        return f"{head}<p>No picture: {escaped(reasons)}. The tables below show what there is.</p></section>"
    # What stands before the element is for files of its own. A quote within text is written otherwise.
    inner = drawn[drawn.index("<svg") :].strip().replace(' id="', f' id="{names.chapter}')
    zoom = (
        '<p class="zoom with-script"><button type="button" data-zoom="fit">Fit</button> '
        '<button type="button" data-zoom="out">Smaller</button> '
        '<button type="button" data-zoom="in">Larger</button></p>'
    )
    box = '<div class="scroll drawing" tabindex="0" role="group" aria-label="Picture of the model">'
    return f'{head}{zoom}{box}{inner}</div><p class="legend">{legend}</p></section>'


def sources_of(names: Iterable[str]) -> dict[str, str]:
    """The text of those files that can be read."""
    return {name: text for name in names if (text := _source(name)) is not None}


def _source(name: str) -> str | None:
    try:
        path = Path(name)
        return None if path.stat().st_size > MOST_SOURCE_BYTES else path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return None


def _dark_picture(in_the_dark: Mapping[str, str]) -> str:
    rules = []
    for light, dark in in_the_dark.items():
        rules.append(f'.drawing svg [fill="{light}"]{{fill:{dark}}}.drawing svg [stroke="{light}"]{{stroke:{dark}}}')
    return "@media screen and (prefers-color-scheme:dark){" + "".join(rules) + "}\n"


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What a content security policy calls an inline text by: nothing else on the page can take effect as code."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
