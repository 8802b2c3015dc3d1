"""Cutting a block in two: the states that come to a splitter by inert steps, and those that stay away from it.

Both parts are looked for at the same time, in turns, until the smaller one is complete; so the work is in proportion to
the smaller part and its transitions (Groote, Jansen, Keiren, Wijs: An O(m log n) algorithm for computing stuttering
equivalence and branching bisimulation, 2017). The splitter is a bundle, or the silent transitions into another block.
"""

from __future__ import annotations

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.bundles import (
    AFTER,
    BEGIN,
    BLOCK,
    BUNDLE,
    BUNDLES,
    CONSTELLATION,
    CUT,
    CUT_FOR,
    END,
    FIRST_TO_CUT,
    HEAD,
    INERT,
    LOSERS,
    MIDDLE,
    NEXT,
    NEXT_TO_CUT,
    NOT_LISTED,
    ORIGIN,
    OWN,
    PLACE,
    REST,
    SOURCE,
    TAIL,
    UNSURE,
    UNTESTED,
    USED_BLOCKS,
    WORK,
    Tables,
    attach,
    detach,
    doubted,
    freed,
    given,
    made,
    swap,
    taken,
)
from stateglass.reduce.kernels.keys import wide

# UNTESTED of a state is 0 outside of this module. While a block is cut it is the number of its inert transitions that
# are not known to lead to states that stay, or one of these.
_COMES, _NOTED = -1, -2


@kernel
def separate(t: Tables, silent: int, b: int, splitter: int, begin: int, end: int) -> None:
    """Cuts block b by a bundle that the bottom states at `begin` … `end` in `members` lack, all others having it.

    Of the part that comes to the splitter, states that have become bottom states may lack any bundle. All states that
    come to silent transitions into the other part are put into a block of their own: of these, only such states are
    bottom states (Jansen, Groote, Keiren, Wijs: An O(m log n) algorithm for branching bisimilarity on labelled
    transition systems, 2020). So every state is looked at in this way at most once.
    """
    states, blocks, losers, counters = t.states, t.blocks, t.losers, t.counters
    counters[LOSERS] = 0
    none = wide(-1)
    come, stay = cut(t, silent, b, splitter, none, begin, end)
    fresh = False
    for k in range(counters[LOSERS]):
        fresh = fresh or states[losers[k], INERT] == 0
    if not fresh or blocks[come, END] - blocks[come, BEGIN] == 1:
        return
    if blocks[come, MIDDLE] > blocks[come, BEGIN]:
        # Old bottom states need not be tested again: what comes to a silent step into `stay` is cut off from them, and
        # has new bottom states only.
        come, _ = cut(t, silent, come, none, stay, wide(blocks[come, BEGIN]), wide(blocks[come, MIDDLE]))
        if blocks[come, END] - blocks[come, BEGIN] == 1:
            return
    for k in range(counters[LOSERS]):
        s = losers[k]
        middle = blocks[come, MIDDLE]
        if states[s, INERT] == 0 and states[s, PLACE] >= middle:
            swap(t.members, states, states[s, PLACE], middle)
            blocks[come, MIDDLE] += 1
            # Transitions of bottom states stand in front in their bundles.
            for i in range(t.first[s], t.first[s + 1]):
                x = t.edges[i, BUNDLE]
                detach(t.edges, t.bundles, i)
                attach(t.edges, states, t.bundles, i, x)
            counters[WORK] += t.first[s + 1] - t.first[s]
    x = blocks[come, BUNDLES]
    while x >= 0:
        if x != blocks[come, OWN]:
            doubted(t.bundles, counters, x)
        x = t.bundles[x, NEXT]


# Two searches take turns, so that neither has done more work than the other when the first one ends. What comes is
# found backwards along inert transitions from the sources of the splitter. What stays is found backwards from the
# bottom states that lack the splitter: a state joins when all its inert transitions lead to states that stay, and it
# lacks the splitter itself. A search that has more than half of the states cannot be the smaller part and is given up;
# the part that is complete becomes a block of its own, so that each state moves at most log n times.
@kernel
def cut(t: Tables, silent: int, b: int, splitter: int, towards: int, begin: int, end: int) -> tuple[int, int]:
    """Cuts block b; returns the part that comes to the splitter and the one that stays away.

    The splitter is a bundle, or -1: the silent transitions into block `towards`, the sources of which are the losers.
    """
    states, edges, queue, losers, counters = t.states, t.edges, t.queue, t.losers, t.counters
    members, arriving, into, silent_into = t.members, t.arriving, t.into, t.silent_into
    top = len(queue) - 1
    half = (t.blocks[b, END] - t.blocks[b, BEGIN]) // 2
    # What comes is at the beginning of the queue, what stays in `members` and at the end of the queue.
    comes, come_at, come_edge, come_end, come_work = 0, 0, 0, 0, 0
    source, starts = -1 if splitter < 0 else t.bundles[splitter, HEAD], 0
    start_end = counters[LOSERS] if splitter < 0 else 0
    known = end - begin
    stays, stay_at, stay_edge, stay_end, stay_work = known, 0, 0, 0, 0
    visits = 0
    coming, staying = True, stays <= half
    while True:
        if staying and (not coming or stay_work <= come_work):
            stay_work += 1
            if stay_edge < stay_end:
                q = edges[arriving[stay_edge], SOURCE]
                stay_edge += 1
                if states[q, BLOCK] != b or states[q, UNTESTED] == _COMES:
                    continue
                if states[q, UNTESTED] == 0:
                    states[q, UNTESTED] = states[q, INERT]
                    t.visited[visits] = q
                    visits += 1
                states[q, UNTESTED] -= 1
                if states[q, UNTESTED] == 0:
                    # All its inert transitions lead to what stays. If it has the splitter it becomes a bottom state,
                    # which happens once: so its transitions can be looked at.
                    stay_work += t.first[q + 1] - t.first[q]
                    if not _has(t, silent, q, splitter, towards):
                        queue[top - (stays - known)] = q
                        stays += 1
                        staying = stays <= half
            elif stay_at < stays:
                s = members[begin + stay_at] if stay_at < known else queue[top - (stay_at - known)]
                stay_at += 1
                stay_edge, stay_end = into[s], silent_into[s]
            else:
                break
        else:
            come_work += 1
            if come_edge < come_end:
                q = edges[arriving[come_edge], SOURCE]
                come_edge += 1
                if states[q, BLOCK] != b:
                    continue
            elif source >= 0:
                q = edges[source, SOURCE]
                source = edges[source, AFTER]
            elif starts < start_end:
                q = losers[starts]
                starts += 1
            elif come_at < comes:
                come_edge, come_end = into[queue[come_at]], silent_into[queue[come_at]]
                come_at += 1
                continue
            else:
                staying = False
                break
            if states[q, UNTESTED] != _COMES:
                states[q, UNTESTED] = _COMES
                queue[comes] = q
                comes += 1
                coming = comes <= half
    _forgotten(t, visits, comes)
    if staying:
        _lined_up(t, begin, known, stays)
    # The new block is the complete one, which need not be the part that comes.
    counters[WORK] += come_work + stay_work
    new = _moved(t, b, stays if staying else comes)
    _divided(t, silent, b, new, not staying)
    return (b, new) if staying else (new, b)


@kernel
def _lined_up(t: Tables, begin: int, known: int, stays: int) -> None:
    """Brings what stays to the beginning of the queue: the bottom states first, then what the search found."""
    queue, top = t.queue, len(t.queue) - 1
    for k in range(known):
        queue[k] = t.members[begin + k]
    for k in range(known, stays):
        queue[k] = queue[top - (k - known)]


@kernel
def _forgotten(t: Tables, visits: int, comes: int) -> None:
    """Takes back what a cut has noted on the states that it visited."""
    for k in range(visits):
        t.states[t.visited[k], UNTESTED] = 0
    for k in range(comes):
        t.states[t.queue[k], UNTESTED] = 0


@kernel
def _has(t: Tables, silent: int, s: int, splitter: int, towards: int) -> bool:
    for i in range(t.first[s], t.first[s + 1]):
        if splitter >= 0:
            if t.edges[i, BUNDLE] == splitter:
                return True
        elif t.actions[i] == silent and t.states[t.targets[i], BLOCK] == towards:
            return True
    return False


@kernel
def _moved(t: Tables, b: int, size: int) -> int:
    """Makes the first states of the queue a block of their own, in front of the others."""
    members, states, blocks, queue, counters = t.members, t.states, t.blocks, t.queue, t.counters
    new = counters[USED_BLOCKS]
    counters[USED_BLOCKS] += 1
    begin = blocks[b, BEGIN]
    middle = blocks[b, MIDDLE]
    at = begin
    for k in range(size):
        if states[queue[k], PLACE] < middle:
            swap(members, states, states[queue[k], PLACE], at)
            at += 1
    blocks[new, MIDDLE] = at
    for k in range(size):
        s = queue[k]
        if states[s, PLACE] >= middle:
            swap(members, states, states[s, PLACE], middle)
            swap(members, states, middle, at)
            at += 1
            middle += 1
        states[s, BLOCK] = new
    blocks[new, BEGIN] = begin
    blocks[new, END] = at
    blocks[new, OWN] = -1
    blocks[new, BUNDLES] = -1
    blocks[b, BEGIN] = at
    blocks[b, MIDDLE] = middle
    c = blocks[b, CONSTELLATION]
    blocks[new, CONSTELLATION] = c
    if t.constellations[c, NEXT_TO_CUT] == NOT_LISTED:
        t.constellations[c, NEXT_TO_CUT] = counters[FIRST_TO_CUT]
        counters[FIRST_TO_CUT] = c
    return int(new)


@kernel
def _divided(t: Tables, silent: int, b: int, new: int, comes: bool) -> None:
    """Divides the bundles of block b, from which `new` was cut; `comes`: silent transitions lead from `new` to b.

    Appends to the losers the states whose silent transitions are inert no more.
    """
    states, edges, blocks, bundles, losers, counters = t.states, t.edges, t.blocks, t.bundles, t.losers, t.counters
    alone = blocks[new, END] - blocks[new, BEGIN] == 1
    left_alone = blocks[b, END] - blocks[b, BEGIN] == 1
    noted = counters[LOSERS]
    lost = noted
    emptied = -1
    for k in range(blocks[new, BEGIN], blocks[new, END]):
        s = t.members[k]
        counters[WORK] += t.first[s + 1] - t.first[s]
        for i in range(t.first[s], t.first[s + 1]):
            x = edges[i, BUNDLE]
            if x >= 0:
                if not alone:
                    x = _transferred(t, b, new, i)
                else:
                    detach(edges, bundles, i)
                if x >= 0 and bundles[x, HEAD] < 0:
                    taken(bundles, blocks, x, b)
                    bundles[x, NEXT] = emptied
                    emptied = x
            elif t.actions[i] == silent and states[t.targets[i], BLOCK] == b:
                states[s, INERT] -= 1
                if lost == noted or losers[lost - 1] != s:
                    losers[lost] = s
                    lost += 1
                if not alone:
                    _into_own(t, new, i)
        if comes:
            # Silent transitions lead from what comes to what stays only: those were seen from their sources.
            continue
        counters[WORK] += t.silent_into[s] - t.into[s]
        for j in range(t.into[s], t.silent_into[s]):
            i = t.arriving[j]
            q = edges[i, SOURCE]
            if states[q, BLOCK] == b:
                states[q, INERT] -= 1
                if states[q, UNTESTED] != _NOTED:
                    states[q, UNTESTED] = _NOTED
                    losers[lost] = q
                    lost += 1
                if not left_alone:
                    _into_own(t, b, i)
    for k in range(noted, lost):
        states[losers[k], UNTESTED] = 0
    counters[LOSERS] = lost
    # What was promised of a bundle is to be seen to in both parts of it; emptied ones are freed after that, since this
    # looks at them.
    y = blocks[new, BUNDLES]
    while y >= 0:
        x = bundles[y, ORIGIN]
        if x >= 0:
            rest = bundles[x, REST]
            if rest >= 0:
                bundles[y, REST] = bundles[rest, CUT] if bundles[rest, CUT_FOR] == new else rest
            if bundles[x, UNSURE] != 0:
                doubted(bundles, counters, y)
        y = bundles[y, NEXT]
    while emptied >= 0:
        x = emptied
        emptied = bundles[x, NEXT]
        freed(bundles, counters, x)
    if left_alone:
        # A single state is never cut again: it needs no bundles.
        s = t.members[blocks[b, BEGIN]]
        for i in range(t.first[s], t.first[s + 1]):
            edges[i, BUNDLE] = -1
        x = blocks[b, BUNDLES]
        while x >= 0:
            after = bundles[x, NEXT]
            freed(bundles, counters, x)
            x = after
        blocks[b, BUNDLES] = -1
        blocks[b, OWN] = -1


@kernel
def _into_own(t: Tables, b: int, i: int) -> None:
    """Puts a silent transition that was inert into the bundle of those into the own constellation."""
    if t.blocks[b, OWN] < 0:
        t.blocks[b, OWN] = made(t.bundles, t.blocks, t.counters, b)
    attach(t.edges, t.states, t.bundles, i, t.blocks[b, OWN])


@kernel
def _transferred(t: Tables, b: int, new: int, i: int) -> int:
    """Moves a transition of block b to the same bundle of block `new`; returns the bundle that it was taken from."""
    edges, blocks, bundles = t.edges, t.blocks, t.bundles
    x = edges[i, BUNDLE]
    if bundles[x, CUT_FOR] != new:
        own = blocks[b, OWN] == x
        if own and blocks[new, OWN] >= 0:
            y = blocks[new, OWN]
        elif bundles[x, HEAD] == bundles[x, TAIL]:
            # Nothing is left of it: it becomes the other's as it is, so that there are never more than transitions.
            taken(bundles, blocks, x, b)
            given(bundles, blocks, x, new)
            bundles[x, ORIGIN] = x
            if own:
                blocks[new, OWN] = x
            return -1
        else:
            y = made(bundles, blocks, t.counters, new)
            bundles[y, ORIGIN] = x
            if own:
                blocks[new, OWN] = y
        bundles[x, CUT] = y
        bundles[x, CUT_FOR] = new
    detach(edges, bundles, i)
    attach(edges, t.states, bundles, i, bundles[x, CUT])
    return int(x)
