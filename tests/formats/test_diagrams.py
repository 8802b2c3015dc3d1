"""DOT, Mermaid and PlantUML: our own text, diagrams of others, what is left out, and what is refused."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from stateglass.formats import dot, losses, mermaid, plantuml
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.source import InputError
from tests.formats.strategies import assert_same, assert_same_graph, edges

KERNEL_MONITOR = b"""digraph state_automaton {
	center = true;
	size = "7,11";
	{node [shape = plaintext, style=invis, label=""] "__init_preemptive"};
	{node [shape = ellipse] "preemptive"};
	{node [shape = plaintext] "non_preemptive"};
	"__init_preemptive" -> "preemptive"; // the start
	"non_preemptive" [label = "non_preemptive", color = green3];
	"non_preemptive" -> "non_preemptive" [ label = "sched_waking\\nsched_switch" ];
	"non_preemptive" -> "preemptive" [ label = "preempt_enable" ];
	"preemptive" [label = "preemptive"];
	"preemptive" -> "non_preemptive" [ label = "preempt_disable" ];
	{ rank = min ;
		"__init_preemptive";
		"preemptive";
	}
}
"""


def valve() -> Model:
    builder = ModelBuilder()
    builder.add(0, "call(open)", 1)
    builder.add(1, "call(close)", 0)
    builder.add(1, "tau", 1)
    builder.add(1, 'say("x:\\n")', 1)
    builder.add(1, "exit(0)", 2)
    mode = Proposition("mode", Sort.ENUM, np.array([0, 1, 1]), ((0, "SHUT"), (1, "OPEN")))
    constant = Proposition("limit", Sort.INT, np.array([5, 5, 5]))
    return builder.build(3, propositions=[mode, constant], terminal=[2])


def test_dot_text() -> None:
    assert dot.serialise(valve()).decode() == (
        "digraph model {\n"
        "  node [shape=circle];\n"
        '  "__init" [shape=point, label=""];\n'
        '  0 [label="0\\nmode = SHUT", shape=box];\n'
        '  1 [label="1\\nmode = OPEN", shape=box];\n'
        '  2 [label="2\\nmode = OPEN", shape=doublecircle];\n'
        '  "__init" -> 0;\n'
        '  0 -> 1 [label="call(open)"];\n'
        '  1 -> 0 [label="call(close)"];\n'
        '  1 -> 1 [label="tau\\nsay(\\"x:\\\\n\\")"];\n'
        '  1 -> 2 [label="exit(0)"];\n'
        "}\n"
    )
    assert_same_graph(dot.parse(dot.serialise(valve()), "m.dot"), valve())


def test_mermaid_text() -> None:
    assert mermaid.serialise(valve()).decode() == (
        "stateDiagram-v2\n"
        '  state "0<br/>mode = SHUT" as s0\n'
        '  state "1<br/>mode = OPEN" as s1\n'
        '  state "2<br/>mode = OPEN" as s2\n'
        "  [*] --> s0\n"
        "  s0 --> s1 : call(open)\n"
        "  s1 --> s0 : call(close)\n"
        "  s1 --> s1 : tau<br/>say(#34;x#58;#92;n#34;)\n"
        "  s1 --> s2 : exit(0)\n"
        "  s2 --> [*]\n"
    )
    assert_same_graph(mermaid.parse(mermaid.serialise(valve()), "m.mmd"), valve())


def test_a_kernel_monitor() -> None:
    model = dot.parse(KERNEL_MONITOR, "wwnr.dot")
    assert [model.valuation(s) for s in range(model.states)] == [{"state": "preemptive"}, {"state": "non_preemptive"}]
    assert edges(model) == {
        (0, "preempt_disable", 1),
        (1, "preempt_enable", 0),
        (1, "sched_waking", 1),
        (1, "sched_switch", 1),
    }
    assert model.initial == 0
    for codec in (dot, mermaid, plantuml):
        again = codec.parse(codec.serialise(model), "m")
        assert_same(codec.parse(codec.serialise(again), "m"), again)
        assert [again.valuation(s) for s in range(2)] == [model.valuation(s) for s in range(2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("digraph { a -> b -> c [label=x] }", {(0, "x", 1), (1, "x", 2)}),
        ("strict digraph G { edge [label=go]; a -> {b c} }", {(0, "go", 1), (0, "go", 2)}),
        ("DIGRAPH { 0 -> 1 /* x */ ; # no comment here\n}", None),
        ("digraph { 0 -> 1 /* x */ ;\n# a comment\n}", {(0, "tau", 1)}),
        ('digraph { a -> b [label="x" + "y"]; a:n -> b:s [xlabel=q] }', {(0, "xy", 1), (0, "tau", 1)}),
        ("digraph { s [shape=point]; s -> b; a -> b [label=x] }", {(1, "x", 0)}),
        ("digraph { subgraph cluster_1 { a -> b [label=x, color=red; weight=2] } }", {(0, "x", 1)}),
        ("digraph { 1 -> 0 [label=x] }", {(1, "x", 0)}),
        ("digraph {}", None),
        ("graph { a -- b }", None),
        ("digraph { a -- b }", None),
        ("digraph { a -> b [label=<b>] }", None),
        ("digraph { i [shape=point]; i -> a; i -> b }", None),
        ("digraph {" * 2 + "}", None),
        ("digraph " + "{" * 200 + "}" * 200, None),
        ("digraph { a -> ", None),
    ],
)
def test_dot_of_others(text: str, expected: set[tuple[int, str, int]] | None) -> None:
    if expected is None:
        with pytest.raises(InputError):
            dot.parse(text.encode(), "m.dot")
    else:
        assert edges(dot.parse(text.encode(), "m.dot")) == expected


MERMAID = """---
title: a valve
---
%% a comment
stateDiagram-v2
  direction LR
  classDef loud fill:#f00
  state "is shut" as Shut
  [*] --> Shut
  Shut --> Open : open
  Open:::loud --> Shut: close #58; now;
  Open --> [*] : break
  Open --> Stuck
  Stuck : will not move
  Done
  Shut --> Done
  Done --> [*]
"""


def test_mermaid_of_people() -> None:
    model = mermaid.parse(MERMAID.encode(), "m.mmd")
    names = [model.valuation(s)["state"] for s in range(model.states)]
    assert names == ["Shut", "Open", "Stuck", "Done", "final"]
    assert {(names[s], label, names[t]) for s, label, t in edges(model)} == {
        ("Shut", "open", "Open"),
        ("Open", "close : now", "Shut"),
        ("Open", "break", "final"),
        ("Open", "tau", "Stuck"),
        ("Shut", "tau", "Done"),
    }
    assert [names[s] for s in model.deadlocks] == ["Stuck"]


def test_what_mermaid_constructs_are_refused_by_name() -> None:
    text = "stateDiagram-v2\nstate A {\nB --> C\n}\nnote right of A : x\nstate f <<fork>>\nstate c <<choice>>\n--\n??\n"
    with pytest.raises(InputError) as caught:
        mermaid.parse(text.encode(), "m.mmd")
    assert [(d.span.line, d.message.split(" is not")[0]) for d in caught.value.diagnostics] == [
        (2, "a composite state"),
        (4, "a composite state"),
        (6, "a fork or join"),
        (7, "a choice"),
        (8, "a division into concurrent regions"),
        (9, "`??`"),
    ]


@pytest.mark.parametrize("text", ["", "flowchart TD\n", "stateDiagram-v2\n", "stateDiagram-v2\n[*] --> A\n[*] --> B\n"])
def test_broken_mermaid(text: str) -> None:
    with pytest.raises(InputError):
        mermaid.parse(text.encode(), "m.mmd")


def test_a_state_called_like_the_start_mark_stays_a_state() -> None:
    model = dot.parse(b'digraph { "__init" -> a [label=x]; a -> "__init" [label=y] }', "m.dot")
    again = dot.parse(dot.serialise(model), "m.dot")
    assert_same_graph(again, model)
    assert again.valuation(0) == {"state": "__init"}


def test_plantuml_text() -> None:
    assert plantuml.serialise(valve()).decode() == (
        "@startuml\n"
        "hide empty description\n"
        'state "0\\nmode = SHUT" as s0\n'
        'state "1\\nmode = OPEN" as s1\n'
        'state "2\\nmode = OPEN" as s2\n'
        "[*] --> s0\n"
        "s0 --> s1 : call(open)\n"
        "s1 --> s0 : call(close)\n"
        "s1 --> s1 : tau\\nsay(<U+0022>x:<U+005C>n<U+0022>)\n"
        "s1 --> s2 : exit(0)\n"
        "s2 --> [*]\n"
        "@enduml\n"
    )
    assert_same_graph(plantuml.parse(plantuml.serialise(valve()), "m.puml"), valve())


PLANTUML = """' a valve
@startuml valve
title A valve
/' drawn on
   a napkin '/
skinparam backgroundColor white
left to right direction
state "is shut" as Shut #red
state Open : lets water through
[*] -> Shut
Shut -right-> Open : open
Open -[#blue,dashed]-> Shut : close &#58; <U+00FC>
Open -[hidden]down-> Stuck
Stuck <-- Open : jam\\nblock
Open --> [*] : break
note left of Shut : first
note right of Open
  a longer
  one
end note
@enduml
what follows does not count
"""


def test_plantuml_of_people() -> None:
    model = plantuml.parse(PLANTUML.replace("\\\\n", "\\n").encode(), "m.puml")
    names = [model.valuation(s)["state"] for s in range(model.states)]
    assert names == ["Shut", "Open", "Stuck", "final"]
    assert {(names[s], label, names[t]) for s, label, t in edges(model)} == {
        ("Shut", "open", "Open"),
        ("Open", "close : ü", "Shut"),
        ("Open", "jam", "Stuck"),
        ("Open", "block", "Stuck"),
        ("Open", "break", "final"),
    }
    assert model.origin.history == (
        "read from PlantUML without: 2 × description of a state, 1 × hidden arrow, 2 × note",
    )


def test_what_plantuml_constructs_are_refused_by_name() -> None:
    text = (
        "@startuml\nstate A {\n}\nstate f <<fork>>\nstate c <<choice>>\n[H] --> A\n--\n||\n!include x\n??\n"
        "state e <<exitPoint>>\n@enduml\n"
    )
    with pytest.raises(InputError) as caught:
        plantuml.parse(text.encode(), "m.puml")
    assert [(d.span.line, d.message.split(" is not")[0]) for d in caught.value.diagnostics] == [
        (2, "a composite state"),
        (3, "a composite state"),
        (4, "a fork or join"),
        (5, "a choice"),
        (6, "a history state"),
        (7, "a division into concurrent regions"),
        (8, "a division into concurrent regions"),
        (9, "a directive of the preprocessor"),
        (10, "`??`"),
        (11, "a state of a special kind"),
    ]


@pytest.mark.parametrize(
    "text", ["", "A --> B\n", "@startuml\n", "@startuml\n@enduml\n", "@startuml\nnote left of A\n"]
)
def test_broken_plantuml(text: str) -> None:
    with pytest.raises(InputError):
        plantuml.parse(text.encode(), "m.puml")


def test_notes_and_descriptions_are_said_to_be_left_out() -> None:
    text = "stateDiagram-v2\nA : first\nnote right of A : x\nnote left of A\n  y\nend note\nA --> B\n"
    model = mermaid.parse(text.encode(), "m.mmd")
    assert model.origin.history == ("read from Mermaid without: 1 × description of a state, 2 × note",)
    model = dot.parse(b'digraph { a [label="Alpha"]; a -> b }', "m.dot")
    assert model.origin.history == ("read from DOT without: 1 × text of a node other than its name",)


@pytest.mark.parametrize("codec", [dot, mermaid, plantuml])
def test_a_partial_model_stays_partial(codec: ModuleType) -> None:
    builder = ModelBuilder()
    builder.add(0, "a", 1)
    model = builder.build(2, unexplored=[1], origin=Origin(Relation.UNDER, partial=("more than 10 states --> {stop}",)))
    again = codec.parse(codec.serialise(model), "m")
    assert_same(again, model)
    assert losses(model, codec.__name__.rpartition(".")[2]) == []


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("partial 3", "the comment `stateglass partial` has no value that can be understood"),
        ("partial [", "the comment `stateglass partial` has no value that can be understood"),
        ('relation "nearly"', "the comment `stateglass relation` has no value that can be understood"),
        ('unexplored ["b"]', "the comment `stateglass unexplored` names `b`, which is no state"),
    ],
)
def test_marks_that_make_no_sense(mark: str, message: str) -> None:
    for codec, text in (
        (dot, f"digraph {{\n// stateglass {mark}\na }}"),
        (mermaid, f"stateDiagram-v2\n%% stateglass {mark}\na"),
        (plantuml, f"@startuml\n' stateglass {mark}\nstate a\n@enduml"),
    ):
        with pytest.raises(InputError) as caught:
            codec.parse(text.encode(), "m")
        assert [d.message for d in caught.value.diagnostics] == [message]


def read(codec: ModuleType, text: str) -> tuple[set[tuple[str, str, str]], tuple[str, ...]]:
    """The transitions between named states, and what the history says."""
    model = codec.parse(text.encode(), "m")
    names = [model.valuation(state)["state"] for state in range(model.states)]
    return {(names[s], label, names[t]) for s, label, t in edges(model)}, model.origin.history


def test_dot_that_is_not_drawn_is_left_out_and_said() -> None:
    text = "a -> b [style=invis]; a -> c [label=x]; q [style=invis, label=text]; q -> a [style=invis]"
    found, said = read(dot, f"digraph {{ {text} }}")
    assert found == {("a", "x", "c")}
    assert said == ("read from DOT without: 2 × invisible edge, 1 × invisible node",)


def test_dot_edges_that_are_drawn_backwards_are_turned_round_and_said() -> None:
    found, said = read(dot, "digraph { a -> b [label=x]; a -> c [dir=back, label=y]; b -> c [dir=both, label=z] }")
    assert found == {("a", "x", "b"), ("c", "y", "a"), ("b", "z", "c"), ("c", "z", "b")}
    assert said == ("read from DOT with 2 edges that `dir` turns round",)
    assert "shows no direction" in read(dot, "digraph { a -> b [dir=none] }")[1][0]


def test_a_dot_edge_from_nowhere_marks_the_initial_state_whatever_it_says() -> None:
    found, said = read(dot, "digraph { a -> b [label=x]; q [style=invis, label=in]; q -> b [label=reset] }")
    assert found == {("a", "x", "b")}
    assert said == ("read from DOT without: 1 × text of the edge to the initial state",)
    assert dot.parse(b"digraph { a -> b; p [shape=point]; p -> b [label=reset] }", "m").propositions[0].text(0) == "b"


def test_a_dot_node_without_a_picture_that_edges_enter_is_a_state() -> None:
    assert read(dot, "digraph { a -> r [label=leave]; r [style=invis] }")[0] == {("a", "leave", "r")}


def test_mermaid_comments_after_statements() -> None:
    found, said = read(mermaid, "stateDiagram-v2\n[*] --> A %% start\nA --> B : go %% the button\nB %% last\n")
    assert found == {("A", "go", "B")}
    assert said == ("read from Mermaid without: 3 × comment at the end of a line",)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A-->B;B-->C", {("A", "tau", "B"), ("B", "tau", "C")}),
        ("A --> B : x; B --> C : y;", {("A", "x", "B"), ("B", "y", "C")}),
        ("A --> B : x#59; B --> C", {("A", "x; B --> C", "B")}),
        ("A --> B : x; y", {("A", "x; y", "B")}),
    ],
)
def test_mermaid_statements_in_one_line(line: str, expected: set[tuple[str, str, str]]) -> None:
    assert read(mermaid, f"stateDiagram-v2\n{line}\n")[0] == expected


@pytest.mark.parametrize("text", ["Alice -> Bob: hi\nBob --> Alice: ok", "participant Alice\nAlice -> Bob", "A --> B"])
def test_a_sequence_diagram_is_none_of_states(text: str) -> None:
    with pytest.raises(InputError, match="sequence diagram"):
        plantuml.parse(f"@startuml\n{text}\n@enduml\n".encode(), "m.puml")


def test_plantuml_arrows_are_of_states_if_anything_says_so() -> None:
    for text in ("[*] --> A\nA --> B", "A --> B\nB --> [*]", "state A\nA -> B", "A -> B\nA : description"):
        assert read(plantuml, f"@startuml\n{text}\n@enduml\n")[0] == {("A", "tau", "B")}
