"""Turns syntax trees of the action language into nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from lark import Token, Tree

from stateglass.assemblies.syntax.grammar import SyntaxTree
from stateglass.assemblies.syntax.words import STEPS, UPDATES
from stateglass.design import Assign, Begin, Block, Constant, End, Expression, If, Name, Operation, Repeat, Statement
from stateglass.logic.predicates import Operator
from stateglass.source import Span, shown
from stateglass.source.notation import Text

LARGEST: Final = 2**64 - 1
_ESCAPES: Final = {"n": 10, "r": 13, "t": 9, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34}


@final
@dataclass(frozen=True, slots=True)
class ActionReader:
    """Reads statements and expressions. What is wrong with them is noted in the text, and a value made up."""

    text: Text

    def statement(self, tree: SyntaxTree) -> Statement:
        span = self.span(tree)
        inner = list(trees(tree))
        match tree.data:
            case "assign":
                return Assign(self.place(inner[0]), self.expression(inner[1]), span)
            case "update":
                sign = next(t for t in tokens(tree) if t.type == "UPDATE")
                return self._updated(self.place(inner[0]), UPDATES[str(sign)], self.expression(inner[1]), span)
            case "step":
                sign = next(t for t in tokens(tree) if t.type == "STEP")
                return self._updated(self.place(inner[0]), STEPS[str(sign)], Constant(1, self.at(sign)), span)
            case "interaction":
                begun, pin = list(tokens(tree))[:2]
                arguments = tuple(map(self.expression, inner))
                return (Begin if begun.type == "BIT_XOR" else End)(str(pin), arguments, span)
            case "choice":
                otherwise = self.block(inner[2]) if len(inner) > 2 else Block((), span)
                return If(self.expression(inner[0]), self.block(inner[1]), otherwise, span)
            case "repeat":
                return Repeat(self.expression(inner[0]), self.block(inner[1]), span)
            case _:
                return Block(tuple(map(self.statement, inner)), span)

    def block(self, tree: SyntaxTree) -> Block:
        """A statement as the block that it is or would be."""
        found = self.statement(tree)
        return found if isinstance(found, Block) else Block((found,), self.span(tree))

    def _updated(self, target: Name, operator: Operator, value: Expression, span: Span) -> Assign:
        return Assign(target, Operation(operator, (target, value), span), span)

    def place(self, tree: SyntaxTree) -> Name:
        names = [t for t in tokens(tree) if t.type in ("NAME", "COMPONENT")]
        owner = str(names[0]) if len(names) > 1 else ""
        return Name(str(names[-1]), self.span(tree), owner)

    def expression(self, tree: SyntaxTree) -> Expression:
        match tree.data:
            case "nested":
                return self.expression(next(trees(tree)))
            case "place":
                return self.place(tree)
            case "literal":
                return self.constant(next(tokens(tree)))
            case _:
                sign = str(next(tokens(tree)))
                return Operation(Operator(sign), tuple(map(self.expression, trees(tree))), self.span(tree))

    def constant(self, token: Token) -> Constant:
        word, span = str(token), self.at(token)
        match token.type:
            case "TRUE" | "FALSE":
                return Constant(int(token.type == "TRUE"), span, word)
            case "CHARACTER":
                return Constant(self._character(token), span, word)
            case _:
                value = self.number(token)
                return Constant(value, span, "" if word == str(value) else word)

    def number(self, token: Token) -> int:
        word = str(token)
        digits = word.rstrip("uUlL") if word[:2].lower() == "0x" or word[-1] in "uUlL" else word
        try:
            if not digits.isascii() or "_" in digits or len(digits) > 80:
                raise ValueError
            octal = len(digits) > 1 and digits[0] == "0" and digits.isdecimal()
            value = int(digits, 8 if octal else 0)
        except ValueError:
            self.problem(token, f"{shown(word)} is no whole number", "write it in decimal, as `10`, or as `0x0a`")
            return 0
        if value > LARGEST:
            self.problem(token, "this number is too large for any type", f"the largest one is {LARGEST}")
            return 0
        return value

    def _character(self, token: Token) -> int:
        inner = str(token)[1:-1]
        value = _ESCAPES.get(inner[1:]) if inner[0] == "\\" else ord(inner)
        if value is None or value > 127:
            self.problem(token, f"the value of {shown(str(token))} is not the same on all machines", "write the number")
            return 0
        return value

    def problem(self, token: Token, message: str, help: str = "") -> None:
        start = token.start_pos or 0
        self.text.problem(message, start, start + len(token), help)

    def at(self, token: Token) -> Span:
        start = token.start_pos or 0
        return self.text.span(start, start + len(token))

    def span(self, tree: SyntaxTree) -> Span:
        start, end = extent(tree)
        return self.text.span(start, end)


def extent(tree: SyntaxTree) -> tuple[int, int]:
    """Where the characters of a tree begin and end; lists may be empty, and are then nowhere."""
    first, last = _edge(tree, 0), _edge(tree, -1)
    if first is None or last is None:
        return 0, 0
    return first.start_pos or 0, (last.start_pos or 0) + len(last)


def _edge(tree: SyntaxTree, side: int) -> Token | None:
    """The first token of a tree, or the last one."""
    node: SyntaxTree | Token | None = tree
    while isinstance(node, Tree):
        children = [c for c in node.children if isinstance(c, Token) or c.children]
        node = children[side] if children else None
    return node


def trees(tree: SyntaxTree) -> Iterator[SyntaxTree]:
    return (child for child in tree.children if isinstance(child, Tree))


def tokens(tree: SyntaxTree) -> Iterator[Token]:
    return (child for child in tree.children if isinstance(child, Token))
