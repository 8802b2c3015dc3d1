"""Turns the syntax trees of definitions into nodes."""

from __future__ import annotations

import json
from typing import Final, final

from lark import Token, Tree

from stateglass.source import close_match, shown
from stateglass.source.notation import Text
from stateglass.system.fsp.actions import Kind, Name, String, Truth, Value, Whole
from stateglass.system.fsp.grammar import SyntaxTree
from stateglass.system.fsp.nodes import (
    At,
    Binding,
    Booleans,
    Choice,
    Constant,
    Definition,
    Domain,
    Error,
    Expression,
    Guarded,
    Infix,
    Interval,
    Listed,
    Negative,
    Not,
    Operator,
    Parameter,
    Pattern,
    Prefix,
    Reference,
    Stop,
    Term,
    Variable,
)

MOST_DIGITS: Final = 64

Scope = frozenset[str]
"""The names of the variables that have a value at some place."""


@final
class TreeReader:
    """Reads the definitions of one process. What is wrong with them is noted in the text, and a value made up."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.warnings: list[tuple[str, At, str]] = []

    def parameters(self, tree: SyntaxTree) -> tuple[Parameter, ...]:
        """Those in parentheses behind the name of a definition."""
        found = [p for part in _trees(tree) if part.data == "parameters" for p in _trees(part)]
        return tuple(self._parameter(p) for p in found)

    def _parameter(self, tree: SyntaxTree) -> Parameter:
        name = _tokens(tree)[0]
        constant = _tokens(_trees(tree)[0])
        value = self._value(constant[-1])
        if isinstance(value, Whole) and len(constant) == 2:
            value = Whole(-value.number)
        return Parameter(self._plain(name, "a parameter"), value, _at(name))

    def definition(self, tree: SyntaxTree, parameters: Scope) -> Definition:
        name = _tokens(tree)[0]
        *heads, body = _trees(tree)
        scope = parameters
        indices: list[Binding] = []
        for head in heads:
            if head.data == "index":
                index = self._binding(_trees(head)[0], scope)
                scope |= {index.name}
                indices.append(index)
        return Definition(self._plain(name, "a process"), tuple(indices), self._choice(body, scope), _at(name))

    def _choice(self, tree: SyntaxTree, scope: Scope) -> Term:
        options = tuple(self._guarded(option, scope) for option in _trees(tree))
        return options[0] if len(options) == 1 else Choice(options)

    def _guarded(self, tree: SyntaxTree, scope: Scope) -> Term:
        *guards, prefix = _trees(tree)
        term = self._prefix(prefix, scope)
        for guard in reversed(guards):
            term = Guarded(self._expression(_trees(guard)[0], scope), term)
        return term

    def _prefix(self, tree: SyntaxTree, scope: Scope) -> Term:
        *rows, last = _trees(tree)
        prefixes: list[tuple[Pattern, ...]] = []
        for row in rows:
            actions = _trees(row)
            patterns = tuple(self._pattern(action, scope) for action in actions)
            bindings = [b for p in patterns for b in p.bindings]
            if len(actions) > 1:
                for binding in bindings:
                    message = f"`{binding.name}` would have a value after some of these actions only"
                    help = "write a choice with `|` in place of a set of actions"
                    self._text.problem(message, *binding.at, help)
            scope |= {b.name for b in bindings}
            prefixes.append(patterns)
        term = self._last(last, scope)
        for patterns in reversed(prefixes):
            term = Prefix(patterns, term)
        return term

    def _last(self, tree: SyntaxTree, scope: Scope) -> Term:
        match tree.data:
            case "inner":
                return self._choice(_trees(tree)[0], scope)
            case "stop":
                return Stop()
            case "error":
                return Error()
            case _:
                name = _tokens(tree)[0]
                arguments = tuple(self._expression(_trees(a)[0], scope) for a in _trees(tree))
                return Reference(str(name), arguments, _at(name))

    def _pattern(self, tree: SyntaxTree, scope: Scope) -> Pattern:
        tokens = _tokens(tree)
        first = tokens[0]
        if tree.data == "returned":
            result = tuple(self._expression(t, scope) for t in _trees(tree))
            return Pattern(Kind.RETURN, "", result, _at(first))
        arguments: list[Expression | Binding] = []
        for value in _trees(tree):
            (argument,) = _trees(value)
            if argument.data == "binding":
                binding = self._binding(argument, scope)
                scope |= {binding.name}
                arguments.append(binding)
            else:
                arguments.append(self._expression(argument, scope))
        if tree.data == "done":
            member = next(t for t in tokens if t.type == "MEMBER")
            return Pattern(Kind(str(first)), str(member), tuple(arguments), _at(member))
        name = self._string(first) if first.type == "STRING" else str(first)
        if not name:
            self._text.problem("an event has a name", *_at(first))
        return Pattern(Kind.EVENT, name, tuple(arguments), _at(first))

    def _binding(self, tree: SyntaxTree, scope: Scope) -> Binding:
        name = self._plain(_tokens(tree)[0], "a variable")
        if name in scope:
            message = f"`{name}` has a value here already"
            help = f"write `{name}` alone where just this value is meant, or bind another name"
            self._text.problem(message, *_at(_tokens(tree)[0]), help)
        return Binding(name, self._domain(_trees(tree)[0], scope), _at(_tokens(tree)[0]))

    def _domain(self, tree: SyntaxTree, scope: Scope) -> Domain:
        if not _trees(tree):
            return Booleans()
        (inner,) = _trees(tree)
        items = tuple(self._expression(item, scope) for item in _trees(inner))
        return Interval(*items) if inner.data == "interval" else Listed(items)

    def _expression(self, tree: SyntaxTree, scope: Scope) -> Expression:
        at = _extent(tree)
        match tree.data:
            case "atom":
                return self._atom(_tokens(tree)[0], scope)
            case "nested":
                return self._expression(_trees(tree)[0], scope)
            case "sign":
                operand = self._expression(_trees(tree)[0], scope)
                if _tokens(tree)[0].type == "NOT":
                    return Not(operand, at)
                if isinstance(operand, Constant) and isinstance(operand.value, Whole):
                    return Constant(Whole(-operand.value.number), at)
                return Negative(operand, at)
            case _:
                left, right = (self._expression(t, scope) for t in _trees(tree))
                return Infix(Operator(str(_tokens(tree)[0])), left, right, at)

    def _atom(self, token: Token, scope: Scope) -> Expression:
        if token.type == "NAME" and str(token) in scope:
            return Variable(str(token), _at(token))
        if token.type == "NAME":
            close = close_match(str(token), scope)
            if close:
                message = f"no variable is called `{token}` here, so that it stands for itself, as enumerators do"
                self.warnings.append((message, _at(token), close))
        return Constant(self._value(token), _at(token))

    def _value(self, token: Token) -> Value:
        match token.type:
            case "NUMBER":
                return Whole(self._number(token))
            case "TRUE" | "FALSE":
                return Truth(token.type == "TRUE")
            case "STRING":
                return String(self._string(token))
            case _:
                return Name(str(token))

    def _number(self, token: Token) -> int:
        text = str(token)
        if len(text) > MOST_DIGITS:
            self._text.problem(f"a number has at most {MOST_DIGITS} digits", *_at(token))
        elif text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0"):
            return int(text)
        elif text[:2].lower() == "0x" and text[2:].isascii() and text[2:].isalnum():
            try:
                return int(text, 16)
            except ValueError:
                pass
            self._text.problem(f"{shown(text)} is no number", *_at(token))
        else:
            self._text.problem(f"{shown(text)} is no number", *_at(token), "write it in decimal, as `10`, or as `0x0a`")
        return 0

    def _string(self, token: Token) -> str:
        try:
            found = json.loads(str(token))
            found.encode()
            return str(found)
        except ValueError:
            help = 'after `\\\\` stands one of `"`, `\\\\`, `/`, `b`, `f`, `n`, `r`, `t` or `u` with four digits'
            self._text.problem("this text has an escape that means nothing", *_at(token), help)
            return ""

    def _plain(self, token: Token, what: str) -> str:
        if not str(token).isidentifier():
            help = "where a process ends with `.`, a blank stands behind it" if "." in str(token) else ""
            self._text.problem(f"{shown(str(token))} cannot be the name of {what}: it is one word", *_at(token), help)
        return str(token)


def _at(token: Token) -> At:
    start = token.start_pos or 0
    return start, start + len(token)


def _extent(tree: SyntaxTree) -> At:
    tokens = [_at(t) for t in tree.scan_values(lambda v: isinstance(v, Token))]
    return tokens[0][0], tokens[-1][1]


def _trees(tree: SyntaxTree) -> list[SyntaxTree]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _tokens(tree: SyntaxTree) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]
