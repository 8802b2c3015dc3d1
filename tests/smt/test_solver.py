"""One set of facts, for many questions."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from stateglass.smt import Answer, Effort, Operator, Solver, Term, Terms
from stateglass.smt import solver as solver_module
from stateglass.work import OutOfTime


def test_a_solver_that_nobody_uses_is_given_up() -> None:
    terms = Terms()
    solver = Solver(seconds=10)
    assert solver.check([terms.equal(terms.variable("x", 8), terms.constant(3, 8))]) is Answer.YES
    held = ref(solver)
    del solver
    gc.collect()
    assert held() is None


def chosen_by(terms: Terms, index: Term, values: list[Term]) -> Term:
    """One of many values, by its number: a large term."""
    found = terms.constant(0, 32)
    for number, value in enumerate(values):
        found = terms.choose(terms.equal(index, terms.constant(number, 12)), value, found)
    return found


def test_large_terms_are_given_in_pieces_which_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms()
    index, values = terms.variable("index", 12), [terms.variable(f"v{n}", 32) for n in range(40)]
    large = chosen_by(terms, index, values)
    small, seven = terms.compare(Operator.LESS, index, terms.constant(40, 12)), terms.constant(7, 32)
    same = terms.equal(large, seven)
    all_others = [terms.negation(terms.equal(value, seven)) for value in values]
    for piece in (100, solver_module.PIECE):
        monkeypatch.setattr(solver_module, "PIECE", piece)
        solver = Solver()
        assert solver.check([small, same]) is Answer.YES
        assert solver.value(large) == 7
        assert solver.value(values[solver.value(index)]) == 7
        assert solver.check([small, same, *all_others]) is Answer.NO


def test_no_more_pieces_are_given_when_all_effort_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "PIECE", 100)
    terms = Terms()
    large = chosen_by(terms, terms.variable("index", 12), [terms.variable(f"v{n}", 32) for n in range(40)])
    solver = Solver(shared=Effort(10))  # less than it costs to translate
    assert solver.check([terms.equal(large, terms.constant(7, 32))]) is Answer.UNKNOWN
    assert solver.late
    assert solver.spent == 0  # it was not begun


def test_terms_go_before_what_has_made_them_whoever_collects_garbage() -> None:
    terms = Terms()
    solver = Solver()
    assert solver.check([terms.equal(terms.variable("x", 8), terms.constant(3, 8))]) is Answer.YES
    parts, circle = solver.__dict__, list[object]()
    circle += [solver, circle]
    del solver, circle
    gc.collect()
    assert not parts  # taken apart by the solver itself: the collector knows of no order


def test_a_solver_is_taken_apart_though_an_alarm_comes_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, again = Solver(), Solver._take_apart
    parts = solver.__dict__

    def left_once(self: Solver) -> None:
        monkeypatch.setattr(Solver, "_take_apart", again)
        raise OutOfTime

    monkeypatch.setattr(Solver, "_take_apart", left_once)
    with pytest.raises(OutOfTime):
        solver.__del__()
    assert not parts


def test_floats_that_would_take_longer_than_there_is_time_are_not_begun() -> None:
    terms = Terms()
    product = terms.variable("x", 64)
    for n in range(100):
        product = terms.floating(Operator.FLOAT_MULTIPLY, (product, terms.variable(f"y{n}", 64)), 64, (11, 53))
    is_one = terms.equal(product, terms.constant(1, 64))
    solver = Solver(seconds=1)
    assert solver.check([is_one]) is Answer.UNKNOWN
    assert solver.late
    assert solver.spent == 0
