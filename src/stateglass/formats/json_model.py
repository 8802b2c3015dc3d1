"""The JSON format of models, version 1: everything a model has, in a form that people can read and scripts write.

    {"format": "stateglass-model", "version": 1,
     "origin": {"relation": "exact", "subject", "files", "bounds", "assumptions", "partial", "history"},
     "initial": 0,
     "labels": ["call(f, 3)", …],
     "propositions": [{"name": "mode", "sort": "enum", "type": "int64", "names": [{"value": 0, "name": "IDLE"}]}],
     "spans": [{"start": {"file": "a.c", "line": 3, "column": 1}, "end": {…}, "defined": {…}}],
     "states": [{"values": {"mode": "IDLE"}, "terminal": true, "span": 0}, …],
     "transitions": [{"source": 0, "label": "call(f, 3)", "target": 1, "span": 0}, …]}

Only `format`, `version`, `states` and `transitions` must be there. A value is a number, a Boolean, one of the
proposition's names, `"nan"`, `"inf"`, `"-inf"`, or null where it does not exist. `labels` only fixes an order.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from stateglass.formats.fields import Fields
from stateglass.formats.files import decode, utf8
from stateglass.formats.parts import (
    check_names,
    origin_from,
    origin_value,
    proposition_from,
    proposition_value,
    span_value,
    spans_from,
    stored,
)
from stateglass.formats.problems import Problems
from stateglass.model import Model, Proposition, Sort
from stateglass.model.builder import canonical_order
from stateglass.model.model import Flags, Ints
from stateglass.source import Code, Span, input_error

FORMAT = "stateglass-model"
VERSION = 1
_TOP = ("format", "version", "origin", "initial", "labels", "propositions", "spans", "states", "transitions")
_FLAGS = ("terminal", "unexplored")
_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def parse(data: bytes, name: str) -> Model:
    try:
        document = json.loads(decode(data, name))
    except json.JSONDecodeError as error:
        at = Span.at(name, error.lineno, error.colno)
        raise input_error(Code.SYNTAX, f"not valid JSON: {error.msg}", at) from None
    except (ValueError, RecursionError):
        message = "not valid JSON: a number is too long or values are nested too deeply"
        raise input_error(Code.SYNTAX, message, Span.at(name)) from None
    problems = Problems(name)
    fields = Fields(problems)
    top = fields.object(document, "$", _TOP)
    if not check_version(top, fields):
        problems.stop()
    rows = fields.array(top.get("states"), "$.states")
    if not rows:
        fields.wrong("$.states", "a model has at least one state")
    spans = spans_from(top.get("spans", []), fields)
    propositions, flags, state_spans = _states(rows, top, len(spans), fields)
    labels = dict.fromkeys(fields.texts(top.get("labels", []), "$.labels", empty=False))
    columns = _transitions(top, len(rows), len(spans), labels, fields)
    initial = fields.integer(top.get("initial", 0), "$.initial", 0, max(len(rows) - 1, 0))
    origin = origin_from(top.get("origin", {}), fields)
    problems.stop_if_any()
    return Model(
        states=len(rows),
        initial=initial,
        sources=columns[0],
        actions=columns[1],
        targets=columns[2],
        labels=tuple(labels),
        propositions=propositions,
        terminal=_flags(flags["terminal"]),
        unexplored=_flags(flags["unexplored"]),
        spans=spans,
        state_spans=_if_any(np.array(state_spans, dtype=np.int32)),
        transition_spans=_if_any(columns[3]),
        origin=origin,
    )


def serialise(model: Model) -> bytes:
    head = {
        "format": FORMAT,
        "version": VERSION,
        "origin": origin_value(model.origin),
        "initial": model.initial,
        "labels": list(model.labels),
        "propositions": [proposition_value(p) for p in model.propositions],
    }
    parts = [f"{json.dumps(key)}: {_dumps(value)}" for key, value in head.items()]
    parts.append(_rows("spans", [span_value(span) for span in model.spans]))
    parts.append(_rows("states", _state_values(model)))
    parts.append(_rows("transitions", _transition_values(model)))
    return utf8("{" + ",\n ".join(parts) + "}\n")


def losses(model: Model) -> list[str]:
    del model
    return []


def check_version(top: dict[str, Any], fields: Fields) -> bool:
    """Whether the rest is worth reading."""
    if top.get("format") != FORMAT:
        fields.wrong("$.format", f'expected "{FORMAT}"; this is not a model of Stateglass')
    elif top.get("version") != VERSION or isinstance(top.get("version"), bool):
        fields.wrong("$.version", f"only version {VERSION} is understood", "update Stateglass, or write the file again")
    else:
        return True
    return False


def _states(
    rows: list[Any], top: dict[str, Any], spans: int, fields: Fields
) -> tuple[tuple[Proposition, ...], dict[str, list[bool]], list[int]]:
    heads = enumerate(fields.array(top.get("propositions", []), "$.propositions"))
    empty = [proposition_from(item, f"$.propositions[{i}]", fields) for i, item in heads]
    names = [p.name for p in empty]
    check_names(names, "$.propositions", fields)
    cells: list[list[int | float | None]] = [[] for _ in empty]
    numbers = [{text: value for value, text in p.names} for p in empty]
    flags: dict[str, list[bool]] = {key: [] for key in _FLAGS}
    state_spans: list[int] = []
    for i, row in enumerate(rows):
        if fields.problems.full:
            break
        path = f"$.states[{i}]"
        state = fields.object(row, path, ("values", *_FLAGS, "span"))
        values = fields.object(state.get("values", {}), f"{path}.values", tuple(names))
        for j, proposition in enumerate(empty):
            at = f"{path}.values.{proposition.name}"
            if proposition.name not in values:
                fields.wrong(at, "is missing", "write null where the value does not exist")
            cells[j].append(_cell(values.get(proposition.name), proposition, numbers[j], at, fields))
        for key, column in flags.items():
            flag = state.get(key, False)
            if not isinstance(flag, bool):
                fields.wrong(f"{path}.{key}", "expected a Boolean")
            column.append(flag is True)
        state_spans.append(_span_number(state, path, spans, fields))
    filled = tuple(_filled(p, column) for p, column in zip(empty, cells, strict=True))
    return filled, flags, state_spans


def _cell(
    value: Any, proposition: Proposition, numbers: dict[str, int], path: str, fields: Fields
) -> int | float | None:
    if value is None:
        return None
    if proposition.sort is Sort.FLOAT:
        if isinstance(value, str) and value in _NUMBERS:
            return _NUMBERS[value]
        if isinstance(value, float):
            return value
        return float(fields.integer(value, path, -(2**1023), 2**1023))
    if isinstance(value, str) and value in numbers:
        value = numbers[value]
    if isinstance(value, bool) and proposition.sort is Sort.BOOL:
        return int(value)
    limits = np.iinfo(proposition.values.dtype) if proposition.values.dtype.kind in "iu" else np.iinfo(np.int64)
    return fields.integer(value, path, int(limits.min), int(limits.max))


def _filled(empty: Proposition, column: list[int | float | None]) -> Proposition:
    defined = np.array([cell is not None for cell in column], dtype=np.bool_)
    values = np.array([0 if cell is None else cell for cell in column], dtype=empty.values.dtype)
    return Proposition(empty.name, empty.sort, values, empty.names, None if defined.all() else defined)


def _transitions(
    top: dict[str, Any], states: int, spans: int, labels: dict[str, None], fields: Fields
) -> tuple[Ints, Ints, Ints, Ints]:
    """Sources, actions, targets, spans; labels that are not in the table yet are added to it."""
    numbers = {label: i for i, label in enumerate(labels)}
    rows: list[tuple[int, int, int, int]] = []
    for i, item in enumerate(fields.array(top.get("transitions"), "$.transitions")):
        if fields.problems.full:
            break
        path = f"$.transitions[{i}]"
        row = fields.object(item, path, ("source", "label", "target", "span"))
        label = fields.text(row.get("label"), f"{path}.label", empty=False)
        rows.append(
            (
                fields.integer(row.get("source"), f"{path}.source", 0, states - 1),
                numbers.setdefault(label, len(numbers)),
                fields.integer(row.get("target"), f"{path}.target", 0, states - 1),
                _span_number(row, path, spans, fields),
            )
        )
    labels.update(dict.fromkeys(numbers))
    table = np.array(rows, dtype=np.int32).reshape(-1, 4)
    table = table[canonical_order(table[:, 0], table[:, 1], table[:, 2])]
    return table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy(), table[:, 3].copy()


def _span_number(row: dict[str, Any], path: str, spans: int, fields: Fields) -> int:
    return fields.integer(row["span"], f"{path}.span", 0, spans - 1) if "span" in row else -1


def _flags(column: list[bool]) -> Flags | None:
    return np.array(column, dtype=np.bool_) if any(column) else None


def _if_any(numbers: Ints) -> Ints | None:
    return numbers if (numbers >= 0).any() else None


def _state_values(model: Model) -> list[dict[str, Any]]:
    columns = [(p.name, _column(p)) for p in model.propositions]
    rows: list[dict[str, Any]] = []
    for state in range(model.states):
        row: dict[str, Any] = {}
        if columns:
            row["values"] = {name: column[state] for name, column in columns}
        if model.is_terminal(state):
            row["terminal"] = True
        if model.is_unexplored(state):
            row["unexplored"] = True
        if model.state_spans is not None and model.state_spans[state] >= 0:
            row["span"] = int(model.state_spans[state])
        rows.append(row)
    return rows


def _column(proposition: Proposition) -> list[Any]:
    """The values as JSON; names stand for numbers only where they can be turned back."""
    texts = [text for _, text in proposition.names]
    plain: dict[int, str] = {}
    if len(set(texts)) == len(texts) == len({value for value, _ in proposition.names}):
        plain = dict(proposition.names)
    column: list[Any] = stored(proposition).tolist()
    for i, value in enumerate(column):
        if proposition.defined is not None and not proposition.defined[i]:
            column[i] = None
        elif isinstance(value, float):
            if not math.isfinite(value):
                column[i] = "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        elif value in plain:
            column[i] = plain[value]
        elif proposition.sort is Sort.BOOL and value in (0, 1):
            column[i] = bool(value)
    return column


def _transition_values(model: Model) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    columns = (model.sources.tolist(), model.actions.tolist(), model.targets.tolist())
    for source, action, target in zip(*columns, strict=True):
        rows.append({"source": source, "label": model.labels[action], "target": target})
    if model.transition_spans is not None:
        for row, span in zip(rows, model.transition_spans.tolist(), strict=True):
            if span >= 0:
                row["span"] = span
    return rows


def _rows(key: str, values: list[dict[str, Any]]) -> str:
    lines = ",\n  ".join(map(_dumps, values))
    return f'"{key}": [' + (f"\n  {lines}" if lines else "") + "]"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
