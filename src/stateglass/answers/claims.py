"""What a claim speaks of: the values it asks about, and whether silent steps matter to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Final

from stateglass.check.events import matcher
from stateglass.check.modal_parts import is_about_ways
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.logic import modal, temporal
from stateglass.logic.claims import Claim, Language
from stateglass.logic.predicates import Applied, Named, Number, Operator
from stateglass.source import Code, Diagnostic, InputError

_ADVICE: Final = {
    Language.MU: "let silent steps come before an event, as in `[true*.a]` and `<tau*.b>`",
    Language.LTL: "say what holds up to an event and with it, as in `[p] W ([p] & e)`",
    Language.CTL: "say what holds up to an event and with it, as in `A[[p] W ([p] & e)]`",
}


def names_asked(claims: Iterable[Claim]) -> frozenset[str]:
    """The names in the predicates of claims: propositions, and enumerators too."""
    found: set[str] = set()
    for claim in claims:
        for node in nodes(claim.content):
            if isinstance(node, Named):
                found.add(node.name)
            elif isinstance(node, modal.Equals):
                found.add(node.proposition)
    return frozenset(found)


def names_only_tested_for_null(claim: Claim) -> frozenset[str]:
    """Of the names in the predicates of a claim, those that are true or false, or compared with zero, and no more."""
    tested: set[int] = set()
    named: list[Named] = []
    others: set[str] = set()
    for node in nodes(claim.content):
        match node:
            case Named():
                named.append(node)
            case Applied(Operator.NOT | Operator.AND_ALSO | Operator.OR_ELSE, operands):
                tested |= {id(operand) for operand in operands}
            case Applied(Operator.EQUAL | Operator.NOT_EQUAL, (Number(0), other) | (other, Number(0))):
                tested.add(id(other))
            case temporal.Holds(predicate) | modal.Holds(predicate):
                tested.add(id(predicate))
            case modal.Equals():
                others.add(node.proposition)
            case _:
                pass
    others |= {node.name for node in named if id(node) not in tested}
    return frozenset(node.name for node in named) - others


def refuse_counting(claims: Iterable[Claim]) -> None:
    """A claim that depends on silent steps means nothing where those of the code run as one."""
    problems = counting(claims, "silent steps of the code run as one", "`check --steps all` keeps each step; or ")
    if problems:
        raise InputError(problems)


def counting(claims: Iterable[Claim], why: str, help: str = "") -> list[Diagnostic]:
    """What is wrong with claims that depend on silent steps: why they mean nothing, and what may be done beside."""
    return [
        Diagnostic(
            Code.USAGE,
            f"`{claim.title}` {what}, and {why}",
            claim.span,
            help=f"{help}{_ADVICE[claim.language]}" if claim.language in _ADVICE else help.removesuffix("; or "),
        )
        for claim in claims
        if (what := _counts(claim))
    ]


def nodes(root: object) -> Iterator[object]:
    """Everything that a formula consists of, whatever it is, each part once; formulas are too deep for recursion."""
    work, seen = [root], set[int]()
    while work:
        node = work.pop()
        if isinstance(node, tuple):
            work += node
        elif is_dataclass(node) and id(node) not in seen:
            seen.add(id(node))
            yield node
            work += [getattr(node, field.name) for field in fields(node)]


def count_nodes(claim: Claim, most: int) -> int:
    """How many parts a claim has, counted up to a number."""
    return sum(1 for _ in islice(nodes(claim.content), most))


def _counts(claim: Claim) -> str:
    """How a claim depends on silent steps, in words; nothing if it does not."""
    if claim.language is Language.ENGLISH:
        return ""  # what is said there of the next step is said of what comes after an event
    for node in nodes(claim.content):
        if isinstance(node, temporal.Next):
            return "counts steps with `X`"
        if isinstance(node, temporal.Eventually | temporal.Always | temporal.Until) and node.within is not None:
            return f"counts steps with `<={node.within}`"
    content = claim.content
    if isinstance(content, modal.Formula):
        free = is_about_ways(content)
    elif isinstance(content, temporal.Formula):
        free = is_stutter_invariant(content, lambda pattern, label: matcher(pattern)(label))
    else:
        free = True
    return "" if free else "depends on how many silent steps there are"
