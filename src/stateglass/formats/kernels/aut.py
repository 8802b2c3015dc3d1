"""Rows of `.aut` files from and to bytes, one pass each.

A reader's table of labels is an open-addressing hash table: `slots` holds label numbers or -1, label `i` is
`pool[starts[i]:starts[i + 1]]` as it stands in the file, quotes included, blanks around it removed.
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
_MOST_DIGITS = 9
_NEWLINE, _TAB, _RETURN, _SPACE = 10, 9, 13, 32
_OPEN, _CLOSE, _COMMA, _QUOTE, _ZERO, _NINE = 40, 41, 44, 34, 48, 57


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
    pool: Bytes,
    labels: int,
    salt: int,
) -> tuple[int, int, int, int, int]:
    """Reads whole lines from `start` on; returns (why it stopped, where, at which line, rows, labels).

    It stops at the end of the text or before a line that it cannot take: a malformed one, or one for which there
    is no room.
    """
    stop = len(text)
    at = start
    while at < stop:
        end = at
        while text[end] != _NEWLINE:
            end += 1
        left = at
        right = end - 1
        while left <= right and (text[left] == _SPACE or text[left] == _TAB):
            left += 1
        while right >= left and (text[right] == _SPACE or text[right] == _TAB or text[right] == _RETURN):
            right -= 1
        if left > right:
            at = end + 1
            line += 1
            continue
        if rows == len(sources):
            return FULL_ROWS, at, line, rows, labels
        if text[left] != _OPEN or text[right] != _CLOSE or right - left < 6:
            return BAD_LINE, at, line, rows, labels
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
            return BAD_LINE, at, line, rows, labels
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
            return BAD_LINE, at, line, rows, labels
        right -= 1
        while left <= right and (text[left] == _SPACE or text[left] == _TAB):
            left += 1
        while right >= left and (text[right] == _SPACE or text[right] == _TAB):
            right -= 1
        length = right - left + 1
        if length <= 0 or (text[left] == _QUOTE and (length < 3 or text[right] != _QUOTE)):
            return BAD_LINE, at, line, rows, labels
        number, slot = _find(text, left, length, slots, starts, pool, salt)
        if number < 0:
            if labels + 1 >= len(starts) or 2 * labels >= len(slots) or starts[labels] + length > len(pool):
                return FULL_LABELS, at, line, rows, labels
            number = labels
            slots[slot] = number
            first = starts[labels]
            for i in range(length):
                pool[first + i] = text[left + i]
            first_lines[labels] = line
            labels += 1
            starts[labels] = first + length
        sources[rows] = source
        actions[rows] = number
        targets[rows] = target
        rows += 1
        at = end + 1
        line += 1
    return DONE, at, line, rows, labels


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
    while row < len(sources):
        first = starts[actions[row]]
        length = starts[actions[row] + 1] - first
        if used + length + 40 > len(out):
            break
        out[used] = _OPEN
        used = _number(sources[row], out, used + 1)
        out[used] = _COMMA
        out[used + 1] = _SPACE
        used += 2
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
def _find(text: Bytes, left: int, length: int, slots: Ints, starts: Longs, pool: Bytes, salt: int) -> tuple[int, int]:
    """The number of a label or -1, and its slot or the free one where it belongs."""
    slot = _hash(text, left, length, salt) & (len(slots) - 1)
    while slots[slot] >= 0:
        number = slots[slot]
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
    value = np.uint64(salt)
    for i in range(length):
        value = (value ^ np.uint64(text[left + i])) * np.uint64(0x100000001B3)
    return np.int64((value ^ (value >> np.uint64(32))) & np.uint64(0x7FFFFFFF))


@kernel
def _number(value: int, out: Bytes, used: int) -> int:
    """Writes a natural number in decimal; returns the place after it."""
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    rest = value
    for i in range(digits):
        out[used + digits - 1 - i] = _ZERO + rest % 10
        rest //= 10
    return used + digits
