"""Labels are read as they are written, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stateglass.model import Action, Verb, is_error, parsed
from stateglass.model.actions import at_once, split_arguments

NAMES = st.sampled_from(
    [
        "f",
        "::x",
        "Actuator.move",
        "locks[0].lock",
        "f<int>",
        "f<int, char>",
        "map<int, list<char>>.insert",
        "X.operator<",
        "X.operator<<",
        "X.operator->",
        "X.operator()",
        "X.operator,",
        "operator",
        "~X",
        "x.f",
    ]
)
VALUES = st.sampled_from(
    ["3", "-1", "true", "&x=5", '"a, b) | \\" (c"', "{.a=1, .b={2, 3}}", "2..7", "0|2 mod 4", "[..-1]|[5..9]", "&a|&b"]
)
FREE_NAMES = st.sampled_from(["send", "open door", "::x", "reach_error", "tau", "call", "error"])
ACTIONS = st.one_of(
    st.builds(Action, st.sampled_from(Verb), NAMES | VALUES, st.lists(VALUES, max_size=3).map(tuple)),
    st.builds(Action, st.none(), FREE_NAMES),
    st.builds(
        Action, st.none(), st.sampled_from(["send", "reach_error"]), st.lists(VALUES, min_size=1, max_size=3).map(tuple)
    ),
)


@given(ACTIONS)
def test_what_was_written_is_read(action: Action) -> None:
    assert parsed(str(action)) == action


@given(st.text(alphabet='callerrorf(),|"\\<>{}[] =1', max_size=25) | st.text())
@example("call(operator, 3)")
@example("call(f<, 3)")
@example("error(a))")
@example("f()")
def test_any_text_is_read_and_then_stays_as_it_is(label: str) -> None:
    action = parsed(label)
    assert parsed(str(action)) == action
    assert isinstance(is_error(label), bool)
    assert "|".join(at_once(label)) == label


@pytest.mark.parametrize(
    ("label", "action"),
    [
        ("call(f, 3)", Action(Verb.CALL, "f", ("3",))),
        ("call(Actuator.move, 3)", Action(Verb.CALL, "Actuator.move", ("3",))),
        ("throw(Class.method, T)", Action(Verb.THROW, "Class.method", ("T",))),
        ("load(x.f, 1)", Action(Verb.LOAD, "x.f", ("1",))),
        ("store(::x,2)", Action(Verb.STORE, "::x", ("2",))),
        ("return(f)", Action(Verb.RETURN, "f")),
        ("exit(0)", Action(Verb.EXIT, "0")),
        ("call(f<int, char>, 3)", Action(Verb.CALL, "f<int, char>", ("3",))),
        ("call(a<b, 3)", Action(Verb.CALL, "a<b", ("3",))),
        ("call()", Action(Verb.CALL, "")),
        ("call", Action(None, "call")),
        ("send(1, 2)", Action(None, "send", ("1", "2"))),
        ("send()", Action(None, "send")),
        ("send (1)", Action(None, "send (1)")),
        ("(a)", Action(None, "(a)")),
        ("a(1)|b(2)", Action(None, "a(1)|b(2)")),
        ("a(1", Action(None, "a(1")),
    ],
)
def test_the_parts_of_a_label(label: str, action: Action) -> None:
    assert parsed(label) == action


@pytest.mark.parametrize(
    "label",
    [
        "error(bounds)",
        "error",
        "error()",
        'error("not closed)',
        "error(a))",
        "error(a(b)",
        "reach_error",
        "reach_error()",
        "reach_error(1)",
        "call(reach_error)",
        "call(reach_error, 1)",
        "a(1)|error(bounds)",
        "error(bounds)|a(1)",
    ],
)
def test_what_is_an_error(label: str) -> None:
    assert is_error(label)
    assert not is_error(f"x{parsed(label)}") or "|" in label


@pytest.mark.parametrize(
    "label", ["tau", "errors", "error_log(1)", "call(error)", "return(reach_error)", 'f("a|error(b)")', "exit(1)"]
)
def test_what_is_none(label: str) -> None:
    assert not is_error(label)


def test_what_ends_a_program() -> None:
    endings = [label for label in ("exit(0)", "error(null)", "exit", "error", "call(exit)") if parsed(label).is_ending]
    assert endings == ["exit(0)", "error(null)"]
    assert parsed("error(null)").error_kind == "null"
    assert parsed("exit(0)").error_kind is None


def test_commas_in_brackets_and_strings_part_nothing() -> None:
    assert split_arguments('1, "a, \\" b", {x=[1, 2]}, f(3, 4)') == ("1", '"a, \\" b"', "{x=[1, 2]}", "f(3, 4)")
    assert split_arguments(" ") == ()
    # A search that began anew at each quote would not come to an end.
    assert len(split_arguments('"\\' * 300_000)) == 1
