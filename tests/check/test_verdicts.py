"""Verdicts: what carries over from partial models and abstractions, what is vacuous, and the built-in claims."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from stateglass.check.deciding import decide
from stateglass.check.events import labels_meant, matcher
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.evidence import Path, Reason, Support, Verdict, problem_of
from stateglass.logic.claims import BuiltIn, Claim, Fairness, Language
from stateglass.logic.reading import read_claim
from stateglass.logic.temporal import Formula
from stateglass.model import Assumption, Model, Origin, Proposition, Relation, Sort
from stateglass.source import InputError, Topic
from tests.check.branching import holds_in, random_ctl
from tests.check.test_ctl import random_model
from tests.relate.random_models import Rows, built


def abstraction(rows: Rows, texts: Iterable[str]) -> Model:
    """A model whose proposition `x` goes by texts, as abstractions have them."""
    shown = list(texts)
    names = tuple(enumerate(dict.fromkeys(shown)))
    number = {text: value for value, text in names}
    column = Proposition("x", Sort.ENUM, np.array([number[text] for text in shown], dtype=np.int64), names)
    model = built(rows, len(shown))
    return replace(model, propositions=(column,), origin=Origin(relation=Relation.OVER))


def verdict(text: str, model: Model) -> tuple[str, str]:
    answer = decide(read_claim(text), model)
    return answer.verdict.value, "" if answer.reason is None else answer.reason.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ctl: AG [x < 10]", ("holds", "")),
        ("ctl: AG [x < 5]", ("inconclusive", "abstraction")),
        ("ctl: EF [x >= 4]", ("holds", "")),  # on all runs
        ("ctl: EF [x >= 7]", ("inconclusive", "abstraction")),
        ("ctl: AG EF [x == 0]", ("inconclusive", "abstraction")),
        ("ctl: AX [x > 3]", ("inconclusive", "abstraction")),  # it holds there, but counts steps
        ("ctl: AF [x > 3]", ("holds", "")),
        ("ctl: AG [x % 2 == 0]", ("inconclusive", "abstraction")),
        ("ctl: AG !stop", ("inconclusive", "abstraction")),
        ("mu: [true*.stop.true*.go]false", ("holds", "")),
        ("mu: [go]val(x > 3)", ("inconclusive", "abstraction")),  # it counts steps
        ("mu: <go>true", ("inconclusive", "abstraction")),
        ("no-error", ("holds", "")),
        ("no-deadlock", ("inconclusive", "abstraction")),
        ("no-livelock", ("inconclusive", "abstraction")),
    ],
)
def test_abstractions(text: str, expected: tuple[str, str]) -> None:
    model = abstraction([(0, "go", 1), (1, "stop", 1)], ["0", "[4..6]"])
    assert verdict(text, model) == expected


def test_a_violation_of_an_abstraction_comes_with_its_run() -> None:
    model = abstraction([(0, "go", 1), (1, "go", 2)], ["0", "[4..6]", "0|2 mod 4"])
    answer = decide(read_claim("ctl: AG [x < 6]"), model)
    assert answer.reason is Reason.ABSTRACTION
    assert isinstance(answer.evidence, Path)
    assert [step.target for step in answer.evidence.steps] == [1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ctl: AG [p < 2]", ("inconclusive", "partial")),
        ("ctl: AG [p < 1]", ("violated", "")),
        ("ctl: EF [p == 1]", ("holds", "")),
        ("ctl: EF [p == 2]", ("inconclusive", "partial")),
        ("mu: <true*.a>true", ("holds", "")),
        ("mu: [true*.b]false", ("inconclusive", "partial")),
        ("no-error", ("inconclusive", "partial")),
        ("no-deadlock", ("inconclusive", "partial")),
        ("no-livelock", ("inconclusive", "partial")),
    ],
)
def test_partial_models(text: str, expected: tuple[str, str]) -> None:
    model = built([(0, "a", 1), (2, "b", 2)], 3, values=[0, 1, 2], unexplored=[1])
    assert verdict(text, model) == expected


def test_a_model_of_some_behaviour_answers_what_more_behaviour_cannot_change() -> None:
    model = replace(built([(0, "a", 0)], 1, values=[0]), origin=Origin(relation=Relation.UNDER))
    assert verdict("ctl: AG [p == 0]", model) == ("inconclusive", "partial")
    assert verdict("ctl: EF a", model) == ("holds", "")
    assert verdict("ctl: AG [p == 1]", model) == ("violated", "")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ctl: AG([p == 7] => AF [p == 0])", "`[p == 7]` never comes true"),
        ("ctl: AG(b => AF a)", "`b` never comes true"),
        ("ctl: AG([p == 0] => ([p == 2] => EF [p == 2]))", "`[p == 2]` never comes true"),
        ("mu: [true*.b]<true*.a>true", "no run goes along `true*.b`"),
        ("mu: [true*](val(p == 7) => <true>true)", "`val(p == 7)` never comes true"),
    ],
)
def test_vacuous_claims_say_which_part(text: str, part: str) -> None:
    model = built([(0, "a", 1), (1, "a", 0), (2, "b", 2)], 3, values=[0, 1, 2])
    answer = decide(read_claim(text), model)
    assert answer.verdict is Verdict.VACUOUS
    assert part in answer.explanation


@pytest.mark.parametrize(
    "text",
    [
        "ctl: AG([p == 0] => AF [p == 1])",
        "ctl: AG(a => AF a)",
        "ctl: AG([p == 7] => false)",
        "ctl: AG([p == 0] => ([p == 1] => EF [p == 2]))",
        "mu: [true*.b]false",
        "mu: [true*.a]<true>true",
        "mu: nu X. [b]X && <true>true",
    ],
)
def test_claims_that_say_something_are_not_vacuous(text: str) -> None:
    model = built([(0, "a", 1), (1, "a", 0), (2, "b", 2)], 3, values=[0, 1, 2])
    assert decide(read_claim(text), model).verdict is Verdict.HOLDS


def built_in(claim: BuiltIn) -> Claim:
    return Claim(claim.value, Language.BUILT_IN, claim)


def test_errors() -> None:
    rows = [(0, "a", 1), (1, "a", 2), (1, "error(overflow)", 3), (2, "error(division)", 3), (3, "tau", 3)]
    answer = decide(built_in(BuiltIn.NO_ERROR), built(rows, 4))
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Path)
    assert [step.action for step in answer.evidence.steps] == ["a", "error(overflow)"]
    assert "2 kinds of error" in answer.explanation
    other = decide(built_in(BuiltIn.NO_ERROR), built([*rows, (0, "b", 2)], 4), avoiding=frozenset({0, 1}))
    assert isinstance(other.evidence, Path)
    assert [step.action for step in other.evidence.steps] == ["b", "error(division)"]
    unreached = built([(0, "a", 0), (1, "error(overflow)", 1)], 2)
    assert decide(built_in(BuiltIn.NO_ERROR), unreached).verdict is Verdict.HOLDS


def test_deadlocks() -> None:
    model = built([(0, "a", 1), (0, "b", 2), (2, "b", 3)], 4, ends=[1])
    answer = decide(built_in(BuiltIn.NO_DEADLOCK), model)
    assert answer.verdict is Verdict.VIOLATED
    assert answer.evidence is not None
    assert isinstance(answer.evidence, Path)
    assert [step.action for step in answer.evidence.steps] == ["b", "b"]
    assert answer.evidence.ends
    assert problem_of(answer.evidence, model) == ""
    assert decide(built_in(BuiltIn.NO_DEADLOCK), built([(0, "a", 1)], 2, ends=[1])).verdict is Verdict.HOLDS


def test_an_initial_deadlock() -> None:
    answer = decide(built_in(BuiltIn.NO_DEADLOCK), built([], 1))
    assert answer.verdict is Verdict.VIOLATED
    assert answer.evidence == Path(0, (), None, ends=True)


def test_livelocks() -> None:
    model = built([(0, "a", 1), (1, "tau", 2), (2, "tau", 3), (3, "tau", 2), (3, "b", 0)], 4)
    answer = decide(built_in(BuiltIn.NO_LIVELOCK), model)
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Path)
    assert [step.action for step in answer.evidence.steps] == ["a", "tau", "tau", "tau"]
    assert answer.evidence.loop_start == 2
    assert problem_of(answer.evidence, model) == ""
    assert decide(built_in(BuiltIn.NO_LIVELOCK), built([(0, "tau", 1), (1, "a", 0)], 2)).verdict is Verdict.HOLDS


def test_unreachable_states() -> None:
    answer = decide(built_in(BuiltIn.NO_UNREACHABLE), built([(0, "a", 1), (2, "a", 1)], 4))
    assert answer.verdict is Verdict.VIOLATED
    assert "2 states cannot be reached: 2, 3." in answer.explanation
    assert answer.evidence == Support(2, ())
    assert decide(built_in(BuiltIn.NO_UNREACHABLE), built([(0, "a", 1)], 2)).verdict is Verdict.HOLDS


def test_the_smallest_model() -> None:
    model = built([], 1)
    for text, expected in (
        ("ctl: AG true", "holds"),
        ("ctl: EF false", "violated"),
        ("ctl: AX true", "holds"),
        ("mu: [true*]<true>true", "violated"),
        ("no-error", "holds"),
        ("no-livelock", "holds"),
        ("no-deadlock", "violated"),
    ):
        assert verdict(text, model)[0] == expected, text


def test_fairness_is_for_claims_about_runs() -> None:
    model = built([(0, "a", 0)], 1)
    claim = read_claim("mu: <a>true")
    with pytest.raises(InputError, match="only LTL, CTL and English speak of runs"):
        decide(replace(claim, fairness=(Fairness("a", strong=False),)), model)
    fair = decide(replace(read_claim("ltl: G a"), fairness=(Fairness("a", strong=False),)), model)
    assert fair.verdict is Verdict.HOLDS


def test_some_run_of_an_abstraction_may_not_be_one_of_the_code() -> None:
    model = abstraction([(0, "go", 1), (0, "stay", 0)], ["0", "[4..6]"])
    assert verdict("ctl: EF [x >= 4]", model) == ("inconclusive", "abstraction")
    assert verdict("ctl: EX [x >= 0]", model) == ("inconclusive", "abstraction")


def stuttered(chance: random.Random, model: Model) -> Model:
    """Silent steps that change nothing, before some of the states."""
    rows = list(zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True))
    values = model.propositions[0].values.tolist()
    named: Rows = []
    for s, a, t in rows:
        if chance.random() < 0.5:
            values.append(values[t])
            named.append((s, model.labels[a], len(values) - 1))
            named.append((len(values) - 1, "tau", t))
        else:
            named.append((s, model.labels[a], t))
    return built(named, len(values), values=values)


def invariant(formula: Formula) -> bool:
    return is_stutter_invariant(formula, lambda pattern, label: matcher(pattern)(label))


def test_invariant_formulas_do_not_see_silent_steps() -> None:
    chance = random.Random(1)
    found = 0
    for _ in range(3500):
        formula = random_ctl(chance, chance.randint(1, 4))
        if not invariant(formula):
            continue
        found += 1
        model = random_model(chance, chance.randint(1, 5))
        more = stuttered(chance, model)
        assert (model.initial in holds_in(formula, model)) == (more.initial in holds_in(formula, more)), formula
    assert found > 300


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AG(call => AF ret)", True),
        ("A[!open U go]", True),
        ("A[[x > 3] U ([x > 3] & go)]", True),
        ("A[[x > 3] W (go & [x > 2])]", False),
        ("A[AF p U (AF p & go)]", False),
        ("A[[x == 1] U go]", False),
        ("AG call", False),
        ("AX call", False),
        ("AF<=3 call", False),
        ("EF(call & EG [x == 1])", True),
        ("AG(AF [x == 1])", True),
        ("AG(call & AF ret)", False),
    ],
)
def test_which_formulas_are_invariant(text: str, expected: bool) -> None:
    claim = read_claim(f"ctl: {text}")
    assert isinstance(claim.content, Formula)
    assert invariant(claim.content) is expected


def test_unknown_words_are_refused() -> None:
    model = built([(0, "increment", 0)], 1, values=[0])
    for text in ("ctl: AG [q == 0]", "ctl: AG incrment", "mu: <incrment>true"):
        with pytest.raises(InputError, match="the model has no"):
            refuse_unknown_words([read_claim(text)], model)


@pytest.mark.parametrize(("label", "is_known"), [("f(5)", True), ("f([4..6])", True), ("f(7)", False), ("f", False)])
def test_a_label_may_be_one_of_those_that_an_abstract_one_stands_for(label: str, is_known: bool) -> None:
    claim = read_claim(f'mu: [true*."{label}"]false')
    model = replace(built([(0, "f([4..6])", 0), (0, "g(1)", 0)], 1), origin=Origin(relation=Relation.OVER))
    if is_known:
        assert refuse_unknown_words([claim], model) == [()]
        assert decide(claim, model).verdict is Verdict.INCONCLUSIVE
    else:
        with pytest.raises(InputError, match="the model has no label"):
            refuse_unknown_words([claim], model)


@pytest.mark.parametrize("subject", ["program", "part.program"])
def test_errors_that_were_left_out_are_not_known_to_be_absent(subject: str) -> None:
    left_out = Assumption(Topic.LEFT_OUT, subject, "runs into undefined behaviour are left out")
    model = replace(built([(0, "a", 0)], 1), origin=Origin(assumptions=(left_out,)))
    answer = decide(built_in(BuiltIn.NO_ERROR), model)
    assert (answer.verdict, answer.reason) == (Verdict.INCONCLUSIVE, Reason.PARTIAL)
    assert "--ub error" in answer.explanation


def test_a_name_means_none_of_several_actions_at_once() -> None:
    assert matcher("a")("a(1)")
    assert not any(matcher(name)("a(1)|b(2)") for name in ("a", "b"))


def test_an_error_at_once_with_something_else_is_one() -> None:
    model = built([(0, "a|error(bounds)", 1)], 2, ends=[1])
    assert decide(built_in(BuiltIn.NO_ERROR), model).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("label", "event"),
    [
        ("call(f, &a|&b)", "call(f, &a=5)"),
        ("call(f, {.x=1, .y=2..3})", "call(f, {.x=1, .y=2})"),
        ('call(f, "a, b", top)', 'call(f, "a, b", 3)'),
    ],
)
def test_an_event_may_be_meant_by_a_label_that_stands_for_several(label: str, event: str) -> None:
    model = replace(built([(0, label, 1)], 2), origin=Origin(relation=Relation.OVER))
    meant = labels_meant(event, model)
    assert not meant.must.any()
    assert meant.may.all()
    assert not labels_meant(event.replace("f", "g"), model).may.any()
