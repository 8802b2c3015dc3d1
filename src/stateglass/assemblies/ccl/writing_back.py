"""Results as values of annotations, in the text that somebody has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from stateglass.assemblies.ccl.printer import property_text
from stateglass.assemblies.claims import is_claim
from stateglass.assemblies.syntax.tokens import tokens_of
from stateglass.design import STEP, Annotation, Design
from stateglass.source import Lines, Place
from stateglass.source.notation import Text, Token

Results = Mapping[str, Sequence[tuple[str, str]]]
"""Constants to be stored, with their values, by the `qualified` names of annotations."""


def written_back(text: str, design: Design, results: Results) -> str:
    """The text of a design with results behind the claims that they are about, in place of earlier ones.

    All else stays as it is: comments, layout, and annotations that no results are about.
    """
    lines = Lines(text, Place(design.file, 1, 1))
    claims = [one for one in design.annotations if is_claim(one) and one.qualified in results]
    # From the end, so that places before it stay right.
    for annotation in sorted(claims, key=lambda a: a.value_span, reverse=True):
        start, end = _replaced(text, lines, annotation)
        new = _written(text, lines, annotation, results[annotation.qualified])
        text = text[:start] + new + _comments(text[start:end]) + text[end:]
    return text


def _replaced(text: str, lines: Lines, annotation: Annotation) -> tuple[int, int]:
    """From behind the value of an annotation to the end of what was stored behind it."""
    # A text ends with a quotation mark.
    start = lines.position(annotation.value_span.end) + isinstance(annotation.value, str)
    end = start
    for _ in annotation.of_result:
        end = start + _end_of_constant(tokens_of(Text(text[start:])), end - start)
    return start, end


def _comments(text: str) -> str:
    """What stands between words where something else stands too than blanks."""
    ends = [(0, 0), *((token.start, token.end) for token in tokens_of(Text(text)))]
    between = [text[end:start] for (_, end), (start, _) in pairwise(ends)]
    return "".join(one for one in between if one.strip())


def _end_of_constant(tokens: Sequence[Token], begin: int) -> int:
    """Where the next constant ends: `, const string run = "…"`; its value may be several texts in a row."""
    rest = [token for token in tokens if token.start >= begin]
    value = next(number for number, token in enumerate(rest) if token.kind == "ASSIGN") + 1
    while rest[value + 1].kind not in ("COMMA", "END"):
        value += 1
    return rest[value].end


def _written(text: str, lines: Lines, annotation: Annotation, constants: Sequence[tuple[str, str]]) -> str:
    begin = lines.start(lines.position(annotation.span.start))
    indentation = text[begin:][: len(text[begin:]) - len(text[begin:].lstrip(" \t"))] + STEP
    return "".join(f",\n{indentation}{property_text(name, value)}" for name, value in constants)
