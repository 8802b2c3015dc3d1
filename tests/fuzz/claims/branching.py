"""Branching formulas: written, and evaluated by what they say of positions; those of CTL also as fixed points."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final

from tests.fuzz.claims.worlds import ATOMS, EVENTS, LABELS, PREDICATES, Positions, World, predicates_of

Formula = tuple[Any, ...]  # ("A", "U", left, right, bound), ("E", "X", inner, None, None), ("&", left, right)
Where = frozenset[int]

_BOOLEAN: Final = ("!", "&", "|", "=>", "<=>")


def random_ctl(chance: random.Random, size: int, *, events: bool = True) -> Formula:
    if size <= 0:
        atoms = ATOMS if events else PREDICATES
        return ("atom", chance.choice(atoms)) if chance.random() < 0.93 else (chance.choice(("true", "false")),)
    left = chance.randint(0, size - 1)
    one, two = (random_ctl(chance, n, events=events) for n in (left, size - 1 - left))
    alone = random_ctl(chance, size - 1, events=events)
    if chance.random() < 0.4:
        kind = chance.choice(_BOOLEAN)
        return (kind, alone) if kind == "!" else (kind, one, two)
    which, kind = chance.choice("AE"), chance.choice("XFGUWR")
    bound = chance.choice((None, None, None, 0, 1, 2, 7)) if kind in "FGU" else None
    return (which, kind, alone, None, bound) if kind in "XFG" else (which, kind, one, two, bound)


def ctl_text(f: Formula) -> str:
    kind = f[0]
    if kind in ("true", "false"):
        return str(kind)
    if kind == "atom":
        return str(f[1])
    if kind == "!":
        return f"!({ctl_text(f[1])})"
    if kind in _BOOLEAN:
        return f"({ctl_text(f[1])} {kind} {ctl_text(f[2])})"
    bound = "" if f[4] is None else f"<={f[4]}"
    if f[1] in "XFG":
        return f"{kind}{f[1]}{bound} ({ctl_text(f[2])})"
    return f"{kind}[({ctl_text(f[2])}) {f[1]}{bound} ({ctl_text(f[3])})]"


def mentions_event(f: Formula) -> bool:
    if f[0] == "atom":
        return f[1] in EVENTS
    return f[0] in _BOOLEAN and any(mentions_event(part) for part in f[1:])


class Branching:
    """Where formulas hold in a graph of positions in which every run goes on."""

    def __init__(self, graph: Positions) -> None:
        self.graph = graph
        self.everywhere = frozenset(range(len(graph.letters)))
        self.beside: dict[int, list[int]] = {}
        for number, state in enumerate(graph.states):
            self.beside.setdefault(state, []).append(number)

    def at_start(self, f: Formula) -> bool:
        return self.value(f, mentions_event(f)).issuperset(self.graph.starts)

    def operand(self, f: Formula) -> Where:
        return self.value(f, mentions_event(f))

    def value(self, f: Formula, fixed: bool) -> Where:
        """The positions at which it holds; `fixed`: a quantifier speaks of the runs that go on with the step there."""
        kind = f[0]
        if kind in ("true", "false"):
            return self.everywhere if kind == "true" else frozenset()
        if kind == "atom":
            return frozenset(n for n in self.everywhere if f[1] in self.graph.letters[n])
        if kind == "!":
            return self.everywhere - self.value(f[1], fixed)
        if kind in _BOOLEAN:
            one, two = self.value(f[1], fixed), self.value(f[2], fixed)
            if kind == "&":
                return one & two
            if kind == "|":
                return one | two
            return (self.everywhere - one) | two if kind == "=>" else self.everywhere - (one ^ two)
        quantified = self.some if kind == "E" else self.all
        found = quantified(f[1], self.operand(f[2]), None if f[3] is None else self.operand(f[3]), f[4])
        if fixed:
            return found
        test = any if kind == "E" else all
        return frozenset(
            n for n in self.everywhere if test(other in found for other in self.beside[self.graph.states[n]])
        )

    def before(self, where: Iterable[int]) -> Where:
        goal = frozenset(where)
        return frozenset(n for n in self.everywhere if not goal.isdisjoint(self.graph.after[n]))

    def some(self, kind: str, one: Where, two: Where | None, bound: int | None) -> Where:
        """Where a run begins of which the operator is true."""
        if kind == "X":
            return self.before(one)
        if kind == "F":
            return self.some("U", self.everywhere, one, bound)
        if kind == "G":
            found, rounds = one, 0
            while bound is None or rounds < bound:
                fewer = found & self.before(found) if bound is None else one & self.before(found)
                rounds += 1
                if fewer == found:
                    break
                found = fewer
            return found
        assert two is not None
        if kind == "W":
            return self.some("U", one, two, None) | self.some("G", one, None, None)
        if kind == "R":
            return self.some("W", two, one & two, None)
        found, rounds = two, 0
        while bound is None or rounds < bound:
            more = two | (one & self.before(found))
            rounds += 1
            if more == found:
                break
            found = more
        return found

    def all(self, kind: str, one: Where, two: Where | None, bound: int | None) -> Where:
        """Where no run begins of which the operator is false."""
        if kind == "U" and bound is not None:
            assert two is not None
            found = two
            for _ in range(bound):
                found = two | (one & frozenset(n for n in self.everywhere if found.issuperset(self.graph.after[n])))
            return found
        return self.everywhere - self.some(*self.opposite(kind, one, two, bound))

    def opposite(
        self, kind: str, one: Where, two: Where | None, bound: int | None
    ) -> tuple[str, Where, Where | None, int | None]:
        """What is true of the runs of which the operator is false; not for `U` with a bound."""
        no = self.everywhere - one
        if kind in "XFG":
            return {"X": "X", "F": "G", "G": "F"}[kind], no, None, bound
        assert two is not None
        neither = self.everywhere - two
        if kind == "R":
            return "U", no, neither, None
        if kind == "W":
            return "U", neither, no & neither, None
        return "W", neither, no & neither, None


# ---- the mu-calculus


def in_mu(f: Formula, depth: int = 0) -> str:
    """A formula of CTL without events in the mu-calculus; where nothing can happen a run stays for ever."""
    kind = f[0]
    if kind in ("true", "false"):
        return str(kind)
    if kind == "atom":
        return f"val({f[1][1:-1]})"
    if kind == "!":
        return f"!({in_mu(f[1], depth)})"
    if kind in _BOOLEAN:
        one, two = in_mu(f[1], depth), in_mu(f[2], depth)
        if kind == "<=>":
            return f"((({one}) => ({two})) && (({two}) => ({one})))"
        word = {"&": "&&", "|": "||", "=>": "=>"}[kind]
        return f"(({one}) {word} ({two}))"
    name = f"X{depth}"

    def after(inner: str) -> str:
        if kind == "A":
            return f"([true]({inner}) && (<true>true || ({inner})))"
        return f"(<true>({inner}) || ([true]false && ({inner})))"

    one = in_mu(f[2], depth + 1)
    two = "" if f[3] is None else in_mu(f[3], depth + 1)
    if f[1] == "X":
        return after(one)
    if f[4] is not None:
        found = {"F": one, "G": one, "U": two}[f[1]]
        start = found
        for _ in range(f[4]):
            then = after(found)
            found = {
                "F": f"({start} || {then})",
                "G": f"({start} && {then})",
                "U": f"({start} || (({one}) && {then}))",
            }[f[1]]
        return found
    then = after(name)
    body = {
        "F": f"mu {name}. (({one}) || {then})",
        "G": f"nu {name}. (({one}) && {then})",
        "U": f"mu {name}. (({two}) || (({one}) && {then}))",
        "W": f"nu {name}. (({two}) || (({one}) && {then}))",
        "R": f"nu {name}. (({two}) && (({one}) || {then}))",
    }[f[1]]
    return f"({body})"


ACTIONS: Final = {
    "true": set(LABELS),
    "false": set(),
    "a": {"a"},
    "b": {"b"},
    "call(f, 1)": {"call(f, 1)"},
    "call(f, *)": {"call(f, 1)", "call(f, 2)"},
    "tau": {"tau"},
}


def random_action(chance: random.Random, size: int) -> Formula:
    if size <= 0:
        return ("do", chance.choice(list(ACTIONS)))
    kind = chance.choice(("!", "&&", "||"))
    one = random_action(chance, size - 1)
    return (kind, one) if kind == "!" else (kind, one, random_action(chance, 0))


def random_way(chance: random.Random, size: int) -> Formula:
    if size <= 0:
        return ("nil",) if chance.random() < 0.05 else random_action(chance, chance.choice((0, 0, 1, 2)))
    kind = chance.choice((".", "+", "*", "++"))
    one = random_way(chance, size - 1)
    return (kind, one) if kind in ("*", "++") else (kind, one, random_way(chance, chance.randrange(size)))


def random_mu(chance: random.Random, size: int, free: dict[str, bool], positive: bool = True) -> Formula:
    """`free` has the variables around, and whether they may stand here as things are, or under one more negation."""
    usable = [name for name, sign in free.items() if sign is positive]
    if size <= 0:
        if usable and chance.random() < 0.7:
            return ("var", chance.choice(usable))
        return chance.choice([("true",), ("false",), ("ended",), *(("val", p) for p in PREDICATES)])
    kind = chance.choice(("!", "&&", "||", "=>", "[]", "[]", "<>", "<>", "mu", "nu", "mu", "nu"))
    rest = chance.randrange(size)
    if kind == "!":
        return (kind, random_mu(chance, size - 1, free, not positive))
    if kind in ("&&", "||", "=>"):
        left = random_mu(chance, rest, free, positive is not (kind == "=>"))
        return (kind, left, random_mu(chance, size - 1 - rest, free, positive))
    if kind in ("[]", "<>"):
        return (kind, random_way(chance, chance.choice((0, 0, 1, 2))), random_mu(chance, size - 1, free, positive))
    name = chance.choice("XYZ")
    return (kind, name, random_mu(chance, size - 1, {**free, name: positive}, positive))


def mu_text(f: Formula) -> str:
    match f:
        case ("true",) | ("false",):
            return str(f[0])
        case ("ended",):
            return "val(terminal)"
        case ("val", text):
            return f"val({text[1:-1]})"
        case ("var" | "do", name):
            return str(name)
        case ("nil",):
            return "nil"
        case ("!", inner):
            return f"!({mu_text(inner)})"
        case ("mu" | "nu", name, inner):
            return f"({f[0]} {name}. {mu_text(inner)})"
        case ("[]" | "<>", way, inner):
            return f"{f[0][0]}{mu_text(way)}{f[0][1]}({mu_text(inner)})"
        case ("*", way):
            return f"({mu_text(way)})*"
        case ("++", way):
            return f"({mu_text(way)})+"
        case (word, left, right):
            return f"({mu_text(left)}) {word} ({mu_text(right)})"
        case _:
            raise AssertionError(f)


class Mu:
    """Where formulas of the mu-calculus hold in a world, by repetition from the extremes."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.all = frozenset(range(len(world.values)))

    def states(self, f: Formula, known: dict[str, Where]) -> Where:
        match f:
            case ("true",):
                return self.all
            case ("false",):
                return frozenset()
            case ("ended",):
                return self.all & self.world.ends
            case ("val", text):
                return frozenset(s for s in self.all if text in predicates_of(self.world.values[s]))
            case ("var", name):
                return known[name]
            case ("!", inner):
                return self.all - self.states(inner, known)
            case ("&&", left, right):
                return self.states(left, known) & self.states(right, known)
            case ("||", left, right):
                return self.states(left, known) | self.states(right, known)
            case ("=>", left, right):
                return (self.all - self.states(left, known)) | self.states(right, known)
            case ("<>", way, inner):
                goal = self.states(inner, known)
                return frozenset(s for s, t in self.ways(way) if t in goal)
            case ("[]", way, inner):
                bad = self.all - self.states(inner, known)
                return self.all - frozenset(s for s, t in self.ways(way) if t in bad)
            case ("mu" | "nu", name, inner):
                found: Where = frozenset() if f[0] == "mu" else self.all
                while (then := self.states(inner, {**known, name: found})) != found:
                    found = then
                return found
            case _:
                raise AssertionError(f)

    def ways(self, way: Formula) -> frozenset[tuple[int, int]]:
        here = frozenset((s, s) for s in self.all)
        match way:
            case ("nil",):
                return here
            case (".", one, two):
                return _joined(self.ways(one), self.ways(two))
            case ("+", one, two):
                return self.ways(one) | self.ways(two)
            case ("*", one):
                once, found = self.ways(one), here
                while (more := found | _joined(found, once)) != found:
                    found = more
                return found
            case ("++", one):
                return _joined(self.ways(one), self.ways(("*", one)))
            case _:
                return frozenset((s, t) for s, label, t in self.world.steps if self.meant(way, label))

    def meant(self, action: Formula, label: str) -> bool:
        match action:
            case ("do", "true"):
                return True
            case ("do", text):
                return label in ACTIONS[text]
            case ("!", inner):
                return not self.meant(inner, label)
            case ("&&", one, two):
                return self.meant(one, label) and self.meant(two, label)
            case ("||", one, two):
                return self.meant(one, label) or self.meant(two, label)
            case _:
                raise AssertionError(action)


def _joined(one: frozenset[tuple[int, int]], two: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    return frozenset((s, u) for s, t in one for v, u in two if t == v)
