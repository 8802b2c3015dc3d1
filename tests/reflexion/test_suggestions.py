"""Suggestions for random machines over random functions: read again, everything in them converges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stateglass.evidence import Result
from stateglass.operations.reflecting import Limits, reflect_machine, suggest
from stateglass.pipeline import new_settings
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim
from stateglass.reflexion.notation import parse_machine
from stateglass.reflexion.notation.printer import print_hypothesis
from stateglass.reflexion.suggesting import Suggestion
from stateglass.source import Words

NAMES = ("a", "b", "flag", "x", "y")
DECLARED = "int a; unsigned char b; _Bool flag;\n"


@st.composite
def expressions(draw: st.DrawFn) -> str:
    name, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    number = draw(st.integers(-3, 9))
    return draw(
        st.sampled_from([name, str(number), f"{name} + {number}", f"{name} - {other}", f"{name} * 2", f"{name} % 3"])
    )


@st.composite
def conditions(draw: st.DrawFn) -> str:
    first = f"{draw(expressions())} {draw(st.sampled_from(('<', '<=', '==', '!=', '>')))} {draw(st.integers(-3, 9))}"
    if draw(st.booleans()):
        return first
    return (
        f"({first}) {draw(st.sampled_from(('&&', '||')))} {draw(st.sampled_from(NAMES))} == {draw(st.integers(0, 4))}"
    )


@st.composite
def statements(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.integers(0, 3 if depth else 0))
    if kind == 0:
        return f"{draw(st.sampled_from(NAMES[:3]))} = {draw(expressions())};"
    first, second = draw(statements(depth - 1)), draw(statements(depth - 1))
    return f"{first} {second}" if kind == 1 else f"if ({draw(conditions())}) {{ {first} }} else {{ {second} }}"


@st.composite
def machines(draw: st.DrawFn) -> Hypothesis:
    """Ranges of `a` as states, two of them perhaps inside another, and transitions that somebody made up."""
    low, high = draw(st.integers(-3, 3)), draw(st.integers(4, 9))
    parent = "outer" if draw(st.booleans()) else None
    states = [StateClaim("low", Words(f"a < {low}"), initial=True)]
    states += [StateClaim("outer", None)] if parent else []
    states.append(StateClaim("middle", Words(f"a >= {low} && a < {high}"), parent))
    if draw(st.booleans()):
        states.append(StateClaim('a high "one"', Words(f"a >= {high}"), parent))
    names = [s.name for s in states]
    transitions = []
    for priority in range(draw(st.integers(0, 4))):
        source, target = draw(st.sampled_from([*names, "other"])), draw(st.sampled_from([*names, "other", "error"]))
        condition = Words(draw(conditions())) if draw(st.integers(0, 3)) else None
        ranked = priority + 1 if condition is not None and draw(st.booleans()) else None
        transitions.append(TransitionClaim(source, target, condition, ranked))
    return Hypothesis("M", "step", ("step.c",), states=tuple(states), transitions=tuple(transitions))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(statements(), machines())
def test_everything_in_a_suggestion_converges(body: str, hypothesis: Hypothesis) -> None:
    check_suggestion(body, hypothesis)


def check_suggestion(body: str, hypothesis: Hypothesis) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "step.c"
        path.write_text(f"{DECLARED}void step(int x, unsigned y) {{ {body} }}\n", encoding="utf-8")
        options, limits = new_settings({"files": (str(path),)}), Limits()
        reflection = reflect_machine(hypothesis, options, limits)
        text = suggest(reflection, options, limits).text(("step.c",))
        again = parse_machine(text)
        assert again.states == hypothesis.states
        found = reflect_machine(again, options, replace(limits, questions=0)).model
        results = {(e.source, e.target): e.results for e in found.edges}
        assert set(results.values()) <= {(Result.CONVERGENCE,)}, f"{text}\n{results}"
        # What the code does is what it did before, whatever was claimed.
        assert {(e.source, e.target) for e in reflection.model.edges if e.in_code} <= set(results)


def test_remarks_are_comments() -> None:
    claim = TransitionClaim("A", "B", Words("x > 0"))
    hypothesis = Hypothesis(
        "M", "f", states=(StateClaim("A", Words("a")), StateClaim("B", Words("!a"))), transitions=(claim,)
    )
    text = Suggestion(hypothesis, {0: "instead of y # z"}, ("B -> A  (never)",)).text(())
    assert parse_machine(text) == parse_machine(print_hypothesis(hypothesis))
    assert "# instead of y # z\n  # B -> A  (never)\n" in text
