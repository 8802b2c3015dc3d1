"""Whether annotations are about something that there is, and say something that is understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from stateglass.assemblies.claims import FULL, PRIORITY, QUEUE, SETTINGS, VALUES, is_claim
from stateglass.assemblies.types import machine_type
from stateglass.assemblies.validation.claims import check_claim, check_writing
from stateglass.assemblies.validation.findings import Findings
from stateglass.design import COMFORT, Annotation, Assembly, Component, Design, Pin, Type, Variable, WhenFull
from stateglass.source import InputError, close_match
from stateglass.system.bounds import parse_bound, resolve

MOST_IN_QUEUE: Final = 1000
_PART: Final = re.compile(r"\s*(\w+)\s*:\s*((?:\{[^}]*\}|[^,{}])+)(?:,|$)")


def check_annotations(found: Findings, design: Design) -> None:
    for framework in dict.fromkeys(a.framework for a in design.annotations):
        found.once("the annotation", ((a.qualified, a.span) for a in design.annotations if a.framework == framework))
    assemblies = {a.name: a for a in design.assemblies}
    for annotation in design.annotations:
        component, assembly = design.by_name.get(annotation.scope), assemblies.get(annotation.scope)
        if assembly is not None and _is_about_assembly(found, assembly, annotation):
            _content(found, design, annotation, None)
        elif component is not None and _is_about_component(found, component, annotation):
            _content(found, design, annotation, component)
        elif is_claim(annotation):
            check_writing(found, annotation)


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
    parts = (component.reactions, component.pins, component.variables)
    known = (component.name, *(part.name for group in parts for part in group))
    if annotation.subject not in known:
        found.unknown("reaction, pin or variable", annotation.subject, annotation.span, known)
        return False
    return True


def _content(found: Findings, design: Design, annotation: Annotation, component: Component | None) -> None:
    """A claim, or a setting; what other tools are meant to read is their business."""
    if annotation.framework != COMFORT:
        return
    pin = component.pin(annotation.subject) if component else None
    variable = next((v for v in component.variables if v.name == annotation.subject), None) if component else None
    reactions = {r.name for r in component.reactions} if component else set()
    if is_claim(annotation) and pin is None and variable is None:
        check_claim(found, design, annotation)
        return
    kind = "pin" if pin else "variable" if variable else "reaction" if annotation.subject in reactions else ""
    known = [name for name, of_what in SETTINGS.items() if kind in of_what]
    if annotation.name not in known:
        what = f"`{annotation.name}` says nothing about `{annotation.subject}`"
        help = close_match(annotation.name, known) or _listed(known)
        found.error(what, annotation.span, help)
        return
    if annotation.name == VALUES and isinstance(annotation.value, str):
        _values(found, design, annotation, pin, variable)
    else:
        _setting(found, annotation)
    unthreaded = {r.name for r in component.reactions if not r.threaded} if component else set()
    if annotation.name in (QUEUE, FULL) and annotation.subject in unthreaded:
        message = f"`{annotation.subject}` has no queue: it is carried out by whoever interacts with it"
        found.error(message, annotation.span, "messages are for `threaded` reactions")


def _listed(names: Iterable[str]) -> str:
    told = ", ".join(f"`{n}`" for n in names)
    return f"there is {told}" if told else 'a claim is a text: `const string Name = "G([data >= 0])"`'


def _setting(found: Findings, annotation: Annotation) -> None:
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
        case "values":
            found.error("values are a text", span, f'write `const string {VALUES} = "…"`')
        case _:
            pass


def _values(
    found: Findings, design: Design, annotation: Annotation, pin: Pin | None, variable: Variable | None
) -> None:
    """`force: 0..3, hand: {0, 2}` of a pin, `0..3` of a variable: bounds as everywhere."""
    text = str(annotation.value)
    if variable is not None:
        _bound(found, design, annotation, (variable.name, variable.type, text))
        return
    types = {p.name: p.type for p in pin.parameters} if pin is not None else {}
    position = 0
    for match in _PART.finditer(text):
        if match.start() != position:
            break
        position = match.end()
        if match[1] in types:
            _bound(found, design, annotation, (match[1], types[match[1]], match[2]))
        else:
            found.unknown("parameter", match[1], annotation.value_span, types)
    if position < len(text) or not text.strip():
        example = next(iter(types), "force")
        help = f'write `const string {VALUES} = "{example}: 0..3"`'
        found.error(f"`{text[position:].strip()}` does not bound a parameter", annotation.value_span, help)


def _bound(found: Findings, design: Design, annotation: Annotation, said: tuple[str, Type, str]) -> None:
    name, type, text = said
    numbers = {one: str(value) for e in design.enumerations for one, value in e.values}
    in_numbers = re.sub(r"[A-Za-z_]\w*", lambda word: numbers.get(word[0], word[0]), text.strip())
    if found.gaps.explains(in_numbers):
        return
    try:
        resolve(parse_bound(in_numbers), machine_type(type.name), {}, name)
    except InputError as error:
        found.errors.extend(replace(d, span=annotation.value_span) for d in error.diagnostics)
