"""The Aldebaran format `.aut` of CADP and mCRL2."""

from __future__ import annotations

import re
from operator import itemgetter

import numpy as np

from stateglass.formats.assemble import MOST_STATES, assemble
from stateglass.formats.files import decode, utf8
from stateglass.formats.problems import Problems
from stateglass.formats.unkept import unkept
from stateglass.model import TAU, Model
from stateglass.source import Code

_HEADER = re.compile(rb"des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)[ \t\r]*")
# One line; the label is taken up to the last comma, so that quotes and commas inside it do no harm.
_LINE = rb"[ \t]*\([ \t]*(-?[0-9]+)[ \t]*,(.*),[ \t]*(-?[0-9]+)[ \t]*\)[ \t\r]*"
_ROW = re.compile(_LINE)
_ROWS = re.compile(rb"^" + _LINE.replace(b"-?[0-9]+", b"[0-9]{1,9}") + rb"$", re.MULTILINE)
_ESCAPE = re.compile(r'\\([\\"nr])')
_ESCAPED = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}
_SHOWN = 60


def parse(data: bytes, name: str) -> Model:
    """Reads the whole file at once when it is well-formed, else line by line to say what is wrong."""
    decode(data, name)
    data = data.removeprefix(b"\xef\xbb\xbf")
    problems = Problems(name)
    first, _, body = data.lstrip().partition(b"\n")
    header_line = data[: len(data) - len(data.lstrip())].count(b"\n") + 1
    header = _header(first, header_line, problems)
    if header is None:
        _rows_line_by_line(body, header_line, None, problems)
        problems.stop()
    initial, transitions, states = header
    rows = _ROWS.findall(body)
    labels: dict[bytes, int] = {}
    actions = [labels.setdefault(raw, len(labels)) for raw in map(itemgetter(1), rows)]
    sources = np.array(list(map(int, map(itemgetter(0), rows))), dtype=np.int64)
    targets = np.array(list(map(int, map(itemgetter(2), rows))), dtype=np.int64)
    texts = [_label(raw) for raw in labels]
    fine = (
        len(rows) == transitions == sum(map(bool, map(bytes.strip, body.split(b"\n"))))
        and (not rows or max(sources.max(), targets.max()) < states)
        and None not in texts
    )
    if not fine:
        _rows_line_by_line(body, header_line, header, problems)
    problems.stop_if_any()
    unique: dict[str, int] = {}
    number = np.array([unique.setdefault(text or "", len(unique)) for text in texts], dtype=np.int64)
    columns = (sources, number[np.array(actions, dtype=np.int64)], targets)
    return assemble(states, initial, columns, list(unique))


def serialise(model: Model) -> bytes:
    quoted = [_quoted(label) for label in model.labels]
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    lines = [f"({source}, {quoted[action]}, {target})\n" for source, action, target in rows]
    return utf8(f"des ({model.initial}, {model.transitions}, {model.states})\n" + "".join(lines))


def losses(model: Model) -> list[str]:
    return unkept(model, "aut", valuations=True, end_marks=True)


def _header(line: bytes, number: int, problems: Problems) -> tuple[int, int, int] | None:
    match = _HEADER.fullmatch(line)
    if match is None:
        problems.add(
            f"expected the header, found {_excerpt(line)}",
            number,
            help="the first line is `des (INITIAL, TRANSITIONS, STATES)`, for example `des (0, 3, 4)`",
        )
        return None
    texts = match.groups()
    if any(len(text) > 18 for text in texts) or int(texts[2]) > MOST_STATES:
        message = f"the header claims more than the {MOST_STATES} states that are read at most"
        problems.add(message, number, code=Code.TOO_LARGE)
        return None
    initial, transitions, states = map(int, texts)
    if initial >= states:
        problems.add(f"the initial state {initial} is not one of the {states} states", number, code=Code.MODEL)
        return None
    return initial, transitions, states


def _rows_line_by_line(body: bytes, above: int, header: tuple[int, int, int] | None, problems: Problems) -> None:
    count = 0
    for number, line in enumerate(body.split(b"\n"), start=above + 1):
        if not line.strip():
            continue
        count += 1
        if problems.full:
            break
        match = _ROW.fullmatch(line)
        if match is None:
            message = f"expected a transition, found {_excerpt(line)}"
            problems.add(message, number, help='a transition is `(SOURCE, "LABEL", TARGET)`')
            continue
        if _label(match[2]) is None:
            problems.add(f"the label {_excerpt(match[2])} is empty or its quotes do not match", number)
        for which, text in (("source", match[1]), ("target", match[3])):
            if text.startswith(b"-"):
                problems.add(f"the {which} {_excerpt(text)} is negative", number, code=Code.MODEL)
            elif header and (len(text) > 9 or int(text) >= header[2]):
                message = f"the {which} {_excerpt(text)} is not one of the {header[2]} states of the header"
                problems.add(message, number, code=Code.MODEL)
    if header and count != header[1] and not problems.full:
        message = f"the header says {header[1]} transitions, the file has {count}"
        problems.add(message, above, help="is the file cut short?" if count < header[1] else "", code=Code.MODEL)


def _label(raw: bytes) -> str | None:
    text = raw.decode("utf-8").strip(" \t")
    if text.startswith('"'):
        if len(text) < 3 or not text.endswith('"'):
            return None
        return _ESCAPE.sub(lambda m: _ESCAPED[m[1]], text[1:-1])
    # CADP writes its silent action without quotes.
    return (TAU if text == "i" else text) or None


def _quoted(label: str) -> str:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _excerpt(raw: bytes) -> str:
    text = raw[: 4 * _SHOWN].decode("utf-8", "replace").strip()
    return f"`{text[:_SHOWN]}…`" if len(text) > _SHOWN else f"`{text}`" if text else "nothing"
