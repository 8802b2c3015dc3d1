"""A walk through a flow as a run of the reference semantics: the same choices, in the same order.

Formulas are believed when the code has done what they say. The walk says which function is called next and what the
environment chooses whenever it is asked; everything else the reference does by itself, and where it does not end as the
walk does, there is no run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore import Asking, Failing, Manner, Outside, Stable
from stateglass.explore.stepwise import Called, Ended, Failure, Retracing, Returned, Run, Starting, Step, Stuck, Taken
from stateglass.explore.stepwise import Snapshot as State
from stateglass.explore.stretches import Flow, Phase
from stateglass.model import TAU, Model
from stateglass.system import Argument, Choice, Contents, Entry, Filled, Handed, Pointed, System
from stateglass.unbounded.results import Walk
from stateglass.unbounded.walks.choices import CallsEntry, Chooses, Done, done_on
from stateglass.unbounded.walks.drifting import drifting
from stateglass.work import OutOfTime

ROUNDS: Final = 4
"""So often a walk that is to be repeated for ever is repeated until the code is where it was before."""
MOST_SILENT: Final = 100_000
"""So many steps are taken in a row in which nobody is asked and nothing is seen."""


@final
@dataclass(frozen=True, slots=True)
class Executed:
    """A run of the reference semantics along a walk."""

    run: Run
    retracing: Retracing
    differs: str = ""  # how it ends otherwise than the walk does

    @property
    def model(self) -> Model:
        """The run alone as a model."""
        return self.retracing.model(self.run)


def executed(
    system: System, flow: Flow, walk: Walk, manner: Manner, loop_start: int | None = None, rounds: int = ROUNDS
) -> Executed | Failure:
    """The run along a walk; with a `loop_start`, one that repeats what comes from that stretch on for ever.

    It does if it is where it was before after so many rounds at most.
    """
    try:
        return _Driving(system, flow, walk, manner, loop_start, rounds).run()
    except OutOfTime:
        return Failure(0, "there was not enough time", is_sure=False)
    except _Astray as astray:
        return Failure(astray.followed, astray.reason)


@final
@dataclass(frozen=True, slots=True)
class Again:
    """A run that comes back, behind so many steps, to what it was but for values that decide nothing."""

    executed: Executed
    back: int
    changing: frozenset[str]  # variables that may have other values in some later round


def executed_again(system: System, flow: Flow, walk: Walk, manner: Manner, loop_start: int) -> Again | None:
    """The run along a walk that can go on as it did from a stretch on; None if it cannot.

    Values that no formula of the flow speaks of may grow for ever.
    """
    rows = walk.stretches, walk.values
    start, twice = (
        replace(walk, stretches=stretches, values=values)
        for stretches, values in (
            (rows[0][:loop_start], rows[1][:loop_start]),
            (rows[0] + rows[0][loop_start:], rows[1] + rows[1][loop_start:]),
        )
    )
    before, once, more = (executed(system, flow, one, manner) for one in (start, walk, twice))
    if isinstance(before, Failure) or isinstance(once, Failure) or isinstance(more, Failure):
        return None
    length, end = len(before.run.taken), len(once.run.taken)
    states = more.run.states
    actions = [[taken.step.action for taken in done.run.taken] for done in (before, once, more)]
    expected = actions[1] + actions[1][length:]
    if length >= end or actions[0] != actions[1][:length] or actions[2] != expected:
        return None
    if states[length].pause != states[end].pause:
        return None
    changing, shown = set[str](), set[str]()
    for one, other in zip(states[length : end + 1], states[end:], strict=True):
        now, then = more.retracing.values(one), more.retracing.values(other)
        shown |= now.keys() | then.keys()
        changing |= {name for name in now.keys() | then.keys() if now.get(name) != then.get(name)}
    return Again(once, length, drifting(flow, walk.stretches[loop_start:], changing, shown))


@final
class _Astray(Exception):
    """The reference does not do what a walk says."""

    def __init__(self, followed: int, reason: str) -> None:
        super().__init__(reason)
        self.followed = followed
        self.reason = reason


@final
class _Driving:
    """One run, as far as it has come."""

    def __init__(
        self, system: System, flow: Flow, walk: Walk, manner: Manner, loop_start: int | None, rounds: int
    ) -> None:
        self._system = system
        self._retracing = Retracing(system, replace(manner, compress=False))
        stretches = [flow.stretches[number] for number in walk.stretches]
        self._end = flow.rests[stretches[-1].target] if stretches else flow.rests[0]
        done = done_on(flow, walk)
        self._script: list[Done] = [one for some in done for one in some]
        self._actions = sum(stretch.action is not None for stretch in stretches)
        self._loop: tuple[int, int] | None = None  # where a round begins: in the script, and in actions
        if loop_start is not None:
            before = sum(len(some) for some in done[:loop_start])
            actions = sum(s.action is not None for s in stretches[:loop_start])
            self._loop = before, actions
            self._script += self._script[before:] * (rounds - 1)
            self._actions += (self._actions - actions) * (rounds - 1)
            self._period = sum(map(len, done)) - before, sum(s.action is not None for s in stretches) - actions
        self._next = 0  # in the script
        self._shown = 0  # how many actions were not silent
        self._silent = 0  # how many steps since then were, without anybody being asked
        self._taken: list[Taken] = []

    def run(self) -> Executed | Failure:
        state = first = self._begin()
        if isinstance(state.pause, Stable) and self._system.init is not None:
            self._pass(self._system.init)
        visited: dict[tuple[int, int, State], int] = {}
        while True:
            self._retracing.look_at_the_clock()
            key = self._place_in_round(state)
            if key is not None:
                if key in visited:
                    return Executed(Run(first, tuple(self._taken), visited[key]), self._retracing)
                visited[key] = len(self._taken)
            if self._is_over(state):
                break
            step = self._step(state)
            if step is None:
                break
            self._taken.append(Taken(state, step))
            state = step.state
        if self._loop is not None:
            raise self._astray("the code does not come back to where it was before")
        return self._result(first, state)

    def _begin(self) -> State:
        """The state that the walk begins with: what is chosen once has its values there."""
        state = self._retracing.first
        while isinstance(state.pause, Stable) and state.pause.chosen < 0:
            one = self._system.input_at(state.pause.chosen)
            assert one is not None
            step = self._set_input(state, one.choice)
            if step is None:
                raise self._astray("what is handed in cannot hold what it is to hold")
            state = step.state
        return state

    def _result(self, first: State, state: State) -> Executed:
        run = Run(first, tuple(self._taken))
        pause = state.pause
        match self._end.phase:
            case Phase.FAILED:
                failed = self._taken[-1].pause if self._taken and isinstance(pause, Ended) and pause.failed else None
                if not isinstance(failed, Failing):
                    raise self._astray(f"the code does not come to the error ({self._end.what}) that was expected")
                is_same = (failed.kind, failed.span) == (self._end.what, self._end.span)
                differs = "" if is_same else f"{failed.kind} ({failed.span}) in place of {self._end}"
                return Executed(run, self._retracing, differs)
            case Phase.LOST:
                raise self._astray(f"what follows is not modelled: {self._end.what}")
            case _:
                if self._next < len(self._script) or self._shown < self._actions:
                    raise self._astray("the code ends earlier")
                return Executed(run, self._retracing)

    def _is_over(self, state: State) -> bool:
        """Whether the walk ends here: the last thing on it is done, and something else would be seen now."""
        if isinstance(state.pause, Ended) or (self._end.phase.is_end):
            return isinstance(state.pause, Ended)
        if self._next < len(self._script) or self._shown < self._actions:
            return False
        return self._is_asked(state) or (self._silent > 0 and self._was_before(state))

    def _was_before(self, state: State) -> bool:
        return any(taken.source == state for taken in self._taken[-self._silent :])

    def _place_in_round(self, state: State) -> tuple[int, int, State] | None:
        """How far a round of what is repeated has come; None before the first one."""
        if self._loop is None or self._next < self._loop[0] or self._shown < self._loop[1]:
            return None
        (script, actions), (length, shown) = self._loop, self._period
        at = (self._next - script) % length if length else 0
        seen = (self._shown - actions) % shown if shown else 0
        return at, seen, state

    # ---- steps

    def _step(self, state: State) -> Step | None:
        pause = state.pause
        if isinstance(pause, Stuck):
            raise self._astray(str(pause))
        position = self._next
        match pause:
            case Stable(chosen) if (one := self._system.input_at(chosen)) is not None:
                step = self._set_input(state, one.choice)
            case Stable():
                step = self._call(state, self._entry())
            case Starting():
                assert self._system.init is not None
                step = self._call(state, self._system.init)
            case Outside():
                step = self._come_back(state, pause)
            case Asking(name=name):
                step = self._only(state, {name: self._chosen(name)})
            case _:
                step = self._only(state, {})
        if step is None:
            return None
        is_silent = step.action == TAU and self._next == position
        self._shown += step.action != TAU
        self._silent = self._silent + 1 if is_silent else 0
        if self._silent > MOST_SILENT:
            raise self._astray(f"after {MOST_SILENT:,} more steps nothing is seen")
        return step

    def _steps(self, state: State, values: Mapping[str, int]) -> Iterator[Step]:
        def asked(choice: Choice, position: int | None) -> tuple[int, ...]:
            return (values[choice.name],) if choice.name in values else ()

        return self._retracing.steps(state, asked)

    def _only(self, state: State, values: Mapping[str, int]) -> Step | None:
        found = list(self._steps(state, values))
        if len(found) > 1:
            raise self._astray(f"the code may go on in {len(found)} ways")
        if not found and values:
            name, value = next(iter(values.items()))
            raise self._astray(f"{value} is no value of `{name}` here")
        return found[0] if found else None

    def _set_input(self, state: State, choice: Choice | Contents) -> Step | None:
        if isinstance(choice, Choice):
            return self._only(state, {choice.name: self._chosen(choice.name)})
        row = self._chosen(choice.name)
        return list(self._steps(state, {}))[row]

    def _call(self, state: State, entry: Entry) -> Step:
        values = {c.name: self._chosen(c.name) for a in entry.arguments if (c := _choice_in(a)) is not None}
        for step in self._steps(state, values):
            event = step.event
            if isinstance(event, Called) and event.entry == entry and _fits(entry, event.arguments, values):
                return step
        raise self._astray(f"`{entry.name}` cannot be called so")

    def _come_back(self, state: State, pause: Outside) -> Step:
        external = self._system.externals[pause.function]
        values: dict[str, int] = {}
        if isinstance(external.result, Choice | Handed):
            values[external.result.name] = self._chosen(external.result.name)
        for write in self._retracing.writes(state, pause):
            values[write.choice.name] = self._chosen(write.choice.name)
        for step in self._steps(state, values):
            event = step.event
            if not isinstance(event, Returned):
                continue
            if isinstance(external.result, Handed):
                argument = external.result.arguments[values[external.result.name]]
                if event.value != (0 if argument is None else pause.arguments[argument]):
                    continue
            rows = ((write.choice, row) for write, row in event.written)
            if all(row == c.rows[values[c.name]] for c, row in rows if isinstance(c, Contents)):
                return step
        raise self._astray(f"`{pause.function}` cannot return so")

    # ---- the script

    def _is_asked(self, state: State) -> bool:
        """Whether the environment is asked now, or something would be seen."""
        match state.pause:
            case Stable() | Starting() | Outside() | Asking():
                return True
            case _:
                step = next(self._retracing.steps(state), None)
                return step is None or step.action != TAU

    def _entry(self) -> Entry:
        done = self._take()
        if not isinstance(done, CallsEntry):
            raise self._astray("the code is done with a call, which the walk is not")
        return self._system.entries[done.entry]

    def _chosen(self, name: str) -> int:
        done = self._take()
        if not isinstance(done, Chooses) or done.name != name:
            raise self._astray(f"the code asks for `{name}`, which the walk does not")
        return done.value

    def _take(self) -> Done | None:
        self._next += 1
        return self._script[self._next - 1] if self._next <= len(self._script) else None

    def _pass(self, entry: Entry) -> None:
        """What was chosen for a call that nobody sees, if the flow asks for it."""
        for argument in entry.arguments:
            choice = _choice_in(argument)
            following = self._script[self._next] if self._next < len(self._script) else None
            if choice is not None and isinstance(following, Chooses) and following.name == choice.name:
                self._next += 1

    def _astray(self, reason: str) -> _Astray:
        return _Astray(len(self._taken), reason)


def _choice_in(argument: Argument) -> Choice | Contents | None:
    """What is chosen for an argument."""
    match argument:
        case Choice():
            return argument
        case Pointed(_, content):
            return content
        case Filled(contents):
            return contents
        case _:
            return None


def _fits(entry: Entry, arguments: Sequence[object], values: Mapping[str, int]) -> bool:
    """Whether a call is made with the rows that were chosen."""
    return all(
        given == values[argument.contents.name]
        for argument, given in zip(entry.arguments, arguments, strict=True)
        if isinstance(argument, Filled)
    )
