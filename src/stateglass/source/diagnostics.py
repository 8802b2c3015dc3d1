"""What is wrong with an input, as values; printing them is `render`'s business."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.source.spans import NOWHERE, Span

MOST_CLOSE: Final = 3
MOST_NAMES: Final = 12
"""How many names are listed when none of them is close to what was meant."""
_ELEMENT: Final = re.compile(r"\[[0-9]+\]")


@final
@unique
class Severity(Enum):
    """How much a diagnostic weighs: an error stops the command, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@final
@unique
class Code(Enum):
    """Every kind of finding about an input, with the stable name that output formats show."""

    USAGE = "usage"
    FILE = "file"
    SYNTAX = "syntax"
    LINK = "link"
    UNSUPPORTED = "unsupported"
    UNKNOWN_NAME = "unknown-name"
    AMBIGUOUS_NAME = "ambiguous-name"
    BOUND = "bound"
    MISSING_BOUND = "missing-bound"
    PROJECT = "project"
    MODEL = "model"
    TOO_LARGE = "too-large"
    PICTURE = "picture"
    FLAG = "flag"
    MAP = "map"
    MACHINE = "machine"
    CLAIM = "claim"
    SCENARIO = "scenario"
    PROCESS = "process"
    DESIGN = "design"
    EDIT = "edit"


@final
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about an input: what, where, and what to do about it."""

    code: Code
    message: str
    span: Span = NOWHERE
    severity: Severity = Severity.ERROR
    help: str = ""


@final
class InputError(Exception):
    """The input is invalid: all that is wrong with it at once. The command ends with exit code 2."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(d.message for d in self.diagnostics))


def input_error(code: Code, message: str, span: Span = NOWHERE, help: str = "") -> InputError:
    """An `InputError` of a single diagnostic."""
    return InputError([Diagnostic(code, message, span, help=help)])


def close_match(name: str, known: Iterable[str]) -> str:
    """ "did you mean …?" for a misspelt name, or one without what it is part of, or nothing."""
    names = sorted(set(known))
    close = [n for n in names if n.lower() == name.lower()]
    close = close or [n for n in names if n.endswith((f"::{name}", f".{name}", f"->{name}"))][:MOST_CLOSE]
    close = close or difflib.get_close_matches(name, names, n=MOST_CLOSE, cutoff=0.6)
    return "did you mean " + " or ".join(f"`{n}`" for n in close) + "?" if close else ""


def suggestion(name: str, known: Iterable[str]) -> str:
    """ "did you mean …?" for a misspelt name; where nothing is close, the names that there are."""
    names = sorted(set(known))
    return close_match(name, names) or there_is(names)


def there_is(names: Sequence[str]) -> str:
    """The names that there are. Where these are many, one element stands for an array."""
    if not names:
        return ""
    apart: dict[str, str] = {}
    for name in names:
        apart.setdefault(_ELEMENT.sub("[]", name) if len(names) > MOST_NAMES else name, name)
    shown = list(apart.values())[:MOST_NAMES]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return "there is " + ", ".join(f"`{n}`" for n in shown) + more
