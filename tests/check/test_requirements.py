"""Every pattern in every scope on models of a single run: kept, broken, and broken only outside the scope."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from stateglass.check.deciding import decide
from stateglass.evidence import Verdict
from stateglass.logic.reading import read_claim
from stateglass.model import Model, Proposition, Sort

LABELS: Final = ("tau", "p", "s", "t", "q", "r")
# What is said, a run that keeps it, and one that does not. `x` is 1 from the first `s` to the next `t`.
BEHAVIOURS: Final = {
    "`p` never happens": ("s t", "s p t"),
    "[x == 1] never holds": ("p t", "p s t"),
    "[x == 0] always holds": ("p t", "p s t"),
    "`p` eventually happens": ("s p", "s t"),
    "[x == 1] eventually holds": ("p s t", "p t"),
    "`p` happens at most twice": ("p s p", "p p s p"),
    "[x == 1] holds at most twice": ("s p p t s t", "s t s t s t"),
    "`s` precedes `p`": ("s p", "t p s"),
    "[x == 1] precedes `p`": ("s p t", "p s"),
    "`s` follows `p`": ("p t s", "p s p"),
    "[x == 1] follows `p`": ("p s t", "s t p"),
    "`s`, then `t` precede `p`": ("s t p", "s p t"),
    "`s` precedes `p`, then `t`": ("s p t", "p t s"),
    "`s`, then `t` follow `p`": ("p s t", "p s"),
    "`t` follows `p`, then `s`": ("p s t", "p t s"),
}
# A run with something inside of the scope, and one with something else outside of it as well.
SCOPES: Final = {
    "globally": ("{0}", "{0}"),
    "before `r`": ("{0} r", "{0} r {1}"),
    "after `q`": ("q {0}", "{1} q {0}"),
    "between `q` and `r`": ("q {0} r", "{1} q {0} r {1}"),
    "after `q` until `r`": ("q {0}", "{1} q {0} r {1}"),
}


def along(word: str) -> Model:
    """A model with this one run, which then ends."""
    events = word.split()
    values = [0]
    for event in events:
        values.append({"s": 1, "t": 0}.get(event, values[-1]))
    size = len(events)
    states = np.arange(size, dtype=np.int32)
    actions = np.array([LABELS.index(event) for event in events], dtype=np.int32)
    terminal = np.zeros(size + 1, dtype=np.bool_)
    terminal[size] = True
    x = Proposition("x", Sort.INT, np.array(values))
    return Model(size + 1, 0, states, actions, states + np.int32(1), LABELS, (x,), terminal)


def verdict(sentence: str, word: str) -> Verdict:
    return decide(read_claim(sentence), along(word)).verdict


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_patterns_in_scopes(behaviour: str, scope: str) -> None:
    kept, broken = BEHAVIOURS[behaviour]
    inside, outside = SCOPES[scope]
    sentence = f"{behaviour} {scope}"
    assert verdict(sentence, inside.format(kept)) in (Verdict.HOLDS, Verdict.VACUOUS)
    assert verdict(sentence, inside.format(broken)) is Verdict.VIOLATED
    assert verdict(sentence, outside.format(kept, broken)) in (Verdict.HOLDS, Verdict.VACUOUS)
    if inside != outside:
        assert verdict(sentence, outside.format(broken, kept)) is Verdict.VIOLATED


@pytest.mark.parametrize("scope", ["before `r`", "after `q`", "between `q` and `r`", "after `q` until `r`"])
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_nothing_is_required_where_there_is_no_such_scope(behaviour: str, scope: str) -> None:
    _, broken = BEHAVIOURS[behaviour]
    assert verdict(f"{behaviour} {scope}", broken) in (Verdict.HOLDS, Verdict.VACUOUS)


def test_between_needs_an_end() -> None:
    assert verdict("`p` never happens between `q` and `r`", "q p") in (Verdict.HOLDS, Verdict.VACUOUS)
    assert verdict("`p` never happens after `q` until `r`", "q p") is Verdict.VIOLATED
