"""Parts of modal formulas that verdicts ask about: conditions, and whether only ways matter, not numbers of steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from stateglass.check.labels import is_silent
from stateglass.logic.modal import (
    FALSE,
    And,
    FixedPoint,
    Forever,
    Formula,
    Implies,
    Necessary,
    Not,
    Or,
    Possible,
    Reaching,
    Variable,
    parts,
)
from stateglass.logic.steps import AndStep, AnyStep, Do, Like, NotStep, OrStep, Piece, Repeated, Silently


def antecedents(formula: Formula) -> Iterator[Implies | Necessary]:
    """Where something is said of what comes after a condition or a way, outermost first.

    Only where the part must be true for the formula to be, so nowhere under a possibility or a disjunction, and where
    it says something more than that the condition or way does not occur; what a fixed point is about again and again
    is left out.
    """
    bound = _with_variables(formula)
    met: set[tuple[int, bool]] = set()
    work: deque[tuple[Formula, bool]] = deque([(formula, True)])
    while work:
        top, sign = work.popleft()
        if (id(top), sign) in met:
            continue
        met.add((id(top), sign))
        if isinstance(top, Implies | Necessary) and sign and not bound[id(top)]:
            after = top.right if isinstance(top, Implies) else top.inner
            if after != FALSE:
                yield top
        work += _demanded(top, sign)


def _demanded(formula: Formula, sign: bool) -> list[tuple[Formula, bool]]:
    """The parts that must all be true, or false by their sign, for the formula to be."""
    match formula, sign:
        case Not(), _:
            return [(formula.inner, not sign)]
        case Implies(), True:
            return [(formula.right, True)]
        case Implies(), False:
            return [(formula.left, True), (formula.right, False)]
        case (And(), True) | (Or(), False) | (Necessary(), True) | (Possible(), False) | (FixedPoint(), _):
            return [(part, sign) for part in parts(formula)]
        case _:
            return []


def _with_variables(formula: Formula) -> dict[int, bool]:
    """Which parts contain variables of fixed points."""
    found: dict[int, bool] = {}
    work: list[tuple[Formula, bool]] = [(formula, False)]
    while work:
        node, ready = work.pop()
        if ready:
            found[id(node)] = isinstance(node, Variable) or any(found[id(part)] for part in parts(node))
        elif id(node) not in found:
            found[id(node)] = False
            work.append((node, True))
            work += ((part, False) for part in parts(node))
    return found


def is_about_ways(formula: Formula) -> bool:
    """Whether silent steps that change nothing make no difference; never wrongly true.

    So it is where each visible step may have any number of silent ones before it, as in `[true*.a]`: then each operator
    makes sets that do not depend on them from such sets, and so do fixed points.
    """
    work: list[Formula] = [formula]
    seen: set[int] = set()
    while work:
        node = work.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        match node:
            case Possible() | Necessary() if not _is_free(node.path):
                return False
            case Forever() | Reaching():
                return False
            case _:
                work += parts(node)
    return True


def _is_free(path: tuple[Piece, ...]) -> bool:
    """Whether silent steps may come before each visible step, and none has to be taken."""
    free = False
    for piece in path:
        match piece:
            case Silently():
                free = True
            case Repeated(way=(single,), at_least_once=False) if isinstance(single, _ACTIONS) and is_silent(single):
                free = True
            case Do() | Like() | AnyStep() | NotStep() | AndStep() | OrStep() if free and not is_silent(piece):
                free = False
            case _:
                return False
    return True


_ACTIONS = (Do, Like, AnyStep, NotStep, AndStep, OrStep)
