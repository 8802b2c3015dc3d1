"""Which values an input may take: the notation of bounds, and the values that a bound means for a C type."""

from stateglass.system.bounds.contents import MOST_ROWS, Rows, is_list, resolve_rows, texts_of
from stateglass.system.bounds.missing import Written, describe_missing, example_bound, shown_type
from stateglass.system.bounds.notation import is_input_name, parse_assignment, parse_bound, split_assignment
from stateglass.system.bounds.resolve import MOST_VALUES, default_values, resolve
from stateglass.system.bounds.spec import (
    AnyBool,
    BoundSpec,
    Category,
    ListOf,
    Names,
    Number,
    Range,
    Strings,
    Union,
    Values,
)

__all__ = [
    "MOST_ROWS",
    "MOST_VALUES",
    "AnyBool",
    "BoundSpec",
    "Category",
    "ListOf",
    "Names",
    "Number",
    "Range",
    "Rows",
    "Strings",
    "Union",
    "Values",
    "Written",
    "default_values",
    "describe_missing",
    "example_bound",
    "is_input_name",
    "is_list",
    "parse_assignment",
    "parse_bound",
    "resolve",
    "resolve_rows",
    "shown_type",
    "split_assignment",
    "texts_of",
]
