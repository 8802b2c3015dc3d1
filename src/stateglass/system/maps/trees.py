"""From syntax trees to values: what all statements of maps have in common."""

from __future__ import annotations

from typing import Final

from lark import Token, Tree

from stateglass.logic.predicates import Operator
from stateglass.program.abstractions import MOST_POINTS, MOST_REMAINDERS, Abstraction, Mod, Part
from stateglass.source import shown, suggestion
from stateglass.source.notation import Text
from stateglass.system.literals import Wrong, character, string
from stateglass.system.maps.abstractions import (
    MOST_NESTED_ARRAYS,
    PLAIN,
    ArrayOf,
    MapAbstraction,
)
from stateglass.system.maps.conditions import Combined, Condition, Named, Number, Prefixed
from stateglass.system.maps.places import EVERY, GLOBAL, PlaceName

MOST_DIGITS: Final = 64
FORMS: Final = "an abstraction is `top`, `minmax`, `mod(4)`, `part(0, 1, 10)`, `int`, `bool`, `free` or `T array`"
_SUFFIXES: Final = frozenset({"", "u", "l", "ul", "lu", "ll", "ull", "llu"})

# With problems noted, a value that stands in for what could not be read: it is never used.
_NO_NUMBER: Final = 1


def branches(tree: Tree[Token], name: str = "") -> list[Tree[Token]]:
    """The subtrees, or those of one name."""
    return [c for c in tree.children if isinstance(c, Tree) and name in ("", c.data)]


def words(tree: Tree[Token], *kinds: str) -> list[Token]:
    """The tokens directly below, or those of some kinds."""
    return [c for c in tree.children if isinstance(c, Token) and (not kinds or c.type in kinds)]


def problem(text: Text, token: Token, message: str, help: str = "", last: Token | None = None) -> None:
    start = token.start_pos or 0
    text.problem(message, start, (last or token).end_pos or start, help)


def abstraction_of(text: Text, tree: Tree[Token]) -> MapAbstraction:
    name, *rest = words(tree)
    found: MapAbstraction = _scalar(text, name, branches(tree, "arguments"))
    for word in rest:
        if word != "array":
            problem(text, word, f"{shown(word)} stands where `array` or `;` should", FORMS)
    if len(rest) > MOST_NESTED_ARRAYS:
        problem(text, name, f"arrays nest at most {MOST_NESTED_ARRAYS} deep", last=rest[-1])
        return found
    for _ in rest:
        found = ArrayOf(found)
    return found


def _scalar(text: Text, name: Token, arguments: list[Tree[Token]]) -> Abstraction:
    numbers = [number_of(text, n) for a in arguments for n in branches(a)]
    tokens = [words(n)[0] for a in arguments for n in branches(a)]
    match str(name):
        case "mod":
            if len(numbers) != 1:
                problem(text, name, "`mod` has one number in parentheses, the divisor", "write it as in `mod(4)`")
            elif not 1 <= numbers[0] <= MOST_REMAINDERS:
                problem(text, tokens[0], f"a divisor is a number from 1 to {MOST_REMAINDERS}")
            else:
                return Mod(numbers[0])
        case "part":
            return _part(text, name, numbers, tokens)
        case "pointer":
            problem(
                text, name, "there is no abstraction `pointer`", "write `free`: the variable keeps what it points to"
            )
        case word if word in PLAIN:
            if arguments:
                problem(text, name, f"`{word}` has nothing in parentheses")
            return PLAIN[word]
        case word:
            known = [*PLAIN, "mod", "part"]
            hint = suggestion(word, known)
            problem(text, name, f"there is no abstraction {shown(word)}", hint if "mean" in hint else FORMS)
    return PLAIN["top"]


def _part(text: Text, name: Token, numbers: list[int], tokens: list[Token]) -> Abstraction:
    if not numbers:
        problem(text, name, "`part` has numbers in parentheses, where its intervals begin", "as in `part(0, 1, 10)`")
        return PLAIN["top"]
    for i in range(1, len(numbers)):
        if numbers[i] <= numbers[i - 1]:
            ordered = Part(tuple(sorted(set(numbers))[:MOST_POINTS]))
            message = f"the numbers of `part` go upwards, and {numbers[i]} follows {numbers[i - 1]}"
            problem(text, tokens[i], message, f"write {shown(str(ordered))}")
            return ordered
    if len(numbers) > MOST_POINTS:
        problem(text, name, f"`part` has at most {MOST_POINTS} numbers")
        return PLAIN["top"]
    return Part(tuple(numbers))


def number_of(text: Text, tree: Tree[Token]) -> int:
    """`-3`, `'a'`."""
    tokens = words(tree)
    value = integer(text, tokens[-1])
    return -value if len(tokens) == 2 else value


def integer(text: Text, token: Token) -> int:
    """A number or character as C writes them; `_NO_NUMBER` after a problem."""
    if token.type == "CHARACTER":
        value = character(str(token))
        if isinstance(value, Wrong):
            problem(text, token, *value)
            return _NO_NUMBER
        return value
    written = str(token)
    if len(written) > MOST_DIGITS:
        problem(text, token, f"a number has at most {MOST_DIGITS} digits")
        return _NO_NUMBER
    lowered = written.lower()
    base = {"0x": 16, "0b": 2}.get(lowered[:2], 10)
    digits = lowered[2:] if base != 10 else lowered
    digits = digits.rstrip("ul") if digits[len(digits.rstrip("ul")) :] in _SUFFIXES else digits
    if base == 10 and digits.isdecimal() and digits[0] == "0" and digits != "0":
        decimal = digits.lstrip("0") or "0"
        problem(text, token, f"`{written}` is octal in C", f"write `{decimal}`, or hexadecimal")
        return _NO_NUMBER
    try:
        if "_" not in digits and digits.isascii():
            return int(digits, base)
    except ValueError:
        pass
    problem(text, token, f"{shown(written)} is not a number", "numbers are 10, 0x1F, 0b101 and 'a'")
    return _NO_NUMBER


def string_of(text: Text, token: Token) -> str:
    found = string(str(token))
    if isinstance(found, Wrong):
        problem(text, token, *found)
        return ""
    return found


def place_of(text: Text, tree: Tree[Token]) -> PlaceName:
    names = words(tree, "NAME")
    scoped = words(tree, "SCOPE", "COLON")
    scope = str(names[0]) if len(names) == 2 else GLOBAL if scoped else None
    steps = tuple(_step(text, step) for step in branches(tree, "step"))
    tokens = list(tree.scan_values(lambda t: isinstance(t, Token)))
    start, end = tokens[0].start_pos or 0, tokens[-1].end_pos or 0
    if scoped and not names[1:] and scoped[0].type == "COLON":
        problem(
            text, scoped[0], "`:` stands behind a function", "write `f:x` for a local variable, `::x` for a global one"
        )
    return PlaceName(str(names[-1]), steps, scope, text.span(start, end))


def _step(text: Text, tree: Tree[Token]) -> str | int:
    member = words(tree, "NAME")
    if member:
        return str(member[0])
    index = words(tree, "NUMBER")
    return integer(text, index[0]) if index else EVERY


def condition_of(text: Text, tree: Tree[Token]) -> Condition:
    match str(tree.data):
        case "condition" | "inner":
            return condition_of(text, branches(tree)[0])
        case "infix":
            left, right = branches(tree)
            operator = Operator(str(words(tree)[0]))
            return Combined(operator, condition_of(text, left), condition_of(text, right))
        case "prefix":
            return Prefixed(Operator(str(words(tree)[0])), condition_of(text, branches(tree)[0]))
        case "value":
            return Number(integer(text, words(tree)[0]))
        case "place":
            return Named(place_of(text, tree))
        case other:
            raise AssertionError(f"no part of a condition: {other}")
