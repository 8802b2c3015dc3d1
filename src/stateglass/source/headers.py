"""What is done about a header that is not found."""

from __future__ import annotations

from enum import Enum, unique
from typing import final


@final
@unique
class MissingHeaders(Enum):
    """What to do about a header that is not found."""

    ERROR = "error"
    ASSUME = "assume"  # go on as if it were empty, and say so
