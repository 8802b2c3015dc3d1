"""Reflexion models for programs: the keys that scripts rely on."""

from __future__ import annotations

from stateglass.evidence import Condition, Edge, ReflexionModel, StateFound, Witness


def facts(model: ReflexionModel) -> dict[str, object]:
    """The reflexion model as JSON has it."""
    return {
        "machine": model.machine,
        "function": model.function,
        "states": [_state(s) for s in model.states],
        "edges": [_edge(e) for e in model.edges],
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


def _state(state: StateFound) -> dict[str, object]:
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


def _edge(edge: Edge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "results": [r.value for r in edge.results],
        "claimed": edge.claimed,
        "condition": _condition(edge.condition),
        "witness": _witness(edge.witness),
        "elsewhere": None if edge.elsewhere is None else {"target": edge.elsewhere[0], **_shown(edge.elsewhere[1])},
        "beyond": _witness(edge.beyond),
        "reason": edge.reason or None,
    }


def _condition(condition: Condition | None) -> dict[str, object] | None:
    if condition is None:
        return None
    return {"text": condition.text, "exact": condition.exact, "note": condition.note or None}


def _witness(witness: Witness | None) -> dict[str, object] | None:
    return None if witness is None else _shown(witness)


def _shown(witness: Witness) -> dict[str, object]:
    return {
        "before": dict(witness.before),
        "after": dict(witness.after),
        "lines": [{"file": file, "line": line} for file, line in witness.lines],
        "error": witness.error or None,
    }
