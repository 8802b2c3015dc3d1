"""Verdicts against those of spin, an independent model checker, on translated models; skipped where it is not found."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import assert_never

import pytest

from stateglass.check.ltl.violations import Search, Violation, meaning_on
from stateglass.logic import temporal as t
from stateglass.logic.expressions import predicate_text
from stateglass.model import Model
from tests.check.ltl.worlds import equal, in_state, random_formula, random_model

pytestmark = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin or gcc is not installed"
)

FORMULAS = 30
VALUES = {"x_is_1": equal("x", 1), "y_is_0": equal("y", 0)}


@pytest.mark.parametrize("seed", range(2))
def test_agreement_with_spin(seed: int, tmp_path: Path) -> None:
    chance = random.Random(500 + seed)
    model = random_model(chance, 5, fewest=1)
    formulas: list[t.Formula] = []
    while len(formulas) < FORMULAS:
        formula = random_formula(chance, chance.randint(1, 4))
        # The automata of spin grow quickly.
        if not counts_steps(formula) and 1 <= operators(formula) <= 2:
            formulas.append(formula)
    (tmp_path / "model.pml").write_text(promela(model, formulas))
    run(["spin", "-a", "model.pml"], tmp_path)
    run(["gcc", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"], tmp_path)
    search = Search(model, (), meaning_on(model))
    verdicts = []
    for number, formula in enumerate(formulas):
        said = run(["./pan", "-a", "-w16", "-N", f"claim{number}"], tmp_path)
        errors = re.search(r"errors: (\d+)", said)
        assert errors is not None
        verdicts.append(errors[1] != "0")
        assert isinstance(search.violation(formula), Violation) is verdicts[-1]
    assert {True, False} == set(verdicts)


def run(words: list[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def counts_steps(formula: t.Formula) -> bool:
    """Debian's spin has no X."""
    bounded = isinstance(formula, t.Eventually | t.Always | t.Until) and formula.within is not None
    return bounded or isinstance(formula, t.Next) or any(map(counts_steps, t.parts(formula)))


def operators(formula: t.Formula) -> int:
    """How many temporal operators it takes to say this; <=> is as hard as one."""
    own = {t.Eventually: 1, t.Always: 1, t.Until: 1, t.Release: 1, t.WeakUntil: 2, t.Iff: 1}.get(type(formula), 0)
    return own + sum(map(operators, t.parts(formula)))


def promela(model: Model, formulas: list[t.Formula]) -> str:
    """The value of `step` is the transition that is taken next, or stands for the end of the run; at first it is 0.

    Atoms are variables: spin would take an expression apart.
    """
    numbers = {i: i + 1 for i in range(model.transitions)}
    ends = {s: model.transitions + 1 + s for s in range(model.states) if model.first[s] == model.first[s + 1]}

    def next_of(state: int) -> list[int]:
        steps = [numbers[i] for i in range(int(model.first[state]), int(model.first[state + 1]))]
        return steps or [ends[state]]

    moves = [(0, after) for after in next_of(model.initial)]
    moves += [(numbers[i], after) for i in numbers for after in next_of(int(model.targets[i]))]
    moves += [(end, end) for end in ends.values()]
    state_of = {numbers[i]: int(model.sources[i]) for i in numbers} | {end: s for s, end in ends.items()}
    label_of = {numbers[i]: model.labels[model.actions[i]] for i in numbers}

    def text(f: t.Formula) -> str:
        match f:
            case t.Constant():
                return "true" if f.value else "false"
            case t.Holds():
                return next(name for name, g in VALUES.items() if text_of(f) == text_of(g))
            case t.Happens():
                return f"event_{f.pattern}"
            case t.Not():
                return f"!({text(f.inner)})"
            case t.And():
                return f"({text(f.left)} && {text(f.right)})"
            case t.Or():
                return f"({text(f.left)} || {text(f.right)})"
            case t.Implies():
                return f"({text(f.left)} -> {text(f.right)})"
            case t.Iff():
                return f"({text(f.left)} <-> {text(f.right)})"
            case t.Eventually():
                return f"(<> {text(f.inner)})"
            case t.Always():
                return f"([] {text(f.inner)})"
            case t.Until():
                return f"({text(f.left)} U {text(f.right)})"
            case t.WeakUntil():
                return f"(({text(f.left)} U {text(f.right)}) || ([] {text(f.left)}))"
            case t.Release():
                return f"({text(f.left)} V {text(f.right)})"
            case t.Next() | t.Turns() | t.Quantified():
                raise AssertionError
            case _:
                assert_never(f)

    def atoms(step: int) -> str:
        events = [f"event_{name} = {int(label_of.get(step) == name)}" for name in ("a", "b")]
        values = [f"{name} = {int(in_state(f, state_of[step], model))}" for name, f in VALUES.items()]
        return "; ".join(events + values)

    lines = [f"bool began, event_a, event_b, {', '.join(VALUES)};", "int step = 0;", "active proctype M() {", "  do"]
    lines += [
        f"  :: d_step {{ step == {before}; step = {after}; began = 1; {atoms(after)} }}" for before, after in moves
    ]
    lines += ["  od", "}"]
    # The run begins with the first step that is chosen.
    lines += [
        f"ltl claim{number} {{ (!began) U (began && {text(formula)}) }}" for number, formula in enumerate(formulas)
    ]
    return "\n".join(lines) + "\n"


def text_of(f: t.Holds) -> str:
    return predicate_text(f.predicate)
