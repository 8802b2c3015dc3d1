"""Hypotheses from diagrams: the same machine in four notations, what is left out, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.formats import CHARTS, FORMATS, read_chart
from stateglass.formats.dot_reader import parse_chart as dot
from stateglass.formats.mermaid_reader import parse_chart as mermaid
from stateglass.formats.plantuml_reader import parse_chart as plantuml
from stateglass.formats.scxml_reader import parse_chart as scxml
from stateglass.model.chart import Chart
from stateglass.reflexion import Drawn, hypothesis_of
from stateglass.reflexion.notation import load_mapping, print_hypothesis
from stateglass.source import InputError

MERMAID = """stateDiagram-v2
  [*] --> On
  state "Switched on" as On {
    [*] --> Idle
    Idle --> Moving : start [speed == 0] / beep()
    Moving --> Idle : speed == 0
  }
  On --> Off : [!power]
  Off --> On
  note right of Off : quiet
"""
PLANTUML = """@startuml
[*] --> On
state "Switched on" as On {
  [*] --> Idle
  Idle --> Moving : start [speed == 0] / beep()
  Moving --> Idle : speed == 0
}
On --> Off : [!power]
Off -left-> On
note right of Off : quiet
@enduml
"""
SCXML = """<scxml xmlns="http://www.w3.org/2005/07/scxml" initial="On">
<state id="On" initial="Idle"><onentry/>
  <state id="Idle"><transition event="start" cond="speed == 0" target="Moving"/></state>
  <state id="Moving"><transition event="" cond="speed == 0" target="Idle"/></state>
  <transition cond="!power" target="Off"/>
</state>
<state id="Off"><transition target="On"/></state>
</scxml>
"""
DOT = """digraph {
  start [shape=point]; inner [shape=point];
  subgraph cluster_on { label="On"; inner; Idle; Moving;
    inner -> Idle;
    Idle -> Moving [label="start [speed == 0] / beep()"];
    Moving -> Idle [label="speed == 0"];
  }
  start -> Idle [lhead=cluster_on];
  Idle -> Off [label="[!power]", ltail=cluster_on];
  Off -> Idle [lhead=cluster_on];
}
"""
MAPPING = """machine Motor of step in "motor.c"
  let start = button && power
  assume speed >= 0
  state On: power
    state Idle: speed == 0
    state Moving: speed > 0
  state Off: !power
"""
EXPECTED = """machine Motor of step in "motor.c"
  let start = button && power
  assume speed >= 0
  initial state On: power
    initial state Idle: speed == 0
    state Moving: speed > 0
  state Off: !power
  Idle -> Moving when (start) && (speed == 0)
  Moving -> Idle when speed == 0
  On -> Off when !power
  Off -> On
"""


def drawn(folder: Path, name: str, text: str, mapping: str = MAPPING) -> Drawn:
    (folder / name).write_text(text, encoding="utf-8")
    (folder / "x.machine").write_text(mapping, encoding="utf-8")
    return hypothesis_of(read_chart(str(folder / name)), load_mapping(str(folder / "x.machine")))


def refused(folder: Path, name: str, text: str, mapping: str = MAPPING) -> list[str]:
    with pytest.raises(InputError) as caught:
        drawn(folder, name, text, mapping)
    return [d.message for d in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("name", "text", "left_out"),
    [
        ("x.mmd", MERMAID, "not part of the hypothesis: 1 × note, the action `beep()`"),
        ("x.puml", PLANTUML, "not part of the hypothesis: 1 × note, the action `beep()`"),
        ("x.scxml", SCXML, "not part of the hypothesis: 1 × `onentry`"),
        ("x.dot", DOT, "not part of the hypothesis: the action `beep()`"),
    ],
)
def test_one_machine_in_four_notations(tmp_path: Path, name: str, text: str, left_out: str) -> None:
    found = drawn(tmp_path, name, text)
    assert print_hypothesis(found.hypothesis) == EXPECTED
    assert [w.message for w in found.warnings] == [left_out]


def test_conditions_stand_where_they_were_drawn(tmp_path: Path) -> None:
    found = drawn(tmp_path, "x.mmd", MERMAID).hypothesis
    assert [str(t.span).rpartition("/")[2] for t in found.transitions] == ["x.mmd:5", "x.mmd:6", "x.mmd:8", "x.mmd:9"]
    assert [str(s.span).rpartition("/")[2] for s in found.states][:2] == ["x.machine:4:9", "x.machine:5:11"]


def test_a_state_may_go_by_what_is_written_in_it(tmp_path: Path) -> None:
    mapping = MAPPING.replace("state On:", 'state "Switched on":')
    found = drawn(tmp_path, "x.mmd", MERMAID, mapping).hypothesis
    assert [(s.name, s.parent) for s in found.states][:2] == [("Switched on", None), ("Idle", "Switched on")]
    assert found.transitions[2].source == "Switched on"


def test_what_is_drawn_inside_goes_first(tmp_path: Path) -> None:
    found = drawn(tmp_path, "x.mmd", MERMAID).hypothesis
    idle, moving, on, off = found.transitions
    assert found.gives_way(on, idle)
    assert found.gives_way(on, moving)
    assert not found.gives_way(idle, on)
    # Of one that says nothing about when it is taken nothing is taken away, and it takes nothing.
    silent = replace(on, condition=None)
    assert not found.gives_way(silent, idle)
    assert not found.gives_way(on, replace(idle, condition=None))
    assert not replace(found, inner_first=False).gives_way(on, idle)
    assert not found.gives_way(off, off)


@pytest.mark.parametrize(
    ("label", "condition", "actions"),
    [
        ("x / 2 > 1", "x / 2 > 1", 0),
        ("start / go", "start", 1),
        ("/ go", "None", 1),
        ("[x / 2] / go / stop", "x / 2", 1),
        ("list[3] == 1", "list[3] == 1", 0),
        ("start [list[3]]", "(start) && (list[3])", 0),
        ("[ ]", "None", 0),
        ("tau", "None", 0),
    ],
)
def test_labels(tmp_path: Path, label: str, condition: str, actions: int) -> None:
    text = f"stateDiagram-v2\nA --> A : {label}\n"
    found = drawn(tmp_path, "x.mmd", text, "machine M of f\nlet start = 1\nstate A: 1\n")
    assert str(found.hypothesis.transitions[0].condition) == condition
    assert len(found.warnings) == actions


def test_the_order_of_transitions_counts_in_scxml(tmp_path: Path) -> None:
    text = (
        '<scxml><state id="A"><transition cond="x" target="A"/><transition cond="y" target="B"/></state><state id="B"/>'
    )
    found = drawn(tmp_path, "x.scxml", text + "</scxml>", "machine M of f\nstate A: x\nstate B: y\n").hypothesis
    assert [t.priority for t in found.transitions] == [1, 2]


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        (MAPPING.replace("Moving", "Movin"), "the diagram has no state `Movin`"),
        (MAPPING.replace("    state Moving: speed > 0\n", ""), "the state `Moving` has neither a condition nor states"),
        (MAPPING + "  On -> Off\n", "the transitions are those of the diagram"),
        (MAPPING.replace("  state Off", "    state Off"), "in the diagram `Off` is inside no other"),
        (MAPPING.replace("state Moving", "initial state Moving"), "in the diagram `Moving` is not an initial state"),
    ],
)
def test_mappings_that_do_not_fit(tmp_path: Path, mapping: str, message: str) -> None:
    assert any(said.startswith(message) for said in refused(tmp_path, "x.mmd", MERMAID, mapping))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.mmd", "stateDiagram-v2\nstate A {\n", "`}` is missing for `A`"),
        ("x.mmd", "stateDiagram-v2\nA --> B\n}\n", "this `}` closes nothing"),
        ("x.mmd", "stateDiagram-v2\nstate A {\nstate C\n}\nstate B {\nstate C\n}\n", "`C` is declared in two states"),
        ("x.mmd", "stateDiagram-v2\nstate A {\nstate A {\n}\n}\n", "`A` stands inside itself"),
        (
            "x.mmd",
            "stateDiagram-v2\nstate A {\nB\n--\nC\n}\n",
            "a division into concurrent regions is not understood",
        ),
        ("x.mmd", "stateDiagram-v2\nA --> B : x)\n", "in `x)`: `)` closes nothing"),
        (
            "x.puml",
            "@startuml\nstate A <<fork>> {\n}\n@enduml\n",
            "a fork or join is not understood",
        ),
        ("x.puml", "@startuml\n[*] --> A\n[*] --> B\n@enduml\n", "the diagram has 2 initial states: `A`, `B`"),
        ("x.scxml", "<scxml><parallel/></scxml>", "a parallel state is not understood"),
        ("x.scxml", "<scxml><state id='A' initial='B'/><state id='B'/></scxml>", "`A` starts with `B`"),
        ("x.dot", "digraph { subgraph cluster_A { B } A }", "there are two states `A`"),
        ("x.aut", "des (0, 0, 1)", "the format `aut` has no state diagrams"),
    ],
)
def test_diagrams_that_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    assert any(message in said for said in refused(tmp_path, name, text, "machine M of f\nstate A: 1\nstate B: 1\n"))


PIECES = [
    *("stateDiagram-v2\n", "@startuml\n", "@enduml\n", "digraph", "subgraph cluster_a", "<scxml>", "</scxml>", "[*]"),
    *(
        "state",
        "A",
        "B",
        "C",
        "{",
        "}",
        "-->",
        "->",
        ":",
        "\n",
        " ",
        '"',
        "as",
        "x > 0",
        "[x]",
        "/ y",
        "--",
        "note",
        ";",
    ),
    *(
        '<state id="A">',
        '<state id="B" initial="C">',
        "</state>",
        "<initial>",
        "</initial>",
        '<transition target="A"/>',
    ),
]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.lists(st.sampled_from(PIECES)).map(" ".join)
BEGINNINGS = {mermaid: "stateDiagram-v2\n", plantuml: "@startuml\n", scxml: "<scxml>", dot: "digraph {"}


@settings(deadline=None)
@given(st.sampled_from(sorted(BEGINNINGS, key=lambda f: f.__module__)), texts, st.booleans())
def test_any_text_is_a_chart_or_refused(parse: object, text: str, begun: bool) -> None:
    assert callable(parse)
    try:
        chart = parse(((BEGINNINGS[parse] if begun else "") + text).encode(), "x")
    except InputError as error:
        assert error.diagnostics
    else:
        assert isinstance(chart, Chart)
        names = [s.name for s in chart.states]
        assert len(set(names)) == len(names)
        assert {n for a in chart.arrows for n in (a.source, a.target)} <= set(names)
        assert all(s.parent is None or s.parent in names[:n] for n, s in enumerate(chart.states))


def test_the_formats_of_diagrams_are_formats() -> None:
    assert set(CHARTS) <= set(FORMATS)
