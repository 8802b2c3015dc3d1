"""Which values the data of interactions has, where somebody has to choose it or to keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, final

from stateglass.assemblies.interpretation.assigned import Assigned
from stateglass.assemblies.interpretation.values import Values
from stateglass.assemblies.interpretation.wiring import Place, Unit, Wiring
from stateglass.design import COMFORT, Annotation, Parameter, Passing, Variable
from stateglass.program import Bool, Int
from stateglass.source import Code, Diagnostic, InputError, Span, suggestion
from stateglass.system.bounds import parse_bound, resolve

VALUES: Final = "values"
MOST_VALUES: Final = 4096
_PARTS: Final = re.compile(r"\s*(\w+)\s*:\s*((?:\{[^}]*\}|[^,{}])+)(?:,|$)")


@final
@dataclass
class Bounds:
    """Looks values up: in the command line, in annotations, in types, and in what the design itself passes."""

    wiring: Wiring
    given: Mapping[str, str]
    problems: list[Diagnostic] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def of_pin(self, place: Place, passing: Passing) -> tuple[Values, ...]:
        """The values of each parameter that is passed; what is missing is noted, and 0 stands for it."""
        return tuple(self._of(place, parameter) for parameter in self.wiring.pin(place).passed(passing))

    def of_variable(self, name: str, unit: str, reaction: str, variable: Variable) -> Values | None:
        """What a variable may hold: what somebody says, or its type has, or the design assigns; None: not known."""
        found = self._of_variable(name, variable, self.wiring.by_name[unit], reaction)
        return found if found is not None else self._assigned.variable(unit, reaction, variable.name)

    def _of_variable(self, name: str, variable: Variable, unit: Unit, reaction: str) -> Values | None:
        """An annotation of a name means the variable of the component, if there is one."""
        if name in self.given:
            self.used.add(name)
            return self._resolved(self.given[name], variable.type.name, name, variable.span)
        found = self.wiring.design.annotated(unit.component.name, variable.name, VALUES)
        is_meant = not reaction or all(one.name != variable.name for one in unit.component.variables)
        if isinstance(found, str) and is_meant:
            return self._resolved(found, variable.type.name, name, variable.span)
        return self._of_type(variable.type.name)

    def unused(self) -> Iterator[Diagnostic]:
        """Bounds on the command line that nobody has asked for."""
        known = [
            f"{str(place).replace(':', '.')}.{p.name}"
            for place in self._places()
            for p in self.wiring.pin(place).parameters
        ]
        for name in self.given:
            if name not in self.used and name not in known and name not in self._variables():
                message = f"there is no data `{name}` to give a bound for"
                yield Diagnostic(Code.BOUND, message, help=suggestion(name, [*known, *self._variables()]))

    def _places(self) -> Iterator[Place]:
        for unit in self.wiring.units:
            yield from (Place(unit.name, pin.name) for pin in unit.component.pins)

    def _variables(self) -> list[str]:
        found = []
        for unit in self.wiring.units:
            prefix = f"{unit.name}." if unit.name else ""
            found += [f"{prefix}{variable.name}" for variable in unit.component.variables]
            found += [f"{prefix}{r.name}.{v.name}" for r in unit.component.reactions for v in r.variables]
        return found

    def _of(self, place: Place, parameter: Parameter) -> Values:
        found = self._said_of_data(place, parameter)
        if found is None:
            position = self.wiring.pin(place).passed(parameter.passing).index(parameter)
            found = self._assigned.data(place, parameter.passing, position)
        if found is not None:
            return found
        name = f"{str(place).replace(':', '.')}.{parameter.name}"
        annotation = f'annotate {place.pin} {{"comfort", const string values = "{parameter.name}: 0..3"}}'
        help = f"write `--bound {name}=0..3`, or {annotation}"
        message = f"the values of `{parameter.name}` of the pin `{place}` are not known"
        problem = Diagnostic(Code.MISSING_BOUND, message, parameter.span, help=help)
        if problem not in self.problems:
            self.problems.append(problem)
        return (0,)

    def _said(self, place: Place, position: int) -> Values | None:
        """What the command line or an annotation of a pin says of a parameter; connected pins have the same ones."""
        pin = self.wiring.pin(place)
        own = pin.parameters[position]
        name = f"{str(place).replace(':', '.')}.{own.name}"
        if name in self.given:
            self.used.add(name)
            return self._resolved(self.given[name], own.type.name, name, own.span)
        component = self.wiring.by_name[place.unit].component
        for annotation in self.wiring.design.annotations:
            about = (annotation.scope, annotation.subject, annotation.framework, annotation.name)
            if about == (component.name, pin.name, COMFORT, VALUES):
                texts = values_by_name(annotation)
                if own.name in texts:
                    return self._resolved(texts[own.name], own.type.name, name, annotation.value_span)
        return None

    def _of_type(self, type: str) -> Values | None:
        """The values of a type that has few."""
        if type == "bool":
            return (0, 1)
        for enumeration in self.wiring.design.enumerations:
            if enumeration.name == type:
                return tuple(sorted({value for _, value in enumeration.values}))
        return None

    @cached_property
    def _assigned(self) -> Assigned:
        """What the design itself assigns and passes, as far as nobody says anything else."""
        return Assigned(self.wiring, self._said_of_variable, self._said_of_data)

    def _said_of_variable(self, unit: Unit, reaction: str, variable: Variable) -> Values | None:
        name = ".".join(part for part in (unit.name, reaction, variable.name) if part)
        return self._of_variable(name, variable, unit, reaction)

    def _said_of_data(self, place: Place, parameter: Parameter) -> Values | None:
        partners = (place, *self.wiring.sources.get(place, ()), *self.wiring.targets.get(place, ()))
        position = self.wiring.pin(place).parameters.index(parameter)
        said = (self._said(own, position) for own in partners)
        return next((found for found in said if found is not None), None) or self._of_type(parameter.type.name)

    def _resolved(self, text: str, type: str, name: str, span: Span) -> Values:
        try:
            text = self._with_numbers(text)
            values = resolve(parse_bound(text), Bool() if type == "bool" else Int(32, True), {}, name)
        except InputError as error:
            self.problems += [
                Diagnostic(d.code, d.message, span if span.line else d.span, help=d.help) for d in error.diagnostics
            ]
            return (0,)
        if len(values) > MOST_VALUES:
            message = f"`{name}` has {len(values):,} values, and no more than {MOST_VALUES:,} are looked at"
            self.problems.append(Diagnostic(Code.TOO_LARGE, message, span))
            return (0,)
        return tuple(sorted(values))

    def _with_numbers(self, text: str) -> str:
        """A bound in which enumerators are numbers."""
        numbers = {name: str(value) for e in self.wiring.design.enumerations for name, value in e.values}
        return re.sub(r"[^\W\d]\w*", lambda word: numbers.get(word[0], word[0]), text)


def values_by_name(annotation: Annotation) -> dict[str, str]:
    """`"force: 0..3, hand: {0, 2}"`, by parameter."""
    return {name: text.strip() for name, text in _PARTS.findall(str(annotation.value))}
