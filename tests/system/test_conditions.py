"""A condition in a map and a predicate in a claim that are written alike are the same expression."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stateglass.logic import predicates as p
from stateglass.logic.expressions import BINDING, PREFIXES
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.text import Text
from stateglass.system.maps import Combined, Condition, Named, Number, PlaceName, Prefixed
from stateglass.system.maps.conditions import print_condition
from stateglass.system.maps.reading_labels import parse_label_map
from stateglass.system.maps.rules import Watch

CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    st.one_of(st.builds(Number, st.integers(0, 99)), st.builds(Named, st.builds(PlaceName, st.sampled_from("xyz")))),
    lambda inner: st.one_of(
        st.builds(Prefixed, st.sampled_from(PREFIXES), inner),
        st.builds(Combined, st.sampled_from(list(BINDING)), inner, inner),
    ),
    max_leaves=8,
)
WORDS = st.lists(
    st.sampled_from(["x", "y", "7", "(", ")", *(o.value for o in p.Operator)]), min_size=1, max_size=9
).map(" ".join)


def shape_of_condition(condition: Condition) -> object:
    match condition:
        case Number(value):
            return value
        case Prefixed(operator, operand):
            return operator, shape_of_condition(operand)
        case Combined(operator, left, right):
            return operator, shape_of_condition(left), shape_of_condition(right)
        case other:
            return str(getattr(other, "place", other))


def shape_of_predicate(predicate: p.Predicate) -> object:
    match predicate:
        case p.Number(value):
            # A predicate has negative numbers.
            return value if value >= 0 else (p.Operator.MINUS, -value)
        case p.Applied(operator, operands):
            return (operator, *map(shape_of_predicate, operands))
        case p.Named(name):
            return name
        case p.Text():
            raise AssertionError("a condition has no texts")


def as_condition(text: str) -> object:
    event = parse_label_map(f"watch ({text}) => e;").rules[0].event
    assert isinstance(event, Watch)
    return shape_of_condition(event.condition)


def as_predicate(text: str) -> object:
    predicate = read_predicate(Text(text), 0, len(text))
    return None if predicate is None else shape_of_predicate(predicate)


@given(CONDITIONS)
def test_what_one_prints_both_read(condition: Condition) -> None:
    text = print_condition(condition)
    assert as_condition(text) == shape_of_condition(condition)
    assert as_predicate(text) == shape_of_condition(condition)


@given(WORDS)
def test_what_one_reads_the_other_does_too(text: str) -> None:
    predicate = as_predicate(text)
    if predicate is not None:
        assert as_condition(text) == predicate
