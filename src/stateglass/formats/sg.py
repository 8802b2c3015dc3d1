"""The native format `.sg`: a numpy archive that keeps everything a model has.

The archive holds `model.json` (names, labels, spans, origin, sizes) and one `.npy` member per array. All members
carry the same time stamp, so that the same model gives the same bytes.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from typing import Any, final

import numpy as np
import numpy.typing as npt

from stateglass.formats.assemble import MOST_STATES, is_plausible
from stateglass.formats.fields import Fields
from stateglass.formats.files import utf8
from stateglass.formats.json_model import FORMAT, VERSION, check_version
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
from stateglass.model import Model, Proposition
from stateglass.source import Code, InputError, Span, counted, input_error

MOST_UNPACKED = 4 << 30
"""More bytes than this are not unpacked, whatever the archive claims."""

MOST_HEAD = 256 << 20
"""The same for `model.json`."""

_HEAD = "model.json"
_MOST_MEMBERS = 100_000
_STAMP = (1980, 1, 1, 0, 0, 0)
_TOP = (
    "format", "version", "states", "transitions", "initial", "labels", "propositions", "defined", "spans", "arrays",
    "origin",
)  # fmt: skip
_FLAGS = ("terminal", "unexplored")
_OPTIONAL = (*_FLAGS, "state_spans", "transition_spans")
# The header that numpy writes for a one-dimensional array of numbers; nothing else is let in.
_NPY = re.compile(rb"\x93NUMPY\x01\x00..\{'descr': '([<|][biuf][1248])', 'fortran_order': False, "
                  rb"'shape': \(([0-9]{1,12}),\), \} *\n", re.DOTALL)  # fmt: skip


def parse(data: bytes, name: str) -> Model:
    problems = Problems(name)
    fields = Fields(problems)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _members(archive, name)
            head = fields.object(_head(archive, members, name), "$", _TOP)
            if not check_version(head, fields):
                problems.stop()
            reader = _Arrays(archive, members, fields)
            model = _model(head, reader, fields)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise _broken(name, f"the archive is damaged: {error}") from None
    if model is None:
        problems.stop()
    return model


def serialise(model: Model) -> bytes:
    arrays: dict[str, npt.NDArray[Any]] = {
        "sources": model.sources.astype("<i4", copy=False),
        "actions": model.actions.astype("<i4", copy=False),
        "targets": model.targets.astype("<i4", copy=False),
    }
    for key in _OPTIONAL:
        array = getattr(model, key)
        if array is not None:
            arrays[key] = array if key in _FLAGS else array.astype("<i4", copy=False)
    for i, proposition in enumerate(model.propositions):
        arrays[f"values{i}"] = stored(proposition)
        if proposition.defined is not None:
            arrays[f"defined{i}"] = proposition.defined
    head = {
        "format": FORMAT,
        "version": VERSION,
        "states": model.states,
        "transitions": model.transitions,
        "initial": model.initial,
        "labels": list(model.labels),
        "propositions": [proposition_value(p) for p in model.propositions],
        "defined": [i for i, p in enumerate(model.propositions) if p.defined is not None],
        "spans": [span_value(span) for span in model.spans],
        "arrays": [key for key in _OPTIONAL if key in arrays],
        "origin": origin_value(model.origin),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        _add(archive, _HEAD, utf8(json.dumps(head, ensure_ascii=False)))
        for key, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)
            _add(archive, f"{key}.npy", member.getvalue())
    return out.getvalue()


def losses(model: Model) -> list[str]:
    del model
    return []


@final
class _Arrays:
    """Takes arrays of the expected type and length out of the archive, noting what is not as expected."""

    def __init__(self, archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], fields: Fields) -> None:
        self._archive = archive
        self._members = members
        self._fields = fields

    def take(self, key: str, kind: str, length: int) -> npt.NDArray[Any]:
        expected = np.dtype(kind)
        stand_in = np.zeros(0, dtype=expected)
        member = self._members.get(f"{key}.npy")
        if member is None:
            self._fields.wrong(f"{key}.npy", "is missing from the archive")
            return stand_in
        raw = self._archive.read(member)
        match = _NPY.match(raw)
        if match is None or np.dtype(match[1].decode()) != expected or int(match[2]) != length:
            self._fields.wrong(f"{key}.npy", f"is not an array of {length} {expected.name}")
        elif len(raw) - match.end() != length * expected.itemsize:
            self._fields.wrong(f"{key}.npy", "is shorter or longer than its header says")
        else:
            return np.frombuffer(raw, dtype=expected, offset=match.end()).astype(expected.newbyteorder("="))
        return stand_in

    def numbers(self, key: str, length: int, least: int, below: int) -> npt.NDArray[np.int32]:
        array = self.take(key, "<i4", length)
        if len(array) and (array.min() < least or array.max() >= below):
            self._fields.wrong(f"{key}.npy", f"has numbers outside {least} … {below - 1}")
        return array

    def flags(self, key: str, length: int) -> npt.NDArray[np.bool_]:
        array = self.take(key, "|b1", length)
        if len(array) and array.view(np.uint8).max() > 1:
            self._fields.wrong(f"{key}.npy", "has bytes that are no Booleans")
        return array


def _model(head: dict[str, Any], arrays: _Arrays, fields: Fields) -> Model | None:
    problems = fields.problems
    states = fields.integer(head.get("states"), "$.states", 1, MOST_STATES)
    transitions = fields.integer(head.get("transitions"), "$.transitions", 0, 2**31 - 1)
    initial = fields.integer(head.get("initial"), "$.initial", 0, states - 1)
    labels = fields.texts(head.get("labels"), "$.labels", empty=False)
    check_names(list(labels), "$.labels", fields)
    spans = spans_from(head.get("spans"), fields)
    origin = origin_from(head.get("origin"), fields)
    sources = arrays.numbers("sources", transitions, 0, states)
    actions = arrays.numbers("actions", transitions, 0, len(labels))
    targets = arrays.numbers("targets", transitions, 0, states)
    given = fields.texts(head.get("arrays"), "$.arrays")
    if not given and not head.get("propositions") and not is_plausible(states, transitions):
        fields.wrong(
            "$.states",
            f"{counted(states, 'state')} for {counted(transitions, 'transition')}; most could not be reached",
        )
        return None
    terminal, unexplored = (arrays.flags(key, states) if key in given else None for key in _FLAGS)
    state_spans = arrays.numbers("state_spans", states, -1, len(spans)) if "state_spans" in given else None
    transition_spans = None
    if "transition_spans" in given:
        transition_spans = arrays.numbers("transition_spans", transitions, -1, len(spans))
    propositions = _propositions(head, arrays, states, fields)
    if problems:
        return None
    if not _sorted(sources, actions, targets):
        fields.wrong("sources.npy", "the transitions are not sorted, or one occurs twice")
        return None
    return Model(
        states, initial, sources, actions, targets, labels, propositions, terminal, unexplored, spans, state_spans,
        transition_spans, origin,
    )  # fmt: skip


def _propositions(head: dict[str, Any], arrays: _Arrays, states: int, fields: Fields) -> tuple[Proposition, ...]:
    partly = fields.array(head.get("defined"), "$.defined")
    found: list[Proposition] = []
    for i, item in enumerate(fields.array(head.get("propositions"), "$.propositions")):
        if fields.problems.full:
            break
        empty = proposition_from(item, f"$.propositions[{i}]", fields)
        values = arrays.take(f"values{i}", empty.values.dtype.newbyteorder("<").str, states)
        defined = arrays.flags(f"defined{i}", states) if i in partly else None
        if not fields.problems:
            found.append(Proposition(empty.name, empty.sort, values, empty.names, defined))
    check_names([p.name for p in found], "$.propositions", fields)
    return tuple(found)


def _sorted(sources: npt.NDArray[Any], actions: npt.NDArray[Any], targets: npt.NDArray[Any]) -> bool:
    """Whether (source, action, target) increases strictly."""
    s, a, t = (np.diff(column.astype(np.int64)) for column in (sources, actions, targets))
    return bool(((s > 0) | (s == 0) & ((a > 0) | (a == 0) & (t > 0))).all())


def _members(archive: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    infos = archive.infolist()
    unpacked = sum(info.file_size for info in infos)
    if unpacked > MOST_UNPACKED or len(infos) > _MOST_MEMBERS:
        message = f"the archive unpacks to {unpacked} bytes in {len(infos)} members; that is more than is read"
        raise input_error(Code.TOO_LARGE, message, Span.at(name))
    if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in infos):
        raise _broken(name, "the archive is packed in a way that this format does not use")
    return {info.filename: info for info in infos}


def _head(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> Any:
    if _HEAD not in members:
        raise _broken(name, f"the archive has no `{_HEAD}`; it is no model of Stateglass")
    if members[_HEAD].file_size > MOST_HEAD:
        raise input_error(Code.TOO_LARGE, f"`{_HEAD}` in the archive is larger than {MOST_HEAD} bytes", Span.at(name))
    try:
        return json.loads(archive.read(members[_HEAD]))
    except RecursionError:
        raise _broken(name, f"`{_HEAD}` in the archive is nested too deeply") from None


def _broken(name: str, message: str) -> InputError:
    return input_error(Code.SYNTAX, message, Span.at(name), "write the model again, or name the right format")


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    info.create_system = 3
    archive.writestr(info, data)
