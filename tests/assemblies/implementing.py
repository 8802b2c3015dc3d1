"""Random small statecharts with the C that does the same, made without the product, and what is true of two of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

MOST: Final = 3
"""`n` is never more than this."""
DATA: Final = (0, 1)
"""What `p` brings; `q` brings nothing."""
RESTS: Final = ("a", "b", "c")
PASSING: Final = "t"
ACTIONS: Final = {
    "more": ("if (n < 3) { n = n + 1; }", "if (n < 3) { n++; }"),
    "none": ("n = 0;", "n = 0;"),
    "out": ("^out(n);", "out(n);"),
    "beep": ("^beep();", "beep();"),
}
"""By name: in CCL, and in C."""


class Guard(NamedTuple):
    """`n < 2`, or its opposite."""

    name: str
    limit: int
    is_less: bool

    def text(self) -> str:
        return f"{self.name} {'<' if self.is_less else '>='} {self.limit}"

    def holds(self, n: int, x: int) -> bool:
        return ((n if self.name == "n" else x) < self.limit) is self.is_less


class Arrow(NamedTuple):
    """A transition; without a pin, one that needs no event."""

    source: str
    pin: str
    guard: Guard | None
    actions: tuple[str, ...]
    target: str


@final
@dataclass(frozen=True)
class Machine:
    """A statechart over `n`, with one state `t` that it passes through."""

    arrows: tuple[Arrow, ...]
    entry: tuple[str, ...]

    def react(self, state: str, n: int, pin: str, x: int) -> tuple[str, int, tuple[str, ...]]:
        """Where an event leads, with the value of `n` and what is sent."""
        sent: list[str] = []
        while True:
            arrow = next((a for a in self._of(state, pin) if a.guard is None or a.guard.holds(n, x)), None)
            if arrow is None:
                return state, n, tuple(sent)
            state, pin = arrow.target, ""
            for action in (*arrow.actions, *(self.entry if state == PASSING else ())):
                n = min(n + 1, MOST) if action == "more" else 0 if action == "none" else n
                sent += [f"out({n})"] if action == "out" else ["beep"] if action == "beep" else []

    def _of(self, state: str, pin: str) -> Iterator[Arrow]:
        return (a for a in self.arrows if (a.source, a.pin) == (state, pin))

    def design(self) -> str:
        """The component in CCL, with what its names are in the C text."""
        lines = ["component random() {", "int n = 0;", "sink asynch p(int x);", "sink asynch q();"]
        lines += ["source asynch out(int v);", "source asynch beep();"]
        lines += ["threaded react S(p, q, out, beep) {", "start -> a {}"]
        lines += [f"state {state} {{}}" for state in RESTS]
        lines.append(f"state {PASSING} {{ entry {{ {_done(self.entry, 0)} }} }}")
        for arrow in self.arrows:
            trigger = {"p": "trigger ^p(x);", "q": "trigger ^q();", "": ""}[arrow.pin]
            guard = f"guard {arrow.guard.text()};" if arrow.guard else ""
            action = f"action {{ {_done(arrow.actions, 0)} }}"
            lines.append(f"{arrow.source} -> {arrow.target} {{ {trigger} {guard} {action} }}")
        names = {"p": "on_p", "q": "on_q", "out": "out", "beep": "beep", "n": "n", "assume": f"n >= 0 && n <= {MOST}"}
        names |= {state: f"at == {state.upper()}" for state in RESTS}
        lines += ["}", 'annotate p {"comfort", const string values = "x: 0..1"}']
        lines += [f'annotate S {{"code", const string {name} = "{text}"}}' for name, text in names.items()]
        return "\n".join([*lines, "}"]) + "\n"

    def code(self) -> str:
        """A function for each sink pin, and one for what needs no event."""
        lines = ["enum { A, B, C, T };", "void out(int v);", "void beep(void);", "static int at = A;", "static int n;"]
        lines += ["static void settle(void) {", "  while (at == T) {", *self._switch(PASSING, "", "    "), "  }", "}"]
        for pin, parameter in (("p", "int x"), ("q", "void")):
            lines += [f"void on_{pin}({parameter}) {{", "  switch (at) {"]
            for state in RESTS:
                lines += [f"  case {state.upper()}:", *self._switch(state, pin, "    "), "    break;"]
            lines += ["  }", "  settle();", "}"]
        return "\n".join(lines) + "\n"

    def class_code(self) -> str:
        """The same as a class, whose enumeration has the names of the C text."""
        text = self.code().replace("enum { A, B, C, T };", "enum At { A, B, C, T };").replace("static ", "")
        text = text.replace("int at = A;", "At at = A;").replace("int n;", "int n = 0;")
        text = text.replace("void out(int v);", "void out(int v) { others.out(v); }")
        text = text.replace("void beep(void);", "void beep(void) { others.beep(); }")
        others = "struct Others { virtual void out(int v) = 0; virtual void beep() = 0; };"
        return f"{others}\nclass Random {{\npublic:\nRandom(Others &o) : others(o) {{}}\nOthers &others;\n{text}}};\n"

    def _switch(self, state: str, pin: str, indent: str) -> Iterator[str]:
        before = ""
        for arrow in self._of(state, pin):
            condition = arrow.guard.text() if arrow.guard else "1"
            entered = _done(self.entry, 1) if arrow.target == PASSING else ""
            done = f"{_done(arrow.actions, 1)} at = {arrow.target.upper()}; {entered}"
            yield f"{indent}{before}if ({condition}) {{ {done} }}"
            before = "else "


def _done(actions: Sequence[str], language: int) -> str:
    return " ".join(ACTIONS[action][language] for action in actions)


def machine(dice: random.Random) -> Machine:
    """A machine of which no two transitions can be taken at once, and which may come to rest in all of its states."""
    while True:
        found = _machine(dice)
        reached = {"a"}
        for _ in RESTS:
            reached |= {
                found.react(s, n, p, x)[0] for s in reached for n in range(MOST + 1) for p in "pq" for x in DATA
            }
        if reached == set(RESTS):
            return found


def _machine(dice: random.Random) -> Machine:
    arrows: list[Arrow] = []

    def add(source: str, pin: str, targets: Sequence[str], *, complete: bool) -> None:
        kind = dice.choice(["always", "both"] if complete else ["nothing", "always", "one", "both", "both"])
        guard = _guard(dice, pin)
        guards = {"nothing": (), "always": (None,), "one": (guard,), "both": (guard, _opposite(guard))}[kind]
        arrows.extend(Arrow(source, pin, one, _actions(dice), dice.choice(targets)) for one in guards)

    for state in RESTS:
        for pin in ("p", "q"):
            add(state, pin, (*RESTS, PASSING), complete=False)
    add(PASSING, "", RESTS, complete=True)
    return Machine(tuple(arrows), _actions(dice))


def _guard(dice: random.Random, pin: str) -> Guard:
    name = dice.choice("nx") if pin == "p" else "n"
    return Guard(name, 1 if name == "x" else dice.randint(1, MOST), dice.random() < 0.5)


def _opposite(guard: Guard) -> Guard:
    return guard._replace(is_less=not guard.is_less)


def _actions(dice: random.Random) -> tuple[str, ...]:
    return tuple(dice.choice(list(ACTIONS)) for _ in range(dice.randrange(3)))


def mistaken(right: Machine, dice: random.Random, kind: str) -> Machine:
    """The same with a mistake somewhere."""
    arrows = list(right.arrows)
    number = dice.randrange(len(arrows))
    arrow = arrows[number]
    match kind:
        case "missing transition":
            del arrows[dice.choice([n for n, a in enumerate(arrows) if a.pin] or [0])]
        case "wrong guard":
            number = dice.choice([n for n, a in enumerate(arrows) if a.guard and a.pin] or [number])
            guard = arrows[number].guard or Guard("n", 2, is_less=True)
            arrows[number] = arrows[number]._replace(guard=_opposite(guard))
        case "extra transition":
            arrows.append(Arrow(dice.choice(RESTS), dice.choice("pq"), None, ("beep",), dice.choice(RESTS)))
        case "wrong state":
            others = [state for state in RESTS if state != arrow.target]
            arrows[number] = arrow._replace(target=dice.choice(others))
        case "forgotten output":
            arrows = [a._replace(actions=tuple(w for w in a.actions if w not in ("out", "beep"))) for a in arrows]
        case _:
            raise AssertionError(kind)
    return replace(right, arrows=tuple(arrows))


def same_moves(code: Machine, design: Machine) -> bool:
    """Whether both lead to the same state from every state of rest, whatever `n` is."""
    return all(
        code.react(state, n, pin, x)[0] == design.react(state, n, pin, x)[0]
        for state in RESTS
        for n in range(MOST + 1)
        for pin in ("p", "q")
        for x in DATA
    )


def same_runs(code: Machine, design: Machine) -> bool:
    """Whether both always send the same: nothing else is seen of them, and whoever is called comes to rest first."""
    seen: set[tuple[tuple[str, int], tuple[str, int]]] = set()
    work = [(("a", 0), ("a", 0))]
    while work:
        pair = work.pop()
        if pair in seen:
            continue
        seen.add(pair)
        for pin, x in (("p", 0), ("p", 1), ("q", 0)):
            at, n, sent = code.react(*pair[0], pin, x)
            meant_at, meant_n, meant = design.react(*pair[1], pin, x)
            if sent != meant:
                return False
            work.append(((at, n), (meant_at, meant_n)))
    return True


def moves(code: Machine, design: Machine, pin: str) -> dict[tuple[str, str], set[str]]:
    """What is true of each pair of states of rest, for the calls with a pin in all states that the code gets into."""
    found: dict[tuple[str, str], set[str]] = {}
    possible = {(at, design.react(at, n, pin, x)[0]) for at, n in reached(design) for x in DATA}
    for source in RESTS:
        calls = [(n, x) for at, n in reached(code) if at == source for x in DATA]
        ends = [(design.react(source, n, pin, x)[0], code.react(source, n, pin, x)[0]) for n, x in calls]
        for target in RESTS:
            meant = [is_at for should_be, is_at in ends if should_be == target]
            results = {"divergence"} if any(e[1] == target != e[0] for e in ends) else set()
            if meant and target in meant:
                results.add("convergence" if set(meant) == {target} else "partial convergence")
            elif meant or (source, target) in possible:
                results.add("absence")
            if results:
                found[source, target] = results
    return found


def reached(machine: Machine) -> set[tuple[str, int]]:
    """The states of rest with the values of `n` that a machine gets into."""
    found, work = {("a", 0)}, [("a", 0)]
    while work:
        at = work.pop()
        more = {machine.react(*at, pin, x)[:2] for pin in ("p", "q") for x in DATA} - found
        found |= more
        work += more
    return found
