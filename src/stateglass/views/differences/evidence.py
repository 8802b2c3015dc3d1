"""The runs that show a difference, each as a title and lines: whoever prints them folds them away."""

from __future__ import annotations

from collections.abc import Iterator

from stateglass.evidence import Path, Step, Version, folded
from stateglass.views.claims.text import card_lines
from stateglass.views.differences.text import Places
from stateglass.views.differences.words import ChangedClaim, Shown
from stateglass.views.steps import place_text


def evidence(shown: Shown, places: Places, width: int) -> Iterator[tuple[str, list[str]]]:
    """A run for each change that has one, and the evidence for each verdict that changed."""
    for change in shown.difference.changes:
        if change.run:
            of = "now" if change.run_of is Version.NEW else "before"
            with places(change.run_of):
                lines = list(_run_lines(change.run))
            yield f"A run that shows it, {of}: {change.text}", lines
    for pair in shown.asked:
        if pair.telling is not None:
            version, card = pair.telling
            with places(version):
                lines = list(card_lines(card, width))
            yield telling_title(pair, version), lines


def telling_title(pair: ChangedClaim, version: Version) -> str:
    """What stands above the run of a verdict that changed."""
    return f"{pair.title}: {'what happens now' if version is Version.NEW else 'what no longer happens'}"


def _run_lines(steps: tuple[Step, ...]) -> Iterator[str]:
    """A run step by step, with the lines of the source."""
    for number, step, _ in folded(Path(0, steps)):
        yield f"{number:>4}  {step.action}"
        where = place_text(step.span)
        if where:
            yield f"      {where}"
        if step.changes:
            yield "      " + ", ".join(f"{name} = {value}" for name, value in step.changes)
