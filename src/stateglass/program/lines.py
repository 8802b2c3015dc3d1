"""Where control arrives at a line of the source from another one."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.program.nodes import Block, End, Jump, Statement, Terminator, successors
from stateglass.program.program import Function

Line = tuple[str, int]
Position = tuple[int, int]
"""A block, and a statement of it; the terminator comes after the last one."""


def arrivals(function: Function) -> frozenset[Position]:
    """The steps of a function that may be the first ones on their line.

    A line counts once for each arrival, however many steps it takes and whatever it calls. The end of a variable's life
    is on no line; neither is a jump to code on its own line, as from the end of a loop back to its head.
    """
    blocks = function.blocks
    before = _lines_before(blocks)
    found: set[Position] = set()
    for number, block in enumerate(blocks):
        last = before[number]
        for index, node in enumerate((*block.statements, block.terminator)):
            line = _line(node, blocks)
            if line is not None:
                if last != {line}:
                    found.add((number, index))
                last = {line}
    return frozenset(found)


def _lines_before(blocks: Sequence[Block]) -> list[set[Line | None]]:
    """For each block, the lines on which control may have been before it; None: outside of the function."""
    ends = [
        [line for node in (*b.statements, b.terminator) if (line := _line(node, blocks)) is not None] for b in blocks
    ]
    before: list[set[Line | None]] = [set() for _ in blocks]
    before[0].add(None)
    todo = list(range(len(blocks)))
    while todo:
        number = todo.pop()
        after: set[Line | None] = {ends[number][-1]} if ends[number] else before[number]
        for following in successors(blocks[number].terminator):
            if not after <= before[following]:
                before[following] |= after
                todo.append(following)
    return before


def _line(node: Statement | Terminator, blocks: Sequence[Block]) -> Line | None:
    """The line that a step is on, if it is on one."""
    if isinstance(node, End) or not node.span.line:
        return None
    line = node.span.file, node.span.line
    return None if isinstance(node, Jump) and line == _first_line(node.target, blocks) else line


def _first_line(number: int, blocks: Sequence[Block]) -> Line | None:
    """The line on which a block begins, or the one that it leads to if it has no code of its own."""
    seen: set[int] = set()
    while number not in seen:
        seen.add(number)
        block = blocks[number]
        for node in (*block.statements, block.terminator):
            if not isinstance(node, End | Jump) and node.span.line:
                return node.span.file, node.span.line
        if not isinstance(block.terminator, Jump):
            return None
        number = block.terminator.target
    return None
