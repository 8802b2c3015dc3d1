"""Graphs that show why a modal formula fails: each node is so, and has every step that has to be heeded."""

from __future__ import annotations

import random

import pytest

from stateglass.answers.checking import check_claims
from stateglass.answers.confirming import confirmed
from stateglass.check import evaluate
from stateglass.check.labels import labels_of
from stateglass.check.modal import decide_mu
from stateglass.evidence import Graph, Node, Path, Verdict
from stateglass.logic.claims import Claim, Language
from stateglass.logic.modal import Formula, Possible
from stateglass.logic.reading import read_claim
from stateglass.logic.steps import AnyStep, Do, Piece, Repeated
from stateglass.model import Model
from stateglass.source import InputError
from stateglass.work import silent
from tests.check import test_modal, test_mu
from tests.relate.random_models import built, random_rows

BRANCHES = built(
    [(0, "a", 1), (0, "a", 2), (0, "b", 3), (1, "c", 4), (2, "d", 5), (3, "a", 0), (4, "tau", 4), (5, "tau", 0)], 6
)


def graph_of(text: str, model: Model = BRANCHES) -> Graph:
    answer = check_claims(model, [read_claim(f"mu: {text}")]).checked[0].answer
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Graph)
    return answer.evidence


def test_each_step_that_could_have_shown_it_leads_to_why_not() -> None:
    graph = graph_of("<a>(<c>true && <d>true)")
    assert [(node.state, node.holds, node.formula) for node in graph.nodes] == [
        (0, False, "<a>(<c>true && <d>true)"),
        (1, False, "<d>true"),
        (2, False, "<c>true"),
    ]
    assert [(step.action, to) for step, to in graph.nodes[0].steps] == [("a", 1), ("a", 2)]


def test_what_is_never_reached_is_a_graph_of_all_that_is() -> None:
    graph = graph_of("<true*.c.d>true")
    assert {node.state for node in graph.nodes} == set(range(6))
    (end,) = [node for node in graph.nodes if node.formula == "<d>true"]
    assert (end.state, end.steps) == (4, ())


def test_one_run_is_a_run() -> None:
    answer = check_claims(BRANCHES, [read_claim("mu: [a]<c>true")]).checked[0].answer
    assert isinstance(answer.evidence, Path)
    assert [step.target for step in answer.evidence.steps] == [2]
    assert "Where it ends, `<c>true` does not hold." in answer.explanation


def test_what_is_too_large_is_said() -> None:
    model = built([(0, "a", s) for s in range(1, 30)] + [(s, "a", s + 30) for s in range(1, 30)], 60)
    answer = check_claims(model, [read_claim("mu: <a.a.a>true")]).checked[0].answer
    assert isinstance(answer.evidence, Graph)
    assert len(answer.evidence.nodes) <= 40
    assert "said, not shown" in answer.explanation


@pytest.mark.parametrize("seed", range(2))
def test_random_graphs(seed: int) -> None:
    chance = random.Random(seed)
    graphs = 0
    for number in range(600):
        draw = test_mu.with_labels if number % 2 else test_modal.random_model
        model = draw(chance, chance.randint(1, 5))
        depth = chance.randint(2, 4)
        formula = test_mu.random_mu(chance, depth, {}) if number % 2 else test_modal.random_formula(chance, depth)
        way: Piece = AnyStep(True) if chance.random() < 0.5 else Repeated((AnyStep(True),))
        answer = decide_mu(Possible((way,), formula), model, title="m")
        # Patterns without arguments cannot be written, so that they would not be read back.
        if not isinstance(answer.evidence, Graph) or "Like" in repr(formula):
            continue
        graphs += 1
        confirmed(Claim("m", Language.MU, formula), answer, model, None, silent)
        for node in answer.evidence.nodes:
            _check_node(node, model, whole="said, not shown" not in answer.explanation)
    assert graphs > 20


def _check_node(node: Node, model: Model, *, whole: bool) -> None:
    try:
        formula = read_claim(f"mu: {node.formula}").content
    except InputError:
        return  # a part of a fixed point, or cut
    assert isinstance(formula, Formula)
    assert bool(evaluate(formula, model).must[node.state]) is node.holds, node
    if isinstance(formula, Possible) and not node.holds and isinstance(formula.path[0], Do | AnyStep) and whole:
        meant = labels_of(formula.path[0], model).must
        steps = range(int(model.first[node.state]), int(model.first[node.state + 1]))
        needed = {(model.labels[model.actions[i]], int(model.targets[i])) for i in steps if meant[model.actions[i]]}
        assert needed <= {(step.action, step.target) for step, _ in node.steps}, node


def test_graphs_of_what_is_known_of_partial_models() -> None:
    chance = random.Random(4)
    graphs = 0
    for _ in range(1500):
        states = chance.randint(1, 5)
        unexplored = [s for s in range(states) if chance.random() < 0.25]
        values = [chance.randrange(3) for _ in range(states)]
        model = built(random_rows(chance, states), states, values=values, unexplored=unexplored)
        formula = Possible((AnyStep(True),), test_modal.random_formula(chance, chance.randint(2, 4)))
        answer = decide_mu(formula, model, title="m")
        if isinstance(answer.evidence, Graph):
            graphs += 1
            for node in answer.evidence.nodes:
                content = read_claim(f"mu: {node.formula}").content
                assert isinstance(content, Formula)
                assert evaluate(content, model).at(node.state) is node.holds
    assert graphs > 20


def test_another_graph_is_not_made_up() -> None:
    answer = check_claims(BRANCHES, [read_claim("mu: <a><b>true")], later=1).checked[0].answer
    assert isinstance(answer.evidence, Graph)
    assert "No other run avoids its states." in answer.explanation
    other = check_claims(BRANCHES, [read_claim("mu: [true*]<a>true")], later=1).checked[0].answer.evidence
    assert isinstance(other, Path)
    assert [step.target for step in other.steps] == [2]
