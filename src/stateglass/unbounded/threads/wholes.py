"""All threads put together block by block: neighbours that meet in most of what they do first.

In which order that is best is guessed from how much of what two blocks do becomes their own affair, as in smart
reduction [Crouzen and Lang, 2011].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby
from types import MappingProxyType
from typing import Final, final

from stateglass.evidence import Path
from stateglass.model import Model
from stateglass.unbounded.threads.composing import known_labels, whole_origin
from stateglass.unbounded.threads.expanding import expanded
from stateglass.unbounded.threads.following import Taken
from stateglass.unbounded.threads.joining import Block, Interest, Joiner, Shelf, shown
from stateglass.unbounded.threads.parts import Team
from stateglass.work import Progress

AT_ONCE: Final = 2_000
"""With no more states than this all blocks are put together at once: runs are shortest then."""
MOST_BETWEEN: Final = 50_000
"""Two blocks that have more states without all others are not put together yet."""


@final
@dataclass(frozen=True)
class Whole:
    """What threads do together as far as somebody asks for it, and the largest model on the way."""

    model: Model
    block: Block
    largest: Model

    def taken(self, path: Path) -> Taken:
        """What each part does in a run."""
        return expanded(self.block, path)


def whole_of(
    team: Team,
    interest: Interest,
    most_states: int,
    progress: Progress,
    aliases: Mapping[str, str] = MappingProxyType({}),
    *,
    shelf: Shelf | None = None,
    at_once: int = AT_ONCE,
    between: int = MOST_BETWEEN,
) -> Whole | None:
    """All that threads do together; None if there are too many states. `aliases` are names for values of threads.

    What stands on the `shelf` is not put together again.
    """
    names = {value: name for name, value in aliases.items()}
    joiner = Joiner(team, interest, names, Shelf() if shelf is None else shelf, progress)
    blocks = [joiner.single(part) for part in range(len(team.parts))]
    whole = joiner.joined(blocks, min(at_once, most_states))
    if whole is None:
        whole = _by_steps(joiner, blocks, min(between, most_states), most_states)
    if whole is None:
        return None
    model, largest = shown(whole), joiner.largest
    assert largest is not None
    origin = whole_origin(team, is_known=model.unexplored is None)
    model = replace(model, labels=known_labels(model.labels, team), origin=origin)
    return Whole(model, whole, replace(largest, origin=origin))


def _by_steps(joiner: Joiner, blocks: list[Block], between: int, most_states: int) -> Block | None:
    """Two blocks after the other, and all that are left at once where no two of them are small enough together."""
    blocks = _by_threads(joiner, blocks, between)
    large: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    while len(blocks) > 2:
        pairs = [(a, b) for a, b in _by_closeness(joiner, blocks) if (a.parts, b.parts) not in large]
        if not pairs:
            break
        pair = pairs[0]
        found = joiner.joined(pair, between)
        if found is None:
            large.add((pair[0].parts, pair[1].parts))
            continue
        blocks = [*(block for block in blocks if block not in pair), joiner.reduced(found)]
    whole = joiner.joined(blocks, most_states)
    return None if whole is None else joiner.reduced(whole)


def _by_threads(joiner: Joiner, blocks: Sequence[Block], between: int) -> list[Block]:
    """The code of each thread with what answers it: nobody else takes part in most of what these do."""
    found: list[Block] = []
    for _, own in groupby(blocks, joiner.thread_of):
        several = list(own)
        whole = joiner.joined(several, between) if len(several) > 1 else None
        found += several if whole is None else [joiner.reduced(whole)]
    return found


def _by_closeness(joiner: Joiner, blocks: Sequence[Block]) -> list[tuple[Block, Block]]:
    """Pairs of blocks, the closest ones first: those that meet in most of what they do, and of these small ones."""
    owner = {part: number for number, block in enumerate(blocks) for part in block.parts}
    together: dict[tuple[int, int], int] = {}  # moves that only these two take part in
    open_moves = [0] * len(blocks)  # moves that others take part in, too
    for move in joiner.moves:
        moving = sorted({owner[part] for part, _ in move})
        if len(moving) > 1:
            for number in moving:
                open_moves[number] += 1
        if len(moving) == 2:
            together[moving[0], moving[1]] = together.get((moving[0], moving[1]), 0) + 1

    def rank(pair: tuple[int, int]) -> tuple[Fraction, int, tuple[int, int]]:
        one, other = pair
        own = together.get(pair, 0)
        touched = open_moves[one] + open_moves[other] - own
        return -Fraction(own, max(touched, 1)), blocks[one].model.states * blocks[other].model.states, pair

    return [(blocks[a], blocks[b]) for a, b in sorted(combinations(range(len(blocks)), 2), key=rank)]
