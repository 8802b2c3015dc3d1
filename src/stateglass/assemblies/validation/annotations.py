"""Whether annotations are about something that there is, and say something that is understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from stateglass.assemblies.claims import COMFORT, FULL, PRIORITY, QUEUE, SETTINGS, VALUES, is_claim
from stateglass.assemblies.validation.claims import check_claim
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.wiring import bounds
from stateglass.design import Annotation, Assembly, Component, Design, Pin, WhenFull
from stateglass.source import close_match

MOST_IN_QUEUE: Final = 1000
_RANGE: Final = re.compile(r"\s*(\w+)\s*:\s*(-?[0-9]{1,20})\s*\.\.\s*(-?[0-9]{1,20})\s*")


def check_annotations(found: Findings, design: Design) -> None:
    found.once("the annotation", ((a.qualified, a.span) for a in design.annotations))
    assemblies = {a.name: a for a in design.assemblies}
    for annotation in design.annotations:
        component, assembly = design.by_name.get(annotation.scope), assemblies.get(annotation.scope)
        if assembly is not None and _is_about_assembly(found, assembly, annotation):
            _content(found, design, annotation, None)
        elif component is not None and _is_about_component(found, component, annotation):
            _content(found, design, annotation, component)


def _is_about_assembly(found: Findings, assembly: Assembly, annotation: Annotation) -> bool:
    if annotation.subject == assembly.name:
        return True
    if any(annotation.subject.partition(mark)[0] == i.name for i in assembly.instances for mark in ":."):
        message = f"`{annotation.subject}` is part of the assembly"
        help = f"annotate `{assembly.name}`, where its variables are `{annotation.subject}.data`, or the component"
        found.error(message, annotation.span, help)
    else:
        known = (assembly.name, *(i.name for i in assembly.instances))
        found.unknown("part of the assembly called", annotation.subject, annotation.span, known)
    return False


def _is_about_component(found: Findings, component: Component, annotation: Annotation) -> bool:
    known = (component.name, *(r.name for r in component.reactions), *(p.name for p in component.pins))
    if annotation.subject not in known:
        found.unknown("reaction or pin", annotation.subject, annotation.span, known)
        return False
    return True


def _content(found: Findings, design: Design, annotation: Annotation, component: Component | None) -> None:
    """A claim, or a setting; what other tools are meant to read is their business."""
    if annotation.framework != COMFORT:
        return
    pin = component.pin(annotation.subject) if component else None
    reactions = {r.name for r in component.reactions} if component else set()
    if is_claim(annotation) and pin is None:
        check_claim(found, design, annotation)
        return
    kinds = {"pin"} if pin else {"reaction"} if annotation.subject in reactions else {"rest"}
    known = [name for name, of_what in SETTINGS.items() if kinds & of_what]
    if annotation.name not in known:
        what = f"`{annotation.name}` says nothing about `{annotation.subject}`"
        claims = "claims are about components, reactions and assemblies" if pin else ""
        help = close_match(annotation.name, known) or _listed(known) or claims
        found.error(what, annotation.span, help)
        return
    _setting(found, annotation, pin)
    unthreaded = {r.name for r in component.reactions if not r.threaded} if component else set()
    if annotation.name in (QUEUE, FULL) and annotation.subject in unthreaded:
        message = f"`{annotation.subject}` has no queue: it is carried out by whoever interacts with it"
        found.error(message, annotation.span, "messages are for `threaded` reactions")


def _listed(names: Iterable[str]) -> str:
    told = ", ".join(f"`{n}`" for n in names)
    return f"there is {told}" if told else 'a claim is a text: `const string Name = "G([data >= 0])"`'


def _setting(found: Findings, annotation: Annotation, pin: Pin | None) -> None:
    value, span = annotation.value, annotation.value_span
    match annotation.name:
        case "priority" if not isinstance(value, int):
            found.error("a priority is a number", span, f"write `const int {PRIORITY} = 1`")
        case "queue" if not isinstance(value, int) or not 1 <= value <= MOST_IN_QUEUE:
            help = f"write `const int {QUEUE} = 4`"
            found.error(f"the room of a queue is a number of messages, from 1 to {MOST_IN_QUEUE}", span, help)
        case "full" if value not in {w.value for w in WhenFull}:
            known = (w.value for w in WhenFull)
            help = close_match(str(value), known) or _listed(w.value for w in WhenFull)
            found.error(f"`{FULL}` says what becomes of a message for a queue that is full", span, help)
        case "values" if pin is not None:
            _ranges(found, annotation, pin)
        case _:
            pass


def _ranges(found: Findings, annotation: Annotation, pin: Pin) -> None:
    """`force: 0..3, hand: 0..1`"""
    types = {p.name: p.type.name for p in pin.parameters}
    for part in str(annotation.value).split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            example = next(iter(types), "force")
            help = f'write `const string {VALUES} = "{example}: 0..3"`'
            found.error(f"`{part.strip()}` does not bound a parameter", annotation.value_span, help)
            continue
        name, low, high = match[1], int(match[2]), int(match[3])
        if name not in types:
            found.unknown("parameter", name, annotation.value_span, types)
            continue
        least, largest = bounds(types[name])
        if low > high:
            found.error(f"there is nothing from {low} to {high}", annotation.value_span, f"write {high}..{low}")
        elif low < least or high > largest:
            message = f"{low}..{high} is more than `{types[name]} {name}` can be"
            found.error(message, annotation.value_span, f"its values are {least} to {largest}")
