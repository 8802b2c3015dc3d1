"""From tokens to values by a grammar, with what was expected where a text does not fit.

Values are made while the parser goes on (its transformer is part of it), so that there is no tree to be walked and
nothing recurses, however deeply a text is nested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Final, final

from lark import Lark
from lark.exceptions import UnexpectedToken

from stateglass.logic.reading.text import Text, Token
from stateglass.source import alternatives, shown

END: Final = "$END"


@final
class Misplaced(Exception):
    """Raised by what makes a value: a token fits the grammar, but not what stands around it."""

    def __init__(self, token: Token, message: str, help: str = "") -> None:
        self.token = token
        self.help = help
        super().__init__(message)


@final
class Grammar:
    """An LALR grammar over tokens that are found elsewhere.

    `making` has the function that makes the value of a rule, `words` what messages call a token; one without words is
    never suggested.
    """

    def __init__(self, rules: str, making: Mapping[str, Callable[..., Any]], words: Mapping[str, str]) -> None:
        self._words = words
        rules = f"{rules}\n%declare {' '.join(words)}\n"
        self._parser = Lark(rules, parser="lalr", lexer="basic", transformer=_Making(making))

    def parse(self, text: Text, tokens: Sequence[Token], end: int, what: str, help: str = "") -> Any:
        """The value of the tokens; None after a problem was noted. `what` is the thing that may end too early."""
        parser = self._parser.parse_interactive("")
        for number, token in enumerate(tokens):
            try:
                parser.feed_token(token)  # type: ignore[arg-type]
            except UnexpectedToken:
                expected = self._expected(tokens[:number])
                text.problem_with(token, f"{shown(token.text)} stands where {expected} should", help)
                return None
            except Misplaced as wrong:
                text.problem_with(wrong.token, str(wrong), wrong.help)
                return None
        try:
            return parser.feed_eof()  # type: ignore[no-untyped-call]
        except UnexpectedToken:
            text.problem(f"{what} ends where {self._expected(tokens)} should stand", end, end + 1, help)
            return None
        except Misplaced as wrong:
            text.problem_with(wrong.token, str(wrong), wrong.help)
            return None

    def _expected(self, tokens: Sequence[Token]) -> str:
        """What may follow. The tokens are parsed anew: a parser that has failed has taken steps towards an end."""
        parser = self._parser.parse_interactive("")
        state = parser.parser_state
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {}
        for token in tokens:
            parser.feed_token(token)  # type: ignore[arg-type]
        accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
        words = list(dict.fromkeys(word for kind, word in self._words.items() if word and kind in accepted))
        if END in accepted:
            words.append("the end")
        return alternatives(words) or "something else"


@final
class _Making:
    """The functions of a grammar, in the form that the parser looks for."""

    def __init__(self, making: Mapping[str, Callable[..., Any]]) -> None:
        for name, make in making.items():
            setattr(self, name, _of_children(make))


def _of_children(make: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    return lambda children: make(*children)
