"""What calls hand over and get back, for all inputs at once."""

from __future__ import annotations

from stateglass.explore.code.functions import conversions_for
from stateglass.explore.merging.contents import UNWRITTEN
from stateglass.explore.merging.context import Context
from stateglass.explore.merging.evaluating import Evaluating
from stateglass.explore.merging.frames import Value
from stateglass.explore.merging.places import MergedPlaces
from stateglass.program import Call, Function, Record, Type, is_scalar
from stateglass.smt import Term
from stateglass.source import Span
from stateglass.values import Fault


def convert_arguments(
    context: Context,
    evaluating: Evaluating,
    function: Function,
    arguments: list[Value],
    types: tuple[Type, ...],
    span: Span,
) -> None:
    """Brings arguments to what the parameters are, as a call without a prototype does."""
    try:
        conversions = conversions_for(function, types, span)
    except Fault as wrong:
        context.note(wrong.kind, context.terms.true, span)
        raise AssertionError from wrong
    for position, source, target in conversions:
        given = arguments[position]
        assert isinstance(given, Term)
        arguments[position] = evaluating.converted(source, target, given, span)


def receive(places: MergedPlaces, call: Call, value: Value) -> None:
    """Stores what a function has returned where the call says."""
    place = call.result
    if place is None:
        return
    if isinstance(place.type, Record):
        assert isinstance(value, list)
        places.store_all(place, value, call.span)
        return
    assert is_scalar(place.type)
    # A function that ended without `return` has no value, which is a fault only once it is used.
    content = value[0] if isinstance(value, list) else value
    if isinstance(content, Term):
        places.store(place, place.type, content, call.span)
    else:
        places.set_content(place, UNWRITTEN if content is None else content, call.span)
