"""Curves with two logarithmic axes as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, final

WIDTH: Final = 900
HEIGHT: Final = 520
LEFT, RIGHT, TOP, BOTTOM = 70, 220, 20, 50
COLOURS: Final = ("#1b6ca8", "#c0392b", "#1e8449", "#8e44ad", "#b9770e")
DASHES: Final = ("", "6 4", "2 3")


@final
@dataclass(frozen=True, slots=True)
class Curve:
    """A named line through points."""

    name: str
    points: tuple[tuple[float, float], ...]


def plot(curves: Sequence[Curve], across: str, up: str) -> str:
    """A drawing whose axes begin and end at powers of ten."""
    x_low, x_high = _decades(x for curve in curves for x, _ in curve.points)
    y_low, y_high = _decades(y for curve in curves for _, y in curve.points)

    def place(x: float, y: float) -> tuple[float, float]:
        along = (math.log10(x) - x_low) / (x_high - x_low)
        high = (math.log10(y) - y_low) / (y_high - y_low)
        return LEFT + along * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - high * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for power in range(x_low, x_high + 1):
        x, bottom = place(10**power, 10**y_low)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18:.1f}" text-anchor="middle">{10**power:,}</text>')
    for power in range(y_low, y_high + 1):
        left, y = place(10**x_low, 10.0**power)
        parts.append(f'<line x1="{left:.1f}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
    )
    parts.append(f'<text x="16" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 16 {HEIGHT / 2})">')
    parts.append(f"{escape(up)}</text>")
    for i, curve in enumerate(curves):
        colour, dash = COLOURS[i // len(DASHES) % len(COLOURS)], DASHES[i % len(DASHES)]
        look = f'stroke="{colour}" stroke-width="2" fill="none"' + (f' stroke-dasharray="{dash}"' if dash else "")
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in curve.points))
        parts.append(f'<polyline points="{points}" {look}/>')
        y = TOP + 14 + 18 * i
        parts.append(f'<line x1="{WIDTH - RIGHT + 15}" y1="{y}" x2="{WIDTH - RIGHT + 45}" y2="{y}" {look}/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 52}" y="{y + 4}">{escape(curve.name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _decades(values: Iterable[float]) -> tuple[int, int]:
    logarithms = [math.log10(value) for value in values]
    low, high = math.floor(min(logarithms)), math.ceil(max(logarithms))
    return low, max(high, low + 1)
