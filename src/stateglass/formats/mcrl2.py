"""mCRL2 process text: one linear process whose parameter is the state, only written.

Actions have no parameters there; labels become identifiers by the scheme of `names`, and comments say which.
"""

from __future__ import annotations

import numpy as np

from stateglass.formats.files import utf8
from stateglass.formats.marks import marks, one_line_json
from stateglass.formats.names import identifier
from stateglass.formats.unkept import spelt_out, unkept
from stateglass.logic.mcrl2 import KEYWORDS
from stateglass.model import TAU, Model

# Neither of them is the identifier of a label.
_PROCESS, _STATE = "Model_q", "state_q"
_SORTS = frozenset({"Bag", "Bool", "FBag", "FSet", "Int", "List", "Nat", "Pos", "Real", "Set"})


def serialise(model: Model) -> bytes:
    actions = _actions(model)
    states = [str(state) for state in range(model.states)]
    lines = [f"% {mark}" for mark in marks(model, states)]
    lines += [f"% {a} is {one_line_json(label)}" for label, a in zip(model.labels, actions, strict=True) if a != label]
    used = np.unique(model.actions).tolist()
    visible = [actions[number] for number in used if model.labels[number] != TAU]
    if visible:
        lines += ["act", "  " + ",\n  ".join(visible) + ";"]
    lines += ["proc", f"  {_PROCESS}({_STATE}: Nat) ="]
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    summands = [f"({_STATE} == {s}) -> {actions[a]} . {_PROCESS}({_STATE} = {t})" for s, a, t in rows]
    lines += ["    " + "\n  + ".join(summands or ["delta"]) + ";", "init", f"  {_PROCESS}({model.initial});"]
    return utf8("\n".join(lines) + "\n")


def losses(model: Model) -> list[str]:
    return [*unkept(model, "mcrl2", comments=False), *spelt_out("mcrl2", model.labels, _actions(model))]


def _actions(model: Model) -> list[str]:
    return [TAU if label == TAU else identifier(label, words=KEYWORDS | _SORTS) for label in model.labels]
