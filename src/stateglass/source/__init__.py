"""Where every statement we make points back to: files, spans, diagnostics, their codes."""

from stateglass.source.assumptions import Assumption, Topic
from stateglass.source.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    Severity,
    close_match,
    input_error,
    suggestion,
)
from stateglass.source.excerpts import line_at, text_at
from stateglass.source.render import render_diagnostic, render_diagnostics
from stateglass.source.spans import LIBRARY, NOWHERE, Place, Span
from stateglass.source.wording import counted, kept_by_caller, printable
from stateglass.source.words import Words

__all__ = [
    "LIBRARY",
    "NOWHERE",
    "Assumption",
    "Code",
    "Diagnostic",
    "InputError",
    "Place",
    "Severity",
    "Span",
    "Topic",
    "Words",
    "close_match",
    "counted",
    "input_error",
    "kept_by_caller",
    "line_at",
    "printable",
    "render_diagnostic",
    "render_diagnostics",
    "suggestion",
    "text_at",
]
