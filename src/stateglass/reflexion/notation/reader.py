"""From the text of a machine to a hypothesis; everything that is wrong with it is said at once.

States nest by indentation: a state that stands further to the right than the one before it is inside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, final

from lark import Token as LarkToken
from lark import Tree

from stateglass.program.tokens import KEYWORDS as C_WORDS
from stateglass.program.tokens import misfits, names_in, tokens_of
from stateglass.reflexion.hypothesis import Hypothesis, Let, StateClaim, TransitionClaim
from stateglass.reflexion.notation.grammar import EXAMPLES, SyntaxTree, parse_statement
from stateglass.reflexion.notation.lines import Line, Text
from stateglass.reflexion.validation import problems_of
from stateglass.source import InputError, Span, Words

MOST_DIGITS: Final = 9
MOST_NESTED: Final = 50
"""How deep states nest."""
MOST_PROBLEMS: Final = 100
"""With more, reading on helps nobody."""
_ESCAPE: Final = re.compile(r"\\(.)")


def parse_machine(text: str, file: str = "machine") -> Hypothesis:
    """The hypothesis that a text says."""
    reader = Reader(text, file)
    problems = [*reader.problems, *problems_of(reader.hypothesis, reader.is_whole)]
    if problems:
        raise InputError(sorted(problems, key=lambda d: d.span))
    return reader.hypothesis


@final
@dataclass(frozen=True, slots=True)
class _Level:
    """A state whose children may follow."""

    indentation: str
    name: str


@final
class Reader:
    """Reads a machine; `hypothesis` is what could be understood, without looking at whether it fits together."""

    def __init__(self, text: str, file: str) -> None:
        self._text = Text(text, file)
        self._heads: list[Hypothesis] = []
        self._lets: list[Let] = []
        self._assumes: list[Words] = []
        self._states: list[StateClaim] = []
        self._transitions: list[TransitionClaim] = []
        self._open: list[_Level] = []
        self._base: str | None = None  # the indentation of the outermost states
        self._misread = 0  # statements that may have been anything
        self._unfit: set[Span] = set()  # expressions that are none
        self.unread: set[str] = set()  # names in statements that were not understood
        lines = self._text.lines()
        for line in lines:
            if len(self._text.problems) >= MOST_PROBLEMS:
                self._text.problem("the rest was not read: there are too many problems", line.start, line.end)
                self._misread += 1
                self._note_unread(line.start, len(text))
                break
            self._read(line)
        if not self._heads and not self._misread:
            span = (lines[0].start, lines[0].end) if lines else (0, 1)
            self._text.problem("a machine begins with its name and function", *span, EXAMPLES["machine"])
        self.problems = self._text.problems
        self.hypothesis = replace(
            self._heads[0] if self._heads else Hypothesis("", ""),
            lets=tuple(self._lets),
            assumes=tuple(self._assumes),
            states=tuple(self._states),
            transitions=tuple(self._transitions),
        )

    @property
    def sound(self) -> Hypothesis:
        """What was understood, in a form that the code can be asked about.

        Expressions that could not be read are left out; words of the design that cannot mean what they say mean `1`.
        """
        read = self.hypothesis
        unclear = any(problems_of(replace(Hypothesis("", ""), lets=read.lets), is_whole=False))
        lets = {
            let.name: replace(let, words=Words("1", let.words.span)) if unclear or self._is_unfit(let.words) else let
            for let in read.lets
            if let.name not in C_WORDS
        }
        return replace(
            read,
            lets=tuple(lets.values()),
            assumes=tuple(words for words in read.assumes if not self._is_unfit(words)),
            states=tuple(replace(s, condition=None) if self._is_unfit(s.condition) else s for s in read.states),
            transitions=tuple(
                replace(t, condition=None) if self._is_unfit(t.condition) else t for t in read.transitions
            ),
        )

    def _is_unfit(self, words: Words | None) -> bool:
        return words is not None and words.span in self._unfit

    def _note_unread(self, start: int, end: int) -> None:
        self.unread |= {token.text for token in names_in(tokens_of(self._text.text[start:end]))}

    @property
    def is_whole(self) -> bool:
        """Whether all statements were understood, so that what is missing was not written."""
        return bool(self._heads) and not self._misread

    def _read(self, line: Line) -> None:
        tree = parse_statement(self._text, line)
        if tree is None:
            self._misread += 1
            self._note_unread(line.start, line.end)
            return
        [statement] = tree.children
        assert isinstance(statement, Tree)
        match statement.data:
            case "machine":
                self._machine(statement, line)
            case "let":
                name, words = _tokens(statement, "NAME", "EXPRESSION")
                self._lets.append(Let(str(name), self._words(words), self._span(name)))
            case "assume":
                self._assumes.append(self._words(_tokens(statement, "EXPRESSION")[0]))
            case "state":
                self._state(statement, line)
            case "transition":
                self._transition(statement, line)
            case other:
                raise AssertionError(f"no statement: {other}")

    # ---- statements

    def _machine(self, tree: SyntaxTree, line: Line) -> None:
        if self._heads:
            help = f"the other is at {self._heads[0].span}"
            self._text.problem("a file has one machine", line.start, line.end, help)
        if self._lets or self._assumes or self._states or self._transitions:
            self._text.problem("the machine's own line stands before all others", line.start, line.end)
        [function] = _trees(tree, "function")
        parts = _tokens(function, "NAME", "STRING")
        name = str(parts[0]) + "".join(f"@{self._unquoted(p)}" for p in parts[1:])
        head = Hypothesis(
            self._name(_trees(tree, "name")[0])[0],
            name,
            tuple(self._unquoted(t) for t in _tokens(tree, "STRING")),
            span=self._text.span(line.start, line.end),
            function_span=Span(self._span(parts[0]).start, self._span(parts[-1]).end),
        )
        self._heads.append(head)

    def _state(self, tree: SyntaxTree, line: Line) -> None:
        name, span = self._name(_trees(tree, "name")[0])
        words = _tokens(tree, "EXPRESSION")
        parent = self._parent(line, name)
        condition = self._words(words[0]) if words else None
        self._states.append(StateClaim(name, condition, parent, bool(_tokens(tree, "INITIAL")), span))

    def _parent(self, line: Line, name: str) -> str | None:
        """The state that this one is inside of: the last one that stands further to the left."""
        here = line.indentation
        left = [level for level in self._open if level.indentation != here and here.startswith(level.indentation)]
        siblings = [level for level in self._open if level.indentation == here]
        known = len(left) == len(self._open) or siblings
        if self._base is None:
            self._base = here
        if not known or not here.startswith(self._base):
            help = "states side by side begin in the same column, with the same blanks and tabs in front of them"
            self._text.problem("the indentation fits no state before this one", line.start, line.end, help)
        if len(left) >= MOST_NESTED:
            self._text.problem(f"states nest at most {MOST_NESTED} deep", line.start, line.end)
            left = []
        parent = left[-1].name if left else None
        self._open = [*left, _Level(here, name)]
        return parent

    def _transition(self, tree: SyntaxTree, line: Line) -> None:
        source, target = (self._name(t)[0] for t in _trees(tree, "name"))
        words, numbers = _tokens(tree, "EXPRESSION"), _tokens(tree, "NUMBER")
        self._transitions.append(
            TransitionClaim(
                source,
                target,
                self._words(words[0]) if words else None,
                self._number(numbers[0]) if numbers else None,
                self._text.span(line.start, line.end),
            )
        )

    # ---- parts

    def _number(self, token: LarkToken) -> int:
        if len(token) > MOST_DIGITS:
            start = token.start_pos or 0
            self._text.problem("this number is too large", start, start + len(token))
            return 1
        return int(token)

    def _words(self, token: LarkToken) -> Words:
        text, start = str(token), token.start_pos or 0
        # A comment leaves blanks at the end of a line.
        text = "\n".join(part.rstrip() for part in text.split("\n"))
        span = self._text.span(start, start + len(token))
        for misfit in misfits(text):
            self._text.problem(misfit.message, start + misfit.start, start + misfit.end, misfit.help)
            self._unfit.add(span)
        return Words(text, span)

    def _name(self, tree: SyntaxTree) -> tuple[str, Span]:
        [token] = _tokens(tree, "NAME", "STRING")
        name = self._unquoted(token) if token.type == "STRING" else str(token)
        start = token.start_pos or 0
        if token.type == "NAME" and "." in name:
            self._text.problem("a name with a point stands in quotes", start, start + len(token))
        return name, self._span(token)

    def _unquoted(self, token: LarkToken) -> str:
        if token.type != "STRING":
            return str(token)
        text = _ESCAPE.sub(r"\1", token[1:-1])
        if not text.strip() or not text.isprintable():
            start = token.start_pos or 0
            self._text.problem("a text in quotes is printable and not empty", start, start + len(token))
        return text

    def _span(self, token: LarkToken) -> Span:
        return self._text.span(token.start_pos or 0, token.end_pos or 0)


def _tokens(tree: SyntaxTree, *types: str) -> list[LarkToken]:
    return [c for c in tree.children if isinstance(c, LarkToken) and c.type in types]


def _trees(tree: SyntaxTree, kind: str) -> list[SyntaxTree]:
    return [c for c in tree.children if isinstance(c, Tree) and c.data == kind]
