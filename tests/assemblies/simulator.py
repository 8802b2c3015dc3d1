"""What a design does, step by step, as `docs/what-a-design-means.md` says it, and all that it can do as a model.

Nothing of the product takes part but the nodes of designs and the models that come out. The code follows the page, at
the expense of speed. What is shown, and under which name:

    instance.^sink(data)     the reaction takes an interaction: a `synch` one begins, or a message is delivered
    instance.$sink(data)     it is completed, also when the event was discarded
    instance.^source(data)   an interaction begins: in one step with `^sink`; `asynch`, when the first message is put
    instance.$source(data)   its end arrives: in one step with `$sink`, or from open surroundings
    error(completion)        `$in` without an interaction
    error(queue)             a queue holds one message too many
    error(overflow), …       what C leaves undefined

What happens in one step stands in one label: `a.^out(1)|b.^in(1)`; who compares shows one side only (`shown`). Without
data there are no parentheses, without an instance there is no `instance.` in front. Data are numbers. Propositions:
`instance.variable`, `instance.reaction.variable`, and `instance.reaction.state`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeVar, assert_never, final

from stateglass.design import START, Passing, WhenFull
from tests.assemblies.arithmetic import UndefinedInC
from tests.assemblies.charts import (
    Call,
    Choose,
    Complete,
    Data,
    Enter,
    Look,
    Phase,
    Put,
    Read,
    Request,
    TooLong,
    Write,
)
from tests.assemblies.systems import LEAST_URGENT, Place, Running, System

T = TypeVar("T")

MOST_ANSWERS: Final = 500


class Event(NamedTuple):
    """What is seen of a step."""

    instance: str
    mark: str  # `^`, `$`, or empty for an error
    pin: str
    data: Data
    is_sink: bool

    def __str__(self) -> str:
        owner = f"{self.instance}." if self.instance else ""
        data = f"({', '.join(map(str, self.data))})" if self.data else ""
        return f"{owner}{self.mark}{self.pin}{data}"


class Sender(NamedTuple):
    """Who waits for the end of an interaction: a thread, and which of its activities."""

    thread: int
    level: int


NOBODY: Final = Sender(-1, -1)
"""Who sent a message, or stands outside."""


class Waiting(NamedTuple):
    """For what an activity waits: the end of an interaction on its pin, from outside or from another reaction."""

    pin: str
    outside: bool


class Activity(NamedTuple):
    """A reaction that is carried out: the move it is at, with the answers to its requests so far."""

    reaction: int
    state: str
    phase: Phase
    event: tuple[str, Data] | None = None  # what is to be handled after this
    answers: tuple[int | Data | None, ...] = ()
    waiting: Waiting | None = None
    has: int | None = None  # the reaction without a thread that it is about to call, and nobody else now


class Condition(NamedTuple):
    """What is kept of a reaction between and during its moves."""

    state: str
    ends: tuple[tuple[str, Data], ...] = ()  # that nobody has looked at, one for each pin, sorted
    under_way: tuple[tuple[str, Sender], ...] = ()  # interactions on sink pins, one for each, sorted


Stack = tuple[Activity, ...]


class State(NamedTuple):
    """Everything that can be different from moment to moment. Thread `n` is that of reaction `n`.

    An unthreaded reaction has one, too: that of the surroundings, if these interact with it.
    """

    values: Data
    reactions: tuple[Condition, ...]
    threads: tuple[Stack, ...]
    queues: tuple[tuple[tuple[str, Data], ...], ...]
    error: str = ""
    computing: frozenset[int] = frozenset()  # threads that are not done yet with what concerns nobody else


Steps = Iterator[tuple[tuple[Event, ...], State]]
Ranked = Iterator[tuple[int | None, tuple[tuple[Event, ...], State]]]
"""Steps with the priorities of the threads that do them; None: it may be done at any time."""


@final
class Simulator:
    """The states of a system and the steps between them; `watched` makes each assignment a step of its own.

    If it is `scheduled`, threads run by fixed priorities, and what a thread computes takes time: that is a step.
    """

    def __init__(self, system: System, *, watched: bool = True, scheduled: bool = False) -> None:
        self._system = system
        self._watched = watched
        self._scheduled = scheduled
        self._requests: dict[Activity, Request | Phase] = {}

    def initial(self) -> State:
        reactions = self._system.reactions
        state = State(
            tuple(initial for _, _, initial in self._system.variables),
            (Condition(START),) * len(reactions),
            tuple(
                (Activity(number, START, Phase.BEGIN),) if running.reaction.threaded else ()
                for number, running in enumerate(reactions)
            ),
            ((),) * len(reactions),
        )
        for thread in range(len(reactions)):
            state = self._settled(state, thread)
        return state

    def steps(self, state: State) -> Steps:
        """All that can happen next."""
        able = [] if state.error else list(self._able(state))
        best = min((rank for rank, _ in able if rank is not None), default=None)
        for rank, step in able:
            if not self._scheduled or rank in (None, best):
                yield step

    def _able(self, state: State) -> Ranked:
        """All that could happen next if nobody were more urgent than others."""
        for thread, stack in enumerate(state.threads):
            rank = self._system.reactions[thread].rank
            if thread in state.computing:
                yield rank, ((), self._at_rest_or_asking(state._replace(computing=state.computing - {thread}), thread))
            elif not stack:
                yield from ((rank, step) for step in self._delivered(state, thread))
                yield from ((None, step) for step in self._begun(state, thread))
            else:
                waiting = stack[-1].waiting
                by = None if waiting is not None and waiting.outside else rank
                yield from ((by, step) for step in self._continue(state, thread))
        for running, queue in zip(self._system.reactions, state.queues, strict=True):
            if len(queue) > running.room:
                yield None, self._failed(state, "queue")

    # What an idle thread can do.

    def _delivered(self, state: State, thread: int) -> Steps:
        """At rest: a message of the queue is delivered."""
        if self._is_busy(state, thread):
            return
        running, queue = self._system.reactions[thread], state.queues[thread]
        if queue and len(queue) <= running.room:
            urgent = min(range(len(queue)), key=lambda i: (running.urgency.get(queue[i][0], LEAST_URGENT), i))
            delivered = self._taken(state, thread, thread, queue[urgent], NOBODY)
            rest = queue[:urgent] + queue[urgent + 1 :]
            yield (
                (self._event(running, "^", *queue[urgent]),),
                delivered._replace(queues=_with(delivered.queues, thread, rest)),
            )

    def _begun(self, state: State, thread: int) -> Steps:
        """At rest: the surroundings begin an interaction."""
        if self._is_busy(state, thread):
            return
        running = self._system.reactions[thread]
        for pin in running.open_sinks:
            for data in self._system.any_data(running.instance, pin, Passing.BEGIN):
                yield (self._event(running, "^", pin, data),), self._taken(state, thread, thread, (pin, data), NOBODY)

    def _is_busy(self, state: State, reaction: int) -> bool:
        return any(reaction in (activity.reaction, activity.has) for stack in state.threads for activity in stack)

    def _taken(self, state: State, thread: int, reaction: int, event: tuple[str, Data], sender: Sender) -> State:
        """A reaction at rest takes an event, carried out by a thread."""
        condition = state.reactions[reaction]
        phase = Phase.BEGIN if condition.state == START else Phase.EVENT
        under_way = {**dict(condition.under_way), event[0]: sender}
        state = _changed(state, reaction, condition._replace(under_way=tuple(sorted(under_way.items()))))
        activity = Activity(reaction, condition.state, phase, event)
        return self._settled(_on(state, thread, (*state.threads[thread], activity)), thread)

    # What a thread that is doing something can do.

    def _continue(self, state: State, thread: int) -> Steps:
        activity = state.threads[thread][-1]
        running = self._system.reactions[activity.reaction]
        if activity.waiting is not None:
            if activity.waiting.outside:
                pin = activity.waiting.pin
                sender = Sender(thread, len(state.threads[thread]) - 1)
                for data in self._system.any_data(running.instance, pin, Passing.END):
                    yield (self._event(running, "$", pin, data),), self._arrived(state, sender, data)
            return
        try:
            request = self._request(activity)
        except UndefinedInC as undefined:
            yield self._failed(state, str(undefined))
            return
        match request:
            case Read(slot):
                yield (), self._answered(state, thread, state.values[slot.number])
            case Write(slot, value):
                changed = state._replace(values=_with(state.values, slot.number, value))
                yield (), self._answered(changed, thread, None)
            case Choose(ways):
                for way in range(ways):
                    yield (), self._answered(state, thread, way)
            case Enter(name):
                condition = state.reactions[activity.reaction]._replace(state=name)
                yield (), self._answered(_changed(state, activity.reaction, condition), thread, None)
            case Call():
                yield from self._call(state, thread, running, request)
            case Put():
                yield from self._put(state, thread, running, request)
            case Complete():
                yield from self._complete(state, thread, running, request)
            case Look() | Phase():
                raise AssertionError(request)  # settled
            case _:
                assert_never(request)

    def _call(self, state: State, thread: int, running: Running, call: Call) -> Steps:
        targets = self._system.targets.get(Place(running.instance, call.pin), ())
        begins = self._event(running, "^", *call)
        if not targets:
            yield (begins,), self._waits(state, thread, Waiting(call.pin, outside=True))
            return
        ((reaction, pin),) = targets
        receiver, stack = self._system.reactions[reaction], state.threads[thread]
        if stack[-1].has is None and self._is_busy(state, reaction):
            return
        if stack[-1].has is None and not receiver.reaction.threaded:
            yield (), _on(state, thread, (*stack[:-1], stack[-1]._replace(has=reaction)))
            return
        sender = Sender(thread, len(stack) - 1)
        waits = self._waits(state, thread, Waiting(call.pin, outside=False))
        who = reaction if receiver.reaction.threaded else thread
        taken = self._event(receiver, "^", pin, call.data)
        data = self._converted(receiver, pin, Passing.BEGIN, call.data)
        yield (begins, taken), self._taken(waits, who, reaction, (pin, data), sender)

    def _put(self, state: State, thread: int, running: Running, put: Put) -> Steps:
        targets = self._system.targets.get(Place(running.instance, put.pin), ())
        shown = (self._event(running, "^", put.pin, put.data),) if put.sink == 0 else ()
        if not targets:
            yield shown, self._answered(state, thread, None)
            return
        reaction, pin = targets[put.sink]
        receiver, queue = self._system.reactions[reaction], state.queues[reaction]
        if len(queue) < receiver.room or (len(queue) == receiver.room and receiver.full is WhenFull.ERROR):
            message = (pin, self._converted(receiver, pin, Passing.BEGIN, put.data))
            put_there = state._replace(queues=_with(state.queues, reaction, (*queue, message)))
            yield shown, self._answered(put_there, thread, None)
        elif receiver.full is WhenFull.DISCARD:
            yield shown, self._answered(state, thread, None)

    def _complete(self, state: State, thread: int, running: Running, done: Complete) -> Steps:
        reaction = state.threads[thread][-1].reaction
        condition = state.reactions[reaction]
        under_way = dict(condition.under_way)
        if done.pin not in under_way:
            yield self._failed(state, "completion")
            return
        sender = under_way.pop(done.pin)
        seen = self._event(running, "$", *done)
        state = _changed(state, reaction, condition._replace(under_way=tuple(sorted(under_way.items()))))
        if sender == NOBODY:
            yield (seen,), self._answered(state, thread, None)
            return
        caller = state.threads[sender.thread][sender.level]
        assert caller.waiting is not None
        source = self._system.reactions[caller.reaction]
        data = self._converted(source, caller.waiting.pin, Passing.END, done.data)
        state = self._arrived(state, sender, data)
        yield (seen, self._event(source, "$", caller.waiting.pin, data)), self._answered(state, thread, None)

    # How states change.

    def _arrived(self, state: State, sender: Sender, data: Data) -> State:
        """The end of an interaction is there for whoever waits for it."""
        stack = state.threads[sender.thread]
        caller = stack[sender.level]
        assert caller.waiting is not None
        condition = state.reactions[caller.reaction]
        ends = {**dict(condition.ends), caller.waiting.pin: data}
        state = _changed(state, caller.reaction, condition._replace(ends=tuple(sorted(ends.items()))))
        goes_on = caller._replace(waiting=None, answers=(*caller.answers, None))
        return self._settled(_on(state, sender.thread, _with(stack, sender.level, goes_on)), sender.thread)

    def _waits(self, state: State, thread: int, waiting: Waiting) -> State:
        stack = state.threads[thread]
        return _on(state, thread, (*stack[:-1], stack[-1]._replace(waiting=waiting, has=None)))

    def _answered(self, state: State, thread: int, answer: int | Data | None) -> State:
        """The request of a thread is answered, and it goes on to where it asks for something that others may notice."""
        return self._settled(_with_answer(state, thread, answer), thread)

    def _settled(self, state: State, thread: int) -> State:
        """A thread has something to compute, which takes no time if nobody is scheduled."""
        if self._scheduled:
            return state._replace(computing=state.computing | {thread})
        return self._at_rest_or_asking(state, thread)

    def _at_rest_or_asking(self, state: State, thread: int) -> State:
        """Whatever concerns nobody else is done at once: reading one's own variables, coming to rest."""
        while stack := state.threads[thread]:
            activity = stack[-1]
            if activity.waiting is not None:
                return state
            try:
                request = self._request(activity)
            except UndefinedInC:
                return state
            condition = state.reactions[activity.reaction]
            match request:
                case Phase.REST if activity.event is not None and activity.phase is not Phase.EVENT:
                    handles = activity._replace(state=condition.state, phase=Phase.EVENT, answers=())
                    state = _on(state, thread, (*stack[:-1], handles))
                case Phase.REST:
                    return self._left(state, thread)
                case Phase():
                    handled = None if activity.phase is Phase.EVENT else activity.event
                    looks = Activity(activity.reaction, condition.state, request, handled)
                    state = _on(state, thread, (*stack[:-1], looks))
                case Look(pin):
                    ends = dict(condition.ends)
                    data = ends.pop(pin, None)
                    state = _changed(state, activity.reaction, condition._replace(ends=tuple(sorted(ends.items()))))
                    state = _with_answer(state, thread, data)
                case Read(slot) if not slot.shared:
                    state = _with_answer(state, thread, state.values[slot.number])
                case Write(slot, value) if not (slot.shared or self._watched):
                    state = state._replace(values=_with(state.values, slot.number, value))
                    state = _with_answer(state, thread, None)
                case Choose(1):
                    state = _with_answer(state, thread, 0)
                case _:
                    return state
        return state

    def _left(self, state: State, thread: int) -> State:
        """A reaction is at rest: who called it goes on, unless an end is missing that cannot come any more."""
        reaction = state.threads[thread][-1].reaction
        if not self._system.reactions[reaction].reaction.threaded:
            state = _changed(state, reaction, state.reactions[reaction]._replace(under_way=()))
        return self._at_rest_or_asking(_on(state, thread, state.threads[thread][:-1]), thread)

    def _request(self, activity: Activity) -> Request | Phase:
        """What a move asks for after the answers it has had; the phase that it leads to if it is over."""
        known = self._requests.get(activity)
        if known is None:
            if len(activity.answers) > MOST_ANSWERS:
                raise TooLong
            move = self._system.reactions[activity.reaction].chart.move(activity.state, activity.phase, activity.event)
            try:
                known = next(move)
                for answer in activity.answers:
                    known = move.send(answer)
            except StopIteration as over:
                known = over.value
            assert known is not None
            self._requests[activity] = known
        return known

    def _failed(self, state: State, kind: str) -> tuple[tuple[Event, ...], State]:
        return (Event("", "", f"error({kind})", (), is_sink=True),), state._replace(error=kind)

    def _converted(self, running: Running, pin: str, passing: Passing, data: Data) -> Data:
        """Data as the pin at the other end has it."""
        kinds = [running.chart.kinds[one.type.name] for one in running.pin(pin).passed(passing)]
        return tuple(kind.converted(value) for kind, value in zip(kinds, data, strict=True))

    def _event(self, running: Running, mark: str, pin: str, data: Data) -> Event:
        return Event(running.instance, mark, pin, data, running.pin(pin).is_sink)


def _with_answer(state: State, thread: int, answer: int | Data | None) -> State:
    stack = state.threads[thread]
    return _on(state, thread, (*stack[:-1], stack[-1]._replace(answers=(*stack[-1].answers, answer))))


def _on(state: State, thread: int, stack: Stack) -> State:
    return state._replace(threads=_with(state.threads, thread, stack))


def _changed(state: State, reaction: int, condition: Condition) -> State:
    return state._replace(reactions=_with(state.reactions, reaction, condition))


def _with(row: tuple[T, ...], number: int, new: T) -> tuple[T, ...]:
    return (*row[:number], new, *row[number + 1 :])
