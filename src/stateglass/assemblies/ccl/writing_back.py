"""Results as values of annotations, in the text that somebody has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stateglass.assemblies.ccl.printer import STEP, property_text
from stateglass.assemblies.syntax.tokens import tokens_of
from stateglass.design import Annotation, Design
from stateglass.source import Lines, Place
from stateglass.source.notation import Text

Results = Mapping[str, Sequence[tuple[str, str]]]
"""Constants to be stored, with their values, by the `qualified` names of annotations."""


def written_back(text: str, design: Design, results: Results) -> str:
    """The text of a design with results behind the claims that they are about, in place of earlier ones.

    All else stays as it is: comments, layout, and annotations that no results are about.
    """
    lines = Lines(text, Place(design.file, 1, 1))
    # From the end, so that places before it stay right.
    for annotation in sorted(design.annotations, key=lambda a: a.span, reverse=True):
        if annotation.qualified in results:
            start, end = _replaced(text, lines, annotation)
            text = text[:start] + _written(text, lines, annotation, results[annotation.qualified]) + text[end:]
    return text


def _replaced(text: str, lines: Lines, annotation: Annotation) -> tuple[int, int]:
    """From behind the value of an annotation to the end of the last constant in it."""
    # A text ends with a quotation mark.
    start = lines.position(annotation.value_span.end) + isinstance(annotation.value, str)
    rest = tokens_of(Text(text[start : lines.position(annotation.span.end)]))
    closing = max(number for number, token in enumerate(rest) if token.kind == "END")
    return start, start + rest[closing - 1].end if closing else start


def _written(text: str, lines: Lines, annotation: Annotation, constants: Sequence[tuple[str, str]]) -> str:
    begin = lines.start(lines.position(annotation.span.start))
    indentation = text[begin:][: len(text[begin:]) - len(text[begin:].lstrip(" \t"))] + STEP
    newline = "\r\n" if "\r\n" in text else "\n"
    return "".join(f",{newline}{indentation}{property_text(name, value)}" for name, value in constants)
