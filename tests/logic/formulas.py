"""Random formulas of all languages, for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from stateglass.logic import modal, patterns, predicates, steps, temporal
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate, Text

WORDS = st.sampled_from(["x", "act1.length", "f::x", "::g", "table[3].state", "odd name", "a`b", "true", "A", "p->q"])
TEXTS = st.text(max_size=6)

_UNARY = (Operator.NOT, Operator.MINUS, Operator.COMPLEMENT)
_BINARY = tuple(operator for operator in Operator if operator not in (Operator.NOT, Operator.COMPLEMENT))


def _binary(operator: Operator, left: Predicate, right: Predicate) -> Predicate:
    # A text on the left of a comparison is a name.
    compares = operator in (Operator.EQUAL, Operator.NOT_EQUAL)
    return Applied(operator, (Named("x") if compares and isinstance(left, Text) else left, right))


PREDICATES: st.SearchStrategy[Predicate] = st.recursive(
    st.one_of(
        st.builds(Number, st.integers(-(2**70), 2**70)),
        st.builds(Number, st.floats(allow_nan=False, allow_infinity=False)),
        st.builds(Text, TEXTS),
        st.builds(Named, WORDS),
    ),
    lambda inner: st.one_of(
        st.builds(lambda operator, one: Applied(operator, (one,)), st.sampled_from(_UNARY), inner),
        st.builds(_binary, st.sampled_from(_BINARY), inner, inner),
    ),
    max_leaves=8,
)

EVENTS = st.one_of(
    st.sampled_from(
        ["incr", "^incr", "~incr", "call(f, *)", "call(f)", "U", "F(3)", "X[0]", "X.*", "tau", "locks[0].lock", "a b"]
    ),
    st.sampled_from(['say("hi, you")', "f<int>(3)", "true", "*", "re:a|b", "return(f, 1, &x=7)", "AG", "A", "3"]),
    st.text(min_size=1, max_size=8).filter(lambda text: bool(text.strip()) and not text.startswith("re:")),
)
_ATOMS: st.SearchStrategy[temporal.Formula] = st.one_of(
    st.sampled_from([temporal.TRUE, temporal.FALSE]),
    st.builds(temporal.Happens, EVENTS),
    st.builds(temporal.Holds, PREDICATES),
)
_TURNS: st.SearchStrategy[temporal.Formula] = st.one_of(
    st.builds(temporal.Turns, st.sampled_from([temporal.Turn.RISES, temporal.Turn.FALLS]), PREDICATES),
    st.builds(
        temporal.Turns, st.just(temporal.Turn.CHANGES), st.builds(Named, st.sampled_from(["x", "E1.*", "t[3].s"]))
    ),
)
_BOUNDS = st.none() | st.integers(0, 10**9)


def _linear(inner: st.SearchStrategy[temporal.Formula]) -> st.SearchStrategy[temporal.Formula]:
    return st.one_of(
        st.builds(temporal.Not, inner),
        st.builds(temporal.Next, inner),
        st.builds(temporal.Eventually, inner, _BOUNDS),
        st.builds(temporal.Always, inner, _BOUNDS),
        *(st.builds(kind, inner, inner) for kind in (temporal.And, temporal.Or, temporal.Implies, temporal.Iff)),
        st.builds(temporal.Until, inner, inner, _BOUNDS),
        st.builds(temporal.WeakUntil, inner, inner),
        st.builds(temporal.Release, inner, inner),
    )


def _branching(inner: st.SearchStrategy[temporal.Formula]) -> st.SearchStrategy[temporal.Formula]:
    paths: st.SearchStrategy[temporal.Formula] = st.one_of(
        st.builds(temporal.Next, inner),
        st.builds(temporal.Eventually, inner, _BOUNDS),
        st.builds(temporal.Always, inner, _BOUNDS),
        st.builds(temporal.Until, inner, inner, _BOUNDS),
        st.builds(temporal.WeakUntil, inner, inner),
        st.builds(temporal.Release, inner, inner),
    )
    return st.one_of(
        st.builds(temporal.Quantified, st.booleans(), paths),
        st.builds(temporal.Not, inner),
        *(st.builds(kind, inner, inner) for kind in (temporal.And, temporal.Or, temporal.Implies, temporal.Iff)),
    )


LTL: st.SearchStrategy[temporal.Formula] = st.recursive(_ATOMS, _linear, max_leaves=12)
CTL: st.SearchStrategy[temporal.Formula] = st.recursive(st.one_of(_ATOMS, _TURNS), _branching, max_leaves=12)

# ---- modal formulas

_ACTIONS: st.SearchStrategy[steps.Action] = st.recursive(
    st.one_of(
        st.builds(steps.Do, st.sampled_from(["a", "b", "call(f, 3)", "tau", "nil", 'say("hi")\n', "*", "x.y", "mu"])),
        st.builds(steps.Like, st.sampled_from(["call(f, *)", "^incr(?)"])),
        st.builds(steps.AnyStep, st.booleans()),
    ),
    lambda inner: st.one_of(
        st.builds(steps.NotStep, inner),
        st.builds(steps.AndStep, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(steps.OrStep, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=4,
)


def _pieces(inner: st.SearchStrategy[steps.Piece]) -> st.SearchStrategy[steps.Piece]:
    ways = st.lists(inner, max_size=3).map(tuple)
    silent = (steps.Do("tau"),)
    return st.one_of(
        st.builds(steps.Choice, st.lists(ways, min_size=2, max_size=3).map(tuple)),
        # `tau*` has a name of its own.
        st.builds(lambda way, once: steps.Repeated(way, once or way == silent), ways, st.booleans()),
    )


PIECES: st.SearchStrategy[steps.Piece] = st.recursive(
    st.one_of(_ACTIONS, st.just(steps.SILENTLY)), _pieces, max_leaves=5
)
PATHS = st.lists(PIECES, max_size=3).map(tuple)


def _modal(inner: st.SearchStrategy[modal.Formula]) -> st.SearchStrategy[modal.Formula]:
    return st.one_of(
        st.builds(modal.Not, inner),
        st.builds(modal.And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(modal.Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(modal.Implies, inner, inner),
        st.builds(modal.Possible, PATHS, inner),
        st.builds(modal.Necessary, PATHS, inner),
        # A variable stands where nothing is negated.
        st.builds(_fixed_point, st.booleans(), st.sampled_from(["X", "Y"]), inner, PATHS),
    )


def _fixed_point(least: bool, name: str, inner: modal.Formula, path: tuple[steps.Piece, ...]) -> modal.Formula:
    return modal.FixedPoint(least, name, modal.Or((inner, modal.Possible(path, modal.Variable(name)))))


MODAL: st.SearchStrategy[modal.Formula] = st.recursive(
    st.one_of(
        st.sampled_from([modal.TRUE, modal.FALSE, modal.Ended()]),
        st.builds(modal.Holds, PREDICATES.filter(lambda p: not isinstance(p, predicates.Named))),
    ),
    _modal,
    max_leaves=8,
)

# ---- requirements

THINGS: st.SearchStrategy[temporal.Formula] = st.recursive(
    st.one_of(st.builds(temporal.Happens, EVENTS), st.builds(temporal.Holds, PREDICATES)),
    lambda inner: st.one_of(
        st.builds(temporal.Not, inner), st.builds(temporal.And, inner, inner), st.builds(temporal.Or, inner, inner)
    ),
    max_leaves=4,
)
_ONE, _TWO = st.tuples(THINGS), st.tuples(THINGS, THINGS)
_SIDES = st.one_of(st.tuples(_ONE, _ONE), st.tuples(_ONE, _TWO), st.tuples(_TWO, _ONE))
REQUIREMENTS: st.SearchStrategy[patterns.Requirement] = st.builds(
    patterns.Requirement,
    st.one_of(
        *(st.builds(kind, THINGS) for kind in (patterns.Absence, patterns.Universality, patterns.Existence)),
        st.builds(patterns.Bounded, THINGS, st.integers(1, 100)),
        _SIDES.map(lambda sides: patterns.Precedence(*sides)),
        _SIDES.map(lambda sides: patterns.Response(*sides)),
    ),
    st.one_of(
        st.just(patterns.Globally()),
        st.builds(patterns.Before, THINGS),
        st.builds(patterns.After, THINGS),
        st.builds(patterns.Between, THINGS, THINGS),
        st.builds(patterns.AfterUntil, THINGS, THINGS),
    ),
)
