"""Reads conditions that stand for themselves, each in a text of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

from stateglass.logic.predicates import Applied, Named, Operator, Predicate
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.text import Text
from stateglass.logic.vocabulary import nodes_in
from stateglass.source import Span

PREDICATE: Final = "<predicate>"
"""What stands for a file where a condition is not in one."""
_ASKING: Final = frozenset(
    (
        Operator.NOT,
        Operator.BIT_AND,  # whether bits are set
        Operator.AND_ALSO,
        Operator.OR_ELSE,
        Operator.EQUAL,
        Operator.NOT_EQUAL,
        Operator.LESS,
        Operator.LESS_EQUAL,
        Operator.GREATER,
        Operator.GREATER_EQUAL,
    )
)


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, and the text that it was read from, which collects what else is wrong with it."""

    text: Text
    predicate: Predicate

    def named(self) -> list[Named]:
        """The names in it, in the order of the text."""
        return [node for node in nodes_in(self.predicate) if isinstance(node, Named)]


def read_conditions(
    texts: Iterable[str], places: Mapping[str, Span] | None = None
) -> tuple[list[Condition], list[Text]]:
    """The conditions that can be read, and all texts, which have what is wrong with the others.

    `places` are those of texts that stand in a file.
    """
    found: list[Condition] = []
    read: list[Text] = []
    for words in texts:
        at = (places or {}).get(words, Span.at(PREDICATE, 1, 1)).start
        text = Text(words, at.file, at.line, at.column)
        read.append(text)
        predicate = read_predicate(text, 0, len(words))
        if predicate is None:
            continue
        condition = Condition(text, predicate)
        problem = _no_condition(condition)
        if problem:
            text.problem("this is no condition", 0, len(words), problem)
        else:
            found.append(condition)
    return found, read


def _no_condition(condition: Condition) -> str:
    """Why it cannot be true in one state and false in another, as advice."""
    if not condition.named():
        return "it has the same value everywhere: name a variable"
    if isinstance(condition.predicate, Applied) and condition.predicate.operator not in _ASKING:
        return "it is a number: compare it with one, as in `… != 0`"
    return ""
