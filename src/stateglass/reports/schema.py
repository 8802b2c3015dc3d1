"""Typed dictionaries as JSON schemas (draft 2020-12)."""

from __future__ import annotations

import types
from typing import Annotated, Any, NotRequired, Union, final, get_args, get_origin, get_type_hints, is_typeddict

from stateglass.reports import SHAPES
from stateglass.reports.shared import ErrorsReport, OneOf

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}


def schema_of(command: str, version: int, *, closed: bool = False) -> Schema:
    """What a command prints; `closed` allows no keys that are not listed, as a later release may add."""
    shapes = [_Writing(closed).object(shape, command, version) for shape in (*SHAPES[command], ErrorsReport)]
    return {"$schema": DIALECT, "title": f"stateglass {command} --format json", "anyOf": shapes}


@final
class _Writing:
    def __init__(self, closed: bool) -> None:
        self._closed = closed

    def object(self, shape: type, command: str, version: int) -> Schema:
        """A whole document: with the version of its shape, and the command that wrote it."""
        schema = self._shape(shape)
        # A command line that names no command has errors, too.
        commands = [command, ""] if shape is ErrorsReport else [command]
        head = {"schema_version": {"const": version}, "command": {"enum": commands}}
        schema["properties"] = {**head, **schema["properties"]}
        schema["required"] = [*head, *schema["required"]]
        return schema

    def _shape(self, shape: type) -> Schema:
        hints = get_type_hints(shape, include_extras=True)
        schema: Schema = {
            "description": (shape.__doc__ or "").strip(),
            "type": "object",
            "properties": {key: self._type(hint) for key, hint in hints.items()},
            "required": [key for key, hint in hints.items() if get_origin(hint) is not NotRequired],
        }
        if self._closed:
            schema["additionalProperties"] = False
        return schema

    def _type(self, hint: Any) -> Schema:
        arguments = get_args(hint)
        origin = get_origin(hint)
        if origin is NotRequired:
            return self._type(arguments[0])
        if origin is Annotated:
            return self._annotated(arguments[0], arguments[1:])
        if origin in (Union, types.UnionType):
            return self._choice(arguments)
        if origin is list:
            return {"type": "array", "items": self._type(arguments[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self._type(arguments[1])}
        if is_typeddict(hint):
            return self._shape(hint)
        return {} if hint is object else {"type": _PLAIN[hint]}

    def _annotated(self, hint: Any, remarks: tuple[Any, ...]) -> Schema:
        schema = self._type(hint)
        for remark in remarks:
            schema |= {"enum": list(remark.choices)} if isinstance(remark, OneOf) else {"description": remark}
        return schema

    def _choice(self, arguments: tuple[Any, ...]) -> Schema:
        if all(argument in _PLAIN for argument in arguments):
            return {"type": [_PLAIN[argument] for argument in arguments]}
        return {"anyOf": [self._type(argument) for argument in arguments]}
