"""Claims as a file has them: one on each line, with a name before an equals sign or a colon if it has one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from stateglass.logic.claims import Claim, Language
from stateglass.source import NOWHERE, Code, Diagnostic, InputError, Place, Span, Words

MOST_BYTES: Final = 16 << 20
# `name = text` or `name: text`; the equals sign of a comparison or an arrow belongs to the claim, as its language does.
# A name with other characters stands in quotes, as a key of the project file does.
_NAMED: Final = re.compile(
    r'(?:(?P<plain>[A-Za-z_][\w.-]*)|"(?P<quoted>[^"\\]+)")[ \t]*(?P<sign>=(?![=>])|:(?!:))[ \t]*'
)
# What is in quotes is no comment, nor is what is not apart from the text before it.
_PART: Final = re.compile(r"""(?P<comment>(?<!\S)\#.*)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|.""")
_NO_NAMES: Final = frozenset(language.value for language in Language)
_HELP: Final = "write it behind the equals sign or the colon"


@final
@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim that nobody has read yet."""

    words: Words
    name: str = ""


def given(texts: tuple[str, ...]) -> tuple[ClaimText, ...]:
    """Claims of a command line."""
    return tuple(ClaimText(Words(text, NOWHERE)) for text in texts)


def read_all(texts: Iterable[ClaimText]) -> tuple[list[Claim], list[Diagnostic]]:
    """The claims that can be read, and what is wrong with the others."""
    # Imported on use: most commands read no claim.
    from stateglass.logic.reading import read_claim

    claims: list[Claim] = []
    problems: list[Diagnostic] = []
    for text in texts:
        at = text.words.span.start
        try:
            if at.column:
                claims.append(read_claim(text.words.text, at.file, at.line, at.column, text.name))
            else:
                claims.append(read_claim(text.words.text, name=text.name))
        except InputError as error:
            problems += error.diagnostics
    return claims, problems


def claims_in(file: str, text: str) -> tuple[ClaimText, ...]:
    """The claims of a file; a line that starts with a blank belongs to the one before, `#` starts a comment."""
    found: list[ClaimText] = []
    problems: list[Diagnostic] = []
    names: dict[str, int] = {}
    lines = [_without_comment(line) for line in text.replace("\r\n", "\n").split("\n")]
    number = 0
    while number < len(lines):
        start = number
        number += 1
        if not lines[start].strip():
            continue
        while number < len(lines) and lines[number][:1].isspace() and lines[number].strip():
            number += 1
        if lines[start][0].isspace():
            message = "a line that starts with a blank goes on with a claim, and there is none before it"
            problems.append(_problem(message, file, start, 1, "start the line with the claim or its name"))
            continue
        claim = _claim(file, start, lines[start:number])
        if claim.name and claim.name in names:
            help = f"the first is on line {names[claim.name] + 1}"
            problems.append(_problem(f"there are two claims `{claim.name}`", file, start, 1, help))
        names.setdefault(claim.name, start)
        if not claim.words.text:
            column = claim.words.span.start.column
            problems.append(_problem(f"the claim `{claim.name}` says nothing", file, start, column, _HELP))
        found.append(claim)
    if problems:
        raise InputError(problems)
    return tuple(found)


def _problem(message: str, file: str, line: int, column: int, help: str) -> Diagnostic:
    return Diagnostic(Code.SYNTAX, message, Span.at(file, line + 1, column), help=help)


def _without_comment(line: str) -> str:
    return _PART.sub(lambda part: "" if part["comment"] else part[0], line) if "#" in line else line


def _claim(file: str, line: int, lines: list[str]) -> ClaimText:
    named = _NAMED.match(lines[0])
    if named is not None and named["sign"] == ":" and named["plain"] in _NO_NAMES:
        named = None
    column = named.end() if named is not None else 0
    lines = [lines[0][column:], *lines[1:]]
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    last = lines[-1].rstrip()
    lines[-1] = last
    start = Place(file, line + 1, column + 1)
    end_column = len(last) + 1 + (column if len(lines) == 1 else 0)
    end = Place(file, line + len(lines), end_column)
    return ClaimText(Words("\n".join(lines), Span(start, end)), (named["plain"] or named["quoted"]) if named else "")
