"""Reads requirements in English.

| pattern | wordings |
|---|---|
| absence | `T never happens`, `T does not happen`, `never T` |
| universality | `T always holds`, `T holds always`, `always T` |
| existence | `T happens`, `T eventually holds`, `T holds at least once`, `eventually T` |
| bounded existence | `T happens at most 3 times`, `at most once`, `at most twice` |
| precedence | `S precedes T`, `T is preceded by S`, `T happens only after S` |
| response | `T follows S`, `T responds to S`, `S leads to T`, `S is followed by T` |
| chains of both | `S1, then S2 precede T`, `T1, then T2 follow S`, and so on: two things on one side |

| scope | wordings, at the end or, with a comma, in front |
|---|---|
| globally | nothing, `globally` |
| before R | `before R` |
| after Q | `after Q` |
| between Q and R | `between Q and R` |
| after Q until R | `after Q until R` |

S, T, Q and R are events between back quotes or in quotes, plain names of events, conditions in brackets, or several of
them with `not`, `or` (which binds more tightly) and `and`. `happens`, `occurs` and `holds` mean the same, save that
`[x > 0] holds` alone says too little; a verb may be in the plural.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import Any, Final

from stateglass.logic.patterns import (
    Absence,
    After,
    AfterUntil,
    Before,
    Behaviour,
    Between,
    Bounded,
    Existence,
    Globally,
    Precedence,
    Requirement,
    Response,
    Scope,
    Universality,
)
from stateglass.logic.predicates import Number
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.lexing import STRAY
from stateglass.logic.reading.parsing import Grammar, Misplaced
from stateglass.logic.reading.scanning import closing, event_at
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.sameness import same
from stateglass.logic.temporal import And, Formula, Happens, Holds, Not, Or
from stateglass.source import shown

MOST_TIMES: Final = 100
_PHRASES: Final = {
    "_NEVER": "never|does not|do not|doesn't|don't|is never|are never",
    "_ALWAYS": "always",
    "_EVENTUALLY": "eventually|sometimes|at some time",
    "_HAPPENS": "happens?|occurs?",
    "_HOLDS": "holds?",
    "_AT_LEAST_ONCE": "at least once",
    "_AT_MOST": "at most",
    "ONCE": "once|one time|twice|two times",
    "_TIMES": "times?",
    "IS_FOLLOWED": "(?:is|are) (?:always |eventually )?followed by",
    "IS_PRECEDED": "(?:is|are) (?:always )?preceded by",
    "FOLLOWS": "follows?|responds? to",
    "LEADS": "leads? to",
    "PRECEDES": "precedes?",
    "ONLY_AFTER": "only after",
    "_GLOBALLY": "globally|everywhere",
    "_BEFORE": "before",
    "_AFTER": "after",
    "_BETWEEN": "between",
    "_UNTIL": "until",
    "_AND": "and",
    "_OR": "or",
    "_NOT": "not",
    "THEN": ",? then",
}
_PHRASE: Final = re.compile(
    "|".join(
        f"(?P<{name}>(?:{words.replace(' ', chr(92) + 's+').replace(',?', ',?' + chr(92) + 's*', 1)})(?!\\w))"
        for name, words in _PHRASES.items()
    ),
    re.IGNORECASE,
)
_OTHER: Final = re.compile(
    r"""(?P<BLANK>\s+)|(?P<_COMMA>,)|(?P<_OPEN>\()|(?P<_CLOSE>\))|(?P<NUMBER>[0-9]+(?!\w))|(?P<BRACKET>\[)|(?P<STRAY>.)""",
    re.VERBOSE | re.DOTALL,
)
_VERBS: Final = (
    *("never", "always", "eventually", "happen", "happens", "occur", "occurs", "hold", "holds", "follow", "follows"),
    *("followed", "precede", "precedes", "preceded", "respond", "responds", "lead", "leads", "does"),
)
_TELLING: Final = re.compile(rf"\b(?:{'|'.join(_VERBS)})\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]{5,}")
_ASIDE: Final = re.compile(r'"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|\[[^\]]*\]', re.DOTALL)
_SCOPE_HELP: Final = "let it end with something else than what it begins with"
_HELP: Final = "write it as in: `close` follows `open` after `init`; [x > 0] always holds; `a` never happens before `b`"


def sounds_english(text: str) -> bool:
    """Whether there is a verb of the patterns in a text."""
    return _TELLING.search(_ASIDE.sub(" ", text)) is not None


def misspelt_verb(text: str) -> str:
    """ "did you mean …?" for a text that would read as English if a word were one of the patterns', or nothing."""
    words = _WORD.findall(_ASIDE.sub(" ", text))
    close = (difflib.get_close_matches(word, _VERBS, n=1, cutoff=0.8) for word in words)
    return next((f"did you mean `{found[0]}`?" for found in close if found), "")


def read_requirement(text: Text, start: int, end: int) -> Requirement | None:
    """The requirement that some of the characters say; None after problems were noted."""
    if text.text[start:end].endswith("."):
        end -= 1
    tokens = _tokens(text, start, end)
    if any(token.type == STRAY for token in tokens):
        return None
    requirement: Requirement | None = _grammar().parse(text, tokens, end, "the sentence", _HELP)
    scope = None if requirement is None else requirement.scope
    if isinstance(scope, Between | AfterUntil) and same(scope.start, scope.end):
        # Where both are, nothing begins: whatever is required would hold.
        text.problem("what begins this scope ends it at once, so that it is empty", start, end, _SCOPE_HELP)
        return None
    return requirement


def _tokens(text: Text, start: int, end: int) -> list[Token]:
    found: list[Token] = []
    position = start
    while position < end:
        if phrase := _PHRASE.match(text.text, position, end):
            token = Token(str(phrase.lastgroup), phrase[0], position, phrase.end())
        elif event := event_at(text, position, end):
            pattern, after = event
            value = Happens(pattern, text.span(position, after))
            token = Token("THING" if pattern else STRAY, text.text[position:after], position, after, value)
        else:
            token = _other(text, position, end)
        position = token.end
        if token.type != "BLANK":
            found.append(token)
    return found


def _other(text: Text, start: int, end: int) -> Token:
    match = _OTHER.match(text.text, start, end)
    assert match is not None
    kind, word, after = str(match.lastgroup), match[0], match.end()
    match kind:
        case "BRACKET":
            closed = closing(text.text, start, end)
            if closed is None:
                text.problem("the closing ] is missing", start, after)
                return Token(STRAY, "", start, end)
            predicate = read_predicate(text, after, closed - 1) or Number(1)
            return Token("THING", text.text[start:closed], start, closed, Holds(predicate, text.span(start, closed)))
        case "STRAY":
            text.problem(f"{shown(word)} has no place in a sentence", start, after, _HELP)
        case _:
            pass
    return Token(kind, word, start, after)


_RULES: Final = """
start: behaviour -> everywhere | scope _COMMA? behaviour -> in_front | behaviour _COMMA? scope -> behind
?behaviour: chain _NEVER _verb -> absence | _NEVER chain -> absence
    | chain _ALWAYS _verb -> universality | chain _verb _ALWAYS -> universality | _ALWAYS chain -> universality
    | chain _HAPPENS -> existence | chain _EVENTUALLY _verb -> existence | chain _verb _EVENTUALLY -> existence
    | chain _verb _AT_LEAST_ONCE -> existence | _EVENTUALLY chain -> existence
    | chain _verb _AT_MOST NUMBER _TIMES -> bounded | chain _verb _AT_MOST ONCE -> bounded
    | chain _adverb? PRECEDES chain -> precedence | chain IS_PRECEDED chain -> preceded
    | chain _verb ONLY_AFTER chain -> preceded
    | chain _adverb? FOLLOWS chain -> response | chain _adverb? LEADS chain -> leading
    | chain IS_FOLLOWED chain -> leading
_verb: _HAPPENS | _HOLDS
_adverb: _ALWAYS | _EVENTUALLY
?scope: _GLOBALLY -> globally | _BEFORE thing -> before | _AFTER thing -> after
    | _BETWEEN alternatives _AND alternatives -> between | _AFTER thing _UNTIL thing -> after_until
chain: thing (THEN thing)*
?thing: alternatives | thing _AND alternatives -> all_of
?alternatives: single | alternatives _OR single -> one_of
?single: THING -> named | _NOT single -> other | _OPEN thing _CLOSE
"""
_WORDS: Final = {
    "THING": "an event or a condition",
    "_NEVER": "`never`",
    "_ALWAYS": "`always`",
    "_EVENTUALLY": "`eventually`",
    "_HAPPENS": "`happens`",
    "_HOLDS": "`holds`",
    "_AT_LEAST_ONCE": "`at least once`",
    "_AT_MOST": "`at most`",
    "NUMBER": "a number",
    "ONCE": "",
    "_TIMES": "`times`",
    "FOLLOWS": "`follows`",
    "PRECEDES": "`precedes`",
    "_BEFORE": "`before`",
    "_AFTER": "`after`",
    "_BETWEEN": "`between`",
    "_UNTIL": "`until`",
    "_AND": "`and`",
    "_CLOSE": "`)`",
    **dict.fromkeys(
        ("_OR", "_NOT", "THEN", "_COMMA", "_OPEN", "IS_FOLLOWED", "IS_PRECEDED", "LEADS", "ONLY_AFTER", "_GLOBALLY"), ""
    ),
}


# ---- values

Chain = tuple[Formula, ...]


def _chain(first: Formula, *rest: Formula | Token) -> tuple[Chain, Token | None]:
    """The things, and the first word that makes them a chain."""
    words = [part for part in rest if isinstance(part, Token)]
    things = (first, *(part for part in rest if not isinstance(part, Token)))
    if len(things) > 2:
        raise Misplaced(words[1], "a chain has two things", "for longer ones, write the formula in LTL")
    return things, words[0] if words else None


def _one(chain: tuple[Chain, Token | None]) -> Formula:
    things, word = chain
    if word is not None:
        raise Misplaced(word, "a chain is only about what precedes or follows something", _HELP)
    return things[0]


def _pair(cause: tuple[Chain, Token | None], effect: tuple[Chain, Token | None]) -> tuple[Chain, Chain]:
    if cause[1] is not None and effect[1] is not None:
        raise Misplaced(effect[1], "only one side may be a chain", "for more, write the formula in LTL")
    return cause[0], effect[0]


def _bounded(chain: tuple[Chain, Token | None], times: Token) -> Behaviour:
    if times.type == "ONCE":
        return Bounded(_one(chain), 1 if times.text.lower().startswith("on") else 2)
    if len(times.text) > 3 or not 1 <= int(times.text) <= MOST_TIMES:
        help = "what does not happen at all never happens" if int(times.text[:9]) == 0 else ""
        raise Misplaced(times, f"it can be 1 to {MOST_TIMES} times", help)
    return Bounded(_one(chain), int(times.text))


def _two(kind: type[Precedence | Response], *, cause: int, effect: int) -> Any:
    def make(*parts: Any) -> Behaviour:
        return kind(*_pair(parts[cause], parts[effect]))

    return make


@cache
def _grammar() -> Grammar:
    making: dict[str, Any] = {
        "everywhere": lambda behaviour: Requirement(behaviour, Globally()),
        "in_front": lambda scope, behaviour: Requirement(behaviour, scope),
        "behind": Requirement,
        "absence": lambda chain: Absence(_one(chain)),
        "universality": lambda chain: Universality(_one(chain)),
        "existence": lambda chain: Existence(_one(chain)),
        "bounded": _bounded,
        "precedence": _two(Precedence, cause=0, effect=-1),
        "preceded": _two(Precedence, cause=-1, effect=0),
        "response": _two(Response, cause=-1, effect=0),
        "leading": _two(Response, cause=0, effect=-1),
        "globally": _globally,
        "before": Before,
        "after": After,
        "between": Between,
        "after_until": AfterUntil,
        "chain": _chain,
        "all_of": And,
        "one_of": Or,
        "named": lambda token: token.value,
        "other": Not,
    }
    return Grammar(_RULES, making, _WORDS)


def _globally() -> Scope:
    return Globally()
