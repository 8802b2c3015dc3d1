"""A difference for people at a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from stateglass.evidence import Version
from stateglass.source import printable
from stateglass.views.claims.text import Styled, card_lines
from stateglass.views.differences.words import ChangedClaim, Shown, distinction_text, headline, verdict_word
from stateglass.views.summary import cut

Places = Callable[[Version], AbstractContextManager[None]]
"""Where the files of a side are: lines of the source are read there."""
MOST_CHANGES = 30


def everywhere(version: Version) -> AbstractContextManager[None]:
    return nullcontext()


def difference_lines(
    shown: Shown, width: int, styled: Styled = lambda text, verdict: text, places: Places = everywhere
) -> Iterator[str]:
    """The answer, each change on a line of its own, and what became of the claims; lines are no longer than `width`."""
    yield from _wrapped(headline(shown), width, "")
    changes = shown.difference.changes
    for change in changes[:MOST_CHANGES]:
        yield from _wrapped(change.text, width, "  ")
    if len(changes) > MOST_CHANGES:
        yield f"  … {len(changes) - MOST_CHANGES} more (--format json has all of them)"
    for text in shown.difference.states:
        yield from _wrapped(text, width, "  ")
    if shown.difference.equivalent is False and not changes:
        yield from _wrapped(distinction_text(shown), width, "  ")
    yield from _names(shown, width)
    yield from _claims(shown.claims, "claims:", width, styled, places)
    yield from _claims(shown.scenarios, "scenarios:", width, styled, places)
    yield from _expectations(shown, width)


def _names(shown: Shown, width: int) -> Iterator[str]:
    for names, word in zip(shown.difference.labels, ("new", "gone"), strict=True):
        if names:
            listed = ", ".join(f"`{name}`" for name in names[:12]) + (" …" if len(names) > 12 else "")
            yield from _wrapped(f"actions that are {word}: {listed}", width, "")


def _claims(pairs: tuple[ChangedClaim, ...], heading: str, width: int, styled: Styled, places: Places) -> Iterator[str]:
    if not pairs:
        return
    yield heading
    for pair in pairs:
        yield cut(f"  {_title(pair)}: {_became(pair)}", width)
        if pair.why_not:
            yield from _wrapped(pair.why_not, width, "    ")
    for pair in pairs:
        telling = pair.telling
        if telling is None:
            continue
        version, card = telling
        yield ""
        yield "now:" if version is Version.NEW else "no longer:"
        with places(version):
            yield from card_lines(card, width, styled)


def _title(pair: ChangedClaim) -> str:
    return " ".join(pair.title.split())


def _became(pair: ChangedClaim) -> str:
    before, after = verdict_word(pair.before), verdict_word(pair.after)
    if before == after:
        return after
    return f"{before} -> {after}" + (" (expected)" if pair.expected else "")


def _expectations(shown: Shown, width: int) -> Iterator[str]:
    for met in shown.difference.expectations:
        if met.unmet:
            where = f"{met.file}:{met.line}: " if met.file else ""
            yield from _wrapped(f"{where}expected, and did not come true: {met.text}: {met.unmet}", width, "")


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        printable(text), max(width, 20), initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    )
