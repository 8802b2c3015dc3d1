"""Whether claims speak of what a design has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final, final

from stateglass.assemblies.claims import claim_of
from stateglass.assemblies.misuse import misused_states, odd_data
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.scope import COMPONENT
from stateglass.design import (
    SERVICES,
    START,
    Annotation,
    Component,
    Design,
    Interaction,
    Passing,
    Pin,
    Reaction,
    Variable,
)
from stateglass.logic.claims import Claim, Fairness
from stateglass.logic.predicates import Applied, Named
from stateglass.logic.steps import Do, Like
from stateglass.logic.temporal import Happens
from stateglass.logic.vocabulary import is_kind_of_action, nodes_in
from stateglass.source import InputError, Span, suggestion

STATE: Final = "state"
"""`[S.state == idle]` asks for the state of a reaction."""
_FREE: Final = re.compile(r"re:.*|error(\(.*\))?|exit(\(.*\))?", re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class Words:
    """What claims may name: values, events without their data, and the states of each reaction."""

    names: set[str] = field(default_factory=set)
    events: dict[str, int] = field(default_factory=dict)  # with how many values they carry
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by what they are compared with: `R.state`
    values: frozenset[str] = frozenset()  # names that numbers have
    prefix: str = ""  # the name of the component, which may stand in front of its names

    def plain(self, name: str) -> str:
        return name.removeprefix(self.prefix).removeprefix(f"{COMPONENT}.") if self.prefix else name

    def is_state(self, name: str) -> bool:
        """Whether a name means the state of a reaction, or would if there were such a one."""
        plain = self.plain(name)
        return plain in self.states or (plain not in self.names and plain.endswith(f".{STATE}"))

    def add(self, component: Component, prefix: str = "") -> None:
        """The words of a component; in an assembly those of an instance, with its name in front."""
        self.names.update(prefix + p.name for p in component.parameters)
        self.add_part(component.variables, component.pins, prefix)
        for reaction in component.reactions:
            self.names.update(f"{prefix}{reaction.name}.{v.name}" for v in reaction.variables)
            self.states[f"{prefix}{reaction.name}.{STATE}"] = _states(reaction)

    def add_part(self, variables: Iterable[Variable], pins: Iterable[Pin], prefix: str) -> None:
        self.names.update(prefix + v.name for v in variables)
        for pin in pins:
            self.events[f"{prefix}^{pin.name}"] = len(pin.passed(Passing.BEGIN))
            # Nobody is told of the end of what is asynchronous but who brings it about.
            if pin.is_sink or pin.interaction is Interaction.SYNCH:
                self.events[f"{prefix}${pin.name}"] = len(pin.passed(Passing.END))


def words_for(design: Design, annotation: Annotation) -> Words:
    """The words of a claim where it stands: in a component those of the component, about a reaction also its own."""
    component = design.by_name.get(annotation.scope)
    values = frozenset(name for e in design.enumerations for name, _ in e.values)
    words = Words(set(values), values=values, prefix=f"{component.name}." if component else "")
    if component is not None:
        words.add(component)
        for reaction in component.reactions:
            if reaction.name == annotation.subject:
                words.names.update(v.name for v in reaction.variables)
                words.states[STATE] = _states(reaction)
    for assembly in design.assemblies:
        if assembly.name != annotation.scope:
            continue
        for instance in assembly.instances:
            if instance.component in design.by_name:
                words.add(design.by_name[instance.component], f"{instance.name}.")
        services = (s for e in design.environments if e.name == assembly.environment for s in e.services)
        for service in services:
            if kind := SERVICES.get(service.kind):
                words.add_part(kind.variables, kind.pins, f"{service.name}.")
    return words


def _states(reaction: Reaction) -> tuple[str, ...]:
    """The states that a reaction can be in; before its first transition it is in `start`."""
    return START, *(s.name for s in reaction.states)


def check_writing(found: Findings, annotation: Annotation) -> Claim | None:
    """The claim that an annotation makes; None after noting that it is not one."""
    try:
        return claim_of(annotation)
    except InputError as error:
        found.errors.extend(error.diagnostics)
        return None


def check_claim(found: Findings, design: Design, annotation: Annotation) -> None:
    """Notes what is wrong with a claim: how it is written, and which names it has."""
    claim = check_writing(found, annotation)
    if claim is None:
        return
    words = words_for(design, annotation)
    seen: set[str] = set()
    for message, name, span, help in _unknown(claim, words):
        if name not in seen:
            seen.add(name)
            # A claim that is written in pieces has no places of its own.
            place = span if span.file == annotation.value_span.file else annotation.value_span
            found.error_of_name(message, name, place, help)


def _unknown(claim: Claim, words: Words) -> Iterator[tuple[str, str, Span, str]]:
    """The names that are none: a message, the name, its place, and advice."""
    yield from misused_states(claim.content, lambda name: words.states.get(words.plain(name)))
    compared = dict(_compared_with_states(claim, words))
    for node in nodes_in((claim.content, claim.fairness)):
        match node:
            case Named(written, span) if id(node) in compared:
                states = words.states.get(compared[id(node)])
                if states is not None and written not in states:
                    yield f"there is no state `{written}`", written, span, suggestion(written, states)
            case Named(written, span):
                name = words.plain(written)
                if name not in words.names and name not in words.states:
                    known = words.names | words.states.keys()
                    yield f"there is no variable `{name}`", name, span, suggestion(name, known)
            case Happens(pattern, span) | Like(pattern, span) | Fairness(pattern, _, span) | Do(pattern, span):
                meant = _events_meant(pattern, words)
                if meant is not None and not meant:
                    yield f"there is no event `{pattern}`", pattern, span, _event_help(pattern, words)
                elif meant and (odd := odd_data(pattern, {words.events[event] for event in meant}, words.values)):
                    message, name, help = odd
                    yield message, name, span, help
            case _:
                pass


def _compared_with_states(claim: Claim, words: Words) -> Iterator[tuple[int, str]]:
    """The names in a claim that are compared with the state of a reaction, and of which, whether it is there or not."""
    for node in nodes_in(claim.content):
        match node:
            case Applied(operands=(Named(left) as one, Named(right) as other)):
                if words.is_state(left) and not words.is_state(right):
                    yield id(other), words.plain(left)
                elif words.is_state(right) and not words.is_state(left):
                    yield id(one), words.plain(right)
            case _:
                pass


def _events_meant(pattern: str, words: Words) -> list[str] | None:
    """The events that a pattern means; None for one that speaks of other things."""
    if _FREE.fullmatch(pattern) or is_kind_of_action(pattern):
        return None
    head = words.plain(pattern.partition("(")[0])
    return [event for event in words.events if fnmatchcase(event, head)]


def _event_help(pattern: str, words: Words) -> str:
    head = words.plain(pattern.partition("(")[0])
    before, dot, pin = head.rpartition(".")
    both = [e for e in (f"{before}{dot}^{pin}", f"{before}{dot}${pin}") if e in words.events]
    if both:
        told = " or ".join(f"`{event}`" for event in both)
        return f"write {told}: an interaction begins with `^` and ends with `$`"
    if head in words.names:
        return f"a condition on values stands in brackets, as in [{head} > 0]"
    return suggestion(head, words.events)
