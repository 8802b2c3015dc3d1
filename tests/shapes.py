"""Holds what commands print against the schemas that are published for it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from stateglass.cli.frame import SCHEMA_VERSION
from stateglass.reports.schema import schema_of

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


def check_shape(command: str, document: object) -> None:
    """Fails on a missing key, a key that is not listed, and a value of another type; and on what is published."""
    wrong = [
        f"{part.json_path}: {part.message[:200]}"
        for closed in (True, False)
        for error in _validator(command, closed).iter_errors(document)
        for part in error.context or [error]
    ]
    assert not wrong, "\n".join([f"{command} prints what its schema does not have:", *wrong])


@cache
def _validator(command: str, closed: bool) -> Validator:
    # Imported on use: most test modules run no command.
    from jsonschema import Draft202012Validator

    schema = schema_of(command, SCHEMA_VERSION, closed=closed)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
