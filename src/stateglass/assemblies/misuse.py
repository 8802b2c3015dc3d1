"""What claims on designs cannot say: states as numbers, and data that events do not carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from stateglass.logic.predicates import Applied, Named, Operator
from stateglass.logic.vocabulary import nodes_in
from stateglass.model import parsed
from stateglass.source import Span, counted

_COMPARING: Final = (Operator.EQUAL, Operator.NOT_EQUAL)
_NUMBER: Final = re.compile(r"-?[0-9]+")
_TRUTHS: Final = frozenset({"true", "false"})


def misused_states(
    content: object, states_of: Callable[[str], Sequence[str] | None]
) -> Iterator[tuple[str, str, Span, str]]:
    """Where the state of a reaction is taken for a number: a message, the name, its place, and advice.

    States have names and no numbers: they are compared with a name, or with the state of a reaction that has the same.
    """
    right: set[int] = set()
    for node in nodes_in(content):
        match node:
            case Applied(operator, (Named(left, span) as one, Named(other) as two)) if operator in _COMPARING:
                own, others = states_of(left), states_of(other)
                if own is not None and others is not None and own != others:
                    message = f"`{left}` and `{other}` have different states"
                    yield message, left, span, "compare each with the name of a state"
                right |= {id(one), id(two)} if own is not None or others is not None else set()
            case _:
                pass
    for node in nodes_in(content):
        match node:
            case Named(name, span) if id(node) not in right and (known := states_of(name)) is not None:
                yield (
                    f"`{name}` is a state and no number",
                    name,
                    span,
                    f"compare it with a name: [{name} == {known[-1]}]",
                )
            case _:
                pass


def odd_data(pattern: str, sizes: Collection[int], words: Collection[str]) -> tuple[str, str, str] | None:
    """What is wrong with the data of an event, a name in it, and advice.

    `sizes` says how many values those carry that it may mean; `words` are names that values have.
    """
    head, arguments = pattern.partition("(")[0], parsed(pattern).arguments
    plain = [text for text in arguments if "*" not in text and "?" not in text]
    for text in plain:
        if not _NUMBER.fullmatch(text) and text not in _TRUTHS and text not in words:
            return f"`{text}` is no value that `{head}` carries", text, f"any value is meant by `{head}(*)`"
    if arguments and len(plain) == len(arguments) and len(arguments) not in sizes:
        most = max(sizes, default=0)
        carries = counted(most, "value") if most else "no data"
        return f"`{head}` carries {carries}, and not {len(arguments)}", head, f"any data is meant by `{head}`"
    return None
