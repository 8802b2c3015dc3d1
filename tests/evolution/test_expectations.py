"""Declared changes: how they are written, what is wrong with some, and what they leave of a difference."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.evidence import Difference, Verdict
from stateglass.evolution.expectations.language import (
    ChangedClaim,
    ChangedSteps,
    Expectation,
    How,
    RenamedAction,
    RenamedVariable,
)
from stateglass.evolution.expectations.reading import read_expectations
from stateglass.model import Model
from stateglass.operations.differing import differ
from stateglass.source import NOWHERE, InputError
from tests.relate.random_models import built

WORDS = [
    "rename",
    "variable",
    "added",
    "removed",
    "changed",
    "claim",
    "may",
    "become",
    "when",
    "->",
    "violated",
    "open",
]
WORDS += ["call(open, *)", "`a b`", "`", "x == 1", "#", "\n", "(", ")", '"', "é", "re:(", "", " ", "no-error"]


def read(text: str) -> tuple[Expectation, ...]:
    return tuple(replace(e, span=NOWHERE) for e in read_expectations(text, "change.expect"))


def test_what_can_be_declared() -> None:
    assert read(
        """
        # all of them
        rename open -> unlock
        rename call(open, 0) -> call(try)   # in full
        rename variable tries -> attempts
        removed call(beep, *)
        claim `G [x <= 2]` may become violated
        claim no-error may become holds
        """
    ) == (
        RenamedAction("open", "unlock"),
        RenamedAction("call(open, 0)", "call(try)"),
        RenamedVariable("tries", "attempts"),
        ChangedSteps(How.REMOVED, "call(beep, *)"),
        ChangedClaim("G [x <= 2]", Verdict.VIOLATED),
        ChangedClaim("no-error", Verdict.HOLDS),
    )


def test_a_condition_is_kept_as_it_was_written() -> None:
    [found] = read("changed call(open, *) when tries == 3 && !broken # twice")
    assert isinstance(found, ChangedSteps)
    assert (found.how, found.words) == (How.CHANGED, "tries == 3 && !broken")
    assert str(found) == "changed call(open, *) when tries == 3 && !broken"


@given(st.sampled_from(["added", "removed", "changed"]), st.sampled_from(["a", "call(f, 1)", "call(f, *)"]))
def test_what_is_printed_is_read_again(how: str, pattern: str) -> None:
    [found] = read(f"{how} {pattern}")
    assert read(str(found)) == (found,)


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "help"),
    [
        ("renam a -> b", 1, 1, "`renam` is no beginning of an expectation", "did you mean `rename`?"),
        ("\nrename a b", 2, 10, "`b` stands where `->` should", "write `rename OLD -> NEW`"),
        ("rename a ->", 1, 12, "the line ends where a name should stand", "write `rename OLD -> NEW`"),
        ("rename a -> a", 1, 13, "both names are the same", ""),
        ("rename a -> call(b)", 1, 13, "one of them is a name and the other an action", "same way"),
        ("claim x may become wrong", 1, 20, "`wrong` is no verdict", "`violated`"),
        ("claim x becomes violated", 1, 9, "`becomes` stands where `may` should", "may become"),
        ("added", 1, 6, "the line ends where a name should stand", "write `added ACTION`"),
        ("added a when", 1, 13, "the line ends where a condition should stand", "when CONDITION"),
        ("added a when x ==", 1, 18, "", ""),
        ("added `a", 1, 7, "the closing ` is missing", ""),
        ("added ``", 1, 7, "a name is empty", ""),
        ("added `re:(`", 1, 7, "no regular expression", ""),
    ],
)
def test_mistakes_have_a_place_and_advice(text: str, line: int, column: int, message: str, help: str) -> None:
    with pytest.raises(InputError) as raised:
        read(text)
    [problem] = raised.value.diagnostics
    assert (problem.span.line, problem.span.start.column) == (line, column)
    assert message in problem.message
    assert help in problem.help


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(InputError) as raised:
        read("renam a\nadded b\nclaim\n")
    assert [problem.span.line for problem in raised.value.diagnostics] == [1, 3]


@given(st.lists(st.sampled_from(WORDS)).map(" ".join) | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        for found in read_expectations(text, "f"):
            assert str(found)
    except InputError as error:
        assert error.diagnostics


def models() -> tuple[Model, Model]:
    old = built([(0, "open", 1), (1, "close", 0), (1, "beep", 1)], 2, values=[0, 1])
    new = built([(0, "unlock", 1), (1, "close", 0), (0, "reset", 0)], 2, values=[0, 1])
    return old, new


def found(text: str) -> Difference:
    return differ(*models(), expectations=read(text))


ALL = "rename open -> unlock\nadded reset\nremoved beep\n"


def test_the_same_but_for_what_was_declared() -> None:
    answer = found(ALL)
    assert answer.equivalent is True
    assert not any(met.unmet for met in answer.expectations)


@pytest.mark.parametrize("line", ALL.splitlines())
def test_what_was_not_declared_is_found(line: str) -> None:
    assert found(ALL.replace(line, "")).equivalent is False


@pytest.mark.parametrize(
    ("text", "unmet"),
    [
        ("added close", "both sides have such steps, from the same states"),
        ("rename close -> reset", ""),
        ("rename beep -> close", "the old side has an action `close` already"),
        ("added clos", "the new side has no such step; did you mean `close`?"),
        ("rename opne -> unlock", "the old side has no action `opne`"),
        ("rename close -> shut", "the new side has no action `shut`"),
        ("rename variable q -> r", "the old side has no variable `q`"),
        ("changed close when p == 7", "no side has such a step"),
        ("changed close when q == 1", "the model has no proposition or enumerator `q`"),
    ],
)
def test_what_did_not_come_true_is_told(text: str, unmet: str) -> None:
    answer = found(f"{ALL}{text}")
    assert unmet in answer.expectations[-1].unmet
    assert answer.equivalent is bool(unmet)


def test_a_condition_narrows_what_is_declared() -> None:
    old = built([(0, "a", 1), (1, "a", 0)], 2, values=[0, 1])
    new = built([(0, "a", 1), (1, "a", 1)], 2, values=[0, 1])
    assert differ(old, new).equivalent is False
    assert differ(old, new, expectations=read("changed a when p == 1")).equivalent is True
    assert differ(old, new, expectations=read("changed a when p == 0")).equivalent is False


@pytest.mark.parametrize("by", ["dpbranching", "strong", "weaktrace"])
def test_what_follows_a_declared_step_is_compared(by: str) -> None:
    old = built([(0, "a", 1), (1, "b", 2), (2, "c", 0)], 3, values=[0, 1, 2])
    new = built([(0, "a", 2), (1, "b", 2), (2, "c", 0)], 3, values=[0, 1, 2])
    assert differ(old, new, by, expectations=read("changed a")).equivalent is True
    other = built([(0, "a", 2), (1, "b", 2), (2, "d", 0)], 3, values=[0, 1, 2])
    answer = differ(old, other, by, expectations=read("changed a"))
    assert answer.equivalent is False
    assert [change.text for change in answer.changes] == [
        "`c` is no longer possible when p == 2",
        "`d` is now possible when p == 2",
    ]
    assert [step.action for step in answer.changes[0].run] == ["a", "b", "c"]


def test_states_that_only_one_side_has_are_not_compared_and_this_is_said() -> None:
    old = built([(0, "a", 1), (1, "b", 0)], 2, values=[0, 1])
    new = built([(0, "a", 1), (1, "c", 0)], 2, values=[0, 5])
    answer = differ(old, new, expectations=read("changed a"))
    assert answer.equivalent is True
    assert answer.scope.startswith("2 states are reached by declared steps alone")


def test_a_variable_with_a_new_name_counts() -> None:
    rows = [(0, "a", 1), (1, "a", 0)]
    old, new = built(rows, 2, values=[0, 1]), built(rows, 2, values=[0, 2])
    other = replace(new, propositions=tuple(replace(p, name="q") for p in new.propositions))
    assert differ(old, other).equivalent is True
    assert differ(old, other, expectations=read("rename variable p -> q")).equivalent is False
