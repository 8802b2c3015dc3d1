"""The HTML report: complete in itself, safe with any text, honest about what it does not show."""

from __future__ import annotations

import html.parser
import re
from pathlib import Path

import numpy as np
import pytest

from stateglass.model import Assumption, Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.source import Span, Topic
from stateglass.views import report_parts
from stateglass.views.report import report, write_report
from stateglass.views.ways import noteworthy_ways

HOSTILE = "<script>alert('x')</script>&\"\x00\u2028"
VOID = {"meta", "br"}


class Outline(html.parser.HTMLParser):
    """Checks that elements nest, and collects identifiers, links and elements."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def door(origin: Origin | None = None) -> Model:
    """0 -open-> 1 -close-> 0, 1 -break-> 2 -error(bounds)-> 3, and 0 -jam-> 4, which is stuck."""
    builder = ModelBuilder()
    builder.add(0, "open", 1, Span.at("door.c", 2))
    builder.add(1, "close", 0, Span.at("door.c", 3))
    builder.add(1, "break", 2)
    builder.add(2, "error(bounds)", 3, Span.at("elsewhere.c", 9))
    builder.add(0, "jam", 4)
    position = Proposition("position", Sort.INT, np.array([0, 1, 2, 2, 0], dtype=np.int64))
    fixed = Proposition("fixed", Sort.INT, np.array([7] * 5, dtype=np.int64))
    return builder.build(5, propositions=[position, fixed], terminal=[3], origin=origin)


SOURCES = {"door.c": "int door;\nvoid open(void) { door = 1; }\nvoid close(void) { door = 0; }\n"}


def test_a_report_shows_everything_and_loads_nothing() -> None:
    bound, taken = ("open.speed", "0..3"), Assumption(Topic.FUNCTION, "motor", "it has no body")
    page = report(door(Origin(subject="door", bounds=(bound,), assumptions=(taken,))), SOURCES, "A door")
    outline = Outline(page)
    assert outline.tags.count("svg") == 1
    assert all(link.startswith("#") for link in outline.links)
    assert "default-src 'none'" in page
    for text in ("A door", "open.speed", "0..3", "it has no body", "error(bounds)", "fixed = 7", "void open(void)"):
        assert text in outline.text


def test_links_lead_to_places_on_the_page_and_names_are_used_once() -> None:
    outline = Outline(report(door(), SOURCES, "A door"))
    assert len(outline.ids) == len(set(outline.ids))
    assert {link[1:] for link in outline.links} <= set(outline.ids)
    assert "line-0-2" in outline.ids
    assert "#line-0-2" in outline.links


def test_what_the_model_is_to_the_code_is_told_in_words() -> None:
    assert "Exact." in report(door(Origin(files=("door.c",))), {}, "x")
    assert "Taken as it is." in report(door(), {}, "x")
    partial = report(door(Origin(Relation.UNDER, partial=("stopped at 5 states",))), {}, "x")
    assert "Under-approximation." in partial
    assert "stopped at 5 states" in partial
    both = report(door(Origin(Relation.OVER, partial=("stopped at 5 states",))), {}, "x")
    assert "not all of it" in both


def test_hostile_text_stays_text() -> None:
    builder = ModelBuilder()
    builder.add(0, HOSTILE, 0, Span.at(HOSTILE, 1))
    origin = Origin(
        subject=HOSTILE, assumptions=(Assumption(Topic.INPUT, HOSTILE, HOSTILE),), bounds=((HOSTILE, HOSTILE),)
    )
    page = report(builder.build(1, origin=origin), {HOSTILE: HOSTILE}, HOSTILE)
    assert Outline(page).tags.count("script") == 1
    assert "\x00" not in page


def test_lines_are_numbered_as_a_compiler_does() -> None:
    page = report(door(), {"door.c": "a\fb\r\nc\u2028d\n"}, "x")
    assert re.findall(r'id="line-0-(\d+)"', page) == ["1", "2"]


def test_a_model_too_large_for_a_picture_says_so() -> None:
    builder = ModelBuilder()
    for state in range(200):
        builder.add(state, "next", (state + 1) % 200)
    page = report(builder.build(200), {}, "long")
    assert "<svg" not in page
    assert "No picture" in page
    assert 'id="row-199"' in page


def test_long_tables_are_cut_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_parts, "MOST_ROWS", 2)
    outline = Outline(report(door(), SOURCES, "x"))
    assert "The first 2 of 5; a model file has them all." in outline.text
    assert {link[1:] for link in outline.links} <= set(outline.ids)


def test_the_same_model_gives_the_same_page(here: Path) -> None:
    (here / "door.c").write_text(SOURCES["door.c"])
    model = door(Origin(files=("door.c", "missing.c")))
    write_report(model, "page.html", "A door")
    assert (here / "page.html").read_text(encoding="utf-8") == report(model, SOURCES, "A door")


def test_ways_are_shortest_and_say_what_changes() -> None:
    error, deadlock = noteworthy_ways(door())
    assert error.title == "error(bounds)"
    assert [step.action for step in error.steps] == ["open", "break", "error(bounds)"]
    assert [step.changes for step in error.steps] == [(("position", "1"),), (("position", "2"),), ()]
    assert deadlock.title == "deadlock in state 4"
    assert [step.action for step in deadlock.steps] == ["jam"]


def test_there_are_no_ways_without_a_finding() -> None:
    builder = ModelBuilder()
    builder.add(0, "tick", 0)
    builder.add(1, "error(null)", 1)
    model = builder.build(2)
    assert noteworthy_ways(model) == []
    assert "How it gets to" not in report(model, {}, "x")
