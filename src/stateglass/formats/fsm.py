"""The textual `.fsm` format of mCRL2: parameters with their domains, a row of values per state, transitions.

Sections are separated by `---`; states are numbered from 1, the first is the initial one unless a fourth section names
another. Parameters become propositions: of integers or Booleans where all values are such, else of names. A value `?`
is none. In labels and values, which cannot contain quotes, `\\q` stands for one, `\\n`, `\\r`, `\\\\` as usual.
"""

from __future__ import annotations

import re

import numpy as np

from stateglass.formats import fsm_reader
from stateglass.formats.files import utf8
from stateglass.formats.names import identifier
from stateglass.formats.unkept import unkept
from stateglass.model import Model, Proposition, Sort

_SORTS = {Sort.BOOL: "Bool", Sort.INT: "Int", Sort.FLOAT: "Float", Sort.ENUM: "Enum", Sort.POINTER: "Pointer"}
_ESCAPE = re.compile(r'[\\"\n\r]')
_ESCAPED = {"\\": "\\\\", '"': "\\q", "\n": "\\n", "\r": "\\r"}
# A parameter of no values is one that readers ignore: it only makes the states countable.
_NO_VALUES = "none_q(0) None"


def parse(data: bytes, name: str) -> Model:
    return fsm_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    lines: list[str] = []
    columns: list[list[str]] = []
    for proposition in model.propositions:
        texts = [proposition.text(state) for state in range(model.states)]
        domain = {text: str(i) for i, text in enumerate(dict.fromkeys(texts))}
        values = "".join(f" {_quoted(text)}" for text in domain)
        lines.append(f"{identifier(proposition.name)}({len(domain)}) {_SORTS[proposition.sort]}{values}")
        columns.append([domain[text] for text in texts])
    if not columns and _last_mentioned(model) < model.states - 1:
        lines.append(_NO_VALUES)
        columns.append(["0"] * model.states)
    lines.append("---")
    lines += map(" ".join, zip(*columns, strict=True))
    lines.append("---")
    labels = [_quoted(label) for label in model.labels]
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    lines += [f"{source + 1} {target + 1} {labels[action]}" for source, action, target in rows]
    if model.initial:
        lines += ["---", str(model.initial + 1)]
    return utf8("\n".join(lines) + "\n")


def losses(model: Model) -> list[str]:
    said = unkept(model, "fsm", valuations=False)
    if any(_numbered(proposition) for proposition in model.propositions):
        said.insert(0, "`fsm` keeps the names of values, not the numbers behind them")
    return said


def _numbered(proposition: Proposition) -> bool:
    return bool(proposition.names) or proposition.sort in (Sort.ENUM, Sort.POINTER)


def _last_mentioned(model: Model) -> int:
    return int(np.concatenate([[model.initial], model.sources, model.targets]).max())


def _quoted(text: str) -> str:
    return '"' + _ESCAPE.sub(lambda m: _ESCAPED[m[0]], text) + '"'
