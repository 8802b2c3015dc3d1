"""The parts of a model that the native and the JSON format write alike: origin, spans, heads of propositions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stateglass.formats.fields import Fields
from stateglass.model import Origin, Proposition, Relation, Sort
from stateglass.source import Assumption, Place, Span, Topic

VALUE_TYPES = ("int64", "uint64", "float64")
_MOST_LINE = 2**31 - 1
_ORIGIN = ("relation", "subject", "files", "bounds", "assumptions", "partial", "history")


def origin_value(origin: Origin) -> dict[str, Any]:
    return {
        "relation": origin.relation.value,
        "subject": origin.subject,
        "files": list(origin.files),
        "bounds": [{"name": name, "values": values} for name, values in origin.bounds],
        "assumptions": [{"kind": a.kind.value, "subject": a.subject, "text": a.text} for a in origin.assumptions],
        "partial": list(origin.partial),
        "history": list(origin.history),
    }


def origin_from(value: Any, fields: Fields) -> Origin:
    path = "$.origin"
    top = fields.object(value, path, _ORIGIN)
    bounds = []
    for i, item in enumerate(fields.array(top.get("bounds", []), f"{path}.bounds")):
        at = f"{path}.bounds[{i}]"
        bound = fields.object(item, at, ("name", "values"))
        bounds.append((fields.text(bound.get("name"), f"{at}.name"), fields.text(bound.get("values"), f"{at}.values")))
    assumptions, kinds = [], tuple(kind.value for kind in Topic)
    for i, item in enumerate(fields.array(top.get("assumptions", []), f"{path}.assumptions")):
        at = f"{path}.assumptions[{i}]"
        parts = fields.object(item, at, ("kind", "subject", "text"))
        kind = Topic(fields.choice(parts.get("kind"), f"{at}.kind", kinds))
        texts = (fields.text(parts.get(key), f"{at}.{key}") for key in ("subject", "text"))
        assumptions.append(Assumption(kind, *texts))
    relations = tuple(relation.value for relation in Relation)
    return Origin(
        relation=Relation(fields.choice(top.get("relation", "exact"), f"{path}.relation", relations)),
        subject=fields.text(top.get("subject", ""), f"{path}.subject"),
        files=fields.texts(top.get("files", []), f"{path}.files"),
        bounds=tuple(bounds),
        assumptions=tuple(assumptions),
        partial=fields.texts(top.get("partial", []), f"{path}.partial"),
        history=fields.texts(top.get("history", []), f"{path}.history"),
    )


def span_value(span: Span) -> dict[str, Any]:
    value = {"start": _place_value(span.start), "end": _place_value(span.end)}
    if span.defined is not None:
        value["defined"] = _place_value(span.defined)
    return value


def spans_from(value: Any, fields: Fields) -> tuple[Span, ...]:
    rows = enumerate(fields.array(value, "$.spans"))
    return tuple(_span_from(item, f"$.spans[{i}]", fields) for i, item in rows)


def proposition_value(proposition: Proposition) -> dict[str, Any]:
    """A proposition without its values."""
    return {
        "name": proposition.name,
        "sort": proposition.sort.value,
        "type": str(stored(proposition).dtype),
        "names": [{"value": value, "name": name} for value, name in proposition.names],
    }


def proposition_from(value: Any, path: str, fields: Fields) -> Proposition:
    """A proposition that has no values yet."""
    head = fields.object(value, path, ("name", "sort", "type", "names"))
    sort = Sort(fields.choice(head.get("sort", "int"), f"{path}.sort", tuple(s.value for s in Sort)))
    usual = "float64" if sort is Sort.FLOAT else "int64"
    kind = fields.choice(head.get("type", usual), f"{path}.type", VALUE_TYPES)
    if (sort is Sort.FLOAT) != (kind == "float64"):
        fields.wrong(f"{path}.type", f"`{kind}` does not fit the sort `{sort.value}`")
    names = []
    for i, item in enumerate(fields.array(head.get("names", []), f"{path}.names")):
        at = f"{path}.names[{i}]"
        pair = fields.object(item, at, ("value", "name"))
        number = fields.integer(pair.get("value"), f"{at}.value", -(2**63), 2**64 - 1)
        names.append((number, fields.text(pair.get("name"), f"{at}.name")))
    name = fields.text(head.get("name"), f"{path}.name", empty=False)
    return Proposition(name, sort, np.zeros(0, dtype=kind), tuple(names))


def stored(proposition: Proposition) -> npt.NDArray[Any]:
    """The values in one of the three types that files hold."""
    values = proposition.values
    match values.dtype.kind:
        case "f":
            return values.astype("<f8", copy=False)
        case "u":
            return values.astype("<u8", copy=False)
        case _:
            return values.astype("<i8", copy=False)


def check_names(names: list[str], path: str, fields: Fields) -> None:
    """Names of propositions and labels must tell them apart."""
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name in seen:
            fields.wrong(f"{path}[{i}]", f"`{name[:80]}` occurs twice")
        seen.add(name)


def _place_value(place: Place) -> dict[str, Any]:
    return {"file": place.file, "line": place.line, "column": place.column}


def _span_from(value: Any, path: str, fields: Fields) -> Span:
    span = fields.object(value, path, ("start", "end", "defined"))
    start = _place_from(span.get("start"), f"{path}.start", fields)
    end = _place_from(span.get("end", span.get("start")), f"{path}.end", fields)
    defined = span.get("defined")
    return Span(start, end, None if defined is None else _place_from(defined, f"{path}.defined", fields))


def _place_from(value: Any, path: str, fields: Fields) -> Place:
    place = fields.object(value, path, ("file", "line", "column"))
    return Place(
        fields.text(place.get("file"), f"{path}.file"),
        fields.integer(place.get("line", 0), f"{path}.line", 0, _MOST_LINE),
        fields.integer(place.get("column", 0), f"{path}.column", 0, _MOST_LINE),
    )
