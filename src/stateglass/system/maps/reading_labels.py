"""Reads label maps: `watch (main:ch == 97) => 'a; exit == 0 => accept;`."""

from __future__ import annotations

from typing import Final, final

from lark import Token as LarkToken

from stateglass.source import NOWHERE, InputError, Span, close_match, shown
from stateglass.source.notation import Text, Token
from stateglass.system.maps.grammar import SyntaxTree, parse_statement
from stateglass.system.maps.rules import (
    VALUE,
    AnyValue,
    CallEvent,
    Compared,
    Constant,
    Event,
    ExitEvent,
    Label,
    LabelMap,
    LineEvent,
    Parameter,
    Pattern,
    ReadEvent,
    Relation,
    ReturnEvent,
    Rule,
    Watch,
    Within,
    WriteEvent,
)
from stateglass.system.maps.tokens import tokens_of
from stateglass.system.maps.trees import branches, condition_of, integer, number_of, place_of, problem, string_of, words

WORDS: Final = {
    "watch": "write `watch (x == 1) => label;`",
    "exit": "write `exit == 0 => label;`",
    "call": "write `call f(_, 3) => label($1);`",
    "return": "write `return f == 0 => label($0);`",
    "read": "write `read x => label;`",
    "write": "write `write x => label($0);`",
    "line": 'write `line "fsm.c":12 => label;`',
}
MOST_PARAMETERS: Final = 127
"""As many arguments as C promises that a call may have."""
_ONE_OF: Final = ", ".join(f"`{word}`" for word in list(WORDS)[:-1]) + " or `line`"


def parse_label_map(text: str, file: str = "") -> LabelMap:
    """The map that a text is. Everything that is wrong is one `InputError`."""
    source = Text(text, file)
    rules = _Reader(source).read()
    if source.problems:
        raise InputError(source.all_problems())
    return LabelMap(tuple(rules))


def parse_rules(text: str, label: str = "", span: Span = NOWHERE) -> tuple[Rule, ...]:
    """The rules of a text that is no file by itself, as in a list of a project file."""
    source = Text(text, label=label, span=span)
    rules = _Reader(source).read()
    if not rules and not source.problems:
        source.problem("there is no rule in it", 0, 0, f"a rule begins with {_ONE_OF}")
    if source.problems:
        raise InputError(source.all_problems())
    return tuple(rules)


@final
class _Reader:
    def __init__(self, text: Text) -> None:
        self._text = text
        self._tokens = tokens_of(text)
        self._at = 0

    def read(self) -> list[Rule]:
        rules: list[Rule] = []
        while self._at < len(self._tokens):
            word = self._tokens[self._at]
            self._at += 1
            if word.kind == "SEMICOLON":  # one too many does no harm
                continue
            body = self._body()
            if word.text not in WORDS:
                message = f"{shown(word.text)} stands where {_ONE_OF} should"
                self._text.problem(message, word.start, word.end, close_match(word.text, WORDS))
                continue
            rule = self._rule(word, body)
            rules += [rule] if rule is not None else []
        return rules

    def _body(self) -> list[Token]:
        """The tokens up to the next semicolon, or to a rule that begins on a line of its own after a label."""
        start = self._at
        labelled = False
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.kind == "SEMICOLON":
                self._at += 1
                return self._tokens[start : self._at - 1]
            if labelled and token.text in WORDS and self._text.first_on_its_line(token.start):
                before = self._tokens[self._at - 1]
                if before.kind != "ARROW":
                    self._text.problem("`;` is missing here", before.end, before.end + 1)
                    break
            labelled |= token.kind == "ARROW"
            self._at += 1
        return self._tokens[start : self._at]

    def _rule(self, word: Token, body: list[Token]) -> Rule | None:
        end = body[-1].end if body else word.end
        tree, _ = parse_statement(self._text, word.text, body, end, WORDS[word.text])
        if tree is None:
            return None
        event = self._event(word.text, tree)
        label = self._label(branches(tree, "label")[0], event)
        return Rule(event, label, self._text.span(word.start, end))

    # ---- events

    def _event(self, word: str, tree: SyntaxTree) -> Event:
        match word:
            case "watch":
                return Watch(condition_of(self._text, branches(tree, "condition")[0]))
            case "exit":
                return ExitEvent(self._test(tree))
            case "call":
                return self._call(tree)
            case "return":
                return ReturnEvent(str(words(tree, "NAME")[0]), self._test(tree))
            case "read":
                return ReadEvent(place_of(self._text, branches(tree, "place")[0]))
            case "write":
                return WriteEvent(place_of(self._text, branches(tree, "place")[0]))
            case "line":
                file, number = words(tree, "STRING", "NUMBER")
                return LineEvent(string_of(self._text, file), integer(self._text, number))
            case _:
                raise AssertionError(f"no event: {word}")

    def _call(self, tree: SyntaxTree) -> CallEvent:
        name = str(words(tree, "NAME")[0])
        given = branches(tree, "patterns")
        if not given:
            return CallEvent(name)
        patterns = branches(given[0])
        rest = [i for i, pattern in enumerate(patterns) if words(pattern, "ELLIPSIS")]
        for i in rest:
            if i != len(patterns) - 1:
                problem(self._text, words(patterns[i])[0], "`...` stands at the end of the arguments")
        arguments = tuple(self._pattern(p) for i, p in enumerate(patterns) if i not in rest)
        return CallEvent(name, arguments, bool(rest))

    def _test(self, tree: SyntaxTree) -> Pattern:
        found = branches(tree, "test")
        if not found:
            return AnyValue()
        for word in words(found[0], "NAME"):
            if word != "in":
                problem(self._text, word, f"{shown(word)} stands where `=>`, `==` or `in` should")
        return self._pattern(found[0])

    def _pattern(self, tree: SyntaxTree) -> Pattern:
        ranges, constants = branches(tree, "range"), branches(tree, "constant")
        if ranges:
            low, high = branches(ranges[0])
            return self._within(low, high)
        constant, span = self._constant(constants[0])
        operator = branches(tree, "test_operator")
        if not operator and constant == "_":
            return AnyValue()
        relation = Relation(str(words(operator[0])[0])) if operator else Relation.EQUAL
        return Compared(relation, constant, span)

    def _within(self, low: SyntaxTree, high: SyntaxTree) -> Pattern:
        first, start = self._constant(low)
        last, end = self._constant(high)
        if isinstance(first, int) and isinstance(last, int) and first > last:
            tokens = [*_tokens(low), *_tokens(high)]
            problem(
                self._text, tokens[0], "the range is empty: it runs downwards", f"write `{last}..{first}`", tokens[-1]
            )
        return Within(first, last, Span(start.start, end.end))

    def _constant(self, tree: SyntaxTree) -> tuple[Constant, Span]:
        tokens = _tokens(tree)
        span = self._text.span(tokens[0].start_pos or 0, tokens[-1].end_pos or 0)
        numbers = branches(tree, "number")
        return (number_of(self._text, numbers[0]) if numbers else str(tokens[0])), span

    # ---- labels

    def _label(self, tree: SyntaxTree, event: Event) -> Label:
        texts = words(tree, "STRING")
        if texts:
            found = string_of(self._text, texts[0])
            if not found.strip() or not found.isprintable():
                problem(self._text, texts[0], "a label is a printable text that is not empty")
            return Label(found)
        name = ".".join(words(tree, "NAME"))
        given = branches(tree, "items")
        return Label(name, tuple(self._item(i, event) for i in branches(given[0])) if given else None)

    def _item(self, tree: SyntaxTree, event: Event) -> str | Parameter:
        numbers = branches(tree, "number")
        if numbers:
            return str(number_of(self._text, numbers[0]))
        token = words(tree)[0]
        if token.type == "STRING":
            return string_of(self._text, token)
        if token.type != "PARAMETER":
            return str(token)
        number = int(token[1:]) if len(token) < 6 else MOST_PARAMETERS + 1
        complaint = _complaint(number, event)
        if complaint:
            problem(self._text, token, f"{shown(token)} means nothing here: {complaint}")
        return Parameter(number)


def _complaint(number: int, event: Event) -> str:
    """Why an event has no such value; nothing if it may have one."""
    match event:
        case CallEvent():
            if number == VALUE or number > MOST_PARAMETERS:
                return "the arguments of a call are `$1`, `$2` …"
        case ExitEvent() | ReturnEvent() | ReadEvent() | WriteEvent():
            if number != VALUE:
                return "the value is `$0`"
        case Watch() | LineEvent():
            return "there are no values to put into the label"
    return ""


def _tokens(tree: SyntaxTree) -> list[LarkToken]:
    return list(tree.scan_values(lambda t: isinstance(t, LarkToken)))
