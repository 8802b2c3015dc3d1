"""Reads modal formulas in mCRL2's syntax, with regular formulas in their modalities."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from stateglass.logic.modal import (
    And,
    FixedPoint,
    Formula,
    Implies,
    Necessary,
    Not,
    Or,
    Possible,
    Variable,
    parts,
)
from stateglass.logic.reading.lexing import STRAY
from stateglass.logic.reading.modal_words import modal_tokens
from stateglass.logic.reading.parsing import Grammar, Misplaced
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.steps import (
    SILENTLY,
    Action,
    AndStep,
    AnyStep,
    Choice,
    Do,
    Like,
    NotStep,
    OrStep,
    Piece,
    Repeated,
)
from stateglass.source import Code, suggestion

Way = tuple[Piece, ...]

# A fixed point goes as far to the right as it can: where the parser could go on or end it, it goes on.
_RULES: Final = """
?start: implied
?implied: either | either _IMPLIES implied -> implies
?either: both (_OR both)* -> either
?both: prefixed (_AND prefixed)* -> both
?prefixed: _NOT prefixed -> negated | _BOX ways _BOX_END prefixed -> necessary
    | _DIAMOND ways _DIAMOND_END prefixed -> possible
    | LEAST NAME _DOT implied -> fixed | GREATEST NAME _DOT implied -> fixed
    | ATOM -> atom | NAME -> variable | _OPEN implied _CLOSE
?ways: sequence (_PLUS sequence)* -> choice
?sequence: repeated (_DOT repeated)* -> sequence
?repeated: repeated STAR -> again | repeated MORE -> again | one_of
?one_of: all_of (OR all_of)* -> one_of
?all_of: single (AND single)* -> all_of
?single: NOT single -> other | ACTION -> action | NIL -> nil | _OPEN ways _CLOSE
"""
_WORDS: Final = {
    "ATOM": "a formula",
    "NAME": "a variable",
    "ACTION": "an action",
    "_DOT": "`.`",
    "_CLOSE": "`)`",
    "_BOX_END": "`]`",
    "_DIAMOND_END": "`>`",
    "_IMPLIES": "an operator",
    "_OR": "an operator",
    "_AND": "an operator",
    "_PLUS": "an operator",
    "OR": "an operator",
    "AND": "an operator",
    **dict.fromkeys(("STAR", "MORE", "NIL", "NOT", "_NOT", "_BOX", "_DIAMOND", "_OPEN", "LEAST", "GREATEST"), ""),
}
_HELP: Final = "write a formula as in [true*.lock]<true*.unlock>true or nu X. <tick>X"


def read_modal(text: Text, start: int, end: int) -> Formula | None:
    """The formula that some of the characters say; None after problems were noted."""
    tokens = modal_tokens(text, start, end)
    if any(token.type == STRAY for token in tokens):
        return None
    formula: Formula | None = _grammar().parse(text, tokens, end, "the formula", _HELP)
    if formula is not None:
        _check_variables(text, formula)
    return formula


def _check_variables(text: Text, formula: Formula) -> None:
    """Each variable belongs to a fixed point, and stands under an even number of negations within it."""
    bound: dict[str, list[bool]] = {}  # whether the fixed points around, by their variables, are negated
    work: list[tuple[Formula | str, bool]] = [(formula, False)]
    while work:
        node, negated = work.pop()
        match node:
            case str():
                bound[node].pop()
            case Variable():
                _check_variable(text, node, negated, bound)
            case FixedPoint():
                bound.setdefault(node.variable, []).append(negated)
                work += [(node.variable, False), (node.inner, negated)]
            case Not():
                work.append((node.inner, not negated))
            case Implies():
                work += [(node.right, negated), (node.left, not negated)]
            case _:
                work += [(part, negated) for part in reversed(parts(node))]


def _check_variable(text: Text, variable: Variable, negated: bool, bound: dict[str, list[bool]]) -> None:
    around = [name for name, times in bound.items() if times]
    if variable.name not in around:
        help = suggestion(variable.name, around) or "an action stands in a modality, as in <a>true"
        text.problem_at(
            variable.span, f"no fixed point has the variable `{variable.name}`", help, code=Code.UNKNOWN_NAME
        )
    elif bound[variable.name][-1] != negated:
        message = f"`{variable.name}` stands under an odd number of negations, so that there is no such fixed point"
        text.problem_at(variable.span, message, "the left side of `=>` counts as a negation")


# ---- values


def _either(*formulas: Formula) -> Formula:
    return formulas[0] if len(formulas) == 1 else Or(formulas)


def _both(*formulas: Formula) -> Formula:
    return formulas[0] if len(formulas) == 1 else And(formulas)


def _fixed(operator: Token, variable: Token, inner: Formula) -> Formula:
    return FixedPoint(operator.type == "LEAST", variable.text, inner)


def _sequence(*ways: Way) -> Way:
    return ways[0] if len(ways) == 1 else tuple(piece for way in ways for piece in way)


def _choice(*ways: Way) -> Way:
    return ways[0] if len(ways) == 1 else (Choice(ways),)


def _again(way: Way, operator: Token) -> Way:
    once = operator.type == "MORE"
    return (SILENTLY,) if way == (Do("tau"),) and not once else (Repeated(way, once),)


def _one_of(*parts: Way | Token) -> Way:
    return _joined(OrStep, parts)


def _all_of(*parts: Way | Token) -> Way:
    return _joined(AndStep, parts)


def _joined(kind: type[OrStep | AndStep], parts: tuple[Way | Token, ...]) -> Way:
    """Ways with operators between them; one alone is itself."""
    if len(parts) == 1:
        assert isinstance(parts[0], tuple)
        return parts[0]
    operator = parts[1]
    assert isinstance(operator, Token)
    return (kind(tuple(_action(part, operator) for part in parts if isinstance(part, tuple))),)


def _other(operator: Token, way: Way) -> Way:
    return (NotStep(_action(way, operator)),)


def _action(way: Way, operator: Token) -> Action:
    match way:
        case (Do() | Like() | AnyStep() | NotStep() | AndStep() | OrStep() as action,):
            return action
        case _:
            message = f"`{operator.text}` is about one step, and this is a way of several"
            raise Misplaced(operator, message, "one way or another is written `a.b + c`")


@cache
def _grammar() -> Grammar:
    making: dict[str, Any] = {
        "implies": Implies,
        "either": _either,
        "both": _both,
        "negated": Not,
        "necessary": Necessary,
        "possible": Possible,
        "fixed": _fixed,
        "atom": lambda token: token.value,
        "variable": lambda token: Variable(token.text, token.value),
        "choice": _choice,
        "sequence": _sequence,
        "again": _again,
        "one_of": _one_of,
        "all_of": _all_of,
        "other": _other,
        "action": lambda token: (token.value,),
        "nil": lambda _: (),
    }
    return Grammar(_RULES, making, _WORDS)
