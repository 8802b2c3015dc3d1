"""Which lines of the code an exploration never came to."""

from __future__ import annotations

from collections.abc import Iterable

from stateglass.explore.activations import Segment
from stateglass.program.callgraph import reachable, statements_of
from stateglass.source import Span
from stateglass.system import System


def unreached_lines(system: System, ran: Iterable[Segment]) -> tuple[Span, ...]:
    """A place on each line of the functions that may be called, of which nothing was run; in the order of the files."""
    reached = {line for segment in ran for line in segment.lines()}
    program = system.program
    roots = [entry.function for entry in (*system.entries, *([system.init] if system.init is not None else []))]
    called = set(reachable(program, roots).functions)
    found: dict[tuple[str, int], Span] = {}
    for name in program.own_functions:
        if name in called:
            for node in statements_of(program.functions[name].blocks):
                span = node.span
                if span.line and not span.in_library and (span.file, span.line) not in reached:
                    found.setdefault((span.file, span.line), span)
    return tuple(found[line] for line in sorted(found))
