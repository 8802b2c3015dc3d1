"""Hide, rename, restrict, project: what they do, what they record, and which requests are mistakes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.model import TAU, Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.operations.composing import Transformation, transform_model
from stateglass.reduce import silent
from stateglass.relate import RELATIONS, Communication, Pattern, Related, Renaming, compare, reachable
from stateglass.source import InputError, Span
from tests.formats.strategies import edges
from tests.relate.random_models import random_pair

DOOR = [(0, "call(open, 1)", 1), (1, "return(open)", 0), (0, "call(close)", 2), (2, "return(close)", 0)]


def door(origin: Origin | None = None) -> Model:
    builder = ModelBuilder()
    for row in DOOR:
        builder.add(*row, span=Span.at("door.c", row[0] + 1))
    columns = [Proposition(name, Sort.INT, np.arange(4, dtype=np.int64)) for name in ("x", "y")]
    return builder.build(4, propositions=columns, unexplored=[3], terminal=[3], origin=origin)


def changed(model: Model, **wanted: object) -> Model:
    return transform_model(model, Transformation(**wanted))[0]  # type: ignore[arg-type]


def labels(model: Model) -> list[str]:
    return [model.labels[a] for a in model.actions.tolist()]


def test_hidden_actions_are_silent() -> None:
    model = changed(door(), hide=("call(*",))
    assert edges(model) == {(0, TAU, 1), (0, TAU, 2), (1, "return(open)", 0), (2, "return(close)", 0)}
    assert set(model.labels) == {TAU, "return(open)", "return(close)"}
    assert model.origin.history == ("hidden: call(*",)


def test_transitions_that_become_the_same_are_one_and_keep_a_place() -> None:
    builder = ModelBuilder()
    builder.add(0, "b", 0, Span.at("x.c", 1))
    builder.add(0, "a", 0, Span.at("x.c", 2))
    model = changed(builder.build(1), hide=("a", "b"))
    assert edges(model) == {(0, TAU, 0)}
    assert model.span_of_transition(0) is not None


def test_places_stay_with_their_transitions() -> None:
    model = changed(door(), rename=("return(open)=a", "call(close)=b"))
    for i, source in enumerate(model.sources.tolist()):
        span = model.span_of_transition(i)
        assert span is not None
        assert span.line == source + 1


@pytest.mark.parametrize(
    ("renaming", "expected"),
    [
        ("call(close)=shut", {"shut"}),
        (r"re:call\((\w+).*\)=\1!", {"open!", "close!"}),
        ("call(*=c", {"c"}),
        ("call(close)=tau", {TAU}),
        ("call(close)=return(close)", {"return(close)"}),
    ],
)
def test_renaming(renaming: str, expected: set[str]) -> None:
    model = changed(door(), rename=(renaming,))
    assert expected <= set(labels(model))
    assert model.transitions == 4


def test_an_equals_sign_within_a_label() -> None:
    builder = ModelBuilder()
    builder.add(0, "return(f, &x=5)", 0)
    assert labels(changed(builder.build(1), rename=(r"return(f, &x\=5)=r=1",))) == ["r=1"]


def test_a_label_has_one_new_name() -> None:
    for first, second in (("call(close)=a", "*=b"), ("*=b", "call(close)=a"), ("call(close)=a", "call(close)=b")):
        with pytest.raises(InputError) as caught:
            changed(door(), rename=(first, second))
        assert f"`call(close)` has two new names: `{first}` and `{second}` both match it" in str(caught.value)
    assert set(labels(changed(door(), rename=("call(close)=b", "*=b")))) == {"b"}


def test_the_history_tells_what_was_done_and_nothing_else() -> None:
    model = changed(door(), hide=("return(*", "x*"), rename=("call(close)=shut", "re:y=z"))
    assert model.origin.history == ("hidden: return(*", "renamed: call(close) to shut")


def test_a_star_that_belongs_to_the_label() -> None:
    builder = ModelBuilder()
    for label in ("a*", "ab", "a?", "a\\*", 'say("\\n")', "re:(x)"):
        builder.add(0, label, 0)
    model = builder.build(1)
    assert set(labels(changed(model, rename=(r"a\*=star", r"a\?=mark")))) >= {"star", "mark", "ab", "a\\*"}
    assert set(labels(changed(model, rename=('say("\\n")=line',)))) >= {"line", "a*"}
    assert set(labels(changed(model, rename=(r"re:re:\(x\)=plain",)))) >= {"plain"}
    assert set(labels(changed(model, rename=("re:(x)=y",)))) == set(model.labels)
    with pytest.raises(InputError, match="has no label"):
        changed(door(), hide=(r"a\*",))


def test_only_leaves_out_all_else_but_silence() -> None:
    model = changed(changed(door(), hide=("return(close)",)), only=("call(close)", "return(open)"), reachable=True)
    assert edges(model) == {(0, "call(close)", 1), (1, TAU, 0)}
    assert model.origin.relation is Relation.UNDER
    assert "only these happen" in str(model.origin.assumptions[-1])


def test_only_on_an_abstraction_is_both_more_and_less_than_the_code() -> None:
    model = changed(door(Origin(Relation.OVER)), only=("call(close)",))
    assert (model.origin.relation, model.partial) == (Relation.OVER, True)


def test_a_restricted_model_still_knows_the_other_actions() -> None:
    assert set(changed(door(), only=("call(close)",)).labels) == set(door().labels)


def test_reachable_takes_everything_along() -> None:
    model = reachable(door())
    assert (model.states, model.initial, model.transitions) == (3, 0, 4)
    assert [p.values.tolist() for p in model.propositions] == [[0, 1, 2], [0, 1, 2]]
    assert not model.is_unexplored(2)
    assert reachable(model) is model


def test_projection_keeps_the_order_of_the_model() -> None:
    assert [p.name for p in changed(door(), project=("y", "x")).propositions] == ["x", "y"]
    assert [p.name for p in changed(door(), project=("y",)).propositions] == ["y"]
    assert changed(door(), project=()).propositions == ()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"hide": ("call(opne, 1)",)}, "has no label `call\\(opne, 1\\)`"),
        ({"hide": ("re:(",)}, "is no regular expression"),
        ({"hide": ("",)}, "a pattern is empty"),
        ({"only": ("re:",)}, "a pattern is empty"),
        ({"rename": ("call(close)",)}, "is no renaming"),
        ({"rename": ("=x",)}, "is no renaming"),
        ({"rename": ("call(close)=",)}, "is no renaming"),
        ({"rename": (r"re:call\((.*)\)=\2",)}, "cannot replace a match"),
        ({"rename": (r"re:call\(close\)()=\1",)}, "new name of `call\\(close\\)` is empty"),
        ({"hide": ("call(*",), "rename": ("call(close)=x",)}, "is both hidden and renamed"),
        ({"project": ("z",)}, "has no proposition `z`"),
    ],
)
def test_mistakes_are_named(wanted: dict[str, tuple[str, ...]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        changed(door(), **wanted)


def test_patterns_that_match_nothing_are_told() -> None:
    wanted = Transformation(hide=("x*", "call(*"), only=("re:y", "*"))
    assert transform_model(door(), wanted)[1] == ["x*", "re:y"]


@pytest.mark.parametrize("by", ["strong", "branching", "dpbranching", "weak", "dpweak", "weaktrace", "trace"])
def test_hiding_keeps_what_is_equivalent_equivalent(by: str) -> None:
    """Hiding is a congruence for all of these; by `trace`, silent steps are actions like others."""
    chance = random.Random(by)
    tried = 0
    while tried < 60:
        a, b = random_pair(chance)
        if "a" not in a.labels or "a" not in b.labels or not _related(a, b, by):
            continue
        tried += 1
        assert _related(changed(a, hide=("a",)), changed(b, hide=("a",)), by)


def _related(a: Model, b: Model, by: str) -> bool:
    return isinstance(compare(a, b, RELATIONS[by], progress=silent), Related)


@given(st.text("ab*?.[]()\\=1re:|>-t", max_size=12), st.lists(st.text("ab()[]=*.", min_size=1, max_size=5), max_size=4))
def test_every_text_is_a_pattern_or_a_mistake(text: str, known: Sequence[str]) -> None:
    for reader in (Pattern.of, Renaming.of, Communication.of):
        try:
            found = reader(text)
            if isinstance(found, Renaming):
                for label in known:
                    if found.pattern.matches(label):
                        found.apply(label)
            elif isinstance(found, Pattern):
                found.among(known)
        except InputError as error:
            assert error.diagnostics


@given(st.text("ab()[].*+\\$^|", min_size=1, max_size=8))
def test_a_label_matches_itself_if_its_stars_are_marked(label: str) -> None:
    assert Pattern.of(label.replace("*", r"\*")).matches(label)
    if r"\*" not in label:  # there the backslash says that the star is one
        assert Pattern.of(label).matches(label)
