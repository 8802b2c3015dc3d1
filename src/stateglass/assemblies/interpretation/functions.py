"""The C functions of a program: one for each thread, and one for each unthreaded reaction that a thread carries out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.assemblies.interpretation.acting import Acting, Known, call_of
from stateglass.assemblies.interpretation.charts import Levels, Step
from stateglass.assemblies.interpretation.context import Context
from stateglass.assemblies.interpretation.lines import Line, Writer
from stateglass.assemblies.interpretation.planning import OUTSIDE, Carrier, Copy, Tracking
from stateglass.assemblies.interpretation.values import Coding, Values
from stateglass.assemblies.interpretation.wiring import Place
from stateglass.design import START, Constant, Interaction, Name, Parameter, Passing
from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class _Offer:
    """An event that a thread at rest is ready for."""

    sink: Place
    event: str
    data: tuple[Values, ...]
    caller: int


def thread_function(context: Context, carrier: Carrier) -> list[Line]:
    """The function of a thread."""
    return _Surroundings(context, carrier).run() if carrier.outside else _Threaded(context, carrier).run()


@final
class _Choice:
    """The call by which a thread waits for an event, and what is made of its result."""

    def __init__(self, context: Context, acting: Acting, sinks: Sequence[Place], offers: Sequence[_Offer]) -> None:
        self._context = context
        self._acting = acting
        self._sinks = sinks
        self._offers = offers

    def write(self, next_event: str, name: str) -> None:
        """`nextEvent = …externalChoice();` and what it carries."""
        writer, draft = self._acting.writer, self._context.draft
        if not self._offers:
            writer.add(f"{draft.never()}(); // nothing ever comes here")
            return
        first = len(self._sinks)
        coded: list[tuple[_Offer, Coding]] = []
        options = []
        for offer in self._offers:
            is_plain = not offer.data and sum(other.sink == offer.sink for other in self._offers) == 1
            coding = Coding(self._sinks.index(offer.sink) if is_plain else first, offer.data)
            options.append((offer.event, offer.data, coding.first))
            if not is_plain:
                coded.append((offer, coding))
                first = coding.last + 1
        function = draft.waiting((name, "externalChoice"), options, f"{name}_ExtChoice")
        writer.add(f"{next_event} = {function}();")
        for offer, coding in coded:
            self._decode(next_event, offer, coding)
        tracked = [o for o in self._offers if all(o is not offer for offer, _ in coded)]
        for offer in tracked:
            if self._acting.is_threaded and self._context.plan.tracking(offer.sink) is Tracking.WHOSE:
                with writer.block(f"if ({next_event} == {self._context.pins[offer.sink]})"):
                    writer.add(f"{self._acting.tracked(offer.sink)} = {offer.caller};")

    def _decode(self, next_event: str, offer: _Offer, coding: Coding) -> None:
        writer = self._acting.writer
        is_one = coding.first == coding.last
        test = (
            f"{next_event} == {coding.first}"
            if is_one
            else f"{next_event} >= {coding.first} && {next_event} <= {coding.last}"
        )
        with writer.block(f"if ({test})"):
            for at, parameter in enumerate(self._context.plan.wiring.pin(offer.sink).passed(Passing.BEGIN)):
                writer.add(f"{given(self._acting, offer.sink, parameter)} = {coding.chosen(next_event, at)};")
            if self._context.plan.tracking(offer.sink) is Tracking.WHOSE:
                writer.add(f"{self._acting.tracked(offer.sink)} = {offer.caller};")
            writer.add(f"{next_event} = {self._context.pins[offer.sink]};")


def given(acting: Acting, sink: Place, parameter: Parameter) -> str:
    """What an event has brought."""
    return acting.local("given", sink.pin, parameter.name)


@final
class _Taking:
    """Writes the transitions of a reaction, whoever carries it out."""

    def __init__(self, acting: Acting, context: Context, state_variable: str, taken: Sequence[str]) -> None:
        """`taken` are the statements that a transition begins with."""
        self._acting = acting
        self._context = context
        self._state = state_variable
        self._taken = taken

    def levels(self, levels: Levels, bring: Callable[[Step], tuple[Known, list[str]]]) -> bool:
        """All that can be done, innermost first, each ending in `break`; whether one of them is done in any case."""
        for level in levels:
            if len(level) == 1:
                (step,) = level
                if step.transition.guard is None:
                    self._step(step, bring)
                    return True
                with self._acting.writer.block(f"if ({self._guard(step, bring)})", step.transition.span):
                    self._step(step, bring)
                continue
            self._several(level, bring)
            if any(step.transition.guard is None for step in level):
                return True
        return False

    def _several(self, level: Sequence[Step], bring: Callable[[Step], tuple[Known, list[str]]]) -> None:
        """Any of those that can be taken is: all guards are evaluated once."""
        writer = self._acting.writer
        flags = [self._acting.local("can", str(number)) for number in range(1, len(level) + 1)]
        for flag, step in zip(flags, level, strict=True):
            guard = "1" if step.transition.guard is None else self._guard(step, bring)
            writer.add(f"{flag} = {guard};", step.transition.span)
        for condition, step in zip(self._chosen(flags), level, strict=True):
            with writer.block(f"if ({condition})", step.transition.span):
                self._step(step, bring)

    def _chosen(self, flags: Sequence[str]) -> list[str]:
        """When each of several transitions is taken; one choice among all of them is made before."""
        choose = self._context.draft.choose(len(flags))
        if len(flags) == 2:
            first, second = flags
            return [f"{first} && (!{second} || {choose}())", second]
        writer, which = self._acting.writer, self._acting.local("chosen")
        writer.add(f"{which} = {choose}();")
        taken = [f"{which} == {number}" for number in range(1, len(flags) + 1)]
        wrong = " || ".join(f"({one} && !{flag})" for one, flag in zip(taken, flags, strict=True))
        with writer.block(f"if ({wrong})"):
            instead = str(len(flags))
            for number, flag in reversed(list(enumerate(flags[:-1], 1))):
                instead = f"{flag} ? {number} : {instead}"
            writer.add(f"{which} = {instead};")
        return [f"{flag} && {one}" for one, flag in zip(taken, flags, strict=True)]

    def _guard(self, step: Step, bring: Callable[[Step], tuple[Known, list[str]]]) -> str:
        assert step.transition.guard is not None
        return self._acting.text(step.transition.guard, bring(step)[0])

    def _step(self, step: Step, bring: Callable[[Step], tuple[Known, list[str]]]) -> None:
        writer, span = self._acting.writer, step.transition.span
        seen, assignments = bring(step)
        for text in self._taken:
            writer.add(text, span)
        for text in assignments:
            writer.add(text, span)
        own = {
            name: text for name, text in seen.items() if self._context.variable(self._acting.role, Name(name)) is None
        }
        for number, block in enumerate(step.before):
            self._acting.do(block, own if number == len(step.before) - 1 else {})
        writer.add(f"{self._state} = {self._context.states[self._acting.role, step.target]};", span)
        for block in step.after:
            self._acting.do(block, {})
        writer.add("break;")

    def brought(self, place: Place, passing: Passing, texts: Sequence[str], step: Step) -> tuple[Known, list[str]]:
        """What the names of a trigger mean, and the assignments to those that are variables."""
        trigger = step.transition.trigger
        assert trigger is not None
        parameters = self._context.plan.wiring.pin(place).passed(passing)
        seen, assignments = {}, []
        for name, parameter, text in zip(trigger.names, parameters, texts, strict=False):
            variable = self._context.variable(self._acting.role, Name(name))
            type = parameter.type.name if variable is None else variable.type
            seen[name] = text if type == parameter.type.name else f"(({self._context.c_type(type)}){text})"
            if variable is not None:
                assignments.append(f"{variable.name} = {text};")
        return seen, assignments

    # ---- states

    def looks(self, state: str) -> bool:
        """What is done when a state has been entered, without an event; whether something is done in any case."""
        acting, writer = self._acting, self._acting.writer
        acting.do(acting.chart.entry(state), {})
        for source in self._context.plan.wiring.pins(acting.role, sinks=False):
            if not acting.chart.looks_at(source.pin):
                continue
            with writer.block(f"if ({acting.ended(source)})"):
                writer.add(f"{acting.ended(source)} = 0;")
                parameters = self._context.plan.wiring.pin(source).passed(Passing.END)
                texts = [acting.returned(source, parameter) for parameter in parameters]
                self.levels(
                    acting.chart.levels(state, source.pin, is_end=True),
                    lambda step, at=source, texts=texts: self.brought(at, Passing.END, texts, step),  # type: ignore[misc]
                )
        return self.levels(acting.chart.levels(state), lambda step: ({}, []))

    def events(self, state: str, texts: Mapping[Place, Sequence[str]]) -> None:
        """`switch (nextEvent)` in a state of rest."""
        acting, writer, context = self._acting, self._acting.writer, self._context
        with writer.block("switch (nextEvent)", tail="} // switch (nextEvent)"):
            for sink in context.plan.sinks(acting.role):
                with writer.case(context.pins[sink], context.plan.wiring.pin(sink).span):
                    if acting.is_threaded and context.plan.tracking(sink) is Tracking.WHETHER:
                        writer.add(f"{acting.tracked(sink)} = 1;")
                    levels = acting.chart.levels(state, sink.pin)
                    done = self.levels(
                        levels,
                        lambda step, at=sink: self.brought(at, Passing.BEGIN, texts[at], step),  # type: ignore[misc]
                    )
                    if not done:
                        writer.add(f"// the interaction on {sink.pin} is discarded")
                        zeros = [Constant(0)] * len(context.plan.wiring.pin(sink).passed(Passing.END))
                        acting.complete(sink, zeros, {}, context.plan.wiring.pin(sink).span)


@final
class _Threaded:
    """The function of a threaded reaction."""

    def __init__(self, context: Context, carrier: Carrier) -> None:
        self._context = context
        self._carrier = carrier
        self._body = Writer()
        self._acting = Acting(context, carrier, carrier.role, context.plan.around(carrier), self._body)
        self._taking = _Taking(self._acting, context, "currState", ["listening = 0;"])
        self._entering = _Taking(self._acting, context, "currState", [])

    def run(self) -> list[Line]:
        context, role = self._context, self._carrier.role
        name = context.threads[self._carrier]
        chart, writer = self._acting.chart, self._body
        starts = chart.levels(START)
        is_plain = len(starts) == 1 and len(starts[0]) == 1 and starts[0][0].transition.guard is None
        with writer.block("", NOWHERE):
            if is_plain:
                self._start(starts[0][0])
            with (
                writer.block("while (1)", tail="} // while (1)"),
                writer.block("switch (currState)", tail="} // switch (currState)"),
            ):
                for state in (*(() if is_plain or not starts else (START,)), *chart.states):
                    with writer.case(context.states[role, state], self._span_of(state)):
                        self._state(state)
        head = Writer()
        head.add(f"void {name}(void)", context.plan.wiring.reaction(role).span)
        lines = list(writer.lines)
        own = Writer()
        with own.block(""):
            own.add(f"static int currState = {context.states[role, START]};")
            if context.plan.sinks(role):
                own.add("int nextEvent;")
                own.add("int listening;")
            for declaration in self._acting.locals.values():
                own.add(declaration)
        return [*head.lines, *own.lines[:-1], *lines[1:]]

    def _start(self, step: Step) -> None:
        """What is done before anything else."""
        for block in step.before:
            self._acting.do(block, {})
        self._body.add(f"currState = {self._context.states[self._carrier.role, step.target]};", step.transition.span)
        for block in step.after:
            self._acting.do(block, {})

    def _span_of(self, state: str) -> Span:
        states = self._context.plan.wiring.reaction(self._carrier.role).states
        return next((one.span for one in states if one.name == state), NOWHERE)

    def _state(self, state: str) -> None:
        if self._entering.looks(state) or state == START:
            return
        context, role, writer = self._context, self._carrier.role, self._body
        sinks = context.plan.sinks(role)
        if not sinks:
            writer.add(f"{context.draft.never()}(); // nothing ever comes here")
            return
        writer.add("listening = 1;")
        with writer.block("while (listening)", tail="} // while (listening)"):
            name = context.threads[self._carrier] if role.unit else role.reaction
            _Choice(context, self._acting, sinks, self._offers(sinks)).write("nextEvent", name)
            texts = {
                sink: [given(self._acting, sink, p) for p in context.plan.wiring.pin(sink).passed(Passing.BEGIN)]
                for sink in sinks
            }
            self._taking.events(state, texts)

    def _offers(self, sinks: Sequence[Place]) -> list[_Offer]:
        return offers_of(self._context, sinks, self._acting)


def offers_of(context: Context, sinks: Sequence[Place], acting: Acting) -> list[_Offer]:
    """Everything that a threaded reaction at rest is ready for."""
    found = []
    for sink in sinks:
        data = context.bounds.of_pin(sink, Passing.BEGIN)
        senders = context.plan.senders(sink)
        if context.plan.wiring.pin(sink).interaction is Interaction.ASYNCH:
            if any(sender.carrier is not None for sender in senders):
                found.append(_Offer(sink, context.events.delivered(sink).name, data, 0))
                context.draft.awaited.add(found[-1].event)
            senders = tuple(sender for sender in senders if sender.carrier is None)
        for sender in senders:
            found.append(_Offer(sink, context.events.begin(sink, sender).name, data, acting.number_of(sink, sender)))
            if sender.carrier is not None:
                context.draft.awaited.add(found[-1].event)
    return found


@final
class _Surroundings:
    """A thread of the surroundings, which carries out an unthreaded reaction whenever it likes."""

    def __init__(self, context: Context, carrier: Carrier) -> None:
        self._context = context
        self._carrier = carrier

    def run(self) -> list[Line]:
        context, role = self._context, self._carrier.role
        plan = context.plan
        sinks = plan.sinks(role)
        writer = Writer()
        acting = Acting(context, self._carrier, role, frozenset(), writer)
        opened = [sink for sink in sinks if OUTSIDE in plan.senders(sink)]
        offers = [
            _Offer(sink, context.events.begin(sink, OUTSIDE).name, context.bounds.of_pin(sink, Passing.BEGIN), number)
            for sink in opened
            for number in [acting.number_of(sink, OUTSIDE)]
        ]
        with writer.block(""), writer.block("while (1)", tail="} // while (1)"):
            name = context.threads[self._carrier] if role.unit else role.reaction
            _Choice(context, acting, sinks, offers).write("nextEvent", name)
            with writer.block("switch (nextEvent)", tail="} // switch (nextEvent)"):
                for sink in opened:
                    with writer.case(context.pins[sink]):
                        if plan.tracking(sink) is Tracking.WHOSE:
                            writer.add(f"{context.tracked[sink]} = {acting.number_of(sink, OUTSIDE)};")
                        texts = [given(acting, sink, p) for p in plan.wiring.pin(sink).passed(Passing.BEGIN)]
                        caller = str(acting.number_of(sink, OUTSIDE))
                        writer.add(f"{call_of(context, plan.first_copy(self._carrier), sink, texts, caller)};")
            if plan.is_locked(role):
                writer.add(f"{context.draft.doing(context.events.unlock(role, self._carrier).name)}();")
        head = Writer()
        head.add(f"void {context.threads[self._carrier]}(void)", plan.wiring.reaction(role).span)
        own = Writer()
        with own.block(""):
            own.add("int nextEvent;")
            for declaration in acting.locals.values():
                own.add(declaration)
        return [*head.lines, *own.lines[:-1], *writer.lines[1:]]


def copy_function(context: Context, copy: Copy) -> list[Line]:
    """The function by which a thread carries out an unthreaded reaction for one event, up to where it is at rest."""
    plan, role = context.plan, copy.role
    body = Writer()
    acting = Acting(context, copy.carrier, role, plan.inside(copy), body)
    state = context.state_variables[role]
    entering = _Taking(acting, context, state, [])
    taking = _Taking(acting, context, state, ["entered = 1;"])
    chart = acting.chart
    texts = {
        sink: [given(acting, sink, p) for p in plan.wiring.pin(sink).passed(Passing.BEGIN)] for sink in plan.sinks(role)
    }
    with body.block(""):
        with (
            body.block(f"if ({state} == {context.states[role, START]})"),
            body.block(f"switch ({state})"),
            body.case(context.states[role, START], comment="START"),
        ):
            taking.levels(chart.levels(START), lambda step: ({}, []))
        with body.block("while (1)", tail="} // while (1)"):
            with body.block("if (entered)"), body.block(f"switch ({state})"):
                for name in chart.states:
                    with body.case(context.states[role, name]):
                        if not entering.looks(name):
                            body.add("entered = 0;")
            with body.block("else if (taken)"):
                for sink in plan.sinks(role):
                    if plan.tracking(sink) is Tracking.WHOSE:
                        body.add(f"{context.tracked[sink]} = 0;")
                body.add("return;")
            with body.block("else"):
                body.add("taken = 1;")
                with body.block(f"switch ({state})"):
                    for name in chart.states:
                        with body.case(context.states[role, name]):
                            taking.events(name, texts)
    parameters = ["int nextEvent", *(f"int {name}" for names in texts.values() for name in names), "int caller"]
    head = Writer()
    head.add(f"void {context.copies[copy]}({', '.join(parameters)})", plan.wiring.reaction(role).span)
    own = Writer()
    passed = {name for names in texts.values() for name in names}
    with own.block(""):
        own.add("int entered = 0;")
        own.add("int taken = 0;")
        for name, declaration in acting.locals.items():
            if name not in passed:
                own.add(declaration)
    return [*head.lines, *own.lines[:-1], *body.lines[1:]]
