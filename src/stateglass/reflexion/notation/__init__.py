"""The notation of hypotheses, `.machine`: reading and printing."""

from stateglass.reflexion.notation.loading import load_machine, load_mapping, source_files
from stateglass.reflexion.notation.printer import print_hypothesis
from stateglass.reflexion.notation.reader import Reader, parse_machine

__all__ = ["Reader", "load_machine", "load_mapping", "parse_machine", "print_hypothesis", "source_files"]
