"""The grammar of processes, definition by definition, so that one mistake does not hide the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import UnexpectedToken

from stateglass.source import shown
from stateglass.source.notation import Text, Token
from stateglass.system.fsp.words import SIGNS, WORDS

SyntaxTree = Tree[LarkToken]

MOST_NESTED: Final = 300
"""How deep the tree of a definition is; each action of a row counts. What is deeper is cut up with definitions."""

GRAMMAR: Final = rf"""
definition: NAME parameters? index* ASSIGN choice
parameters: OPEN parameter (COMMA parameter)* CLOSE
parameter: NAME ASSIGN constant
constant: SUBTRACT? NUMBER | TRUE | FALSE | STRING | NAME
index: OPEN_INDEX binding CLOSE_INDEX
binding: NAME COLON domain
domain: interval | BOOL | listed
interval: sum DOTS sum
listed: BEGIN or_else (COMMA or_else)* END

choice: guarded (BAR guarded)*
guarded: guard* prefix
guard: WHEN OPEN or_else CLOSE
prefix: (actions ARROW)* last
actions: action | BEGIN action (COMMA action)* END
last: OPEN choice CLOSE -> inner
    | STOP -> stop
    | ERROR -> error
    | NAME argument* -> reference
argument: OPEN_INDEX or_else CLOSE_INDEX

action: (CALL | RETURN | THROW | LOAD | STORE) OPEN MEMBER (COMMA value)* CLOSE -> done
      | RETURN BEGIN (RESULT EQUAL or_else)? END -> returned
      | (NAME | STRING) (OPEN value (COMMA value)* CLOSE)? -> event
value: or_else | binding

?or_else: and_also | or_else OR_ELSE and_also -> infix
?and_also: equal | and_also AND_ALSO equal -> infix
?equal: less | equal (EQUAL | UNEQUAL) less -> infix
?less: sum | less (LESS | LESS_EQUAL | GREATER | GREATER_EQUAL) sum -> infix
?sum: product | sum (ADD | SUBTRACT) product -> infix
?product: unary | product (MULTIPLY | DIVIDE | REMAINDER) unary -> infix
?unary: primary | (NOT | SUBTRACT) unary -> sign
?primary: OPEN or_else CLOSE -> nested | (NUMBER | TRUE | FALSE | STRING | NAME) -> atom

%declare NAME NUMBER STRING MEMBER {" ".join([*WORDS.values(), *SIGNS.values()])}
"""

_SHOWN: Final = {
    "NAME": "a name",
    "MEMBER": "the name of a function or a field",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    **{kind: f"`{text}`" for text, kind in (WORDS | SIGNS).items()},
}
_END: Final = "$END"
# What is offered where it fits; others only where none of these does.
_MAJOR: Final = frozenset(
    ("NAME", "MEMBER", "NUMBER", "OPEN", "CLOSE", "CLOSE_INDEX", "COMMA", "ARROW", "BAR", "ASSIGN", "END", _END)
)
_FORM: Final = "a definition is like `OPEN[n:0..3] = (call(close) -> return(close) -> DOOR | call(open) -> ERROR)`"
_HINTS: Final = {
    "OR_ELSE": "a choice is `|`; processes that run side by side cannot be written",
    "ASSIGN": "write `==` to compare",
    "WHEN": "a guard stands in front of its first action: put what it guards in parentheses with it",
}


def parse_definition(text: Text, tokens: Sequence[Token], end: int) -> SyntaxTree | None:
    """The tree of one definition, or nothing after a problem was noted. `end` is where it ends."""
    parser = _parser().parse_interactive("")
    at: Token | None = None
    passed: list[Token] = []
    try:
        for at in tokens:
            parser.feed_token(_for_lark(at))
            passed.append(at)
        at = None
        tree: SyntaxTree = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        expected = _expected(passed)
        if at is None:
            text.problem(f"{expected} is missing here", end, end + 1, _FORM)
        else:
            hint = _HINTS.get(at.kind, _FORM)
            if at.kind not in _HINTS and at.kind in WORDS.values() and "a name" in expected:
                hint = f"`{at.text}` is a word of the notation"
            text.problem(f"{shown(at.text)} stands where {expected} should", at.start, at.end, hint)
        return None
    if _depth(tree) > MOST_NESTED:
        help = "cut it up into several definitions"
        text.problem("this definition is too long or nested too deeply", tokens[0].start, tokens[0].end, help)
        return None
    return tree


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic", start="definition")


def _for_lark(token: Token) -> LarkToken:
    return LarkToken(token.kind, token.text, token.start, end_pos=token.end)


def _expected(tokens: Sequence[Token]) -> str:
    """What may follow some tokens. They are parsed anew: a parser that has failed has taken steps towards an end."""
    parser = _parser().parse_interactive("")
    for token in tokens:
        parser.feed_token(_for_lark(token))
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    fitting = accepted & _MAJOR or accepted
    words = [word for kind, word in _SHOWN.items() if kind in fitting]
    if _END in fitting:
        words += ["`.`"] if "COMMA" in fitting else ["`,`", "`.`"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _depth(tree: SyntaxTree) -> int:
    """How deep it is when a row of actions or guards has become one in the other."""
    deepest, todo = 0, [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        inner = depth + (len(node.children) if node.data in ("prefix", "guarded", "definition") else 1)
        todo += [(child, inner) for child in node.children if isinstance(child, Tree)]
    return deepest
