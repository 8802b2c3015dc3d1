"""Rows of `.aut` files from and to bytes, one pass each.

A reader's table of labels is an open-addressing hash table: `slots` holds label numbers or -1, label `i` is
`pool[starts[i]:starts[i + 1]]` as it stands in the file, quotes included, blanks around it removed. Its length is a
power of two, and it is at most half full.

Text ends with a line end, and every loop over it stops at one: so none has to ask where the text ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stateglass.formats.kernels import kernel

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

DONE, BAD_LINE, FULL_ROWS, FULL_LABELS = 0, 1, 2, 3
MIXED, BY_SOURCE, SORTED = 0, 1, 2
"""The order of rows: none, by their sources only, or by all columns and each once."""
_MOST_DIGITS = 9  # so many always fit into 32 bits; there cannot be more states than those count
_NEWLINE, _TAB, _RETURN, _SPACE = 10, 9, 13, 32
_BLANK_LINE, _BAD = -1, -2
_OPEN, _CLOSE, _COMMA, _QUOTE, _ZERO, _NINE = 40, 41, 44, 34, 48, 57
_PAIRS = np.frombuffer(b"".join(b"%02d" % pair for pair in range(100)), dtype=np.uint8)


@kernel
def read_rows(
    text: Bytes,
    start: int,
    line: int,
    states: int,
    sources: Ints,
    actions: Ints,
    targets: Ints,
    rows: int,
    slots: Ints,
    starts: Longs,
    first_lines: Longs,
    followers: Ints,
    pool: Bytes,
    labels: int,
    salt: int,
) -> tuple[int, int, int, int, int, int]:
    """Reads whole lines from `start` on; returns (why it stopped, where, at which line, rows, labels, their order).

    It stops at the end of the text or before a line that it cannot take: a malformed one, or one for which there
    is no room. `followers` holds for each label the one that came after it last, which is tried first: files list the
    transitions of similar states in similar order, so that this saves most look-ups.
    """
    stop = len(text)
    at = start
    order = SORTED
    while at < stop:
        if rows == len(sources):
            return FULL_ROWS, at, line, rows, labels, order
        last = int(actions[rows - 1]) if rows > 0 else 0
        source, number, target, end = _usual(text, at, states, slots, starts, followers, last, pool, labels, salt)
        if end < 0:
            end = at
            while text[end] != _NEWLINE:
                end += 1
            source, left, right, target = _parts(text, at, end, states)
            if source == _BLANK_LINE:
                at = end + 1
                line += 1
                continue
            if source < 0:
                return BAD_LINE, at, line, rows, labels, order
            length = right - left + 1
            number, slot = _find(text, left, length, _hash(text, left, length, salt), slots, starts, pool)
            if number < 0:
                if labels + 1 >= len(starts) or 2 * labels >= len(slots) or starts[labels] + length > len(pool):
                    return FULL_LABELS, at, line, rows, labels, order
                number = labels
                slots[slot] = number
                first = starts[labels]
                for i in range(length):
                    pool[first + i] = text[left + i]
                first_lines[labels] = line
                followers[labels] = 0
                labels += 1
                starts[labels] = first + length
        if rows > 0:
            followers[last] = number
            before = sources[rows - 1]
            if source < before:
                order = MIXED
            elif source == before and (number < last or (number == last and target <= targets[rows - 1])):
                order = min(order, BY_SOURCE)
        sources[rows] = source
        actions[rows] = number
        targets[rows] = target
        rows += 1
        at = end + 1
        line += 1
    return DONE, at, line, rows, labels, order


@kernel
def _usual(
    text: Bytes,
    at: int,
    states: int,
    slots: Ints,
    starts: Longs,
    followers: Ints,
    last: int,
    pool: Bytes,
    labels: int,
    salt: int,
) -> tuple[int, int, int, int]:
    """A line of the shape that tools write, `(12, "label", 34)` with a known label: (source, label, target, end).

    The end is -1 if it is anything else. Nothing is looked at twice. Where a label, a comma and a number up to the end
    of the line follow each other, that comma is the last one, and so the label is all that is between the commas.
    """
    if text[at] != _OPEN:
        return 0, 0, 0, -1
    at += 1
    source = 0
    begin = at
    while _ZERO <= text[at] <= _NINE:
        source = source * 10 + (text[at] - _ZERO)
        at += 1
        if at - begin > _MOST_DIGITS:
            return 0, 0, 0, -1
    if at == begin or source >= states or text[at] != _COMMA:
        return 0, 0, 0, -1
    at += 1
    if text[at] == _SPACE:
        at += 1
    number = -1
    after = at
    if labels > 0:
        # A line end is in no label, so that this stops at the end of the text at the latest.
        guess = int(followers[last])
        first = starts[guess]
        length = starts[guess + 1] - first
        same = 0
        while same < length and text[at + same] == pool[first + same]:
            same += 1
        if same == length and text[at + same] == _COMMA:
            number = guess
            after = at + length
    if number < 0:
        if text[at] != _QUOTE:
            return 0, 0, 0, -1
        value = _begun(salt)
        value = _hashed(value, text[after])
        after += 1
        while text[after] != _QUOTE:
            if text[after] == _NEWLINE:
                return 0, 0, 0, -1
            value = _hashed(value, text[after])
            after += 1
        value = _hashed(value, text[after])
        after += 1
        number, _ = _find(text, at, after - at, _folded(value), slots, starts, pool)
        if number < 0 or text[after] != _COMMA:
            return 0, 0, 0, -1
    at = after + 1
    if text[at] == _SPACE:
        at += 1
    target = 0
    begin = at
    while _ZERO <= text[at] <= _NINE:
        target = target * 10 + (text[at] - _ZERO)
        at += 1
        if at - begin > _MOST_DIGITS:
            return 0, 0, 0, -1
    if at == begin or target >= states or text[at] != _CLOSE or text[at + 1] != _NEWLINE:
        return 0, 0, 0, -1
    return source, number, target, at + 1


@kernel
def _parts(text: Bytes, at: int, end: int, states: int) -> tuple[int, int, int, int]:
    """Any line: the source, the first and the last byte of the label, the target.

    The source is negative if there are none: _BLANK_LINE or _BAD.
    """
    left = at
    right = end - 1
    while left <= right and (text[left] == _SPACE or text[left] == _TAB):
        left += 1
    while right >= left and (text[right] == _SPACE or text[right] == _TAB or text[right] == _RETURN):
        right -= 1
    if left > right:
        return _BLANK_LINE, 0, 0, 0
    if text[left] != _OPEN or text[right] != _CLOSE or right - left < 6:
        return _BAD, 0, 0, 0
    left += 1
    right -= 1
    while left < right and (text[left] == _SPACE or text[left] == _TAB):
        left += 1
    source = 0
    digits = 0
    while left < right and _ZERO <= text[left] <= _NINE and digits <= _MOST_DIGITS:
        source = source * 10 + (text[left] - _ZERO)
        digits += 1
        left += 1
    while left < right and (text[left] == _SPACE or text[left] == _TAB):
        left += 1
    if digits == 0 or digits > _MOST_DIGITS or source >= states or text[left] != _COMMA:
        return _BAD, 0, 0, 0
    left += 1
    while left < right and (text[right] == _SPACE or text[right] == _TAB):
        right -= 1
    target = 0
    digits = 0
    power = 1
    while left < right and _ZERO <= text[right] <= _NINE and digits <= _MOST_DIGITS:
        target += (text[right] - _ZERO) * power
        power *= 10
        digits += 1
        right -= 1
    while left < right and (text[right] == _SPACE or text[right] == _TAB):
        right -= 1
    if digits == 0 or digits > _MOST_DIGITS or target >= states or text[right] != _COMMA:
        return _BAD, 0, 0, 0
    right -= 1
    while left <= right and (text[left] == _SPACE or text[left] == _TAB):
        left += 1
    while right >= left and (text[right] == _SPACE or text[right] == _TAB):
        right -= 1
    length = right - left + 1
    if length <= 0 or (text[left] == _QUOTE and (length < 3 or text[right] != _QUOTE)):
        return _BAD, 0, 0, 0
    return source, left, right, target


@kernel
def fill_slots(slots: Ints, starts: Longs, pool: Bytes, labels: int, salt: int) -> None:
    """Enters the labels into a larger table whose slots are all -1."""
    for number in range(labels):
        slot = _hash(pool, starts[number], starts[number + 1] - starts[number], salt) & (len(slots) - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number


@kernel
def write_rows(
    sources: Ints, actions: Ints, targets: Ints, start: int, starts: Longs, pool: Bytes, out: Bytes
) -> tuple[int, int]:
    """Writes as many rows from `start` on as fit; returns the next row and the number of bytes written."""
    used = 0
    row = start
    head = 0
    head_length = 0
    while row < len(sources):
        first = starts[actions[row]]
        length = starts[actions[row] + 1] - first
        # Two numbers of at most ten digits, brackets, commas, blanks and a line end need less than 40 bytes.
        if used + length + 40 > len(out):
            break
        if head_length > 0 and sources[row] == sources[row - 1]:
            # Rows of one state begin alike.
            for i in range(head_length):
                out[used + i] = out[head + i]
            head = used
            used += head_length
        else:
            head = used
            out[used] = _OPEN
            used = _number(sources[row], out, used + 1)
            out[used] = _COMMA
            out[used + 1] = _SPACE
            used += 2
            head_length = used - head
        for i in range(length):
            out[used + i] = pool[first + i]
        used += length
        out[used] = _COMMA
        out[used + 1] = _SPACE
        used = _number(targets[row], out, used + 2)
        out[used] = _CLOSE
        out[used + 1] = _NEWLINE
        used += 2
        row += 1
    return row, used


@kernel
def sort_rows(sources: Ints, actions: Ints, targets: Ints, states: int, most: int) -> int:
    """Sorts rows by (source, action, target) in place and drops duplicates; returns how many are left.

    A counting sort by source, then insertion within each state: linear as long as no state has more than `most`
    rows. If one has, nothing is done and -1 returned.
    """
    places = np.zeros(states + 1, dtype=np.int64)
    for row in range(len(sources)):
        places[sources[row] + 1] += 1
    for state in range(states):
        if places[state + 1] > most:
            return -1
        places[state + 1] += places[state]
    keys = np.empty(len(sources), dtype=np.int64)
    for row in range(len(sources)):
        place = places[sources[row]]
        keys[place] = (np.int64(actions[row]) << 32) | np.int64(targets[row])
        places[sources[row]] = place + 1
    used = 0
    start = 0
    for state in range(states):
        stop = places[state]
        for row in range(start + 1, stop):
            key = keys[row]
            place = row
            while place > start and keys[place - 1] > key:
                keys[place] = keys[place - 1]
                place -= 1
            keys[place] = key
        for row in range(start, stop):
            if row == start or keys[row] != keys[row - 1]:
                sources[used] = state
                actions[used] = keys[row] >> 32
                targets[used] = keys[row] & 0x7FFFFFFF
                used += 1
        start = stop
    return used


@kernel
def sort_runs(sources: Ints, actions: Ints, targets: Ints, most: int) -> int:
    """The same for rows that are sorted by their sources already, without another place to put them."""
    keys = np.empty(most, dtype=np.int64)
    used = 0
    start = 0
    while start < len(sources):
        source = sources[start]
        length = 0
        row = start
        while row < len(sources) and sources[row] == source:
            if length == most:
                return -1
            key = (np.int64(actions[row]) << 32) | np.int64(targets[row])
            place = length
            while place > 0 and keys[place - 1] > key:
                keys[place] = keys[place - 1]
                place -= 1
            keys[place] = key
            length += 1
            row += 1
        start = row
        for k in range(length):
            if k == 0 or keys[k] != keys[k - 1]:
                sources[used] = source
                actions[used] = keys[k] >> 32
                targets[used] = keys[k] & 0x7FFFFFFF
                used += 1
    return used


@kernel
def _find(text: Bytes, left: int, length: int, hash: int, slots: Ints, starts: Longs, pool: Bytes) -> tuple[int, int]:
    """The number of a label or -1, and its slot or the free one where it belongs."""
    slot = hash & (len(slots) - 1)
    while slots[slot] >= 0:
        number = int(slots[slot])
        first = starts[number]
        if starts[number + 1] - first == length:
            same = 0
            while same < length and pool[first + same] == text[left + same]:
                same += 1
            if same == length:
                return number, slot
        slot = (slot + 1) & (len(slots) - 1)
    return -1, slot


@kernel
def _hash(text: Bytes, left: int, length: int, salt: int) -> Any:
    """Fowler-Noll-Vo (1a, 64 bits) from a secret start, so that nobody can write a file full of collisions."""
    value = _begun(salt)
    for i in range(length):
        value = _hashed(value, text[left + i])
    return _folded(value)


@kernel
def _begun(salt: int) -> Any:
    return np.uint64(salt)


@kernel
def _hashed(value: Any, byte: Any) -> Any:
    return (value ^ np.uint64(byte)) * np.uint64(0x100000001B3)


@kernel
def _folded(value: Any) -> Any:
    return np.int64((value ^ (value >> np.uint64(32))) & np.uint64(0x7FFFFFFF))


@kernel
def _number(value: int, out: Bytes, used: int) -> int:
    """Writes a natural number of 32 bits in decimal, two digits at a time; returns the place after it."""
    rest = np.uint32(value)
    digits = 1
    limit = np.uint64(10)
    while np.uint64(rest) >= limit:
        digits += 1
        limit *= np.uint64(10)
    place = used + digits
    while rest >= np.uint32(100):
        quotient = np.uint32(rest // np.uint32(100))
        pair = 2 * np.int64(rest - quotient * np.uint32(100))
        place -= 2
        out[place] = _PAIRS[pair]
        out[place + 1] = _PAIRS[pair + 1]
        rest = quotient
    pair = 2 * np.int64(rest)
    out[place - 1] = _PAIRS[pair + 1]
    if rest >= np.uint32(10):
        out[place - 2] = _PAIRS[pair]
    return used + digits
