"""Actions of a reaction as C: assignments, and interactions that begin and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never, final

from stateglass.assemblies.interpretation.charts import Chart
from stateglass.assemblies.interpretation.context import Context
from stateglass.assemblies.interpretation.expressions import expression_text
from stateglass.assemblies.interpretation.lines import Writer
from stateglass.assemblies.interpretation.naming import Names
from stateglass.assemblies.interpretation.planning import OUTSIDE, Carrier, Copy, Sender, Tracking
from stateglass.assemblies.interpretation.values import Coding, Values, is_range
from stateglass.assemblies.interpretation.wiring import Place, Role
from stateglass.assemblies.types import converted
from stateglass.design import (
    Assign,
    Begin,
    Block,
    End,
    Expression,
    If,
    Interaction,
    Name,
    Parameter,
    Passing,
    Repeat,
    Statement,
)
from stateglass.source import Span

Known = Mapping[str, str]
"""What names mean that exist in one transition only."""


@final
class Acting:
    """Writes the actions of one reaction as one thread carries them out."""

    def __init__(self, context: Context, carrier: Carrier, role: Role, within: frozenset[Role], writer: Writer) -> None:
        self.context = context
        self.carrier = carrier
        self.role = role
        self.writer = writer
        self.locals: dict[str, str] = {}  # declarations by name
        self._within = within
        self._names = Names(context.draft.names)
        self._plan = context.plan
        self._wiring = context.plan.wiring
        self._known_locals: dict[tuple[str, ...], str] = {}

    @property
    def chart(self) -> Chart:
        return self._plan.charts[self.role]

    def local(self, *parts: str, start: int | None = None) -> str:
        """A variable of the function; asked for again, it is the same."""
        if parts not in self._known_locals:
            name = self._names.new(*parts)
            self._known_locals[parts] = name
            self.locals[name] = f"int {name};" if start is None else f"int {name} = {start};"
        return self._known_locals[parts]

    # ---- statements

    def do(self, statement: Statement, known: Known) -> None:
        match statement:
            case Assign(target, value, span):
                self.writer.add(f"{self.name(target, known)} = {self.text(value, known)};", span)
            case Begin(pin, arguments, span):
                self._begin(Place(self.role.unit, pin), arguments, known, span)
            case End(pin, arguments, span):
                self.complete(Place(self.role.unit, pin), arguments, known, span)
            case If(condition, then, otherwise, span):
                with self.writer.block(f"if ({self.text(condition, known)})", span):
                    self.do(then, known)
                if otherwise.statements:
                    with self.writer.block("else", span):
                        self.do(otherwise, known)
            case Repeat(condition, body, span):
                with self.writer.block(f"while ({self.text(condition, known)})", span):
                    self.do(body, known)
            case Block(statements):
                for one in statements:
                    self.do(one, known)
            case other:
                assert_never(other)

    def text(self, expression: Expression, known: Known) -> str:
        return expression_text(expression, lambda name: self.name(name, known))

    def name(self, name: Name, known: Known) -> str:
        if not name.owner and name.name in known:
            return known[name.name]
        variable = self.context.variable(self.role, name)
        return str(self.context.constant(self.role, name)) if variable is None else variable.name

    # ---- data

    def _data(
        self,
        parameters: Sequence[Parameter],
        arguments: Sequence[Expression],
        known: Known,
        values: Sequence[Values] | None,
        span: Span,
    ) -> list[str]:
        """Arguments as they are passed; what comes after a value that the other end does not know is not known."""
        texts = []
        for at, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
            type = self.context.c_type(parameter.type.name)
            allowed = None if values is None else values[at]
            text = self.text(argument, known)
            number = int(text) if text.lstrip("-").isdecimal() else None
            fits = number is not None and converted(number, parameter.type.name) == number
            if fits and (allowed is None or number in allowed):
                texts.append(text)
                continue
            text = f"({type})({text})"
            if allowed is None or (allowed == (0, 1) and type == "_Bool"):
                texts.append(text)
                continue
            sent = self.local("sent", parameter.name)
            self.writer.add(f"{sent} = {text};", span)
            with self.writer.block(f"if (!({_within(sent, allowed)}))", span):
                beyond = self.context.events.beyond(self.carrier, parameter.name).name
                self.writer.add(f"{self.context.draft.doing(beyond)}();", span)
                self.writer.add(f"{self.context.draft.never()}();", span)
            texts.append(sent)
        return texts

    def _read_once(self, texts: Sequence[str], name: str, span: Span) -> list[str]:
        """What is passed, for those who use it several times: others may change what it is made of in between."""
        if all(text.lstrip("-").isdecimal() for text in texts):
            return list(texts)
        kept = [self.local(name, str(at)) for at in range(len(texts))]
        for one, text in zip(kept, texts, strict=True):
            self.writer.add(f"{one} = {text};", span)
        return kept

    # ---- interactions that end

    def complete(self, sink: Place, arguments: Sequence[Expression], known: Known, span: Span) -> None:
        """`$in(…)`, or the end of an event that is discarded."""
        parameters = self._wiring.pin(sink).passed(Passing.END)
        senders = self._plan.senders(sink)
        if not senders:
            # A compiler would drop what follows `assert(0)`, and with it the events that the thread has to know.
            nothing = self.local("under_way", sink.pin, start=0)
            self.writer.add(f"assert({nothing});", span, sink.pin)
            return
        if self._wiring.pin(sink).interaction is Interaction.ASYNCH:
            self._check_under_way(sink, span)
            self._do_event(
                self.context.events.completed(sink).name, self._data(parameters, arguments, known, None, span), span
            )
            return
        # At rest, nothing is under way in an unthreaded reaction: whoever carries it out completes its own.
        own = list(senders) if self.is_threaded else [s for s in senders if self._is_own(s)]
        values = None if all(self._is_own(s) or s.carrier is None for s in own) else self._ends_at(sink)
        texts = self._data(parameters, arguments, known, values, span)
        if self._plan.tracking(sink) is not Tracking.WHOSE:
            self._check_under_way(sink, span)
            self._complete_one_of(sink, own, "caller", texts, span)
            return
        whose = self.tracked(sink)
        self.writer.add(f"assert({whose} != 0);", span, sink.pin)
        self._complete_one_of(sink, own, whose, texts, span)
        self.writer.add(f"{whose} = 0;", span)

    def _complete_one_of(self, sink: Place, senders: list[Sender], whose: str, texts: list[str], span: Span) -> None:
        if len(senders) <= 1:
            for sender in senders:
                self._complete_for(sink, sender, texts, span)
            return
        with self.writer.block(f"switch ({whose})", span):
            for sender in senders:
                with self.writer.case(str(self.number_of(sink, sender)), span):
                    self._complete_for(sink, sender, texts, span)

    def _complete_for(self, sink: Place, sender: Sender, texts: list[str], span: Span) -> None:
        if not self.is_threaded and sender.carrier is not None:
            texts = self._read_once(texts, "completed", span)
        self._do_event(self.context.events.end(sink, sender).name, texts, span)
        if not self.is_threaded and sender.carrier is not None:
            for parameter, text in zip(self._wiring.pin(sink).passed(Passing.END), texts, strict=True):
                self.writer.add(f"{self.context.back(self.carrier, sink, parameter)} = {text};", span)
            if self._plan.tracking(sink) is Tracking.WHOSE:
                self.writer.add(f"{self.context.done_flag(self.carrier, sink)} = 1;", span)

    def _check_under_way(self, sink: Place, span: Span) -> None:
        if self._plan.tracking(sink) is Tracking.WHETHER:
            self.writer.add(f"assert({self.tracked(sink)});", span, sink.pin)
            self.writer.add(f"{self.tracked(sink)} = 0;", span)

    @property
    def is_threaded(self) -> bool:
        return self._wiring.reaction(self.role).threaded

    def tracked(self, sink: Place) -> str:
        """The variable that has what is under way on a pin."""
        return self.local("under_way", sink.pin, start=0) if self.is_threaded else self.context.tracked[sink]

    def number_of(self, sink: Place, sender: Sender) -> int:
        """The number of a sender in what is kept; 0 is nobody."""
        return self._plan.senders(sink).index(sender) + 1

    def _is_own(self, sender: Sender) -> bool:
        return sender.carrier == self.carrier or (sender == OUTSIDE and self.carrier.outside and not self.is_threaded
                                                  and self.carrier.role == self.role)  # fmt: skip

    def _ends_at(self, sink: Place) -> tuple[Values, ...]:
        """What `$` may carry to whoever waits; 0 comes back if an event is discarded."""
        return tuple(tuple(sorted({0, *values})) for values in self.context.bounds.of_pin(sink, Passing.END))

    def _do_event(self, name: str, texts: Sequence[str], span: Span) -> None:
        self.context.draft.done.add(name)
        if texts:
            function = self.context.draft.event_function(name, len(texts))
            self.writer.add(f"{function}({', '.join(texts)});", span)
        else:
            self.writer.add(f"{self.context.draft.doing(name)}();", span)

    # ---- interactions that begin

    def _begin(self, source: Place, arguments: Sequence[Expression], known: Known, span: Span) -> None:
        pin, targets = self._wiring.pin(source), self._wiring.targets.get(source, ())
        parameters = pin.passed(Passing.BEGIN)
        events = self.context.events
        if not targets:
            texts = self._data(parameters, arguments, known, None, span)
            self._do_event(events.begin_outside(source, self.carrier).name, texts, span)
            if pin.interaction is Interaction.SYNCH:
                values = self.context.bounds.of_pin(source, Passing.END)
                self._wait(source, events.end_outside(source, self.carrier).name, values, span)
            return
        if pin.interaction is Interaction.ASYNCH:
            values = _common([self.context.bounds.of_pin(sink, Passing.BEGIN) for sink in targets])
            texts = self._data(parameters, arguments, known, values, span)
            if len(targets) > 1:
                texts = self._read_once(texts, "sent", span)
            for sink in targets:
                self._do_event(events.put(source, sink, self.carrier).name, texts, span)
            return
        (sink,) = targets
        handler = self._wiring.handler(sink)
        if not self._wiring.reaction(handler).threaded:
            self._call(source, sink, handler, self._data(parameters, arguments, known, None, span), span)
            return
        if self._plan.waits_for_itself(self.carrier, sink):
            self.writer.add(f"{self.context.draft.never()}();", span)
            return
        sender = Sender(self.carrier, source)
        texts = self._data(parameters, arguments, known, self.context.bounds.of_pin(sink, Passing.BEGIN), span)
        begin = events.begin(sink, sender).name
        self.context.draft.offered[begin] = self.context.bounds.of_pin(sink, Passing.BEGIN)
        self._do_event(begin, texts, span)
        end = events.end(sink, sender).name
        self.context.draft.awaited.add(end)
        self._wait(source, end, self._ends_at(sink), span)

    def _wait(self, source: Place, end: str, values: tuple[Values, ...], span: Span) -> None:
        """Waits for the end of an interaction; what comes back is kept if anybody looks at it."""
        draft = self.context.draft
        if not values:
            self.writer.add(f"{draft.doing(end)}();", span)
        else:
            function = draft.waiting((end,), [(end, values, 0)], end[0].upper() + end[1:].replace("_", "", 1))
            self._came_back(source, f"{function}()", values, span)
        self._ended(source, span)

    def _came_back(self, source: Place, call: str, values: tuple[Values, ...], span: Span) -> None:
        if not self.chart.looks_at(source.pin):
            self.writer.add(f"{call};", span)
            return
        number, coding = self.local("number"), Coding(0, values)
        self.writer.add(f"{number} = {call};", span)
        for at, parameter in enumerate(self._wiring.pin(source).passed(Passing.END)):
            self.writer.add(f"{self.returned(source, parameter)} = {coding.chosen(number, at)};", span)

    def _ended(self, source: Place, span: Span) -> None:
        if self.chart.looks_at(source.pin):
            self.writer.add(f"{self.ended(source)} = 1;", span)

    def ended(self, source: Place) -> str:
        """Whether the end of an interaction has arrived that nobody has looked at."""
        return self.local("ended", source.pin, start=0)

    def returned(self, source: Place, parameter: Parameter) -> str:
        return self.local("returned", source.pin, parameter.name)

    def _call(self, source: Place, sink: Place, handler: Role, texts: list[str], span: Span) -> None:
        """An interaction with an unthreaded reaction: this thread carries it out."""
        context, writer, plan = self.context, self.writer, self._plan
        if handler in self._within:
            writer.add(f"{context.draft.never()}();", span)
            return
        sender = Sender(self.carrier, source)
        if plan.is_locked(handler):
            self._do_event(context.events.lock(handler, self.carrier).name, (), span)
        texts = self._read_once(texts, "passed", span)
        self._do_event(context.events.begin(sink, sender).name, texts, span)
        is_tracked = plan.tracking(sink) is Tracking.WHOSE
        if is_tracked:
            writer.add(f"{context.done_flag(self.carrier, sink)} = 0;", span)
            writer.add(f"{self.context.tracked[sink]} = {self.number_of(sink, sender)};", span)
        copy = Copy(self.carrier, handler, self._within)
        writer.add(f"{call_of(context, copy, sink, texts, str(self.number_of(sink, sender)))};", span)
        if plan.is_locked(handler):
            writer.add(f"{context.draft.doing(context.events.unlock(handler, self.carrier).name)}();", span)
        back = [context.back(self.carrier, sink, p) for p in self._wiring.pin(sink).passed(Passing.END)]
        if is_tracked:
            with writer.block(f"if (!{context.done_flag(self.carrier, sink)})", span):
                writer.add(f"{context.draft.never()}();", span)
        if self.chart.looks_at(source.pin):
            for parameter, text in zip(self._wiring.pin(source).passed(Passing.END), back, strict=True):
                writer.add(f"{self.returned(source, parameter)} = {text};", span)
        self._ended(source, span)


def call_of(context: Context, copy: Copy, sink: Place, texts: Sequence[str], caller: str) -> str:
    """The call of the function that carries out an unthreaded reaction for one event."""
    context.draft.called.add(copy)
    given = []
    for pin in context.plan.sinks(copy.role):
        parameters = context.plan.wiring.pin(pin).passed(Passing.BEGIN)
        given += list(texts) if pin == sink else ["0"] * len(parameters)
    return f"{context.copies[copy]}({', '.join([context.pins[sink], *given, caller])})"


def _common(data: Sequence[tuple[Values, ...]]) -> tuple[Values, ...]:
    """The values of each parameter that all receivers know."""
    first, *others = data
    return tuple(
        tuple(value for value in values if all(value in known[at] for known in others))
        for at, values in enumerate(first)
    )


def _within(name: str, values: Values) -> str:
    if not values:
        return "0"
    if is_range(values):
        return f"{name} >= {values[0]} && {name} <= {values[-1]}"
    return " || ".join(f"{name} == {value}" for value in values)
