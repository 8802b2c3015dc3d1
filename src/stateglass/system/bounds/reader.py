"""Turns the syntax tree of a bound into its value, and collects everything that is wrong with it."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, TypeVar, final

from lark import Token, Tree

from stateglass.source import Code, Diagnostic, Place, Span, pointed
from stateglass.system.bounds.spec import (
    AnyBool,
    BoundSpec,
    Category,
    ListOf,
    Names,
    Number,
    Part,
    Range,
    Strings,
    Union,
    Values,
    number_text,
)
from stateglass.system.literals import Wrong, character, string

MOST_DIGITS: Final = 64
MOST_NESTED_LISTS: Final = 16

T = TypeVar("T", int, str)


@final
class Reader:
    """One text being read. `problems` lists what was found wrong; a value comes out only if there is nothing."""

    def __init__(self, text: str, span: Span, label: str) -> None:
        self.problems: list[Diagnostic] = []
        self._text = text
        self._span = span
        self._label = label

    def problem(self, message: str, start: int, end: int, help: str = "") -> Diagnostic:
        """Notes a problem with the characters from `start` to `end`: in the file if they can be told there."""
        span = self._span
        known = span.line and span.start.line == span.end.line
        if known and span.start.column and span.end.column - span.start.column == len(self._text):
            place, column = span.start, span.start.column
            span = Span(Place(place.file, place.line, column + start), Place(place.file, place.line, column + end))
            diagnostic = Diagnostic(Code.BOUND, self._label + message, span, help=help)
        else:
            diagnostic = Diagnostic(
                Code.BOUND, f"{self._label}{message}{pointed(self._text, start, end)}", span, help=help
            )
        self.problems.append(diagnostic)
        return diagnostic

    def read(self, tree: Tree[Token]) -> BoundSpec | None:
        # Lists are the only nesting there is: unwound here, so that depth is a matter of a limit and not of the stack.
        lists: list[tuple[int, int]] = []
        node: Tree[Token] | None = _only_tree(tree)
        while node is not None and node.data == "list_of":
            lengths, *inner = _trees(node)
            node = inner[0] if inner else None
            lists.append(self._lengths(_tokens(lengths)))
            if len(lists) > MOST_NESTED_LISTS:
                self._at(_tokens(lengths)[0], f"lists nest at most {MOST_NESTED_LISTS} deep")
                return None
        spec: BoundSpec | None
        if node is None:
            spec = None
        elif node.data == "category":
            spec = Category(str(_tokens(node)[0]))
        else:
            parts = [p for child in _trees(node) for p in self._parts(child)]
            if self.problems:
                return None
            spec = parts[0] if len(parts) == 1 else Union(tuple(parts))
        if self.problems:
            return None
        for shortest, longest in reversed(lists):
            spec = ListOf(shortest, longest, spec)
        return spec

    def _parts(self, node: Tree[Token]) -> list[Part]:
        tokens = _tokens(node)
        if node.data == "any_bool":
            return [AnyBool()]
        if node.data == "range":
            return self._range(tokens)
        numbers = tuple(n for t in tokens if t.type in ("NUMBER", "CHARACTER") if (n := self._number(t)) is not None)
        names = tuple(str(t) for t in tokens if t.type == "NAME")
        texts = tuple(s for t in tokens if t.type == "STRING" if (s := self._literal(t, string(str(t)))) is not None)
        parts: list[Part] = []
        parts += [Values(numbers)] if numbers else []
        parts += [Names(names)] if names else []
        parts += [Strings(texts)] if texts else []
        return parts

    def _range(self, tokens: list[Token]) -> list[Part]:
        numbers = [self._number(t) for t in tokens]
        low, high = numbers[0], numbers[1]
        step = numbers[2] if len(numbers) == 3 else 1
        if low is None or high is None or step is None:
            return []
        if low > high:
            upwards = f"write `{number_text(high)}..{number_text(low)}`"
            self._at(tokens[0], "the range is empty: it runs downwards", upwards, tokens[1])
        if step <= 0:
            self._at(tokens[2], "a step is greater than 0")
        return [] if self.problems else [Range(low, high, step)]

    def _lengths(self, tokens: list[Token]) -> tuple[int, int]:
        numbers = [self._number(t) for t in tokens]
        for token, number in zip(tokens, numbers, strict=True):
            if number is not None and (number < 0 or not isinstance(number, int)):
                self._at(token, "the length of a list is a whole number from 0 on")
        low, high = numbers[0], numbers[-1]
        if not isinstance(low, int) or not isinstance(high, int):
            return 0, 0
        if low > high:
            self._at(tokens[0], "no length is in this range: it runs downwards", f"write `{high}..{low}`", tokens[-1])
        return low, high

    def _number(self, token: Token) -> Number | None:
        if token.type == "CHARACTER":
            return self._literal(token, character(str(token)))
        text = str(token)
        if len(text) > MOST_DIGITS:
            self._at(token, f"a number has at most {MOST_DIGITS} digits")
            return None
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        whole, dot, fraction = digits.partition(".")
        if whole.isdecimal() and not dot and (whole == "0" or whole[0] != "0"):
            return sign * int(whole)
        if whole.isdecimal() and fraction.isdecimal():
            fraction = fraction.rstrip("0")
            exact = f"{'-' if sign < 0 else ''}{int(whole)}.{fraction}"
            return Decimal(exact) if fraction else sign * int(whole)
        if whole.isdecimal() and not dot:
            self._at(
                token, f"`{text}` is octal in C", f"write `{text.replace(whole, whole.lstrip('0') or '0')}`, or hex"
            )
            return None
        base = {"0x": 16, "0b": 2}.get(digits[:2].lower())
        try:
            if base is not None and "_" not in digits:
                return sign * int(digits[2:], base)
        except ValueError:
            pass
        self._at(token, f"`{text}` is not a number", "numbers are 10, -1, 0x1F, 0b101, 0.25 and 'a', without a suffix")
        return None

    def _literal(self, token: Token, value: T | Wrong) -> T | None:
        if isinstance(value, Wrong):
            self._at(token, *value)
            return None
        return value

    def _at(self, token: Token, message: str, help: str = "", last: Token | None = None) -> None:
        start = token.start_pos or 0
        self.problem(message, start, (last or token).end_pos or start, help)


def _trees(node: Tree[Token]) -> list[Tree[Token]]:
    return [c for c in node.children if isinstance(c, Tree)]


def _only_tree(node: Tree[Token]) -> Tree[Token]:
    return _trees(node)[0]


def _tokens(node: Tree[Token]) -> list[Token]:
    return [c for c in node.children if isinstance(c, Token)]
