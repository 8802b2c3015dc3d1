"""Reflexion models as pictures, pages and lines: told apart without colour, safe with any text, within the width."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.evidence import Condition, Edge, ReflexionModel, Result, StateFound, Witness
from stateglass.source import InputError, Span
from stateglass.views.picture import MOST_STATES
from stateglass.views.reflexion import conclusion, facts, table
from stateglass.views.reflexion.drawing import drawing
from stateglass.views.reflexion.page import files_of, reflexion_page
from stateglass.views.reflexion.picture import svg
from stateglass.views.reflexion.relevance import Relevance
from stateglass.views.reflexion.words import MARKS
from tests.views.test_report import HOSTILE, Outline

SVG = "{http://www.w3.org/2000/svg}"
CALL = Witness((("mode", "1"), ("speed", "3"), ("noise", "9")), (("mode", "2"),), (("m.c", 2), ("m.c", 3)))
SOURCES = {"m.c": "int mode;\nvoid step(void)\n{ mode = 2; }\n", "m.machine": "machine M of step\n"}


def motor() -> ReflexionModel:
    """Nested states, a trap, an unreachable state, pseudo-states, and each result."""
    states = (
        StateFound("On", "power", initial=True),
        StateFound("Slow", "mode == 1", "On", initial=True, reachable=True),
        StateFound("Fast", "mode == 2", "On", reachable=True, is_trap=True),
        StateFound("Off", "!power", reachable=False, is_entered=False),
        StateFound("other", ""),
        StateFound("error", ""),
        StateFound("exit", ""),
    )
    at = Span.at("m.machine", 1)
    edges = (
        Edge(
            "Slow",
            "Fast",
            (Result.CONVERGENCE,),
            "speed > 2",
            True,
            CALL,
            condition=Condition("speed > 2", True),
            span=at,
        ),
        Edge("Slow", "Slow", (Result.PARTIAL, Result.DIVERGENCE), "speed", True, CALL, ("Off", CALL), CALL, span=at),
        Edge("Off", "On", (Result.ABSENCE,), None, True, span=at),
        Edge("Fast", "error", (Result.DIVERGENCE,), witness=replace(CALL, error="overflow")),
        Edge("other", "exit", (Result.INCONCLUSIVE,), reason="bound: a loop"),
    )
    return ReflexionModel("Motor", "step", states, edges, (), None, (), ("x is y",), ("bound: a loop",))


def test_results_are_told_apart_by_marks_and_lines_not_by_colour_alone() -> None:
    drawn = ET.fromstring(svg(motor()))
    arrows = {g.get("id"): g for g in drawn.iter(f"{SVG}g") if g.get("class") == "edge"}
    styles = {}
    for number, edge in enumerate(motor().edges):
        group = arrows[f"arrow{number}"]
        texts = " ".join(text.text or "" for text in group.iter(f"{SVG}text"))
        assert f"[{''.join(MARKS[r] for r in edge.results)}]" in texts
        paths = list(group.iter(f"{SVG}path"))
        assert len(paths) == len(edge.results)
        look = paths[0]
        styles[edge.results[0]] = (look.get("stroke-width"), look.get("stroke-dasharray"))
    assert len(set(styles.values())) == len(styles)


def test_a_picture_has_frames_a_start_a_legend_and_what_is_worth_a_look() -> None:
    text = svg(motor())
    drawn = ET.fromstring(text)
    kinds = [g.get("class") for g in drawn.iter(f"{SVG}g")]
    assert kinds.count("cluster") == 1
    titles = [t.text for t in drawn.iter(f"{SVG}title")]
    assert {"start0", "start1"} <= set(titles)
    shown = " ".join(t.text or "" for t in drawn.iter(f"{SVG}text"))
    for words in ("trap: never left", "not reachable", "partial convergence", "absence", "not decided: bound: a loop"):
        assert words in shown
    assert "mode = 1, speed = 3, noise = 9 ⟶ mode = 2 (lines 2, 3)" in text


def test_a_page_shows_the_lines_of_each_edge_and_loads_nothing() -> None:
    page = reflexion_page(motor(), SOURCES, "Motor")
    outline = Outline(page)
    assert outline.tags.count("svg") == 1
    assert all(link.startswith("#") for link in outline.links)
    assert files_of(motor()) == ("m.c", "m.machine")
    [row] = re.findall(r'<tr[^>]*data-arrow="arrow0"[^>]*>', page)
    [lines] = re.findall(r'data-line="([^"]*)"', row)
    assert lines.split() == ["line-0-2", "line-0-3", "line-1-1"]
    assert set(lines.split()) <= set(outline.ids)
    assert 'id="arrow0"' in page


def test_any_text_is_only_text() -> None:
    model = motor()
    states = tuple(
        replace(s, name=HOSTILE if s.name == "Off" else s.name, condition=s.condition and HOSTILE) for s in model.states
    )
    edges = tuple(
        replace(e, source=HOSTILE if e.source == "Off" else e.source, claimed=HOSTILE, reason=HOSTILE)
        for e in model.edges
    )
    hostile = replace(model, machine=HOSTILE, states=states, edges=edges, inconclusive=(HOSTILE,))
    ET.fromstring(svg(hostile))
    page = reflexion_page(hostile, {"m.c": HOSTILE}, HOSTILE)
    assert Outline(page).tags.count("script") == 1
    assert "\x00" not in page


def test_too_many_states_are_no_picture_and_still_a_page() -> None:
    states = tuple(StateFound(f"s{n}", f"n == {n}") for n in range(MOST_STATES + 1))
    model = replace(motor(), states=states, edges=())
    with pytest.raises(InputError, match="cannot be read"):
        svg(model)
    assert "No picture" in reflexion_page(model, {}, "many")


@settings(max_examples=30, deadline=None)
@given(st.integers(40, 120), st.text(st.characters(codec="utf-8"), min_size=1, max_size=60))
def test_lines_keep_to_the_width(width: int, name: str) -> None:
    model = motor()
    edges = tuple(replace(e, source=name, target=name, claimed=" ".join(["speed > 2"] * 20)) for e in model.edges)
    for line in table(replace(model, edges=edges), width):
        assert line.isprintable()
        assert len(line) <= width or len(max(re.split(r"\s", line), key=len)) > width - 20


def test_words_that_are_not_said() -> None:
    found = facts(motor())
    edges = found["edges"]
    assert isinstance(edges, list)
    assert [e["results"] for e in edges][1] == ["partial convergence", "divergence"]
    assert drawing(motor()) == drawing(motor())


def test_remarks_name_a_few_states() -> None:
    states = tuple(StateFound(f"a, {n}", "x", is_trap=True) for n in range(30))
    lines = list(conclusion(replace(motor(), states=states)))
    assert "entered and never left: a, 0; a, 1; a, 2; a, 3; a, 4; a, 5; a, 6; a, 7; … 22 more" in lines


# ---- which values matter


@pytest.mark.parametrize(
    ("name", "condition", "matters"),
    [
        ("speed", "speed > 3", True),
        ("speed", "speedy > 3", False),
        ("u.mode", "u.mode == 1", True),
        ("u.hours", "u.mode == 1", False),
        ("u.hours", "is_idle(&u)", True),
        ("c->mode", "c->mode == 1", True),
        ("c->hours", "c->mode == 1", False),
        ("c->mode", "is_idle(c)", True),
        ("a[2]", "a[2] > 0", True),
        ("a[3]", "a[2] > 0", False),
        ("a[3]", "a[i] > 0", True),
        ("a[3].x", "a[3].y > 0", False),
        ("f::x", "f::x == 2", True),
        ("x@motor.c", "x == 2", True),
        ("*p", "*p == 2", True),
        ("speed", "done", True),
        ("other", "done", False),
    ],
)
def test_relevant_values(name: str, condition: str, matters: bool) -> None:
    witness = Witness(((name, "1"),), (), ())
    edge = Edge("A", "A", (Result.CONVERGENCE,), witness=witness, condition=Condition("always", True))
    state = StateFound("A", condition)
    model = replace(motor(), states=(state,), edges=(edge,), lets=(("done", "late || speed < 3"), ("late", "t > 2")))
    shown, rest = Relevance(model).of(witness, edge, "A")
    assert (shown == ((name, "1"),)) is matters
    assert rest is not matters


def test_what_changes_matters_and_without_a_condition_everything_does() -> None:
    edge = motor().edges[0]
    shown, rest = Relevance(motor()).of(CALL, edge, "Fast")
    assert [name for name, _ in shown] == ["mode", "speed"]
    assert rest
    shown, rest = Relevance(motor()).of(CALL, replace(edge, condition=None), "Fast")
    assert [name for name, _ in shown] == ["mode", "speed", "noise"]
    assert not rest
