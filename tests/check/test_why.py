"""Runs and graphs that show why: each is a run of the model, shortest where it can be, and shows what it should."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from stateglass.check.ctl import Evaluation
from stateglass.check.deciding import decide
from stateglass.check.why import Why
from stateglass.evidence import Graph, Path, Support, Verdict, problem_of
from stateglass.logic.claims import Claim, Language
from stateglass.logic.reading import read_claim
from stateglass.logic.temporal import (
    Always,
    Eventually,
    Formula,
    Happens,
    Implies,
    Next,
    Quantified,
    Release,
    Until,
    WeakUntil,
    parts,
)
from stateglass.model import Model
from tests.check.branching import Position, holds_at, holds_in, mentions_event, positions_of, random_ctl
from tests.check.test_ctl import random_model
from tests.relate.random_models import built


def claim_of(formula: Formula) -> Claim:
    return Claim("the claim", Language.CTL, formula)


def plain(chance: random.Random) -> Formula:
    """Without quantifiers."""
    while True:
        formula = random_ctl(chance, chance.randrange(3))
        work, found = [formula], False
        while work:
            node = work.pop()
            found |= isinstance(node, Quantified)
            work += parts(node)
        if not found:
            return formula


class OnRun:
    """Path formulas on the positions of one run, by their definition."""

    def __init__(self, path: Path, model: Model) -> None:
        self.positions: list[Position] = [(s.source, s.action, s.target) for s in path.steps]
        last = path.steps[-1].target if path.steps else path.start
        self.loop = path.loop_start
        if path.loop_start is None and path.ends:
            self.loop = len(self.positions)
            self.positions.append((last, None, last))
        self.last = None if self.loop is not None else last
        self.model = model

    def holds(self, formula: Formula) -> list[bool]:
        """At each position of the run; what a run that just stops ends with is a state, about which events say
        nothing."""
        there = holds_at(formula, self.model)
        found = [p in there for p in self.positions]
        if self.last is not None:
            mine = [p in there for p in positions_of(self.model) if p[0] == self.last]
            found.append(False if mentions_event(formula) else mine[0])
        return found


def shows(path: Path, formula: Quantified, holds: bool, model: Model) -> bool:
    """Whether a run shows that some run satisfies a path formula (or not all do)."""
    run = OnRun(path, model)
    for_ever = run.loop is not None

    def until(left: list[bool], right: list[bool], within: int | None) -> bool:
        for at, there in enumerate(right):
            if within is not None and at > within:
                return False
            if there:
                return True
            if not left[at]:
                return False
        return False

    def always(where: list[bool], within: int | None) -> bool:
        if within is not None and len(where) > within:
            return all(where[: within + 1])
        return for_ever and all(where)

    operator = formula.path
    match operator:
        case Next():
            assert len(path.steps) >= 1 or path.ends
            where = run.holds(operator.inner)
            after = where[1] if len(where) > 1 else where[run.loop or 0]
            return after is holds
        case Eventually():
            where = run.holds(operator.inner)
            if holds:
                return until([True] * len(where), where, operator.within)
            return always([not w for w in where], operator.within)
        case Always():
            where = run.holds(operator.inner)
            if holds:
                return always(where, operator.within)
            return until([True] * len(where), [not w for w in where], operator.within)
        case Until() | WeakUntil() | Release():
            left, right = run.holds(operator.left), run.holds(operator.right)
            within = operator.within if isinstance(operator, Until) else None
            if isinstance(operator, Release):
                left, right = right, [a and b for a, b in zip(left, right, strict=True)]
            if holds:
                strong = until(left, right, within)
                return strong or (not isinstance(operator, Until) and always(left, None))
            no_left, no_right = [not w for w in left], [not w for w in right]
            if isinstance(operator, Release):
                no_left, no_right = (
                    [not w for w in run.holds(operator.right)],
                    [not w for w in run.holds(operator.left)],
                )
                return until(no_right, no_left, None)
            both = [a and b for a, b in zip(no_left, no_right, strict=True)]
            weak = until(no_right, both, within)
            return weak or (isinstance(operator, Until) and always(no_right, within))
        case _:
            raise AssertionError(operator)


@pytest.mark.parametrize("seed", range(4))
def test_runs_show_what_they_should(seed: int) -> None:
    chance = random.Random(seed)
    shown = 0
    for _ in range(250):
        model = random_model(chance, chance.randint(1, 6))
        left, right = plain(chance), plain(chance)
        within = chance.choice([None, None, 0, 1, 3])
        operators: list[Formula] = [Next(left), Eventually(left, within), Always(left, within)]
        operators += [Until(left, right, within), WeakUntil(left, right), Release(left, right)]
        formula = Quantified(chance.random() < 0.5, chance.choice(operators))
        holds = model.initial in holds_in(formula, model)
        if formula.on_all is holds:
            continue  # all runs are needed to show it
        answer = Why(Evaluation(formula, model), sure=True).story(holds).evidence
        assert isinstance(answer, Path), formula
        assert problem_of(answer, model) == ""
        assert shows(answer, formula, holds, model), (formula, answer)
        shown += 1
    assert shown > 60


@pytest.mark.parametrize("seed", range(3))
def test_after_an_event_a_run_goes_on_with_it(seed: int) -> None:
    """The run to where a response is missing shows, from the event on, that it is."""
    chance = random.Random(seed)
    shown = 0
    for _ in range(400):
        model = random_model(chance, chance.randint(2, 6))
        left, right = plain(chance), plain(chance)
        operators: list[Formula] = [
            Next(left),
            Eventually(left),
            Always(left),
            Until(left, right),
            Release(left, right),
        ]
        response = Quantified(True, chance.choice(operators))
        formula = Quantified(True, Always(Implies(Happens("a*"), response)))
        if model.initial in holds_in(formula, model):
            continue
        path = Why(Evaluation(formula, model), sure=True).story(False).evidence
        assert isinstance(path, Path)
        assert problem_of(path, model) == ""
        rests = []
        for at, step in enumerate(path.steps):
            if step.action.startswith("a") and (path.loop_start is None or at <= path.loop_start):
                loop = None if path.loop_start is None else path.loop_start - at
                rests.append(replace(path, start=step.source, steps=path.steps[at:], loop_start=loop))
        assert any(shows(rest, response, False, model) for rest in rests), (formula, path)
        shown += 1
    assert shown > 60


def test_runs_to_a_goal_are_shortest() -> None:
    chance = random.Random(7)
    for _ in range(200):
        model = random_model(chance, chance.randint(2, 7))
        goal = plain(chance)
        if mentions_event(goal):
            continue
        formula = Quantified(True, Always(goal))
        answer = decide(claim_of(formula), model)
        if answer.verdict is not Verdict.VIOLATED:
            continue
        bad = {s for s in range(model.states) if s not in holds_in(goal, model)}
        layer, distance = {model.initial}, 0
        while not layer & bad:
            layer, distance = {t for s, _, t in positions_of(model) if s in layer}, distance + 1
        assert isinstance(answer.evidence, Path)
        assert len(answer.evidence.steps) == distance


@pytest.mark.parametrize("seed", range(3))
def test_evidence_of_any_formula_consists_of_steps_of_the_model(seed: int) -> None:
    chance = random.Random(seed)
    kinds = set()
    for _ in range(250):
        model = random_model(chance, chance.randint(1, 6))
        formula = random_ctl(chance, chance.randint(1, 4))
        evaluation = Evaluation(formula, model)
        holds = evaluation.at_start()
        assert holds is not None
        evidence = Why(evaluation, sure=True).story(holds).evidence
        kinds.add(type(evidence))
        rows = {(s, label, t) for s, label, t in positions_of(model) if label is not None}
        match evidence:
            case Path():
                assert problem_of(evidence, model) == ""
            case Graph():
                assert evidence.nodes[0].state == model.initial
                for node in evidence.nodes:
                    for step, to in node.steps:
                        assert step.source == node.state
                        assert step.target == evidence.nodes[to].state
                        assert not step.action or (step.source, step.action, step.target) in rows
                        assert step.action or step.source == step.target
                reached = {0}
                for _ in evidence.nodes:
                    reached |= {to for n in reached for _, to in evidence.nodes[n].steps}
                assert len(reached) == len(evidence.nodes)
            case None:
                pass
    assert kinds >= {Path, Graph}


def steps(answer_evidence: object) -> list[str]:
    assert isinstance(answer_evidence, Path)
    return [step.action for step in answer_evidence.steps]


def test_a_response_that_fails_is_one_run() -> None:
    rows = [(0, "init", 1), (1, "call", 2), (2, "return", 1), (2, "wait", 3), (3, "wait", 2)]
    answer = decide(read_claim("ctl: AG(call => AF return)"), built(rows, 4))
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Path)
    assert steps(answer.evidence) == ["init", "call", "wait", "wait"]
    assert answer.evidence.loop_start == 2


def test_what_all_runs_show_is_said() -> None:
    rows = [(0, "go", 1), (1, "on", 1)]
    answer = decide(read_claim("ctl: AG EF [p == 0]"), built(rows, 2, values=[0, 1]))
    assert answer.verdict is Verdict.VIOLATED
    assert steps(answer.evidence) == ["go"]
    assert "Where it ends, `EF [p == 0]` does not hold." in answer.explanation


def test_two_runs_at_once_are_a_graph() -> None:
    rows = [(0, "a", 1), (0, "b", 2)]
    answer = decide(read_claim("ctl: EX [p == 1] & EX [p == 2]"), built(rows, 3, values=[0, 1, 2]))
    assert answer.verdict is Verdict.HOLDS
    assert isinstance(answer.evidence, Graph)
    taken = {step.action for node in answer.evidence.nodes for step, _ in node.steps}
    assert taken == {"a", "b", ""}


def test_another_run_avoids_the_states_of_those_before() -> None:
    rows = [(0, "a", 1), (0, "b", 2), (2, "c", 3)]
    model = built(rows, 4, values=[0, 1, 0, 1])
    claim = read_claim("ctl: AG [p == 0]")
    assert steps(decide(claim, model).evidence) == ["a"]
    other = decide(claim, model, avoiding=frozenset({0, 1}))
    assert other.verdict is Verdict.VIOLATED
    assert steps(other.evidence) == ["b", "c"]
    assert decide(claim, model, avoiding=frozenset({0, 1, 3})).evidence is None


def test_what_holds_rests_on_the_states_that_can_be_reached() -> None:
    answer = decide(read_claim("ctl: AG [p < 2]"), built([(0, "a", 1)], 3, values=[0, 1, 2]))
    assert answer.verdict is Verdict.HOLDS
    assert answer.evidence == Support(2, ())


@pytest.mark.parametrize(
    ("text", "actions", "loop"),
    [
        ("mu: [true*.lock]<true*.unlock>true", ["work", "lock"], None),
        ("mu: [true*]<true>true", ["work", "lock"], None),
        ("mu: mu X. [!lock]X", ["idle"], 0),
        ("mu: [true*.work.lock]false", ["work", "lock"], None),
    ],
)
def test_runs_for_modal_formulas(text: str, actions: list[str], loop: int | None) -> None:
    model = built([(0, "idle", 0), (0, "work", 1), (1, "lock", 2), (1, "unlock", 0)], 3)
    answer = decide(read_claim(text), model)
    assert answer.verdict is Verdict.VIOLATED
    assert isinstance(answer.evidence, Path)
    assert problem_of(answer.evidence, model) == ""
    assert steps(answer.evidence) == actions
    assert answer.evidence.loop_start == loop


def test_a_witness_of_a_modal_formula() -> None:
    model = built([(0, "work", 1), (1, "lock", 2)], 3)
    answer = decide(read_claim("mu: <true*.lock>true"), model)
    assert answer.verdict is Verdict.HOLDS
    assert steps(answer.evidence) == ["work", "lock"]


@pytest.mark.parametrize(
    "text",
    [
        # From the state in which `stop` does not happen, `p` is missed along another step.
        "ctl: A[AF<=1 [p == 2] U stop]",
        # Nothing is to be done before the inner formula fails, and then another step is taken.
        "ctl: A[stop W A[AG<=1 stop U [p == 2]]]",
    ],
)
def test_steps_that_part_are_no_run(text: str) -> None:
    model = built([(0, "a", 1), (0, "b", 0), (1, "b", 0), (2, "stop", 2)], 3, values=[0, 1, 2])
    answer = decide(read_claim(text), model)
    assert answer.verdict is Verdict.VIOLATED
    match answer.evidence:
        case Path() as path:
            assert problem_of(path, model) == ""
        case Graph(nodes):
            assert all(step.source == node.state for node in nodes for step, _ in node.steps)
        case other:
            raise AssertionError(other)


def test_a_graph_says_of_each_state_what_is_true_there() -> None:
    rows = [(0, "a", 1), (0, "b", 2), (1, "c", 2), (2, "c", 1)]
    answer = decide(read_claim("ctl: EX [p == 1] & EX [p == 2]"), built(rows, 3, values=[0, 1, 2]))
    assert isinstance(answer.evidence, Graph)
    said = {(node.state, node.formula, node.holds) for node in answer.evidence.nodes if node.state}
    assert said == {(1, "true", True), (2, "true", True)}
