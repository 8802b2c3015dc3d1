"""What commands print for scripts: docs/reference/json.md and the schemas beside it, from the types in `reports`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scripts.rooms import ROOT
from stateglass.cli.frame import SCHEMA_VERSION
from stateglass.reports import SHAPES
from stateglass.reports.schema import Schema, schema_of

FILE = ROOT / "docs" / "reference" / "json.md"
FOLDER = ROOT / "docs" / "reference" / "schemas"

HEAD = """# JSON

This page is made by `make docs` from the types that the commands are written with.

`--format json` puts one object on standard output. It has `schema_version`, which changes when a key changes its
meaning, and `command`. New keys may come without a new version. The same as JSON Schema is in [schemas](schemas/), one
file for each command; the tests hold everything that the commands print against them.
"""


def reference() -> str:
    parts = [HEAD, _failures()]
    for command in SHAPES:
        whole = schema_of(command, SCHEMA_VERSION)
        parts.append(f"## `{command}`\n\n[schema](schemas/{command}.json)\n")
        parts += [_section(shape) for shape in whole["anyOf"][:-1]]
    return "\n".join(parts)


def schemas() -> Iterator[tuple[str, str]]:
    """Names of files and what is in them."""
    for command in SHAPES:
        text = json.dumps(schema_of(command, SCHEMA_VERSION), indent=2, ensure_ascii=False)
        yield f"{command}.json", text + "\n"


def _failures() -> str:
    shape = schema_of(next(iter(SHAPES)), SCHEMA_VERSION)["anyOf"][-1]
    return f"## After a failure\n\n{_section(shape)}"


def _section(shape: Schema) -> str:
    rows = [f"| `{path}` | {kind} | {text} |" for path, kind, text in _rows(shape, "")]
    return "\n".join([shape["description"], "", "| key | type | is |", "|---|---|---|", *rows]) + "\n"


def _rows(shape: Schema, prefix: str) -> Iterator[tuple[str, str, str]]:
    for key, value in shape["properties"].items():
        if not prefix and key in ("schema_version", "command"):
            continue
        path = prefix + key
        needed = "" if key in shape["required"] else " (not always there)"
        yield path, _kind(value), _text(value) + needed
        for inner, mark in _inner(value, ""):
            yield from _rows(inner, f"{path}{mark}.")


def _text(value: Schema) -> str:
    said = value.get("description", "")
    choices = ", ".join(f"`{choice}`" for choice in _choices(value))
    return "; ".join(part for part in (said, choices) if part)


def _choices(value: Schema) -> list[Any]:
    if value.get("type") == "array":
        return _choices(value["items"])
    inner = [choice for part in value.get("anyOf", ()) for choice in _choices(part)]
    return [*value.get("enum", ()), *inner]


def _kind(value: Schema) -> str:
    """The type in a few words."""
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_kind(part) for part in value["anyOf"]))
    kind = value.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"array of {_kind(value['items'])}"
    if kind == "object" and "additionalProperties" in value:
        return f"name → {_kind(value['additionalProperties'])}"
    return str(kind)


def _inner(value: Schema, mark: str) -> Iterator[tuple[Schema, str]]:
    """The objects in a value, and how their keys are written behind its own."""
    if "anyOf" in value:
        for part in value["anyOf"]:
            yield from _inner(part, mark)
    elif value.get("type") == "array":
        yield from _inner(value["items"], mark + "[]")
    elif "properties" in value:
        yield value, mark
