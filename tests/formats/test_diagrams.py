"""DOT and Mermaid: our own text, diagrams of others, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from stateglass.formats import dot, mermaid
from stateglass.model import Model, ModelBuilder, Proposition, Sort
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
    for codec in (dot, mermaid):
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
