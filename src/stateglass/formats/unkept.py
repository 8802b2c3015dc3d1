"""What a plain format leaves out of a model, in words."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.formats.assemble import state_names
from stateglass.formats.ends import told_ends
from stateglass.model import Model, Relation


def unkept(
    model: Model, format: str, *, valuations: bool = True, end_marks: bool = True, comments: bool = True
) -> list[str]:
    """Sentences for what the file leaves out; the flags say whether the format lacks such things."""
    said: list[str] = []
    origin = model.origin
    if valuations and model.propositions:
        names = [p.name for p in model.propositions]
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        said.append(f"`{format}` keeps no propositions ({shown})")
    if end_marks and _marked_otherwise(model):
        said.append(f"`{format}` marks no normal ends; what `exit` and `error` lead to is read back as such")
    if model.state_spans is not None or model.transition_spans is not None:
        said.append(f"`{format}` keeps no places in source files")
    if comments and origin.partial:
        said.append(f"`{format}` does not say that the model is partial: {'; '.join(origin.partial)}")
    if comments and origin.relation is not Relation.EXACT:
        said.append(f"`{format}` does not say that the model is no exact one but `{origin.relation.value}`")
    if comments and model.unexplored is not None and model.unexplored.any():
        said.append(f"`{format}` does not mark states that were not explored; they are read back as deadlocks")
    if origin.assumptions or origin.bounds:
        said.append(f"`{format}` keeps neither bounds nor assumptions")
    if origin.history:
        said.append(f"`{format}` does not keep what was done to the model before: {'; '.join(origin.history)}")
    return said


def graph_losses(model: Model, format: str) -> list[str]:
    """As `unkept`, for formats that draw graphs: they show valuations, but read back only the names of states."""
    only_names = len(model.propositions) == 1 and state_names(model) is not None
    said = unkept(model, format, valuations=False, end_marks=False, comments=False)
    if model.propositions and not only_names:
        said.insert(0, f"`{format}` shows propositions, but they are not read back")
    return said + busy_ends(model, format)


def busy_ends(model: Model, format: str) -> list[str]:
    """What becomes of states that are marked as ends although transitions leave them."""
    if model.terminal is None or not model.terminal[model.sources].any():
        return []
    return [f"`{format}` marks normal ends only where no transition leaves them"]


def spelt_out(format: str, labels: Sequence[str], actions: Sequence[str]) -> list[str]:
    """What becomes of labels in formats whose actions are identifiers."""
    if list(labels) == list(actions):
        return []
    return [f"`{format}` has only identifiers for actions: labels are spelt out in them, comments say how"]


def _marked_otherwise(model: Model) -> bool:
    marked = told_ends(model)
    return bool(marked.any() if model.terminal is None else (model.terminal != marked).any())
