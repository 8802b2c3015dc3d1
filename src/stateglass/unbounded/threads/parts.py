"""The models that threads are put together from: one of the code of each, and one of each process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from stateglass.model import STABLE, TAU, Action, Model, ModelBuilder, Proposition, Verb, is_error, parsed
from stateglass.model.model import Flags
from stateglass.system.sharing import STORE, access_of
from stateglass.system.threads import Thread, Threads
from stateglass.unbounded.threads.alphabets import Alphabet, event_label
from stateglass.unbounded.threads.answering import answering_model, process_model

Row = tuple[int, str, int]
"""A transition: source, label, target."""


@final
@dataclass(frozen=True)
class Part:
    """A model of a thread whose labels are those of the whole."""

    thread: int
    model: Model
    is_code: bool = False
    over: Flags | None = None  # states in which the whole program has ended
    begun: tuple[tuple[str, int], ...] = ()  # what the code has done before the first state, with the state after it
    before: int | None = None  # the state in which it had done nothing, where the first one is another
    # What the code does at a transition, where that is not its label: actions with the state after each.
    done: Mapping[Row, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    def steps(self, row: Row) -> tuple[tuple[str, int], ...]:
        """The actions of the code that a transition stands for, with the state after each."""
        return self.done.get(row, ((row[1], row[2]),))


@final
@dataclass(frozen=True)
class Team:
    """All parts of all threads, and the events that each thread takes part in."""

    threads: Threads
    parts: tuple[Part, ...]
    alphabets: tuple[Alphabet, ...]  # by thread
    links: tuple[
        tuple[int, int, frozenset[str]], ...
    ] = ()  # a thread's code, what answers it, and what they do only together

    @property
    def names(self) -> tuple[str, ...]:
        """The threads that parts belong to, by name."""
        return tuple(self.threads.threads[part.thread].name for part in self.parts)


def team_of(
    threads: Threads, models: Sequence[Model | None], alphabets: Sequence[Alphabet | None], *, seen: bool
) -> Team:
    """The parts of threads whose code has these models; None for processes. What is known of no alphabet is done.

    `seen`: somebody looks at values. What each thread does first, and what it does right after an event, is then a step
    of its own, since other threads need not be as fast.
    """
    parts: list[Part] = []
    known: list[Alphabet] = []
    links: list[tuple[int, int, frozenset[str]]] = []
    for number, (thread, model, alphabet) in enumerate(zip(threads.threads, models, alphabets, strict=True)):
        if model is None:
            process = process_model(thread)
            parts.append(Part(number, process, over=process.terminal))
            known.append(Alphabet() if thread.held else Alphabet(together(process)))
            continue
        code = code_part(number, thread, model, threads, seen=seen)
        at = len(parts)
        parts.append(code)
        events = Alphabet(_events_in(code.model, threads)) if alphabet is None else alphabet
        for function, answering in threads.answers.items():
            own = [label for label in code.model.labels if _linked(label, function)]
            if not own:
                continue
            call = f"{function}!"
            answer = answering_model(answering, function, call, lambda value, call=call: f"{call} {value}".strip())  # type: ignore[misc]
            # What only one of the two can do is not done.
            links.append((at, len(parts), frozenset([*own, *(one for one in answer.labels if _linked(one, function))])))
            events = events.joined(frozenset(label for label in together(answer) if not _linked(label, function)))
            parts.append(Part(number, answer, over=answer.terminal))
        known.append(events)
    return Team(threads, tuple(parts), tuple(known), tuple(links))


def code_part(number: int, thread: Thread, model: Model, threads: Threads, *, seen: bool) -> Part:
    """The model of a thread's code in the words of the whole: a call of an event is one action, and returns at once."""
    builder = ModelBuilder()
    actions = [parsed(label) for label in model.labels]
    done: dict[Row, tuple[tuple[str, int], ...]] = {}
    over = np.zeros(model.states, dtype=np.bool_)
    shown_values = [p for p in model.propositions if p.name != STABLE]
    read: list[int] = []  # more states: a value has been read, and nothing been done with it; all else is as here
    begun = () if seen else _begun(model, actions, thread)
    for transition in range(model.transitions):
        if begun and model.sources[transition] == model.initial:
            continue
        source, target = int(model.sources[transition]), int(model.targets[transition])
        label, action = model.labels[model.actions[transition]], actions[model.actions[transition]]
        span = model.span_of_transition(transition)
        is_apart = seen and _is_apart(action, threads)
        if action.verb is Verb.CALL and is_joint(action.name, threads) and not is_apart:
            ways = ((label, target),)
            for behind in _returns(model, actions, target, action.name):
                after, back = int(model.targets[behind]), model.labels[model.actions[behind]]
                event = joint_label(action, actions[model.actions[behind]])
                if seen and _changes(shown_values, target, after):
                    between = model.states + len(read)
                    read.append(target)
                    builder.add(source, event, between, span)
                    builder.add(between, TAU, after, span)
                    done[source, event, between], done[between, TAU, after] = ways, ((back, after),)
                    continue
                builder.add(source, event, after, span)
                done.setdefault((source, event, after), (*ways, (back, after)))
            if _stays(model, actions, target, action.name):
                event = joint_label(action, None)
                builder.add(source, event, target, span)
                done.setdefault((source, event, target), ways)
            continue
        is_start = seen and action.verb is Verb.CALL and action.name == thread.function
        if is_start or is_apart:
            shown = TAU if is_start else _apart_label(action)
        else:
            shown = _shown(label, action, thread, threads)
        builder.add(source, shown, target, span)
        if shown != label:
            done.setdefault((source, shown, target), ((label, target),))
        if action.is_ending:
            over[target] = True
    over = np.append(over, np.zeros(len(read), dtype=np.bool_))
    whole = builder.build(
        model.states + len(read),
        begun[-1][1] if begun else model.initial,
        propositions=[_extended(p, read) for p in shown_values],
        terminal=[] if model.terminal is None else np.flatnonzero(model.terminal).tolist(),
        unexplored=[] if model.unexplored is None else np.flatnonzero(model.unexplored).tolist(),
        origin=model.origin,
    )
    before = model.initial if begun else None
    return Part(number, whole, True, over if over.any() else None, begun, before, done)


def _changes(values: Sequence[Proposition], before: int, after: int) -> bool:
    return any(one.text(before) != one.text(after) for one in values)


def _extended(values: Proposition, more: Sequence[int]) -> Proposition:
    """The values of all states, and again those of some."""
    defined = (
        None if values.defined is None else np.append(values.defined, values.defined[np.array(more, dtype=np.int64)])
    )
    return replace(
        values, values=np.append(values.values, values.values[np.array(more, dtype=np.int64)]), defined=defined
    )


def is_joint(function: str, threads: Threads) -> bool:
    """Whether calls of a function are done together with others."""
    return function in threads.events or access_of(function) is not None


def joint_label(call: Action, back: Action | None) -> str:
    """What the whole calls a call of such a function, and its return."""
    access = access_of(call.name)
    if access is None:
        return event_label(call.name, call.arguments)
    verb, variable = access
    value = call.arguments if verb == STORE else () if back is None else back.arguments
    return str(Action(Verb(verb), f"::{variable}", value))


def _is_apart(action: Action, threads: Threads) -> bool:
    """Whether a call and its return are two steps: of a load, both together say which value was read."""
    access = access_of(action.name)
    return is_joint(action.name, threads) and (access is None or access[0] == STORE)


def _apart_label(action: Action) -> str:
    return joint_label(action, None) if action.verb is Verb.CALL else TAU


def _begun(model: Model, actions: Sequence[Action], thread: Thread) -> tuple[tuple[str, int], ...]:
    """The call that a thread begins with: threads are under way from the beginning."""
    first, last = int(model.first[model.initial]), int(model.first[model.initial + 1])
    is_call = last == first + 1 and not (model.targets == model.initial).any()
    action = actions[model.actions[first]] if is_call else None
    if action is None or action.verb is not Verb.CALL or action.name != thread.function:
        return ()
    return ((model.labels[model.actions[first]], int(model.targets[first])),)


def _returns(model: Model, actions: Sequence[Action], state: int, name: str) -> list[int]:
    """The transitions from a state by which a function returns."""
    found = range(int(model.first[state]), int(model.first[state + 1]))
    return [t for t in found if _is_return(actions[model.actions[t]], name)]


def _stays(model: Model, actions: Sequence[Action], state: int, name: str) -> bool:
    """Whether something else may happen in a state in which a function is about to return, or may be unknown."""
    found = range(int(model.first[state]), int(model.first[state + 1]))
    others = any(not _is_return(actions[model.actions[t]], name) for t in found)
    return others or not len(found) or model.is_unexplored(state)


def _is_return(action: Action, name: str) -> bool:
    return action.verb is Verb.RETURN and action.name == name


def _shown(label: str, action: Action, thread: Thread, threads: Threads) -> str:
    """What the whole calls an action that a thread does alone, or with whoever answers it."""
    verb = action.verb
    if verb in (None, Verb.ERROR, Verb.EXIT):
        return label
    if action.name in threads.answers and verb in (Verb.CALL, Verb.RETURN):
        call = f"{action.name}!"
        return call if verb is Verb.CALL else " ".join((call, *action.arguments[:1]))
    if action.name == thread.function:
        return str(Action(verb, thread.name, action.arguments))
    name = action.name.removeprefix("::")
    return str(Action(verb, f"{thread.name}.{name}", action.arguments))


def _linked(label: str, function: str) -> bool:
    """Whether a label is one between code and what answers it."""
    return label == f"{function}!" or label.startswith(f"{function}! ")


def together(model: Model) -> frozenset[str]:
    """The labels of a process that others may know, too."""
    return frozenset(label for label in model.labels if label != TAU and not is_error(label))


def _events_in(model: Model, threads: Threads) -> frozenset[str]:
    return frozenset(label for label in model.labels if is_event(label, threads))


def is_event(label: str, threads: Threads) -> bool:
    """Whether a label of a thread's code is one of the events that are calls."""
    action = parsed(label)
    return action.verb is None and action.name in threads.events


def accessed(label: str, threads: Threads) -> str | None:
    """The shared variable that a label loads or stores; None if it is none."""
    action = parsed(label)
    name = action.name.removeprefix("::")
    return name if action.verb in (Verb.LOAD, Verb.STORE) and name in threads.shared else None


def access_label(label: str, thread: str) -> str:
    """What the whole calls an access by a thread: `load(left.x, 1)`."""
    action = parsed(label)
    return str(Action(action.verb, f"{thread}.{action.name.removeprefix('::')}", action.arguments))
