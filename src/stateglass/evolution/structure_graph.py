"""A structure with differences as a graph for a picture: every version of a state, every step with its kind."""

from __future__ import annotations

from typing import Final

from stateglass.evidence import Arrow, Became, ChangeGraph, Spot, Version
from stateglass.evolution.structure import Kind, Structure
from stateglass.source import Code, input_error

MOST_DRAWN: Final = 20_000
"""With more steps, there is no picture, whoever insists."""

_BECAME: Final = {Kind.PRESERVED: None, Kind.IMPOSED: Became.APPEARED, Kind.DELETED: Became.VANISHED}


def structure_graph(both: Structure) -> ChangeGraph:
    """The graph of all states and steps of the structure, in its order."""
    if both.steps > MOST_DRAWN:
        message = f"{both.steps:,} steps join versions of states; a picture of more than {MOST_DRAWN:,} cannot be read"
        raise input_error(Code.PICTURE, message, help="give smaller bounds, or leave out --each-version")
    columns = (both.sources.tolist(), both.actions.tolist(), both.targets.tolist(), both.kinds.tolist())
    arrows = tuple(
        Arrow(source, target, both.labels[action], _BECAME[Kind(kind)])
        for source, action, target, kind in zip(*columns, strict=True)
    )
    return ChangeGraph(tuple(_spot(both, number) for number in range(both.states)), arrows)


def _spot(both: Structure, number: int) -> Spot:
    variables = (*both.old_variables, *both.new_variables)
    in_old, in_new = both.old.present[number], both.new.present[number]
    became = None if in_old and in_new else Became.APPEARED if in_new else Became.VANISHED
    sides = {Version.OLD: both.old, Version.NEW: both.new}
    starts = tuple(version for version, side in sides.items() if side.initial == number)
    return Spot(tuple((p.name, p.text(number)) for p in variables), became, starts)
