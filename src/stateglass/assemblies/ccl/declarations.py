"""Turns syntax trees of what stands in components and assemblies into nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, final

from lark import Token

from stateglass.assemblies.results import STORED
from stateglass.assemblies.syntax.actions import ActionReader, extent, tokens, trees
from stateglass.assemblies.syntax.grammar import SyntaxTree
from stateglass.assemblies.syntax.words import TYPE_WORDS
from stateglass.design import (
    COMFORT,
    NOTHING,
    Annotation,
    Block,
    Connection,
    Constant,
    Enumeration,
    Expression,
    Instance,
    Interaction,
    Parameter,
    Passing,
    Pin,
    PinName,
    Service,
    State,
    Transition,
    Trigger,
    Type,
    Variable,
)
from stateglass.logic.reading.scanning import unescaped
from stateglass.source import Span

_TYPES: Final = {
    frozenset(words.split()): name
    for name, spellings in {
        "bool": ("bool",),
        "char": ("char",),
        "signed char": ("signed char",),
        "unsigned char": ("unsigned char",),
        "short": ("short", "short int", "signed short", "signed short int"),
        "unsigned short": ("unsigned short", "unsigned short int"),
        "int": ("int", "signed", "signed int"),
        "unsigned int": ("unsigned int", "unsigned"),
        "long": ("long", "long int", "signed long", "signed long int"),
        "unsigned long": ("unsigned long", "unsigned long int"),
    }.items()
    for words in spellings
}


@final
@dataclass(frozen=True, slots=True)
class DeclarationReader:
    """Reads items one by one. What is wrong with them is noted in the text of `actions`."""

    actions: ActionReader

    def enumeration(self, tree: SyntaxTree) -> Enumeration:
        values: list[tuple[str, int]] = []
        following = 0
        for one in trees(tree):
            written = [self.constant(t) for t in trees(one)]
            value = written[0].value if written and isinstance(written[0], Constant) else following
            if written and not isinstance(written[0], Constant):
                self._problem(one, "the value of an enumerator is a number here", "write it out")
            values.append((str(next(tokens(one))), value))
            following = value + 1
        return Enumeration(named(tree), tuple(values), self.span(tree))

    def type(self, tree: SyntaxTree) -> Type:
        words = [str(t) for t in tokens(tree)]
        if words[0] not in TYPE_WORDS:
            return Type(words[0], self.span(tree))
        longs = words.count("long")
        rest = [w for w in words if w != "long"] + ["long"] * bool(longs)
        name = _TYPES.get(frozenset(rest)) if len(set(rest)) == len(rest) and longs <= 2 else None
        if name is None or (longs == 2 and "long" not in name):
            self._problem(tree, f"`{' '.join(words)}` is no type", "there is `bool`, `unsigned char`, `int`, `long` …")
            return Type("int", self.span(tree))
        return Type(name.replace("long", "long long") if longs == 2 else name, self.span(tree))

    def variables(self, tree: SyntaxTree) -> tuple[Variable, ...]:
        first, *rest = trees(tree)
        return tuple(self._variable(one, self.type(first)) for one in rest)

    def _variable(self, tree: SyntaxTree, type: Type) -> Variable:
        name = next(tokens(tree))
        for value in trees(tree):
            return Variable(str(name), type, self.actions.expression(value), self.span(tree))
        return Variable(str(name), type, span=self.span(tree))

    def parameters(self, tree: SyntaxTree) -> tuple[Parameter, ...]:
        return tuple(self._parameter(one) for one in trees(tree))

    def _parameter(self, tree: SyntaxTree) -> Parameter:
        *words, name = tokens(tree)
        passing = Passing(str(words[0])) if words else Passing.BEGIN
        return Parameter(str(name), self.type(next(trees(tree))), passing, self.span(tree))

    def pin(self, tree: SyntaxTree) -> Pin:
        side, interaction, name, *_ = tokens(tree)
        return Pin(
            str(name), side.type == "SINK", Interaction(str(interaction)), self.parameters(tree), self.span(tree)
        )

    def state(self, tree: SyntaxTree) -> State:
        found: dict[str, Block] = {}
        for part in trees(tree):
            kind = str(next(tokens(part)))
            if kind in found:
                self._problem(part, f"this state has two `{kind}` actions", "put both into one: `{ …; … }`")
            found[kind] = self.actions.block(next(trees(part)))
        return State(named(tree), found.get("entry", NOTHING), found.get("exit", NOTHING), span=self.span(tree))

    def transition(self, tree: SyntaxTree) -> Transition:
        source, target = (str(t) for t in tokens(tree) if t.type == "NAME")
        trigger: Trigger | None = None
        guard: Expression | None = None
        action: Block | None = None
        for clause in trees(tree):
            seen: object
            match clause.data:
                case "trigger":
                    seen, trigger = trigger, self._trigger(clause)
                case "guard":
                    seen, guard = guard, self.actions.expression(next(trees(clause)))
                case _:
                    seen, action = action, self.actions.block(next(trees(clause)))
            if seen is not None:
                self._problem(clause, f"this transition has two parts `{clause.data}`", "write one transition for each")
        return Transition(source, target, trigger, guard, action or NOTHING, self.span(tree))

    def _trigger(self, tree: SyntaxTree) -> Trigger:
        _, sign, pin, *_ = tokens(tree)
        names = tuple(name for inner in trees(tree) for name in listed(inner))
        return Trigger(str(pin), sign.type == "DOLLAR", names, self.span(tree))

    def constant(self, tree: SyntaxTree) -> Constant | str:
        """A constant, or the name of one."""
        *sign, token = tokens(tree)
        if token.type == "NAME":
            return str(token)
        found = self.actions.constant(token)
        if sign and sign[0].type == "MINUS":
            return Constant(-found.value, self.span(tree), f"-{found.text}" if found.text else "")
        return Constant(found.value, self.span(tree), found.text)

    def arguments(self, tree: SyntaxTree, enumerators: dict[str, int]) -> tuple[Constant, ...]:
        found: list[Constant] = []
        for one in trees(tree):
            value = self.constant(one)
            if isinstance(value, str):
                if value not in enumerators:
                    self._problem(
                        one,
                        f"`{value}` is no constant",
                        "an argument is a number, `true`, `false` or one of the names of an enumeration",
                    )
                value = Constant(enumerators.get(value, 0), self.span(one), value)
            found.append(value)
        return tuple(found)

    def instance(self, tree: SyntaxTree, enumerators: dict[str, int]) -> Instance:
        component, name, *_ = tokens(tree)
        return Instance(str(name), str(component), self.arguments(next(trees(tree)), enumerators), self.span(tree))

    def service(self, tree: SyntaxTree, enumerators: dict[str, int]) -> Service:
        _, kind, name, *_ = tokens(tree)
        return Service(str(name), str(kind), self.arguments(next(trees(tree)), enumerators), self.span(tree))

    def connection(self, tree: SyntaxTree) -> Connection:
        source, sink = map(self.pin_name, trees(tree))
        return Connection(source, sink, self.span(tree))

    def pin_name(self, tree: SyntaxTree) -> PinName:
        instance, _, pin = tokens(tree)
        return PinName(str(instance), str(pin), self.span(tree))

    def annotations(self, tree: SyntaxTree, scope: str) -> tuple[Annotation, ...]:
        """One for each constant that is meant for checking, with what was stored behind it."""
        subject, *properties = trees(tree)
        framework = _content(next(t for t in tokens(tree) if t.type == "STRING"))
        of_what = "".join(map(str, tokens(subject)))
        found: list[Annotation] = []
        for constant in properties:
            name, type, value, span = self._property(constant)
            if found and (framework != COMFORT or name in STORED):
                found[-1] = replace(found[-1], of_result=(*found[-1].of_result, (name, str(value))))
            else:
                found.append(Annotation(scope, of_what, framework, name, type, value, self.span(tree), span))
        return tuple(found)

    def _property(self, tree: SyntaxTree) -> tuple[str, str, str | int, Span]:
        name = next(t for t in tokens(tree) if t.type == "NAME")
        type, *constants = trees(tree)
        strings = [t for t in tokens(tree) if t.type == "STRING"]
        kind = self.type(type).name
        if strings:
            start, end = strings[0].start_pos or 0, (strings[-1].start_pos or 0) + len(strings[-1])
            if kind != "string":
                self._problem(tree, f"`{name}` is said to be `{kind}`, and its value is a text", "write `const string`")
            # The span of a single text is that of its characters, so that what is wrong in it can be shown.
            span = self.actions.text.span(start + 1, end - 1)
            return str(name), "string", "".join(map(_content, strings)), span
        found = self.constant(constants[0])
        if isinstance(found, str) or kind == "string":
            help = 'a text stands in quotes: `const string Name = "…"`'
            self._problem(constants[0], "the value of an annotation is a text in quotes or a number", help)
        value = found.value if isinstance(found, Constant) else 0
        return str(name), kind, value, self.span(constants[0])

    def span(self, tree: SyntaxTree) -> Span:
        return self.actions.span(tree)

    def _problem(self, tree: SyntaxTree, message: str, help: str = "") -> None:
        self.actions.text.problem(message, *extent(tree), help)


def named(tree: SyntaxTree) -> str:
    """The first name in an item."""
    return str(next(t for t in tokens(tree) if t.type == "NAME"))


def listed(tree: SyntaxTree) -> tuple[str, ...]:
    return tuple(str(t) for t in tokens(tree) if t.type == "NAME")


def _content(token: Token) -> str:
    """What a text says; where it goes on in another line is a blank."""
    return unescaped(re.sub(r"\s*\n\s*", " ", str(token)[1:-1]), '"')
