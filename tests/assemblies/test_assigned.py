"""Which values variables and data have is found in the design, where nobody says it."""

from __future__ import annotations

import pytest

from stateglass.assemblies.ccl import read_design
from stateglass.evidence import Answer, Path, Reason, Verdict
from stateglass.operations.designs import HowChecked, check_design, written_down
from stateglass.source import Code, InputError

# Two threads use `n`, each in its own way.
SHARED = """
enum Way {{ LEFT, RIGHT }};
component c(int most) {{
    int n = 0;
    sink asynch a();
    sink asynch b(bool yes);
    threaded react A(a) {{
        int own = 7;
        start -> on {{}}
        on -> on {{ trigger ^a(); {first} }}
    }}
    threaded react B(b) {{
        start -> on {{}}
        on -> on {{ trigger ^b(yes); {second} }}
    }}
}}
component s() {{
    source asynch x();
    source asynch y(bool yes);
    threaded react S(x, y) {{ start -> on {{}} on -> on {{ action {{ ^x(); ^y(true); }} }} state on {{}} }}
}}
assembly t() {{ c k(3); s p(); p:x ~> k:a; p:y ~> k:b; }}
"""
PASSED = """
component s() {{
    int count = 0;
    source asynch out(int sent);
    {note}
    threaded react S(out) {{ start -> on {{}} on -> on {{ {sends} }} state on {{}} }}
}}
component r() {{
    int last = 0;
    sink asynch in(int got);
    threaded react R(in) {{ start -> on {{}} on -> on {{ trigger ^in(last); }} }}
}}
assembly t() {{ s p(); r q(); p:out ~> q:in; }}
"""


def asked(text: str, claim: str) -> Answer:
    (found,) = check_design(read_design(text), HowChecked(claims=(claim,)))
    return found.checked[0].answer


@pytest.mark.parametrize(
    ("first", "second", "most"),
    [
        ("action n = 1;", "action n = 0;", 1),
        ("action n = (n + 1) % 4;", "guard n > 5;", 3),
        ("guard n < most; action n = n + 1;", "action n = 0;", 3),
        ("action if (!(n >= most)) n++;", "guard n == 3 && yes; action n = RIGHT;", 3),
        ("guard own != 7 || n < 2; action n = n + 1;", "action n = most == 3;", 2),
        ("action { own = 0; while (own < 4) own++; n = own; }", "action n = -(n / 2);", 4),
    ],
)
def test_variables_that_threads_share_need_no_bound(first: str, second: str, most: int) -> None:
    text = SHARED.format(first=first, second=second)
    assert asked(text, f"G [k.n <= {most}]").verdict is Verdict.HOLDS
    assert asked(text, f"G [k.n < {most}]").verdict is Verdict.VIOLATED


def test_small_unsigned_numbers_are_computed_with_as_int() -> None:
    text = SHARED.format(first="guard n - 2 < 0; action n = n + 1;", second="action n = 255 & -n;")
    text = text.replace("int n = 0;", "unsigned char n = 0;")
    assert asked(text, "G ([k.n <= 2] | [k.n >= 254])").verdict is Verdict.HOLDS
    assert asked(text, "G [k.n <= 2]").verdict is Verdict.VIOLATED


def test_what_grows_for_ever_needs_one() -> None:
    with pytest.raises(InputError) as error:
        asked(SHARED.format(first="action n = n + 1;", second="action n = 0;"), "no-error")
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == [Code.MISSING_BOUND]


def test_what_threads_do_to_each_other_is_not_overlooked() -> None:
    # Both see that there is room for one more.
    text = SHARED.format(first="guard n < most; action n = n + 1;", second="guard n < most; action n = n + 1;")
    answer = asked(text, "G [k.n <= 3]")
    assert (answer.verdict, answer.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)
    assert "goes on further may" in answer.explanation
    assert "Looked at was `k.n` in 0..3: give it another bound" in answer.explanation
    # A run ends where it is clear that the claim does not hold, also where not all that follows is known.
    evidence = asked(text, "G [k.n <= 2]").evidence
    assert isinstance(evidence, Path)
    assert evidence.loop_start is None
    assert ("k.n", "3") in evidence.steps[-1].changes
    text = PASSED.format(note="", sends="action { count++; ^out(count); }")
    text = text.replace("int got);", 'int got); annotate in {"comfort", const string values = "got: 0..2"}')
    answer = asked(text, "G [q.last <= 2]")
    assert (answer.verdict, answer.reason) == (Verdict.INCONCLUSIVE, Reason.BOUND)
    ((_, program),) = written_down(read_design(text), HowChecked(claims=("no-error",))).items()
    assert '"t.within-bounds" = "ltl: G !' in program["stateglass.toml"]


@pytest.mark.parametrize("sends", ["action { ^out(-5); ^out(100); }", "action { count = 100 - count; ^out(count); }"])
def test_data_that_the_design_passes_needs_no_bound(sends: str) -> None:
    text = PASSED.format(note="", sends=sends)
    assert asked(text, "G ([q.last == -5] | [q.last == 0] | [q.last == 100])").verdict is Verdict.HOLDS
    assert asked(text, "G !q.^in(100)").verdict is Verdict.VIOLATED
    # It is no mistake to ask for what nobody passes.
    assert asked(text, "G !q.^in(7)").verdict is Verdict.HOLDS
    vacuous = asked(text, "G (q.^in(7) => [q.last == 7])")
    assert vacuous.verdict is Verdict.VACUOUS
    assert "because an event in it cannot happen" in vacuous.explanation


def test_a_bound_of_one_pin_is_that_of_those_connected_to_it() -> None:
    note = 'annotate out {"comfort", const string values = "sent: 0..1"}'
    text = PASSED.format(note=note, sends="action { if (count < 3) count++; ^out(count / 3); }")
    assert asked(text, "G [q.last <= 1]").verdict is Verdict.HOLDS


def test_what_constants_keep_from_running_is_known() -> None:
    text = SHARED.format(first="guard most == 9; action n = 1;", second="action $b();")
    assert asked(text, "G ([k.n == 0] & [k.A.own == 7])").verdict is Verdict.HOLDS


def test_first_values_are_those_of_the_type_also_of_what_nobody_uses() -> None:
    text = """
    component c(int most) {
        unsigned char used = most * 100;
        unsigned char unused = most * 100;
        int part = 6 / (most - 4);
        sink asynch go();
        threaded react R(go) { start -> on {} on -> on { trigger ^go(); guard used == 44; action $go(); } }
    }
    assembly t() { c x(3); expose { x:go }; }
    """
    claim = "G ([x.used == 44] & [x.unused == 44] & [x.part == -6])"
    assert asked(text, claim).verdict is Verdict.HOLDS
    with pytest.raises(InputError, match="`part` of `x` would begin with what is no number"):
        asked(text.replace("x(3)", "x(4)"), claim)
    with pytest.raises(InputError, match="it divides by 0, shifts too far, or is too large"):
        asked(text.replace("6 / (most - 4)", "most * 1000000").replace("x(3)", "x(4000)"), claim)


@pytest.mark.parametrize(
    "claim", ["F q.^in(7)", "ctl: EF q.^in(7)", "ctl: EF [q.last == 7]", "ctl: AG EF [p.count == 0]"]
)
def test_what_lies_beyond_the_bounds_may_satisfy_a_claim(claim: str) -> None:
    text = PASSED.format(note="", sends="action { count = (count + 1) % 8; ^out(count); }")
    assert asked(text, claim).verdict is Verdict.HOLDS
    bounded = text.replace("int got);", 'int got); annotate in {"comfort", const string values = "got: 0..2"}')
    assert asked(bounded, claim).reason is Reason.BOUND
    # One run that leads nowhere else is enough.
    assert asked(bounded, "ctl: AG [q.last < 2]").verdict is Verdict.VIOLATED


def test_what_one_of_several_receivers_does_not_know_is_noticed() -> None:
    second = 'annotate in {"comfort", const string values = "got: 0..2"}'
    second = f"component z() {{ int seen = 0; sink asynch in(int got); {second}"
    second += " threaded react R(in) { start -> on {} on -> on { trigger ^in(seen); } } }"
    text = PASSED.format(note="", sends="action { count = (count + 1) % 4; ^out(count); }")
    text = text.replace("assembly t()", f"{second} assembly t()").replace("r q();", "r q(); z two(); p:out ~> two:in;")
    assert asked(text, "G [two.seen <= 2]").reason is Reason.BOUND
    assert asked(text.replace("0..2", "0..3"), "G [two.seen <= 2]").verdict is Verdict.VIOLATED
    assert asked(text.replace("0..2", "7"), "G [two.seen <= 2]").reason is Reason.BOUND


def test_data_has_the_type_of_its_parameter_when_it_is_passed() -> None:
    text = """
    component s() {
        unsigned char back = 0;
        source synch ask(unsigned char v, bool b, produce unsigned char back_);
        threaded react S(ask) {
            start -> on {}
            state on { entry ^ask(300, 2); }
            on -> off { trigger $ask(back); }
            state off {}
        }
    }
    component u() {
        int got = 0;
        sink synch ask(unsigned char v, bool b, produce unsigned char back_);
        react U(ask) { start -> on {} on -> on { trigger ^ask(v, b); guard b == 1; action { got = v; $ask(257); } } }
    }
    assembly t() { s p(); u q(); p:ask ~> q:ask; }
    """
    assert asked(text, "F ([q.got == 44] & F [p.back == 1])").verdict is Verdict.HOLDS
    assert asked(text, "G !q.^ask(44, true)").verdict is Verdict.VIOLATED


def test_a_variable_begins_with_one_of_its_values() -> None:
    design = read_design(SHARED.format(first="action n = 1;", second="action n = 2;"))
    with pytest.raises(InputError) as refused:
        check_design(design, HowChecked(bounds={"k.n": "1..2"}))
    (problem,) = refused.value.diagnostics
    assert problem.message == "`k.n` is 0 at first, which is not among its values"
    assert problem.span.line == 4
