"""Claims as one English sentence each."""

from __future__ import annotations

from typing import Final, assert_never

from stateglass.logic.claims import BuiltIn, Claim, Conforms, Fairness, Recorded
from stateglass.logic.english import in_english
from stateglass.logic.expressions import predicate_text, quoted
from stateglass.logic.temporal import (
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turn,
    Turns,
    Until,
    WeakUntil,
)
from stateglass.logic.unrolling import Writing, grouped, separated, written
from stateglass.logic.wording import requirement_text
from stateglass.source import counted

_BUILT_IN: Final = {
    BuiltIn.NO_ERROR: "no error, failed assertion or `reach_error` can be reached",
    BuiltIn.NO_DEADLOCK: "wherever it may come, it has ended or can go on",
    BuiltIn.NO_LIVELOCK: "it never goes on silently for ever",
    BuiltIn.NO_UNREACHABLE: "every line of the code, or every state of a model that has none, can be reached",
}


def sentence(claim: Claim) -> str:
    """What a claim says, beginning with a capital letter and ending with a full stop."""
    text = f"{_fairness(claim.fairness)}{_content(claim)}"
    return f"{text[0].upper()}{text[1:]}."


def _content(claim: Claim) -> str:
    if claim.requirement is not None:
        return requirement_text(claim.requirement)
    content = claim.content
    match content:
        case BuiltIn():
            return _BUILT_IN[content]
        case Recorded():
            return _recorded(content)
        case Conforms(file):
            return f"whatever happens, the model in {file} can do it too, step by step"
        case (
            Constant()
            | Holds()
            | Happens()
            | Turns()
            | Not()
            | And()
            | Or()
            | Implies()
            | Iff()
            | Next()
            | Eventually()
            | Always()
            | Until()
            | WeakUntil()
            | Release()
            | Quantified()
        ):
            return formula_in_english(content)
        case _:
            return f"at the start, {in_english(content)}"


def _recorded(test: Recorded) -> str:
    events = ", then ".join(quoted(event, "`") for event in test.events)
    always = isinstance(test.condition, Constant) and test.condition.value
    where = "in every state between calls" if always else f"wherever {formula_in_english(test.condition)}"
    return f"{where}, what happens next can be {events}"


def _fairness(fairness: tuple[Fairness, ...]) -> str:
    if not fairness:
        return ""
    parts = [
        f"{quoted(fair.pattern, '`')} happens again and again if it can happen "
        + ("again and again" if fair.strong else "from some time on")
        for fair in fairness
    ]
    return f"provided that {', and '.join(parts)}: "


def formula_in_english(formula: Formula) -> str:
    """A clause such as "it is always so that, if `open` happens, then eventually `close` happens"."""
    return written(_clause(formula))


def _clause(formula: Formula) -> Writing:
    match formula:
        case Constant():
            yield "anything holds" if formula.value else "nothing holds"
        case Holds():
            yield f"[{predicate_text(formula.predicate)}] holds"
        case Happens():
            yield "a silent step is taken" if formula.pattern == "tau" else f"{quoted(formula.pattern, '`')} happens"
        case Turns():
            yield turn_in_english(formula)
        case Not(inner=Holds() as inner):
            yield f"[{predicate_text(inner.predicate)}] does not hold"
        case Not(inner=Happens() as inner):
            yield f"{quoted(inner.pattern, '`')} does not happen"
        case Not():
            yield "it is not so that "
            yield _nested(formula.inner)
        case And():
            yield separated(map(_nested, (formula.left, formula.right)), ", and ")
        case Or():
            yield separated(map(_nested, (formula.left, formula.right)), ", or ")
        case Implies():
            yield "if "
            yield separated(map(_nested, (formula.left, formula.right)), ", then ")
        case Iff():
            yield separated(map(_nested, (formula.left, formula.right)), " if and only if ")
        case Next():
            yield "after one step "
            yield _nested(formula.inner)
        case Eventually():
            yield f"eventually{_within(formula.within)} "
            yield _nested(formula.inner)
        case Always():
            yield f"always{_within(formula.within)} "
            yield _nested(formula.inner)
        case Until():
            yield _nested(formula.left)
            yield ", until, as it must"
            yield f"{_within(formula.within)}, "
            yield _nested(formula.right)
        case WeakUntil():
            yield separated(map(_nested, (formula.left, formula.right)), ", for ever or until ")
        case Release():
            yield separated(map(_nested, (formula.right, formula.left)), ", for ever or up to and including when ")
        case Quantified():
            yield "on all runs " if formula.on_all else "on some run "
            yield _nested(formula.path)
        case _:
            assert_never(formula)


def turn_in_english(turns: Turns) -> str:
    """A clause such as "[floor == 3] becomes true"."""
    what = predicate_text(turns.predicate)
    match turns.turn:
        case Turn.RISES:
            return f"[{what}] becomes true"
        case Turn.FALLS:
            return f"[{what}] becomes false"
        case Turn.CHANGES:
            return f"`{what}` changes"
        case _:
            assert_never(turns.turn)


def _within(steps: int | None) -> str:
    return "" if steps is None else f" within {counted(steps, 'step')}"


def _nested(formula: Formula) -> Writing:
    """A clause inside another one; what could be read in two ways is put in parentheses."""
    several = isinstance(formula, And | Or | Implies | Iff | Until | WeakUntil | Release)
    yield grouped(_clause(formula), several)
