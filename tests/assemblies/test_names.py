"""Whatever things of a design are called, no two of them have one name in the program."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

from stateglass.assemblies.ccl import read_design
from stateglass.assemblies.interpretation.naming import Names
from stateglass.design import START, Design
from stateglass.evidence import Verdict
from stateglass.operations.designs import HowChecked, check_design
from stateglass.source import InputError
from tests.assemblies.exploring import TooLarge
from tests.assemblies.generator import WHOLE, random_design
from tests.assemblies.interpreted import TooMany, interpreted_model

WORDS: Final = (
    "a",
    "b",
    "in",
    "at",
    "on",
    "by",
    "to",
    "does",
    "back",
    "begin",
    "end",
    "fsp",
    "choose",
    "_",
    "currState",
)
NAMES: Final = (*WORDS, *(f"{one}_{other}" for one, other in product(WORDS, repeat=2)))


def test_names_are_given_once() -> None:
    names = Names()
    given = [names.new(*parts) for length in (1, 2, 3) for parts in product(WORDS[:9] + WORDS[-4:], repeat=length)]
    inner = Names(names)
    given += [inner.new(*parts) for parts in product(WORDS, repeat=2)]
    assert len(set(given)) == len(given)
    assert all(name.isidentifier() and not name.startswith("_") for name in given)


def test_names_of_ours_and_of_the_compiler_are_nobody_elses() -> None:
    either = "a -> a { trigger ^in(); action choose = !choose; } a -> a { trigger ^in(); }"
    text = "component NAME() { bool choose; sink asynch in(); threaded react OWN(in) { start -> a {} WAYS } }"
    for name, own in (("fsp", "R"), ("_Static", "assert"), ("__builtin", "trap")):
        design = read_design(text.replace("NAME", name).replace("OWN", own).replace("WAYS", either), "names.ccl")
        (found,) = check_design(design, HowChecked(claims=("F [choose == 1]",), engine="explicit"))
        assert found.checked[0].answer.verdict is Verdict.VIOLATED, name


def test_what_is_called_stands_before_those_who_call_it() -> None:
    """A thread calls `u`, and then `v`, which calls `u`, too."""
    text = """
component U() { sink synch p(); react R(p) { start -> a {} a -> a { trigger ^p(); action $p(); } } }
component V() { sink synch p(); source synch q();
    react R(p, q) { start -> a {} a -> a { trigger ^p(); action { ^q(); $p(); } } } }
component T() { source synch first(); source synch then();
    threaded react R(first, then) { start -> a { action { ^first(); ^then(); } } state a {} } }
assembly all() { T t(); U u(); V v(); t:first ~> u:p; t:then ~> v:p; v:q ~> u:p; }
"""
    (found,) = check_design(
        read_design(text, "calls.ccl"), HowChecked(claims=("F t.$then", "F v.$q"), engine="explicit")
    )
    assert [one.answer.verdict for one in found.checked] == [Verdict.HOLDS, Verdict.HOLDS]


def called_otherwise(node: Any, names: Mapping[str, str]) -> Any:
    """The same design with other names: whatever text is a name gets the one that it is mapped to."""
    if isinstance(node, str):
        return names.get(node, node)
    if isinstance(node, tuple):
        return tuple(called_otherwise(one, names) for one in node)
    if is_dataclass(node) and not isinstance(node, type):
        texts = {one.name for one in fields(node)} & {"file", "framework", "text"}
        own = {one.name: getattr(node, one.name) for one in fields(node) if one.init and one.name not in texts}
        return replace(node, **{name: called_otherwise(value, names) for name, value in own.items()})
    return node


def _names_of(design: Design) -> Iterable[str]:
    for component in design.components:
        yield component.name
        for pin in component.pins:
            yield pin.name
        for reaction in component.reactions:
            yield reaction.name
            yield from {end for one in reaction.transitions for end in (one.source, one.target)} - {START}
        for variable in (*component.variables, *(one for r in component.reactions for one in r.variables)):
            yield variable.name
    for assembly in design.assemblies:
        for instance in assembly.instances:
            yield instance.name


def test_other_names_make_no_other_program(tmp_path: Path) -> None:
    """Names that are put together of each other's parts."""
    compared = 0
    for seed in range(20):
        design, chance = random_design(seed), random.Random(seed)
        old = sorted(set(_names_of(design)))
        other = called_otherwise(design, dict(zip(old, chance.sample(NAMES, len(old)), strict=True)))
        whole = other.assemblies[0].name if other.assemblies else other.components[0].name
        try:
            name = WHOLE if design.assemblies else design.components[0].name
            meant = interpreted_model(design, name, tmp_path, of_sinks=True, watched=False)
            found = interpreted_model(other, whole, tmp_path, of_sinks=True, watched=False)
        except (TooLarge, TooMany):
            continue
        except InputError as refused:
            assert "which several threads use" in refused.diagnostics[0].message, (seed, refused)
            continue
        assert len(found.labels) == len(meant.labels), seed
        assert (found.states, found.transitions) == (meant.states, meant.transitions), seed
        compared += 1
    assert compared >= 15
