"""What is shown of a difference, in the words that all views of it share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Became, Difference, Verdict, Version
from stateglass.source import counted
from stateglass.views.claims.cards import Card

_DECIDED: Final = frozenset({Verdict.HOLDS, Verdict.VIOLATED, Verdict.VACUOUS})
HEADINGS: Final = {Became.APPEARED: "appeared", Became.VANISHED: "vanished", Became.MOVED: "changed"}
assert set(HEADINGS) == set(Became)


@final
@dataclass(frozen=True, slots=True)
class ChangedClaim:
    """A claim on both sides; where it could not be asked, there is no card but a reason."""

    title: str
    text: str
    before: Card | None
    after: Card | None
    why_not: str = ""
    expected: bool = False

    @property
    def changed(self) -> bool:
        """Whether both verdicts are sure, and differ."""
        if self.before is None or self.after is None:
            return False
        verdicts = {self.before.answer.verdict, self.after.answer.verdict}
        return len(verdicts) == 2 and verdicts <= _DECIDED

    @property
    def lost(self) -> bool:
        """Whether something was known of the old side that is not known of the new one."""
        if self.before is None or self.before.answer.verdict not in _DECIDED:
            return False
        return self.after is None or self.after.answer.verdict not in _DECIDED

    @property
    def telling(self) -> tuple[Version, Card] | None:
        """The side whose evidence shows the change: a run that goes wrong now, one that did, or a witness."""
        if not self.changed:
            return None
        assert self.before is not None and self.after is not None
        sides = [(Version.NEW, self.after), (Version.OLD, self.before)]
        with_runs = [side for side in sides if side[1].path is not None]
        wrong = [side for side in with_runs if side[1].is_finding]
        return next(iter((*wrong, *with_runs, *sides)))

    @property
    def broken(self) -> bool:
        """Whether the change shows in a run that goes wrong now."""
        return self.telling is not None and self.telling[0] is Version.NEW and self.telling[1].is_finding


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """All that is shown of a difference: the names of both sides, what changed, the claims and the scenarios."""

    names: tuple[str, str]
    difference: Difference
    claims: tuple[ChangedClaim, ...] = ()
    scenarios: tuple[ChangedClaim, ...] = ()
    abstract: bool = False  # a side is an abstraction, which can do more than its code

    @property
    def asked(self) -> tuple[ChangedClaim, ...]:
        return (*self.claims, *self.scenarios)

    @property
    def unmet(self) -> int:
        """How many declared changes did not come true."""
        return sum(1 for met in self.difference.expectations if met.unmet)


def verdict_word(card: Card | None) -> str:
    return "not asked" if card is None else card.answer.verdict.value


def remark(pair: ChangedClaim) -> str:
    """What a table says of a claim beside its verdicts."""
    if pair.why_not:
        return pair.why_not
    if pair.changed:
        return "changed, as declared" if pair.expected else "changed"
    return ""


def headline(shown: Shown) -> str:
    """The answer in a sentence."""
    difference = shown.difference
    declared = " beyond what was declared" if difference.expectations else ""
    match difference.equivalent:
        case None:
            return f"inconclusive: {difference.reason}"
        case True:
            return f"no behaviour change{' in the abstraction' if shown.abstract else ''}{declared}"
        case False:
            count = len(difference.changes)
            how_many = f": {counted(count, 'change')}" if count else ""
            return f"behaviour{' of the abstraction' if shown.abstract else ''} changed{declared}{how_many}"


def distinction_text(shown: Shown) -> str:
    """A run that tells the sides apart, as a sentence; empty if there is none."""
    found = shown.difference.distinction
    if found is None:
        return ""
    name = shown.names[0 if found.of is Version.OLD else 1]
    doing = ", ".join(f"`{action}`" for action in found.actions)
    if found.ending:
        return f"only {name} can " + (f"do {doing} and then be where" if doing else "begin where") + f" {found.ending}"
    return f"only {name} can do {doing}"


def notes(shown: Shown) -> list[str]:
    """What else is worth knowing: variables that did not count, and why changes are not listed."""
    difference = shown.difference
    found = []
    for names, which in zip(difference.variables, ("the new", "the old"), strict=True):
        if names:
            listed = ", ".join(f"`{name}`" for name in names[:8]) + (" …" if len(names) > 8 else "")
            word = "variable" if len(names) == 1 else "variables"
            found.append(f"only {which} side has the {word} {listed}, whose values did not count")
    added, removed = difference.variables
    if added and removed and difference.equivalent is False:
        found.append(
            f"if `{added[0]}` is what `{removed[0]}` was, say so with --expect: "
            f"`rename variable {removed[0]} -> {added[0]}`"
        )
    if difference.scope:
        found.append(difference.scope)
    if difference.without_changes:
        found.append(f"changes are not listed: {difference.without_changes}")
    return found
