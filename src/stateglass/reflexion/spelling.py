"""How the code writes a constant: by the name of a macro or an enumerator, as a character, in hexadecimal digits."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, final

from stateglass.source import Span, text_at
from stateglass.source.render import source_lines

_WRITTEN: Final = re.compile(r"0[xX][0-9a-fA-F]+[uUlL]*|'(\\?[^'\\]|\\x[0-9a-fA-F]{1,2}|\\[0-7]{1,3})'")
"""A number that is not decimal for a reason."""
_SUM: Final = re.compile(r"(\w+) [-+] (\w+)")
_DECIMAL: Final = re.compile(r"\d+[uUlL]*")
_DEFINITION: Final = re.compile(r"\s*#\s*(define|undef)\s+(\w+)(\(?)(.*)")
_COMMENT: Final = re.compile(r"/\*.*?\*/|//.*|/\*.*$")
_COMMENTS: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_ENUMERATION: Final = re.compile(r"\benum\b[^{};()]*\{([^}]*)\}")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_CAST: Final = re.compile(r"\(\s*(((un)?signed|char|short|int|long|\w+_t)\s*)+\)")
_TOKEN: Final = re.compile(r"\w+|'(?:\\.|[^'\\])+'|<<|>>|\S")
_NUMBER: Final = re.compile(r"\d\w*|'.+'")
_OPERATORS: Final = ("+", "-", "*", "/", "%", "&", "|", "^", "~", "<<", ">>", "(", ")")
MOST_NESTED: Final = 8
"""Macros that stand for others."""


@final
class Spelling:
    """Constants of one file. What they are called must be known, and mean the same, at the end of it."""

    def __init__(self, file: str, names: Collection[str]) -> None:
        """`names` are those of enumerators and constant variables."""
        self._file = file
        self._names = set(names) - _inner_enumerators("\n".join(source_lines(file)) if file else "")
        self._macros: dict[str, dict[str, list[str]]] = {}

    def of(self, span: Span) -> str | None:
        """What a constant is written as; empty if it is a plain number, None if that cannot be told."""
        text = text_at(span)
        if _DECIMAL.fullmatch(text):
            return ""
        if span.file != self._file:
            return None
        parts = _SUM.fullmatch(text)
        words = parts.groups() if parts is not None else (text,)
        return text if all(self._is_known(word, span) for word in words) else None

    def _is_known(self, word: str, span: Span) -> bool:
        if _DECIMAL.fullmatch(word) or _WRITTEN.fullmatch(word):
            return True
        files = list(dict.fromkeys([span.file, *([span.defined.file] if span.defined is not None else [])]))
        return self._is_constant(word, files, MOST_NESTED)

    def _is_constant(self, name: str, files: Sequence[str], depth: int) -> bool:
        """Whether a name stands for a constant as a whole: not for a condition that contains one, say."""
        bodies = [body for file in files for body in self._defined_in(file).get(name, ())]
        if not bodies:
            return name in self._names
        # One that is defined twice, or not to the end, may be something else there.
        if len(bodies) > 1 or not depth:
            return False
        body = _CAST.sub("", bodies[0])
        return _is_whole(body) and all(
            _NUMBER.fullmatch(token) or token in _OPERATORS or self._is_constant(token, files, depth - 1)
            for token in _TOKEN.findall(body)
        )

    def _defined_in(self, file: str) -> Mapping[str, list[str]]:
        """What each macro of a file stands for; nothing where it is undefined or takes arguments."""
        if file not in self._macros:
            found = self._macros[file] = dict[str, list[str]]()
            for line in source_lines(file):
                if "#" in line and (match := _DEFINITION.match(line)) is not None:
                    is_value = match[1] == "define" and not match[3]
                    found.setdefault(match[2], []).append(_COMMENT.sub("", match[4]).strip() if is_value else "")
        return self._macros[file]


def _inner_enumerators(text: str) -> set[str]:
    """Enumerators that are declared in braces, as those of a function are: the end of the file may not know them."""
    found: set[str] = set()
    depth, place = 0, 0
    text = _COMMENTS.sub("", text)
    for match in _ENUMERATION.finditer(text):
        before = text[place : match.start()]
        depth, place = depth + before.count("{") - before.count("}"), match.end()
        if depth > 0:
            found.update(_NAME.findall(match[1]))
    return found


def is_sum(text: str) -> bool:
    """Whether the text of a constant is one of two constants."""
    return _SUM.fullmatch(text) is not None


def _is_whole(body: str) -> bool:
    """Whether what stands around a macro cannot take it apart."""
    if len(_TOKEN.findall(body)) == 1:
        return True
    if not (body.startswith("(") and body.endswith(")")):
        return False
    depth = 0
    for place, character in enumerate(body):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(body) - 1
    return False
