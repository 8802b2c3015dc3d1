"""Refinement for branching bisimulation in time O(m log n), with inert steps of any number and shape.

Blocks are gathered in constellations. The bottom states of a block, those without inert transitions, agree on the
actions by which they come into each constellation; for a silent step into their own one this is not asked. As long as
a constellation has several blocks, one of them that has at most half of its states becomes a constellation of its own,
and blocks whose states no longer agree are cut. A state's transitions are looked at when its block becomes a
constellation, when it is in the smaller part of a block that is cut, and when it becomes a bottom state: at most
log n, log n, and 1 times.

Groote, Jansen, Keiren, Wijs: An O(m log n) algorithm for computing stuttering equivalence and branching bisimulation,
2017, as simplified by Jansen, Groote, Keiren, Wijs: An O(m log n) algorithm for branching bisimilarity on labelled
transition systems, 2020, and by Groote, Jansen: A state-based O(m log n) partitioning algorithm for branching
bisimilarity, 2025.
"""

from __future__ import annotations

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.bundles import (
    AFTER,
    BEGIN,
    BLOCK,
    BUNDLE,
    CONSTELLATION,
    COUNT,
    CUT,
    CUT_FOR,
    END,
    FIRST_TO_CUT,
    FIRST_UNSURE,
    FREE_GROUP,
    FROM,
    HEAD,
    INERT,
    MIDDLE,
    NEXT_TO_CUT,
    NEXT_UNSURE,
    NOT_LISTED,
    OWN,
    PARENT,
    PART,
    PART_FOR,
    PLACE,
    REST,
    SOURCE,
    STOP,
    TAIL,
    UNSURE,
    USED_BLOCKS,
    USED_CONSTELLATIONS,
    USED_GROUPS,
    WORK,
    Tables,
    attach,
    detach,
    doubted,
    freed,
    made,
    swap,
    taken,
)
from stateglass.reduce.kernels.cutting import separate
from stateglass.reduce.kernels.keys import Ints, Longs, wide


@kernel
def stabilise(t: Tables, silent: int, work: int) -> bool:
    """Refines until every constellation is a block (returns True) or about `work` transitions were visited.

    What is unsure is settled first: only then do all bottom states of each block agree, which parting relies on.
    """
    counters, constellations, bundles = t.counters, t.constellations, t.bundles
    counters[WORK] = 0
    while counters[USED_BLOCKS] < len(t.members):
        if counters[WORK] > work:
            return False
        x = counters[FIRST_UNSURE]
        if x >= 0:
            counters[FIRST_UNSURE] = bundles[x, NEXT_UNSURE]
            bundles[x, NEXT_UNSURE] = NOT_LISTED
            # It may have been freed since it was listed, and even be in use again.
            if bundles[x, UNSURE] != 0:
                _settled(t, silent, x)
            continue
        c = counters[FIRST_TO_CUT]
        if c < 0:
            return True
        counters[FIRST_TO_CUT] = constellations[c, NEXT_TO_CUT]
        constellations[c, NEXT_TO_CUT] = NOT_LISTED
        _parted(t, silent, c)
    return True


@kernel
def _parted(t: Tables, silent: int, c: int) -> None:
    """Makes a small block of constellation c a constellation of its own, and lists the bundles that changed by it."""
    members, states, edges, blocks, bundles, counters = t.members, t.states, t.edges, t.blocks, t.bundles, t.counters
    constellations = t.constellations
    begin, stop = constellations[c, BEGIN], constellations[c, STOP]
    low, high = states[members[begin], BLOCK], states[members[stop - 1], BLOCK]
    if low == high:
        return
    if blocks[low, END] - blocks[low, BEGIN] <= blocks[high, END] - blocks[high, BEGIN]:
        small = low
        constellations[c, BEGIN] = blocks[low, END]
    else:
        small = high
        constellations[c, STOP] = blocks[high, BEGIN]
    constellations[c, NEXT_TO_CUT] = counters[FIRST_TO_CUT]
    counters[FIRST_TO_CUT] = c
    new = counters[USED_CONSTELLATIONS]
    counters[USED_CONSTELLATIONS] += 1
    constellations[new, BEGIN] = blocks[small, BEGIN]
    constellations[new, STOP] = blocks[small, END]
    constellations[new, NEXT_TO_CUT] = NOT_LISTED
    blocks[small, CONSTELLATION] = new
    counters[PARENT] = c
    # CUT_FOR has numbers of blocks too (see `cutting`), and -1 for none: this is neither.
    mark = -2 - new
    for k in range(blocks[small, BEGIN], blocks[small, END]):
        target = members[k]
        counters[WORK] += t.into[target + 1] - t.into[target] + 1
        for j in range(t.into[target], t.into[target + 1]):
            i = t.arriving[j]
            x = edges[i, BUNDLE]
            if x < 0:
                # An inert transition counts in its group, one of a state that is a block by itself does not matter.
                if t.actions[i] == silent:
                    _regrouped(t.group_of, t.groups, counters, i, new)
                continue
            _regrouped(t.group_of, t.groups, counters, i, new)
            b = wide(states[edges[i, SOURCE], BLOCK])
            if bundles[x, CUT_FOR] != mark:
                if bundles[x, HEAD] == bundles[x, TAIL]:
                    # All of it leads into the new constellation: there is no rest.
                    if blocks[b, OWN] == x:
                        blocks[b, OWN] = -1
                    bundles[x, REST] = -1
                    doubted(bundles, counters, x)
                    continue
                y = made(bundles, blocks, counters, b)
                bundles[x, CUT] = y
                bundles[x, CUT_FOR] = mark
                if blocks[b, OWN] != x:
                    bundles[y, REST] = x
                doubted(bundles, counters, y)
            detach(edges, bundles, i)
            attach(edges, states, bundles, i, bundles[x, CUT])
            if bundles[x, HEAD] < 0:
                taken(bundles, blocks, x, b)
                freed(bundles, counters, x)
    # What led from the small block into its own constellation leads into another one now, and is asked for.
    own = blocks[small, OWN]
    if own >= 0:
        blocks[small, OWN] = -1
        bundles[own, REST] = -1
        doubted(bundles, counters, own)


@kernel
def _regrouped(group_of: Ints, groups: Ints, counters: Longs, i: int, new: int) -> None:
    """Moves a transition, which leads into constellation `new` now, to another group."""
    if len(group_of) == 0 or group_of[i] < 0:
        return
    g = group_of[i]
    if groups[g, PART_FOR] == new:
        h = groups[g, PART]
        group_of[i] = h
        groups[h, COUNT] += 1
        groups[g, COUNT] -= 1
        if groups[g, COUNT] == 0:
            groups[h, FROM] = -1
            groups[g, PART] = counters[FREE_GROUP]
            counters[FREE_GROUP] = g
        return
    if groups[g, COUNT] == 1:
        groups[g, FROM] = -1
        return
    h = counters[FREE_GROUP]
    if h >= 0:
        counters[FREE_GROUP] = groups[h, PART]
    else:
        h = counters[USED_GROUPS]
        counters[USED_GROUPS] += 1
    groups[g, COUNT] -= 1
    groups[g, PART] = h
    groups[g, PART_FOR] = new
    groups[h, COUNT] = 1
    groups[h, FROM] = g
    groups[h, PART_FOR] = -1
    group_of[i] = h


@kernel
def _settled(t: Tables, silent: int, x: int) -> None:
    """Sees to it that all bottom states of a block, or none, have transitions in this bundle and in its rest.

    One look at the bundle is enough for both: once all bottom states have it, those that lack the rest are those whose
    transitions with this action have all gone over (they have no group, or its `FROM` is -1).
    """
    states, edges, blocks, bundles, counters = t.states, t.edges, t.blocks, t.bundles, t.counters
    b = wide(states[edges[bundles[x, HEAD], SOURCE], BLOCK])
    begin, middle = wide(blocks[b, BEGIN]), wide(blocks[b, MIDDLE])
    rest = wide(bundles[x, REST])
    if rest >= 0 and not _belongs(t, x, rest, b):
        # Emptied since, or given to the other part of a block.
        rest = -1
    bundles[x, UNSURE] = 0
    marked = _marked(t, x, begin, False)
    if marked < middle:
        if rest >= 0:
            # The rest is seen to when the block has been cut, perhaps by way of a bundle that is cut from this one.
            doubted(bundles, counters, x)
        separate(t, silent, b, x, marked, middle)
        return
    bundles[x, REST] = -1
    if rest < 0:
        return
    marked = _marked(t, x, begin, True)
    if marked > begin:
        separate(t, silent, b, rest, begin, marked)


@kernel
def _belongs(t: Tables, x: int, rest: int, b: int) -> bool:
    """Whether a bundle is the block's, with the same action as x, into the constellation that was parted last."""
    i, j = t.bundles[x, HEAD], t.bundles[rest, HEAD]
    return bool(
        j >= 0
        and t.states[t.edges[j, SOURCE], BLOCK] == b
        and t.actions[i] == t.actions[j]
        and t.blocks[t.states[t.targets[j], BLOCK], CONSTELLATION] == t.counters[PARENT]
    )


@kernel
def _marked(t: Tables, x: int, begin: int, lost: bool) -> int:
    """Moves the bottom states that have a transition in the bundle in front of the others, from `begin` on.

    With `lost`, only those of which nothing is left in the bundle's rest. Returns where the others begin.
    """
    states, edges = t.states, t.edges
    front = begin
    i = t.bundles[x, HEAD]
    while i >= 0:
        s = edges[i, SOURCE]
        if states[s, INERT] != 0:
            # Bottom states come first in a bundle.
            break
        g = t.group_of[i] if len(t.group_of) > 0 else -1
        if states[s, PLACE] >= front and (not lost or g < 0 or t.groups[g, FROM] < 0):
            swap(t.members, states, states[s, PLACE], front)
            front += 1
        i = edges[i, AFTER]
        t.counters[WORK] += 1
    return int(front)
