"""Answers for people at a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final

from stateglass.evidence import Graph, Path, Support, Verdict, folded
from stateglass.source import counted, printable
from stateglass.views.claims.cards import (
    Card,
    confirmation,
    decided_by,
    ending,
    invariant_lines,
    says,
    verdict_words,
    why,
)
from stateglass.views.steps import place_text
from stateglass.views.summary import cut

MOST_STEPS: Final = 200
"""A longer run is cut in the middle; `--format json` has all of it."""
MOST_VALUES: Final = 40
MOST_PLACES: Final = 8
MOST_NODES: Final = 40
_INDENT: Final = "  "
_DEEP: Final = " " * 8

Styled = Callable[[str, Verdict], str]


def card_lines(
    card: Card,
    width: int,
    styled: Styled = lambda text, verdict: text,
    owed: Sequence[Sequence[str]] = (),
    new: Container[int] = (),
) -> Iterator[str]:
    """The verdict, why, and the evidence step by step; no line is longer than `width`.

    `owed` is what is to be shown in each state of a run, from the first on; `new` are the numbers, from 0, of steps
    that an older version does not have.
    """
    answer = card.answer
    words = verdict_words(answer)
    title = cut(" ".join(card.title.split()), max(width - len(words) - 2, 10))
    yield f"{title}: {styled(words, answer.verdict)}"
    for text in (why(answer), says(card)):
        yield from indented(text, width)
    match answer.evidence:
        case Path() as path:
            yield from _run(card, path, width, owed, new)
        case Graph() as graph:
            yield from _graph(graph, width)
        case Support() as support:
            yield from _support(support, width)
        case None:
            pass
    yield from indented(decided_by(answer), width)
    lines = invariant_lines(answer)
    for line in lines[:MOST_PLACES]:
        yield from indented(line, width, _DEEP[:4])
    if len(lines) > MOST_PLACES:
        yield f"{_DEEP[:4]}… {len(lines) - MOST_PLACES:,} more (--format json has all of them)"
    nothing_done = isinstance(answer.evidence, Path) and not answer.evidence.steps
    confirmed = "" if nothing_done else confirmation(answer)
    yield from indented(confirmed, width)


def _run(card: Card, path: Path, width: int, owed: Sequence[Sequence[str]], new: Container[int]) -> Iterator[str]:
    values = list(card.first_values(path))
    if len(values) > MOST_VALUES:
        values.sort(key=lambda pair: pair[1] == "?")  # what has no value yet comes last
    if values:
        yield from indented(f"At first {_few(values)}.", width)
    yield from _owed(owed, 0, width)
    steps = list(folded(path))
    left_out = len(steps) - MOST_STEPS
    before = ""
    for position, (number, step, silent) in enumerate(steps):
        if left_out > 0 and MOST_STEPS // 2 <= position < MOST_STEPS // 2 + left_out:
            if position == MOST_STEPS // 2:
                yield f"{_DEEP}… {left_out:,} more (--format json has all of them)"
            continue
        if path.loop_start is not None and number - silent <= path.loop_start + 1 <= number:
            yield cut(f"{_DEEP[:-2]}from here on for ever:", width)
        if silent:
            passed = sum(1 for other in range(number - 1 - silent, number - 1) if other in new)
            yield cut(f"{_DEEP}({counted(silent, 'silent step')}{f', {passed} of them new' if passed else ''})", width)
        mark = "  (new)" if number - 1 in new else ""
        yield cut(f"{number:>6}  {step.action}", width - len(mark)) + mark
        where = place_text(step.span)
        if where and where != before:
            yield cut(_DEEP + where, width)
        before = where
        if step.changes:
            yield from indented(_few(step.changes), width, _DEEP)
        yield from _owed(owed, number, width)
    end = ending(path)
    if end:
        yield cut(f"{_DEEP}({end})", width)


def _few(values: Sequence[tuple[str, str]]) -> str:
    """Values of variables; of more than anybody reads, the first ones."""
    shown = ", ".join(f"{name} = {value}" for name, value in values[:MOST_VALUES])
    more = len(values) - MOST_VALUES
    return f"{shown}, … {more:,} more (--format json has all of them)" if more > 0 else shown


def _owed(owed: Sequence[Sequence[str]], number: int, width: int) -> Iterator[str]:
    """What is to be shown in a state of a run, unless it is what was to be shown in the one before."""
    if number < len(owed) and number and owed[number] == owed[number - 1]:
        return
    for formula in owed[number] if number < len(owed) else ():
        yield from indented(f"to be shown: {formula}", width, _DEEP)


def _graph(graph: Graph, width: int) -> Iterator[str]:
    for number, node in enumerate(graph.nodes[:MOST_NODES]):
        yield cut(f"{_INDENT}{number}: in state {node.state} {'' if node.holds else 'not '}{node.formula}", width)
        for step, to in node.steps:
            yield cut(f"{_DEEP}{step.action or 'because of'} -> {to}", width)
            changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
            for text in (place_text(step.span), changes):
                yield from [cut(f"{_DEEP}  {text}", width)] if text else []
    if len(graph.nodes) > MOST_NODES:
        yield f"{_INDENT}… {len(graph.nodes) - MOST_NODES:,} more (--format json has all of them)"


def _support(support: Support, width: int) -> Iterator[str]:
    if not support.states:
        return
    places = list(dict.fromkeys(f"{s.file}:{s.line}" for s in support.spans if s.line))
    more = f" and {len(places) - MOST_PLACES:,} more" if len(places) > MOST_PLACES else ""
    rests = f"It rests on {counted(support.states, 'state')}"
    at = f", at {', '.join(places[:MOST_PLACES])}{more}" if places else ""
    yield from indented(f"{rests}{at}.", width)


def indented(text: str, width: int, indent: str = _INDENT) -> list[str]:
    """Text in lines of a width, each with the indent of what is said of an answer."""
    return textwrap.wrap(
        printable(text), max(width, 20), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
