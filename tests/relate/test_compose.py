"""Laws of parallel composition, its agreement with a composition by definition, and mCRL2's communication."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from stateglass.model import TAU, Assumption, Model, ModelBuilder, Origin, Proposition, Relation, Sort
from stateglass.operations.composing import compose_models
from stateglass.reduce import Equivalence, reduce, silent
from stateglass.relate import RELATIONS, Related, compare
from stateglass.relate.interning import Interner
from stateglass.source import InputError, Topic
from tests.relate.random_models import built, random_pair, random_rows

CONGRUENCES = list(RELATIONS)


def together(*models: Model, shared: Sequence[str] | None = None) -> Model:
    return compose_models(models, [f"m{i}" for i, _ in enumerate(models)], shared)


def related(a: Model, b: Model, by: str = "strong") -> bool:
    return isinstance(compare(a, b, RELATIONS[by], progress=silent), Related)


def random_model(chance: random.Random, ends: bool = True) -> Model:
    states = chance.randint(1, 4)
    ended = [s for s in range(states) if ends and chance.random() < 0.2]
    return built(random_rows(chance, states), states, ends=ended)


def by_definition(models: Sequence[Model]) -> tuple[set[tuple[tuple[int, ...], str, tuple[int, ...]]], int]:
    """The transitions of the composition by alphabets, between tuples of states, found one at a time."""
    rows = [
        list(zip(m.sources.tolist(), [m.labels[a] for a in m.actions.tolist()], m.targets.tolist(), strict=True))
        for m in models
    ]
    start = tuple(m.initial for m in models)
    found, seen, work = set(), {start}, [start]
    while work:
        state = work.pop()
        after: list[tuple[str, tuple[int, ...]]] = []
        for label in {label for m in models for label in m.labels}:
            if label == TAU:
                for i, s in enumerate(state):
                    after += [(TAU, (*state[:i], t, *state[i + 1 :])) for x, a, t in rows[i] if x == s and a == TAU]
                continue
            ways = [state]
            for i, m in enumerate(models):
                if label in m.labels:
                    ways = [
                        (*w[:i], t, *w[i + 1 :]) for w in ways for x, a, t in rows[i] if x == state[i] and a == label
                    ]
            after += [(label, way) for way in ways]
        for label, target in after:
            found.add((state, label, target))
            if target not in seen:
                seen.add(target)
                work.append(target)
    return found, len(seen)


def test_agrees_with_the_definition() -> None:
    chance = random.Random(7)
    for _ in range(300):
        models = [random_model(chance) for _ in range(chance.randint(2, 3))]
        model = together(*models)
        rows, states = by_definition(models)
        assert (model.states, model.transitions) == (states, len(rows))
        assert sorted(label for _, label, _ in rows) == sorted(model.labels[a] for a in model.actions.tolist())


def test_commutative_and_associative() -> None:
    chance = random.Random(8)
    for _ in range(150):
        a, b, c = (random_model(chance) for _ in range(3))
        assert related(together(a, b), together(b, a))
        assert related(together(together(a, b), c), together(a, together(b, c)))
        assert related(together(a, b, c), together(a, together(b, c)))


@pytest.mark.parametrize("by", CONGRUENCES)
def test_is_a_congruence(by: str) -> None:
    """What is related stays related in every context. The alphabets must be the same: they say who waits for whom."""
    chance = random.Random(by)
    tried = 0
    while tried < 60:
        a, b = random_pair(chance, ends=False)
        context = random_model(chance, ends=False)
        if set(a.labels) - {TAU} == set(b.labels) - {TAU} and related(a, b, by):
            tried += 1
            assert related(together(a, context), together(b, context), by)


@pytest.mark.parametrize("equivalence", [e for e in Equivalence if e is not Equivalence.PEEPHOLE])
def test_reducing_before_or_after_makes_no_difference(equivalence: Equivalence) -> None:
    chance = random.Random(str(equivalence))
    for _ in range(60):
        a, b = random_model(chance, ends=False), random_model(chance, ends=False)
        small = reduce(a, equivalence).model
        if set(small.labels) - {TAU} == set(a.labels) - {TAU}:
            assert related(together(a, b), together(small, b), equivalence.value)


def chain(*labels: str) -> Model:
    builder = ModelBuilder()
    for i, label in enumerate(labels):
        builder.add(i, label, i + 1)
    return builder.build(len(labels) + 1)


def labels_done(model: Model) -> set[str]:
    return {label for label, count in model.label_counts().items() if count}


def test_an_action_that_one_waits_for_in_vain_never_happens() -> None:
    model = together(chain("a", "b"), chain("b", "a"))
    assert (model.states, model.transitions) == (1, 0)
    assert set(model.labels) == {"a", "b"}
    assert model.deadlocks.tolist() == [0]


def test_only_named_labels_are_taken_together() -> None:
    assert together(chain("a", "b"), chain("a", "b"), shared=["a"]).states == 1 + 4
    assert together(chain("a", "b"), chain("a", "b"), shared=[]).states == 9
    with pytest.raises(InputError, match="no label `c`"):
        together(chain("a"), chain("a"), shared=["c"])


def communicating(*models: Model, comm: Sequence[str], allow: Sequence[str] | None) -> Model:
    return compose_models(models, [f"m{i}" for i, _ in enumerate(models)], None, comm, allow)


def test_communication_passes_equal_arguments() -> None:
    sender, receiver = chain("send(1)"), built([(0, "get(0)", 1), (0, "get(1)", 2), (1, "x", 1), (2, "y", 2)], 3)
    model = communicating(sender, receiver, comm=["send|get->pass"], allow=["pass", "x", "y"])
    assert labels_done(model) == {"pass(1)", "y"}


def test_communication_of_three() -> None:
    model = communicating(chain("a"), chain("b"), chain("a"), comm=["a|a|b->c"], allow=["c"])
    assert (model.states, labels_done(model)) == (2, {"c"})


def test_without_allow_everything_happens_alone_and_at_once() -> None:
    model = communicating(chain("a"), chain("b"), comm=["a|b->c"], allow=None)
    assert labels_done(model) == {"a", "b", "c"}
    assert labels_done(communicating(chain("a"), chain("b"), comm=[], allow=["a|b"])) == {"a|b"}
    # In mCRL2, too, actions that can communicate do so whenever they happen at once.
    assert labels_done(communicating(chain("a"), chain("b"), comm=["a|b->c"], allow=["a|b", "c"])) == {"c"}


def test_two_communications_at_once() -> None:
    four = [chain("a"), chain("b"), chain("a"), chain("b")]
    assert labels_done(communicating(*four, comm=["a|b->c"], allow=["c|c"])) == {"c|c"}


@pytest.mark.parametrize(
    ("comm", "allow", "said"),
    [
        (["a"], None, "is no communication"),
        (["a->c"], None, "is no communication"),
        (["a|b->"], None, "is no communication"),
        (["a(1)|b->c"], None, "is no communication"),
        (["a|b->tau"], None, "the result of a communication is an action with a name"),
        (["a|tau->c"], None, "silent steps do not communicate"),
        (["a|b->c", "a|x->d"], None, "takes part in 2 communications"),
        (["a|b->c", "c|x->d"], None, "takes part in another"),
        (["a|b->c"], ["d"], "no model has an action `d`"),
    ],
)
def test_bad_communications_are_named(comm: list[str], allow: list[str] | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        communicating(chain("a"), chain("b"), comm=comm, allow=allow)


def test_multi_actions_cannot_be_taken_apart() -> None:
    with pytest.raises(InputError, match="is a multi-action already"):
        communicating(chain("a|b"), chain("c"), comm=["a|c->d"], allow=["d"])


def test_ends_and_what_is_not_explored() -> None:
    a = built([(0, "a", 1)], 2, ends=[1])
    b = built([(0, "b", 1)], 2, ends=[1], unexplored=[0])
    model = together(a, b)
    assert model.terminal is not None
    assert model.unexplored is not None
    assert model.terminal.sum() == 1
    assert model.unexplored.sum() == 2
    assert model.origin.partial == ("m1: cut",)


def test_a_partial_model_that_does_not_say_where_may_lack_something_everywhere() -> None:
    vague = ModelBuilder().build(1, origin=Origin(Relation.UNDER, partial=("lost",)))
    model = together(chain("a"), vague)
    assert model.unexplored is not None
    assert model.unexplored.all()


def test_what_the_components_bring_along_carries_their_names() -> None:
    column = Proposition("x", Sort.INT, np.array([3, 4], dtype=np.int64))
    note = Assumption(Topic.BOUND, "f.x", "any")
    builder = ModelBuilder()
    builder.add(0, "a", 1)
    origin = Origin(subject="f", bounds=(("f.x", "0..1"),), assumptions=(note,), history=("hidden: z",))
    a = builder.build(2, propositions=[column], origin=origin)
    model = together(a, chain("b"))
    assert [p.name for p in model.propositions] == ["m0.x"]
    assert sorted(model.propositions[0].values.tolist()) == [3, 3, 4, 4]
    assert model.origin.bounds == (("m0.f.x", "0..1"),)
    assert model.origin.assumptions == (Assumption(Topic.BOUND, "m0.f.x", "any"),)
    assert model.origin.history[0] == "m0: hidden: z"
    assert model.origin.subject == "f || m1"


@pytest.mark.parametrize(
    ("one", "other", "result", "partial"),
    [
        (Relation.EXACT, Relation.EXACT, Relation.EXACT, False),
        (Relation.EXACT, Relation.OVER, Relation.OVER, False),
        (Relation.EXACT, Relation.UNDER, Relation.UNDER, False),
        (Relation.OVER, Relation.UNDER, Relation.OVER, True),
    ],
)
def test_what_it_is_to_the_code(one: Relation, other: Relation, result: Relation, partial: bool) -> None:
    a, b = (ModelBuilder().build(1, origin=Origin(relation)) for relation in (one, other))
    model = together(a, b)
    assert (model.origin.relation, model.partial) == (result, partial)


def test_a_search_cut_short_says_so() -> None:
    clock = built([(i, "t", i + 1) for i in range(50)], 51)
    model = compose_models([clock, chain("a")], ["clock", "a"], most_states=10)
    assert model.origin.partial == ("the limit of 10 states was reached",)
    assert model.origin.relation is Relation.UNDER
    assert model.unexplored is not None
    assert model.unexplored.any()
    assert not model.unexplored[:5].any()
    assert not len(model.deadlocks)


def test_many_components_do_not_fit_into_one_word() -> None:
    """Thirteen of 40 states are more than 2**64 tuples, of which few are reached."""
    wheel = built([(i, "tick", (i + 1) % 40) for i in range(40)], 40)
    model = together(*[wheel] * 13)
    assert (model.states, model.transitions) == (40, 40)


def test_numbers_follow_the_order_of_first_sight() -> None:
    chance = np.random.default_rng(3)
    words = chance.integers(0, 5000, 20_000)
    interner = Interner()
    numbers = np.concatenate([interner.intern(part) for part in np.array_split(words, 7)])
    known: dict[int, int] = {}
    assert numbers.tolist() == [known.setdefault(word, len(known)) for word in words.tolist()]
    assert interner.words().tolist() == list(known)
