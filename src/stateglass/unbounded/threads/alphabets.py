"""What events a thread knows: it takes part in each of them, whether it ever does it or not.

They come from its code: each call of an event function is the events that its arguments can make it, and where these
may be many, all events of that name are meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.explore import Manner
from stateglass.explore.stepwise import prepare
from stateglass.explore.stretches import Flow, NoFlow, Phase, Seen, Shown, Stretch, flow_of
from stateglass.model import Action, Verb, parsed
from stateglass.program import Bool, Call, Constant, Enum, Int, Scalar, Type, is_scalar, representation
from stateglass.program.callgraph import reachable, statements_of
from stateglass.smt import Operator, Term
from stateglass.system import Choice, System
from stateglass.system.threads import Threads
from stateglass.unbounded.threads.answering import events_of
from stateglass.unbounded.threads.rows import argument_rows
from stateglass.work import Progress, silent


@final
@dataclass(frozen=True, slots=True)
class Alphabet:
    """Events by their labels, and names of which every event is meant."""

    labels: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def has(self, label: str) -> bool:
        return label in self.labels or (bool(self.names) and parsed(label).name in self.names)

    def joined(self, labels: frozenset[str]) -> Alphabet:
        return Alphabet(self.labels | labels, self.names)


@final
class Wording:
    """Writes values as labels have them."""

    def __init__(self, system: System) -> None:
        self._system = system
        _, self._environment = prepare(system, Manner())

    def event(self, shown: Shown) -> str | None:
        """The label of a call that is an event; None if it is not the same in all runs."""
        texts = [self.value(term, type) for term, type in shown.arguments]
        if any(text is None for text in texts):
            return None
        return event_label(shown.name, tuple(text for text in texts if text is not None))

    def row_label(self, shown: Shown, row: Sequence[int]) -> str:
        """The label of a call with these numbers as its arguments."""
        texts = [self.text(number, type) for (_, type), number in zip(shown.arguments, row, strict=True)]
        return event_label(shown.name, tuple(texts))

    def bits_label(self, shown: Shown, row: Sequence[int]) -> str:
        """The same with these bits."""
        texts = [self._bits_text(bits, type) for (_, type), bits in zip(shown.arguments, row, strict=True)]
        return event_label(shown.name, tuple(texts))

    def written(self, call: Call) -> str | None:
        """The label of a call as it stands in the code; None if it is not the same in all runs."""
        constants = [argument for argument in call.arguments if isinstance(argument, Constant)]
        if len(constants) < len(call.arguments):
            return None
        return event_label(str(call.callee), tuple(self.text(c.value, c.type) for c in constants))

    def label(self, shown: Shown, numbers: Sequence[int]) -> str:
        """The action of a stretch with these bits as its values, as a model of the code has it."""
        texts = [self._bits_text(bits, type) for (_, type), bits in zip(shown.arguments, numbers, strict=True)]
        if shown.verb is Verb.EXIT:
            return str(Action(Verb.EXIT, texts[0] if texts else "0"))
        return str(Action(shown.verb, shown.name, tuple(texts)))

    def result(self, function: str, text: str) -> int | None:
        """The number that a function returns if it returns this text; None if it does not."""
        choice = self._choice(function)
        return next((v for v in self.results(function) if self.text(v, choice.type) == text), None) if choice else None

    def results(self, function: str) -> tuple[int, ...]:
        """The values that a function may return."""
        choice = self._choice(function)
        return () if choice is None else choice.values

    def _choice(self, function: str) -> Choice | None:
        external = self._system.externals.get(function)
        choice = None if external is None else external.result
        return choice if isinstance(choice, Choice) else None

    def row(self, label: str) -> tuple[int, ...] | None:
        """The arguments of an event as numbers; None if they are none."""
        action = parsed(label)
        declared = self._system.program.declarations.get(action.name)
        if declared is None or len(declared.parameters) != len(action.arguments):
            return None
        numbers = [self.number(t, p.type) for t, p in zip(action.arguments, declared.parameters, strict=True)]
        return None if any(n is None for n in numbers) else tuple(n for n in numbers if n is not None)

    def takes_numbers(self, event: str) -> bool:
        """Whether an event has nothing but whole numbers as arguments, by which its calls can be told apart."""
        declared = self._system.program.declarations.get(event)
        return declared is None or all(isinstance(p.type, Int | Bool | Enum) for p in declared.parameters)

    def number(self, text: str, type: Type) -> int | None:
        """The number that a text stands for; None if it stands for none."""
        if isinstance(type, Enum):
            members = dict(self._system.program.enums[type.name].members)
            if text in members:
                return members[text]
        if text in ("true", "false"):
            return int(text == "true")
        number = int(text) if text.lstrip("-").isdecimal() else None
        return number if number is not None and is_scalar(type) and _holds(type, number) else None

    def text(self, number: int, type: Type) -> str:
        return self._environment.texts.value(number, type)

    def _bits_text(self, bits: int, type: Type) -> str:
        return self.text(number_of(bits, type) if is_scalar(type) else bits, type)

    def value(self, term: Term, type: Type) -> str | None:
        """The text of a constant; None if it is none."""
        if term.operator is not Operator.VALUE or not is_scalar(type):
            return None
        return self.text(number_of(term.extra, type), type)


def number_of(bits: int, type: Scalar) -> int:
    """The number that bits stand for."""
    whole = representation(type)
    return bits - (1 << whole.bits) if whole.signed and bits >> (whole.bits - 1) else bits


def _holds(type: Scalar, number: int) -> bool:
    """Whether a type has a number: another one would be one of its own as bits."""
    whole = representation(type)
    return whole.low <= number <= whole.high


def event_label(name: str, arguments: tuple[str, ...]) -> str:
    """`take(2)`, and `take` without arguments."""
    return str(Action(None, name, arguments))


def is_call(label: str, system: System) -> bool:
    """Whether the function of an event can be called so: with as many arguments, and numbers that its types hold."""
    action = parsed(label)
    declared = system.program.declarations.get(action.name)
    if declared is None:
        return True
    types = [parameter.type for parameter in declared.parameters]
    if len(action.arguments) < len(types) or (len(action.arguments) > len(types) and not declared.variadic):
        return False
    return all(
        not is_scalar(type) or not text.lstrip("-").isdecimal() or _holds(type, int(text))
        for text, type in zip(action.arguments, types, strict=False)
    )


def alphabet_of(system: System, threads: Threads, progress: Progress = silent) -> Alphabet | None:
    """The events in the code of a thread; None if it has code of which nothing is known for all runs at once."""
    answered = answered_in(system, threads)
    events = frozenset(threads.events) & _externals(system)
    if not events:
        return Alphabet(answered)
    try:
        flow = flow_of(system, Seen(events=True), progress)
    except NoFlow:
        return None
    if flow.of_phase(Phase.LOST):
        return None
    return alphabet_in(system, flow, events, Wording(system), threads.whole, progress).joined(answered)


def answered_in(system: System, threads: Threads) -> frozenset[str]:
    """The events of processes that answer calls in the code of a thread, whether it ever comes to these or not."""
    processes = [process for name, process in threads.answers.items() if name in _externals(system)]
    return frozenset(label for process in processes for label in events_of(process))


def _externals(system: System) -> frozenset[str]:
    return frozenset(reachable(system.program, [entry.function for entry in system.entries]).externals)


def alphabet_in(
    system: System,
    flow: Flow,
    events: frozenset[str],
    wording: Wording,
    whole: frozenset[str] = frozenset(),
    progress: Progress = silent,
) -> Alphabet:
    """The events of the code of a thread, by a flow that shows them and nothing that only a claim asks for.

    The flow has no calls that are never reached: they are known as they stand in the code. Of those that are to be
    known as a `whole`, all are meant.
    """
    reached = {(rest.what, rest.span) for rest in flow.of_phase(Phase.CALLING)}
    labels: dict[str, None] = {}
    names = {str(call.callee): None for call in _calls(system, events & whole) if call.arguments}
    for call in _calls(system, events - whole):
        if (call.callee, call.span) not in reached:
            label = wording.written(call)
            (names if label is None else labels)[str(call.callee) if label is None else label] = None
    different: dict[str, list[Stretch]] = {}  # calls whose arguments are not always the same
    for stretch in flow.stretches:
        shown = stretch.action
        if shown is not None and shown.verb is Verb.CALL and shown.name in events - whole:
            label = wording.event(shown)
            if label is None:
                different.setdefault(shown.name, []).append(stretch)
            else:
                labels[label] = None
    for name, calls in different.items():
        found = None if name in names else _labels_of(flow, calls, wording, progress)
        if found is None:
            names[name] = None
        else:
            labels |= dict.fromkeys(found)
    return Alphabet(frozenset(labels), frozenset(names))


def events_in(flow: Flow, threads: Threads, wording: Wording) -> Iterator[str]:
    """The events of a flow that are the same in all runs."""
    for stretch in flow.stretches:
        shown = stretch.action
        if shown is not None and shown.verb is Verb.CALL and shown.name in threads.events:
            label = wording.event(shown)
            if label is not None:
                yield label


def _labels_of(flow: Flow, calls: Sequence[Stretch], wording: Wording, progress: Progress) -> list[str] | None:
    """The events that calls of one function can be; None if there may be many."""
    shown = [call.action for call in calls if call.action is not None]
    if not all(is_scalar(type) for action in shown for _, type in action.arguments):
        return None
    rows = argument_rows(flow, calls, progress)
    return None if rows is None else [wording.bits_label(shown[0], row) for row in rows]


def _calls(system: System, events: frozenset[str]) -> Iterator[Call]:
    """The calls of events that stand in the code."""
    program = system.program
    for name in reachable(program, [entry.function for entry in system.entries]).functions:
        for statement in statements_of(program.functions[name].blocks):
            if isinstance(statement, Call) and statement.callee in events:
                yield statement
