"""A state machine that somebody believes in: states as conditions over a function's variables, and transitions.

Its conditions are C and are read by the front end; here they are words. `validation` says what always holds of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, final

from stateglass.program.probes import Definition, Probe
from stateglass.source import NOWHERE, Span, Words

OTHER: Final = "other"
"""The pseudo-state of all valuations that no state covers."""
ERROR: Final = "error"
"""The pseudo-state that a call with undefined behaviour ends in."""
EXIT: Final = "exit"
"""The pseudo-state that a call ends in that ends the program."""
PSEUDO_STATES: Final = (OTHER, ERROR, EXIT)
START: Final = "%start"
"""The question from where on states count."""


@final
@dataclass(frozen=True, slots=True)
class Let:
    """A word of a design and what it means in the code."""

    name: str
    words: Words
    span: Span = field(default=NOWHERE, compare=False)  # of the name


@final
@dataclass(frozen=True, slots=True)
class StateClaim:
    """A state. With a parent, it is where the parent's condition holds too; without a condition, it is what its
    children are together. What its condition covers and no child does is in the state itself."""

    name: str
    condition: Words | None
    parent: str | None = None
    initial: bool = False  # where its parent, or the machine, starts
    span: Span = field(default=NOWHERE, compare=False)  # of the name
    parts: tuple[Words, ...] = ()  # conditions that are its own together, if it shares them with many others


@final
@dataclass(frozen=True, slots=True)
class TransitionClaim:
    """A call of the function leads from one state to another. Without a condition it is not said when.

    Of those that apply to a state, its own and those of the states around it, where the condition of a lower priority
    number holds the others do not count; a transition without a number neither gives way nor takes it.
    """

    source: str
    target: str
    condition: Words | None = None
    priority: int | None = None  # 1 is highest
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def says_when(self) -> bool:
        """Whether it is said when it is taken: with a priority and no condition, wherever nothing goes before it."""
        return self.condition is not None or self.priority is not None

    @property
    def ends(self) -> tuple[str, str, str]:
        """Where it begins and ends, and its condition, as it was written."""
        return self.source, self.target, self.condition.text if self.condition is not None else ""


@final
@dataclass(frozen=True)
class Hypothesis:
    """What is believed of one function."""

    name: str
    function: str
    files: tuple[str, ...] = ()
    lets: tuple[Let, ...] = ()
    assumes: tuple[Words, ...] = ()  # before each call
    states: tuple[StateClaim, ...] = ()
    transitions: tuple[TransitionClaim, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)  # of the first line
    function_span: Span = field(default=NOWHERE, compare=False)
    start: Words | None = None  # only what can be reached from here counts; no notation has it
    inner_first: bool = False  # as in statecharts: what says when it is taken goes before what a state around it says

    @cached_property
    def by_name(self) -> dict[str, StateClaim]:
        return {s.name: s for s in self.states}

    @cached_property
    def parts(self) -> dict[str, tuple[int, Words]]:
        """The parts that conditions of states are made of, numbered, by their text."""
        found: dict[str, tuple[int, Words]] = {}
        for words in (part for state in self.states for part in state.parts):
            found.setdefault(words.text, (len(found), words))
        return found

    @cached_property
    def questions(self) -> dict[str, tuple[str, ...]]:
        """For each state, the probes that must all be true for its own condition to hold."""
        found: dict[str, tuple[str, ...]] = {}
        for number, state in enumerate(self.states):
            if state.parts:
                found[state.name] = tuple(f"%part.{self.parts[p.text][0]}" for p in state.parts)
            else:
                found[state.name] = (f"%state.{number}",) if state.condition is not None else ()
        return found

    @cached_property
    def leaves(self) -> tuple[StateClaim, ...]:
        """The states that a valuation can be in itself, in at most one at a time.

        These are the states without states inside, and those with a condition, of which the states inside may leave
        something.
        """
        return tuple(s for s in self.states if s.condition is not None or s.name not in self.parents)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each leaf, by its name."""
        return {leaf.name: number for number, leaf in enumerate(self.leaves)}

    @cached_property
    def parents(self) -> frozenset[str]:
        """The states that have states inside."""
        return frozenset(s.parent for s in self.states if s.parent is not None)

    def ancestors(self, name: str) -> tuple[StateClaim, ...]:
        """A state, the one around it, and so on."""
        found: list[StateClaim] = []
        at: str | None = name
        while at is not None:
            found.append(self.by_name[at])
            at = found[-1].parent
        return tuple(found)

    def leaves_of(self, name: str) -> tuple[StateClaim, ...]:
        """The leaves of a state: itself if it is one, and those inside."""
        if name not in self.parents:
            return (self.by_name[name],)
        return tuple(self._inside.get(name, ()))

    @cached_property
    def _inside(self) -> dict[str, list[StateClaim]]:
        """The leaves that each state is, or has inside."""
        found: dict[str, list[StateClaim]] = {}
        for leaf in self.leaves:
            for state in self.ancestors(leaf.name):
                found.setdefault(state.name, []).append(leaf)
        return found

    def applying(self, leaf: str) -> tuple[tuple[int, TransitionClaim], ...]:
        """The transitions that apply to a leaf, or to `other`, by their places: its own and those of its ancestors."""
        sources = [s.name for s in self.ancestors(leaf)] if leaf in self.by_name else [leaf]
        return tuple(sorted((row for name in sources for row in self._rows.get(name, ())), key=lambda row: row[0]))

    @cached_property
    def _rows(self) -> dict[str, list[tuple[int, TransitionClaim]]]:
        found: dict[str, list[tuple[int, TransitionClaim]]] = {}
        for n, t in enumerate(self.transitions):
            found.setdefault(t.source, []).append((n, t))
        return found

    def gives_way(self, one: TransitionClaim, other: TransitionClaim) -> bool:
        """Whether, of two that apply to one leaf, the first does not count where the second is taken."""
        if self.inner_first and one.source != other.source:
            return one.says_when and other.says_when and self._depth(other.source) > self._depth(one.source)
        return one.priority is not None and other.priority is not None and other.priority < one.priority

    def _depth(self, name: str) -> int:
        return len(self.ancestors(name)) if name in self.by_name else 0

    @property
    def initial(self) -> StateClaim | None:
        """Where the machine starts: the initial state, in it the one that is initial there, and so on."""
        found: StateClaim | None = None
        while True:
            parent = None if found is None else found.name
            inner = next((s for s in self.states if s.parent == parent and s.initial), None)
            if inner is None:
                return found
            found = inner


def probes_of(hypothesis: Hypothesis) -> tuple[Probe, ...]:
    """The conditions of a hypothesis as questions to the program.

    They are called `%assume.N`, `%state.N` and `%transition.N`, by the place in the hypothesis, from 0; `%part.N` is a
    part of the conditions of states, and then there is no `%state.N`; and `%start`. Of a state it is its own condition,
    without its parents'.
    """
    definitions = tuple(Definition(let.name, let.words, let.span) for let in hypothesis.lets)
    function = hypothesis.function

    def probe(name: str, words: Words, is_state: bool = False) -> Probe:
        return Probe(name, words, function, definitions, not is_state, hypothesis.function_span)

    found = [probe(f"%assume.{n}", words) for n, words in enumerate(hypothesis.assumes)]
    found += [
        probe(f"%state.{n}", s.condition, True)
        for n, s in enumerate(hypothesis.states)
        if s.condition is not None and not s.parts
    ]
    found += [probe(f"%part.{n}", words, True) for n, words in hypothesis.parts.values()]
    found += [
        probe(f"%transition.{n}", t.condition) for n, t in enumerate(hypothesis.transitions) if t.condition is not None
    ]
    if hypothesis.start is not None:
        found.append(probe(START, hypothesis.start, True))
    return tuple(found)
