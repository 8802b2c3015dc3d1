"""Which labels can be written: any text, but it has to be one."""

from __future__ import annotations

from stateglass.model import Model
from stateglass.source import Code, input_error


def check_labels(model: Model) -> None:
    """Refuses labels that would not be read back: an empty one, and one that has no form in UTF-8."""
    if not all(model.labels):
        help = "give it one with `stateglass transform --rename`"
        raise input_error(Code.MODEL, "the model has a label without text, which no file can hold", help=help)
    for label in model.labels:
        if not label.isascii() and not _is_text(label):
            shown = label.encode("ascii", "backslashreplace").decode()[:80]
            message = f"the label `{shown}` has half of a surrogate pair, which cannot be written in UTF-8"
            raise input_error(Code.MODEL, message)


def _is_text(label: str) -> bool:
    try:
        label.encode()
    except UnicodeEncodeError:
        return False
    return True
