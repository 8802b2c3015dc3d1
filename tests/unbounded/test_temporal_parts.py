"""Predicates and events of claims as conditions on slots: for all values what they mean on models."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from stateglass.check.events import matcher
from stateglass.check.predicates import predicate_truth
from stateglass.explore.stretches import Flow, Phase, Seen, Shown, flow_of
from stateglass.logic import temporal
from stateglass.logic.predicates import Predicate
from stateglass.logic.reading import read_claim
from stateglass.model import Action, Model, ModelBuilder, Proposition, Sort, Verb
from stateglass.program import Bool, Int, representation
from stateglass.smt import Terms, evaluate
from stateglass.system import System, build_system
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.seeding import seeded
from stateglass.unbounded.temporal.atoms import Atoms, Words
from stateglass.unbounded.temporal.events import Events
from stateglass.unbounded.temporal.falling import Falling
from stateglass.unbounded.temporal.modelling import Modelling
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.temporal.rechecking import problem_of
from stateglass.unbounded.temporal.split import asked_of
from stateglass.unbounded.time import Deadline
from stateglass.work import silent
from tests.fuzz.agreement import read

CODE: Final = """
int x; unsigned u; signed char c; long long l; unsigned long long w; _Bool b;
enum mode { IDLE, BUSY = 5 } mode;
void step(int n, unsigned m, signed char o, long long p, unsigned long long q, _Bool r, int s)
{
    x = n; u = m; c = o; l = p; w = q; b = r; mode = s ? BUSY : IDLE;
}
"""
NAMES: Final = ("x", "u", "c", "l", "w", "b", "mode")


def _expression(pick: random.Random, depth: int) -> str:
    if depth == 0 or pick.random() < 0.2:
        number = str(pick.choice((0, 1, 2, 3, 7, 63, 64, 255, 1 << 31, (1 << 32) - 1, 1 << 40, (1 << 63) - 1)))
        return pick.choice((*NAMES, number, number, "IDLE", "BUSY"))
    kind = pick.random()
    if kind < 0.15:
        return f"{pick.choice('!-~')}({_expression(pick, depth - 1)})"
    operators = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||")
    return f"({_expression(pick, depth - 1)}) {pick.choice(operators)} ({_expression(pick, depth - 1)})"


def _predicate(text: str) -> Predicate:
    formula = read_claim(f"ltl: G [{text}]").content
    assert isinstance(formula, temporal.Always)
    assert isinstance(formula.inner, temporal.Holds)
    return formula.inner.predicate


def _model(values: dict[str, int], enumerators: dict[int, str]) -> Model:
    found = [
        Proposition(
            name,
            Sort.ENUM if name == "mode" else Sort.INT,
            np.array([value], dtype=np.uint64 if name == "w" else np.int64),
            tuple(enumerators.items()) if name == "mode" else (),
        )
        for name, value in values.items()
    ]
    return ModelBuilder().build(1, propositions=found)


def test_predicates_mean_what_they_mean_on_models(tmp_path: Path) -> None:
    system = build_system(read({"code.c": CODE}, tmp_path), ("step",), open=True)
    flow = flow_of(system, Seen(events=True, watch=frozenset(NAMES)))
    words = Words(system)
    (rest,) = flow.of_phase(Phase.STABLE)
    atoms = Atoms(flow, words)
    enumerators = words.texts.enumerators(words.types["mode"])
    pick = random.Random(3)
    held = compared = 0
    for _ in range(150):
        text = _expression(pick, 3)
        predicate = _predicate(text)
        try:
            condition = atoms.condition(predicate, rest)
        except NotKnown:
            continue
        for _ in range(4):
            values: dict[str, int] = {}
            bits = {}
            for slot in rest.slots:
                whole = representation(slot.type)
                near = (0, 1, 2, 5, 63, -1, whole.low, whole.high, pick.randint(whole.low, whole.high))
                value = pick.choice((0, 5)) if slot.name == "mode" else pick.choice(near)
                value = value & 1 if isinstance(slot.type, Bool) else min(max(value, whole.low), whole.high)
                values[slot.name] = value
                bits[slot.term] = value & ((1 << slot.term.width) - 1)
            expected = bool(predicate_truth(predicate, _model(values, enumerators)).must[0])
            assert bool(evaluate(condition, bits)) is expected, (text, values)
            held += expected
            compared += 1
    assert compared > 400
    assert 80 < held < compared - 80


PATTERNS: Final = (
    "call(f, 3)",
    "call(f, *)",
    "call(f, *, true)",
    "call(f, -1, *)",
    "call(f, *, *)",
    "call",
    "call(*)",
    "*(f, 3, false)",
    "call(g, *)",
    "call(f, 3, true)",
    "return(f, *)",
    "ca*",
    "*",
    "call(f, 07, true)",
)


def _events(tmp_path: Path, terms: Terms, patterns: tuple[str, ...] = PATTERNS) -> Events:
    system = build_system(read({"code.c": CODE}, tmp_path), ("step",), open=True)
    return Events(patterns, system, terms, Words(system))


def test_events_are_told_apart_by_the_values_they_show(tmp_path: Path) -> None:
    terms = Terms()
    number, truth = terms.variable("number", 32), terms.variable("truth", 8)
    shown = Shown(Verb.CALL, "f", ((number, Int(32, signed=True)), (truth, Bool())))
    kinds = _events(tmp_path, terms).kinds(shown)
    for value in (-2, -1, 0, 3, 4, 7, 1 << 30):
        for flag in (0, 1):
            label = str(Action(Verb.CALL, "f", (str(value), "true" if flag else "false")))
            bits = {number: value & 0xFFFFFFFF, truth: flag}
            there = [kind for kind in kinds if evaluate(kind.when, bits)]
            assert len(there) == 1
            assert there[0].truths == tuple(matcher(pattern)(label) for pattern in PATTERNS), label


def test_events_that_ask_for_more_than_a_value_are_not_decided(tmp_path: Path) -> None:
    terms = Terms()
    shown = Shown(Verb.CALL, "f", ((terms.variable("number", 32), Int(32, signed=True)),))
    (kind,) = _events(tmp_path, terms, ("call(f, 1*)", "re:call\\(f, [0-9]+\\)", "call(f, ??)")).kinds(shown)
    assert kind.truths == (None, None, None)
    constant = Shown(Verb.CALL, "f", ((terms.constant(12, 32), Int(32, signed=True)),))
    (kind,) = _events(tmp_path, terms, ("call(f, 1*)", "re:call\\(f, [0-9]+\\)", "call(f, ?)")).kinds(constant)
    assert kind.truths == (True, True, False)


def _modelled(system: System) -> tuple[Flow, str, str]:
    claim = read_claim("G [x >= 0]")
    assert isinstance(claim.content, temporal.Always)
    asked = asked_of(claim, claim.content, system, silent)
    time = Deadline(30)
    abstraction = Abstraction(asked.flow, seeded(asked.flow, asked.seeds), time)
    modelled = Modelling(asked, abstraction, system, Falling(asked.flow, time)).model(silent, 1)
    whole = problem_of(asked, modelled, abstraction.predicates, time)
    model = modelled.model
    kept = np.arange(model.transitions) != model.transitions - 1
    less = replace(
        model,
        sources=model.sources[kept],
        actions=model.actions[kept],
        targets=model.targets[kept],
        transition_spans=None,
    )
    lacking = problem_of(asked, replace(modelled, model=less), abstraction.predicates, time)
    return asked.flow, whole, lacking


def test_an_abstraction_that_lacks_a_step_is_noticed(tmp_path: Path) -> None:
    system = build_system(read({"code.c": CODE}, tmp_path), ("step",), open=True)
    _, whole, lacking = _modelled(system)
    assert whole == ""
    assert "lacks a step" in lacking


@pytest.mark.parametrize("text", ["G [x < 1.5]", "G [w + 1 + 1 > 0]"])
def test_what_is_not_translated_is_said_so(tmp_path: Path, text: str) -> None:
    system = build_system(read({"code.c": CODE}, tmp_path), ("step",), open=True)
    claim = read_claim(text)
    assert isinstance(claim.content, temporal.Always)
    with pytest.raises(NotKnown):
        asked_of(claim, claim.content, system, silent)
