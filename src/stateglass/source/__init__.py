"""Where every statement we make points back to: files, spans, diagnostics, their codes."""

from stateglass.source.assumptions import Assumption, Topic
from stateglass.source.diagnostics import (
    MOST_NAMES,
    Code,
    Diagnostic,
    InputError,
    Severity,
    close_match,
    input_error,
    suggestion,
    there_is,
)
from stateglass.source.excerpts import line_at, text_at
from stateglass.source.files import (
    STDIN,
    as_written,
    decoded,
    is_cplusplus,
    is_source,
    small_text,
    small_text_of_stdin,
    unreadable,
)
from stateglass.source.headers import MissingHeaders
from stateglass.source.lines import Lines
from stateglass.source.render import render_diagnostic, render_diagnostics
from stateglass.source.spans import LIBRARY, NOWHERE, Place, Span, same_file
from stateglass.source.wording import alternatives, as_sentence, counted, kept_by_caller, pointed, printable, shown
from stateglass.source.words import Words

__all__ = [
    "LIBRARY",
    "MOST_NAMES",
    "NOWHERE",
    "STDIN",
    "Assumption",
    "Code",
    "Diagnostic",
    "InputError",
    "Lines",
    "MissingHeaders",
    "Place",
    "Severity",
    "Span",
    "Topic",
    "Words",
    "alternatives",
    "as_sentence",
    "as_written",
    "close_match",
    "counted",
    "decoded",
    "input_error",
    "is_cplusplus",
    "is_source",
    "kept_by_caller",
    "line_at",
    "pointed",
    "printable",
    "render_diagnostic",
    "render_diagnostics",
    "same_file",
    "shown",
    "small_text",
    "small_text_of_stdin",
    "suggestion",
    "text_at",
    "there_is",
    "unreadable",
]
