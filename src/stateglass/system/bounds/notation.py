"""Reads the notation of bounds: `0..10`, `{1, 5}`, `OFF | ON`, `list 0..2 of bool`, `{"on", "off"}`."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, cast

from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Span, alternatives, input_error, shown
from stateglass.system.bounds.spec import RESERVED, BoundSpec

if TYPE_CHECKING:
    from lark import Lark, Token

    from stateglass.system.bounds.reader import Reader

# A bound that is longer was not written by hand, and reading it would take noticeable time.
MOST_CHARACTERS: Final = 1 << 20

FORMS: Final = (
    "a bound is `0..10`, `0..100 step 10`, `{1, 5, 9}`, `0..3 | 9`, `bool`, an enum or some of its members; "
    'behind pointers also `list 0..2 of 0..10` or texts, `{"on", "off"}`'
)

GRAMMAR: Final = r"""
start: _spec
_spec: union | list_of | category
list_of: _LIST lengths (_OF _spec)?
lengths: NUMBER (_DOTS NUMBER)?
category: _CATEGORY NAME
union: _part ("|" _part)*
_part: range | set | any_bool | single
range: _number _DOTS _number (_STEP _number)?
set: "{" _item ("," _item)* "}"
single: _item
any_bool: _BOOL
_number: NUMBER | CHARACTER
_item: _number | NAME | STRING

_DOTS: ".."
_BOOL.2: /bool(?!\w|::)/
_CATEGORY.2: /category(?!\w|::)/
_LIST.2: /list(?!\w|::)/
_OF.2: /of(?!\w|::)/
_STEP.2: /step(?!\w|::)/
NAME: /(::)?[^\W\d]\w*(::[^\W\d]\w*)*/
NUMBER: /-?[0-9][0-9A-Za-z_]*(\.[0-9][0-9A-Za-z_]*)?/
CHARACTER: /'(\\[^\n]|[^'\\\n])*'/
STRING: /"(\\[^\n]|[^"\\\n])*"/
%ignore /\s+/
"""

WORDS: Final = {
    "NUMBER": "a number",
    "CHARACTER": "a number",
    "NAME": "a name",
    "STRING": "a text in quotes",
    "_DOTS": "`..`",
    "_BOOL": "`bool`",
    "_CATEGORY": "`category`",
    "_LIST": "`list`",
    "_OF": "`of`",
    "_STEP": "`step`",
    "VBAR": "`|`",
    "COMMA": "`,`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "$END": "the end",
}

_OPERATOR = r"operator(?:\(\)|\[\]|->\*?|[-+*/%^&|~!=<>,]{1,3})"
_IDENTIFIER = rf"(?:{_OPERATOR}|[^\W\d]\w*)"
_TYPES = r"<[^<>=]*(?:<[^<>=]*(?:<[^<>=]*>[^<>=]*)*>[^<>=]*)*>(?: const)?"
INPUT_NAME: Final = re.compile(
    rf"(::)?{_IDENTIFIER}((\.|::){_IDENTIFIER}|\[[0-9]+\]|{_TYPES})*(\(\)(\.{_IDENTIFIER}|\[[0-9]+\])*)?(@[0-9]+)?",
)


def is_input_name(name: str) -> bool:
    """Whether a text has the form of a name in bounds: `f.x`, `f()`, `f().x`, `x`, `C.x`, `f::x`, `::g`, `a[0].x`.

    What no member of a union covers alone goes by the bit where it begins: `u@8`.
    """
    return INPUT_NAME.fullmatch(name) is not None


def parse_bound(text: str, span: Span = NOWHERE) -> BoundSpec:
    """The bound that a text stands for. `span` is where the text stands in a file, if it comes from one."""
    return _parse(text, span, "")


def split_assignment(text: str) -> tuple[str, str, str]:
    """The name, the `=` and the bound of `NAME=SPEC`; the name may be that of an operator with a `=` of its own."""
    places = [n for n, c in enumerate(text) if c == "="][:4]
    named = [n for n in places if is_input_name(text[:n].strip())]
    at = max(named) if named else text.find("=")
    return (text, "", "") if at < 0 else (text[:at].strip(), "=", text[at + 1 :].strip())


def parse_assignment(text: str) -> tuple[str, BoundSpec]:
    """The name and the bound of `NAME=SPEC` on the command line."""
    name, equals, spec = split_assignment(text)
    example = "write --bound 'NAME=SPEC', as in --bound 'f.x=0..10'"
    if not equals:
        raise input_error(Code.BOUND, f"{shown(text)} has no `=` between name and bound", help=example)
    if not name:
        raise input_error(Code.BOUND, f"{shown(text)} names no input", help=example)
    if not is_input_name(name):
        forms = "names are `f.x` (parameter), `f()` (what f returns), `x` (global), `f::x` (static local)"
        raise input_error(Code.BOUND, f"{shown(name)} is not the name of an input", help=forms)
    return name, _parse(spec, NOWHERE, f"`{name}`: ")


def _parse(text: str, span: Span, label: str) -> BoundSpec:
    # Imported on first use: commands that read no bound start without lark.
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    from stateglass.system.bounds.reader import Reader

    if len(text) > MOST_CHARACTERS:
        raise input_error(Code.TOO_LARGE, f"{label}a bound has at most {MOST_CHARACTERS} characters", span)
    reader = Reader(text, span, label)
    try:
        tree = _parser().parse(text)
    except UnexpectedCharacters as error:
        raise InputError([_stray(reader, text, cast(int, error.pos_in_stream))]) from None
    except UnexpectedToken as error:
        raise InputError([_unexpected(reader, text, error.token, error.accepts or error.expected)]) from None
    spec = reader.read(tree)
    if spec is None:
        raise InputError(reader.problems)
    return spec


@cache
def _parser() -> Lark:
    from lark import Lark

    # The basic lexer keeps the words of the notation reserved everywhere, so that every bound prints readably.
    return Lark(GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True)


def _stray(reader: Reader, text: str, position: int) -> Diagnostic:
    character = text[position]
    message = f"{shown(character)} means nothing in a bound"
    if character in "\"'":
        message = f"the closing {character} is missing"
    return reader.problem(message, position, position + 1, FORMS)


def _unexpected(reader: Reader, text: str, token: Token, accepted: set[str]) -> Diagnostic:
    if not text.strip():
        return reader.problem("the bound is empty", 0, 0, FORMS)
    words = list(dict.fromkeys(word for terminal, word in WORDS.items() if terminal in accepted))
    expected = alternatives(words)
    if token.type == "$END":
        return reader.problem(f"the bound ends where {expected} should follow", len(text), len(text), FORMS)
    start = token.start_pos or 0
    hint = FORMS
    if token in RESERVED and "NAME" in accepted:
        hint = f"`{token}` is a word of the notation; give an enumerator of that name by its number"
    return reader.problem(f"{shown(token)} stands where {expected} should", start, start + len(token), hint)
