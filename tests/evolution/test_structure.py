"""Structures with differences: what was put in comes out again, and each step is what its definition says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from stateglass.evidence import Became, Version
from stateglass.evolution.independence import dependence
from stateglass.evolution.new_steps import NewSteps, new_steps
from stateglass.evolution.pairing import Pairing, Refusal, pairing
from stateglass.evolution.structure import Kind, Structure, structure
from stateglass.evolution.structure_graph import structure_graph
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.source import InputError
from tests.evolution.models import canonical, column, models, rows, valuation, versions
from tests.evolution.taking_out import malformed, new_model, old_model


def put_together(old: Model, new: Model) -> Structure:
    found = structure(old, new)
    assert isinstance(found, Structure)
    return found


@given(versions())
def test_what_is_put_in_comes_out(pair: tuple[Model, Model]) -> None:
    old, new = pair
    both = put_together(old, new)
    assert canonical(old_model(both)) == canonical(old)
    assert canonical(new_model(both)) == canonical(new)


@given(versions(distinct=False))
def test_so_does_what_values_do_not_tell_apart(pair: tuple[Model, Model]) -> None:
    both = put_together(*pair)
    for before, after in zip(pair, (old_model(both), new_model(both)), strict=True):
        assert (rows(before), before.initial, before.states) == (rows(after), after.initial, after.states)
        assert [before.valuation(s) for s in range(before.states)] == [after.valuation(s) for s in range(after.states)]


@given(versions(distinct=False))
def test_structures_are_well_formed(pair: tuple[Model, Model]) -> None:
    assert malformed(put_together(*pair)) == ""


@given(versions(distinct=False))
def test_a_picture_shows_every_version_and_every_step(pair: tuple[Model, Model]) -> None:
    both = put_together(*pair)
    graph = structure_graph(both)
    counts = Counter(arrow.became for arrow in graph.arrows)
    kinds = {Kind.PRESERVED: None, Kind.IMPOSED: Became.APPEARED, Kind.DELETED: Became.VANISHED}
    assert {kind: counts[became] for kind, became in kinds.items()} == both.counts()
    for version, model, side in zip(Version, pair, (both.old, both.new), strict=True):
        (start,) = [number for number, spot in enumerate(graph.spots) if version in spot.starts]
        assert side.states[start] == model.initial
        shown = [dict(graph.spots[n].values) for n in np.flatnonzero(side.present)]
        values = [model.valuation(s) for s in side.states[side.present].tolist()]
        assert [{name: seen[name] for name in there} for seen, there in zip(shown, values, strict=True)] == values


@given(versions())
def test_states_and_kinds_are_as_defined(pair: tuple[Model, Model]) -> None:
    old, new = pair
    both = put_together(old, new)
    shared = {p.name for p in old.propositions} & {p.name for p in new.propositions}
    parts = list(zip(both.old.states.tolist(), both.new.states.tolist(), strict=True))
    if shared:
        seen = [{s: {x for x in valuation(m, s) if x[0] in shared} for s in range(m.states)} for m in pair]
        matched = {(o, n) for o in seen[0] for n in seen[1] if seen[0][o] == seen[1][n]}
        assert {(o, n) for o, n in parts if o >= 0 and n >= 0} == matched
    before, after = rows(old), rows(new)
    listed = {}
    for s, a, t, kind in zip(both.sources, both.actions, both.targets, both.kinds, strict=True):
        listed[int(s), both.labels[a], int(t)] = Kind(kind)
    for s, (o, n) in enumerate(parts):
        for t, (p, m) in enumerate(parts):
            for label in both.labels:
                is_old, is_new = (o, label, p) in before, (n, label, m) in after
                expected = {(1, 1): Kind.PRESERVED, (0, 1): Kind.IMPOSED, (1, 0): Kind.DELETED}.get((is_old, is_new))
                assert listed.get((s, label, t)) == expected


@given(versions())
def test_new_steps_are_those_that_no_version_of_their_ends_has(pair: tuple[Model, Model]) -> None:
    old, new = pair
    pairs = pairing(old, new)
    assert isinstance(pairs, Pairing)
    facts = new_steps(pairs)
    assert isinstance(facts, NewSteps)
    matched = list(zip(pairs.pair_old.tolist(), pairs.pair_new.tolist(), strict=True))
    before = rows(old)
    added = {p.name for p in new.propositions} - {p.name for p in old.propositions}
    for number in range(new.transitions):
        s, label, t = int(new.sources[number]), new.labels[new.actions[number]], int(new.targets[number])
        preserved = any((o, label, p) in before for o, n in matched if n == s for p, m in matched if m == t)
        assert bool(facts.is_new[number]) != preserved
        changed = [name for name in added if new.valuation(s)[name] != new.valuation(t)[name]]
        assert facts.new_variable_changes[number] == len(changed)


@given(versions())
def test_new_steps_do_not_depend_on_deleted_variables(pair: tuple[Model, Model]) -> None:
    both = put_together(*pair)
    present = both.new.present
    for name in both.deleted:
        found = dependence(both, name)
        if found is None:
            continue
        # States of the new version alone have no value of it; they differ from the others in nothing else.
        assert (both.old.states[[found.state, found.other]] < 0).any()
        assert present[[found.state, found.other]].all()


@given(models(("on", "count")))
def test_dependences_are_differences_of_a_variable_alone(model: Model) -> None:
    steps = rows(model)
    for name in ("on", "count"):
        alike = [
            (s, t)
            for s in range(model.states)
            for t in range(model.states)
            if all(model.valuation(s)[p] == model.valuation(t)[p] for p in ("on", "count") if p != name)
        ]
        unlike = [
            (s, t)
            for s, t in alike
            if {(a, x) for y, a, x in steps if y == s} != {(a, x) for y, a, x in steps if y == t}
        ]
        found = dependence(model, name)
        assert (dependence(model, name) is None) == (not unlike)
        if found is not None:
            assert (found.state, found.other) in unlike
            assert (found.state, found.action, found.target) in steps
            assert (found.other, found.action, found.target) not in steps


def test_a_variable_that_is_not_there_is_a_mistake() -> None:
    model = ModelBuilder().build(1, propositions=[column("count", ["0"])])
    with pytest.raises(InputError, match="no variable `cuont`"):
        dependence(model, "cuont")


def test_a_wrong_structure_is_told() -> None:
    builder = ModelBuilder()
    builder.add(0, "a", 0)
    old = builder.build(1, propositions=[column("on", ["true"])])
    new = builder.build(2, propositions=[column("on", ["true", "true"]), column("count", ["0", "1"])])
    both = put_together(old, new)
    assert malformed(both) == ""
    kinds = both.kinds.copy()
    kinds[kinds == Kind.DELETED] = Kind.IMPOSED
    wrong = Structure(
        both.old,
        both.new,
        both.sources,
        both.actions,
        both.targets,
        kinds,
        both.labels,
        both.old_variables,
        both.new_variables,
    )
    assert malformed(wrong) == "some of the states that are one before have a step that others lack"


def test_models_with_little_in_common_are_refused() -> None:
    size = 2000
    same = Proposition("on", Sort.BOOL, np.ones(size, dtype=np.int64))
    model = ModelBuilder().build(size, propositions=[same])
    found = structure(model, model, most=1_000_000)
    assert isinstance(found, Refusal)
    assert "too little in common" in found.reason
    assert "`on`" in found.reason


def test_models_without_propositions_are_followed_from_the_start() -> None:
    builder = ModelBuilder()
    for state in range(200):
        builder.add(state, "a", state + 1)
    old = builder.build(201)
    builder.add(200, "b", 0)
    new = builder.build(201)
    both = put_together(old, new)
    assert both.states == 201
    assert both.counts() == {Kind.PRESERVED: 200, Kind.IMPOSED: 1, Kind.DELETED: 0}


def test_states_within_calls_are_told_apart_by_how_they_are_reached() -> None:
    def version(moved: bool) -> Model:
        builder = ModelBuilder()
        builder.add(0, "call(f)", 1)
        builder.add(0, "call(g)", 2)
        builder.add(1, "return(f)", 0)
        builder.add(2, "throw(g, E)" if moved else "return(g)", 0)
        columns = [column("on", ["true"] * 3)]
        columns.append(Proposition("stable", Sort.BOOL, np.array([1, 0, 0], dtype=np.int64)))
        return builder.build(3, propositions=columns)

    both = put_together(version(False), version(True))
    assert both.states == 3
    assert both.counts() == {Kind.PRESERVED: 3, Kind.IMPOSED: 1, Kind.DELETED: 1}
