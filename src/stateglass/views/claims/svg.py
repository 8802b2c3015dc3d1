"""A run as a sequence diagram, drawn by ourselves: lanes from left to right, time from top to bottom."""

from __future__ import annotations

from typing import Final

from stateglass.views.claims.sequence import Message, RowKind, Sequence
from stateglass.views.drawing import ALARM, ALARM_PAPER, BORDER, FAINT, INK, PALE_INK, PAPER
from stateglass.views.report_parts import escaped

# Letters of a monospaced font of 12 pixels are about so wide.
_LETTER: Final = 7.3
_ROW: Final = 26
_NOTE: Final = 20
_HEAD: Final = 34
_LEAST: Final = 130
_MARGIN: Final = 16
_MOST_LETTERS: Final = 60
MOST_MESSAGES: Final = 2000


def svg(diagram: Sequence, title: str) -> str:
    """The picture as a file of its own."""
    shown = diagram.messages[:MOST_MESSAGES]
    centres = _centres(diagram)
    width = int(centres[-1] + _room_right(diagram, len(centres) - 1) + _MARGIN)
    parts: list[str] = []
    y = float(_MARGIN + _HEAD + 14)
    loop_top = None
    for number, message in enumerate(shown):
        if number == diagram.loop_start:
            loop_top = y + 2
            y += _ROW
        drawn, height = _message(message, centres, y)
        parts.append(drawn)
        y += height
    if len(shown) < len(diagram.messages):
        y += _ROW
        parts.append(
            _label(centres[min(1, len(centres) - 1)], y, f"… {len(diagram.messages) - len(shown):,} more", PALE_INK)
        )
    bottom = y + 12
    frame = [] if loop_top is None else [_loop(loop_top, bottom - 2, width)]
    height = int(bottom + _MARGIN)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' role="img" font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="12">',
        f"<title>{escaped(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *(_lane(name, x, bottom) for name, x in zip(diagram.lanes, centres, strict=True)),
        *frame,
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _centres(diagram: Sequence) -> list[float]:
    """Where lanes stand: so far apart that what is written between neighbours fits."""
    gaps = [_LEAST] * (len(diagram.lanes) - 1)
    for message in diagram.messages[:MOST_MESSAGES]:
        low, high = sorted((message.source, message.target))
        if low < high:
            each = (_width(message.text) + 24) / (high - low)
            for gap in range(low, high):
                gaps[gap] = max(gaps[gap], int(each))
        elif low < len(gaps):
            gaps[low] = max(gaps[low], int(_width(message.text) + 40))
        for change in message.changes:
            if message.beside < len(gaps):
                gaps[message.beside] = max(gaps[message.beside], int(_width(change) + 40))
    for number, gap in enumerate(gaps):
        heads = (_width(diagram.lanes[number]) + _width(diagram.lanes[number + 1])) / 2 + 34
        gaps[number] = max(gap, int(heads))
    centres = [_MARGIN + _width(diagram.lanes[0]) / 2 + 10]
    for gap in gaps:
        centres.append(centres[-1] + gap)
    return centres


def _room_right(diagram: Sequence, last: int) -> float:
    """What stands to the right of the last lane."""
    shown = diagram.messages[:MOST_MESSAGES]
    beside = [_width(text) + 30 for m in shown if m.beside == last for text in m.changes]
    inside = [_width(m.text) + 30 for m in shown if m.source == m.target == last]
    return max([_width(diagram.lanes[last]) / 2 + 10, *beside, *inside])


def _lane(name: str, x: float, bottom: float) -> str:
    half = _width(name) / 2 + 10
    return (
        f'<line x1="{x:.1f}" y1="{_MARGIN + _HEAD}" x2="{x:.1f}" y2="{bottom:.1f}" stroke="{PALE_INK}"'
        ' stroke-dasharray="3 3"/>'
        f'<rect x="{x - half:.1f}" y="{_MARGIN}" width="{2 * half:.1f}" height="{_HEAD - 8}" rx="4" fill="{PAPER}"'
        f' stroke="{BORDER}"/>' + _label(x, _MARGIN + 18, name, INK)
    )


def _message(message: Message, centres: list[float], y: float) -> tuple[str, float]:
    alarm = message.kind is RowKind.ALARM
    colour = ALARM if alarm else INK
    parts: list[str] = []
    height = 0.0
    if message.text:
        height = _ROW
        at = y + _ROW - 6
        if message.source == message.target:
            x = centres[message.source]
            parts.append(_box(x + 10, at - 14, _width(message.text) + 12, ALARM_PAPER if alarm else FAINT, colour))
            parts.append(_label(x + 16, at, message.text, colour, "start"))
            parts.append(f'<path d="M {x:.1f} {at - 5:.1f} h 10" stroke="{colour}" fill="none"/>')
        else:
            start, end = centres[message.source], centres[message.target]
            dashes = ' stroke-dasharray="6 3"' if message.kind is RowKind.RETURN else ""
            tip = 7 if end > start else -7
            between = abs(message.source - message.target) > 1
            parts.append(_label((start + end) / 2, at - 5, message.text, colour, over_lanes=between))
            parts.append(f'<path d="M {start:.1f} {at:.1f} H {end:.1f}" stroke="{colour}" fill="none"{dashes}/>')
            parts.append(_head(end, at, tip, colour, is_open=message.kind is RowKind.SEND))
    for change in message.changes:
        at = y + height + _NOTE - 6
        parts.append(_label(centres[message.beside] + 16, at, change, PALE_INK, "start"))
        height += _NOTE
    title = "" if message.step is None else f"<title>{message.step.source}-&gt;{message.step.target}</title>"
    name = f' class="edge" id="arrow{message.number}"' if message.number else ""
    return f"<g{name}>{title}{''.join(parts)}</g>", height


def _head(end: float, at: float, tip: int, colour: str, *, is_open: bool) -> str:
    back = end - tip
    if is_open:
        line = f"M {back:.1f} {at - 4:.1f} L {end:.1f} {at:.1f} L {back:.1f} {at + 4:.1f}"
        return f'<path d="{line}" stroke="{colour}" fill="none"/>'
    return f'<polygon points="{end:.1f},{at:.1f} {back:.1f},{at - 4:.1f} {back:.1f},{at + 4:.1f}" fill="{colour}"/>'


def _box(x: float, y: float, width: float, fill: str, stroke: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="19" rx="3" fill="{fill}" stroke="{stroke}"/>'


def _loop(top: float, bottom: float, width: int) -> str:
    return (
        f'<rect x="4" y="{top:.1f}" width="{width - 8}" height="{bottom - top:.1f}" fill="none" stroke="{BORDER}"'
        f' stroke-width="1.5"/>' + _label(10, top + 15, "for ever", BORDER, "start")
    )


def _label(x: float, y: float, text: str, colour: str, anchor: str = "middle", *, over_lanes: bool = False) -> str:
    """A text; one that stands over lanes has a rim of the colour of the paper, so that it can be read."""
    rim = ' stroke="white" stroke-width="4" paint-order="stroke"' if over_lanes else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{rim}>{escaped(_short(text))}</text>'


def _short(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"


def _width(text: str) -> float:
    return _LETTER * len(_short(text))
