"""Which lines of the code were run, and which an exploration never came to."""

from __future__ import annotations

from collections.abc import Iterable

from stateglass.explore.code.activations import Segment
from stateglass.explore.code.translator import noting
from stateglass.explore.pauses import Failing, Pause
from stateglass.program.callgraph import reachable, statements_of
from stateglass.source import Span
from stateglass.system import System


def note_anew(ran: set[Segment]) -> None:
    """Forgets what was run, so that it is noted when it is run again."""
    for segment in ran:
        segment.body = (noting(segment, ran), *segment.body)
    ran.clear()


def lines_before(segment: Segment, pause: Pause) -> tuple[tuple[str, int], ...]:
    """The lines of a segment that were run before a pause: nothing follows a failure."""
    lines = segment.lines()
    if not isinstance(pause, Failing):
        return lines
    failed = (pause.span.file, pause.span.line)
    return lines[: lines.index(failed) + 1] if failed in lines else lines


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
