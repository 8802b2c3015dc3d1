"""Elaborations hold, none is missing that no other one implies, and known systems give what is known of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.evidence import Verdict
from stateglass.logic.reading.formulas import read_ctl
from stateglass.logic.reading.text import Text
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.scenarios.elaboration.candidates import event_candidates
from stateglass.scenarios.elaboration.extents import Extent, Extents
from stateglass.scenarios.elaboration.findings import Notebook, Pattern
from stateglass.scenarios.elaboration.formulas_with_holes import ask_formula, is_formula_question, with_words
from stateglass.scenarios.elaboration.holes import Questioner
from stateglass.scenarios.elaboration.judging import Judge, bases
from stateglass.scenarios.elaboration.restricting import Restricted, Restricting
from stateglass.scenarios.elaboration.search import Elaborator
from stateglass.scenarios.elaboration.weakening import weaken
from stateglass.scenarios.language import Scenario, Vocabulary
from stateglass.scenarios.meaning import Words
from stateglass.scenarios.reading import read_scenario, read_story
from stateglass.scenarios.validating import Validator
from stateglass.source import InputError
from tests.scenarios.chances import completed, random_model
from tests.scenarios.reference import Reference

WORDS = """
event one = a
event two = b
event three = c when (x)
event up = rises(x)
event down = falls(x)
event both = one | two
event either = up | three
condition on = x
condition low = y == 0
condition high = y == 2
"""
EVENTS = ("one", "two", "three", "up", "down", "both", "either")
CHANGES = ("up", "down")
LITERALS = ("on", "!on", "low", "!low", "high", "!high")


def vocabulary() -> Vocabulary:
    return read_story(WORDS, "words.scenarios").vocabulary


def some_model(chance: random.Random, states: int = 6) -> Model:
    """A model all of whose states can be reached and go on."""
    builder = ModelBuilder()
    steps = [(chance.randrange(state), state) for state in range(1, states)]
    steps += [(state, chance.randrange(states)) for state in range(states)]
    for source, target in steps:
        builder.add(source, chance.choice("abc"), target)
    values = {name: np.array([chance.randrange(most) for _ in range(states)]) for name, most in (("x", 2), ("y", 3))}
    return builder.build(states, propositions=[Proposition(name, Sort.INT, own) for name, own in values.items()])


def some_story_with(chance: random.Random, model: Model, words: Vocabulary, relation: str, **wanted: str) -> Scenario:
    """A story of which other relations of its events have the verdicts that are wanted, if there is one."""
    pairs = [(one, other) for one in EVENTS for other in EVENTS if one != other]
    chance.shuffle(pairs)
    for cause, effect in pairs:
        each = ((_RELATIONS[name], said) for name, said in wanted.items())
        if all(verdict(f"{cause} {other} {effect}", model, words).value == said for other, said in each):
            break
    return read_scenario(f"{cause} {relation} {effect}", words)


_RELATIONS = {"leads": "->", "only": "<-", "can": "~>"}


def some_story(chance: random.Random, words: Vocabulary, relations: Iterable[str] = ("->",)) -> Scenario:
    cause, effect = chance.choice(EVENTS), chance.choice(EVENTS)
    return read_scenario(f"{cause} {chance.choice(list(relations))} {effect}", words)


def judge_of(model: Model, scenario: Scenario, words: Vocabulary) -> Judge:
    validator = Validator(model, words)
    return Judge(validator, bases(scenario)[0], Extents(validator))


def verdict(text: str, model: Model, words: Vocabulary) -> Verdict:
    return Validator(model, words).validate(read_scenario(text, words)).verdict


# ---- what is told is true


@pytest.mark.parametrize("seed", range(50))
def test_what_is_found_holds_and_what_is_rejected_does_not(seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), some_model(chance)
    scenario = some_story(chance, words, ("->", "~>", "<-", "<->"))
    old = Validator(some_model(chance, 4), words) if seed % 2 else None
    elaborated = Elaborator(Validator(model, words), old).elaborate(scenario)
    for found in elaborated.found:
        assert verdict(found.scenario.text, model, words) is Verdict.HOLDS, found.scenario.text
        assert found.scenario.ancestry is not None
        assert found.scenario.ancestry.pattern == found.pattern.value
        assert by_runs(found.scenario.text, model, words) in (Verdict.HOLDS, None), found.scenario.text
    for rejected in elaborated.rejected:
        assert verdict(rejected.scenario.text, model, words) is Verdict.VIOLATED, rejected.scenario.text
    for one in (*elaborated.found, *elaborated.rejected):
        shown = verdict(one.showing.scenario.text, model, words)
        assert shown in (Verdict.HOLDS, Verdict.VIOLATED), "there is a run to be shown"


def by_runs(text: str, model: Model, words: Vocabulary) -> Verdict | None:
    """The verdict by looking at single runs; None: there are too many of them, or what is said is not known there."""
    if "changes(" in text or ">=" in text or "!=" in text:
        return None
    reference = Reference(model, words, 2)
    return reference.verdict(read_scenario(text, words)) if reference.size <= 20_000 else None


def test_patterns_are_tried_often_enough() -> None:
    met: set[Pattern] = set()
    for seed in range(50):
        chance = random.Random(seed)
        words, model = vocabulary(), some_model(chance)
        scenario = some_story(chance, words, ("->", "~>", "<-", "<->"))
        met |= {one.pattern for one in Elaborator(Validator(model, words)).elaborate(scenario).found}
    assert met >= set(Pattern) - {Pattern.EXCEPTION_BREAKS_CAUSATION, Pattern.INTERMEDIATE_CAUSE}


# ---- nothing is missing


def every_condition() -> Iterator[str]:
    yield from LITERALS
    for size in (2, 3):
        for chosen in combinations(LITERALS, size):
            yield " && ".join(chosen)
            yield " || ".join(chosen)


def states_of(condition: str, model: Model, words: Vocabulary, extents: Extents) -> frozenset[int]:
    predicate = read_scenario(f"while ({condition}): one -> two", words).parts[0].condition
    assert predicate is not None
    reference = Reference(model, words, 1)
    reachable = [state for state in range(model.states) if extents.reachable[state]]
    return frozenset(state for state in reachable if reference.value(predicate.predicate, state))


def largest(fitting: Iterable[tuple[int, frozenset[int]]]) -> set[frozenset[int]]:
    """The sets that no other one contains that is described by no more words."""
    shortest: dict[frozenset[int], int] = {}
    for words, states in fitting:
        shortest[states] = min(words, shortest.get(states, words))
    return {
        one
        for one, words in shortest.items()
        if not any(one < other and fewer <= words for other, fewer in shortest.items())
    }


def told(found: list[Restricted], model: Model) -> set[frozenset[int]]:
    return {frozenset(s for s in range(model.states) if one.term.extent.must >> s & 1) for one in found}


@pytest.mark.parametrize("seed", range(25))
def test_conditions_that_last_are_the_weakest(seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), some_model(chance)
    relation, fails = chance.choice((("->", "leads"), ("->", "leads"), ("<-", "only"), ("<->", "leads")))
    scenario = some_story_with(chance, model, words, relation, can="holds", **{fails: "violated"})
    judge = judge_of(model, scenario, words)
    link = judge.base.link
    everywhere = frozenset(s for s in range(model.states) if judge.extents.reachable[s])
    fitting = []
    for condition in every_condition():
        states = states_of(condition, model, words, judge.extents)
        cause, effect = scenario.text.split()[0], scenario.text.split()[-1]
        holds = verdict(f"while ({condition}): {scenario.text}", model, words) is Verdict.HOLDS
        if holds and verdict(f"while ({condition}): {cause} ~> {effect}", model, words) is Verdict.HOLDS:
            fitting.append((len(condition.split()) // 2 + 1, states))
    expected = largest((length, states) for length, states in fitting if states != everywhere)
    assert told(Restricting(judge, link).all_the_while(), model) == expected


@pytest.mark.parametrize("seed", range(25))
def test_conditions_at_the_cause_are_the_weakest(seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), some_model(chance)
    scenario = some_story_with(chance, model, words, "->", can="holds", leads="violated")
    judge = judge_of(model, scenario, words)
    causing = judge.extents.states_before(judge.extents.event(judge.base.cause)).must
    relevant = frozenset(s for s in range(model.states) if causing >> s & 1)
    cause, effect = scenario.text.split()[0], scenario.text.split()[-1]
    fitting = []
    for condition in every_condition():
        if verdict(f"{cause} when ({condition}) -> {effect}", model, words) is Verdict.HOLDS:
            states = states_of(condition, model, words, judge.extents) & relevant
            fitting.append(states)
    expected = largest((1, states) for states in fitting if states != relevant)
    assert told(Restricting(judge, judge.base.link).at_cause(), model) == expected


@pytest.mark.parametrize("seed", range(25))
def test_causes_that_are_added_are_the_fewest(seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), some_model(chance)
    scenario = some_story_with(chance, model, words, "->", leads="holds", only="violated")
    judge = judge_of(model, scenario, words)
    extents = judge.extents
    notes = Notebook(Pattern.CAUSE_WEAKENING)
    weaken(judge, event_candidates(extents, words), notes)
    findings = notes.findings()
    linked = [] if findings is None else [one.scenario.parts[0].links[0] for one in findings.found]
    found = [extents.event(link.cause) for link in linked if link.relation.value == "<->"]
    cause, effect = scenario.text.split()[0], scenario.text.split()[-1]
    applies = verdict(f"{cause} -> {effect}", model, words) is Verdict.HOLDS
    if not applies or verdict(f"{cause} <- {effect}", model, words) is not Verdict.VIOLATED:
        assert findings is None
        return
    own, goal = extents.event(judge.base.cause), extents.event(judge.base.effect)
    others = [
        name
        for name in EVENTS
        if not (extent := extent_of(name, words, extents)).is_within(own)
        and ((name in CHANGES) != (effect in CHANGES) or not (extent.is_within(goal) or goal.is_within(extent)))
        and verdict(f"{name} -> {effect}", model, words) is Verdict.HOLDS
    ]
    for size in (1, 2, 3):
        for chosen in combinations(others, size):
            text = " | ".join((cause, *chosen))
            if verdict(f"{text} <- {effect}", model, words) is Verdict.HOLDS:
                extent = extent_of(text, words, extents)
                assert any(smaller.is_within(extent) for smaller in found), text


def extent_of(text: str, words: Vocabulary, extents: Extents) -> Extent:
    return extents.event(read_scenario(f"{text} -> one", words).parts[0].links[0].cause)


# ---- questions

QUESTIONS = (
    "{} -> ?",
    "? -> {}",
    "? <- {}",
    "{} <- ?",
    "{} <<- ?",
    "? <<- {}",
    "{} ~> ?",
    "? ~> {}",
    "while (on): {} -> ?",
)
SMALLEST = ("{} -> ?", "? <- {}", "? <<- {}", "{} ~> ?", "? ~> {}", "while (on): {} -> ?")


@pytest.mark.parametrize(("question", "seed"), list(product(QUESTIONS, range(8))))
def test_questions_are_answered_by_what_says_the_most(question: str, seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), some_model(chance)
    text = question.format(chance.choice(EVENTS))
    questioner = Questioner(Validator(model, words))
    answered = questioner.ask(read_scenario(text, words))
    extents = questioner.extents
    answers = [extent_of(one.answer, words, extents) for one in answered.fillings]
    for one in answered.fillings:
        assert verdict(one.text, model, words) is Verdict.HOLDS
        assert one.text == text.replace("?", one.answer)
    for name in EVENTS:
        own = extent_of(name, words, extents)
        if own.is_empty or verdict(text.replace("?", name), model, words) is not Verdict.HOLDS:
            continue
        smallest = question in SMALLEST
        implied = any(one.is_within(own) if smallest else own.is_within(one) for one in answers)
        assert implied or (is_trivial(question, name, text, model, words) and answers), name


def is_trivial(question: str, name: str, text: str, model: Model, words: Vocabulary) -> bool:
    """Whether an answer says nothing: it is the same event, or one that comes in any case, or stands at the start."""
    judge = judge_of(model, read_scenario(f"{name} -> {name}", words), words)
    extents = judge.extents
    own = judge.extents.event(judge.base.cause)
    word = next(word for word in text.replace("while (on):", "").split() if word in EVENTS)
    other = extent_of(word, words, extents)
    alike = (word in CHANGES) == (name in CHANGES)
    if question.endswith("?") and "<" in question:
        return alike and own.is_within(other)
    if question.endswith("?"):
        return (alike and other.is_within(own)) or judge.recurs(judge.base.cause)
    if "<" in question:
        return (alike and other.is_within(own)) or extents.is_first(own)
    return alike and own.is_within(other)


def test_a_question_asks_for_one_thing() -> None:
    words, model = vocabulary(), some_model(random.Random(1))
    for text in ("? -> ?", "one -> ? and two -> one", "one -> ? -> two", "while (?): one -> ?"):
        with pytest.raises(Exception, match="more than one question"):
            Questioner(Validator(model, words)).ask(read_scenario(text, words))


# ---- surroundings, partial models, any text

PIECES = (
    "AG(",
    "EF",
    "AF",
    "A[",
    "U",
    "]",
    ")",
    "?",
    "one",
    "up",
    "[on]",
    "[x == 1]",
    "=>",
    "&",
    "!",
    "X",
    "ctl:",
    "no",
)
CONTEXTS = (
    "while (low): {}",
    "{} unless down",
    "{} after two",
    "{} before high",
    "{} between one and [on]",
    "{} -> up",
)


@pytest.mark.parametrize(("context", "seed"), list(product(CONTEXTS, range(5))))
def test_stories_keep_their_surroundings(context: str, seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), some_model(chance)
    scenario = read_scenario(context.format(some_story(chance, words, ("->", "<-")).text), words)
    elaborated = Elaborator(Validator(model, words)).elaborate(scenario)
    for found in elaborated.found:
        assert verdict(found.scenario.text, model, words) is Verdict.HOLDS, found.scenario.text
        assert found.scenario.parts[0].scope is scenario.parts[0].scope
    for rejected in elaborated.rejected:
        assert verdict(rejected.scenario.text, model, words) is Verdict.VIOLATED, rejected.scenario.text


@pytest.mark.parametrize("seed", range(30))
def test_what_is_found_on_a_part_of_a_model_holds_on_the_whole(seed: int) -> None:
    chance = random.Random(seed)
    words, model = vocabulary(), random_model(chance, 4, 8, open_states=True)
    scenario = some_story(chance, words, ("->", "~>", "<-", "<->"))
    elaborated = Elaborator(Validator(model, words)).elaborate(scenario)
    for _ in range(5 if model.partial else 0):
        whole = completed(model, chance)
        for found in elaborated.found:
            # What says nothing on the whole is not wrong.
            assert verdict(found.scenario.text, whole, words) is not Verdict.VIOLATED, found.scenario.text
        for rejected in elaborated.rejected:
            assert verdict(rejected.scenario.text, whole, words) is Verdict.VIOLATED, rejected.scenario.text


@given(st.lists(st.sampled_from(PIECES)))
@settings(max_examples=150, deadline=None)
def test_any_question_is_answered_or_refused(parts: list[str]) -> None:
    words, model = vocabulary(), some_model(random.Random(3))
    text = " ".join(parts)
    is_formula_question(text)
    try:
        answered = ask_formula(text, Validator(model, words))
    except InputError as error:
        assert error.diagnostics
        return
    for one in answered.fillings:
        assert "?" not in one.text


@pytest.mark.parametrize("formula", ["AG(one => AF ?)", "EF ?", "AG(? => AF up)", "A[!? U one]", "AG(two => AX ?)"])
@pytest.mark.parametrize("seed", range(6))
def test_formulas_are_answered_by_what_says_the_most(formula: str, seed: int) -> None:
    words, model = vocabulary(), some_model(random.Random(seed))
    validator = Validator(model, words)
    extents = Extents(validator)
    answered = ask_formula(formula, validator)
    events = [one for one in answered.fillings if not one.answer.startswith("[")]
    smallest = "?" in formula.partition("=>")[2] or formula == "EF ?"
    for name in EVENTS:
        own = extent_of(name, words, extents)
        if own.is_empty or not formula_holds(formula.replace("?", name), validator):
            continue
        each = [extent_of(one.answer, words, extents) for one in events]
        implied = any(one.is_within(own) if smallest else own.is_within(one) for one in each)
        assert implied or is_spoken_of(formula, name, words, extents) or recurs(name, validator), name
    assert all(formula_holds(one.text, validator) for one in events)


def formula_holds(text: str, validator: Validator) -> bool:
    source = Text(text)
    formula = read_ctl(source, 0, len(text))
    assert formula is not None
    return validator.holds(with_words(formula, Words(validator.vocabulary), validator.vocabulary)) is True


def is_spoken_of(formula: str, name: str, words: Vocabulary, extents: Extents) -> bool:
    own = extent_of(name, words, extents)
    spoken = [word for word in EVENTS if re.search(rf"\b{word}\b", formula)]
    alike = [extent_of(word, words, extents) for word in spoken if (word in CHANGES) == (name in CHANGES)]
    return any(own.is_within(other) or other.is_within(own) for other in alike)


def recurs(name: str, validator: Validator) -> bool:
    return formula_holds(f"AG AF {name}", validator)
