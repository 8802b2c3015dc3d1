"""Each pattern on a small system of which it is known what it should find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from stateglass.evidence import Verdict
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.scenarios.elaboration.findings import Elaborated, Findings, Pattern
from stateglass.scenarios.elaboration.search import Elaborator
from stateglass.scenarios.elaboration.stories import grown, kept_line, with_line
from stateglass.scenarios.reading import read_story
from stateglass.scenarios.validating import Validator
from stateglass.source import InputError

Steps = Sequence[tuple[int, str, int]]


def model_of(steps: Steps, **values: Sequence[int]) -> Model:
    builder = ModelBuilder()
    for source, label, target in steps:
        builder.add(source, label, target)
    states = 1 + max(max(source, target) for source, _, target in steps)
    own = [
        Proposition(name, Sort.BOOL if set(each) <= {0, 1} else Sort.INT, np.array(each, dtype=np.int64))
        for name, each in values.items()
    ]
    return builder.build(states, propositions=own)


def elaborated(text: str, model: Model, old: Model | None = None, most_checks: int = 2000) -> Elaborated:
    story = read_story(text, "small.scenarios")
    before = None if old is None else Validator(old, story.vocabulary)
    elaborator = Elaborator(Validator(model, story.vocabulary), before, most_checks=most_checks)
    return elaborator.elaborate(story.scenarios[0])


def by(pattern: Pattern, found: Elaborated) -> Findings:
    return next((one for one in found.findings if one.pattern is pattern), Findings(pattern))


def texts(pattern: Pattern, found: Elaborated) -> list[str]:
    return [one.scenario.text for one in by(pattern, found).found]


# ---- a kettle: pressed or started by a timer it heats, boils, and clicks

KETTLE: Steps = (
    (0, "press", 1),
    (0, "timer", 1),
    (0, "wait", 0),
    (1, "heat", 2),
    (2, "click", 0),
)
WORDS = """
event pressed = press
event timed = timer
event waits = wait
event boils = heat
event clicks = click
"""


def kettle() -> Model:
    return model_of(KETTLE, on=[0, 1, 1], hot=[0, 0, 1])


def test_other_causes_are_found() -> None:
    found = elaborated(WORDS + "scenario s: pressed -> boils", kettle())
    assert texts(Pattern.CAUSE_WEAKENING, found) == ["pressed | timed <-> boils"]
    shown = by(Pattern.CAUSE_WEAKENING, found).found[0].showing
    assert (shown.scenario.text, shown.strategy) == ("init ~> boils", "avoid-events={pressed}")


def test_other_causes_may_need_the_condition_of_the_known_one() -> None:
    # While it is on, buttons do nothing, and it may stay on for ever.
    busy = [(state, label, state) for state in (1, 2) for label in ("press", "timer")]
    kept_on = model_of((*KETTLE, (2, "keep", 3), *busy, (3, "keep", 3), (3, "timer", 3)), on=[0, 1, 1, 1])
    words = f"{WORDS}condition off = !on\nevent started = press when (off)\nfair heat\n"
    for cause in ("pressed when (off)", "started"):
        found = elaborated(f"{words}scenario s: {cause} -> boils", kept_on)
        assert texts(Pattern.CAUSE_WEAKENING, found) == [f"{cause} | timed when (off) <-> boils"]


def test_what_is_not_enough_is_told() -> None:
    words = WORDS.replace("event timed = timer\n", "")
    found = by(Pattern.CAUSE_WEAKENING, elaborated(words + "scenario s: pressed -> boils", kettle()))
    assert not found.found
    assert found.remarks == ("no other event of the vocabulary leads to `boils`",)


def test_events_in_between_are_found_with_their_closest_relations() -> None:
    found = elaborated(WORDS + "scenario s: pressed -> clicks", kettle())
    assert texts(Pattern.INTERMEDIATE_EVENT, found) == ["pressed -> boils <-> clicks"]


def test_causes_in_between_are_found() -> None:
    words = WORDS + "event started = pressed | timed\n"
    found = elaborated(words + "scenario s: started <- clicks", kettle())
    assert texts(Pattern.INTERMEDIATE_CAUSE, found) == ["started <- boils <- clicks"]
    found = elaborated(WORDS + "scenario s: pressed -> boils", model_of((*KETTLE, (2, "cool", 1)), hot=[0, 0, 1]))
    assert not texts(Pattern.INTERMEDIATE_CAUSE, found), "boiling comes without pressing"


def test_a_cause_in_between_of_an_effect_that_comes_without_it() -> None:
    # A bell rings only after a call, and then somebody comes; somebody may come by himself.
    bell = model_of([(0, "call", 1), (1, "ring", 2), (2, "come", 0), (0, "come", 0)], x=[0, 0, 0])
    words = "event calls = call\nevent rings = ring\nevent comes = come\n"
    found = elaborated(words + "scenario s: calls -> comes", bell)
    assert texts(Pattern.INTERMEDIATE_CAUSE, found) == ["calls <- rings -> comes"]


def test_relations_are_strengthened() -> None:
    found = elaborated(WORDS + "scenario s: boils ~> clicks", kettle())
    assert texts(Pattern.STRONGER_RELATION, found) == ["boils <-> clicks", "boils <<- clicks"]
    found = elaborated(WORDS + "scenario s: pressed ~> clicks", kettle())
    assert texts(Pattern.STRONGER_RELATION, found) == ["pressed -> clicks"]
    rejected = [one.scenario.text for one in by(Pattern.STRONGER_RELATION, found).rejected]
    assert rejected == ["pressed <<- clicks", "pressed <- clicks"]


# ---- a switch that leads to one of two lamps, by where a lever stands

SWITCH: Steps = (
    (0, "flip", 1),
    (1, "flip", 0),
    (0, "push", 2),
    (1, "push", 3),
    (2, "red", 0),
    (3, "green", 1),
)
LAMPS = "event pushed = push\nevent r = red\nevent g = green\nevent lamp = r | g\n"


def test_what_decides_between_effects_is_found() -> None:
    switch = model_of(SWITCH, lever=[0, 1, 0, 1])
    found = elaborated(LAMPS + "condition up = lever\nscenario s: pushed <-> lamp", switch)
    assert texts(Pattern.EVENT_SPLITTING, found) == ["pushed when (!up) -> r", "pushed when (up) -> g"]
    assert "exactly then" in by(Pattern.EVENT_SPLITTING, found).found[0].note


def test_facts_stand_in_where_the_vocabulary_has_no_word() -> None:
    found = elaborated(LAMPS + "scenario s: pushed <-> lamp", model_of(SWITCH, lever=[0, 1, 0, 1]))
    assert texts(Pattern.EVENT_SPLITTING, found) == ["pushed when (!lever) -> r", "pushed when (lever) -> g"]
    assert all(one.from_model for one in by(Pattern.EVENT_SPLITTING, found).found)


def test_parts_of_a_cause_decide() -> None:
    steps = [(0, "left", 1), (0, "right", 2), (1, "red", 0), (2, "green", 0)]
    words = LAMPS.replace("push\n", "one | other\nevent one = left\nevent other = right\n")
    found = elaborated(words + "scenario s: pushed <-> lamp", model_of(steps, x=[0, 0, 0]))
    assert texts(Pattern.EVENT_SPLITTING, found) == ["one -> r", "other -> g"]


def test_an_open_choice_is_said() -> None:
    steps = [(0, "push", 1), (1, "red", 0), (1, "green", 0)]
    found = by(Pattern.EVENT_SPLITTING, elaborated(LAMPS + "scenario s: pushed <-> lamp", model_of(steps, x=[0, 0])))
    assert not found.found
    assert found.remarks == ("no condition that was tried decides which of `r`, `g` follows `pushed`: it may be open",)


# ---- a gate that a coin opens, and that can break


def gate() -> Model:
    return model_of([(0, "coin", 1), (1, "opens", 2), (2, "pass", 0), (0, "wait", 0)], paid=[0, 1, 0])


def broken_gate() -> Model:
    steps = [(0, "coin", 1), (1, "opens", 2), (2, "pass", 0), (0, "wait", 0)]
    steps += [(0, "break", 3), (1, "break", 3), (3, "wait", 3), (3, "coin", 4), (4, "alarm", 3), (3, "repair", 0)]
    return model_of(steps, paid=[0, 1, 0, 0, 1], bad=[0, 0, 0, 1, 1])


GATE = """
event pays = coin
event opened = opens
event alarmed = alarm
event breaks = break
event passes = pass
condition paying = paid
condition defect = bad
scenario s: pays -> opened
"""


def test_what_a_change_has_broken() -> None:
    found = elaborated(GATE, broken_gate(), gate())
    breaking = by(Pattern.EXCEPTION_BREAKS_CAUSATION, found)
    assert texts(breaking.pattern, found) == ["while (!defect): pays -> opened", "while (defect): pays -> alarmed"]
    assert breaking.found[0].showing.strategy == "avoid-new-transitions"
    assert breaking.found[1].note == "it happens only after the cause"


def test_a_story_that_never_held_was_not_broken() -> None:
    found = elaborated(GATE, broken_gate(), broken_gate())
    assert not by(Pattern.EXCEPTION_BREAKS_CAUSATION, found).found
    # A defect that comes while somebody has paid ends the payment, and with it the condition.
    assert "while (!defect || paying): pays -> opened" in texts(Pattern.AVOID_EXCEPTION, found)


def test_exceptional_events_are_found() -> None:
    # Somebody may take the coin back before the gate opens.
    steps = [(0, "coin", 1), (1, "opens", 2), (2, "pass", 0), (1, "refund", 0), (0, "wait", 0)]
    words = "event pays = coin\nevent opened = opens\nevent refunded = refund\nevent passes = pass\n"
    found = elaborated(words + "scenario s: pays -> opened", model_of(steps, paid=[0, 1, 0]))
    assert "pays -> opened unless refunded" in texts(Pattern.AVOID_EXCEPTION, found)


def test_both_or_either() -> None:
    """Two keepers: a call is answered while neither is away, not while at most one is."""
    states = [(one, two, called) for one in (0, 1) for two in (0, 1) for called in (0, 1, 2)]
    steps = []
    for number, (one, two, called) in enumerate(states):
        for change in ((1 - one, two), (one, 1 - two)):
            steps.append((number, "leave", states.index((*change, called))))
        if called == 0:
            # The call goes to the first keeper who is there.
            target = 1 if not one else 2 if not two else 0
            steps.append((number, "call", states.index((one, two, target))))
            steps.append((number, "wait", number))
        else:
            away = one if called == 1 else two
            steps.append((number, "wait", number) if away else (number, "answer", states.index((one, two, 0))))
    model = model_of(steps, one=[s[0] for s in states], two=[s[1] for s in states])
    words = "event calls = call\nevent answers = answer\ncondition first = one\ncondition second = two\n"
    found = elaborated(words + "scenario s: calls -> answers", model)
    assert "while (!(first || second)): calls -> answers" in texts(Pattern.AVOID_EXCEPTION, found)
    rejected = {one.scenario.text: one.verdict for one in by(Pattern.AVOID_EXCEPTION, found).rejected}
    assert rejected["while (!(first && second)): calls -> answers"] is Verdict.VIOLATED


# ---- variables


def test_variables_that_need_not_change() -> None:
    steps = [(0, "go", 1), (1, "done", 0), (0, "tick", 2), (2, "tick", 0), (2, "go", 3), (3, "done", 2)]
    model = model_of(steps, **{"a.busy": [0, 1, 0, 1], "b.clock": [0, 0, 1, 1]})
    found = elaborated("event g = go\nevent d = done\nscenario s: g -> d", model)
    assert texts(Pattern.VARIABLE_SUBSET, found) == ["g ~> d unless changes(b.*)"]


# ---- bounds, interruptions


def test_a_search_that_is_cut_short_says_so_and_keeps_what_it_has() -> None:
    found = elaborated(WORDS + "scenario s: pressed -> boils", kettle(), most_checks=4)
    assert any("cut short" in remark for one in found.findings for remark in one.remarks)


@pytest.mark.parametrize("patience", [1, 5, 10, 15, 20])
def test_what_was_found_is_told_when_somebody_does_not_want_to_wait(patience: int) -> None:
    story = read_story(WORDS + "scenario s: pressed -> clicks", "small.scenarios")
    calls = 0

    def progress(phase: str, /, **counts: int) -> None:
        nonlocal calls
        calls += 1
        if calls == patience:
            raise KeyboardInterrupt

    found = Elaborator(Validator(kettle(), story.vocabulary), progress=progress).elaborate(story.scenarios[0])
    whole = Elaborator(Validator(kettle(), story.vocabulary)).elaborate(story.scenarios[0])
    told = [one.scenario.text for one in found.found]
    assert found.interrupted
    assert told == [one.scenario.text for one in whole.found][: len(told)]


def test_conditions_that_were_found_before_a_stop_are_told() -> None:
    """The more candidates are looked at, the more is found, and nothing that does not hold."""
    counts = []
    for most in range(1, 40):
        found = elaborated(GATE, broken_gate(), gate(), most_checks=most)
        assert all(one.verdict is Verdict.HOLDS for one in found.found)
        counts.append(len(found.found))
    assert counts[0] == 0
    assert len(set(counts)) > 2, "some searches were stopped half way and have something to tell"
    assert counts[-1] == len(elaborated(GATE, broken_gate(), gate()).found)


# ---- kept stories


def test_stories_stand_below_those_that_they_were_made_from() -> None:
    text = "a -> b\nscenario one: b -> c from two by luck\nscenario two: a ~> c from one by luck\n"
    text += "scenario three: a -> c from two by luck\nscenario four: c -> a from nothing by luck\n"
    text += 'scenario five: a <- b from "a -> b" by luck\n'
    kept = grown(read_story(text, "kept.scenarios").scenarios)
    walked = [(one.depth, one.scenario.name, one.is_orphan) for one in kept]
    assert walked == [
        (0, "", False),
        (1, "five", False),
        (0, "one", True),
        (1, "two", False),
        (2, "three", False),
        (0, "four", True),
    ]


def test_a_long_line_of_stories_is_no_problem() -> None:
    lines = "".join(f"scenario s{n}: a -> b from s{n - 1} by luck\n" for n in range(3000))
    assert [one.depth for one in grown(read_story(lines, "kept.scenarios").scenarios)] == list(range(3000))


def test_a_kept_story_reads_back() -> None:
    text = WORDS + "scenario s: pressed -> boils"
    story = read_story(text, "small.scenarios")
    found = Elaborator(Validator(kettle(), story.vocabulary)).elaborate(story.scenarios[0]).found[0].scenario
    line = kept_line(found, "weaker", ["s"], story.vocabulary)
    kept = read_story(with_line(text, line), "small.scenarios").scenarios[-1]
    assert (kept.name, kept.text, kept.ancestry) == ("weaker", found.text, found.ancestry)
    with pytest.raises(InputError):
        kept_line(found, "s", ["s"], story.vocabulary)
