"""Whether silent steps that change nothing make a difference to a formula.

An abstraction, or steps that run as one, may have fewer or more of them than the code. For each part it is worked out
what is known of its truth at a silent position, compared with that at the position after it in the same state: an event
is false at the former and may be true at the latter. `[x] U done` is not invariant, for instance: a silent step after
`x` has changed and before `done` falsifies it; `!open U done` and `[x] U ([x] & done)` are. What is said of the
next position is invariant where an event leads there, as in `open => X F [x]`, and does not notice silent steps itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, assert_never, final

from stateglass.check.ctl import operands_first
from stateglass.logic.sameness import same
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
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.model import TAU


@final
class _Silent(NamedTuple):
    """What is known of the truth of a formula at a silent position, compared with the position after it."""

    up: bool  # true there if it is true after it
    down: bool  # false there if it is false after it
    true: bool = False  # true there in any case
    false: bool = False  # false there in any case

    @property
    def same(self) -> bool:
        return self.up and self.down

    def negated(self) -> _Silent:
        return _Silent(self.down, self.up, self.false, self.true)


_SAME = _Silent(True, True)
_UNKNOWN = _Silent(False, False)
_BOOLEAN = (Not, And, Or, Implies, Iff)
_TEMPORAL = (Next, Eventually, Always, Until, WeakUntil, Release)


def is_stutter_invariant(formula: Formula, matches: Callable[[str, str], bool]) -> bool:
    """Whether the truth of a formula, linear or branching, does not depend on silent steps.

    `matches` says whether a pattern of events is about a label. Never wrongly true; linear in the formula.
    """
    # Each twice: on its own, and in a combination that mentions an event.
    done: dict[tuple[int, bool], _Silent] = {}
    mentions: dict[int, bool] = {}
    loose = _without_event(formula, matches)
    for node in operands_first(formula):
        inside = parts(node)
        mentions[id(node)] = isinstance(node, Happens | Turns) or (
            not isinstance(node, Quantified) and any(mentions[id(part)] for part in inside)
        )
        for fixed in (False, True):
            own = fixed if isinstance(node, _BOOLEAN) else None
            inner = [done[id(part), mentions[id(part)] if own is None else own] for part in inside]
            done[id(node), fixed] = _known(node, inner, fixed, matches)
        # Silent steps change the truth of such a part at other positions too: `a => X b` is not invariant where `a` is.
        if isinstance(node, Next) and id(node) not in loose:
            if not done[id(node.inner), mentions[id(node.inner)]].same:
                return False
        elif isinstance(node, _TEMPORAL) and not done[id(node), False].same:
            return False
    return done[id(formula), mentions[id(formula)]].same


def _without_event(formula: Formula, matches: Callable[[str, str], bool]) -> set[int]:
    """The formulas about the next position, by identity, that matter where no event may lead there."""
    visible: dict[int, bool] = {}  # whether a formula is false at silent positions because it asks for an event
    for node in operands_first(formula):
        if isinstance(node, And):
            visible[id(node)] = visible[id(node.left)] or visible[id(node.right)]
        else:
            visible[id(node)] = isinstance(node, Happens) and not matches(node.pattern, TAU)
    found: set[int] = set()
    work, seen = [(formula, False)], set[tuple[int, bool]]()
    while work:
        node, happens = work.pop()
        if (id(node), happens) in seen:
            continue
        seen.add((id(node), happens))
        match node:
            case And(left, right):
                work += [(left, happens or visible[id(right)]), (right, happens or visible[id(left)])]
            case Implies(left, right):
                work += [(left, happens), (right, happens or visible[id(left)])]
            case Not() | Or() | Iff():
                work += [(part, happens) for part in parts(node)]
            case _:
                if isinstance(node, Next) and not happens:
                    found.add(id(node))
                work += [(part, False) for part in parts(node)]
    return found


def _known(node: Formula, inner: list[_Silent], fixed: bool, matches: Callable[[str, str], bool]) -> _Silent:
    match node:
        case Constant():
            return _Silent(True, True, node.value, not node.value)
        case Holds():
            return _SAME
        case Happens():
            silent = matches(node.pattern, TAU)
            return _Silent(silent, not silent, silent, not silent)
        case Turns():
            return _Silent(up=False, down=True, true=False, false=True)
        case Not():
            return inner[0].negated()
        case And():
            return _both(*inner)
        case Or():
            return _either(*inner)
        case Implies():
            return _either(inner[0].negated(), inner[1])
        case Iff():
            return _SAME if inner[0].same and inner[1].same else _UNKNOWN
        case Next():
            return _UNKNOWN
        case Eventually():
            return _SAME if node.within is None and inner[0].down else _UNKNOWN
        case Always():
            return _SAME if node.within is None and inner[0].up else _UNKNOWN
        case Until():
            return _SAME if node.within is None and _is_until(*inner, includes=_includes(node)) else _UNKNOWN
        case WeakUntil():
            return _SAME if _is_until(*inner, includes=_includes(node)) else _UNKNOWN
        case Release():
            return _SAME if _is_until(inner[0].negated(), inner[1].negated()) else _UNKNOWN
        case Quantified():
            # Beside an event it is about the step that is taken: from a silent one, all others are still possible.
            if not inner[0].same:
                return _UNKNOWN
            return _Silent(up=not node.on_all, down=node.on_all) if fixed else _SAME
        case _:
            assert_never(node)


def _is_until(left: _Silent, right: _Silent, *, includes: bool = False) -> bool:
    """Whether an until does not notice a silent position, given what is known of its two sides there.

    Either the right side is the same there, and the left side is not lost; or the right side does not come true there,
    and the left side holds there: always, or (`includes`) because the right side says what the left one does.
    """
    return (right.same and left.up) or (right.down and (left.true or (left.up and includes)))


def _includes(until: Until | WeakUntil) -> bool:
    """Whether the right side says what the left one does, as in `[x] U ([x] & done)`."""
    work = [until.right]
    while work:
        part = work.pop()
        # Of predicates alone: beside an event, a quantifier is about the step that is taken.
        if isinstance(part, Holds) and same(part, until.left):
            return True
        if isinstance(part, And):
            work += (part.left, part.right)
    return False


def _both(left: _Silent, right: _Silent) -> _Silent:
    return _consequent(
        left.up and right.up, left.down and right.down, left.true and right.true, left.false or right.false
    )


def _either(left: _Silent, right: _Silent) -> _Silent:
    return _consequent(
        left.up and right.up, left.down and right.down, left.true or right.true, left.false and right.false
    )


def _consequent(up: bool, down: bool, true: bool, false: bool) -> _Silent:
    return _Silent(up or true, down or false, true, false)
