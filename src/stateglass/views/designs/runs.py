"""A run of a design with its components as lifelines: who interacts with whom, in the words of the design."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Step
from stateglass.source import Code, input_error
from stateglass.views.claims import sequence as diagrams
from stateglass.views.claims.sequence import Message, RowKind
from stateglass.views.claims.svg import svg

MOST_HAPPENINGS: Final = 1_000
"""A longer run is no picture any more."""

_LEAST: Final = 6
_HELP: Final = "read it as text or JSON, hide what does not matter, or insist with --force"


@final
@dataclass(frozen=True, slots=True)
class Happening:
    """A step of a run: what is done, by whom with whom, and what has another value afterwards.

    A `synch` interaction begins with a call and ends with a return; the message of an `asynch` one is sent, and
    delivered inside its receiver. What happens in one place has the same sender and receiver.
    """

    kind: RowKind
    sender: str
    receiver: str
    text: str  # `^close(3)`; empty for steps that only change values
    changes: tuple[str, ...] = ()  # of the receiver
    number: int | None = None  # of the step in a longer run; 0: it belongs to the one before. None: its place here
    step: Step | None = None


def run_picture(
    run: Sequence[Happening], title: str, *, lanes: Sequence[str] = (), loop: int | None = None, force: bool = False
) -> str:
    """The diagram as SVG text; from happening number `loop` on, it goes on like that for ever."""
    if len(run) > MOST_HAPPENINGS and not force:
        message = f"the run has {len(run):,} steps; a picture of more than {MOST_HAPPENINGS:,} cannot be read"
        raise input_error(Code.PICTURE, message, help=_HELP)
    return svg(run_diagram(run, lanes=lanes, loop=loop), title)


def run_diagram(run: Sequence[Happening], *, lanes: Sequence[str] = (), loop: int | None = None) -> diagrams.Sequence:
    """The same as rows between lanes, for whoever writes diagrams."""
    present = list(dict.fromkeys(end for one in run for end in (one.sender, one.receiver)))
    names = [name for name in lanes if name in present] + [name for name in present if name not in lanes]
    number = {name: column for column, name in enumerate(names)}
    rows = [
        Message(
            row if one.number is None else one.number,
            one.kind,
            number[one.sender],
            number[one.receiver],
            one.text,
            one.changes,
            one.step,
            beside=number[one.receiver],
        )
        for row, one in enumerate(run, 1)
    ]
    return diagrams.Sequence(tuple(names), tuple(rows), loop)


def run_lines(
    run: Sequence[Happening], *, width: int = 80, lanes: Sequence[str] = (), loop: int | None = None
) -> Iterator[str]:
    """The diagram for a terminal: with lifelines if they fit into the width, else one sentence after the other."""
    diagram = run_diagram(run, lanes=lanes, loop=loop)
    centres = _centres(diagram)
    if diagram.lanes and _width(diagram, centres) <= width:
        yield from _lifelines(diagram, centres)
    else:
        yield from _sentences(diagram, width)


def _centres(diagram: diagrams.Sequence) -> list[int]:
    """The columns of lifelines: so far apart that what is written between neighbours fits."""
    gaps = [_LEAST] * (len(diagram.lanes) - 1)
    for left, right in zip(range(len(gaps)), range(1, len(diagram.lanes)), strict=True):
        gaps[left] = max(_LEAST, (len(diagram.lanes[left]) + len(diagram.lanes[right])) // 2 + 2)
    for message in diagram.messages:
        low, high = sorted((message.source, message.target))
        if low < high:
            missing = len(message.text) + 8 - sum(gaps[low:high])
            gaps[high - 1] += max(missing, 0)
        beside = [message.text] if low == high else []
        for text in (*beside, *message.changes):
            lane = low if low == high else message.beside
            if lane < len(gaps):
                gaps[lane] = max(gaps[lane], len(text) + 6)
    centres = [max(len(diagram.lanes[0]) // 2 + 1, 2)] if diagram.lanes else []
    for gap in gaps:
        centres.append(centres[-1] + gap)
    return centres


def _width(diagram: diagrams.Sequence, centres: Sequence[int]) -> int:
    last = len(diagram.lanes) - 1
    beside = [len(c) for m in diagram.messages if m.beside == last for c in m.changes]
    beside += [len(m.text) for m in diagram.messages if m.source == m.target == last]
    return centres[-1] + max([len(diagram.lanes[-1]) // 2 + 1, *(length + 3 for length in beside)])


def _lifelines(diagram: diagrams.Sequence, centres: Sequence[int]) -> Iterator[str]:
    row = ""
    for name, centre in zip(diagram.lanes, centres, strict=True):
        row = row.ljust(centre - len(name) // 2) + name
    yield row
    for number, message in enumerate(diagram.messages):
        if number == diagram.loop_start:
            yield "for ever:"
        if message.text and message.source != message.target:
            yield _arrow(message, centres)
        elif message.text:
            mark = "!!" if message.kind is RowKind.ALARM else "*"
            yield _beside(centres, message.source, f"{mark} {message.text}")
        for change in message.changes:
            yield _beside(centres, message.beside, change)


def _arrow(message: Message, centres: Sequence[int]) -> str:
    """`|-- ^close(3) -->|`; what comes back has gaps, and what nobody waits for a round head."""
    row = list(_beside(centres, 0, "").ljust(centres[-1] + 1))
    low, high = sorted((centres[message.source], centres[message.target]))
    room = high - low - 1
    drawn = list((("- " if message.kind is RowKind.RETURN else "-") * room)[:room])
    if message.target > message.source:
        drawn[-1] = ")" if message.kind is RowKind.SEND else ">"
    else:
        drawn[0] = "(" if message.kind is RowKind.SEND else "<"
    text = f" {message.text} "
    start = (room - len(text)) // 2
    drawn[start : start + len(text)] = text
    row[low + 1 : high] = drawn
    return "".join(row).rstrip()


def _beside(centres: Sequence[int], lane: int, text: str) -> str:
    """All lifelines, and a text to the right of one."""
    row = ""
    for number, centre in enumerate(centres):
        row = row.ljust(centre) + "|"
        if number == lane and text:
            row += f" {text}"
    return row


def _sentences(diagram: diagrams.Sequence, width: int) -> Iterator[str]:
    indent = " " * 6
    for number, message in enumerate(diagram.messages):
        if number == diagram.loop_start:
            yield "for ever:"
        here, there = diagram.lanes[message.source], diagram.lanes[message.target]
        if message.text:
            whom = here if message.source == message.target else f"{here} -> {there}"
            said = f"{message.number:4}  {whom}: {message.text}"
            yield from textwrap.wrap(said, width, subsequent_indent=indent, break_on_hyphens=False)
        for change in message.changes:
            said = f"{indent}{diagram.lanes[message.beside]}: {change}"
            yield from textwrap.wrap(said, width, subsequent_indent=indent + "  ", break_on_hyphens=False)
