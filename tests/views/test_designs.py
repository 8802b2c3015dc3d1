"""Pictures of designs: everything that is in a design is in its picture, and crowds are refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from stateglass.design import Component, Reaction, Service, State, expression_text
from stateglass.source import InputError
from stateglass.views.claims.mermaid import mermaid
from stateglass.views.claims.sequence import RowKind
from stateglass.views.designs import Happening, assembly_picture, run_lines, run_picture, statechart_picture
from stateglass.views.designs.assembly import assembly_drawing
from stateglass.views.designs.runs import run_diagram
from stateglass.views.designs.statechart import statechart_drawing
from tests.assemblies.designs import arrow, assembled, begin, end, operation, sink, source, state, store


def texts(svg: str) -> set[str]:
    return {
        "".join(node.itertext()).strip() for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("text")
    }


def test_an_assembly_shows_components_pins_reactions_and_connections() -> None:
    asks = Component(
        "Asks", (), (), (source("ask", synch=True), source("tell")), (Reaction("R", True, ("ask", "tell")),)
    )
    does = Component(
        "Does", (), (), (sink("in", synch=True), sink("note"), sink("spare")), (Reaction("U", False, ("in",)),)
    )
    design = assembled(
        (asks, does),
        "a: Asks, d: Does",
        "a:ask ~> d:in",
        "a:tell ~> d:note",
        "clock:tick ~> d:note",
        services=(Service("clock", "timer"),),
        exposed="d:in",
    )
    dot = assembly_drawing(design, design.assemblies[0])

    def look(of: str) -> str:
        return next(line for line in dot.splitlines() if re.search(of, line))

    assert 'style="solid", arrowhead="normal"' in look('id="connection0"')
    assert 'style="dashed", arrowhead="empty"' in look('id="connection1"')
    assert 'style="filled"' in look(r"R: a thread")
    assert 'style="filled,dashed"' in look(r"U: carried out")
    assert 'peripheries="2"' in look('id="pin_d_in"')
    assert "dashed" in look('id="pin_d_spare"')
    assert "dashed" not in look('id="pin_d_note"')
    svg = assembly_picture(design, design.assemblies[0])
    assert {"a: Asks", "d: Does", "clock: timer", "ask", "tell", "in", "note", "spare", "tick", "R", "U"} <= texts(svg)
    assert svg == assembly_picture(design, design.assemblies[0])


def test_a_statechart_shows_states_actions_and_guards() -> None:
    component = store().components[0]
    shown = texts(statechart_picture(component, component.reactions[0]))
    assert {"one", "two", "three", "four", "five", "entry / data = 0", "^incr", "/ $incr()"} <= shown
    assert "threaded react S(init, incr, decr) of store" in shown
    states = (state("on", begin("lamp"), begin("dark")), State("slow", parent="on"), State("fast", parent="on"))
    arrows = (
        arrow("start", "slow"),
        arrow("slow", "fast", "^go(n)", end("go"), begin("hum"), guard=operation("n", ">", 1)),
        arrow("fast", "on", "$hum"),
        arrow("on", "off", "^stop"),
    )
    nested = Reaction("R", False, ("go", "stop"), (), states, arrows)
    dot = statechart_drawing(Component("Motor"), nested)
    assert dot.index("subgraph cluster_0") < dot.index('id="state1"') < dot.index('id="state3"')
    assert 'ltail="cluster_0"' in dot
    shown = texts(statechart_picture(Component("Motor"), nested))
    assert {"on", "slow", "fast", "off", "entry / ^lamp()", "exit / ^dark()", "^go(n) [n > 1] /", "$hum"} <= shown


def test_crowds_are_refused_with_advice() -> None:
    states = tuple(State(f"s{number}") for number in range(1_000))
    many = Reaction("R", True, (), (), states, (arrow("start", "s0"),))
    with pytest.raises(InputError) as refused:
        statechart_picture(Component("Many"), many)
    assert "1,000 states" in refused.value.diagnostics[0].message
    assert "--force" in (refused.value.diagnostics[0].help or "")
    crowd = assembled((Component("Crowd", (), (), tuple(sink(f"p{n}") for n in range(1_000))),), "c: Crowd")
    with pytest.raises(InputError, match="1,000 pins"):
        assembly_picture(crowd, crowd.assemblies[0])
    with pytest.raises(InputError, match="2,000 steps"):
        run_picture([RUN[0]] * 2_000, "long")


RUN = (
    Happening(RowKind.CALL, "robot", "press", "^close(3)", ("press.closed = 1",)),
    Happening(RowKind.SEND, "press", "log", "^closed_at(3)"),
    Happening(RowKind.RETURN, "press", "robot", "$close(true)"),
    Happening(RowKind.INSIDE, "log", "log", "^closed_at(3)"),
    Happening(RowKind.ALARM, "robot", "robot", "error(completion)"),
)

LIFELINES = """\
 robot                  press                  log
   |----- ^close(3) ----->|                     |
   |                      | press.closed = 1    |
   |                      |--- ^closed_at(3) --)|
   |< -  $close(true) - - |                     |
for ever:
   |                      |                     | * ^closed_at(3)
   | !! error(completion) |                     |"""

SENTENCES = """\
   1  robot -> press: ^close(3)
      press: press.closed = 1
   2  press -> log: ^closed_at(3)
   3  press -> robot: $close(true)
for ever:
   4  log: ^closed_at(3)
   5  robot: error(completion)"""


def test_a_run_has_components_as_lifelines() -> None:
    assert "\n".join(run_lines(RUN, loop=3)) == LIFELINES
    assert "\n".join(run_lines(RUN, loop=3, width=40)) == SENTENCES
    assert next(run_lines(RUN, lanes=("log", "robot"), loop=3)).split() == ["log", "robot", "press"]
    svg = run_picture(RUN, "a run", loop=3)
    assert {"robot", "press", "log", "^close(3)", "press.closed = 1", "for ever"} <= texts(svg)
    drawn = mermaid(run_diagram(RUN), "a run")
    assert "L1-)L2: ^closed_at(3)" in drawn
    assert "Note over L1: press.closed = 1" in drawn


def test_expressions_are_printed_with_the_parentheses_that_they_need() -> None:
    inner = operation("a", "+", operation("b", "*", 2))
    assert expression_text(operation(inner, "-", operation("c", "-", -1))) == "a + b * 2 - (c - (-1))"
    assert expression_text(operation(operation("a", "||", "b"), "&&", inner)) == "(a || b) && a + b * 2"
