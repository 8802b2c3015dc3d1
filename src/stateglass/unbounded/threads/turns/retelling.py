"""A run of the system in which threads take turns, done again with every access told, and then by each thread alone.

The system was made of the threads, and might be made wrongly: what it says that a thread does is held against the code
of that thread as it is, which reads shared variables by asking for any value. Reads must find what was written last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.evidence import Path, Step, told
from stateglass.explore import Manner
from stateglass.explore.stepwise import Retracing, Run, Snapshot, Taken
from stateglass.explore.stepwise import Step as Taking
from stateglass.model import STABLE, TAU, Action, Model, ModelBuilder, Verb, parsed
from stateglass.system.sharing import LOAD, STORE, loading, storing
from stateglass.unbounded.threads.turns.inlining import result_of
from stateglass.unbounded.threads.turns.systems import Taking as Threads
from stateglass.unbounded.threads.turns.systems import Turns
from stateglass.unbounded.threads.turns.weaving import DEADLOCK, turn_variable
from stateglass.unbounded.threads.turns.wording import own_names, shown

ROUNDS: Final = 4
MOST_TRIED: Final = 50_000


def done_again(turns: Turns, path: Path, manner: Manner) -> tuple[Run, Retracing] | str:
    """The run of a system that tells accesses along one of the same system that does not; or why there is none.

    `OutOfTime` if that takes too long.
    """
    retracing = Retracing(turns.system, manner)
    wanted = [step.action for step in path.steps if step.action != TAU]
    loop = None
    if path.loop_start is not None:
        loop = sum(step.action != TAU for step in path.steps[: path.loop_start])
        wanted += wanted[loop:] * (ROUNDS - 1)
    try:
        return _Search(retracing, wanted, loop, _tells).run(), retracing
    except _NotFound as problem:
        return str(problem)


@final
class _NotFound(Exception):
    """There is no such run."""


@final
class _Search:
    """Depth first: the same action may lead to several states."""

    def __init__(
        self, retracing: Retracing, wanted: Sequence[str], loop: int | None, passes: Callable[[str], bool]
    ) -> None:
        """`passes`: which actions may come in between."""
        self._retracing = retracing
        self._wanted = wanted
        self._loop = loop
        self._passes = passes
        self._furthest = 0

    def run(self) -> Run:
        first = self._retracing.first
        taken: list[Taken] = []
        at = [(first, 0)]
        ways = [self._ways(first, 0)]
        seen = {(first, 0)}
        tried = 0
        while ways:
            state, done = at[-1]
            start = self._start(at)
            is_done = self._loop is None and done == len(self._wanted) and not self._is_within(state)
            if start is not None or is_done:
                return Run(first, tuple(taken), start)
            following = next(ways[-1], None)
            if following is None:
                ways.pop()
                at.pop()
                if taken:
                    taken.pop()
                continue
            tried += 1
            self._retracing.look_at_the_clock()
            step, further = following
            self._furthest = max(self._furthest, further)
            is_back = self._loop is not None and (step.state, further) in at
            if ((step.state, further) in seen and not is_back) or tried > MOST_TRIED:
                continue
            seen.add((step.state, further))
            taken.append(Taken(state, step))
            at.append((step.state, further))
            ways.append(iter(()) if is_back else self._ways(step.state, further))
        wanted = self._wanted[self._furthest] if self._furthest < len(self._wanted) else "the end"
        raise _NotFound(f"after {self._furthest} actions, `{wanted}` does not follow")

    def _start(self, at: Sequence[tuple[Snapshot, int]]) -> int | None:
        """Where what is repeated begins, if the run has come back there."""
        if self._loop is None:
            return None
        state, done = at[-1]
        period = (len(self._wanted) - self._loop) // ROUNDS
        for number, (other, before) in enumerate(at[:-1]):
            further = before < done and (done - before) % period == 0 if period else before == done
            if before >= self._loop and other == state and further:
                return number
        return None

    def _is_within(self, state: Snapshot) -> bool:
        """Whether an access is told before it is made: what it changes still belongs to the run."""
        return any(self._passes(step.action) for step in self._retracing.steps_like(state, TAU))

    def _ways(self, state: Snapshot, done: int) -> Iterator[tuple[Taking, int]]:
        wanted = self._wanted[done] if done < len(self._wanted) else None
        for step in list(self._retracing.steps_like(state, wanted or TAU)):
            if step.action == wanted:
                yield step, done + 1
            elif step.action == TAU or self._passes(step.action):
                yield step, done


def _tells(action: str) -> bool:
    """Whether it says what variable is accessed."""
    verb, _, variable = parsed(action).name.partition(" ")
    return bool(variable) and verb in (LOAD, STORE)


@final
@dataclass(frozen=True)
class Retold:
    """A run in the words of threads, as a model and a path through it."""

    path: Path
    model: Model
    waits: str = ""  # what everybody waits for at its end


def retold(path: Path, model: Model, turns: Turns, threads: Threads) -> Retold:
    """A run of a system that tells accesses, in the words of threads."""
    model = replace(model, propositions=tuple(p for p in model.propositions if p.name != STABLE))
    steps: list[Step] = []
    waits, loop = "", path.loop_start
    by: tuple[str, ...] = ()  # whose turn it is
    for step in path.steps:
        action = parsed(step.action)
        if action.name == DEADLOCK and action.verb is Verb.CALL:
            waits = turns.woven.deadlocks[int(action.arguments[0])]
            break
        moving = _moving(action.name.removeprefix("::"), action.arguments, turns)
        by = by if moving is None else moving
        thread = by[0] if len(by) == 1 else ""
        steps.append(replace(step, action=shown(step.action, thread, threads.threads), by=by))
    begun = _joined(steps if loop is None else steps[:loop], model)
    again = [] if loop is None else _joined(steps[loop:], model) or [replace(steps[-1], source=steps[loop].source)]
    joined = (*begun, *again)
    builder = ModelBuilder()
    for label in model.labels:
        # What does not happen in this run may happen in others.
        if shown(label, "", threads.threads) == label and parsed(label).verb is not Verb.RETURN:
            builder.label(label)
    for step in joined:
        builder.add(step.source, step.action, step.target, step.span)
    end = joined[-1].target if joined else path.start
    open_states = [s for s in range(model.states) if model.is_unexplored(s) and not (waits and s == end)]
    built = builder.build(
        model.states,
        model.initial,
        propositions=model.propositions,
        terminal=[s for s in range(model.states) if model.is_terminal(s)],
        unexplored=open_states,
        origin=model.origin,
    )
    whole = Path(path.start, joined, None if loop is None else len(begun), path.ends or bool(waits))
    found = told(whole, built)
    assert isinstance(found, Path)
    return Retold(found, built, waits)


def _joined(steps: Sequence[Step], model: Model) -> list[Step]:
    """A run whose steps are those that are seen, each with the silent ones before and what comes of an access."""
    found: list[Step] = []
    for step in steps:
        if found and step.action == TAU and _comes_of(step, found[-1], model):
            found[-1] = replace(found[-1], target=step.target)
            continue
        if found and found[-1].action == TAU:
            silent = found.pop()
            before = model.valuation(silent.source)
            changes = step.action == TAU and before != model.valuation(silent.target) != model.valuation(step.target)
            if changes:
                found.append(silent)
            else:
                step = replace(step, source=silent.source, span=step.span or silent.span)
        found.append(step)
    if found and found[-1].action == TAU and model.valuation(found[-1].source) == model.valuation(found[-1].target):
        last = found.pop()
        if found:
            found[-1] = replace(found[-1], target=last.target)
        elif last.source != last.target:
            found.append(last)
    return found


def _comes_of(step: Step, access: Step, model: Model) -> bool:
    """Whether a silent step is what an access before it does, which has not changed anything yet."""
    is_access = parsed(access.action).verb in (Verb.LOAD, Verb.STORE)
    return is_access and step.by == access.by and model.valuation(access.source) == model.valuation(access.target)


# ---- each thread by itself


def problem_of_threads(path: Path, initial: Mapping[str, str], turns: Turns, threads: Threads, manner: Manner) -> str:
    """Why a run of a system that tells accesses is none of the threads; empty if each can do its part of it.

    `initial`: the values of variables at first.
    """
    steps = path.steps if path.loop_start is None else (*path.steps, *path.steps[path.loop_start :])
    parts = _Parts(turns, threads, initial)
    for step in steps:
        problem = parts.add(step.action)
        if problem:
            return problem
    for thread, system in zip(threads.threads.threads, threads.systems, strict=True):
        if system is None:
            continue
        own = {str(Verb.CALL.value), str(Verb.RETURN.value)}
        function = thread.function

        def passes(action: str, function: str = function, own: set[str] = own) -> bool:
            found = parsed(action)
            return found.head in own and found.name == function

        try:
            _Search(Retracing(system, replace(manner, compress=False)), parts.of[thread.name], None, passes).run()
        except _NotFound as reason:
            return f"`{thread.name}` cannot do its part: {reason}"
    return ""


@final
class _Parts:
    """What each thread does in a run, in the words of its own system."""

    def __init__(self, turns: Turns, threads: Threads, initial: Mapping[str, str]) -> None:
        self._turns = turns
        self._threads = threads
        self._held = {name: initial.get(name) for name in threads.threads.shared}
        self._systems = dict(zip((t.name for t in threads.threads.threads), threads.systems, strict=True))
        self.of: dict[str, list[str]] = {name: [] for name, system in self._systems.items() if system is not None}
        self._moving: tuple[str, ...] = ()

    def add(self, action: str) -> str:
        """Notes an action; what is wrong with it."""
        found = parsed(action)
        name = found.name.removeprefix("::")
        moving = _moving(name, found.arguments, self._turns)
        if moving is not None:
            self._moving = moving
            return ""
        verb, _, variable = name.partition(" ")
        if variable and verb in (LOAD, STORE):
            return self._accessed(*variable.partition(".")[::2], found) if found.verb is Verb.CALL else ""
        for event in self._threads.threads.events:
            if name == event:
                return self._event(event, found)
            if name == result_of(event):
                if found.verb is Verb.RETURN:
                    self._tell(str(replace(found, name=event)))
                return ""
        if name.startswith("%") or action == TAU:
            return ""
        thread = next((t for t in self.of if name.startswith(f"{t}.")), None)
        self._tell(action if thread is None else str(replace(found, name=name.removeprefix(f"{thread}."))))
        return ""

    def _tell(self, *actions: str) -> None:
        for thread in self._moving:
            if thread in self.of:
                self.of[thread] += (own_names(action, thread, self._threads.threads) for action in actions)

    def _accessed(self, thread: str, variable: str, found: Action) -> str:
        (value,) = found.arguments
        if thread not in self._moving:
            return f"it is not the turn of `{thread}`"
        if found.name.startswith(LOAD):
            if self._held[variable] not in (value, None):
                return f"`{thread}` reads {value} from `{variable}`, which is {self._held[variable]}"
            function = loading(variable)
            self._tell(str(Action(Verb.CALL, function)), str(Action(Verb.RETURN, function, (value,))))
        else:
            function = storing(variable)
            self._tell(str(Action(Verb.CALL, function, (value,))), str(Action(Verb.RETURN, function)))
        self._held[variable] = value
        return ""

    def _event(self, event: str, found: Action) -> str:
        if found.verb is not Verb.CALL:
            return ""
        self._tell(str(found))
        for thread in self._moving:
            system = self._systems[thread]
            if system is not None and system.externals[event].result is None:
                self.of[thread].append(str(Action(Verb.RETURN, event)))
        return ""


def _moving(name: str, arguments: Sequence[str], turns: Turns) -> tuple[str, ...] | None:
    """Who moves by an action that gives somebody the turn; None for another action."""
    for number, options in enumerate(turns.woven.turns):
        if name == turn_variable(number):
            words = options[int(arguments[0])].split()
            members = {member.name for member in turns.meeting.members}
            return tuple(word for part in words if (word := part.partition(":")[0]) in members)
    return None
