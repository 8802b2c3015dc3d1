"""How formulas read, for mCRL2 and for people."""

from __future__ import annotations

import pytest

from stateglass.logic import (
    FALSE,
    SILENTLY,
    TRUE,
    And,
    Do,
    Ended,
    Equals,
    Forever,
    Formula,
    Necessary,
    Not,
    Or,
    Possible,
    Reaching,
    conjunction,
    fitting,
    in_english,
    in_mcrl2,
    negation,
    outline,
    possible,
    same,
    size,
)

A, B = Possible((Do("a"),), TRUE), Possible((Do("b"),), TRUE)
NO_A, NO_B = negation(A), negation(B)


@pytest.mark.parametrize(
    ("formula", "mcrl2", "english"),
    [
        (A, "<a>true", "it can do `a`"),
        (NO_A, "[a]false", "it cannot do `a`"),
        (And((A, B)), "<a>true && <b>true", "it can do `a` and `b`"),
        (And((NO_A, NO_B)), "[a]false && [b]false", "it can do neither `a` nor `b`"),
        (And((A, NO_B)), "<a>true && [b]false", "it can do `a`, and it cannot do `b`"),
        (Or((A, And((B, NO_A)))), "<a>true || <b>true && [a]false",
         "it can do `a`, or (it can do `b`, and it cannot do `a`)"),
        (And((A, Or((B, Ended())))), "<a>true && (<b>true || val(terminal))",
         "it can do `a`, and (it can do `b`, or the program has ended)"),
        (Possible((Do("a"), Do("b")), NO_A), "<a.b>[a]false",
         "it can do `a`, then `b` and then be where it cannot do `a`"),
        (Necessary((Do("a"),), B), "[a]<b>true", "however it may do `a`, it is then where it can do `b`"),
        (Possible((SILENTLY, Do("a")), TRUE), "<tau*.a>true", "it can do `a` (silent steps aside)"),
        (Possible((SILENTLY,), NO_A), "<tau*>[a]false", "it can silently come to where it cannot do `a`"),
        (Necessary((SILENTLY,), A), "[tau*]<a>true", "wherever it may silently come, it can do `a`"),
        (Necessary((Do("tau"),), FALSE), "[tau]false", "it has no silent step"),
        (Possible((Do("tau"), Do("a")), TRUE), "<tau.a>true", "it can take a silent step, then `a`"),
        (Reaching(A, B), "mu X.(<a>true && (<b>true || <tau>X))",
         "it can silently, always where it can do `a`, come to where it can do `b`"),
        (Not(Reaching(Reaching(A, B), NO_A)),
         "!(mu X.((mu X1.(<a>true && (<b>true || <tau>X1))) && ([a]false || <tau>X)))",
         "it cannot silently, always where it can silently, always where it can do `a`, come to where it can do `b`,"
         " come to where it cannot do `a`"),
        (Forever(TRUE), "nu X.<tau>X", "it can go on silently for ever"),
        (Not(Forever(A)), "!(nu X.(<a>true && <tau>X))",
         "it cannot go on silently for ever, always where it can do `a`"),
        (Equals("x", "3"), "val(x == 3)", "`x` is 3"),
        (Not(Equals("f::x", "-1")), '!val("f::x" == -1)', "`f::x` is not -1"),
        (Not(Ended()), "!val(terminal)", "the program has not ended"),
        (Possible((Do("call(f, 3)"),), TRUE), "<call(f, 3)>true", "it can do `call(f, 3)`"),
        (Possible((Do("return(f, &x=5)"),), TRUE), '<"return(f, &x=5)">true', "it can do `return(f, &x=5)`"),
        (Possible((Do("nil"),), TRUE), '<"nil">true', "it can do `nil`"),
        (Possible((Do('say("hi")\n'),), TRUE), '<"say(\\"hi\\")\\n">true', 'it can do `say("hi")\n`'),
    ],
)  # fmt: skip
def test_formulas_read_well(formula: Formula, mcrl2: str, english: str) -> None:
    assert in_mcrl2(formula) == mcrl2
    assert in_english(formula) == english


def test_paths_are_joined_and_tidied() -> None:
    inner = possible((SILENTLY, Do("b"), SILENTLY), TRUE)
    joined = Possible((SILENTLY, Do("a"), SILENTLY, Do("b")), TRUE)
    assert same(possible((SILENTLY, Do("a"), SILENTLY), inner), joined)
    assert possible((SILENTLY,), TRUE) == TRUE


def test_conjunctions_are_flat_and_without_repetition() -> None:
    assert conjunction([]) == TRUE
    assert conjunction([TRUE, A]) is A
    assert same(conjunction([And((A, B)), A, And((A, B))]), And((A, B)))


def test_shared_parts_count_as_often_as_they_are_printed() -> None:
    formula: Formula = A
    for _ in range(100):
        formula = And((formula, formula))
    assert size(formula) > 2**100
    assert size(negation(formula)) > 2**100


def test_an_outline_has_the_first_steps() -> None:
    formula = Possible((Do("a"), Do("b")), And((NO_A, Possible((Do("a"),), Not(Reaching(A, B))))))
    assert same(outline(formula, 9), formula)
    assert in_mcrl2(outline(formula, 0)) == "…"
    assert in_mcrl2(outline(formula, 1)) == "<a>…"
    assert in_mcrl2(outline(formula, 2)) == "<a.b>…"
    assert in_mcrl2(outline(formula, 3)) == "<a.b>([a]false && <a>…)"
    assert in_english(outline(formula, 3)) == (
        "it can do `a`, then `b` and then be where (it cannot do `a`, and it can do `a` and then be where …)"
    )
    assert in_mcrl2(outline(formula, 4)) == "<a.b>([a]false && <a>!(mu X.(… && (… || <tau>X))))"
    assert in_mcrl2(outline(Forever(A), 1)) == "nu X.(… && <tau>X)"


def test_of_many_parts_some_are_shown() -> None:
    parts = tuple(Possible((Do(f"a{i}"),), TRUE) for i in range(20))
    assert in_mcrl2(outline(Or(parts), 5)).count("a") == 8
    assert in_mcrl2(outline(Or(parts), 5)).endswith(" || …")


def test_a_formula_that_fits_is_left_as_it_is() -> None:
    formula = Possible((Do("a"),) * 30, NO_B)
    assert fitting(formula, lambda part: len(in_mcrl2(part)) < 1000) is formula
    assert in_mcrl2(fitting(formula, lambda part: len(in_mcrl2(part)) <= 12)) == "<a.a.a.a.a>…"
    assert in_mcrl2(fitting(formula, lambda _: False)) == "<a>…"
