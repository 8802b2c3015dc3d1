"""Reads predicates: C expressions over names, numbers and texts, without side effects, calls and casts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

from stateglass.logic.expressions import BINDING, LOOSEST, NAME, PREFIXES, TIGHTEST
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate
from stateglass.logic.predicates import Text as Words
from stateglass.logic.reading.floats import double, single
from stateglass.logic.reading.parsing import Grammar
from stateglass.logic.reading.scanning import unescaped
from stateglass.logic.reading.text import Text, Token
from stateglass.source import shown

MOST_DIGITS: Final = 400
_BINARY: Final = {operator.value: operator for operator in BINDING}
_UNARY: Final = {operator.value: operator for operator in PREFIXES}
_HELP: Final = "a predicate is an expression of C, as in [x > 0 && mode == RUN]"

# As names are printed, but with blanks between their parts, and `::` before one that belongs to no function.
_SPACED: Final = r"(?:::\s*)?" + NAME.replace(r"(?:\.|::|->)", r"\s*(?:\.|::|->)\s*").replace(
    r"\[\d+\]", r"\s*\[\s*\d+\s*\]"
)
_TOKEN: Final = re.compile(
    rf"""(?P<BLANK>\s+)
    |(?P<FLOAT>(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+|(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
        [fFlL]?(?![\w.]))
    |(?P<INTEGER>(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?:[uU](?:ll|LL|[lLzZ])?|(?:ll|LL|[lLzZ])[uU]?)?(?![\w.]))
    |(?P<CHARACTER>(?:u8|[uUL])?'(?:\\(?:[0-7]{{1,3}}|x[0-9a-fA-F]{{1,8}}|[abefnrtv'"?\\])|[^'\\\n])')
    |(?P<NAME>{_SPACED})
    |(?P<STRING>"(?:\\.|[^"\\])*")
    |(?P<QUOTED>`(?:\\.|[^`\\])+`)
    |(?P<ARROW><?=>)
    |(?P<OPERATOR>&&|\|\||<<|>>|<=|>=|==|!=|[-+*/%<>&^|!~])
    |(?P<_OPEN>\()|(?P<_CLOSE>\))
    |(?P<STRAY>[^\W\d]\w*|\d[\w.]*|\+\+|--|->|.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES: Final = {"a": 7, "b": 8, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_MOST_OF_CHARACTERS: Final = {"": 0x7F, "u8": 0x7F, "u": 0xFFFF, "U": 0xFFFFFFFF, "L": 0x7FFF}
"""Up to here, a character has the same value everywhere, whether `char` has a sign or not, and in any encoding."""
_MOST_OF_ESCAPES: Final = {"u8": 0xFF}
_STRAY_HELP: Final = {
    "=": "write `==`: a predicate assigns nothing",
    "=>": "it stands between predicates, `[a] => [b]`, or write `!a || b`",
    "<=>": "it stands between predicates, `[a] <=> [b]`, or write `a == b`",
    "[": "an index is a number, as in `table[3]`",
    "?": "write `a && b || !a && c`",
    ",": "write `&&`",
    '"': 'the closing " is missing',
    "'": "the closing ' is missing",
    "`": "the closing ` is missing",
}


def read_predicate(text: Text, start: int, end: int) -> Predicate | None:
    """The predicate that some of the characters say; None after a problem was noted."""
    known = len(text.problems)
    tokens = _tokens(text, start, end)
    if len(text.problems) > known:
        return None
    if not tokens:
        text.problem("a predicate is empty", start, max(end, start + 1), _HELP)
        return None
    value: Predicate | None = _grammar().parse(text, tokens, end, "the predicate", _help(tokens))
    return value


def _help(tokens: Sequence[Token]) -> str:
    """What to write instead, as far as that is known before it is clear what is wrong."""
    before = ""
    for token, after in pairwise(tokens):
        if token.text == "&" and isinstance(after.value, Named) and before not in ("ATOM", "_CLOSE"):
            return f'an address goes by its text, as in p == "&{after.value.name}"'
        if token.text == after.text and token.text in ("+", "-") and token.end == after.start:
            return f"a predicate has no side effects: `{token.text}{after.text}` changes a value"
        if isinstance(token.value, Named) and after.type == "_OPEN":
            return f"a predicate has no side effects, so that it does not call `{token.value.name}`"
        before = token.type
    return _HELP


def _tokens(text: Text, start: int, end: int) -> list[Token]:
    found: list[Token] = []
    position = start
    while position < end:
        match = _TOKEN.match(text.text, position, end)
        assert match is not None
        kind, position = str(match.lastgroup), match.end()
        if kind == "BLANK":
            continue
        if kind in ("INTEGER", "FLOAT") and _is_sign(found):
            sign = found.pop()
            if sign.end == match.start():
                found.append(_number(text, kind, match[0], sign.start, position, negative=True))
                continue
            found.append(sign)
        found.append(_token(text, kind, match[0], match.start(), position))
    return found


def _is_sign(tokens: list[Token]) -> bool:
    """Whether a number that follows belongs to a minus: `-3` is one number, `x - 3` is not."""
    if not tokens or tokens[-1].text != "-":
        return False
    return len(tokens) == 1 or tokens[-2].type not in ("ATOM", "_CLOSE")


def _token(text: Text, kind: str, word: str, start: int, end: int) -> Token:
    match kind:
        case "INTEGER" | "FLOAT":
            return _number(text, kind, word, start, end, negative=False)
        case "CHARACTER":
            return Token("ATOM", word, start, end, Number(_character(text, word, start, end)))
        case "STRING":
            return Token("ATOM", word, start, end, Words(unescaped(word[1:-1], '"')))
        case "QUOTED":
            return Token("ATOM", word, start, end, Named(unescaped(word[1:-1], "`"), text.span(start, end)))
        case "NAME" if word in ("true", "false"):
            return Token("ATOM", word, start, end, Number(int(word == "true")))
        case "NAME":
            return Token(
                "ATOM", word, start, end, Named("".join(word.split()).removeprefix("::"), text.span(start, end))
            )
        case "OPERATOR":
            both = "SIGN" if word == "-" else "PREFIX"
            level = f"OPERATOR{BINDING[_BINARY[word]]}" if word in _BINARY and word != "-" else both
            return Token(level, word, start, end)
        case "STRAY" | "ARROW":
            _stray(text, word, start, end)
        case _:
            pass
    return Token(kind, word, start, end)


def _stray(text: Text, word: str, start: int, end: int) -> None:
    help = _STRAY_HELP.get(word, "a predicate has names, numbers and the operators of C" if len(word) == 1 else _HELP)
    message = f"{shown(word)} is no number" if word[0].isdigit() else f"{shown(word)} has no place in a predicate"
    text.problem(message, start, end, help)


def _number(text: Text, kind: str, word: str, start: int, end: int, *, negative: bool) -> Token:
    value: int | float = 0
    try:
        if len(word) > MOST_DIGITS:
            raise OverflowError
        value = _integer(text, word, start, end) if kind == "INTEGER" else _float(text, word, start, end)
        if value in (float("inf"), float("-inf")):
            raise OverflowError
    except OverflowError:
        text.problem("this number is too large", start, end)
    except ValueError:
        text.problem(f"{shown(word)} is no number", start, end)
    return Token("ATOM", text.text[start:end], start, end, Number(-value if negative else value))


def _integer(text: Text, word: str, start: int, end: int) -> int:
    digits = word.rstrip("uUlLzZ")
    if "u" in word[len(digits) :].lower():
        message = f"{shown(word)} would be an unsigned number, and numbers of predicates are exact integers"
        text.problem(message, start, end, f"write {digits}: nothing wraps here, and nothing is converted")
    if digits[:2] in ("0x", "0X", "0b", "0B"):
        return int(digits, 0)
    return int(digits, 8 if digits.startswith("0") else 10)


def _float(text: Text, word: str, start: int, end: int) -> float:
    digits = word.rstrip("fFlL")  # in hexadecimal, too: there an exponent stands before the suffix
    suffix = word[len(digits) :].lower()
    if suffix == "l":
        message = f"{shown(word)} would be a long double, and predicates are computed with doubles"
        text.problem(message, start, end, f"write {digits}")
    return single(digits) if suffix == "f" else double(digits)


def _character(text: Text, word: str, start: int, end: int) -> int:
    prefix, _, inner = word[:-1].partition("'")
    if not inner.startswith("\\"):
        value, most = ord(inner), _MOST_OF_CHARACTERS[prefix]
    else:
        code = inner[1:]
        if code[0] == "x":
            value = int(code[1:], 16)
        else:
            value = int(code, 8) if code[0] in "01234567" else _ESCAPES.get(code, ord(code))
        most = _MOST_OF_ESCAPES.get(prefix, _MOST_OF_CHARACTERS[prefix])
    if value > most:
        message = f"the value of {shown(word)} is not the same on all machines"
        text.problem(message, start, end, "write the number, such as -1 or 255 for '\\xff'")
    return value


_LEVELS: Final = range(LOOSEST, TIGHTEST + 1)
_ADDING: Final = BINDING[Operator.ADD]


def _level(n: int) -> str:
    operator = f"(OPERATOR{n} | SIGN)" if n == _ADDING else f"OPERATOR{n}"
    return f"?level{n}: level{n + 1} | level{n} {operator} level{n + 1} -> binary"


_RULES: Final = "\n".join(
    [
        f"?start: level{LOOSEST}",
        *map(_level, _LEVELS),
        f"?level{TIGHTEST + 1}: (PREFIX | SIGN) level{TIGHTEST + 1} -> unary | ATOM -> atom",
        f"    | _OPEN level{LOOSEST} _CLOSE",
    ]
)
_WORDS: Final = {
    "ATOM": "a name or a number",
    "_OPEN": "",
    "_CLOSE": "`)`",
    "PREFIX": "",
    "SIGN": "",
    **{f"OPERATOR{n}": "an operator" for n in _LEVELS},
}


def _binary(left: Predicate, operator: Token, right: Predicate) -> Predicate:
    kind = _BINARY[operator.text]
    if kind in (Operator.EQUAL, Operator.NOT_EQUAL) and isinstance(left, Words):
        # `"f::x" == 3`: a text is no value that anything could be asked of, so that it is a name.
        left = Named(left.text)
    return Applied(kind, (left, right))


def _unary(operator: Token, operand: Predicate) -> Predicate:
    return Applied(_UNARY[operator.text], (operand,))


@cache
def _grammar() -> Grammar:
    making: dict[str, Any] = {"binary": _binary, "unary": _unary, "atom": lambda token: token.value}
    return Grammar(_RULES, making, _WORDS)
