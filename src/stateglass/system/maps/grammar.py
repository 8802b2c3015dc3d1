"""The grammar of maps, statement by statement, so that one mistake does not hide the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import UnexpectedToken

from stateglass.logic.expressions import BINDING, LOOSEST, PREFIXES, TIGHTEST
from stateglass.source import alternatives, shown
from stateglass.source.notation import Text, Token
from stateglass.system.maps.tokens import OPERATORS

SyntaxTree = Tree[LarkToken]

MOST_NESTED: Final = 100
"""How deep a condition nests; what is deeper was not written by hand."""

# What follows the first word of a statement, up to the semicolon or brace that ends it. Nothing is a reserved word,
# because C functions are called `read` and `exit`.
STATEMENTS: Final = ("file", "fun", "var", "watch", "exit", "call", "return", "read", "write", "line")
# What also stands alone, in tables.
_ALONE: Final = ("abstraction", "declared")
_AT_LEVEL: Final = {n: " | ".join(o.name for o in BINDING if BINDING[o] == n) for n in range(LOOSEST, TIGHTEST + 1)}
_LEVELS: Final = "\n".join(
    f"?level{n}: level{n + 1} | level{n} ({operators}) level{n + 1} -> infix" for n, operators in _AT_LEVEL.items()
)
GRAMMAR: Final = rf"""
file: STRING
fun: NAME parameters? (COLON abstraction)?
parameters: OPEN (parameter (COMMA parameter)*)? CLOSE
parameter: NAME COLON abstraction
var: declared COLON abstraction
declared: (NAME? SCOPE)? NAME step*
abstraction: NAME arguments? NAME*
arguments: OPEN number (COMMA number)* CLOSE

watch: OPEN condition CLOSE ARROW label
exit: test? ARROW label
call: NAME patterns? ARROW label
return: NAME test? ARROW label
read: place ARROW label
write: place ARROW label
line: STRING COLON NUMBER ARROW label

patterns: OPEN (pattern (COMMA pattern)*)? CLOSE
pattern: constant | test_operator constant | range | ELLIPSIS
test: test_operator constant | NAME range
test_operator: EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL
range: constant DOTS constant
constant: number | NAME
number: MINUS? (NUMBER | CHARACTER)

label: QUOTE? (NAME (DOT NAME)* items? | STRING) QUOTE?
items: OPEN (item (COMMA item)*)? CLOSE
item: PARAMETER | number | NAME | STRING

place: (NAME? (SCOPE | COLON))? NAME step*
step: DOT NAME | OPEN_INDEX NUMBER? CLOSE_INDEX

condition: level{LOOSEST}
{_LEVELS}
?level{TIGHTEST + 1}: primary | ({" | ".join(o.name for o in PREFIXES)}) level{TIGHTEST + 1} -> prefix
?primary: OPEN level{LOOSEST} CLOSE -> inner | NUMBER -> value | CHARACTER -> value | place

%declare NAME NUMBER STRING CHARACTER PARAMETER QUOTE {" ".join(OPERATORS.values())}
"""

WORDS: Final = {
    "NAME": "a name",
    "NUMBER": "a number",
    "CHARACTER": "a number",
    "STRING": "a text in quotes",
    "PARAMETER": "a parameter such as `$1`",
    **{kind: f"`{text}`" for text, kind in OPERATORS.items()},
    "QUOTE": "a quote",
}
END: Final = "$END"
_MAJOR: Final = frozenset(
    ("NAME", "NUMBER", "STRING", "OPEN", "CLOSE", "CLOSE_INDEX", "COMMA", "ARROW", "EQUAL", "AND_ALSO", END)
)
"""What is offered where it fits; other things only where none of these does."""
HINTS: Final = {
    "MEMBER_ARROW": "maps do not follow pointers: name the variable itself",
    "ASSIGN": "write `==` to compare, `=>` in front of a label",
    "QUESTION": "conditions have no `?:`",
}


def parse_statement(
    text: Text, kind: str, tokens: Sequence[Token], end: int, help: str
) -> tuple[SyntaxTree | None, Token | None]:
    """The tree of one statement behind its first word, or the token that does not fit, after a problem was noted.

    `end` is where the statement ends; `help` shows how it is written.
    """
    parser = _parser().parse_interactive("", start=kind)
    at: Token | None = None
    passed: list[Token] = []
    try:
        for at in tokens:
            parser.feed_token(_for_lark(at))
            passed.append(at)
        at = None
        tree = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        expected = _expected(kind, passed)
        if at is None:
            text.problem(f"{expected} is missing here", end, end + 1, help)
        else:
            # `exit == 0 -> accept` has a mistyped arrow and no pointer.
            behind = passed[-1].kind if passed else ""
            mistyped = at.kind == "MEMBER_ARROW" and (kind in ("exit", "call", "return") or behind == "CLOSE")
            hint = help if mistyped else HINTS.get(at.kind, help)
            text.problem(f"{shown(at.text)} stands where {expected} should", at.start, at.end, hint)
        return None, at
    if _depth(tree) > MOST_NESTED:
        text.problem(f"a condition nests at most {MOST_NESTED} deep", tokens[0].start, tokens[-1].end)
        return None, None
    return tree, None


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic", start=[*STATEMENTS, *_ALONE])


def _for_lark(token: Token) -> LarkToken:
    return LarkToken(token.kind, token.text, token.start, end_pos=token.end)


def _expected(kind: str, tokens: Sequence[Token]) -> str:
    """What may follow some tokens. They are parsed anew: a parser that has failed has taken steps towards an end."""
    parser = _parser().parse_interactive("", start=kind)
    for token in tokens:
        parser.feed_token(_for_lark(token))
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    fitting = accepted & _MAJOR or accepted & {"COLON"} or accepted
    words = list(dict.fromkeys(word for token, word in WORDS.items() if token in fitting))
    if END in fitting:
        words.append({"file": "`{`", "fun": "`{`", "abstraction": "the end", "declared": "the end"}.get(kind, "`;`"))
    return alternatives(words)


def _depth(tree: SyntaxTree) -> int:
    deepest, todo = 0, [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return deepest
