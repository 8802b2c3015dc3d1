"""Answers for programs: the keys that others rely on."""

from __future__ import annotations

from typing import Any, assert_never

from stateglass.evidence import Graph, Path, Step, Support
from stateglass.source import Span
from stateglass.views.claims.cards import Card, why


def verdict_facts(card: Card) -> dict[str, Any]:
    """One element of `verdicts`."""
    answer = card.answer
    return {
        "claim": card.title,
        "text": card.text,
        "meaning": card.meaning or None,
        "verdict": answer.verdict.value,
        "reason": None if answer.reason is None else answer.reason.value,
        "explanation": why(answer) or None,
        "evidence": evidence_facts(card),
        "assumptions": _assumptions(card),
    }


def evidence_facts(card: Card) -> dict[str, Any] | None:
    """A run, the run along a graph and the graph, or the places that something holding rests on."""
    evidence = card.answer.evidence
    rests_on = {
        "confirmed_by": list(card.answer.confirmed_by),
        "bounds": dict(card.origin.origin.bounds),
        "assumptions": _assumptions(card),
    }
    match evidence:
        case None:
            return None
        case Support(states, spans):
            lines = list(dict.fromkeys((s.file, s.line) for s in spans))
            where = [{"file": file, "line": line} for file, line in lines]
            return {"steps": [], "loop_start": None, **rests_on, "states": states, "lines": where}
        case Path():
            return {**_run(card, evidence), **rests_on, **_replayed(card)}
        case Graph():
            path = card.path
            run = {"steps": [], "loop_start": None} if path is None else _run(card, path)
            return {**run, **rests_on, "graph": _graph(evidence)}
        case _:
            assert_never(evidence)


def _run(card: Card, path: Path) -> dict[str, Any]:
    return {
        "initial": card.model.valuation(path.start),
        "steps": [step_facts(step) for step in path.steps],
        "loop_start": path.loop_start,
        "ends": path.ends,
    }


def _replayed(card: Card) -> dict[str, Any]:
    return {"subject": dict(card.subject)} if card.subject else {}


def step_facts(step: Step) -> dict[str, Any]:
    return {"action": step.action, "changes": dict(step.changes), "state": step.target, **_place(step.span)}


def _graph(graph: Graph) -> list[dict[str, Any]]:
    return [
        {
            "state": node.state,
            "formula": node.formula,
            "holds": node.holds,
            "steps": [{**step_facts(step), "to": to} for step, to in node.steps],
        }
        for node in graph.nodes
    ]


def _place(span: Span | None) -> dict[str, Any]:
    known = span is not None and span.line
    return {"file": span.file if span is not None and known else None, "line": span.line if span and known else None}


def _assumptions(card: Card) -> list[str]:
    return [str(assumption) for assumption in card.origin.origin.assumptions]
