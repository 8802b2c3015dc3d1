"""Reflexion models for programs: the keys that scripts rely on."""

from __future__ import annotations

from stateglass.evidence import Condition, Edge, ReflexionModel, StateFound, Witness
from stateglass.reports import ReflectReport
from stateglass.reports.reflexion import (
    ConditionReport,
    EdgeReport,
    LeadingReport,
    LinesReport,
    StateReport,
    WitnessReport,
)

Paths = dict[tuple[tuple[str, int], ...], int]
"""The numbers of the ways through the code: many calls take the same one."""


def facts(model: ReflexionModel) -> ReflectReport:
    """The reflexion model as JSON has it."""
    paths: Paths = {}
    edges = [_edge(e, paths) for e in model.edges]
    return {
        "machine": model.machine,
        "function": model.function,
        "states": [_state(s) for s in model.states],
        "edges": edges,
        "paths": [_runs(lines) for lines in paths],
        "consistency": {
            "uncovered": None if model.uncovered is None else dict(model.uncovered),
            "unsatisfiable": [s.name for s in model.states if not s.satisfiable],
            "unsatisfiable_conditions": [
                {"source": source, "target": target, "condition": text} for source, target, text in model.never
            ],
            "warnings": [d.message for d in model.warnings],
        },
        "bounds": list(model.bounds),
        "assumptions": list(model.assumptions),
        "inconclusive": list(model.inconclusive),
    }


def _state(state: StateFound) -> StateReport:
    return {
        "name": state.name,
        "condition": state.condition or None,
        "parent": state.parent,
        "initial": state.initial,
        "reachable": state.reachable,
        "trap": state.is_trap,
        "entered": state.is_entered,
        "left": state.is_left,
        "satisfiable": state.satisfiable,
        "itself": state.itself,
    }


def _edge(edge: Edge, paths: Paths) -> EdgeReport:
    return {
        "source": edge.source,
        "target": edge.target,
        "results": [r.value for r in edge.results],
        "claimed": edge.claimed or "" if edge.is_claimed else None,
        "condition": _condition(edge.condition, paths),
        "necessary": _condition(edge.necessary, paths),
        "unfound": edge.unfound or None,
        "witness": _witness(edge.witness, paths),
        "elsewhere": _leading(edge.elsewhere, paths),
        "beyond": _witness(edge.beyond, paths),
        "reason": edge.reason or None,
    }


def _condition(condition: Condition | None, paths: Paths) -> ConditionReport | None:
    if condition is None:
        return None
    return {
        "text": condition.text,
        "exact": condition.exact,
        "extent": condition.extent,
        "note": condition.note or None,
        "example": _leading(condition.example, paths),
        "inputs": list(condition.inputs),
    }


def _leading(found: tuple[str, Witness] | None, paths: Paths) -> LeadingReport | None:
    """A call, and where it leads if that is known."""
    return None if found is None else {"target": found[0] or None, **_shown(found[1], paths)}


def _witness(witness: Witness | None, paths: Paths) -> WitnessReport | None:
    return None if witness is None else _shown(witness, paths)


def _shown(witness: Witness, paths: Paths) -> WitnessReport:
    return {
        "before": dict(witness.before),
        "after": dict(witness.after),
        "path": paths.setdefault(witness.lines, len(paths)),
        "error": witness.error or None,
    }


def _runs(lines: tuple[tuple[str, int], ...]) -> list[LinesReport]:
    """Lines that follow each other in a file as one entry."""
    runs: list[tuple[str, int, int]] = []
    for file, line in lines:
        if runs and runs[-1][0] == file and runs[-1][2] == line - 1:
            runs[-1] = file, runs[-1][1], line
        else:
            runs.append((file, line, line))
    return [{"file": file, "first": first, "last": last} for file, first, last in runs]
