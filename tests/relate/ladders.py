"""Two silent chains with rungs between them: models with many weak steps, told apart deep inside."""

from __future__ import annotations

from stateglass.model import Model
from tests.relate.random_models import built


def ladder(length: int, *, last: str = "d", back: int | None = None) -> Model:
    """Chains of this length; the end of the second one leads back to its own state `back`, too."""
    rows = [(chain * length + i, "tau", chain * length + i + 1) for chain in (0, 1) for i in range(length - 1)]
    rows += [(i, "a" if i % 2 == 0 else "tau", length + i) for i in range(length)]
    rows += [(i, "b", i) for i in range(0, length, 7)]
    rows += [(length - 1, "c", 0), (2 * length - 1, last, 0)]
    if back is not None:
        rows.append((2 * length - 1, last, length + back))
    return built(rows, 2 * length)


def alternating(depth: int, *, silence: bool = True) -> tuple[Model, Model]:
    """Same weak traces; a formula needs `depth` turns from what can be done to what cannot, with `silence` in between.

    Without silence, the same traces.
    """

    def low(i: int) -> int:
        return 3 * i

    def high(i: int) -> int:
        return 3 * i + 1

    rows = [(high(0), "a", 3 * depth + 2)]
    for i in range(depth):
        middle = 3 * i + 2
        rows += [(low(i + 1), "tau", middle), (middle, "a", high(i)), (low(i + 1), "a", high(i))]
        rows += [(high(i + 1), "a", high(i)), (high(i + 1), "a", low(i))]
    ends = 3 * depth + 3
    starts = ((ends, "start", low(depth)), (ends, "start", high(depth)))
    if not silence:
        rows = [row for row in rows if row[1] != "tau"]
    one, other = ([*rows, start, (ends + 1, "tau" if silence else "begin", ends)] for start in starts)
    return tuple(_from(rows, ends + 2, ends + 1) for rows in (one, other))  # type: ignore[return-value]


def _from(rows: list[tuple[int, str, int]], states: int, initial: int) -> Model:
    """With the initial state first."""
    number = {initial: 0, 0: initial}
    return built([(number.get(s, s), label, number.get(t, t)) for s, label, t in rows], states)
