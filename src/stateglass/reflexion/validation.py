"""What always holds of a hypothesis; whoever makes one asks here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

from stateglass.program.tokens import KEYWORDS, names_in, tokens_of
from stateglass.reflexion.hypothesis import (
    ERROR,
    EXIT,
    OTHER,
    PSEUDO_STATES,
    Hypothesis,
    Let,
    StateClaim,
    TransitionClaim,
)
from stateglass.source import Code, Diagnostic, Span, suggestion

MOST_PRIORITY: Final = 1_000_000
MOST_SHOWN: Final = 60


def problems_of(hypothesis: Hypothesis, is_whole: bool = True) -> list[Diagnostic]:
    """What is wrong with a hypothesis. If not all of it could be read, nothing is reported as missing."""
    found = [*_lets(hypothesis.lets), *_states(hypothesis), *_transitions(hypothesis)]
    return [*found, *_missing(hypothesis)] if is_whole else found


def _missing(hypothesis: Hypothesis) -> Iterator[Diagnostic]:
    states = hypothesis.states
    names = [s.name for s in states]
    if not states:
        yield _wrong("the machine has no state", hypothesis.span, "write `state NAME: CONDITION`")
    leaves = {s.name for s in hypothesis.leaves}
    for state in states:
        if state.name in leaves and state.condition is None:
            help = f"write `state {state.name}: CONDITION`, or states inside it, further to the right"
            yield _wrong(f"the state {shown(state.name)} has neither a condition nor states inside", state.span, help)
    for transition in hypothesis.transitions:
        for name in dict.fromkeys((transition.source, transition.target)):
            if name not in names and name not in PSEUDO_STATES:
                message = f"there is no state {shown(name)}"
                yield _wrong(message, transition.span, suggestion(name, names), Code.UNKNOWN_NAME)


def shown(name: str) -> str:
    """A name within a message: on one line, and cut when long."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name[:MOST_SHOWN])
    return f"`{plain}{'…' if len(name) > MOST_SHOWN else ''}`"


# ---- words


def _lets(lets: tuple[Let, ...]) -> Iterator[Diagnostic]:
    yield from _repeated("word", ((let.name, let.span) for let in lets))
    for let in lets:
        if let.name in KEYWORDS:
            yield _wrong(f"{shown(let.name)} is a word of C and cannot be given a meaning", let.span)
    yield from _cycles(lets)


def _cycles(lets: tuple[Let, ...]) -> Iterator[Diagnostic]:
    """Words that are defined by themselves: one round for each word that closes one."""
    by_name = {let.name: let for let in lets}
    used = {let.name: [t.text for t in names_in(tokens_of(let.words.text)) if t.text in by_name] for let in lets}
    done: set[str] = set()
    for let in lets:
        path: list[str] = []  # the words on the way from `let`
        ways = [iter([let.name])]
        while ways:
            name = next(ways[-1], None)
            if name is None:
                ways.pop()
                done.update(path[-1:])
                del path[-1:]
            elif name in path:
                between = path[path.index(name) + 1 :]
                help = "by way of " + ", ".join(map(shown, between)) if between else ""
                yield _wrong(f"{shown(name)} is defined by itself", by_name[name].span, help)
            elif name not in done:
                path.append(name)
                ways.append(iter(used[name]))


# ---- states


def _states(hypothesis: Hypothesis) -> Iterator[Diagnostic]:
    yield from _repeated("state", ((s.name, s.span) for s in hypothesis.states))
    for state in hypothesis.states:
        if state.name in PSEUDO_STATES:
            yield _wrong(f"{shown(state.name)} cannot be declared: {_pseudo(state.name)}", state.span)
    yield from _initial(hypothesis.states)


def _pseudo(name: str) -> str:
    if name == OTHER:
        return "it stands for whatever no state covers"
    if name == EXIT:
        return "it is where a call that ends the program leads"
    return "it is where a call with undefined behaviour ends"


def _initial(states: tuple[StateClaim, ...]) -> Iterator[Diagnostic]:
    first: dict[str | None, StateClaim] = {}
    for state in states:
        if state.initial and first.setdefault(state.parent, state) is not state:
            inside = "the machine" if state.parent is None else shown(state.parent)
            other = first[state.parent]
            help = f"the other is {shown(other.name)} at {other.span}"
            yield _wrong(f"{inside} has two initial states", state.span, help)


# ---- transitions


def _transitions(hypothesis: Hypothesis) -> Iterator[Diagnostic]:
    for transition in hypothesis.transitions:
        if transition.source in (ERROR, EXIT):
            yield _wrong(f"no transition leaves `{transition.source}`: the run has ended there", transition.span)
        if transition.priority is not None and not 1 <= transition.priority <= MOST_PRIORITY:
            yield _wrong(f"a priority is a number from 1, which is the highest, to {MOST_PRIORITY}", transition.span)
    yield from _priorities(hypothesis)


def _priorities(hypothesis: Hypothesis) -> Iterator[Diagnostic]:
    """Problems with the order of transitions: two with one priority, or one that leaves nothing to those after it."""
    parents = {s.name: s.parent for s in hypothesis.states}
    by_source: dict[str, list[TransitionClaim]] = {}
    for transition in hypothesis.transitions:
        if transition.priority is not None:
            by_source.setdefault(transition.source, []).append(transition)
    for source, rows in by_source.items():
        for one, other in combinations(rows, 2):
            if one.priority == other.priority and one.target != other.target:
                message = f"two transitions from {shown(source)} have the priority {one.priority}"
                yield _wrong(message, other.span, f"the other leads to {shown(one.target)}, at {one.span}")
                break
        for one, other in pairwise(sorted(rows, key=lambda t: t.priority or 0)):
            if one.condition is None and one.priority != other.priority:
                message = f"a transition without a condition leaves nothing to those of lower priority: {other.span}"
                yield _wrong(message, one.span, "give it a condition, or the lowest priority")
        if not hypothesis.inner_first:
            around = [t for name in _around(source, parents) for t in by_source.get(name, ())]
            yield from _shared(rows, around)


def _shared(rows: Sequence[TransitionClaim], around: Sequence[TransitionClaim]) -> Iterator[Diagnostic]:
    """Priorities of a state's own transitions that those of the states around it have too."""
    for row in rows:
        other = next((t for t in around if t.priority == row.priority and t.target != row.target), None)
        if other is not None:
            message = f"a transition from {shown(other.source)}, which applies to {shown(row.source)} too, has the"
            help = f"it leads to {shown(other.target)}, at {other.span}"
            yield _wrong(f"{message} priority {row.priority} as well", row.span, help)


def _around(name: str, parents: Mapping[str, str | None]) -> list[str]:
    """The states around a state; a cycle, which a repeated name can make, ends the search."""
    found: list[str] = []
    at = parents.get(name)
    while at is not None and at not in found:
        found.append(at)
        at = parents.get(at)
    return found


def _repeated(kind: str, names: Iterable[tuple[str, Span]]) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for name, span in names:
        if name in first:
            yield _wrong(f"there are two {kind}s {shown(name)}", span, f"the other is at {first[name]}")
        else:
            first[name] = span


def _wrong(message: str, span: Span, help: str = "", code: Code = Code.MACHINE) -> Diagnostic:
    return Diagnostic(code, message, span, help=help)
