"""A difference for programs: the keys that others rely on."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.evidence import Became, Change, Kept
from stateglass.reports import ChangedVerdict, ChangeReport, DiffReport, ExpectationReport
from stateglass.reports.evolution import DifferingModel, StructureReport
from stateglass.views.claims.facts import verdict_facts
from stateglass.views.differences.words import ChangedClaim, Shown
from stateglass.views.steps import step_facts


def difference_facts(shown: Shown, models: Sequence[DifferingModel], outputs: Sequence[str]) -> DiffReport:
    """The report of `diff`."""
    difference = shown.difference
    found = difference.distinction
    of = {became: [_change(c) for c in difference.changes if c.became is became] for became in Became}
    return {
        "equivalent": difference.equivalent,
        "by": difference.by,
        "compared": list(difference.compared),
        "reason": difference.reason or None,
        "models": list(models),
        "added": of[Became.APPEARED],
        "removed": of[Became.VANISHED],
        "moved": of[Became.MOVED],
        "states": list(difference.states),
        "scope": difference.scope or None,
        "without_changes": difference.without_changes or None,
        "labels": {"added": list(difference.labels[0]), "removed": list(difference.labels[1])},
        "variables": {"added": list(difference.variables[0]), "removed": list(difference.variables[1])},
        "distinction": None
        if found is None
        else {"of": found.of.value, "actions": list(found.actions), "ending": found.ending or None},
        "structure": _structure(difference.structure),
        "scenarios": [_verdicts(pair) for pair in shown.scenarios],
        "claims": [_verdicts(pair) for pair in shown.claims],
        "expectations": _expectations(shown),
        "outputs": list(outputs),
    }


def _structure(kept: Kept | None) -> StructureReport | None:
    if kept is None:
        return None
    return {
        "states": kept.states,
        "preserved": kept.preserved,
        "imposed": kept.imposed,
        "deleted": kept.deleted,
    }


def _change(change: Change) -> ChangeReport:
    return {
        "action": change.action,
        "condition": change.condition or None,
        "exact": change.exact,
        "before": change.before or None,
        "after": change.after or None,
        "text": change.text,
        "count": change.count,
        "run": [step_facts(step) for step in change.run],
        "run_of": change.run_of.value,
        "confirmed_by": list(change.confirmed_by) if change.run else [],
    }


def _verdicts(pair: ChangedClaim) -> ChangedVerdict:
    return {
        "claim": pair.title,
        "text": pair.text,
        "before": None if pair.before is None else verdict_facts(pair.before),
        "after": None if pair.after is None else verdict_facts(pair.after),
        "changed": pair.changed,
        "expected": pair.expected,
        "reason": pair.why_not or None,
    }


def _expectations(shown: Shown) -> list[ExpectationReport]:
    return [
        {
            "text": met.text,
            "came_true": not met.unmet,
            "reason": met.unmet or None,
            "file": met.file or None,
            "line": met.line or None,
        }
        for met in shown.difference.expectations
    ]
