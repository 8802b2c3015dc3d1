"""From a file of declared changes to what it says, and to the names that things have on either side of them."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.evolution.expectations.applying import renamed_in
from stateglass.evolution.expectations.language import ChangedClaim as ChangedClaim
from stateglass.evolution.expectations.language import Expectation as Expectation
from stateglass.evolution.expectations.language import RenamedAction, RenamedVariable
from stateglass.evolution.expectations.reading import MOST_BYTES, read_expectations
from stateglass.source import Code, small_text


def expectations_in(file: str) -> tuple[Expectation, ...]:
    """The declared changes of a file."""
    help = "it has lines such as `rename open -> unlock` and `claim no-error may become violated`"
    return read_expectations(small_text(file, "a file of expectations", Code.SYNTAX, MOST_BYTES, help=help), file)


def in_words_of(text: str, expectations: Sequence[Expectation], *, old: bool, variables: bool = False) -> str:
    """A text that names functions, and variables if asked, as one of the sides does."""
    for expectation in expectations:
        match expectation:
            case RenamedVariable() if not variables:
                continue
            case RenamedAction() | RenamedVariable():
                names = (expectation.new, expectation.old) if old else (expectation.old, expectation.new)
                text = renamed_in(text, *names)
            case _:
                pass
    return text
