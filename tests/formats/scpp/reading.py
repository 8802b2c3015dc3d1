"""A reader of the part of mCRL2 that specifications use, by the reference of the language: data and processes as trees.

A data term is a number, a truth value, a list (a tuple), or a pair of a name and its arguments; a process term is one
of the classes below. Sorts are not checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, final

Term = Any
_TOKENS: Final = re.compile(
    r"\s+|%[^\n]*|(\|>|\|\||->|<>|==|!=|<=|>=|&&|\+\+|[A-Za-z_][\w']*|\d+|[-+*.,:;=<>!#|?(){}\[\]])"
)
# How tightly operators bind, as the reference has it; those of a list of one level group as noted.
_LEVELS: Final = {"||": 3, "&&": 4, "==": 5, "!=": 5, "<": 6, "<=": 6, ">": 6, ">=": 6, "|>": 8, "++": 10}
_LEVELS_OF_NUMBERS: Final = {"+": 11, "-": 11, "div": 12, "mod": 12, "*": 12, ".": 12}
_BINARY: Final = {**_LEVELS, **_LEVELS_OF_NUMBERS}
_RIGHT: Final = frozenset({"|>", "||", "&&"})
_SECTIONS: Final = frozenset({"sort", "map", "var", "eqn", "act", "proc", "init"})


@final
@dataclass(frozen=True)
class Variable:
    """A variable in a data term."""

    name: str


@final
@dataclass(frozen=True)
class Do:
    """An action with its arguments, and what comes behind it."""

    action: str
    arguments: tuple[Term, ...]
    then: Any


@final
@dataclass(frozen=True)
class Sum:
    """A choice of values for variables."""

    variables: tuple[tuple[str, str], ...]
    term: Any


@final
@dataclass(frozen=True)
class Guard:
    """A condition."""

    condition: Term
    term: Any


@final
@dataclass(frozen=True)
class Alternatives:
    """A choice."""

    options: tuple[Any, ...]


@final
@dataclass(frozen=True)
class Going:
    """On with a process."""

    name: str
    arguments: tuple[Term, ...]


@final
@dataclass
class Specification:
    """What a text says."""

    order: dict[str, int] = field(default_factory=dict)  # constructors, numbered as their sort lists them
    projections: dict[str, dict[str, int]] = field(default_factory=dict)  # by constructor, which argument
    recognisers: dict[str, str] = field(default_factory=dict)
    sorts: dict[str, list[str]] = field(default_factory=dict)  # the constructors of each
    rules: dict[str, list[tuple[Term, tuple[Term, ...], Term]]] = field(default_factory=dict)
    actions: set[str] = field(default_factory=set)
    processes: dict[str, tuple[tuple[str, ...], Any]] = field(default_factory=dict)
    start: list[Going] = field(default_factory=list)
    allowed: set[str] = field(default_factory=set)
    joined: dict[frozenset[str], str] = field(default_factory=dict)


def read(text: str) -> Specification:
    """The specification that a text is."""
    return _Reader(text).specification()


@final
class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at = 0
        while at < len(text):
            found = _TOKENS.match(text, at)
            assert found, f"what is {text[at : at + 30]!r}?"
            if found[1]:
                self._tokens.append(found[1])
            at = found.end()
        self._tokens.append("")
        self._at = 0
        self._variables: set[str] = set()
        self._found = Specification()

    @property
    def _now(self) -> str:
        return self._tokens[self._at]

    def _take(self, *expected: str) -> str:
        token = self._now
        assert not expected or token in expected, (
            f"{token!r}, not {expected}: {self._tokens[self._at - 9 : self._at + 9]}"
        )
        self._at += 1
        return token

    def _ahead(self, token: str) -> bool:
        if self._now == token:
            self._at += 1
            return True
        return False

    def specification(self) -> Specification:
        while self._now:
            section = self._take(*_SECTIONS)
            if section == "init":
                self._init()
                continue
            if section == "var":
                self._variables = set()
            while self._now and self._now not in _SECTIONS:
                match section:
                    case "sort":
                        self._sort()
                    case "map":
                        self._declared()
                    case "act":
                        self._found.actions.update(self._declared())
                    case "var":
                        self._variables.update(self._declared())
                    case "eqn":
                        self._equation()
                    case "proc":
                        self._process()
                    case _:
                        raise AssertionError(section)
                self._take(";")
        return self._found

    # ---- declarations

    def _sort(self) -> None:
        name = self._take()
        self._take("=")
        if not self._ahead("struct"):
            self._sort_expression()
            return
        constructors = self._found.sorts[name] = []
        while True:
            constructor = self._take()
            self._found.order[constructor] = len(constructors)
            constructors.append(constructor)
            number = 0
            if self._ahead("("):
                while True:
                    if self._tokens[self._at + 1] == ":":
                        self._found.projections.setdefault(self._take(), {})[constructor] = number
                        self._take(":")
                    self._sort_expression()
                    number += 1
                    if self._take(",", ")") == ")":
                        break
            if self._ahead("?"):
                self._found.recognisers[self._take()] = constructor
            if not self._ahead("|"):
                return

    def _sort_expression(self) -> str:
        name = self._take()
        if self._ahead("("):
            self._sort_expression()
            self._take(")")
        if self._now in ("#", "->"):
            self._take()
            self._sort_expression()
        return name

    def _declared(self) -> list[str]:
        names = [self._take()]
        while self._ahead(","):
            names.append(self._take())
        self._take(":")
        self._sort_expression()
        return names

    def _equation(self) -> None:
        left, condition = self._data(5), True
        if self._now in _BINARY or self._now == "->":
            # What came was the beginning of a condition.
            left = self._continued(left, 0)
            self._take("->")
            condition, left = left, self._data(6)
        self._take("=")
        name, patterns = left
        self._found.rules.setdefault(name, []).append((condition, patterns, self._data(0)))

    # ---- data

    def _data(self, level: int) -> Term:
        # `=` ends what is left of it; `==` on the left side is part of a condition.
        return self._continued(self._prefix(), level)

    def _continued(self, left: Term, level: int) -> Term:
        while (bound := _BINARY.get(self._now)) is not None and bound > level:
            operator = self._take()
            right = self._data(bound - 1 if operator in _RIGHT else bound)
            left = (operator, (left, right))
        return left

    def _prefix(self) -> Term:
        token = self._take()
        if token in ("-", "!", "#"):
            inner = self._data(12)
            return -inner if token == "-" and isinstance(inner, int) else (f"{token}1", (inner,))
        if token == "(":
            inner = self._data(0)
            self._take(")")
            return inner
        if token == "[":
            return ("list", self._arguments("]"))
        if token.isdigit():
            return int(token)
        if token in ("true", "false"):
            return token == "true"
        if self._ahead("("):
            return (token, self._arguments(")"))
        return Variable(token) if token in self._variables else (token, ())

    def _arguments(self, end: str) -> tuple[Term, ...]:
        found: list[Term] = []
        while not self._ahead(end):
            found.append(self._data(0))
            if self._now != end:
                self._take(",")
        return tuple(found)

    # ---- processes

    def _process(self) -> None:
        name, parameters = self._take(), []
        if self._ahead("("):
            while True:
                parameters.append(self._take())
                self._take(":")
                self._sort_expression()
                if self._take(",", ")") == ")":
                    break
        self._take("=")
        self._variables = set(parameters)
        self._found.processes[name] = (tuple(parameters), self._alternatives())

    def _alternatives(self) -> Any:
        options = [self._summand()]
        while self._ahead("+"):
            options.append(self._summand())
        return options[0] if len(options) == 1 else Alternatives(tuple(options))

    def _summand(self) -> Any:
        if self._ahead("sum"):
            outer, variables = self._variables, []
            while True:
                name = self._take()
                self._take(":")
                variables.append((name, self._sort_expression()))
                if self._take(",", ".") == ".":
                    break
            self._variables = outer | {name for name, _ in variables}
            inner = self._summand()
            self._variables = outer
            return Sum(tuple(variables), inner)
        if self._now == "(":
            return self._guarded_or_grouped()
        name = self._take()
        arguments = self._arguments(")") if self._ahead("(") else ()
        if name == "delta":
            return Alternatives(())
        if name != "tau" and name not in self._found.actions:
            return Going(name, arguments)
        then = self._summand() if self._ahead(".") else Alternatives(())
        return Do(name, arguments, then)

    def _guarded_or_grouped(self) -> Any:
        start = self._at
        depth = 0
        for at in range(start, len(self._tokens)):
            depth += {"(": 1, ")": -1}.get(self._tokens[at], 0)
            if depth == 0:
                break
        self._take("(")
        if self._tokens[at + 1] == "->":
            condition = self._data(0)
            self._take(")")
            self._take("->")
            return Guard(condition, self._summand())
        inner = self._alternatives()
        self._take(")")
        return inner

    def _init(self) -> None:
        self._variables = set()
        for token in ("allow", "(", "{"):
            self._take(token)
        while True:
            self._found.allowed.add(self._take())
            if self._take(",", "}") == "}":
                break
        for token in (",", "comm", "(", "{"):
            self._take(token)
        while True:
            one = self._take()
            self._take("|")
            other = self._take()
            self._take("->")
            self._found.joined[frozenset((one, other))] = self._take()
            if self._take(",", "}") == "}":
                break
        self._take(",")
        while True:
            name = self._take()
            self._found.start.append(Going(name, self._arguments(")") if self._ahead("(") else ()))
            if not self._ahead("||"):
                break
        for token in (")", ")", ";"):
            self._take(token)
