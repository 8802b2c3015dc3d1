"""Which labels of a model an event of a formula means.

A pattern is held against the whole label, as `transform --hide` does it; a bare name `f` also means `f(…)` with any
arguments. In an abstraction an argument of a label may stand for several values, so that an event may be meant or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from stateglass.check.truth import Truth
from stateglass.model import Action, Model, Relation, Verb, parsed
from stateglass.program.faults import FaultKind
from stateglass.relate.patterns import Pattern
from stateglass.values.abstract.texts import is_vague, may_be_one_of

ERRORS: Final = frozenset(str(Action(Verb.ERROR, kind.value)) for kind in FaultKind)
"""What code may end with, whether a model of it does or not."""
# Texts that no value has: a pattern that takes both in place of an argument takes anything there.
_STRANGE: Final = ("\x00", "\x01\x02\x03")


def labels_meant(text: str, model: Model) -> Truth:
    """Where a pattern matches, label by label."""
    matches = matcher(text)
    must = np.array([matches(label) for label in model.labels], dtype=np.bool_)
    may = must
    if model.origin.relation is Relation.OVER:
        may = must.copy()
        for number, label in enumerate(model.labels):
            if _vague_arguments(label):
                must[number], may[number] = _surely(matches, label), _perhaps(text, matches, label)
    return Truth.known(must) if may is must or (may == must).all() else Truth(must, may)


def label_meant(text: str, model: Model) -> Truth:
    """Where a label is this one; in an abstraction, one that stands for several values may be it."""
    must = np.array([label == text for label in model.labels], dtype=np.bool_)
    if model.origin.relation is not Relation.OVER:
        return Truth.known(must)
    vague = [_vague_arguments(label) and _may_stand_for(label, text) for label in model.labels]
    return Truth(must, must | np.array(vague, dtype=np.bool_))


def matcher(text: str) -> Callable[[str], bool]:
    """Whether a label is meant."""
    pattern = Pattern.of(text)
    if "(" in text or text.startswith("re:"):
        return pattern.matches
    return lambda label: pattern.matches(label) or pattern.matches(parsed(label).head)


def means_error(text: str) -> bool:
    """Whether a pattern for errors means one that there is."""
    matches = matcher(text)
    return text.partition("(")[0] == Verb.ERROR.value and any(matches(label) for label in ERRORS)


def _vague_arguments(label: str) -> bool:
    return any(is_vague(argument) for argument in parsed(label).inside)


def _surely(matches: Callable[[str], bool], label: str) -> bool:
    action = parsed(label)

    def with_all(strange: str) -> str:
        arguments = (strange if is_vague(a) else a for a in action.inside)
        return str(Action(None, action.head, tuple(arguments)))

    return all(matches(with_all(strange)) for strange in _STRANGE)


def _perhaps(text: str, matches: Callable[[str], bool], label: str) -> bool:
    """Never False where some value of the arguments makes the pattern match."""
    wanted, given = parsed(text).inside, parsed(label).inside
    if text.startswith("re:") or "\\" in text or len(wanted) != len(given) or any(mark in text for mark in "*?"):
        return True if _surely(matches, label) else _name_fits(text, label)
    return _may_stand_for(label, text)


def _may_stand_for(label: str, text: str) -> bool:
    """Whether a label may be one that is written without abstract values."""
    wanted, given = parsed(text), parsed(label)
    if wanted.head != given.head or len(wanted.inside) != len(given.inside):
        return False
    pairs = zip(given.inside, wanted.inside, strict=True)
    return all(may_be_one_of(one, other) if is_vague(one) else one == other for one, other in pairs)


def _name_fits(text: str, label: str) -> bool:
    """Whether the part of a pattern before its arguments may match the name; a pattern that is odd may match all."""
    name = text.partition("(")[0]
    if text.startswith("re:") or "*" in name or not name:
        return True
    return Pattern.of(name).matches(parsed(label).head)
