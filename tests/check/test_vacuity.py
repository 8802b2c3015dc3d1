"""What is called vacuous: the left side of an implication that never comes true, as its meaning alone says."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest

from stateglass.answers.checking import check_claims
from stateglass.check.branching import decide_ctl
from stateglass.check.deciding import decide
from stateglass.check.duties import short
from stateglass.check.ltl import decide_ltl
from stateglass.check.modal import decide_mu
from stateglass.evidence import Path, Verdict
from stateglass.logic import modal as m
from stateglass.logic import temporal as t
from stateglass.logic.mcrl2 import in_mcrl2, path_text
from stateglass.logic.notation import formula_text
from stateglass.logic.reading import read_claim
from stateglass.model import Model, Origin, Relation
from tests.check import branching, test_ctl, test_fair_ctl, test_modal
from tests.check.ltl import worlds
from tests.relate.random_models import built

CYCLE = built([(0, "a", 1), (1, "b", 2), (2, "tau", 0), (3, "c", 3)], 4)


@pytest.mark.parametrize(
    "text",
    [
        "G F (a => F b)",
        "F(a => F b)",
        "G(b => F a) | G(a => F a)",
        "b => F b",
        "(c => F b) | G(a => F a)",
        "F(c => F b)",
        "true U (c => F b)",
        "(c => F b) => F a",
        "!G !(c => F b)",
        "ctl: AG EF(a => b)",
        "ctl: EF(a => AX b)",
        "ctl: AG EF(c => b)",
        "ctl: AF(c => b)",
        "ctl: EG(c => b)",
        "mu: <true*>[a]<b>true",
        "mu: [true*]<true*>[a]<b>true",
        "mu: [true*]<true*>[c]<b>true",
        "mu: [c]<b>true || [a]<b>true",
        "mu: [b]<true>true",
    ],
)
def test_what_could_come_true_or_need_not_is_not_vacuous(text: str) -> None:
    assert decide(read_claim(text), CYCLE).verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    "text",
    [
        "c => F b",
        "G(c => F b)",
        "G(a => G(c => F b))",
        "G F a & X G(c => F b)",
        "!F !(c => F b)",
        "G(F c => F b)",
        "G((b & X b) => F a)",
        "ctl: AG(c => AF b)",
        "ctl: AG AX(c => AF b)",
        "ctl: !EF !(c => AF b)",
        "ctl: AG(a => AG(c => AF b))",
        "ctl: AG(EF c => AF b)",
        "mu: [true*.c]<true>true",
        "mu: [true*.a.a]<true>true",
        "mu: [true*](<c>true => <b>true)",
        "mu: nu X. [true]X && [c]<b>true",
    ],
)
def test_what_never_comes_true_is_vacuous(text: str) -> None:
    assert decide(read_claim(text), CYCLE).verdict is Verdict.VACUOUS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("G(c => F b)", "The claim holds only because `c` never comes true."),
        ("G F a & G(c => F b)", "The claim holds, but a part of it only because `c` never comes true."),
        ("G(a => G(c => F b))", "The claim holds, but a part of it only because `c` never comes true."),
        ("ctl: AG(c => AF b)", "The claim holds only because `c` never comes true."),
        ("ctl: AG EF a & AG(c => AF b)", "The claim holds, but a part of it only because `c` never comes true."),
        ("mu: [true*.c]<true>true", "The claim holds only because no run goes along `true*.c`."),
        (
            "mu: <a>true && [true*.c]<b>true",
            "The claim holds, but a part of it only because no run goes along `true*.c`.",
        ),
    ],
)
def test_what_is_vacuous_is_said_of_the_part_that_it_is(text: str, words: str) -> None:
    assert decide(read_claim(text), CYCLE).explanation == words


@pytest.mark.parametrize("seed", range(3))
def test_nothing_in_place_of_what_is_vacuous_changes_the_verdict(seed: int) -> None:
    """Beer, Ben-David, Eisner, Rodeh (Efficient detection of vacuity, 2001): the part does not affect the formula."""
    chance = random.Random(seed)
    found = {Verdict.VACUOUS: 0, Verdict.HOLDS: 0}
    for _ in range(250):
        model = worlds.random_model(chance)
        fairness = worlds.random_fairness(chance) if chance.random() < 0.5 else ()
        left, right = worlds.random_formula(chance, chance.randint(0, 2)), worlds.random_formula(chance, 1)
        implication = t.Implies(left, right)
        alone = chance.random() < 0.6
        formula: t.Formula = t.Always(implication)
        if not alone:
            other = t.Implies(worlds.random_formula(chance, 1), t.TRUE)
            around: list[t.Formula] = [t.And(formula, other), t.Next(formula), t.Release(t.FALSE, implication)]
            formula = chance.choice(around)
        answer = decide_ltl(formula, fairness, model, title="v")
        if answer.verdict is Verdict.VACUOUS and _is_named(formula_text(left), answer):
            found[Verdict.VACUOUS] += 1
            for instead in (t.FALSE, t.TRUE, worlds.random_formula(chance, 2)):
                again = decide_ltl(_replaced(formula, right, instead), fairness, model, title="v").verdict
                assert again in (Verdict.HOLDS, Verdict.VACUOUS)
        elif answer.verdict is Verdict.HOLDS and alone and right != t.FALSE:
            found[Verdict.HOLDS] += 1
            strongest = decide_ltl(_replaced(formula, right, t.FALSE), fairness, model, title="v").verdict
            assert strongest is Verdict.VIOLATED
    assert min(found.values()) > 15


@pytest.mark.parametrize("seed", range(2))
def test_nothing_in_place_of_what_is_vacuous_on_branching_runs(seed: int) -> None:
    chance = random.Random(seed)
    found = {Verdict.VACUOUS: 0, Verdict.HOLDS: 0}
    for _ in range(300):
        model = worlds.random_model(chance, fewest=1)
        fairness = worlds.random_fairness(chance) if chance.random() < 0.5 else ()
        left, right = test_fair_ctl.random_ctl(chance, 1), test_fair_ctl.random_ctl(chance, 1)
        formula = t.Quantified(True, t.Always(t.Implies(left, right)))
        verdict = decide_ctl(formula, model, title="v", fairness=fairness).verdict
        if verdict not in found:
            continue
        found[verdict] += 1
        strongest = decide_ctl(_replaced(formula, right, t.FALSE), model, title="v", fairness=fairness).verdict
        assert strongest is (Verdict.VIOLATED if verdict is Verdict.HOLDS else Verdict.HOLDS)
    assert min(found.values()) > 15


def _replaced(formula: t.Formula, part: t.Formula, instead: t.Formula) -> t.Formula:
    """The same with something else in place of a part, wherever that stands."""
    if formula is part:
        return instead
    changed = {
        field.name: _replaced(value, part, instead)
        for field in fields(formula)
        if isinstance(value := getattr(formula, field.name), t.Formula)
    }
    return replace(formula, **changed) if changed else formula  # type: ignore[arg-type]


def test_what_quantifiers_speak_of_beside_an_event() -> None:
    """`AX [p == 1]` is false in state 0, but true of its step `a`, where the implication speaks of steps."""
    model = built([(0, "a", 1), (0, "tau", 2), (1, "b", 2), (2, "tau", 2)], 3, values=[0, 1, 0])
    assert decide(read_claim("ctl: AX [p == 1] => (a | tau)"), model).verdict is Verdict.HOLDS
    assert decide(read_claim("ctl: (AX [p == 1] => EF [p == 1]) & (a | tau)"), model).verdict is Verdict.HOLDS
    assert decide(read_claim("ctl: AX [p == 1] => EF [p == 1]"), model).verdict is Verdict.VACUOUS


@pytest.mark.parametrize("text", ["G(!a => true)", "ctl: AG(!a => true)"])
def test_code_may_have_silent_steps_that_its_abstraction_lacks(text: str) -> None:
    exact = built([(0, "a", 0)], 1)
    assert decide(read_claim(text), exact).verdict is Verdict.VACUOUS
    abstract = replace(exact, origin=Origin(relation=Relation.OVER))
    assert decide(read_claim(text), abstract).verdict is Verdict.HOLDS


@pytest.mark.parametrize("text", ["G(c => true)", "ctl: AG(c => true)"])
def test_what_is_not_explored_may_come_true(text: str) -> None:
    model = built([(0, "a", 1), (2, "c", 2)], 3, unexplored=[1])
    assert decide(read_claim(text), model).verdict is Verdict.HOLDS


def test_the_next_run_of_a_recorded_test_is_another() -> None:
    model = built([(0, "a", 1), (0, "b", 2), (2, "b", 2), (1, "b", 1)], 3, values=[0, 7, 7])
    claim = read_claim("test: when [p == 7]: a")
    ends = []
    for later in (0, 1):
        evidence = check_claims(model, [claim], later=later).checked[0].answer.evidence
        assert isinstance(evidence, Path)
        ends.append(evidence.steps[-1].target)
    assert sorted(ends) == [1, 2]


@pytest.mark.parametrize("seed", range(4))
def test_linear_formulas(seed: int) -> None:
    chance = random.Random(seed)
    vacuous = 0
    for _ in range(300):
        model = worlds.random_model(chance)
        formula = worlds.random_formula(chance, chance.randint(1, 4))
        if chance.random() < 0.5:
            formula = t.Always(t.Implies(formula, worlds.random_formula(chance, 1)))
        answer = decide_ltl(formula, (), model, title="v")
        if answer.verdict is not Verdict.VACUOUS:
            continue
        vacuous += 1
        left = next(part.left for part in _implications(formula) if _is_named(formula_text(part.left), answer))
        assert worlds.is_violated(t.Always(t.Not(left)), model, most=5) is not True
        for lasso in worlds.lassos(model, 4):
            assert not any(worlds.holds_at(left, lasso, model, at) for at in range(len(lasso.steps) + 1))
    assert vacuous > 20


def test_branching_formulas() -> None:
    chance = random.Random(5)
    vacuous = 0
    for _ in range(1500):
        model = test_ctl.random_model(chance, chance.randint(1, 5))
        names = [(9, label, 9) for label in ("a1", "b(2)", "tau")]
        rows = [(s, str(e), u) for s, e, u in branching.positions_of(model) if e is not None]
        values = [int(model.valuation(s)["p"]) for s in range(model.states)]
        model = built([*rows, *names], 10, values=values + [0] * (10 - len(values)))
        formula = branching.random_ctl(chance, chance.randint(1, 4))
        if chance.random() < 0.5:
            formula = t.Quantified(True, t.Always(t.Implies(formula, branching.random_ctl(chance, 1))))
        answer = decide_ctl(formula, model, title="v")
        if answer.verdict is not Verdict.VACUOUS:
            continue
        vacuous += 1
        there = _reached(model)
        named = [i for i in _in_combinations(formula) if _is_named(formula_text(i[0].left), answer)]
        meaning = branching._Meaning(model)
        assert any(all(p[0] not in there for p in meaning.of(i.left, fixed=fixed)) for i, fixed in named)
    assert vacuous > 50


def test_modal_formulas() -> None:
    chance = random.Random(6)
    vacuous = 0
    for _ in range(1500):
        model = test_ctl.random_model(chance, chance.randint(1, 5))
        formula = test_modal.random_formula(chance, chance.randint(1, 4))
        answer = decide_mu(formula, model, title="v")
        if answer.verdict is not Verdict.VACUOUS:
            continue
        vacuous += 1
        ways = [part.path for part in _necessities(formula) if f"`{short(path_text(part.path))}`" in answer.explanation]
        assert ways, in_mcrl2(formula)
        assert not test_modal.holds(m.Possible(ways[0], m.TRUE), model) & _reached(model)
    assert vacuous > 50


def _is_named(text: str, answer: object) -> bool:
    return f"because `{short(text)}` never" in str(answer)


def _implications(formula: t.Formula) -> list[t.Implies]:
    inner = [found for part in t.parts(formula) for found in _implications(part)]
    return [formula, *inner] if isinstance(formula, t.Implies) else inner


def _in_combinations(formula: t.Formula, fixed: bool | None = None) -> list[tuple[t.Implies, bool]]:
    """The implications, and whether each stands beside an event."""
    if fixed is None:
        fixed = branching.mentions_event(formula)
    found = [(formula, fixed)] if isinstance(formula, t.Implies) else []
    if isinstance(formula, t.Quantified):
        operands = t.parts(formula.path) if isinstance(formula.path, branching.TEMPORAL) else (formula.path,)
        return found + [one for part in operands for one in _in_combinations(part)]
    return found + [one for part in t.parts(formula) for one in _in_combinations(part, fixed)]


def _necessities(formula: m.Formula) -> list[m.Necessary]:
    inner = [found for part in m.parts(formula) for found in _necessities(part)]
    return [formula, *inner] if isinstance(formula, m.Necessary) else inner


def _reached(model: Model) -> set[int]:
    there = {model.initial}
    for _ in range(model.states):
        there |= {p[2] for p in branching.positions_of(model) if p[0] in there}
    return there
