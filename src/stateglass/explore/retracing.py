"""Follows a given run again, step by step, on the reference semantics.

The run is what an answer shows: actions and the values after each. Whoever asks says when an action and when values
fit, so that a run over abstract values can be looked for among exact ones. A search with a way back: the same action
may lead to several states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore.around.environment import Environment
from stateglass.explore.around.offering import Asked, shown_in
from stateglass.explore.coverage import lines_before, note_anew
from stateglass.explore.following import Following, Step
from stateglass.explore.machine import Machine
from stateglass.explore.manner import Manner
from stateglass.explore.pauses import Ended, Outside, Pause, Stable, Stuck
from stateglass.explore.preparing import prepare
from stateglass.explore.shown.valuations import propositions
from stateglass.explore.states import Snapshot
from stateglass.model import TAU, Model, ModelBuilder, Origin, Relation
from stateglass.system import Choice, System, Write, leaves_out
from stateglass.work import OutOfTime, time_limit

MOST_TRIED: Final = 20_000
"""So many steps are tried before the search is given up, or a few for each that is wanted if those are more."""
MOST_ROUNDS: Final = 300
"""So often what is repeated for ever is followed, unless it is where it was before: a byte that counts comes round."""
MOST_REMEMBERED: Final = 1000


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """A run to be followed: its actions, the values after each, and where it begins to repeat itself."""

    steps: tuple[tuple[str, Mapping[str, str]], ...]
    initial: Mapping[str, str]
    loop_start: int | None = None
    ends: bool = False  # nothing can happen after the last step


@final
@dataclass(frozen=True, slots=True)
class Fitting:
    """When something that happens is what was wanted; the first text or valuation is the wanted one."""

    action: Callable[[str, str], bool]
    values: Callable[[Mapping[str, str], Mapping[str, str]], bool]
    between: bool = False  # silent steps may happen anywhere in between; of wanted ones only new values matter


@final
@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was taken: from where, what rested there, and where to."""

    source: Snapshot
    step: Step

    @property
    def pause(self) -> Pause:
        return self.source.pause


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A run of the reference semantics, and the number of the first step that is repeated for ever."""

    first: Snapshot
    taken: tuple[Taken, ...]
    loop_start: int | None = None

    @property
    def states(self) -> list[Snapshot]:
        """Those that it goes through, in their order."""
        return [self.first, *(taken.step.state for taken in self.taken)]

    def numbers(self) -> dict[Snapshot, int]:
        """Its states, numbered in the order in which they are met."""
        return {state: number for number, state in enumerate(dict.fromkeys(self.states))}


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no such run, or why it was not found: how many steps could be followed, and which one could not."""

    followed: int
    reason: str
    step: int | None = None  # its number among the wanted ones, from 0
    is_sure: bool = True  # everything was tried: there is none


EXACTLY: Final = Fitting(lambda wanted, found: wanted == found, lambda wanted, found: wanted.items() <= found.items())


@final
class Retracing:
    """A machine for runs of one system; its time counts from when it was made."""

    def __init__(self, system: System, manner: Manner, *, noting: bool = False) -> None:
        """`noting`: which lines are executed can be asked for."""
        out_of_time = time_limit(manner.late())
        self.machine: Machine
        self.environment: Environment
        self.machine, self.environment = prepare(system, manner)
        self.machine.interrupt = out_of_time
        self.machine.ran = set() if noting else None
        self._out_of_time = out_of_time
        self._system = system
        self._compress = manner.compress
        self._enums = system.program.enums
        self._is_exact = system.abstractions is None
        self._has_texts = self._is_exact and system.labels is None
        if self._is_exact:
            self.environment.offers.asked = _for_none
        self._following = Following(system, self.machine, self.environment, out_of_time)
        self._values: dict[Snapshot, dict[str, str]] = {}
        self._first: Snapshot | None = None

    @property
    def first(self) -> Snapshot:
        """The initial state; the code that leads to it is run when somebody asks."""
        if self._first is None:
            self._first = self._standing_for(self.environment.first_state())
        return self._first

    def look_at_the_clock(self) -> None:
        if self._out_of_time():
            raise OutOfTime

    def values(self, state: Snapshot) -> dict[str, str]:
        """The values of a state by name."""
        known = self._values.get(state)
        if known is None:
            columns, _ = propositions(self.machine, self.environment.texts, [state])
            if len(self._values) >= MOST_REMEMBERED:
                self._values.clear()
            known = self._values[state] = {p.name: p.text(0) for p in columns}
        return known

    def writes(self, state: Snapshot, pause: Outside) -> list[Write]:
        """The values that a function without a body writes before it returns to a state, in their order."""
        self.machine.restore(state)
        return self.environment.writes(pause)

    @property
    def leaves_out(self) -> bool:
        """Whether a run may not count though it could be followed."""
        return leaves_out(self._system)

    def steps(self, state: Snapshot, asked: Asked | None = None) -> Iterator[Step]:
        """All that may follow; where anything may be chosen, with the values that are asked for, or with some value."""
        following = self._following.steps(state) if asked is None else self._steps_asked_for(state, asked)
        for step in following:
            yield replace(step, state=self._standing_for(step.state))

    def steps_like(self, state: Snapshot, action: str) -> Iterator[Step]:
        """All that may follow; what can be chosen has the values that an action has, as far as its text tells."""
        return self.steps(state, shown_in(action, self._enums) if self._has_texts else None)

    def _steps_asked_for(self, state: Snapshot, asked: Asked) -> list[Step]:
        """All at once: what is asked for in one state is not meant for others."""
        offers = self.environment.offers
        offers.asked = asked
        try:
            return list(self._following.steps(state))
        finally:
            offers.asked = _for_none

    def lines(self, taken: Taken) -> tuple[tuple[str, int], ...]:
        """The files and lines of the user's code that a step executes, sorted; of silent states passed over, none."""
        machine, environment, ran = self.machine, self.environment, self.machine.ran
        assert ran is not None and self._is_exact
        if self._has_texts:
            environment.offers.asked = shown_in(taken.step.action, self._enums)
        try:
            machine.restore(taken.source)
            for move in list(environment.moves(taken.pause)):
                if move.action != taken.step.action:
                    continue
                machine.restore(taken.source)
                note_anew(ran)
                pause = environment.ended(move.make())
                lines = {line for segment in ran for line in lines_before(segment, pause)}
                if self._standing_for(machine.snapshot(pause)) == taken.step.state:
                    return tuple(sorted(lines))
        finally:
            environment.offers.asked = _for_none
        return ()

    def follow(self, wanted: Wanted, fitting: Fitting = EXACTLY) -> Run | Failure:
        """A run as it is wanted; or how far the longest one went."""
        try:
            self._first = self._beginning(wanted.initial)
            if not fitting.values(wanted.initial, self.values(self.first)):
                return Failure(0, "it starts with other values", is_sure=not isinstance(self.first.pause, Stuck))
            return _Search(self, wanted, fitting).run()
        except OutOfTime:
            return Failure(0, "there was not enough time", is_sure=False)

    def _beginning(self, initial: Mapping[str, str]) -> Snapshot:
        """The first state of a run that begins with these values, as far as they are chosen once."""
        state = self.first
        while isinstance(state.pause, Stable) and state.pause.chosen < 0:
            one = self._system.input_at(state.pause.chosen)
            assert one is not None
            text = initial.get(one.choice.name, "?")
            step = next(iter(self.steps_like(state, f"store({one.shown}, {text})")), None)
            if step is None:
                break
            state = step.state
        return state

    def model(self, run: Run) -> Model:
        """The run alone as a model: apart from where it ends, its states may do more than is known."""
        numbers = run.numbers()
        builder = ModelBuilder()
        for taken in run.taken:
            builder.add(numbers[taken.source], taken.step.action, numbers[taken.step.state], taken.step.span)
        states = list(numbers)
        last = run.taken[-1].step.state if run.taken else run.first
        is_end = isinstance(last.pause, Ended)
        over = self.is_over(last)
        columns, _ = propositions(self.machine, self.environment.texts, states)
        spans = [builder.span(self.environment.span(s.pause)) for s in states]
        return builder.build(
            len(states),
            propositions=columns,
            terminal=[numbers[last]] if is_end else [],
            unexplored=[n for s, n in numbers.items() if s != last or not over],
            state_spans=spans,
            origin=Origin(Relation.UNDER, partial=("this is a single run",)),
        )

    def is_over(self, state: Snapshot) -> bool:
        """Whether nothing follows a state for sure."""
        if isinstance(state.pause, Stuck):
            return False
        offers = self.environment.offers
        offers.guessed = False
        try:
            # Where one value stands for all, nothing may follow it and something the others.
            is_last = not any(True for _ in self.steps(state))
            return is_last and not offers.guessed and state not in self._following.dropped
        except OutOfTime:
            return False

    def _standing_for(self, state: Snapshot) -> Snapshot:
        return self._following.stand_in(state) if self._compress else state


def _for_none(choice: Choice, position: int | None) -> None:
    """Asks for no values."""


def _that_matter(wanted: Wanted) -> list[int]:
    """The numbers of the steps that are more than silent steps without new values."""
    before, found = wanted.initial, list[int]()
    for number, (action, values) in enumerate(wanted.steps):
        if action != TAU or values != before:
            found.append(number)
        before = values
    return found


@final
@dataclass(frozen=True, slots=True)
class _Node:
    """How many wanted steps were followed, whether the values after the last one were seen, and where that is."""

    followed: int
    settled: bool
    state: Snapshot


@final
class _Search:
    """Depth first, with the steps to the current node at hand."""

    def __init__(self, retracing: Retracing, wanted: Wanted, fitting: Fitting) -> None:
        self._retracing = retracing
        self._fitting = fitting
        seen = _that_matter(wanted) if fitting.between else list(range(len(wanted.steps)))
        self._steps: Sequence[tuple[str, Mapping[str, str]]] = [wanted.steps[n] for n in seen]
        self._numbers: Sequence[int] = seen
        self._loop = None if wanted.loop_start is None else sum(n < wanted.loop_start for n in seen)
        self._ends = wanted.ends
        self._furthest = 0
        self._tried = 0
        self._other_values: set[int] = set()  # steps that could be taken, to other values than the wanted ones
        self._unknown = ""  # why it is not known what follows somewhere

    def run(self) -> Run | Failure:
        first = self._further(_Node(0, True, self._retracing.first))
        nodes, taken = [first], list[Taken]()
        ways = [self._ways(first)]
        seen = {first}
        while ways:
            loop_start = self._repeats(nodes)
            if loop_start is not None or self._is_over(nodes[-1]):
                return Run(first.state, tuple(taken), loop_start)
            following = next(ways[-1], None)
            if following is None:
                ways.pop()
                nodes.pop()
                if taken:
                    taken.pop()
                continue
            self._tried += 1
            if self._tried > max(MOST_TRIED, 4 * len(self._steps)):
                return Failure(self._furthest, f"{self._tried - 1:,} steps were tried", is_sure=False)
            node, step = following
            if (node in seen and not self._closes(node, nodes)) or self._is_too_far(node):
                continue
            seen.add(node)
            self._furthest = max(self._furthest, node.followed if node.settled else node.followed - 1)
            taken.append(Taken(nodes[-1].state, step))
            nodes.append(node)
            ways.append(self._ways(node))
        return self._failure()

    def _failure(self) -> Failure:
        wanted = self._at(self._furthest)
        if self._unknown:
            return Failure(self._furthest, self._unknown, is_sure=False)
        if wanted is None:
            return Failure(self._furthest, "it does not end there")
        reason = "leads to other values" if self._furthest in self._other_values else "cannot follow"
        return Failure(self._furthest, f"`{wanted[0]}` {reason}", self._numbers[self._place(self._furthest)])

    def _ways(self, node: _Node) -> Iterator[tuple[_Node, Step]]:
        fitting, wanted = self._fitting, self._at(node.followed)
        # All at once: the machine goes elsewhere before the next one is asked for.
        for step in list(self._retracing.steps_like(node.state, self._next_shown(node.followed))):
            if wanted is not None and node.settled and fitting.action(wanted[0], step.action):
                settled = self._passes(node.followed) or self._fits(node.followed, step.state)
                self._note(step, node.followed, settled)
                if settled or fitting.between:
                    yield self._further(_Node(node.followed + 1, settled, step.state)), step
            if fitting.between and step.action == TAU:
                settled = node.settled or self._fits(node.followed - 1, step.state)
                self._note(step, node.followed, settled=True)
                yield self._further(_Node(node.followed, settled, step.state)), step

    def _next_shown(self, number: int) -> str:
        """The next action that is not silent."""
        for following in range(number, number + len(self._steps)):
            wanted = self._at(following)
            if wanted is None or wanted[0] != TAU:
                return TAU if wanted is None else wanted[0]
        return TAU

    def _further(self, node: _Node) -> _Node:
        """The node with the wanted silent changes behind it whose values the state has already."""
        followed = node.followed
        while self._is_silent(followed) and node.settled and self._fits(followed, node.state):
            followed += 1
            if followed - node.followed > len(self._steps):  # all that is repeated is silent
                break
        return _Node(followed, node.settled, node.state)

    def _is_silent(self, number: int) -> bool:
        wanted = self._at(number)
        return self._fitting.between and wanted is not None and wanted[0] == TAU

    def _passes(self, number: int) -> bool:
        """Whether the values after an action need not be seen: a silent change is wanted next, and the code may make it
        in the same step."""
        return not self._is_silent(number) and self._is_silent(number + 1)

    def _note(self, step: Step, number: int, settled: bool) -> None:
        """Remembers what a failure is explained by."""
        if not settled:
            self._other_values.add(number)
        if isinstance(step.state.pause, Stuck):
            self._unknown = self._unknown or str(step.state.pause)

    def _fits(self, number: int, state: Snapshot) -> bool:
        wanted = self._at(number)
        return wanted is None or self._fitting.values(wanted[1], self._retracing.values(state))

    def _at(self, number: int) -> tuple[str, Mapping[str, str]] | None:
        """The step with this number, when those of the loop are repeated as often as need be."""
        known = number < len(self._steps) or (self._loop is not None and self._loop < len(self._steps))
        return self._steps[self._place(number)] if known and number >= 0 else None

    def _place(self, number: int) -> int:
        if number < len(self._steps) or self._loop is None:
            return number
        return self._loop + (number - self._loop) % (len(self._steps) - self._loop)

    def _is_over(self, node: _Node) -> bool:
        if self._loop is not None or node.followed < len(self._steps) or not node.settled:
            return False
        return not self._ends or self._retracing.is_over(node.state)

    def _closes(self, node: _Node, nodes: Sequence[_Node]) -> bool:
        """Whether a step back to a node on the way ends a silent loop."""
        return self._loop is not None and self._loop >= len(self._steps) and node in nodes

    def _is_too_far(self, node: _Node) -> bool:
        """Whether the loop was gone so often that nobody knows whether the run repeats itself."""
        length = len(self._steps)
        if self._loop is None or node.followed <= length + MOST_ROUNDS * (length - self._loop):
            return False
        self._unknown = self._unknown or f"it is not where it was before in {MOST_ROUNDS} rounds"
        return True

    def _repeats(self, nodes: Sequence[_Node]) -> int | None:
        """The number of the node from which on the run repeats itself, at least one round ago; None if it does not yet.

        It does when the code is in the same state at the same step of the loop. A loop without steps that matter is
        repeated when a node comes back.
        """
        last, length = nodes[-1], len(self._steps)
        if self._loop is None or last.followed < length or not last.settled:
            return None
        period = length - self._loop
        for number, node in enumerate(nodes[:-1]):
            same = node.followed == last.followed if not period else (last.followed - node.followed) % period == 0
            further = not period or last.followed > node.followed >= self._loop
            if same and further and node.settled and node.state == last.state and node.followed >= self._loop:
                return number
        return None
