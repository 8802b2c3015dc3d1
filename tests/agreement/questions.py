"""Questions about a model, made of its own words, each asked in several notations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, final

from stateglass.model import STABLE, TAU, Model, Proposition, Sort

VALUES: Final = 3
"""So many values of a variable are asked for at most: the least, the greatest, one between them."""
VARIABLES: Final = 4
EVENTS: Final = 4
ANY: Final = "top"
"""What a state shows where the value is not known, which nobody can ask for."""


@final
@dataclass(frozen=True, slots=True)
class Question:
    """Texts of claims that all say the same, texts that say the opposite, and scenarios that say the same."""

    same: tuple[str, ...]  # the first is a linear claim
    opposite: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()


def predicates(model: Model) -> list[str]:
    """Predicates that hold in some states."""
    asked = [own for own in model.propositions if own.name != STABLE and own.sort in (Sort.BOOL, Sort.INT, Sort.ENUM)]
    return [f"{_named(own.name)} == {text}" for own in asked[:VARIABLES] for text in _values(own)]


def events(model: Model) -> list[str]:
    """Labels that are met, in quotes, from all parts of the list."""
    met = sorted({model.labels[action] for action in model.actions.tolist()} - {TAU})
    plain = [f'"{label}"' for label in met if re.fullmatch(r"[\w(), ]+", label)]
    return plain[:: max(1, len(plain) // EVENTS)][:EVENTS]


def about_states(model: Model) -> Iterator[Question]:
    for p in predicates(model):
        yield Question(
            (f"G ![{p}]", f"ctl: AG ![{p}]", f"mu: [true*]!val({p})", f"[{p}] never holds"),
            (f"ctl: EF [{p}]", f"mu: <true*>val({p})"),
        )
        yield Question(
            (f"F [{p}]", f"ctl: AF [{p}]", f"mu: mu X. val({p}) || <true>true && [true]X", f"[{p}] eventually holds")
        )
        yield Question((f"ctl: AG EF [{p}]", f"mu: [true*]<true*>val({p})"))
        yield Question((f"G F [{p}]", f"ctl: AG AF [{p}]"))
    for p, q in _beside(predicates(model)):
        yield Question(
            (f"G([{p}] => F [{q}])", f"ctl: AG([{p}] => AF [{q}])", f"[{q}] follows [{p}]"),
            (f"ctl: EF([{p}] & EG ![{q}])",),
        )
        yield Question((f"![{q}] W [{p}]", f"ctl: A[![{q}] W [{p}]]", f"[{p}] precedes [{q}]"))


def about_events(model: Model) -> Iterator[Question]:
    for a, b in _beside(events(model)):
        yield Question(
            (
                f"G({a} => F {b})",
                f"ctl: AG({a} => AF {b})",
                f"mu: [true*.{a}](mu X. <true>true && [!{b}]X)",
                f"`{b[1:-1]}` follows `{a[1:-1]}`",
            ),
            scenarios=(f"{a} -> {b}",),
        )
        yield Question(
            (
                f"!{b} W {a}",
                f"ctl: A[!{b} W {a}]",
                f"mu: [(!{a})*.{b}]false",
                f"`{a[1:-1]}` precedes `{b[1:-1]}`",
            ),
            scenarios=(f"{a} <- {b}",),
        )
        yield Question(
            (
                f"ctl: A[!{b} W {a}] & AG({b} => AX A[!{b} W {a}])",
                f"mu: [(!{a})*.{b}]false && [true*.{b}.(!{a})*.{b}]false",
            ),
            scenarios=(f"{a} <<- {b}",),
        )
        yield Question((f"ctl: EF({a} & EF {b})", f"mu: <true*.{a}.true*.{b}>true"), scenarios=(f"{a} ~> {b}",))
    for p, a in zip(predicates(model), events(model), strict=False):
        yield Question((f"G({a} => F [{p}])", f"ctl: AG({a} => AF [{p}])"))
        yield Question((f"G([{p}] => F {a})", f"ctl: AG([{p}] => AF {a})", f"`{a[1:-1]}` follows [{p}]"))


def _values(own: Proposition) -> Sequence[str]:
    defined = [int(v) for s, v in enumerate(own.values.tolist()) if own.defined is None or own.defined[s]]
    if not defined:
        return ()
    met = sorted(set(defined))
    chosen = sorted({met[0], met[len(met) // 2], met[-1]})[:VALUES]
    texts = [own.text(own.values.tolist().index(value)) for value in chosen]
    return [text for text in texts if text != ANY]


def _named(name: str) -> str:
    return name if re.fullmatch(r"[\w.\[\]:]+", name) else f"`{name}`"


def _beside(words: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs in both orders."""
    return [pair for a, b in pairwise(words) for pair in ((a, b), (b, a))]
