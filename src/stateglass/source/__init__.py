"""Where every statement we make points back to: files, spans, diagnostics, their codes."""

from stateglass.source.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    Severity,
    close_match,
    input_error,
    suggestion,
)
from stateglass.source.render import render_diagnostic, render_diagnostics
from stateglass.source.spans import LIBRARY, NOWHERE, Place, Span
from stateglass.source.wording import counted, printable

__all__ = [
    "LIBRARY",
    "NOWHERE",
    "Code",
    "Diagnostic",
    "InputError",
    "Place",
    "Severity",
    "Span",
    "close_match",
    "counted",
    "input_error",
    "printable",
    "render_diagnostic",
    "render_diagnostics",
    "suggestion",
]
