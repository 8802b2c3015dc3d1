"""Changes told in sentences: one for each way in which behaviour changed, with the condition under which it did."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stateglass.check.predicates import predicate_truth
from stateglass.evolution.changes import Changes
from stateglass.evolution.effects import Effect
from stateglass.evolution.outcomes import Became
from stateglass.evolution.pairing import Refusal
from stateglass.evolution.telling import changes
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Sort
from stateglass.relate import RELATIONS, Related, compare, reachable
from stateglass.work import silent
from tests.evolution.models import models, versions
from tests.relate.random_models import random_pair

State = Mapping[str, int]
Said = tuple[str, ...]
Call = Callable[[State], Iterable[tuple[Said, State]]]
"""What a function says before it ends, the end included, and the values after it; several if something is chosen."""

NAMES = {"mode": ((0, "IDLE"), (1, "RUN"), (2, "BROKEN"))}


def machine(start: State, calls: Mapping[str, Call], *, bounds: tuple[tuple[str, str], ...] = ()) -> Model:
    """A model as code gives it: states between calls, and pauses within them."""
    builder = ModelBuilder()
    numbers: dict[tuple[tuple[str, int], ...], int] = {}
    values: list[tuple[State, bool]] = []
    waiting: list[State] = []

    def inner(state: State) -> int:
        values.append((state, False))
        return len(values) - 1

    def stable(state: State) -> int:
        key = tuple(sorted(state.items()))
        if key not in numbers:
            numbers[key] = len(values)
            values.append((state, True))
            waiting.append(state)
        return numbers[key]

    stable(start)
    while waiting:
        state = waiting.pop()
        source = stable(state)
        for label, call in calls.items():
            within: dict[Said, int] = {(): inner(state)}
            builder.add(source, label, within[()])
            for said, after in call(state):
                for number in range(1, len(said)):
                    if said[:number] not in within:
                        within[said[:number]] = inner(state)
                        builder.add(within[said[: number - 1]], said[number - 1], within[said[:number]])
                builder.add(within[said[:-1]], said[-1], stable(after))
    columns = [
        Proposition(
            name,
            Sort.ENUM if name in NAMES else Sort.BOOL if name.startswith("is_") else Sort.INT,
            np.array([state[name] for state, _ in values], dtype=np.int64),
            NAMES.get(name, ()),
        )
        for name in start
    ]
    columns.append(Proposition("stable", Sort.BOOL, np.array([is_stable for _, is_stable in values], dtype=np.int64)))
    return builder.build(len(values), propositions=columns, origin=Origin(bounds=bounds))


def lines(old: Model, new: Model) -> list[str]:
    found = changes(old, new)
    assert isinstance(found, Changes)
    return list(found.lines)


def counter(limit: int, step: int = 1, *, reset: bool = True, result: int = 0) -> Model:
    def up(state: State) -> Iterable[tuple[Said, State]]:
        more = min(state["count"] + step, limit)
        yield ("return(up)",), {**state, "count": more, "mode": 2 if more == limit else 1}

    def clear(state: State) -> Iterable[tuple[Said, State]]:
        yield (f"return(clear, {result})",), {"count": 0 if reset else state["count"], "mode": 0}

    return machine({"count": 0, "mode": 0}, {"call(up)": up, "call(clear)": clear})


def test_nothing_changed() -> None:
    assert lines(counter(3), counter(3)) == []


def test_another_value() -> None:
    assert (
        lines(counter(4), counter(4, reset=False))[0]
        == "`call(clear)` now leads to count unchanged (was 0) when count > 0"
    )


def test_another_result() -> None:
    assert lines(counter(3), counter(3, result=1)) == ["`call(clear)` now returns 1 (was 0)"]


def test_another_limit() -> None:
    assert lines(counter(3), counter(5))[0] == "`call(up)` now leads to mode == RUN (was BROKEN) when count == 2"


def test_another_step() -> None:
    assert lines(counter(9), counter(9, step=2))[0] == ("`call(up)` now leads to count += 2 (was += 1) when count <= 6")


def switch(*, also: bool = False, throws: bool = False, gone: bool = False) -> Model:
    def turn(state: State) -> Iterable[tuple[Said, State]]:
        for ok in (0, 1):
            said: Said = ("call(motor.start)", f"return(motor.start, {ok})")
            said += ("call(lamp)", "return(lamp)") if also and not ok else ()
            end = "throw(turn, E)" if throws and not ok else f"return(turn, {ok})"
            yield (*said, end), {"is_on": ok or state["is_on"]}

    def set_to(value: int) -> Call:
        return lambda _: [(("return(set)",), {"is_on": value})]

    calls: dict[str, Call] = {"call(turn)": turn, "call(set, false)": set_to(0)}
    if not gone:
        calls["call(set, true)"] = set_to(1)
    return machine({"is_on": 0}, calls)


def test_other_actions_on_the_way() -> None:
    assert lines(switch(), switch(also=True)) == ["`call(turn)` now does `call(lamp)` when motor.start() == 0"]
    assert lines(switch(also=True), switch()) == ["`call(turn)` no longer does `call(lamp)` when motor.start() == 0"]


def test_another_end() -> None:
    assert lines(switch(), switch(throws=True)) == [
        "`call(turn)` now ends with `throw(turn, E)` (was `return(turn)`) when motor.start() == 0"
    ]


def test_calls_that_are_possible() -> None:
    assert lines(switch(), switch(gone=True)) == ["`call(set, true)` is no longer possible"]
    assert lines(switch(gone=True), switch()) == ["`call(set, true)` is now possible"]


def valve(broken: int, *, bounds: tuple[tuple[str, str], ...] = ()) -> Model:
    def open_to(value: int) -> Call:
        return lambda _: [(("return(open)",), {"level": 0 if value >= broken else value})]

    return machine({"level": 0}, {f"call(open, {n})": open_to(n) for n in range(6)}, bounds=bounds)


def test_arguments_are_part_of_the_condition() -> None:
    assert lines(valve(9), valve(4))[0] == (
        "`call(open, *)` now leads to level == 0 (was argument 1) when argument 1 >= 4"
    )
    named = (("open.width", "0..5"),)
    assert lines(valve(9, bounds=named), valve(4, bounds=named))[0] == (
        "`call(open, *)` now leads to level == 0 (was width) when width >= 4"
    )


def test_another_start() -> None:
    def same(state: State) -> Iterable[tuple[Said, State]]:
        yield ("return(swap)",), {"count": 3 - state["count"]}

    first, second = (machine({"count": start}, {"call(swap)": same}) for start in (1, 2))
    assert lines(first, second) == ["it starts with count == 2 (was 1)"]


def test_new_variables_are_part_of_the_condition() -> None:
    def up(state: State) -> Iterable[tuple[Said, State]]:
        more = state["count"] if state.get("is_locked") else (state["count"] + 1) % 3
        yield ("return(up)",), {**state, "count": more}

    def lock(state: State) -> Iterable[tuple[Said, State]]:
        yield ("return(lock)",), {**state, "is_locked": 1}

    old = machine({"count": 0}, {"call(up)": up})
    new = machine({"count": 0, "is_locked": 0}, {"call(up)": up, "call(lock)": lock})
    found = changes(old, new)
    assert isinstance(found, Changes)
    assert found.added == ("is_locked",)
    assert "`call(lock)` is now possible" in found.lines
    assert any(line.startswith("`call(up)` now leads to count") and "is_locked" in line for line in found.lines)


def test_plain_transition_systems() -> None:
    def system(label: str) -> Model:
        builder = ModelBuilder()
        builder.add(0, "open", 1)
        builder.add(0, "open", 2)
        builder.add(1, "close", 0)
        builder.add(2, label, 0)
        return builder.build(3)

    assert lines(system("stop"), system("stop")) == []
    assert lines(system("stop"), system("halt")) == [
        "`halt` is now possible in some cases",
        "`stop` is no longer possible in some cases",
    ]


def test_nothing_is_said_of_what_was_not_explored() -> None:
    old, new = counter(4), counter(4, reset=False)
    stable = new.propositions[-1].values != 0
    cut = replace(new, unexplored=stable, origin=Origin(partial=("cut",)))
    found = changes(old, cut)
    assert isinstance(found, Changes)
    assert (found.steps, found.skipped, found.gone_states) == ((), 5, None)
    nowhere = changes(old, replace(new, origin=Origin(partial=("cut",))))
    assert isinstance(nowhere, Changes)
    assert nowhere.steps == ()
    assert nowhere.skipped > 0


def test_a_call_that_is_not_explored_is_not_told() -> None:
    old, new = switch(), switch(throws=True)
    inner = [
        int(t) for s, t in zip(new.sources, new.targets, strict=True) if s == 0 and new.propositions[-1].values[t] == 0
    ]
    unexplored = np.zeros(new.states, dtype=np.bool_)
    unexplored[inner[0]] = True
    keep = ~np.isin(new.sources, inner[:1])
    cut = replace(
        new,
        sources=new.sources[keep],
        actions=new.actions[keep],
        targets=new.targets[keep],
        unexplored=unexplored,
        origin=Origin(partial=("cut",)),
    )
    found = changes(old, cut)
    assert isinstance(found, Changes)
    assert found.skipped == 1


def test_silent_transitions_are_part_of_what_follows_them() -> None:
    def system(label: str) -> Model:
        builder = ModelBuilder()
        builder.add(0, "tau", 1)
        builder.add(1, "tau", 2)
        builder.add(1, "open", 0)
        builder.add(2, label, 0)
        return builder.build(3)

    found = changes(system("stop"), system("halt"))
    assert isinstance(found, Changes)
    assert found.lines == ("`halt` is now possible", "`stop` is no longer possible")
    assert found.steps[0].example.new_source == 2
    assert found.steps[1].example.old_source == 2


def test_effects_are_told() -> None:
    assert Effect("x", "3", "4").text == "x == 4 (was 3)"
    assert Effect("x", "?", "unchanged").text == "x unchanged (was without a value)"
    assert Effect("x", "+= 1", "?").text == "x without a value (was += 1)"
    assert Effect("x", None, "-= 2").text == "x -= 2"
    assert Effect("x", None, None).text == "other values of x"


def test_a_renamed_variable_is_the_same() -> None:
    old, new = counter(4), counter(4, reset=False)
    columns = [replace(p, name={"count": "total"}.get(p.name, p.name)) for p in new.propositions]
    found = changes(old, replace(new, propositions=tuple(columns)))
    assert isinstance(found, Changes)
    assert (found.renamed, found.added, found.deleted) == ((("count", "total"),), (), ())
    assert found.lines[0] == "`call(clear)` now leads to total unchanged (was 0) when total > 0"


def test_changes_are_told_if_models_are_not_bisimilar() -> None:
    chance = random.Random(3)
    counts = {True: 0, False: 0}
    for _ in range(300):
        values = chance.random() < 0.5
        old, new = map(reachable, random_pair(chance, ends=chance.random() < 0.3, values=values))
        keep = ("p",) if values else ()
        same = isinstance(compare(old, new, RELATIONS["strong"], keep=keep, progress=silent), Related)
        assert (lines(old, new) == []) is same
        counts[same] += 1
    assert min(counts.values()) > 50


@given(
    st.one_of(
        versions().map(lambda pair: pair[0]), models(("on",), distinct=False), models(("count", "mode"), distinct=False)
    )
)
def test_no_model_differs_from_itself(model: Model) -> None:
    found = changes(model, model)
    assert isinstance(found, Changes)
    assert found.lines == ()


@given(versions(distinct=False))
def test_any_two_models_are_told(pair: tuple[Model, Model]) -> None:
    found = changes(*pair)
    assert isinstance(found, Changes)
    assert all(line for line in found.lines)
    assert sum(change.count for change in found.steps) <= 12 * (pair[0].states + pair[1].states) ** 2


@given(models(("on", "count", "mode")), st.integers(0, 20), st.integers(1, 20))
def test_one_changed_step_is_one_change(model: Model, which: int, shift: int) -> None:
    first = np.unique(model.sources.astype(np.int64) * 10 + model.actions, return_index=True)[1]
    if not len(first) or model.states < 2:
        return
    builders = ModelBuilder(), ModelBuilder()
    at = int(first[which % len(first)])
    for number in first.tolist():
        source, label, target = (
            int(model.sources[number]),
            model.labels[model.actions[number]],
            int(model.targets[number]),
        )
        moved = (target + 1 + shift % (model.states - 1)) % model.states if number == at else target
        builders[0].add(source, label, target)
        builders[1].add(source, label, moved)
    old, new = (b.build(model.states, model.initial, propositions=model.propositions) for b in builders)
    found = changes(old, new)
    assert not isinstance(found, Refusal)
    [change] = found.steps
    assert (change.became, change.count) == (Became.MOVED, 1)
    assert change.action == model.labels[model.actions[at]]
    condition = change.condition
    assert condition.exact
    sources = {int(model.sources[n]) for n in first.tolist() if model.actions[n] == model.actions[at]}
    if condition.predicate is not None:
        held = set(np.flatnonzero(predicate_truth(condition.predicate, old).must).tolist())
        assert held & sources == {int(model.sources[at])}
    before, after = old.valuation(change.example.old_target), new.valuation(change.example.new_target)
    assert {e.name: (e.old, e.new) for e in change.effects} == {
        name: (before[name], after[name]) for name in before if before[name] != after[name]
    }


Table = dict[tuple[str, int, int], list[tuple[Said, State]]]
CALLS = ("call(f, 1)", "call(f, 2)", "call(g)")


def random_table(chance: random.Random) -> Table:
    """What calls do by the values of two variables: at once, after an answer, or one of two things."""
    table: Table = {}
    for call, x, y in product(CALLS, range(3), range(2)):
        name, kind = call[5], chance.random()

        def after() -> State:
            return {"x": chance.randrange(3), "is_y": chance.randrange(2)}

        if kind < 0.6:
            table[call, x, y] = [((f"return({name}, {chance.randrange(2)})",), after())]
        elif kind < 0.9:
            lamp: Said = ("call(lamp)", "return(lamp)")
            table[call, x, y] = [
                (("call(m)", f"return(m, {n})", *chance.choice(((), (), lamp)), f"return({name}, {n})"), after())
                for n in range(2)
            ]
        else:
            table[call, x, y] = [((f"return({name}, 0)",), after()), ((f"throw({name}, E)",), {"x": x, "is_y": y})]
    return table


def from_table(table: Table) -> Model:
    def doing(call: str) -> Call:
        return lambda state: table[call, state["x"], state["is_y"]]

    return machine({"x": 0, "is_y": 0}, {call: doing(call) for call in CALLS})


def test_a_change_of_one_case_is_told_and_nothing_else() -> None:
    chance = random.Random(11)
    told = 0
    for _ in range(60):
        table = random_table(chance)
        key = chance.choice(sorted(table))
        changed = {**table, key: random_table(chance)[key]}
        old, new = from_table(table), from_table(changed)
        x, y, stable = (p.values for p in old.propositions)
        is_reached = bool(((x == key[1]) & (y == key[2]) & (stable != 0)).any())
        outcomes = [sorted((said, sorted(after.items())) for said, after in t[key]) for t in (table, changed)]
        found = changes(old, new)
        assert isinstance(found, Changes)
        assert bool(found.lines) == (is_reached and outcomes[0] != outcomes[1])
        assert all(change.action == key[0] for change in found.steps)
        assert all(change.condition.exact for change in found.steps)
        told += bool(found.steps)
    assert told > 30
