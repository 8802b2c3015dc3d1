"""From files to hypotheses, and what a face needs to speak of them."""

from __future__ import annotations

from stateglass.formats import read_chart
from stateglass.operations.assembling import read
from stateglass.options import ExtractOptions
from stateglass.reflexion.candidates import Candidate as Candidate
from stateglass.reflexion.candidates import Scan as Scan
from stateglass.reflexion.candidates import Use as Use
from stateglass.reflexion.drawn import read_drawn
from stateglass.reflexion.hypothesis import Hypothesis as Hypothesis
from stateglass.reflexion.hypothesis import probes_of
from stateglass.reflexion.notation.loading import Loaded as Loaded
from stateglass.reflexion.notation.loading import load_machine as load_machine
from stateglass.reflexion.notation.loading import read_machine as read_machine
from stateglass.reflexion.notation.loading import read_mapping
from stateglass.reflexion.notation.loading import source_files as source_files
from stateglass.reflexion.partition import REST as REST
from stateglass.reflexion.reflecting import Limits as Limits
from stateglass.reflexion.working import Workers as Workers
from stateglass.reflexion.working import processors as processors
from stateglass.source import Diagnostic, InputError


def drawn_hypothesis(diagram: str, mapping: str) -> Loaded:
    """The hypothesis of a state diagram, with the words of a `.machine` file, and what is wrong with both."""
    meant = read_mapping(mapping)
    try:
        chart = read_chart(diagram)
    except InputError as error:
        return Loaded(meant.hypothesis, (*error.diagnostics, *meant.problems), meant.unread)
    drawn = read_drawn(chart, meant.hypothesis, is_whole=not meant.problems)
    return Loaded(drawn.hypothesis, (*meant.problems, *drawn.problems), meant.unread, drawn.warnings)


def all_problems(loaded: Loaded, options: ExtractOptions) -> list[Diagnostic]:
    """What is wrong with a hypothesis, and with what of it could be understood as far as the code is concerned."""
    found = list(loaded.problems)
    if loaded.hypothesis.function and options.files:
        try:
            read(options, probes_of(loaded.hypothesis))
        except InputError as error:
            found += loaded.without_consequences(error.diagnostics)
    return sorted(dict.fromkeys(found), key=lambda d: d.span)
