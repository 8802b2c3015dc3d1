"""Strategies as text, on small models whose best runs are plain to see, and of somebody's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Always, And, Eventually, Formula, Happens, Holds, Next, Quantified
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.scenarios.language import Act, Condition, Vocabulary
from stateglass.scenarios.witnesses import Facts, Strategy, read_strategy, taken_by, witness
from stateglass.scenarios.witnesses.reading import NAMES
from stateglass.scenarios.witnesses.strategies import Custom, Events, Sense, Shortest, States, Visited
from stateglass.source import InputError
from tests.scenarios.runs import reply_on

WORDS = Vocabulary({"go": Act("go"), "jump": Act("jump")}, {"late": Condition(Named("f"))})


def somewhere(inner: Formula) -> Formula:
    return Quantified(False, Eventually(inner))


def model_of(rows: list[tuple[int, str, int]], states: int, **columns: set[int]) -> Model:
    builder = ModelBuilder()
    for row in rows:
        builder.add(*row)
    flags = [
        Proposition(name, Sort.BOOL, np.array([s in where for s in range(states)], dtype=np.int64))
        for name, where in columns.items()
    ]
    return builder.build(states, propositions=flags)


def states_of(model: Model, formula: Formula, strategy: str, facts: Facts | None = None) -> list[int]:
    found = witness(reply_on(formula, model), read_strategy(strategy, WORDS), WORDS, facts or Facts())
    assert found is not None
    return [moment.state for moment in found.moments]


# Two ways from 0 to 4: by 1, with a jump, and by 2 and 3.
WAYS = model_of([(0, "jump", 1), (1, "go", 4), (0, "go", 2), (2, "go", 3), (3, "go", 4)], 5, f={4}, p={1}, q={2, 3})
THERE = somewhere(Holds(Named("f")))


@pytest.mark.parametrize(
    ("strategy", "states"),
    [
        ("shortest", [0, 1, 4]),
        ("avoid-states=1", [0, 2, 3, 4]),
        ("avoid-states={0, 1..1}", [0, 2, 3, 4]),
        ("avoid-conditions=p", [0, 2, 3, 4]),
        ("avoid-conditions={[p], [q && !f]}", [0, 1, 4]),
        ("avoid-events=jump", [0, 2, 3, 4]),
        ("avoid-events={jump, go}", [0, 1, 4]),
        ("avoid-vars=p", [0, 2, 3, 4]),
        ("fewest-changes={p, q, f}", [0, 1, 4]),
        ("fewest-changes={p, f}", [0, 2, 3, 4]),
        ("fewest-changes", [0, 1, 4]),
        ("fewest-events", [0, 1, 4]),
        ("prefer-states={2, 3, 4}", [0, 2, 3, 4]),
        ("prefer-conditions={q, late}", [0, 2, 3, 4]),
        ("prefer-events=go", [0, 2, 3, 4]),
        ("shortest, avoid-events=jump", [0, 1, 4]),
        ("avoid-events=jump, shortest", [0, 2, 3, 4]),
        ("greedy: avoid-events=jump", [0, 2, 3, 4]),
        ("greedy: shortest, avoid-events=jump", [0, 1, 4]),
    ],
)
def test_aims_choose_the_way(strategy: str, states: list[int]) -> None:
    assert states_of(WAYS, THERE, strategy) == states


def test_greedy_falls_into_what_the_whole_run_avoids() -> None:
    """The first step without a jump leads to two of them."""
    rows = [(0, "jump", 1), (1, "go", 4), (0, "go", 2), (2, "jump", 3), (3, "jump", 4)]
    model = model_of(rows, 5, f={4})
    assert states_of(model, THERE, "avoid-events=jump") == [0, 1, 4]
    assert states_of(model, THERE, "greedy: avoid-events=jump") == [0, 2, 3, 4]


def test_what_is_known_of_a_change_chooses_the_way() -> None:
    is_new = np.array([label == "jump" for label in (WAYS.labels[a] for a in WAYS.actions.tolist())])
    facts = Facts(is_new, is_new.astype(np.int32) * 2, lambda reply: ~is_new)
    assert states_of(WAYS, THERE, "avoid-new-transitions", facts) == [0, 2, 3, 4]
    assert states_of(WAYS, THERE, "prefer-new-transitions", facts) == [0, 1, 4]
    assert states_of(WAYS, THERE, "avoid-new-variable-events", facts) == [0, 2, 3, 4]
    assert states_of(WAYS, THERE, "fewest-new-variable-events", facts) == [0, 2, 3, 4]
    assert states_of(WAYS, THERE, "reuse-old-witness", facts) == [0, 2, 3, 4]


def test_an_old_witness_is_taken_again() -> None:
    old = witness(reply_on(THERE, WAYS), read_strategy("avoid-states=1"))
    assert old is not None
    facts = Facts(in_old_witness=lambda reply: taken_by(old.path, WAYS))
    assert states_of(WAYS, THERE, "reuse-old-witness", facts) == [0, 2, 3, 4]


@pytest.mark.parametrize("strategy", ["avoid-new-transitions", "fewest-new-variable-events", "reuse-old-witness"])
def test_what_is_not_known_of_a_change_is_said(strategy: str) -> None:
    with pytest.raises(InputError, match="it is not known"):
        witness(reply_on(THERE, WAYS), read_strategy(strategy))


# ---- the structure of figure 1 of the paper, as far as its sentences tell it

FIGURE = model_of(
    [
        (0, "t", 1),
        (1, "t", 2),
        (1, "t", 3),
        (2, "t", 2),
        (2, "t", 3),
        (2, "t", 4),
        (2, "t", 5),
        (3, "t", 5),
        (4, "t", 1),
    ],
    6,
    p={1, 2, 4},
    r={3, 4},
    f={5},
)


def from_state(model: Model, state: int) -> Model:
    return Model(model.states, state, model.sources, model.actions, model.targets, model.labels, model.propositions)


def test_the_witness_for_ef() -> None:
    found = witness(reply_on(THERE, FIGURE))
    assert found is not None
    assert [moment.state for moment in found.moments] == [0, 1, 2, 5]
    assert found.obligations == (("EF [f]",), ("EF [f]",), ("EF [f]",), ("[f]",))


def test_the_witness_for_eg() -> None:
    formula = Quantified(False, Always(Holds(Named("p"))))
    found = witness(reply_on(formula, from_state(FIGURE, 1)))
    assert found is not None
    assert [(step.source, step.target) for step in found.path.steps] == [(1, 2), (2, 2)]
    assert found.path.loop_start == 1
    assert found.obligations[0] == ("[p]", "EG [p]")


@pytest.mark.parametrize("form", ["", "greedy: "])
def test_visited_states_are_avoided_and_preferred(form: str) -> None:
    """`EX EF r` in s2: s2, s3 or s2, s4, but not s2, s2."""
    formula = Quantified(False, Next(somewhere(Holds(Named("r")))))
    model = from_state(FIGURE, 2)
    assert states_of(model, formula, f"{form}avoid-visited") in ([2, 3], [2, 4])
    if form:
        assert states_of(model, formula, f"{form}prefer-visited")[:2] == [2, 2]
    else:
        # Another round does not make the run that has to go on any cheaper.
        assert states_of(model, formula, "prefer-visited") == [2, 3]


def test_a_round_avoids_what_is_to_be_avoided() -> None:
    """From s1 on with p for ever: by s2 alone, or by s4, if it is preferred."""
    formula = Quantified(False, Always(Holds(Named("p"))))
    model = from_state(FIGURE, 1)
    assert 4 not in states_of(model, formula, "avoid-conditions=r")
    assert 4 in states_of(model, formula, "avoid-states=2")


def test_a_step_that_is_spoken_of_is_part_of_the_run() -> None:
    formula = somewhere(And(Happens("jump"), THERE))
    assert states_of(WAYS, formula, "avoid-events=jump") == [0, 1, 4]


# ---- reading


def test_what_a_text_says() -> None:
    strategy = read_strategy(
        " greedy : avoid-events={call(f, 1), rises(x > 2)} , avoid-states=3..5,shortest, my/own.py:cost"
    )
    events, states, short, custom = strategy.aims
    assert strategy.greedy
    assert isinstance(events, Events)
    assert len(events.events) == 2
    assert states == States(Sense.AVOID, (range(3, 6),))
    assert short == Shortest()
    assert isinstance(custom, Custom)
    assert (custom.file, custom.function) == ("my/own.py", "cost")
    assert read_strategy("prefer-visited", greedy=True) == Strategy((Visited(Sense.PREFER),), ("prefer-visited",), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an aim is missing"),
        ("shortest,", "an aim is missing"),
        ("avoid-event=a", "did you mean `avoid-events`"),
        ("shorter", "did you mean `shortest`"),
        ("avoid-events", "is about is missing"),
        ("avoid-events={}", "is about is missing"),
        ("avoid-events={a", "closing"),
        ("avoid-states=x", "is no state"),
        ("avoid-states=5..3", "is no state"),
        ("shortest=3", "nothing in particular"),
        ("avoid-visited now", "only `=` may follow"),
        ("avoid-conditions=x >", ""),
        ("avoid-vars=x + 1", "is no name"),
        ("avoid-conditions=?", "is no condition"),
    ],
)
def test_mistakes_are_said(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_strategy(text)
    told = " ".join(f"{d.message} {d.help}" for d in caught.value.diagnostics)
    assert message in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("avoid-events=gone", "no event `gone`"),
        ("avoid-conditions=g > 0", "`g`"),
        ("avoid-vars=g", "no proposition `g`"),
        ("avoid-states=5", "no state 5"),
    ],
)
def test_what_the_model_does_not_have_is_said(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        witness(reply_on(THERE, WAYS), read_strategy(text, WORDS), WORDS)
    assert message in str(caught.value)


_PARTS = st.sampled_from(
    [*NAMES, "greedy:", "=", "{", "}", ",", "a", "[x > 1]", "call(f, *)", "3..4", '"', "x.py:f", " "]
)


@given(st.one_of(st.text(), st.lists(_PARTS).map("".join)))
@example("avoid-conditions=[")
@example("avoid-events={(}")
@example("avoid-vars=`")
def test_any_text_is_a_strategy_or_told_why_not(text: str) -> None:
    try:
        strategy = read_strategy(text, WORDS)
    except InputError as error:
        assert all(diagnostic.message for diagnostic in error.diagnostics)
    else:
        again = read_strategy(", ".join(strategy.texts), WORDS)
        assert again.texts == strategy.texts
        assert list(map(type, again.aims)) == list(map(type, strategy.aims))


# ---- functions of somebody's own


def test_a_function_says_what_steps_cost(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def cost(step):\n"
        "    assert set(step.source) == {'f', 'p', 'q'} and step.source_state in range(5)\n"
        "    return 0.5 * (step.action == 'jump') + (step.target['p'] and 'p' in step.changed) + step.is_new\n"
    )
    assert states_of(WAYS, THERE, f"{file}:cost") == [0, 2, 3, 4]
    assert states_of(WAYS, THERE, f"greedy: {file}:cost") == [0, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("def cost(step):\n    return step.what\n", "AttributeError", 2),
        ("def cost(step):\n    return inner(step)\ndef inner(step):\n    return 1 / 0\n", "ZeroDivisionError", 4),
        ("def cost(step):\n    return step.source['nothing']\n", "KeyError", 2),
        ("def cost(step):\n    raise SystemExit(0)\n", "SystemExit", 2),
        ("def cost(step:\n", "no Python", 1),
        ("import nothing_like_it\n", "ModuleNotFoundError", 1),
        ("def costs(step):\n    return 1\n", "no function `cost`", 0),
        ("cost = 3\n", "no function `cost`", 0),
        ("def cost(step):\n    return 'much'\n", "no number", 0),
        ("def cost(step):\n    return None\n", "no number", 0),
        ("def cost(step):\n    return -1\n", "at least 0", 0),
        ("def cost(step):\n    return float('nan')\n", "at least 0", 0),
        ("def cost():\n    return 1\n", "TypeError", 0),
    ],
)
def test_what_is_wrong_with_a_function_is_said(tmp_path: Path, text: str, message: str, line: int) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        states_of(WAYS, THERE, f"{file}:cost")
    (problem,) = caught.value.diagnostics
    assert message in problem.message
    assert (problem.span.file, problem.span.line) == (str(file), line)


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(InputError, match="no such file"):
        states_of(WAYS, THERE, "nowhere.py:cost")
