"""Events that one thread does by itself though others do events of the same name together: perhaps nobody meant that.

A process that accepts `lock(who:0..2)` knows `lock(2)`. If no thread does, the process does it alone whenever it likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.model import parsed
from stateglass.source import Assumption, Topic
from stateglass.system.threads import Threads
from stateglass.unbounded.threads.alphabets import Alphabet

MOST_TOLD: Final = 3


def done_alone(threads: Threads, alphabets: Sequence[Alphabet]) -> list[Assumption]:
    """What is to be known of such events, thread by thread."""
    labels = sorted({label for alphabet in alphabets for label in alphabet.labels})
    known = {label: [n for n, alphabet in enumerate(alphabets) if alphabet.has(label)] for label in labels}
    together = {parsed(label).name for label, who in known.items() if len(who) > 1}
    found: dict[tuple[str, int], list[str]] = {}
    for label, who in known.items():
        name = parsed(label).name
        if len(who) == 1 and name in together:
            found.setdefault((name, who[0]), []).append(label)
    return [
        Assumption(
            Topic.SCHEDULE,
            name,
            f"`{threads.threads[thread].name}` does {_listed(own)} by itself: nobody else knows it",
        )
        for (name, thread), own in found.items()
    ]


def _listed(labels: Sequence[str]) -> str:
    told = ", ".join(f"`{label}`" for label in labels[:MOST_TOLD])
    more = len(labels) - MOST_TOLD
    return f"{told} and {more} more" if more > 0 else told
