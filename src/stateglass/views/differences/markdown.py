"""A difference as Markdown, for the description of a pull request or a comment on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stateglass.source import printable
from stateglass.views.differences.evidence import evidence
from stateglass.views.differences.text import Places, everywhere
from stateglass.views.differences.words import (
    HEADINGS,
    ChangedClaim,
    Shown,
    distinction_text,
    headline,
    notes,
    remark,
    verdict_word,
)

_WIDTH: Final = 100
_QUOTED: Final = re.compile("`([^`]*)`")
_MARKS: Final = re.compile(r"([\\*_\[\]<>|#~$])")


def markdown(shown: Shown, places: Places = everywhere) -> str:
    """A headline, a table of changes, a table of verdicts, and the evidence folded away."""
    return "\n".join(_lines(shown, places)).rstrip("\n") + "\n"


def _lines(shown: Shown, places: Places) -> Iterator[str]:
    old, new = (_code(name) for name in shown.names)
    yield f"### {_plain(_capital(headline(shown)))}"
    yield ""
    yield f"From {old} to {new}."
    yield ""
    difference = shown.difference
    if difference.changes:
        yield "| | change | steps |"
        yield "|---|---|---:|"
        for change in difference.changes:
            yield f"| {HEADINGS[change.became]} | {_inline(change.text)} | {change.count:,} |"
        yield ""
    elif difference.equivalent is False:
        yield f"{_inline(_capital(distinction_text(shown)))}."
        yield ""
    if difference.states:
        yield _inline("; ".join(map(_capital, difference.states))) + "."
        yield ""
    for names, word in zip(difference.labels, ("New", "Gone"), strict=True):
        if names:
            yield f"{word} actions: {', '.join(map(_code, names))}."
            yield ""
    yield from _verdicts(shown.claims, "claim")
    yield from _verdicts(shown.scenarios, "scenario")
    yield from _expectations(shown)
    for note in notes(shown):
        yield f"{_inline(_capital(note))}."
        yield ""
    for title, lines in evidence(shown, places, _WIDTH):
        yield from _details(title, lines)


def _verdicts(pairs: tuple[ChangedClaim, ...], word: str) -> Iterator[str]:
    if not pairs:
        return
    yield f"| {word} | before | after | |"
    yield "|---|---|---|---|"
    for pair in pairs:
        said = _plain(remark(pair))
        yield f"| {_code(pair.title)} | {verdict_word(pair.before)} | {verdict_word(pair.after)} | {said} |"
    yield ""


def _expectations(shown: Shown) -> Iterator[str]:
    if not shown.difference.expectations:
        return
    yield "| declared | came true |"
    yield "|---|---|"
    for met in shown.difference.expectations:
        yield f"| {_code(met.text)} | {_inline(f'no: {met.unmet}') if met.unmet else 'yes'} |"
    yield ""


def _details(title: str, lines: list[str]) -> Iterator[str]:
    yield "<details>"
    summary = _QUOTED.sub(r"<code>\1</code>", _html(title))
    yield f"<summary>{summary}</summary>"
    yield ""
    # A fence that no line of the text can end.
    longest = max((len(found) for line in lines for found in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield from (printable(line) for line in lines)
    yield fence
    yield ""
    yield "</details>"
    yield ""


def _inline(text: str) -> str:
    """Text in which labels stand in back quotes: these stay code, the rest is plain."""
    parts = printable(text).split("`")
    if len(parts) % 2 == 0:
        return _plain(text)
    return "".join(_code(part) if number % 2 else _plain(part) for number, part in enumerate(parts))


def _code(text: str) -> str:
    text = printable(text).replace("|", "\\|")
    if not text.strip():
        return ""
    fence = "`" * (max((len(found) for found in re.findall("`+", text)), default=0) + 1)
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{text}{space}{fence}"


def _plain(text: str) -> str:
    return _MARKS.sub(r"\\\1", printable(text))


def _html(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
