"""Claims are read, printed and said in English; what is wrong with them is told with its place."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stateglass.logic import in_mcrl2, modal, patterns, same, temporal
from stateglass.logic.claims import BuiltIn, Claim, Language, Recorded
from stateglass.logic.notation import formula_text
from stateglass.logic.predicates import Applied, Named, Number, Operator, Text
from stateglass.logic.reading import read_claim
from stateglass.logic.sentences import sentence
from stateglass.logic.temporal import Always, And, Eventually, Happens, Holds, Implies, Quantified
from stateglass.logic.wording import requirement_text
from stateglass.source import InputError, render_diagnostics
from tests.logic.formulas import CTL, LTL, MODAL, REQUIREMENTS

DEEP = 10_000


def complaints(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read_claim(text)
    return render_diagnostics(caught.value.diagnostics)


def printed(claim: Claim) -> str:
    """The claim as text of its own language."""
    content = claim.content
    if claim.language is Language.MU:
        assert isinstance(content, modal.Formula)
        return f"mu: {in_mcrl2(content)}"
    assert isinstance(content, temporal.Formula)
    return f"{claim.language.value}: {formula_text(content)}"


def test_the_formula_of_the_papers() -> None:
    claim = read_claim("G([data == max] & ^incr => F([data == 0]))")
    full = Holds(Applied(Operator.EQUAL, (Named("data"), Named("max"))))
    empty = Holds(Applied(Operator.EQUAL, (Named("data"), Number(0))))
    assert claim.language is Language.LTL
    assert same(claim.content, Always(Implies(And(full, Happens("^incr")), Eventually(empty))))
    assert sentence(claim) == (
        "Always (if ([data == max] holds, and `^incr` happens), then eventually [data == 0] holds)."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p U q U r & s | t => u => v <=> w", "p U q U r & s | t => u => v <=> w"),
        ("(p | q) & r", "(p | q) & r"),
        ("! X F<=3 p && q || r -> s <-> t", "!X F<=3 p & q | r => s <=> t"),
        ("[] <> p", "G F p"),
        ("[]([x] -> <>y)", "G ([x] => F y)"),
        ("G(call(f,3 ) => F return( f ))", "G (call(f, 3) => F return(f))"),
        ('"a b" W `c` R d', '"a b" W c R d'),
        ("[ 0x10 + 'a' == 1.50 && t [ 3 ] . s -> x ]", "[16 + 97 == 1.5 && t[3].s->x]"),
        ("[x == 10ll && c == '\\x7f' && c == u8'\\xff']", "[x == 10 && c == 127 && c == 255]"),
        ("[x == 0.1f && x == 0x1.8p1F]", "[x == 0.10000000149011612 && x == 3.0]"),
        (
            "[x == 1.00000005960464477539062500001f]",
            "[x == 1.0000001192092896]",
        ),  # rounded once
        ('["f::x" == 3 && true]', "[f::x == 3 && 1]"),
        ('[p == "&buffer" && x != RED]', '[p == "&buffer" && x != RED]'),
        ("[- 3 - -4 + -x < ~(a & b)]", "[-(3) - -4 + -x < ~(a & b)]"),
        ("A & E", '"A" & "E"'),
    ],
)
def test_linear_formulas(text: str, expected: str) -> None:
    content = read_claim(text).content
    assert isinstance(content, temporal.Formula)
    assert formula_text(content) == expected
    assert same(read_claim(expected).content, content)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AG(call => AF return)", "AG (call => AF return)"),
        ("A[p U<=3 q] & E [ [x > 0] W q ]", "A[p U<=3 q] & E[[x > 0] W q]"),
        ("E (p R q) | A G p", "E[p R q] | AG p"),
        ("EF<=4 !p & !EX q", "EF<=4 !p & !EX q"),
        ("A[p & q U (r => s)]", "A[(p & q) U (r => s)]"),
    ],
)
def test_branching_formulas(text: str, expected: str) -> None:
    content = read_claim(f"ctl: {text}").content
    assert isinstance(content, temporal.Formula)
    assert formula_text(content) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[true*.lock]<true*.unlock>true", "[true*.lock]<true*.unlock>true"),
        ("mu X.(<a>true && (<b>true || <tau>X))", "mu X. <a>true && (<b>true || <tau>X)"),
        ("[a] nu X. <b>X && [c]X", "[a](nu X. <b>X && [c]X)"),
        ("[(a.b)*+c+.d+]false", "[(a.b)* + c+.d+]false"),
        ("<!(a||b)&&true.nil+nil>true", "<!(a || b) && true + nil>true"),
        ("val(terminal) => val(x > 3)", "val(terminal) => val(x > 3)"),
        ('<call(f,*) . "x.y">true', '<call(f, *)."x.y">true'),
        ("<tau*.(tau*)*>true", "<tau*.(tau*)*>true"),
    ],
)
def test_modal_formulas(text: str, expected: str) -> None:
    content = read_claim(f"mu: {text}").content
    assert isinstance(content, modal.Formula)
    assert in_mcrl2(content) == expected


def test_labels_of_modal_formulas_are_exact_unless_they_are_patterns() -> None:
    claim = read_claim('mu: <a."a*".call(f, *)>true')
    assert isinstance(claim.content, modal.Possible)
    assert [type(piece).__name__ for piece in claim.content.path] == ["Do", "Do", "Like"]


@pytest.mark.parametrize(
    ("text", "standard", "formula"),
    [
        ("`a` does not occur", "`a` never happens", "G !a"),
        ("[x > 0] always holds.", "[x > 0] always holds", "G [x > 0]"),
        ("a happens", "`a` eventually happens", "F a"),
        ("[x] holds at most 3 times before `b`", None, None),
        ("`a` happens at most 2 times", "`a` happens at most twice", "!a W (a & X (!a W (a & X G !a)))"),
        ("`b` happens only after `a`", "`a` precedes `b`", "!b W a"),
        ("`b` is preceded by `a` before [x]", "`a` precedes `b` before [x]", None),
        ("`open` leads to `close` globally", "`close` follows `open`", "G (open => F close)"),
        ("After `init`, `close` responds to `open`", "`close` follows `open` after `init`",
         "G (init => G (open => F close))"),
        ("[x == 0] follows `reset`", "[x == 0] follows `reset`", "G (reset => X F [x == 0])"),
        ("`close` never happens between `a` and `b`", "`close` never happens between `a` and `b`",
         "G (a & !b & F b => !close U b)"),
        ("between `a` or `b` and [x], `c` never happens", "`c` never happens between `a` or `b` and [x]", None),
        ("[x] always holds before `stop`", "[x] always holds before `stop`", "F stop => [x] U ([x] & stop)"),
        ("`a` always holds after `q` until `r`", "`a` always happens after `q` until `r`", "G (q & !r => a W r)"),
        ("`a`, then `b` follow `c`", "`a`, then `b` follow `c`", "G (c => F (a & X F b))"),
        ("`c` follows `a` then `b`", "`c` follows `a`, then `b`", None),
        ("`a`, then `b` precede `c`", "`a`, then `b` precede `c`", "!c W (a & !c & X (!c U b))"),
        ("call(f, *) and [x > 0] never happens", "`call(f, *)` and [x > 0] never happens", None),
        ("not `a` always happens", "not `a` always happens", "G !a"),
    ],
)  # fmt: skip
def test_requirements_in_english(text: str, standard: str | None, formula: str | None) -> None:
    claim = read_claim(text)
    assert claim.language is Language.ENGLISH
    assert claim.requirement is not None
    assert isinstance(claim.content, temporal.Formula)
    if standard is not None:
        assert requirement_text(claim.requirement) == standard
        assert sentence(claim).lower() == f"{standard}.".lower()
    if formula is not None:
        assert formula_text(claim.content) == formula


def test_a_sentence_in_words_of_a_formula_is_a_formula() -> None:
    assert read_claim("G always => follows").language is Language.LTL


@pytest.mark.parametrize("built_in", BuiltIn)
def test_built_in_claims(built_in: BuiltIn) -> None:
    claim = read_claim(f" {built_in.value}\n")
    assert claim.content is built_in
    assert claim.text == built_in.value
    assert sentence(claim).endswith(".")


def test_fairness_stands_in_front() -> None:
    claim = read_claim('assume fair(tick), strong fair("a b") , weakly fair( call(f, *) ): ltl: F done')
    assert [(f.pattern, f.strong) for f in claim.fairness] == [("tick", False), ("a b", True), ("call(f, *)", False)]
    assert claim.language is Language.LTL
    assert all(f.span.line == 1 for f in claim.fairness)
    assert read_claim("ltl: assume fair(tick): F done").fairness[0].pattern == "tick"
    assert sentence(read_claim("assume fair(tick): F done")) == (
        "Provided that `tick` happens again and again if it can happen from some time on: eventually `done` happens."
    )


def test_a_recorded_test() -> None:
    content = read_claim('test: when [stable] & ![x]: call(f,3) return(f, 1); F(2), "a b"').content
    assert isinstance(content, Recorded)
    assert content.events == ("call(f, 3)", "return(f, 1)", "F(2)", "a b")
    assert formula_text(content.condition) == "[stable] & ![x]"
    bare = read_claim("test: a b").content
    assert isinstance(bare, Recorded)
    assert bare.condition is temporal.TRUE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "a claim is empty"),
        ("G p &", "the formula ends where a formula should stand\n  G p &\n       ^"),
        ("G(p", "ends where an operator or `)` should stand"),
        ("p (q)", "`(` stands where an operator or the end should"),
        ("ltl: AG p", "`AG` belongs to CTL, and this claim is read as LTL"),
        ("x > 3", "a condition on values stands in brackets, as in [x > 3]"),
        ("F<=n p", "a bound is a number of steps"),
        ("X<=2 p", "only F, G and U can be bounded"),
        ("F<=99999999999 p", "this number is too large"),
        ("[x = 3]", "write `==`: a predicate assigns nothing"),
        ("G [p => q]", "it stands between predicates, `[a] => [b]`, or write `!a || b`"),
        ("G [p <=> q]", "or write `a == b`"),
        ("[t[i] > 0]", "an index is a number"),
        ("[f(3)]", "`(` stands where an operator or the end should"),
        ("[08]", "`08` is no number"),
        ("[1e999]", "this number is too large"),
        ("[x < 1e39f]", "this number is too large"),
        ("[x == 1.5L]", "`1.5L` would be a long double"),
        ("[x == 0x1p3l]", "`0x1p3l` would be a long double"),
        ("[x == 5u]", "`5u` would be an unsigned number"),
        ("[x == -0x10uLL]", "`0x10uLL` would be an unsigned number"),
        ("[c == '\\xff']", "is not the same on all machines"),
        ("[c == '\\200']", "is not the same on all machines"),
        ("[c == 'é']", "is not the same on all machines"),
        ("[c == u8'\\x100']", "is not the same on all machines"),
        ("[c == L'\\xffffffff']", "is not the same on all machines"),
        ("[x", "the closing ] is missing"),
        ("call(f", "the closing ) of this event is missing"),
        ('"abc', 'the closing " is missing'),
        ('"re:("', "is no regular expression"),
        ("lt: p", "there is no language `lt` of claims"),
        ("assume fair(x) G p", "this is no assumption of fairness"),
        ("assume fair(x): mu: true", "fairness is about runs"),
        ("ctl: F p", "`F` stands where a formula should"),
        ("ctl: A[p]", "`]` stands where an operator, `U`, `W` or `R` should"),
        ("ctl: AG p U q", "in CTL each temporal operator stands behind A or E"),
        ("mu: X", "no fixed point has the variable `X`"),
        ("mu: mu X. !X", "odd number of negations"),
        ("mu: mu X. X => true", "odd number of negations"),
        ("mu: forall n: Nat. true", "quantifiers over data are not supported"),
        ("mu: <delay>true", "there is no time in a model"),
        ("mu: <a|b>true", "several actions at once are not supported"),
        ("mu: mu X(n: Nat = 0). true", "fixed points with parameters are not supported"),
        ("mu: <!(a.b)>true", "`!` is about one step"),
        ("mu: <a.>true", "`>` stands where an action should"),
        ("[x] holds", "the sentence ends where `always`, `eventually`, `at least once` or `at most` should stand"),
        ("`a` follows", "the sentence ends where an event or a condition should stand"),
        ("`a` happens at most 0 times", "what does not happen at all never happens"),
        ("`a`, then `b`, then `c` follow `d`", "a chain has two things"),
        ("`a`, then `b` precede `c`, then `d`", "only one side may be a chain"),
        ("`a`, then `b` never happens", "a chain is only about what precedes or follows something"),
        ("test:", "a test has no events"),
        ("test: when F p: a", "it has no temporal operator"),
        ("test: when p: a", "it has no event"),
        ("test: when [x] a", "a colon is missing"),
        ("test: a & b", "`&` stands where an event should"),
    ],
)
def test_mistakes_are_told(text: str, expected: str) -> None:
    assert expected in complaints(text)


def test_all_mistakes_are_told_at_once() -> None:
    told = complaints("[x >] & [y = 3] -> p)")
    assert [told.count(f"<claim>:1:{column}: error[claim]") for column in (5, 12, 21)] == [1, 1, 1]


def test_places_are_those_of_the_file() -> None:
    with pytest.raises(InputError) as caught:
        read_claim("G(p &\n  q) & [x ==]", "a.claims", 7, 10)
    assert str(caught.value.diagnostics[0].span) == "a.claims:8:13"
    claim = read_claim("G p", "a.claims", 7, 10, "mine")
    assert (str(claim.span), claim.title) == ("a.claims:7:10", "mine")


@given(LTL)
def test_linear_formulas_read_back(formula: temporal.Formula) -> None:
    assert same(read_claim(f"ltl: {formula_text(formula)}").content, formula)


@given(CTL)
def test_branching_formulas_read_back(formula: temporal.Formula) -> None:
    assert same(read_claim(f"ctl: {formula_text(formula)}").content, formula)


@given(MODAL)
def test_modal_formulas_read_back(formula: modal.Formula) -> None:
    assert same(read_claim(f"mu: {in_mcrl2(formula)}").content, formula)


@pytest.mark.parametrize(
    "text",
    [
        "Between `open` and `open`, `close` happens",
        "`close` happens after `open` until `open`",
        "`close` never happens between [x  >  0] and [x > 0].",
        "`close` never happens between `a` or [x > 0] and `a` or [x > 0]",
    ],
)
def test_scopes_that_end_where_they_begin_are_refused(text: str) -> None:
    assert "what begins this scope ends it at once, so that it is empty" in complaints(text)


@given(REQUIREMENTS)
def test_requirements_read_back(requirement: patterns.Requirement) -> None:
    scope = requirement.scope
    assume(not isinstance(scope, patterns.Between | patterns.AfterUntil) or not same(scope.start, scope.end))
    claim = read_claim(requirement_text(requirement))
    assert claim.language is Language.ENGLISH
    assert same(claim.requirement, requirement)


def test_what_is_not_the_same_is_told_apart() -> None:
    one, other = read_claim("G p U q").content, read_claim("G q U p").content
    assert not same(one, other)
    assert not same(Text("a"), Named("a"))
    assert not same(Quantified(True, Eventually(temporal.TRUE)), Quantified(False, Eventually(temporal.TRUE)))


_PIECES = st.sampled_from(
    ["G", "F", "X", "U", "AG", "A[", "E", "(", ")", "[", "]", "!", "&", "|", "=>", "<=3", "p", "`a`", "[x > 0]", '"',
     "call(f, 3)", "mu X.", "nu Y. ", "X", "<", ">", "true", "*", "+", ".", "val(", "never", "happens", "always",
     "follows", ", then", "after", "between", "and", "until", "at most", "2 times", ":", "test: ", "mu: ", "ctl: ",
     "assume fair(", ",", "when ", "'", "\\", "\n", "é", "\x00", "==", "-", "1e5", "0x", "::", "re:"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join), st.lists(_PIECES).map(" ".join)))
def test_any_text_is_a_claim_or_a_mistake(text: str) -> None:
    with contextlib.suppress(InputError):
        claim = read_claim(text)
        assert sentence(claim)
        if not isinstance(claim.content, BuiltIn | Recorded):
            assert same(read_claim(printed(claim) if claim.requirement is None else claim.text).content, claim.content)


@pytest.mark.parametrize(
    "text",
    [
        "(" * DEEP + "p" + ")" * DEEP,
        "!" * DEEP + "p",
        "G " * DEEP + "p",
        "p U " * DEEP + "p",
        "p & " * DEEP + "p",
        "[" + "(" * DEEP + "x" + ")" * DEEP + "]",
        "[" + "!" * DEEP + "x]",
        "[" + "x + " * DEEP + "x]",
        "ctl: " + "AG " * DEEP + "p",
        "ctl: " + "A[" * DEEP + "p" + " U q]" * DEEP,
        "mu: " + "<a>" * DEEP + "true",
        "mu: " + "!" * DEEP + "true",
        "mu: " + "mu X. " * DEEP + "X",
        "mu: " + "(<a>true && " * DEEP + "true" + ")" * DEEP,
        "mu: <" + "(" * DEEP + "a" + ")*" * DEEP + ">true",
        "mu: <" + "!" * DEEP + "a>true",
        "not " * DEEP + "`a` always happens",
    ],
    ids=lambda text: text[:16],
)
def test_deep_formulas_are_read_and_printed(text: str) -> None:
    claim = read_claim(text)
    assert sentence(claim)
    if claim.requirement is None:
        assert same(read_claim(printed(claim)).content, claim.content)
    else:
        assert same(read_claim(requirement_text(claim.requirement)).content, claim.content)


@pytest.mark.parametrize("text", ["(", "[", "a(", '"', "`", "<", "mu: <", "mu: (", "assume fair(", "test: a(", "!"])
def test_deep_nonsense_is_a_mistake(text: str) -> None:
    assert "error[claim]" in complaints(text * DEEP)


def test_what_compare_prints_can_be_asked() -> None:
    formula = modal.Not(modal.Reaching(modal.Equals("f::x", "-1"), modal.Forever(modal.Equals("x y", "a b"))))
    content = read_claim(f"mu: {in_mcrl2(formula)}").content
    assert isinstance(content, modal.Formula)
    assert in_mcrl2(content) == ('!(mu X. val(f::x == -1) && ((nu X1. val(`x y` == "a b") && <tau>X1) || <tau>X))')


def _documented() -> list[str]:
    text = (Path(__file__).parents[2] / "docs" / "claims.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```claims\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("text", _documented())
def test_claims_of_the_documents_are_read(text: str) -> None:
    claim = read_claim(text)
    prefix = re.search(r"(?:^|: )(ltl|ctl|mu|test):", text)
    expected = prefix[1] if prefix else "english" if claim.requirement is not None else "ltl"
    assert claim.language.value == expected
    assert sounds(text) == (claim.requirement is not None)


def sounds(text: str) -> bool:
    """Whether a documented claim is meant to be a sentence: it has a word that no formula there has."""
    return bool(re.search(r" (?:follows?|followed|precedes?|precede|never|always|happens) ", f" {text.rstrip('.')} "))


def test_what_is_right_only_in_ctl_needs_no_prefix() -> None:
    for text in ("AG EF [x == 0]", "AG(call => AF return)", "E[p U q]", "assume fair(tick): AF done"):
        assert read_claim(text).language is Language.CTL
    # Right in both: about every run.
    assert read_claim("p & !q").language is Language.LTL
    assert read_claim("A & E").language is Language.LTL
