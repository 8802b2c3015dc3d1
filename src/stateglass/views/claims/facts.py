"""Answers for programs: the keys that others rely on."""

from __future__ import annotations

from typing import Final, assert_never

from stateglass.evidence import Graph, Path, Support
from stateglass.reports import EvidenceReport, VerdictReport
from stateglass.reports.claims import GraphNode
from stateglass.views.claims.cards import Card, why
from stateglass.views.steps import step_facts

BITS, INTEGERS = "bits", "integers"
"""What numbers are: as wide as their types, so that they wrap around or overflow as in C; or those of mathematics."""
EXPLICIT: Final = "explicit"
"""The engine that looks at every state by itself."""


def verdict_facts(card: Card) -> VerdictReport:
    """One element of `verdicts`."""
    answer = card.answer
    facts: VerdictReport = {
        "claim": card.title,
        "text": card.text,
        "meaning": card.meaning or None,
        "verdict": answer.verdict.value,
        "reason": None if answer.reason is None else answer.reason.value,
        "explanation": why(answer) or None,
        "evidence": evidence_facts(card),
        "assumptions": _assumptions(card),
        "engine": EXPLICIT if answer.decided is None else answer.decided.engine or None,
    }
    if answer.decided is not None:
        found = answer.decided
        facts["numbers"] = INTEGERS if found.integers else BITS
        facts["invariant"] = [{"place": place, "text": text} for place, text in found.invariant]
        facts["told_apart"] = [{"place": place, "text": text} for place, text in found.told_apart]
        facts["given"] = [{"place": place or None, "text": text} for place, text in found.given]
        facts["predicates"] = found.predicates
        facts["rounds"] = found.rounds
        facts["depth"] = found.depth
    return facts


def evidence_facts(card: Card) -> EvidenceReport | None:
    """A run, the run along a graph and the graph, or the places that something holding rests on."""
    evidence = card.answer.evidence
    report: EvidenceReport = {
        "steps": [],
        "loop_start": None,
        "confirmed_by": list(card.answer.confirmed_by),
        "bounds": dict(card.origin.origin.bounds),
        "assumptions": _assumptions(card),
    }
    if card.answer.not_replayed:
        report["not_replayed"] = card.answer.not_replayed
    match evidence:
        case None:
            return None
        case Support(states, spans):
            lines = list(dict.fromkeys((s.file, s.line) for s in spans))
            report["states"] = states
            report["lines"] = [{"file": file, "line": line} for file, line in lines]
        case Path():
            _add_run(report, card, evidence)
            if card.subject:
                report["subject"] = dict(card.subject)
        case Graph():
            if card.path is not None:
                _add_run(report, card, card.path)
            report["graph"] = _graph(evidence)
        case _:
            assert_never(evidence)
    return report


def _add_run(report: EvidenceReport, card: Card, path: Path) -> None:
    report["initial"] = card.model.valuation(path.start)
    report["steps"] = [step_facts(step) for step in path.steps]
    report["loop_start"] = path.loop_start
    report["ends"] = path.ends


def _graph(graph: Graph) -> list[GraphNode]:
    return [
        {
            "state": node.state,
            "formula": node.formula,
            "holds": node.holds,
            "steps": [{**step_facts(step), "to": to} for step, to in node.steps],
        }
        for node in graph.nodes
    ]


def _assumptions(card: Card) -> list[str]:
    return [str(assumption) for assumption in card.origin.origin.assumptions]
