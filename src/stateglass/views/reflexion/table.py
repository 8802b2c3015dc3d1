"""Reflexion models as lines of text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Final

from stateglass.evidence import ReflexionModel, Result
from stateglass.source import printable
from stateglass.views.reflexion.relevance import Relevance
from stateglass.views.reflexion.words import details, headline, listed, marks, remarks

_INDENT: Final = "     "
Styled = Callable[[str, Result], str]


def table(model: ReflexionModel, width: int, styled: Styled = lambda text, result: text) -> Iterator[str]:
    """A line for each edge, and below it what shows that it is so; no line is longer than `width`, but for words."""
    longest = max((len(printable(n)) for e in model.edges for n in (e.source, e.target)), default=0)
    verdict = max((len(" + ".join(r.value for r in e.results)) for e in model.edges), default=0)
    fits = 2 * longest + len("~+  ->   ") + verdict <= width
    relevance = Relevance(model)
    for edge in model.edges:
        results = " + ".join(styled(r.value, r) for r in edge.results)
        source, target = printable(edge.source), printable(edge.target)
        arrow = f"{marks(edge).ljust(2)} {source} -> {target}"
        if fits:
            yield f"{marks(edge).ljust(2)} {source.ljust(longest)} -> {target.ljust(longest)}  {results}"
        elif len(arrow) + len("  ") + verdict <= width:
            yield f"{arrow}  {results}"
        else:
            yield from wrapped(f"{marks(edge).ljust(2)} {source}", width, "")
            yield from wrapped(f"-> {target}", width, "   ")
            yield f"   {results}"
        for detail in details(edge, relevance):
            # A call that takes what both have tells nothing new.
            if detail.title.startswith("a call that takes") and edge.results == (Result.CONVERGENCE,):
                continue
            yield from wrapped(str(detail), width, _INDENT)


def wrapped(text: str, width: int, indent: str, following: str | None = None) -> list[str]:
    """Lines that are broken between words, and not between a variable and its value, or a number and what it counts."""
    # Such blanks are none for `textwrap`.
    kept = printable(text).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    kept = re.sub(r"\b(\d+) (?=[a-z])", "\\1\N{NO-BREAK SPACE}", kept)
    found = textwrap.wrap(
        kept,
        width,
        initial_indent=indent,
        subsequent_indent=following if following is not None else indent + ("  " if indent else _INDENT),
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in found]


def conclusion(model: ReflexionModel) -> Iterator[str]:
    """How much there is of what, and what is worth a look."""
    yield headline(model)
    if model.uncovered is not None:
        example = ", ".join(f"{n} = {v}" for n, v in model.uncovered)
        yield f"other: what no state covers{f', {example} for example' if example else ''}"
    for text, states in remarks(model.states):
        yield f"{text}: {listed(states)}"
