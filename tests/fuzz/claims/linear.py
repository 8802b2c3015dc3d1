"""Linear formulas: written, evaluated on a run, and decided on all runs by guessing what is true at each position."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from tests.fuzz.claims.worlds import ATOMS, Positions

Formula = tuple[Any, ...]  # ("U", left, right), ("F", inner, bound), ("atom", text)
MOST_GUESSED: Final = 7

_SPELT: Final = {"&": ("&", "&&"), "|": ("|", "||"), "=>": ("=>", "->"), "<=>": ("<=>", "<->")}
_BINARY: Final = ("&", "|", "=>", "<=>", "U", "W", "R")
_TIGHT: Final = {"<=>": 0, "=>": 1, "|": 2, "&": 3, "U": 4, "W": 4, "R": 4}


@final
@dataclass(frozen=True)
class Fair:
    """An event that is to get its turn."""

    event: str
    strong: bool

    def __str__(self) -> str:
        return f"{'strong ' if self.strong else ''}fair({self.event})"


def random_formula(chance: random.Random, size: int, atoms: Sequence[str] = ATOMS) -> Formula:
    if size <= 0:
        return ("atom", chance.choice(atoms)) if chance.random() < 0.93 else (chance.choice(("true", "false")),)
    kind = chance.choice(("!", "X", "F", "F", "G", "G", "&", "|", "=>", "<=>", "U", "U", "W", "R"))
    bound = chance.choice((None, None, None, 0, 1, 2)) if kind in "FGU" else None
    if kind in ("!", "X", "F", "G"):
        return (kind, random_formula(chance, size - 1, atoms), bound)
    left = chance.randint(0, size - 1)
    return (kind, random_formula(chance, left, atoms), random_formula(chance, size - 1 - left, atoms), bound)


def text_of(formula: Formula, chance: random.Random, around: int = -1) -> str:
    """One of the ways to write it, sometimes with brackets that nobody needs."""
    kind = formula[0]
    if kind == "atom":
        return str(formula[1])
    if kind in ("true", "false"):
        return str(kind)
    if kind in ("!", "X", "F", "G"):
        bound = "" if formula[2] is None else f"<={formula[2]}"
        name = kind
        if kind in "FG" and not bound and chance.random() < 0.3:
            name = "<>" if kind == "F" else "[]"
        return f"{name}{bound} {text_of(formula[1], chance, 9)}"
    level = _TIGHT[kind]
    bound = "" if formula[3] is None else f"<={formula[3]}"
    word = chance.choice(_SPELT.get(kind, (kind,)))
    # `&` and `|` go together in any order, all others from right to left.
    text = f"{text_of(formula[1], chance, level)} {word}{bound} {text_of(formula[2], chance, level - 1)}"
    return f"({text})" if level <= around or chance.random() < 0.1 else text


def on_run(formula: Formula, run: Positions) -> bool:
    """The truth on a single run, by what each operator says of the positions to come."""
    order, at = [], run.starts[0]
    while at not in order:
        order.append(at)
        (at,) = run.after[at]
    back = order.index(at)
    size = len(order)

    def later(i: int, count: int | None) -> list[int]:
        """The positions from this one on, each once if there is no bound."""
        found: list[int] = []
        while (count is None and len(found) < 2 * size) or (count is not None and len(found) <= count):
            found.append(i)
            i = i + 1 if i + 1 < size else back
        return found

    def values(f: Formula) -> list[bool]:
        kind = f[0]
        if kind == "atom":
            return [f[1] in run.letters[n] for n in order]
        if kind in ("true", "false"):
            return [kind == "true"] * size
        one = values(f[1])
        if kind == "!":
            return [not v for v in one]
        if kind == "X":
            return [one[later(i, 1)[1]] for i in range(size)]
        if kind == "F":
            return [any(one[j] for j in later(i, f[2])) for i in range(size)]
        if kind == "G":
            return [all(one[j] for j in later(i, f[2])) for i in range(size)]
        two = values(f[2])
        if kind == "&":
            return [v and w for v, w in zip(one, two, strict=True)]
        if kind == "|":
            return [v or w for v, w in zip(one, two, strict=True)]
        if kind == "=>":
            return [not v or w for v, w in zip(one, two, strict=True)]
        if kind == "<=>":
            return [v == w for v, w in zip(one, two, strict=True)]
        found = []
        for i in range(size):
            answer = kind in "WR"
            for j in later(i, f[3]):
                if kind == "R":
                    if not two[j]:
                        answer = False
                        break
                    if one[j]:
                        break
                elif two[j]:
                    answer = True
                    break
                elif not one[j]:
                    answer = False
                    break
            found.append(answer)
        return found

    return values(formula)[0]


def atoms_of(formula: Formula) -> frozenset[str]:
    if formula[0] == "atom":
        return frozenset({formula[1]})
    return frozenset().union(*(atoms_of(part) for part in formula[1:] if isinstance(part, tuple)))


# ---- all runs


def plain(f: Formula) -> Formula:
    """The same with `X`, `U`, `!`, `&` only."""
    kind = f[0]
    if kind in ("atom", "true", "false"):
        return f
    one = plain(f[1])
    if kind == "!":
        return _not(one)
    if kind == "X":
        return ("X", one)
    if kind == "F":
        return _until(("true",), one, f[2])
    if kind == "G":
        return _not(_until(("true",), _not(one), f[2]))
    two = plain(f[2])
    if kind == "&":
        return ("&", one, two)
    if kind == "|":
        return _not(("&", _not(one), _not(two)))
    if kind == "=>":
        return _not(("&", one, _not(two)))
    if kind == "<=>":
        return ("&", _not(("&", one, _not(two))), _not(("&", two, _not(one))))
    if kind == "U":
        return _until(one, two, f[3])
    if kind == "W":
        return _not(("U", _not(two), ("&", _not(one), _not(two))))
    return _not(("U", _not(one), _not(two)))


def _not(f: Formula) -> Formula:
    return f[1] if f[0] == "!" else ("!", f)


def _until(one: Formula, two: Formula, bound: int | None) -> Formula:
    if bound is None:
        return ("U", one, two)
    found = two
    for _ in range(bound):
        found = _not(("&", _not(two), _not(("&", one, ("X", found)))))
    return found


def satisfied_somewhere(formula: Formula, graph: Positions, fairness: Sequence[Fair] = ()) -> bool | None:
    """Whether a fair run of the graph satisfies a formula; None: there is too much to guess.

    At each position it is guessed which `X` and `U` are true. A run is a path of guesses that fit together, along which
    each `U` that is promised comes (Lichtenstein and Pnueli, 1985).
    """
    goal = plain(formula)
    guessed: list[Formula] = []
    _collect(goal, guessed)
    if len(guessed) > MOST_GUESSED or len(graph.letters) << len(guessed) > 60_000:
        return None
    guesses = np.arange(1 << len(guessed))
    bit = {f: (guesses >> k) & 1 == 1 for k, f in enumerate(guessed)}
    rows: dict[frozenset[str], _Row] = {}
    for letter in set(graph.letters):
        rows[letter] = _row(goal, guessed, bit, letter, guesses)
    return _emptiness(graph, rows, guessed, fairness)


@final
@dataclass
class _Row:
    """For the guesses that are possible under a letter: what is true, and what must be true after it."""

    guess: Any  # the numbers of the guesses
    start: Any  # whether the goal is true
    nexts: Any  # the truth of what stands under X, as bits
    promised: Any  # X bits
    waiting: Any  # which U are true only if they are true after it, as bits
    keeps: list[Any]  # for each U, whether it is not promised or has come


def _collect(f: Formula, found: list[Formula]) -> None:
    for part in f[1:]:
        if isinstance(part, tuple):
            _collect(part, found)
    if f[0] in ("X", "U") and f not in found:
        found.append(f)


def _row(goal: Formula, guessed: list[Formula], bit: dict[Formula, Any], letter: frozenset[str], guesses: Any) -> _Row:
    known: dict[Formula, Any] = {}

    def value(f: Formula) -> Any:
        if f in known:
            return known[f]
        if f[0] == "atom":
            found = np.full(len(guesses), f[1] in letter)
        elif f[0] in ("true", "false"):
            found = np.full(len(guesses), f[0] == "true")
        elif f[0] == "!":
            found = ~value(f[1])
        elif f[0] == "&":
            found = value(f[1]) & value(f[2])
        else:
            found = bit[f]
        known[f] = found
        return found

    possible = np.ones(len(guesses), dtype=bool)
    nexts, promised, waiting = (np.zeros(len(guesses), dtype=np.int64) for _ in range(3))
    keeps = []
    for k, f in enumerate(guessed):
        if f[0] == "X":
            nexts |= value(f[1]).astype(np.int64) << k
            promised |= bit[f].astype(np.int64) << k
        else:
            one, two = value(f[1]), value(f[2])
            possible &= np.where(two, bit[f], np.where(one, True, ~bit[f]))
            waiting |= (one & ~two).astype(np.int64) << k
            keeps.append(~bit[f] | two)
    start = value(goal)
    return _Row(
        guesses[possible],
        start[possible],
        nexts[possible],
        promised[possible],
        waiting[possible],
        [k[possible] for k in keeps],
    )


def _emptiness(
    graph: Positions, rows: dict[frozenset[str], _Row], guessed: list[Formula], fairness: Sequence[Fair]
) -> bool:
    number: dict[tuple[int, int], int] = {}
    after: list[list[int]] = []
    nodes: list[tuple[int, int]] = []
    work: list[int] = []

    def node(at: int, k: int) -> int:
        if (at, k) not in number:
            number[at, k] = len(nodes)
            nodes.append((at, k))
            after.append([])
            work.append(number[at, k])
        return number[at, k]

    fits: dict[tuple[frozenset[str], int, frozenset[str]], list[int]] = {}
    for at in graph.starts:
        for k in np.flatnonzero(rows[graph.letters[at]].start).tolist():
            node(at, k)
    while work:
        top = work.pop()
        at, k = nodes[top]
        here = rows[graph.letters[at]]
        for then in graph.after[at]:
            key = (graph.letters[at], k, graph.letters[then])
            if key not in fits:
                there = rows[graph.letters[then]]
                good = (there.nexts == here.promised[k]) & (((there.guess ^ here.guess[k]) & here.waiting[k]) == 0)
                fits[key] = np.flatnonzero(good).tolist()
            after[top] += [node(then, j) for j in fits[key]]
    promises = [
        {n for n, (at, k) in enumerate(nodes) if rows[graph.letters[at]].keeps[p][k]}
        for p in range(sum(f[0] == "U" for f in guessed))
    ]
    return _accepting(set(range(len(nodes))), after, nodes, promises, graph, fairness)


def _accepting(
    inside: set[int],
    after: list[list[int]],
    nodes: list[tuple[int, int]],
    promises: list[set[int]],
    graph: Positions,
    fairness: Sequence[Fair],
) -> bool:
    for component in components(inside, after):
        if any(not promise & component for promise in promises):
            continue
        rest: set[int] | None = None
        wrong = False
        for fair in fairness:
            able = {n for n in component if fair.event in graph.able[nodes[n][0]]}
            if any(fair.event in graph.letters[nodes[n][0]] for n in component) or not able:
                continue
            if fair.strong:
                rest = (component if rest is None else rest) - able
            elif able == component:
                wrong = True
        if wrong:
            continue
        if rest is None or _accepting(rest, after, nodes, promises, graph, fairness):
            return True
    return False


def components(inside: set[int], after: list[list[int]]) -> list[set[int]]:
    """Sets of nodes that reach each other by one step or more (Kosaraju and Sharir)."""
    order: list[int] = []
    seen: set[int] = set()
    for root in inside:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(after[root]))]
        while stack:
            at, rest = stack[-1]
            for then in rest:
                if then in inside and then not in seen:
                    seen.add(then)
                    stack.append((then, iter(after[then])))
                    break
            else:
                order.append(at)
                stack.pop()
    before: dict[int, list[int]] = {n: [] for n in inside}
    for n in inside:
        for then in after[n]:
            if then in inside:
                before[then].append(n)
    found: list[set[int]] = []
    taken: set[int] = set()
    for root in reversed(order):
        if root in taken:
            continue
        own, work = {root}, [root]
        taken.add(root)
        while work:
            for n in before[work.pop()]:
                if n not in taken:
                    taken.add(n)
                    own.add(n)
                    work.append(n)
        if len(own) > 1 or root in after[root]:
            found.append(own)
    return found


def is_fair_run(run: Positions, fairness: Sequence[Fair], able: Sequence[frozenset[str]]) -> bool:
    """Whether all events get their turn on a single run; `able` has what could happen at each of its positions."""
    order, at = [], run.starts[0]
    while at not in order:
        order.append(at)
        (at,) = run.after[at]
    loop = order[order.index(at) :]
    for fair in fairness:
        if any(fair.event in run.letters[n] for n in loop):
            continue
        can = [fair.event in able[n] for n in loop]
        if (any(can) if fair.strong else all(can)) and loop:
            return False
    return True
