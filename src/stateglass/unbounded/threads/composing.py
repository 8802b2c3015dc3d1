"""Threads put together: they do events at the same time that they have in common, and everything else alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from stateglass.evidence import Path
from stateglass.model import TAU, Model, Origin, Proposition, Relation, Verb, parsed
from stateglass.model.model import Flags
from stateglass.program.names import root_of
from stateglass.relate.compose import joined_origin, model_of, unexplored_of
from stateglass.relate.product import Product, product
from stateglass.relate.rules import Rule
from stateglass.source import Assumption, Topic
from stateglass.system import System
from stateglass.system.sharing import access_of
from stateglass.system.threads import Threads
from stateglass.unbounded.threads.alone import done_alone
from stateglass.unbounded.threads.alphabets import is_call
from stateglass.unbounded.threads.parts import Part, Row, Team, access_label, accessed
from stateglass.work import Progress

_HOW: Final = "threads that share events"


@final
@dataclass(frozen=True)
class Composition:
    """What threads do together, and the state of each part in each state of the whole."""

    team: Team
    rules: tuple[Rule, ...]
    model: Model
    found: Product

    @cached_property
    def _rows(self) -> tuple[frozenset[Row], ...]:
        return tuple(_rows_of(part.model) for part in self.team.parts)

    def taken(self, source: int, action: str, target: int) -> dict[int, Row]:
        """The transitions of parts that a transition of the whole consists of, by part."""
        before, after = self.found.states[source], self.found.states[target]
        for rule in self.rules:
            if rule.result != action:
                continue
            rows = {
                part: (int(before[part]), label, int(after[part]))
                for part, label in zip(rule.components, rule.labels, strict=True)
            }
            others = np.ones(len(before), dtype=np.bool_)
            others[list(rule.components)] = False
            if (before[others] == after[others]).all() and all(row in self._rows[p] for p, row in rows.items()):
                return rows
        raise AssertionError(f"no part does `{action}`")


def _rows_of(model: Model) -> frozenset[Row]:
    labels = [model.labels[action] for action in model.actions.tolist()]
    return frozenset(zip(model.sources.tolist(), labels, model.targets.tolist(), strict=True))


def rules_of(team: Team) -> tuple[Rule, ...]:
    """Who moves together.

    An event is done by all threads that know it, in each by any one of its parts; what links code and what answers it
    is silent for others.
    """
    parts = team.parts
    known = [frozenset(part.model.labels) for part in parts]
    linked = {label for _, _, labels in team.links for label in labels}
    rules = [Rule((i,), (TAU,), TAU) for i in range(len(parts)) if TAU in known[i]]
    for code, answer, labels in team.links:
        both = labels & known[code] & known[answer]
        rules += [Rule((code, answer), (label, label), TAU) for label in sorted(both)]
    everything = dict.fromkeys(label for part in parts for label in part.model.labels if label != TAU)
    for label in everything:
        if label in linked or label.endswith("(≠)"):
            continue
        variable = accessed(label, team.threads)
        if variable is not None:
            rules += _accesses(team, known, variable, label)
            continue
        sharing = [thread for thread, alphabet in enumerate(team.alphabets) if alphabet.has(label)]
        doing = [i for i, own in enumerate(known) if label in own]
        if not sharing:
            rules += [Rule((i,), (label,), label) for i in doing]
            continue
        choices = [[i for i in doing if parts[i].thread == thread] for thread in sharing]
        for chosen in itertools.product(*choices):
            rules.append(Rule(tuple(chosen), (label,) * len(chosen), label))
    return tuple(rules)


def _accesses(team: Team, known: Sequence[frozenset[str]], variable: str, label: str) -> Iterator[Rule]:
    """One thread at a time reads or writes a variable, together with the process that holds it."""
    held = [i for i, part in enumerate(team.parts) if team.threads.threads[part.thread].name == variable]
    for i, part in enumerate(team.parts):
        if part.is_code and label in known[i] and label in known[held[-1]]:
            yield Rule((i, held[-1]), (label, label), access_label(label, team.names[i]))


def composed(team: Team, most_states: int, aliases: Mapping[str, str], progress: Progress) -> Composition:
    """All that the threads can do together; `aliases` are names that somebody has for values of threads."""
    rules = rules_of(team)
    found = product([part.model for part in team.parts], rules, most_states, progress)
    return composition_of(team, rules, found, most_states, aliases)


def composition_of(
    team: Team, rules: tuple[Rule, ...], found: Product, most_states: int, aliases: Mapping[str, str]
) -> Composition:
    """What was found of all that threads can do together, with what claims see of it."""
    models = [part.model for part in team.parts]
    whole = _with_excess(model_of(found, models, team.names, _HOW, most_states), team, found)
    if whole.unexplored is None and whole.partial:
        # What is not known of threads is not met by all of them together.
        whole = replace(whole, origin=replace(whole.origin, relation=Relation.EXACT, partial=()))
    over = _over(team.parts, found)
    code = [(i, part) for i, part in enumerate(team.parts) if part.is_code]
    ended = np.ones(len(found.states), dtype=np.bool_)
    for i, part in code:
        ended &= _flags(part.model.terminal, found, i)
    ended |= over
    rows = ~over[whole.sources]
    whole = replace(
        whole,
        labels=known_labels(whole.labels, team),
        sources=whole.sources[rows],
        actions=whole.actions[rows],
        targets=whole.targets[rows],
        propositions=_named(whole.propositions, aliases, team.threads),
        terminal=ended if ended.any() else None,
        origin=_told_origin(whole.origin, team),
    )
    return Composition(team, rules, whole, found)


def with_first_values(whole: Composition, path: Path) -> Composition:
    """With what threads held before they did anything, at the first state of a run that does not come back to it.

    What they do before others can see it is no step of the run: without this, it would have been done from the start.
    """
    if any(step.target == path.start for step in path.steps):
        return whole
    first = {
        f"{name}.{p.name}": (p, part.before)
        for name, part in zip(whole.team.names, whole.team.parts, strict=True)
        if part.before is not None
        for p in part.model.propositions
    }
    columns = tuple(
        _with_value(p, path.start, *first[p.name]) if p.name in first else p for p in whole.model.propositions
    )
    return replace(whole, model=replace(whole.model, propositions=columns))


def _with_value(column: Proposition, state: int, of: Proposition, before: int) -> Proposition:
    """A column in which one state has the value that another column has in one."""
    values = column.values.copy()
    values[state] = of.values[before]
    if column.defined is None and of.defined is None:
        return replace(column, values=values)
    defined = np.ones(len(values), dtype=np.bool_) if column.defined is None else column.defined.copy()
    defined[state] = of.defined is None or of.defined[before]
    return replace(column, values=values, defined=defined)


def known_labels(done: Sequence[str], team: Team) -> tuple[str, ...]:
    """What is done, and what claims may speak of besides: events that no thread ever comes to."""
    known = dict.fromkeys((*done, *sorted(label for alphabet in team.alphabets for label in alphabet.labels)))
    met = {parsed(label).name for label in known}
    return tuple(known | dict.fromkeys(name for name in team.threads.events if name not in met))


def may_know(team: Team, pattern: str) -> bool:
    """Whether an event is one that some thread takes part in, should it ever come to it."""
    return any(alphabet.has(pattern) for alphabet in team.alphabets)


def may_do(team: Team, systems: Sequence[System | None], label: str) -> bool:
    """Whether an event is one that some thread might come to, written as it would be."""
    if any(label in alphabet.labels for alphabet in team.alphabets):
        return True
    return may_know(team, label) and all(system is None or is_call(label, system) for system in systems)


def whole_origin(team: Team, *, is_known: bool) -> Origin:
    """What is taken for granted where all parts are put together; `is_known`: nothing is met that is not known."""
    origin = joined_origin([part.model for part in team.parts], team.names, _HOW)
    if is_known:
        origin = replace(origin, relation=Relation.EXACT, partial=())
    return _told_origin(origin, team)


def _with_excess(whole: Model, team: Team, found: Product) -> Model:
    """Where a thread stores what the process that holds a variable cannot hold, it is not known what follows."""
    open_states = np.zeros(len(found.states), dtype=np.bool_)
    reasons: dict[str, None] = {}
    for i in range(len(team.parts)):
        names, about = _excess(team, i)
        here = about[found.states[:, i]]
        if here.any():
            open_states |= here
            reasons |= {f"`{name}` is not within the bound of the variable": None for name in names}
    if not reasons:
        return whole
    known = open_states if whole.unexplored is None else open_states | whole.unexplored
    relation = Relation.UNDER if whole.origin.relation is Relation.EXACT else whole.origin.relation
    origin = replace(whole.origin, relation=relation, partial=(*whole.origin.partial, *reasons))
    return replace(whole, unexplored=known, origin=origin)


def _excess(team: Team, part: int) -> tuple[list[str], Flags]:
    """The labels with which a part stores what no process can hold, and where it may."""
    held = {label for other in team.parts if not other.is_code for label in other.model.labels}
    model = team.parts[part].model
    names = [
        label
        for label in model.labels
        if parsed(label).verb is Verb.STORE and accessed(label, team.threads) and label not in held
    ]
    about = np.zeros(model.states, dtype=np.bool_)
    about[model.sources[np.isin(model.actions, [model.labels.index(label) for label in names])]] = True
    return names, about


def excess_met(team: Team, found: Product) -> list[str]:
    """The labels with which somebody comes to store what no process can hold."""
    met: dict[str, None] = {}
    for i, part in enumerate(team.parts):
        names, about = _excess(team, i)
        if names:
            here = np.unique(found.states[:, i])
            rows = np.isin(part.model.sources, here[about[here]])
            done = {part.model.labels[action] for action in np.unique(part.model.actions[rows])}
            met |= dict.fromkeys(name for name in names if name in done)
    return list(met)


def open_in(team: Team, part: int) -> Flags:
    """The states of a part in which it is not known all that may follow."""
    unexplored = unexplored_of(team.parts[part].model)
    _, about = _excess(team, part)
    return about if unexplored is None else about | unexplored


def known_values(team: Team) -> list[str]:
    """The values of all threads, by the names that the whole has for them."""
    return [
        f"{name}.{p.name}" for name, part in zip(team.names, team.parts, strict=True) for p in part.model.propositions
    ]


def aliases_for(asked: Sequence[str], known: Sequence[str], threads: Threads) -> dict[str, str]:
    """Names without a thread that claims use, by the value that is meant.

    What several threads use is a constant, or shared: it is the same for all of them.
    """
    found: dict[str, str] = {}
    for name in asked:
        if name in known:
            continue
        holders = [t for t in threads.threads if t.held and t.name == name]
        of = [f"{t.name}.{name}" for t in holders or threads.threads if f"{t.name}.{name}" in known]
        if of:
            found[name] = of[0]
    return found


def _named(
    propositions: Sequence[Proposition], aliases: Mapping[str, str], threads: Threads
) -> tuple[Proposition, ...]:
    names = {value: name for name, value in aliases.items()}
    return tuple(replace(p, name=names.get(p.name, known_name(p.name, threads))) for p in propositions)


def known_name(value: str, threads: Threads) -> str:
    """What claims call a value of a thread: what a process holds for others goes by the name of the variable."""
    return next((name for name in threads.shared if value == f"{name}.{name}"), value)


def _over(parts: Sequence[Part], found: Product) -> Flags:
    over = np.zeros(len(found.states), dtype=np.bool_)
    for i, part in enumerate(parts):
        over |= _flags(part.over, found, i)
    return over


def _flags(flags: Flags | None, found: Product, part: int) -> Flags:
    if flags is None:
        return np.zeros(len(found.states), dtype=np.bool_)
    chosen: Flags = flags[found.states[:, part]]
    return chosen


def _subject(threads: Threads) -> str:
    return " || ".join(str(thread) for thread in threads.threads if thread.name not in threads.shared)


def _told_origin(origin: Origin, team: Team) -> Origin:
    """What a composition is of, and what is said of its surroundings, in the user's words."""
    bounds: dict[str, str] = {}
    for name, values in origin.bounds:
        access = access_of(name.partition(".")[2].removesuffix("()"))
        bounds[name if access is None else access[1]] = values
    assumptions = (*_assumptions(origin, team.threads), *done_alone(team.threads, team.alphabets))
    return replace(origin, subject=_subject(team.threads), bounds=tuple(bounds.items()), assumptions=assumptions)


def _assumptions(origin: Origin, threads: Threads) -> tuple[Assumption, ...]:
    """What threads take for granted, and how they meet; what several of them say alike of one function is said once."""
    own: dict[Assumption, None] = {}
    for name in threads.events:
        own[Assumption(Topic.FUNCTION, name, "its calls are events: threads do them together")] = None
    for name in map(root_of, threads.shared):
        own[Assumption(Topic.VARIABLE, name, "a process holds it: each read and write is one step of its own")] = None
    for name, process in threads.answers.items():
        own[Assumption(Topic.FUNCTION, name, f"the process {process.name} answers its calls")] = None
    own |= dict.fromkeys(origin.assumptions)
    return tuple(own)
