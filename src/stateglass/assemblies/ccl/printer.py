"""Designs as CCL that reads back as the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from stateglass.design import (
    STEP,
    ZERO,
    Annotation,
    Assembly,
    Assign,
    Begin,
    Block,
    Component,
    Constant,
    Design,
    End,
    Enumeration,
    Environment,
    Parameter,
    Passing,
    Pin,
    Reaction,
    State,
    Transition,
    Variable,
    expression_text,
    statement_lines,
)
from stateglass.logic.expressions import quoted
from stateglass.source import Code, input_error

_SIMPLE: Final = (Assign, Begin, End)


def print_design(design: Design) -> str:
    """The text of a design. One with states inside states cannot be written, and is an `InputError`."""
    nested = [s for c in design.components for r in c.reactions for s in r.states if s.parent is not None]
    if nested:
        message = f"the state `{nested[0].name}` is inside `{nested[0].parent}`, which cannot be written in CCL"
        raise input_error(Code.UNSUPPORTED, message, nested[0].span)
    parts: list[Iterable[str]] = [[_enumeration(e)] for e in design.enumerations]
    parts += [_environment(e) for e in design.environments]
    parts += [_component(c, _about(design, c.name)) for c in design.components]
    parts += [_assembly(a, _about(design, a.name)) for a in design.assemblies]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts)


def _about(design: Design, scope: str) -> list[Annotation]:
    return [a for a in design.annotations if a.scope == scope]


def _enumeration(enumeration: Enumeration) -> str:
    values, following = [], 0
    for name, value in enumeration.values:
        values.append(name if value == following else f"{name} = {value}")
        following = value + 1
    return f"enum {enumeration.name} {{ {', '.join(values)} }};"


def _environment(environment: Environment) -> Iterator[str]:
    yield f"environment {environment.name}() {{"
    for service in environment.services:
        yield f"{STEP}service {service.kind} {service.name}({_constants(service.arguments)});"
    yield "}"


def _component(component: Component, annotations: Sequence[Annotation]) -> Iterator[str]:
    parameters = ", ".join(f"{p.type.name} {p.name}" for p in component.parameters)
    yield f"component {component.name}({parameters}) {{"
    groups: list[list[str]] = [
        [_variable(v) for v in component.variables],
        [_pin(p) for p in component.pins],
        *([*_reaction(r)] for r in component.reactions),
        [_annotation(a) for a in annotations],
    ]
    yield from _groups(groups)
    yield "}"


def _groups(groups: Iterable[Iterable[str]]) -> Iterator[str]:
    """Lines, indented, with an empty one between groups."""
    for number, group in enumerate([g for g in map(list, groups) if g]):
        if number:
            yield ""
        yield from (f"{STEP}{line}" if line else "" for line in group)


def _variable(variable: Variable) -> str:
    initial = "" if variable.initial == ZERO else f" = {expression_text(variable.initial)}"
    return f"{variable.type.name} {variable.name}{initial};"


def _pin(pin: Pin) -> str:
    parameters = ", ".join(map(_parameter, pin.parameters))
    return f"{'sink' if pin.is_sink else 'source'} {pin.interaction.value} {pin.name}({parameters});"


def _parameter(parameter: Parameter) -> str:
    passing = f"{parameter.passing.value} " if parameter.passing is Passing.END else ""
    return f"{passing}{parameter.type.name} {parameter.name}"


def _reaction(reaction: Reaction) -> Iterator[str]:
    yield f"{'threaded ' if reaction.threaded else ''}react {reaction.name}({', '.join(reaction.pins)}) {{"
    variables = [_variable(v) for v in reaction.variables]
    states = [line for s in reaction.states for line in _state(s)]
    yield from _groups([variables, states, [line for t in reaction.transitions for line in _transition(t)]])
    yield "}"


def _state(state: State) -> Iterator[str]:
    blocks = [("entry", state.entry), ("exit", state.exit)]
    lines = [line for word, block in blocks if block.statements for line in _headed(word, block)]
    yield from [f"state {state.name} {{}}"] if not lines else [f"state {state.name} {{", *_indented(lines), "}"]


def _transition(transition: Transition) -> Iterator[str]:
    clauses = []
    if transition.trigger is not None:
        trigger = transition.trigger
        clauses.append(f"trigger {'$' if trigger.is_end else '^'}{trigger.pin}({', '.join(trigger.names)});")
    if transition.guard is not None:
        clauses.append(f"guard {expression_text(transition.guard)};")
    action = _headed("action", transition.action) if transition.action.statements else []
    head = f"{transition.source} -> {transition.target} {{"
    if len(action) <= 1:
        inside = " ".join([*clauses, *action])
        yield f"{head} {inside} }}" if inside else f"{head}}}"
    else:
        yield from [head, *_indented([*clauses, *action]), "}"]


def _headed(word: str, block: Block) -> list[str]:
    """A block behind a word; one that is a single short statement in one line."""
    if len(block.statements) == 1 and isinstance(block.statements[0], _SIMPLE):
        return [f"{word} {line}" for line in statement_lines(block.statements[0])]
    first, *others = statement_lines(block)
    return [f"{word} {first}", *others]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"{STEP}{line}" for line in lines]


def _assembly(assembly: Assembly, annotations: Sequence[Annotation]) -> Iterator[str]:
    yield f"assembly {assembly.name}({assembly.environment}) {{"
    exposed = [f"expose {{ {', '.join(map(str, assembly.exposed))} }};"] if assembly.exposed else []
    groups: list[list[str]] = [
        [f"{i.component} {i.name}({_constants(i.arguments)});" for i in assembly.instances],
        [f"{c.source} ~> {c.sink};" for c in assembly.connections],
        exposed,
        [_annotation(a) for a in annotations],
    ]
    yield from _groups(groups)
    yield "}"


def _constants(constants: Iterable[Constant]) -> str:
    return ", ".join(c.text or str(c.value) for c in constants)


def _annotation(annotation: Annotation) -> str:
    value = quoted(annotation.value) if isinstance(annotation.value, str) else str(annotation.value)
    parts = [quoted(annotation.framework), f"const {annotation.type} {annotation.name} = {value}"]
    parts += [property_text(name, result) for name, result in annotation.of_result]
    return f"annotate {annotation.subject} {{{', '.join(parts)}}}"


def property_text(name: str, value: str) -> str:
    return f"const string {name} = {quoted(value)}"
