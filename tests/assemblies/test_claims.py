"""What claims on designs can say: also of events that nobody ever brings about."""

from __future__ import annotations

import pytest

from stateglass.assemblies.ccl import read_design
from stateglass.evidence import Answer, Verdict
from stateglass.operations.designs import HowChecked, check_design
from stateglass.source import InputError

# What would send waits for what nobody asks for.
UNSENT = """
component r() {
    sink asynch in(int n, int m);
    source synch ask();
    threaded react R(in, ask) { start -> on {} on -> on { trigger ^in(n, m); } }
    annotate in {"comfort", const string values = "n: 0..1, m: 0..1"}
}
component s() {
    sink synch asked();
    source asynch out(int n, int m);
    threaded react S(asked, out) { start -> on {} on -> on { trigger ^asked(); action { ^out(0, 1); $asked(); } } }
}
assembly t() { r p(); s q(); q:out ~> p:in; p:ask ~> q:asked; }
"""
STATES = """
component c() {
    sink asynch go();
    threaded react R(go) { start -> one {} one -> two { trigger ^go(); } two -> one { trigger ^go(); } }
}
component d() {
    sink asynch go();
    threaded react R(go) { start -> two {} one -> two { trigger ^go(); } two -> one { trigger ^go(); } }
}
assembly t() { c p(); c q(); d r(); expose { p:go }; }
"""


def asked(text: str, claim: str) -> Answer:
    (found,) = check_design(read_design(text), HowChecked(claims=(claim,)))
    return found.checked[0].answer


@pytest.mark.parametrize("event", ["p.^in", "p.^in(0, 1)", "p.^in(*)", "p.$in", "q.^out", "q.^asked", "p.$ask"])
def test_what_nobody_brings_about_is_no_mistake(event: str) -> None:
    assert asked(UNSENT, f"G !{event}").verdict is Verdict.HOLDS
    answer = asked(UNSENT, f"G ([p.R.state == on] & {event} => F error)")
    assert answer.verdict is Verdict.VACUOUS
    if event != "p.$in":
        assert "because an event in it cannot happen" in answer.explanation


@pytest.mark.parametrize(
    ("event", "verdict"),
    [
        ("p.^in(*)", Verdict.VIOLATED),
        ("p.^in(0, *)", Verdict.VIOLATED),
        ("p.^in(-0, 01)", Verdict.VIOLATED),
        ("p.^in(false, true)", Verdict.VIOLATED),
        ("p.^in(1, *)", Verdict.HOLDS),
        ("p.^in(1, 1)", Verdict.HOLDS),
        ("p.$in(*)", Verdict.HOLDS),
        ("q.^asked(*)", Verdict.VIOLATED),
    ],
)
def test_data_of_events(event: str, verdict: Verdict) -> None:
    text = UNSENT.replace(
        "start -> on {} on -> on { trigger ^in", "start -> on { action ^ask(); } on -> on { trigger ^in"
    )
    assert asked(text, f"G !{event}").verdict is verdict


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("G [p.R.state < 2]", "`p.R.state` is a state and no number"),
        ("G [q.R.state]", "`q.R.state` is a state and no number"),
        ("G [1 + (p.R.state == 1) == 1]", "`p.R.state` is a state and no number"),
        ("G [p.R.state == r.R.state]", "`p.R.state` and `r.R.state` have different states"),
        ("G !p.^go(1)", "`p.^go` carries no data, and not 1"),
        ("no-unreachable", "`no-unreachable` is not known of designs"),
        ("G !p.^go(x)", "`x` is no value that `p.^go` carries"),
    ],
)
def test_states_are_no_numbers_and_events_have_their_data(claim: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        asked(STATES, claim)
    assert refused.value.diagnostics[0].message == message


def test_states_with_the_same_names_can_be_compared() -> None:
    assert asked(STATES, "G [p.R.state == q.R.state]").verdict is Verdict.VIOLATED
    assert asked(STATES, "F [p.R.state == q.R.state]").verdict is Verdict.HOLDS
    assert asked(STATES, "G [q.R.state != two]").verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    "sends",
    [
        "guard most == 9; action ^out();",
        "action if (most == 9) ^out();",
        "action while (most == 9) { ^out(); }",
        # These are dropped when the program is read.
        "guard loud; action ^out();",
        "action if (most == 9 || loud) ^out();",
        "action { while (!loud) {} ^out(); }",
    ],
)
@pytest.mark.parametrize("event", ["q.^out", "p.^in", "p.$in"])
def test_what_constants_keep_from_happening_is_no_mistake(sends: str, event: str) -> None:
    text = f"""
    component r() {{
        sink asynch in();
        threaded react R(in) {{ start -> on {{}} on -> on {{ trigger ^in(); action $in(); }} }}
    }}
    component s(int most, bool loud) {{
        source asynch out();
        threaded react S(out) {{ start -> on {{}} on -> on {{ {sends} }} state on {{}} }}
    }}
    assembly t() {{ r p(); s q(3, false); q:out ~> p:in; }}
    """
    assert asked(text, f"G !{event}").verdict is Verdict.HOLDS
    assert asked(text, f"G ({event} => F error)").verdict is Verdict.VACUOUS


def test_variables_that_a_reaction_hides() -> None:
    text = """component c() { int n = 1; sink asynch in();
    threaded react R(in) { int n = 5; start -> a {} a -> a { trigger ^in(); action component.n = 2; } }
    annotate R {"comfort", const string Own = "G [n == 5]"}
    annotate R {"comfort", const string Hidden = "G [component.n == 1]"} }"""
    (found,) = check_design(read_design(text), HowChecked())
    verdicts = [one.answer.verdict for one in found.checked[:2]]
    assert verdicts == [Verdict.HOLDS, Verdict.VIOLATED]
    with pytest.raises(InputError):
        read_design(text.replace("[component.n", "[component.m"))


def test_who_waits_for_what_is_dropped_waits_for_ever() -> None:
    text = """
    component r(bool polite) {
        sink synch in(int n, produce bool done);
        threaded react R(in) { start -> on {} on -> on { trigger ^in(n); action if (polite) $in(true); } }
    }
    component s() {
        source synch out(int n, produce bool done);
        threaded react S(out) { start -> on {} on -> on { action ^out(1); } state on {} }
    }
    assembly t() { r p(false); s q(); q:out ~> p:in; }
    """
    assert asked(text, "G !p.$in(*)").verdict is Verdict.HOLDS
    answer = asked(text, "no-deadlock")
    assert answer.verdict is Verdict.VIOLATED
    assert "`q.S` in `on` waits for `q.$out(false)|p.$in(false)`, and nobody does that" in answer.explanation
