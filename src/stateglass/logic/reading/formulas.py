"""Reads temporal formulas, LTL and CTL."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from stateglass.logic.reading.lexing import STRAY, tokens_of
from stateglass.logic.reading.parsing import Grammar
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.temporal import (
    Always,
    And,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Until,
    WeakUntil,
)

_BOOLEAN: Final = """
?start: equal
?equal: implied | implied _IFF equal -> iff
?implied: either | either _IMPLIES implied -> implies
?either: both | either _OR both -> or_
?both: binary | both _AND binary -> and_
"""
# As in most tools, `p U q & r` is `(p U q) & r`.
_LTL: Final = (
    _BOOLEAN
    + """
?binary: unary | unary UNTIL binary -> until | unary WEAK binary -> weak | unary RELEASE binary -> release
?unary: _NOT unary -> not_ | NEXT unary -> next | EVENTUALLY unary -> eventually | ALWAYS unary -> always
    | ATOM -> atom | _OPEN equal _CLOSE
"""
)
_CTL: Final = (
    _BOOLEAN
    + """
?binary: _NOT binary -> not_ | ALL binary -> quantified | SOME binary -> quantified
    | QUANTIFIER _LEFT path _RIGHT -> some_runs | QUANTIFIER _OPEN path _CLOSE -> some_runs
    | QUANTIFIER temporal -> some_runs | ATOM -> atom | _OPEN equal _CLOSE
?path: equal UNTIL equal -> until | equal WEAK equal -> weak | equal RELEASE equal -> release | temporal
?temporal: NEXT binary -> next | EVENTUALLY binary -> eventually | ALWAYS binary -> always
"""
)
_WORDS: Final = {
    "ATOM": "a formula",
    "_NOT": "",
    "NEXT": "",
    "EVENTUALLY": "",
    "ALWAYS": "",
    "_OPEN": "",
    "_AND": "an operator",
    "_OR": "an operator",
    "_IMPLIES": "an operator",
    "_IFF": "an operator",
    "UNTIL": "an operator",
    "WEAK": "an operator",
    "RELEASE": "an operator",
    "_CLOSE": "`)`",
    "_COLON": "",
    "_LEFT": "",
    "_RIGHT": "",
    "ALL": "",
    "SOME": "",
    "QUANTIFIER": "",
}
_WORDS_CTL: Final = {
    **_WORDS,
    "NEXT": "`X`",
    "EVENTUALLY": "`F`",
    "ALWAYS": "`G`",
    "UNTIL": "`U`",
    "WEAK": "`W`",
    "RELEASE": "`R`",
    "_LEFT": "`[`",
    "_RIGHT": "`]`",
}
_HELP_LTL: Final = "write a formula as in G([data == max] & incr => F [data == 0])"
_HELP_CTL: Final = "in CTL each temporal operator stands behind A or E, as in AG(call => AF return) and A[p U q]"


def read_ltl(text: Text, start: int, end: int) -> Formula | None:
    """The LTL formula that some of the characters say; None after problems were noted."""
    return parse_ltl(text, tokens_of(text, start, end), end)


def parse_ltl(text: Text, tokens: list[Token], end: int) -> Formula | None:
    if any(token.type == STRAY for token in tokens):
        return None
    formula: Formula | None = _linear().parse(text, tokens, end, "the formula", _HELP_LTL)
    return formula


def read_ctl(text: Text, start: int, end: int) -> Formula | None:
    """The CTL formula that some of the characters say; None after problems were noted."""
    tokens = tokens_of(text, start, end, branching=True)
    if any(token.type == STRAY for token in tokens):
        return None
    formula: Formula | None = _branching().parse(text, tokens, end, "the formula", _HELP_CTL)
    return formula


def _temporal(kind: str, inner: Formula, within: int | None) -> Formula:
    match kind:
        case "NEXT":
            return Next(inner)
        case "EVENTUALLY":
            return Eventually(inner, within)
        case "ALWAYS":
            return Always(inner, within)
        case _:
            raise AssertionError(f"no operator: {kind}")


def _quantified(operator: Token, inner: Formula) -> Formula:
    kind, within = operator.value
    return Quantified(operator.type == "ALL", _temporal(kind, inner, within))


_MAKING: Final[dict[str, Any]] = {
    "iff": Iff,
    "implies": Implies,
    "or_": Or,
    "and_": And,
    "not_": Not,
    "atom": lambda token: token.value,
    "until": lambda left, operator, right: Until(left, right, operator.value),
    "weak": lambda left, _, right: WeakUntil(left, right),
    "release": lambda left, _, right: Release(left, right),
    "next": lambda operator, inner: _temporal(operator.type, inner, operator.value),
    "eventually": lambda operator, inner: _temporal(operator.type, inner, operator.value),
    "always": lambda operator, inner: _temporal(operator.type, inner, operator.value),
    "quantified": _quantified,
    "some_runs": lambda quantifier, path: Quantified(quantifier.value, path),
}


@cache
def _linear() -> Grammar:
    return Grammar(_LTL, _MAKING, _WORDS)


@cache
def _branching() -> Grammar:
    return Grammar(_CTL, _MAKING, _WORDS_CTL)
