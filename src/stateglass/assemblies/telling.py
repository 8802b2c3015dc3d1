"""Answers about a program, turned back into the words of the design that the program was made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

from stateglass.assemblies.errors import error_of_design
from stateglass.assemblies.interpretation.events import Event
from stateglass.assemblies.interpretation.expressions import initial_value
from stateglass.assemblies.interpretation.interpreting import Interpretation
from stateglass.assemblies.interpretation.lines import Line
from stateglass.assemblies.interpretation.planning import Carrier
from stateglass.assemblies.interpretation.wiring import Place
from stateglass.design import START, Parameter
from stateglass.evidence import Answer, Path, Reason, Step, Support, Verdict
from stateglass.model import TAU, Model, Origin, Proposition, Sort, Verb, parsed
from stateglass.program.faults import FaultKind
from stateglass.source import Assumption, Span, Topic

QUEUE_OF: Final = "queue of "
_TICKS: Final = re.compile(r"`([^`]*)`")
_NAME: Final = re.compile(r"[^\W\d][\w:]*")
_COMPARED: Final = re.compile(r"(?P<name>[^\W\d][\w:]*)(?P<operator> [!=]= )(?P<number>\d+)")
_FROM_STATE: Final = re.compile(r" from state \d+")  # nobody knows states by numbers
_FOR_EVER: Final = "waits for an answer that does not come"
_DEADLOCK: Final = "A deadlock can be reached: "


@final
@dataclass(frozen=True)
class Telling:
    """Translates what engines say."""

    interpretation: Interpretation

    def answer(self, answer: Answer, model: Model) -> Answer:
        """An answer whose evidence is a run of `model`."""
        decided = None if answer.decided is None else replace(answer.decided, invariant=(), told_apart=(), given=())
        answer = replace(answer, explanation=self._explanation(answer, model), decided=decided)
        if answer.verdict is Verdict.INCONCLUSIVE and answer.reason is Reason.PARTIAL:
            answer = replace(answer, explanation=f"{answer.explanation} {self._held()}".strip())
        match answer.evidence:
            case Path() as path:
                return self._on_path(answer, path)
            case Support(states, _):
                return replace(answer, evidence=Support(states, ()))
            case _:
                return answer

    def model(self, model: Model) -> Model:
        """A model whose values have the names that the design has for them."""
        shown = tuple(found for own in model.propositions if (found := self._proposition(own)) is not None)
        named = dict.fromkeys(p.name for p in shown)
        kept = tuple(next(p for p in shown if p.name == name) for name in named)
        return replace(model, propositions=kept, origin=self._origin(model.origin))

    def _held(self) -> str:
        """What is known of no further values, in a sentence: variables that several threads use."""
        bounds, variables = dict(self.interpretation.bounds), self.interpretation.variables
        names = [text.partition("=")[0] for text in self.interpretation.asked.shared]
        told = [f"`{variables[name].design}` in {bounds[name]}" for name in names if name in variables]
        return f"Looked at was {', '.join(told)}: give it another bound if it has other values." if told else ""

    # ---- runs

    def _on_path(self, answer: Answer, path: Path) -> Answer:
        steps: list[Step] = []
        queues: dict[str, list[str]] = {}
        for step in path.steps:
            told = self._step(step, queues)
            steps.append(told)
        evidence = replace(path, steps=tuple(steps))
        failure = self._failure(path)
        if failure:
            answer = replace(answer, explanation=f"{answer.explanation} {failure}".strip())
        beyond = next((words for step in path.steps if (words := self.beyond(step.action))), "")
        if beyond:
            return replace(
                answer,
                verdict=Verdict.INCONCLUSIVE,
                reason=Reason.BOUND,
                explanation=f"In this run, {beyond}.",
                evidence=evidence,
            )
        return replace(answer, evidence=evidence)

    def _step(self, step: Step, queues: dict[str, list[str]]) -> Step:
        changes = tuple(change for name, text in step.changes for change in self._change(name, text))
        line = self._line(step.span)
        action = self._label(step.action)
        named = parsed(step.action)
        if named.name in self.interpretation.events and named.verb is None:
            changes += self._queued(named.name, named.arguments, queues)
        return replace(step, action=action, changes=changes, span=line)

    def beyond(self, label: str) -> str:
        """What is passed beyond all that is looked at, if a step does that."""
        event = self.interpretation.events.get(parsed(label).name)
        return event.told if event is not None and event.is_beyond else ""

    def _line(self, span: Span | None) -> Span | None:
        """Where a line of C comes from in the design."""
        line = self._of_program(span)
        return line.span if line is not None and line.span.line else None

    def _of_program(self, span: Span | None) -> Line | None:
        lines = self.interpretation.lines
        return None if span is None or not 0 < span.line <= len(lines) else lines[span.line - 1]

    def _failure(self, path: Path) -> str:
        """What goes wrong at the end of a run, in a sentence; empty if that is told enough by its kind."""
        kind = parsed(path.steps[-1].action).error_kind if path.steps else None
        line = self._of_program(path.steps[-1].span) if path.steps else None
        if kind == FaultKind.ASSERTION.value and line is not None and line.error:
            pin = Place(line.unit or "", line.error)
            return f"`{_owner(pin)}${pin.pin}` is to complete an interaction, and none is under way."
        full = {queue.overflow: queue for queue in self.interpretation.queues}
        names = [name for step in path.steps if (name := parsed(step.action).name) in full]
        if kind == FaultKind.PROCESS.value and names:
            return f"The queue of `{full[names[-1]].reaction}` is full, and one more message comes."
        return ""

    # ---- labels

    def _label(self, label: str) -> str:
        action = parsed(label)
        event = self.interpretation.events.get(action.name) if action.verb is None else None
        if event is not None:
            return self.event(event, action.arguments)
        if action.verb in (Verb.LOAD, Verb.STORE):
            name = action.name.removeprefix("::").rpartition(".")[2]
            variable = self.interpretation.variables.get(name)
            if variable is None:
                return TAU
            values = [self._value(text, variable.type) for text in action.arguments]
            return f"{action.verb.value}({', '.join([variable.design, *values])})"
        if action.verb in (Verb.CALL, Verb.RETURN) and action.name.rpartition(".")[2] in self.interpretation.choosers:
            return TAU
        return error_of_design(label)

    def event(self, event: Event, arguments: Sequence[str]) -> str:
        """`a.^out(1)|b.^in(1)`; what is seen of nothing is silent."""
        if event.is_beyond:
            return event.told
        if not event.mark:
            return TAU
        data = ", ".join(self._data(event.parameters, arguments))
        written = f"({data})" if data else ""
        return "|".join(f"{_owner(place)}{event.mark}{place.pin}{written}" for place in event.places)

    def _data(self, parameters: Sequence[Parameter], arguments: Sequence[str]) -> list[str]:
        return [self._value(text, p.type.name) for p, text in zip(parameters, arguments, strict=False)]

    def _value(self, text: str, type: str) -> str:
        if type == "bool":
            return {"0": "false", "1": "true"}.get(text, text)
        for enumeration in self.interpretation.wiring.design.enumerations:
            if enumeration.name == type:
                return next((name for name, value in enumeration.values if str(value) == text), text)
        return text

    def spoken(self, event: Event, arguments: Sequence[str]) -> str:
        """What goes from one instance to another, without the names of these: `^out(1)`, `^out|^in(1)`."""
        data = ", ".join(self._data(event.parameters, arguments))
        pins = dict.fromkeys(f"{event.mark}{place.pin}" for place in event.places)
        return "|".join(pins) + (f"({data})" if data else "")

    def doer(self, span: Span | None) -> str | None:
        """The instance that a line of C belongs to."""
        line = self._of_program(span)
        return None if line is None else line.unit

    # ---- queues

    def _queued(self, name: str, arguments: Sequence[str], queues: dict[str, list[str]]) -> tuple[tuple[str, str], ...]:
        """What a queue holds after an event, if it puts a message there or takes one from it."""
        for queue in self.interpretation.queues:
            for kind in queue.kinds:
                held = queues.setdefault(queue.reaction, [])
                event = self.interpretation.events[name]
                data = self._data(event.parameters, arguments)
                message = kind.pin + (f"({', '.join(data)})" if data else "")
                if name == kind.delivered:
                    held.remove(message)
                elif name in kind.puts:
                    if len(held) >= queue.room:
                        continue
                    held.append(message)
                else:
                    continue
                return ((f"{QUEUE_OF}{queue.reaction}", f"[{', '.join(held)}]"),)
        return ()

    # ---- values

    @cached_property
    def _states(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        return {name: (f"{role}.state", states) for role, (name, states) in self.interpretation.states.items()}

    @cached_property
    def _of_services(self) -> frozenset[str]:
        """The states of services, which nobody has written."""
        wiring = self.interpretation.wiring
        return frozenset(own for role, (own, _) in self.interpretation.states.items() if wiring.is_service(role.unit))

    @cached_property
    def first_values(self) -> dict[str, int]:
        """What variables and states of the design begin with, by their names there."""
        wiring = self.interpretation.wiring
        found = {
            variable.design: initial_value(wiring, variable.unit, variable.declared)
            for variable in self.interpretation.variables.values()
        }
        return found | {design: states.index(START) for design, states in self._states.values()}

    def _own(self, name: str) -> str | None:
        """The name of a value in the program without that of the thread; None if the design has nothing like it."""
        for own in (name, name.partition(".")[2]):
            if own in self.interpretation.variables or (own in self._states and own not in self._of_services):
                return own
        return None

    def _change(self, name: str, text: str) -> tuple[tuple[str, str], ...]:
        own = self._own(name)
        if own is None:
            return ()
        if own in self._states:
            design, states = self._states[own]
            return ((design, states[int(text)] if text.isdecimal() else text),)
        variable = self.interpretation.variables[own]
        number = {"false": "0", "true": "1"}.get(text, text)
        return ((variable.design, self._value(number, variable.type)),)

    def _proposition(self, proposition: Proposition) -> Proposition | None:
        own = self._own(proposition.name)
        if own is None:
            return None
        if own in self._states:
            design, states = self._states[own]
            return replace(proposition, name=design, sort=Sort.ENUM, names=tuple(enumerate(states)))
        variable = self.interpretation.variables[own]
        for enumeration in self.interpretation.wiring.design.enumerations:
            if enumeration.name == variable.type:
                names = tuple((value, name) for name, value in enumeration.values)
                return replace(proposition, name=variable.design, sort=Sort.ENUM, names=names)
        return replace(proposition, name=variable.design)

    def _origin(self, origin: Origin) -> Origin:
        wiring = self.interpretation.wiring
        return replace(
            origin,
            subject=wiring.name,
            files=(wiring.design.file,),
            bounds=tuple(self._bounds()),
            assumptions=tuple(self.assumptions()),
        )

    def _bounds(self) -> list[tuple[str, str]]:
        return [
            (f"queue of {queue.reaction}", f"{queue.room}, {queue.full.value} when full")
            for queue in self.interpretation.queues
        ]

    def assumptions(self) -> list[Assumption]:
        """What is taken for granted beside the design."""
        found = []
        for queue in self.interpretation.queues:
            room = "1 message" if queue.room == 1 else f"{queue.room} messages"
            when = {"block": "senders wait when it is full", "discard": "more are lost", "error": "more are an error"}
            found.append(
                Assumption(
                    Topic.FUNCTION, f"queue of {queue.reaction}", f"it has room for {room}: {when[queue.full.value]}"
                )
            )
        wiring = self.interpretation.wiring
        found += [
            Assumption(Topic.FUNCTION, unit.name, "it has no reactions: it does anything, and keeps nobody waiting")
            for unit in wiring.units
            if unit.component.pins and not unit.component.reactions
        ]
        opened = sorted(str(place) for place in wiring.open)
        if wiring.is_assembly:
            found += [Assumption(Topic.FUNCTION, place, "the surroundings use it at any time") for place in opened]
        else:
            found.append(
                Assumption(Topic.FUNCTION, wiring.name, "it is by itself: the surroundings use its pins at any time")
            )
        return found

    # ---- sentences

    def _explanation(self, answer: Answer, model: Model) -> str:
        text, path = answer.explanation, answer.evidence
        if not text.startswith(_DEADLOCK):
            text = _FROM_STATE.sub(" further", text)
            return _TICKS.sub(lambda word: f"`{self._word(word[1])}`", text)
        sentences = text.removeprefix(_DEADLOCK).removesuffix(".").split("; ")
        values: dict[str, str] = {}
        if isinstance(path, Path):
            shown = self.model(model)
            values = shown.valuation(path.steps[-1].target if path.steps else path.start)
        waiting = [told for s in sentences if not self._is_at_rest(s) and (told := self._waiting(s, values))]
        resting = [self._who(_TICKS.findall(s)[0], values) for s in sentences if self._is_at_rest(s)]
        if resting and waiting:
            waiting.append(f"all others are at rest: {', '.join(resting)}")
        elif resting:
            waiting = [f"all are at rest, and nothing comes any more: {', '.join(resting)}"]
        return _DEADLOCK + "; ".join(waiting) + "."

    def _is_at_rest(self, sentence: str) -> bool:
        """Whether a thread waits for nothing but interactions that others may begin with it."""
        name, *words = _TICKS.findall(sentence)
        carrier = self.interpretation.threads.get(name)
        if carrier is None:
            return False
        events = [e for word in words if (e := self.interpretation.events.get(parsed(word).name)) is not None]
        return bool(events) and all(e.mark == "^" and self._is_received(e, carrier) for e in events)

    def _is_received(self, event: Event, carrier: Carrier) -> bool:
        wiring = self.interpretation.wiring
        own = [place for place in event.places if place.unit == carrier.role.unit]
        return any(wiring.pin(place).is_sink and wiring.handler(place) == carrier.role for place in own)

    def _waiting(self, sentence: str, values: Mapping[str, str]) -> str:
        """What one thread waits for, and who does not do it; empty if it is none of the design."""
        name, _, rest = sentence.partition("`")[2].partition("`")
        carrier = self.interpretation.threads.get(name)
        if carrier is None:
            return ""
        processes = {queue.process: f"the queue of `{queue.reaction}`" for queue in self.interpretation.queues}
        processes |= {name: f"whoever carries out `{role}`" for name, role in self.interpretation.locks.items()}
        rest = rest.replace(_FOR_EVER, "waits, and nothing comes")
        rest = rest.replace(f" with `{self.interpretation.written.process}`", ", and nobody does that")
        rest = _TICKS.sub(lambda word: processes.get(word[1]) or f"`{self._word(word[1])}`", rest)
        return f"{self._who(name, values)}{rest}"

    def _who(self, name: str, values: Mapping[str, str]) -> str:
        """A thread, and the state that its statechart is in."""
        state = values.get(f"{self.interpretation.threads[name].role}.state")
        return f"`{self._word(name)}`" + (f" in `{state}`" if state is not None else "")

    def _word(self, word: str) -> str:
        carrier = self.interpretation.threads.get(word)
        if carrier is not None:
            role = carrier.role
            return role.unit if self.interpretation.wiring.is_service(role.unit) else str(role)
        action = parsed(word)
        if action.error_kind is not None:
            return error_of_design(word)
        event = self.interpretation.events.get(action.name)
        if event is not None:
            return self.event(event, action.arguments) if event.mark else event.told
        return _NAME.sub(lambda name: self._named(name[0]), _COMPARED.sub(self._compared, word))

    def _compared(self, found: re.Match[str]) -> str:
        """A state by its name, not by its number."""
        known = self._states.get(found["name"])
        if known is None or int(found["number"]) >= len(known[1]):
            return found[0]
        return f"{known[0]}{found['operator']}{known[1][int(found['number'])]}"

    def _named(self, name: str) -> str:
        if name in self.interpretation.variables:
            return self.interpretation.variables[name].design
        if name in self._states:
            return self._states[name][0]
        event = self.interpretation.events.get(name)
        return name if event is None or not event.mark else self.event(event, ())


def _owner(place: Place) -> str:
    return f"{place.unit}." if place.unit else ""
