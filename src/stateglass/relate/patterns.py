"""Which labels are meant: a label itself, a pattern with * and ?, or `re:` and a regular expression.

A star or question mark that belongs to the label is written `\\*` and `\\?`; any other backslash stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from stateglass.source import Code, input_error, suggestion

_REGULAR = "re:"
_SPECIAL = re.compile(r"\\[*?]|[*?]")
_WILD = {"*": ".*", "?": "."}


@final
@dataclass(frozen=True, slots=True)
class Pattern:
    """A set of labels; brackets and parentheses, which labels are full of, stand for themselves."""

    text: str
    expression: re.Pattern[str]
    literal: bool

    @staticmethod
    def of(text: str) -> Pattern:
        if not text or text == _REGULAR:
            raise input_error(Code.USAGE, "a pattern is empty", help="name a label, or use * for all of them")
        if text.startswith(_REGULAR):
            return Pattern(text, _compiled(text), literal=False)
        plain, special = _SPECIAL.split(text), _SPECIAL.findall(text)
        wild = re.escape(plain[0]) + "".join(
            _WILD.get(mark, re.escape(mark[-1])) + re.escape(after)
            for mark, after in zip(special, plain[1:], strict=True)
        )
        return Pattern(text, re.compile(wild, re.DOTALL), literal=not any(mark in _WILD for mark in special))

    def matches(self, label: str) -> bool:
        return self.expression.fullmatch(label) is not None

    def among(self, labels: Sequence[str]) -> list[str]:
        """The labels that match; a plain label that does not exist is a mistake, a pattern may match nothing."""
        found = [label for label in labels if self.matches(label)]
        if not found and self.literal:
            help = suggestion(self.text, labels)
            raise input_error(Code.UNKNOWN_NAME, f"the model has no label `{self.text}`", help=help)
        return found


@final
@dataclass(frozen=True, slots=True)
class Renaming:
    """New labels for those that match; in a regular expression's replacement, `\\1` is what its first group took."""

    pattern: Pattern
    replacement: str

    @property
    def text(self) -> str:
        return f"{self.pattern.text}={self.replacement}"

    @staticmethod
    def of(text: str) -> Renaming:
        """`OLD=NEW`; an equals sign that belongs to OLD is written `\\=`."""
        match = re.fullmatch(r"((?:[^\\=]|\\.)*)=(.*)", text, re.DOTALL)
        if match is None or not match[1] or not match[2]:
            raise input_error(
                Code.USAGE, f"`{text}` is no renaming", help="write OLD=NEW; an = within OLD is written \\="
            )
        pattern = Pattern.of(match[1].replace("\\=", "="))
        renaming = Renaming(pattern, match[2])
        if pattern.text.startswith(_REGULAR):
            renaming._check()
        return renaming

    def apply(self, label: str) -> str:
        """The new label; `*` and `?` have no groups, so that their replacement is plain text."""
        if not self.pattern.text.startswith(_REGULAR):
            return self.replacement
        match = self.pattern.expression.fullmatch(label)
        assert match is not None
        return match.expand(self.replacement)

    def _check(self) -> None:
        empty = re.compile(f"(?:{self.pattern.expression.pattern})|")
        match = empty.fullmatch("")
        assert match is not None
        try:
            match.expand(self.replacement)
        except (re.error, IndexError) as error:
            raise input_error(Code.USAGE, f"`{self.replacement}` cannot replace a match: {error}") from None


def _compiled(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text.removeprefix(_REGULAR), re.DOTALL)
    except (re.error, RecursionError, OverflowError) as error:
        raise input_error(Code.USAGE, f"`{text}` is no regular expression: {error}") from None
