"""Files of scenarios: what they say, what is wrong with them, and that they read back as they are written."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass, replace
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.evidence import Verdict
from stateglass.scenarios.english import sentence
from stateglass.scenarios.language import Act, After, Condition, EventName, Hole, Relation, Story
from stateglass.scenarios.reading import read_scenario, read_story
from stateglass.scenarios.writing import scenario_text, story_text
from stateglass.source import InputError, Span
from tests.scenarios.chances import random_fairness, random_scenario, random_vocabulary

LIFT = """
# The words.
event landing3 = call(step, LANDING_3)
event lift3    = call(step, E1_3) | call( step,E2_3 )   # in either cabin
event call3    = landing3 | lift3
event E1.floor3 = rises(E1.floor == 3)
event floor3   = E1.floor3 | rises([E2.floor == 3])
condition service = E1.service || E2.service
fair call(step, *)
strongly fair "tick # tock"

scenario landing: landing3 -> floor3
scenario weakened: call3 <-> floor3   from landing by cause   weakening
while (!service): landing3 -> floor3 unless fire
scenario known: call3 -> E1.floor3   expected violated
landing3 when (service) & lift3
    # a comment in between
    <<- floor3 between service and [E1.floor == 2]
    and init ~> changes(E1.*) after call(x)
"""
CANONICAL = """\
event landing3 = call(step, LANDING_3)
event lift3 = call(step, E1_3) | call(step, E2_3)
event call3 = landing3 | lift3
event E1.floor3 = rises(E1.floor == 3)
event floor3 = E1.floor3 | rises(E2.floor == 3)
condition service = E1.service || E2.service
fair call(step, *)
strongly fair "tick # tock"
scenario landing: landing3 -> floor3
scenario weakened: call3 <-> floor3  from landing by cause weakening
while (!service): landing3 -> floor3 unless fire
scenario known: call3 -> E1.floor3  expected violated
landing3 when (service) & lift3 <<- floor3 between service and [E1.floor == 2] and init ~> changes(E1.*) after call(x)
"""


def plain(value: object) -> object:
    """A value that can be compared: what it consists of, without places and texts as they were written."""
    if isinstance(value, Span):
        return None
    if isinstance(value, Enum):
        return value
    if is_dataclass(value):
        inner = [f for f in fields(value) if f.name not in ("text", "spans")]
        return (type(value).__name__, *(plain(getattr(value, f.name)) for f in inner))
    if isinstance(value, dict):
        return [(key, plain(inner)) for key, inner in value.items()]
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def problems(text: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        read_story(text, "f")
    return [f"{d.span}: {d.message}" + (f" ({d.help})" if d.help else "") for d in raised.value.diagnostics]


def test_a_file_is_written_as_it_was_read() -> None:
    story = read_story(LIFT, "lift.scenarios")
    assert story_text(story) == CANONICAL
    assert plain(read_story(CANONICAL)) == plain(story)


def test_what_a_file_says() -> None:
    story = read_story(LIFT, "lift.scenarios")
    landing, weakened, unnamed, known, last = story.scenarios
    assert [fair.strong for fair in story.fairness] == [False, True]
    assert landing.fairness == story.fairness
    assert weakened.parts[0].links[0].relation is Relation.LINKED
    assert weakened.ancestry is not None
    assert (weakened.ancestry.parent, weakened.ancestry.pattern) == ("landing", "cause weakening")
    assert unnamed.title == "while (!service): landing3 -> floor3 unless fire"
    assert unnamed.parts[0].exception == Act("fire")
    assert known.expected is Verdict.VIOLATED
    assert known.text == "call3 -> E1.floor3"
    assert str(last.span) == "lift.scenarios:16:1"
    assert last.parts[0].condition is None
    assert isinstance(last.parts[1].scope, After)


def test_while_is_for_all_that_follows_and_unless_for_its_own_part() -> None:
    both, other = read_story(
        "while (x): a -> b and c -> d unless e\nwhile (x): a -> b and while (true): c -> d"
    ).scenarios
    assert [part.condition is not None for part in both.parts] == [True, True]
    assert [part.exception is not None for part in both.parts] == [False, True]
    assert [part.condition is not None for part in other.parts] == [True, False]
    assert scenario_text(other) == "while (x): a -> b and while (true): c -> d"


def test_chains_and_grouping() -> None:
    (part,) = read_story("a | b & c when (x) -> (d | e) when (y) <- f").scenarios[0].parts
    assert [link.relation for link in part.links] == [Relation.LEADS_TO, Relation.ONLY_AFTER]
    assert part.links[0].effect is part.links[1].cause
    assert scenario_text(read_story("((a)|b)|c -> d").scenarios[0]) == "(a | b) | c -> d"


def test_words_of_the_vocabulary_come_before_labels() -> None:
    story = read_story('event open = call(open)\nopen -> "open"\n`open` -> open(3)\ninit -> "init"')
    first, second, third = (scenario.parts[0].links[0] for scenario in story.scenarios)
    assert first.cause == EventName("open")
    assert first.effect == second.cause == Act("open")
    assert second.effect == Act("open(3)")
    assert third.effect == Act("init")
    assert scenario_text(story.scenarios[0], story.vocabulary) == 'open -> "open"'


def test_holes() -> None:
    story = read_story("a -> ?\n? <- b\nwhile (?): a -> b\na when (?) -> b")
    assert isinstance(story.scenarios[0].parts[0].links[0].effect, Hole)
    condition = story.scenarios[2].parts[0].condition
    assert isinstance(condition, Condition)
    assert condition.is_hole
    assert [scenario_text(scenario) for scenario in story.scenarios] == [scenario.text for scenario in story.scenarios]


def test_a_scenario_of_a_command_line_has_the_words_of_a_vocabulary() -> None:
    story = read_story(LIFT)
    scenario = read_scenario(" scenario again: landing3 ~> floor3 ", story.vocabulary)
    assert (scenario.name, scenario.text) == ("again", "landing3 ~> floor3")
    assert scenario.parts[0].links[0].cause == EventName("landing3")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "event a = call(f\nevent b = \nevent c d\ncondition x = y ==\nevent b = f\na ->\nb -> c <",
            [
                "f:1:11: the closing ) of this event is missing",
                "f:2:7: the definition of `b` is empty (write it behind the equals sign)",
                "f:3:7: the definition of `c` has no equals sign (write `event c = …`)",
                "f:4:19: the predicate ends where a name or a number should stand"
                " (a predicate is an expression of C, as in [x > 0 && mode == RUN])",
                "f:5:7: `b` is defined twice (it is defined at f:2:7, too)",
                "f:6:5: the scenario ends where an event should stand (write a scenario as in `request -> answer` or"
                " `while (on): request -> answer unless reset`)",
                "f:7:8: `<` has no place in a scenario (there are the relations `~>`, `->`, `<-`, `<<-` and `<->`)",
            ],
        ),
        (
            "event a = b | c\nevent b = rises(k)\ncondition k = m\ncondition m = !k\nevent c = a\n",
            [
                "f:1:7: `a` is defined by itself (the circle is a -> c -> a)",
                "f:3:11: `k` is defined by itself (the circle is k -> m -> k)",
            ],
        ),
        ("condition c = x\nc -> a", ["f:2:1: `c` is a condition, and an event should stand here"
          " (`rises(c)` is the step that makes it true)"]),
        ("name: a -> b", ["f:1:1: `name` stands before a colon"
          " (write `scenario name: …` if it is the name of a scenario)"]),
        ("a -> b unless c unless d", ["f:1:17: there are two exceptions (join their events: `unless a | b`)"]),
        ("a -> b after c before d", ["f:1:16: there are two scopes, and a relation is judged in one"]),
        ("a -> b expected violatd", ["f:1:8: `violatd` is no verdict (did you mean `violated`?)"]),
        ("a -> b from x", ["f:1:8: write `from NAME by PATTERN` (as in `from landing by cause weakening`)"]),
        ("while x: a -> b", ["f:1:1: the condition behind `while` stands in parentheses (write `while (x > 0)`)"]),
        ("fair rises(x)\na -> b", ["f:1:6: fairness is about an action of the model"
          " (write a line `fair …` for each of its actions)"]),
        ("scenario n: a -> b\nscenario n: b -> a", ["f:2:13: there are two scenarios `n` (the first is at f:1:13)"]),
        ("scenario a -> b", ["f:1:1: `scenario` stands before a name and a colon"
          " (write `scenario NAME: request -> answer`, or leave the word out)"]),
        ("event while = a", ["f:1:7: `while` has a meaning of its own, and cannot be the name of an event"]),
        ("a -> changes(x + 1)", ["f:1:6: what changes is a name, as in changes(E1.floor)"
          " (name a proposition, or several by a pattern: changes(E1.*))"]),
        ("a", ["f:1:2: the scenario ends where a relation such as `->` or `|` should stand (write a scenario as in"
          " `request -> answer` or `while (on): request -> answer unless reset`)"]),
    ],
)  # fmt: skip
def test_everything_that_is_wrong_is_said_at_once(text: str, said: list[str]) -> None:
    assert problems(text) == said


@pytest.mark.parametrize("seed", range(200))
def test_random_scenarios_read_back(seed: int) -> None:
    chance = random.Random(seed)
    vocabulary = random_vocabulary(chance)
    fairness = random_fairness(chance)
    scenarios = tuple(replace(random_scenario(chance), name=f"s{number}", fairness=fairness) for number in range(3))
    story = Story(vocabulary, scenarios, fairness)
    read = read_story(story_text(story))
    assert plain(read) == plain(story)
    for scenario in read.scenarios:
        assert sentence(scenario).endswith(".")


PIECES = (
    *"|&()[]?:=#\"'`<>~!,\n ",
    *("->", "<-", "<<-", "<->", "~>", " a", " b.c", "call(f, 3)", " x == 1", "rises(", "falls([x])", "changes(x.*)"),
    *("\nevent e = ", "\ncondition c = ", "\nfair ", "\nscenario n: ", "while (c): ", " when (x)", " unless ", " and "),
    *(
        " between ",
        " after ",
        " before ",
        " from n by m",
        " expected violated",
        "init",
        "\n  ",
        "strongly ",
        " c ",
        " e ",
    ),
)


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_any_text_is_a_story_or_has_problems(text: str) -> None:
    try:
        story = read_story(text)
    except InputError as error:
        assert error.diagnostics
        return
    written = story_text(story)
    again = read_story(written)
    assert plain(again) == plain(story)
    assert story_text(again) == written
    for scenario in story.scenarios:
        assert sentence(scenario)


def test_long_and_deep_texts_are_no_trouble() -> None:
    many = " | ".join(f"e{number}" for number in range(3000))
    deep = "(" * 150 + "a" + ")" * 150
    story = read_story(f"{many} -> {deep} when ({' + '.join(['x'] * 3000)})")
    assert story_text(read_story(story_text(story))) == story_text(story)
    assert "nested" in problems("(" * 300 + "a" + ")" * 300 + " -> b")[0]


def test_words_that_stand_for_too_much_are_refused() -> None:
    doubled = "".join(f"event e{n + 1} = e{n} | e{n}\n" for n in range(40))
    assert problems(f"event e0 = a\n{doubled}") == ["f:13:7: `e12` has more than 10,000 parts in the end"]
    chained = "".join(f"condition c{n + 1} = c{n} && x\n" for n in range(200))
    assert problems(f"condition c0 = y\n{chained}") == ["f:101:11: `c100` is defined through more than 100 other words"]
