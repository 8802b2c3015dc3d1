"""Random claims on random component designs: the command has to say what is so on the simulator's model."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Final

from stateglass.check.deciding import decide
from stateglass.design import Design, Interaction, Passing
from stateglass.evidence import Verdict
from stateglass.logic.reading import read_claim
from stateglass.model import Model, parsed
from stateglass.model.actions import at_once
from stateglass.operations.designs import HowChecked, check_design
from tests.assemblies.interpreted import renamed

_EVENT: Final = re.compile(r"(?:\w+\.)?[\^$]\w+")
_SHAPES: Final = (
    "G({e} => {p})",
    "G {p}",
    "G({e} => F {f})",
    "F {e}",
    "G F {e}",
    "{p} W ({p} & {e})",
    "G({p} => F {q})",
    "G({p} & {e} => F {q})",
    "no-deadlock",
    "no-error",
    "G !error(completion)",
    "G !error(queue)",
    "{p} W ({p} & error(queue))",
    "G({e} => !F error)",
    "{p} U {q}",
    "F G {p}",
    "(G F {e}) => F {f}",
    "(G F {p}) => G F {e}",
    "G({e} => G !{f})",
    "F({p} & {e})",
    "ctl: AG {p}",
    "ctl: EF {q}",
    "ctl: E({p} U {q})",
)
_ENGINES: Final = ("explicit", "explicit", "auto", "predicate")
_SECONDS: Final = {"predicate": 10.0}
"""Abstractions of random designs need not come to an end."""


def random_claims(seed: int, design: Design, meant: Model) -> tuple[str, ...]:
    """Claims about events and values that a design has; `meant` knows the values."""
    chance = random.Random(seed)
    events, values = _events(design), _values(meant, chance)
    return tuple(
        chance.choice(_SHAPES).format(
            e=chance.choice(events), f=chance.choice(events), p=chance.choice(values), q=chance.choice(values)
        )
        for _ in range(4)
    )


def _events(design: Design) -> list[str]:
    owners = [("", component.name) for component in design.components]
    if design.assemblies:
        owners = [(f"{one.name}.", one.component) for one in design.assemblies[0].instances]
    found = []
    for prefix, name in owners:
        component = design.by_name[name]
        for pin in component.pins:
            found.append(f"{prefix}^{pin.name}")
            carried = pin.passed(Passing.BEGIN)
            if [one.type.name for one in carried] == ["int"]:
                found.append(f"{prefix}^{pin.name}(1)")
            if pin.is_sink or pin.interaction is Interaction.SYNCH:
                found.append(f"{prefix}${pin.name}")
    return found or ["error"]


def _values(meant: Model, chance: random.Random) -> list[str]:
    found = []
    for one in meant.propositions:
        text = one.text(chance.randrange(meant.states))
        value = str(int(text == "true")) if text in ("true", "false") else text
        found.append(f"[{one.name} {chance.choice(('==', '!='))} {value}]")
    return found or ["[true]"]


def _as_spoken_of(text: str, meant: Model) -> Model | None:
    """What is seen at a source and a sink pin in one step is called as the claim calls it; None if it does both."""
    words = set(_EVENT.findall(text))
    names = {}
    for label in meant.labels:
        parts = at_once(label)
        known = [part for part in parts if parsed(part).name in words]
        if len(known) > 1:
            return None
        names[label] = known[0] if known else parts[0]
    return renamed(meant, names.__getitem__)


def wrong_verdicts(
    seed: int, design: Design, meant: Model, counts: Counter[str], *, by_priority: bool = False
) -> list[str]:
    """What the two say differently of claims; verdicts are counted."""
    texts = random_claims(seed, design, meant)
    engine = "explicit" if by_priority else random.Random(seed).choice(_ENGINES)
    seconds = _SECONDS.get(engine, 60.0)
    how = HowChecked(claims=texts, engine=engine, most_states=200_000, seconds=seconds, fixed_priority=by_priority)
    of = "claims, by priority" if by_priority else f"claims, {engine}"
    (found,) = check_design(design, how)
    wrong = []
    for text, checked in zip(texts, found.checked, strict=True):
        spoken = _as_spoken_of(text, meant)
        if spoken is None:
            counts[f"{of}: left out: both ends of one interaction"] += 1
            continue
        known, said = decide(read_claim(text), spoken).verdict, checked.answer.verdict
        counts[f"{of}: {known.value} / {said.value}"] += 1
        if Verdict.INCONCLUSIVE in (known, said):
            counts[f"{of}: why: {checked.answer.explanation[:60]}"] += 1
        elif (known is Verdict.VIOLATED) != (said is Verdict.VIOLATED):
            wrong.append(f"{text} is {known.value} as it is meant, {said.value} by the command ({of})")
    return wrong
