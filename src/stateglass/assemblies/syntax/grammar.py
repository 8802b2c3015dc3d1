"""The grammar of CCL, item by item, so that one mistake does not hide the next."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, unique
from functools import cache
from typing import Final, final

from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import UnexpectedToken

from stateglass.assemblies.syntax.items import Item
from stateglass.assemblies.syntax.tokens import BROKEN, tokens_of
from stateglass.assemblies.syntax.words import SIGNS, WORDS
from stateglass.logic.expressions import BINDING, LOOSEST, PREFIXES, TIGHTEST
from stateglass.source import alternatives, shown
from stateglass.source.notation import Text, Token

SyntaxTree = Tree[LarkToken]

MOST_NESTED: Final = 200
"""How deep the tree of an item is: statements in statements, operations in operations."""


@final
@unique
class Within(Enum):
    """What an item stands in."""

    FILE = "in_file"
    COMPONENT = "in_component"
    REACTION = "in_reaction"
    ENVIRONMENT = "in_environment"
    ASSEMBLY = "in_assembly"
    CONDITION = "in_condition"  # alone, as in a diagram
    ACTIONS = "in_actions"


def _operators() -> str:
    """A rule for each level of operators, the loosest first."""
    rules = []
    for level in range(LOOSEST, TIGHTEST + 1):
        inner = f"level{level + 1}" if level < TIGHTEST else "unary"
        signs = " | ".join(operator.name for operator in BINDING if BINDING[operator] == level)
        rules.append(f"?level{level}: {inner} | level{level} ({signs}) {inner} -> infix")
    return "\n".join(rules)


GRAMMAR: Final = rf"""
in_file: enumeration | component | environment | assembly
in_component: variables | pin | reaction | read_reaction | annotation
in_reaction: variables | state | transition
in_environment: service
in_condition: expression
in_actions: statement*
in_assembly: instance | connection | exposed | annotation

enumeration: ENUM NAME BEGIN enumerator (COMMA enumerator)* COMMA? END SEMICOLON?
enumerator: NAME (ASSIGN constant)?
component: COMPONENT NAME OPEN constants CLOSE BEGIN
constants: (constant_parameter (COMMA constant_parameter)*)?
constant_parameter: type NAME
environment: ENVIRONMENT NAME (OPEN CLOSE)? BEGIN
assembly: ASSEMBLY NAME (OPEN NAME? CLOSE)? BEGIN

type: TYPE_WORD+ | NAME
variables: type variable (COMMA variable)* SEMICOLON
variable: NAME (ASSIGN expression)?
pin: (SINK | SOURCE) (SYNCH | ASYNCH) NAME OPEN (parameter (COMMA parameter)*)? CLOSE SEMICOLON
parameter: (CONSUME | PRODUCE)? type NAME
reaction: (THREADED | UNTHREADED)? REACT NAME OPEN names CLOSE BEGIN
read_reaction: (THREADED | UNTHREADED)? REACT NAME OPEN names CLOSE FROM STRING SEMICOLON
names: (NAME (COMMA NAME)*)?
annotation: ANNOTATE subject BEGIN STRING (COMMA property)+ END SEMICOLON?
subject: NAME ((DOT | COLON) NAME)?
property: CONST type NAME ASSIGN (STRING+ | constant)

state: STATE NAME BEGIN part* END SEMICOLON?
part: (ENTRY | EXIT) statement
transition: NAME ARROW NAME BEGIN clause* END SEMICOLON?
clause: TRIGGER (BIT_XOR | DOLLAR) NAME (OPEN names CLOSE)? SEMICOLON -> trigger
    | GUARD expression SEMICOLON -> guard
    | ACTION statement -> action

service: SERVICE NAME NAME OPEN arguments CLOSE SEMICOLON
instance: NAME NAME OPEN arguments CLOSE SEMICOLON
arguments: (constant (COMMA constant)*)?
connection: pin_name CONNECT pin_name SEMICOLON
exposed: EXPOSE BEGIN pin_name ((COMMA | SEMICOLON) pin_name)* SEMICOLON? END SEMICOLON?
pin_name: NAME COLON NAME
constant: (MINUS | ADD)? NUMBER | CHARACTER | TRUE | FALSE | NAME

?statement: place ASSIGN expression SEMICOLON -> assign
    | place UPDATE expression SEMICOLON -> update
    | place STEP SEMICOLON -> step
    | STEP place SEMICOLON -> step
    | (BIT_XOR | DOLLAR) NAME OPEN (expression (COMMA expression)*)? CLOSE SEMICOLON -> interaction
    | IF OPEN expression CLOSE statement (ELSE statement)? -> choice
    | WHILE OPEN expression CLOSE statement -> repeat
    | BEGIN statement* END -> block
    | SEMICOLON -> block
place: (NAME | COMPONENT) DOT NAME | NAME
?expression: level{LOOSEST}
{_operators()}
?unary: primary | ({" | ".join(operator.name for operator in PREFIXES)}) unary -> prefix
?primary: OPEN expression CLOSE -> nested | place | (NUMBER | CHARACTER | TRUE | FALSE) -> literal

%declare NAME NUMBER STRING CHARACTER TYPE_WORD STEP UPDATE FROM {" ".join([*WORDS.values(), *SIGNS.values()])}
"""

_SHOWN: Final = {
    "NAME": "a name",
    "TYPE_WORD": "a type",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    **{kind: f"`{text}`" for text, kind in (WORDS | SIGNS).items()},
}
# What is offered where it fits; others only where none of these does.
_MAJOR: Final = frozenset(
    (
        *("NAME", "STRING", "OPEN", "CLOSE", "BEGIN", "END", "SEMICOLON", "COMMA", "ARROW", "CONNECT", "CONST"),
        *("ENTRY", "EXIT", "TRIGGER", "GUARD", "ACTION", "SYNCH", "ASYNCH", "REACT", "COMPONENT", "ASSEMBLY"),
        *("ENVIRONMENT", "SERVICE", "SINK", "SOURCE", "STATE", "ANNOTATE", "EXPOSE", "ENUM", "ASSIGN", "COLON"),
    )
)
_FORMS: Final = {
    "ENUM": "an enumeration is like `enum Colour { RED, GREEN };`",
    "COMPONENT": "a component is like `component store(int most) { … }`",
    "ENVIRONMENT": "surroundings are like `environment cell() { service timer clock(); }`",
    "ASSEMBLY": "an assembly is like `assembly line(cell) { store s(5); … }`",
    "SINK": "a pin is like `sink synch read(produce int level);`",
    "SOURCE": "a pin is like `source asynch closed(int force);`",
    "THREADED": "a reaction is like `threaded react R(read, closed) { … }`",
    "UNTHREADED": "a reaction is like `react R(read, closed) { … }`",
    "REACT": "a reaction is like `react R(read, closed) { … }`",
    "ANNOTATE": 'an annotation is like `annotate R {"comfort", const string Safe = "G([data >= 0])"}`',
    "STATE": "a state is like `state open { entry data = 0; exit { … } }`",
    "SERVICE": "a service is like `service timer clock();`",
    "EXPOSE": "pins for others are like `expose { s:read };`",
}
_ITEMS: Final = {
    Within.FILE: "a file has components, assemblies, environments and enumerations",
    Within.COMPONENT: "a component has variables `int data = 0;`, pins, reactions and annotations",
    Within.REACTION: "a reaction has variables `int n = 0;`, states, and transitions like "
    "`one -> two { trigger ^in(); guard n > 0; action { … } }`",
    Within.ENVIRONMENT: _FORMS["SERVICE"],
    Within.CONDITION: "a condition is like `n > 3 && !full`",
    Within.ACTIONS: "actions are like `n = n + 1; ^out(n)`",
    Within.ASSEMBLY: "an assembly has instances `store s(5);`, connections `a:out ~> s:in;`, `expose { s:read };` and "
    "annotations",
}
_HINTS: Final = {
    "ASSIGN": "write `==` to compare",
    "STEP": "an expression changes nothing: write `n = n + 1;` as a statement",
    "UPDATE": "an expression changes nothing: write `n += 1;` as a statement",
}


def parse_item(text: Text, item: Item, within: Within) -> SyntaxTree | None:
    """The tree of an item, without what is inside a component, reaction or assembly; None after a problem was noted."""
    tree = _parsed(text, item, within)
    return None if tree is None else next(child for child in tree.children if isinstance(child, Tree))


def _parsed(text: Text, item: Item, within: Within) -> SyntaxTree | None:
    parser = _parser().parse_interactive("", start=within.value)
    tokens = _with_from(item.tokens)
    for number, token in enumerate(tokens):
        if token.kind == BROKEN:
            return None
        try:
            parser.feed_token(_for_lark(token))
        except UnexpectedToken:
            _unexpected(text, tokens, number, within)
            return None
    try:
        tree: SyntaxTree = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        message = f"{_expected(tokens, within)} is missing here"
        text.problem(message, item.end, item.end + 1, _form(tokens, within))
        return None
    if _depth(tree) > MOST_NESTED:
        text.problem(
            "this is nested too deeply", tokens[0].start, tokens[0].end, "cut it up: with variables, or states"
        )
        return None
    return tree


def parse_alone(text: Text, within: Within) -> SyntaxTree | None:
    """The tree of a condition or of actions that stand by themselves; the last of these needs no semicolon."""
    tokens = tokens_of(text)
    end = tokens[-1].end if tokens else 0
    if within is Within.ACTIONS and tokens and tokens[-1].kind not in ("SEMICOLON", "END"):
        tokens.append(Token("SEMICOLON", ";", end, end))
    return _parsed(text, Item(tuple(tokens), None, end), within)


def _with_from(tokens: Sequence[Token]) -> Sequence[Token]:
    """`from` is a word in front of the name of a file alone."""
    if any(t.text == "from" for t in tokens):
        return [
            Token("FROM", t.text, t.start, t.end) if t.text == "from" and after.kind == "STRING" else t
            for t, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True)
        ]
    return tokens


def _unexpected(text: Text, tokens: Sequence[Token], number: int, within: Within) -> None:
    token, passed = tokens[number], tokens[:number]
    expected = _expected(passed, within)
    help = _form(tokens, within)
    if token.kind in WORDS.values() and "a name" in expected and number:
        help = f"`{token.text}` is a word of the notation"
    elif expected == "`;`" and passed[-1].end < token.start and "\n" in text.text[passed[-1].end : token.start]:
        end = passed[-1].end
        text.problem("`;` is missing here", end, end + 1, help)
        return
    elif any(t.kind in ("GUARD", "IF", "WHILE") for t in passed) or token.kind == "STEP":
        help = _HINTS.get(token.kind, help)
    text.problem(f"{shown(token.text)} stands where {expected} should", token.start, token.end, help)


def _form(tokens: Sequence[Token], within: Within) -> str:
    first = tokens[0].kind if tokens else ""
    return _FORMS[first] if first in _items_of(within) and first in _FORMS else _ITEMS[within]


@cache
def _items_of(within: Within) -> frozenset[str]:
    """The tokens that an item may begin with."""
    accepted: set[str] = _parser().parse_interactive("", start=within.value).accepts()  # type: ignore[no-untyped-call]
    return frozenset(accepted)


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic", start=[within.value for within in Within])


def _for_lark(token: Token) -> LarkToken:
    return LarkToken(token.kind, token.text, token.start, end_pos=token.end)


def _expected(tokens: Sequence[Token], within: Within) -> str:
    """What may follow some tokens. They are parsed anew: a parser that has failed has taken steps towards an end."""
    parser = _parser().parse_interactive("", start=within.value)
    for token in tokens:
        parser.feed_token(_for_lark(token))
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    if "SEMICOLON" in accepted and "SUBTRACT" not in accepted and BINDING_NAMES <= accepted:
        accepted = {"SEMICOLON"}  # behind an expression, its end is what is missing
    if within is not Within.FILE:
        accepted = accepted - {"COMPONENT"}  # `component.data` is rare
    fitting = accepted & _MAJOR or accepted
    words = [word for kind, word in _SHOWN.items() if kind in fitting]
    if "$END" in fitting and not words:
        return "the end"
    return alternatives(words)


BINDING_NAMES: Final = frozenset(operator.name for operator in BINDING)


def _depth(tree: SyntaxTree) -> int:
    deepest, todo = 0, [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return deepest
