"""Abstract states: exactly the steps that values allow, whatever was known before questions were added."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from stateglass.explore.stretches import Flow, Phase
from stateglass.smt import Operator, Term, evaluated
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.predicates import Predicates, Split, State, whether, which_value
from stateglass.unbounded.time import Deadline
from tests.unbounded.flows import flow_in, system_of

COUNTING = """
unsigned char input(void);
void main(void) {
    unsigned char a = 0, b = 0;
    while (b != 200) {
        unsigned char c = input();
        if (c & 1) a = a + 3;
        else if (a > b) { b = b + a; a = c; }
        else b = b ^ c;
    }
    __builtin_trap();
}
"""


def _slots(flow: Flow, rest: int) -> dict[str, Term]:
    return {slot.name.split(":")[-1]: slot.term for slot in flow.rests[rest].slots}


def _loop(flow: Flow) -> int:
    return flow.of_phase(Phase.LOOP)[0].number


def _states(predicates: Predicates, rest: int) -> list[State]:
    """All states of a rest, in their order."""
    found: list[State] = []
    stack: list[tuple[Split | None, tuple[int, ...]]] = [(predicates.trees[rest], ())]
    while stack:
        tree, valuation = stack.pop()
        if tree is None:
            found.append(State(rest, valuation))
        else:
            stack += [(below, (*valuation, answer)) for answer, below in enumerate(tree.below)]
    return sorted(found)


def _expected(flow: Flow, predicates: Predicates, loop: int) -> set[tuple[State, State]]:
    """The steps of the loop, by trying all values."""
    (stretch,) = [s for s in flow.leaving[loop] if s.target == loop]
    a, b = _slots(flow, loop)["a"], _slots(flow, loop)["b"]
    (c,) = [chosen.term for chosen in stretch.chosen]
    whole = _states(predicates, loop)
    conditions = [predicates.condition(state) for state in whole]

    def state_of(values: dict[Term, int]) -> State:
        (at,) = [n for n, true in enumerate(evaluated(conditions, values)) if true]
        return whole[at]

    found = set()
    some = [0, 1, 2, 3, 5, 8, 100, 197, 199, 200, 201, 253, 254, 255]
    for x, y, z in product(some, some, some):
        values = {a: x, b: y, c: z}
        guard, *after = evaluated([stretch.guard, *stretch.after], values)
        if guard:
            order = [slot.term for slot in flow.rests[loop].slots]
            found.add((state_of(values), state_of(dict(zip(order, after, strict=True)))))
    return found


def _steps(abstraction: Abstraction, loop: int) -> set[tuple[State, State]]:
    return {
        (state, step.target)
        for state in _states(abstraction.predicates, loop)
        for step in abstraction.successors(state)
        if step.target.rest == loop
    }


def test_what_is_asked_everywhere_does_not_double_anything(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    loop, terms = _loop(flow), flow.terms
    a, b = _slots(flow, loop)["a"], _slots(flow, loop)["b"]
    predicates = Predicates.none(flow).with_more(loop, which_value(terms, b, [0, 200]))
    several = [terms.equal(a, terms.constant(n, a.width)) for n in range(60)]
    for predicate in several:
        predicates = predicates.with_more(loop, predicate, (1,))
    assert predicates.asked(loop)[-60:] == several
    assert predicates.places_with(loop, whether(terms, several[59])) == {(1,)}
    assert set(predicates.bare(loop)) == {State(loop, (0,)), State(loop, (2,))}


def test_what_is_asked_where_a_slot_has_some_value(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    loop, terms = _loop(flow), flow.terms
    a, b = _slots(flow, loop)["a"], _slots(flow, loop)["b"]
    value = which_value(terms, b, [0, 200])
    first, second = (terms.equal(a, terms.constant(n, a.width)) for n in (3, 5))
    for answer in range(3):
        base = Predicates.none(flow).with_more(loop, first).with_more(loop, value, (1,))
        expected = base.with_more(loop, second, (1, answer))
        for below in ((), (1,), (1, answer)):
            assert base.with_more_for(loop, second, below, value, answer) == expected
        for below in ((0,), (1, (answer + 1) % 3)):
            assert base.with_more_for(loop, second, below, value, answer) is base


def test_steps_are_those_that_values_allow(tmp_path: Path) -> None:
    """Also when a question is added to some states only, and those of a slot's values are asked as one."""
    flow = flow_in(system_of(tmp_path, COUNTING))
    loop, terms = _loop(flow), flow.terms
    a, b = _slots(flow, loop)["a"], _slots(flow, loop)["b"]
    predicates = Predicates.none(flow).with_more(loop, which_value(terms, b, [0, 200]))
    abstraction = Abstraction(flow, predicates, Deadline(60))
    assert _steps(abstraction, loop) >= _expected(flow, predicates, loop)
    predicates = predicates.with_more(loop, terms.compare(Operator.LESS, b, a), (0,))
    predicates = predicates.with_more(loop, terms.equal(a, terms.constant(0, 8)))
    predicates = predicates.with_more(loop, terms.compare(Operator.LESS, terms.constant(253, 8), a), (2,))
    abstraction.refine(predicates)
    refined = _steps(abstraction, loop)
    assert refined == _steps(Abstraction(flow, predicates, Deadline(60)), loop)
    assert refined >= _expected(flow, predicates, loop)
    # b is 0, a is not more, which is 0 then: an odd input leads to a = 3, an even one to another b or nowhere.
    still = State(loop, (0, 0, 1))
    assert predicates.literals(still)[0] is terms.equal(b, terms.constant(0, 8))
    targets = {target for source, target in refined if source == still}
    assert State(loop, (0, 1, 0)) in targets
    assert not any(target.valuation[:2] == (0, 0) and target != still for target in targets)


def test_only_what_changed_is_asked_again(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    loop, terms = _loop(flow), flow.terms
    b = _slots(flow, loop)["b"]
    predicates = Predicates.none(flow).with_more(loop, which_value(terms, b, range(16)))
    abstraction = Abstraction(flow, predicates, Deadline(60))
    first = _steps(abstraction, loop)
    asked = abstraction.questions
    assert _steps(abstraction, loop) == first
    assert abstraction.questions == asked
    abstraction.refine(predicates.with_more(loop, terms.equal(_slots(flow, loop)["a"], b), (3,)))
    _steps(abstraction, loop)
    assert abstraction.questions < 2 * asked


def test_a_predicate_and_its_opposite_are_one_question(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTING))
    loop, terms = _loop(flow), flow.terms
    less = terms.compare(Operator.LESS, _slots(flow, loop)["a"], _slots(flow, loop)["b"])
    assert whether(terms, less) == whether(terms, terms.negation(less))
    once = Predicates.none(flow).with_more(loop, less)
    assert once.with_more(loop, terms.negation(less)) is once
    assert [once.holds(State(loop, (n,)), less) for n in (0, 1)] == [False, True]
    assert once.holds(State(loop, (0,)), terms.true) is None
    assert len(once) == 1
