"""The vocabulary of scenarios as `scenario --vocabulary` lists it: a tree of what each word is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stateglass.cli.console import Console
from stateglass.model import Model
from stateglass.reports import WordReport
from stateglass.scenarios.counting import Word
from stateglass.source import counted, printable


def say_words(out: Console, words: Sequence[Word], model: Model) -> None:
    """Events, each with the words that it is made of below it; then conditions."""
    known = {word.name: word for word in words}
    for heading, kind in (("events:", True), ("conditions:", False)):
        own = [word for word in words if word.is_event is kind]
        if not own:
            continue
        inner = {name for word in own for name in word.parts}
        out.line(heading)
        shown: set[str] = set()
        for word in own:
            if word.name not in inner:
                for line in _tree(word, known, shown, 1, model):
                    out.paragraph(line, " " * 6)


def _tree(word: Word, known: dict[str, Word], shown: set[str], depth: int, model: Model) -> Iterator[str]:
    indent = "  " * depth
    if word.name in shown:
        yield f"{indent}{word.name}: as above"
        return
    shown.add(word.name)
    unused = "" if word.used else "; no scenario speaks of it"
    yield f"{indent}{word.name} = {printable(word.text)}: {_frequency(word, model)}{unused}"
    for part in word.parts:
        if known[part].is_event is word.is_event:
            yield from _tree(known[part], known, shown, depth + 1, model)


def _frequency(word: Word, model: Model) -> str:
    if not word.is_event:
        return f"in {word.count:,} of {counted(model.states, 'state')}"
    steps = f"at {counted(word.count, 'step')}" if word.count else ""
    start = "at the start" if word.at_start else ""
    return " and ".join(part for part in (start, steps) if part) or "never"


def word_facts(word: Word) -> WordReport:
    """One element of `vocabulary`."""
    return {
        "name": word.name,
        "kind": "event" if word.is_event else "condition",
        "text": word.text,
        "count": word.count,
        "at_start": word.at_start,
        "parts": list(word.parts),
        "used": word.used,
    }
