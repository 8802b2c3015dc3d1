"""Reads abstraction maps: `file "fsm.c" { fun main () : top { var state : part(0, 1, 2); } }`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.source import NOWHERE, Diagnostic, InputError, Span, close_match, shown
from stateglass.source.notation import Text, Token
from stateglass.system.maps.abstractions import MapAbstraction
from stateglass.system.maps.entries import AbstractionMap, FileScope, FunctionScope, VariableEntry
from stateglass.system.maps.grammar import SyntaxTree, parse_statement
from stateglass.system.maps.places import PlaceName
from stateglass.system.maps.tokens import tokens_of
from stateglass.system.maps.trees import FORMS, abstraction_of, branches, place_of, string_of, words

WORDS: Final = {
    "file": 'write `file "fsm.c" { … }`',
    "fun": "write `fun main () : top { … }`",
    "var": "write `var x : part(0, 1, 2);`",
}
# A function without variables of interest needs no braces.
_ENDS: Final = {"var": ("SEMICOLON",), "file": ("BEGIN",), "fun": ("BEGIN", "SEMICOLON")}

Item = FileScope | FunctionScope | VariableEntry


def parse_abstraction_map(text: str, file: str = "") -> tuple[AbstractionMap, tuple[Diagnostic, ...]]:
    """The map that a text is, with warnings. Everything that is wrong is one `InputError`."""
    source = Text(text, file)
    reader = _Reader(source)
    items = reader.read()
    if source.problems:
        raise InputError(source.all_problems())
    return AbstractionMap(items), tuple(reader.warnings)


def parse_abstraction(text: str, label: str = "", span: Span = NOWHERE) -> MapAbstraction:
    """One abstraction by itself, as in a table: `part(0, 1, 2)`."""
    source = Text(text, label=label, span=span)
    tokens = tokens_of(source)
    tree = None
    if not source.problems:
        tree, _ = parse_statement(source, "abstraction", tokens, len(text), FORMS)
    found = abstraction_of(source, tree) if tree is not None else None
    if source.problems or found is None:
        raise InputError(source.all_problems())
    return found


def parse_place(text: str, span: Span = NOWHERE) -> PlaceName:
    """The name of a variable by itself, as in a table: `main::state`, `s.member`."""
    source = Text(text, span=span)
    tokens = tokens_of(source)
    tree = None
    if not source.problems:
        tree, _ = parse_statement(source, "declared", tokens, len(text), "names are `x`, `f::x`, `s.member`, `a[2]`")
    place = place_of(source, tree) if tree is not None else None
    if source.problems or place is None:
        raise InputError(source.all_problems())
    return replace(place, span=span)


@final
@dataclass(slots=True)
class _Scope:
    """A scope that is being read; the outermost one has no head."""

    head: FileScope | FunctionScope | None
    word: Token | None
    items: list[Item]


@final
class _Reader:
    def __init__(self, text: Text) -> None:
        self.warnings: list[Diagnostic] = []
        self._text = text
        self._tokens = tokens_of(text)
        self._at = 0
        self._open = [_Scope(None, None, [])]

    def read(self) -> tuple[Item, ...]:
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.kind == "END":
                self._end(token)
            elif token.kind != "SEMICOLON":  # one too many does no harm
                self._statement(token)
        for scope in self._open[:0:-1]:
            assert scope.word is not None
            message = f"`{scope.word.text}` is not closed: it ends with the map"
            self.warnings.append(self._text.warning(message, scope.word.start, scope.word.end, "add `}` at the end"))
            self._close()
        return tuple(self._open[0].items)

    def _statement(self, word: Token) -> None:
        if word.text not in WORDS:
            hint = close_match(word.text, WORDS) or "a map has `file`, `fun` and `var`"
            message = f"{shown(word.text)} stands where `file`, `fun` or `var` should"
            self._text.problem(message, word.start, word.end, hint)
            self._skip(word)
            return
        body, mark = self._body()
        end = body[-1].end if body else word.end
        tree, _ = parse_statement(self._text, word.text, body, end, WORDS[word.text])
        if tree is not None and mark not in _ENDS[word.text]:
            missing = "`;`" if word.text == "var" else "`{`"
            self._text.problem(f"{missing} is missing here", end, end + 1, WORDS[word.text])
        self._enter(word, tree, body, opened=mark == "BEGIN")

    def _body(self) -> tuple[list[Token], str]:
        """The tokens of a statement, and the mark that ends it, which is passed."""
        start = self._at
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.kind in ("SEMICOLON", "BEGIN", "END"):
                end = self._at
                self._at += token.kind != "END"  # it still has to close its scope
                return self._tokens[start:end], token.kind
            if self._at > start and token.text in WORDS and self._text.first_on_its_line(token.start):
                break
            self._at += 1
        return self._tokens[start : self._at], ""

    def _skip(self, word: Token) -> None:
        """On to what may be the next statement, after something that is none."""
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.kind == "END" or token.text in WORDS:
                return
            self._at += 1
            if token.kind == "BEGIN":  # what it closes must not be missed
                self._push(FileScope(""), word, opened=True)
                return
            if token.kind == "SEMICOLON":
                return

    def _enter(self, word: Token, tree: SyntaxTree | None, body: list[Token], opened: bool) -> None:
        inside = self._open[-1].head
        wrong = (word.text == "file" and inside is not None) or (
            word.text == "fun" and isinstance(inside, FunctionScope)
        )
        if wrong:
            where = "a function" if isinstance(inside, FunctionScope) else "another file"
            message = f"`{word.text}` stands within {where}"
            self._text.problem(message, word.start, word.end, "close the scope before it with `}`")
        span = self._text.span(word.start, body[-1].end if body else word.end)
        match word.text:
            case "var":
                if tree is not None:
                    self._open[-1].items.append(self._variable(tree, span))
                if opened:  # by mistake, but what it closes must not be missed
                    self._push(FileScope(""), word, opened)
            case "fun":
                self._push(self._function(tree, span), word, opened)
            case _:
                self._push(self._file(tree, span), word, opened)

    def _push(self, head: FileScope | FunctionScope, word: Token, opened: bool) -> None:
        if opened:
            self._open.append(_Scope(head, word, []))
        else:
            self._open[-1].items.append(head)

    def _end(self, token: Token) -> None:
        if len(self._open) == 1:
            self._text.problem("no scope is open that this could close", token.start, token.end)
        else:
            self._close()

    def _close(self) -> None:
        scope = self._open.pop()
        items = tuple(scope.items)
        match scope.head:
            case FileScope():
                inner = tuple(i for i in items if not isinstance(i, FileScope))
                self._open[-1].items.append(replace(scope.head, items=inner))
            case FunctionScope():
                variables = tuple(i for i in items if isinstance(i, VariableEntry))
                self._open[-1].items.append(replace(scope.head, variables=variables))
            case None:
                raise AssertionError("the outermost scope stays open")

    # ---- statements

    def _file(self, tree: SyntaxTree | None, span: Span) -> FileScope:
        return FileScope("" if tree is None else string_of(self._text, words(tree)[0]), span=span)

    def _function(self, tree: SyntaxTree | None, span: Span) -> FunctionScope:
        if tree is None:
            return FunctionScope("", span=span)
        result = [abstraction_of(self._text, a) for a in branches(tree, "abstraction")]
        parameters = tuple(self._parameter(p) for ps in branches(tree, "parameters") for p in branches(ps))
        name = str(words(tree, "NAME")[0])
        return FunctionScope(name, result[0] if result else None, parameters, span=span)

    def _parameter(self, tree: SyntaxTree) -> VariableEntry:
        name = words(tree, "NAME")[0]
        span = self._text.span(name.start_pos or 0, name.end_pos or 0)
        return VariableEntry(PlaceName(str(name), span=span), abstraction_of(self._text, branches(tree)[0]), span)

    def _variable(self, tree: SyntaxTree, span: Span) -> VariableEntry:
        place = place_of(self._text, branches(tree, "declared")[0])
        return VariableEntry(place, abstraction_of(self._text, branches(tree, "abstraction")[0]), span)
