"""Models of code and of a component with the same words for what both do: `^pin` and `$pin`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.assemblies.consistency.mapping import Mapping as Meant
from stateglass.design import Component, Design, Interaction, Parameter, Passing, Pin
from stateglass.model import TAU, Model, Verb, parsed
from stateglass.program.names import without_files
from stateglass.relate.operators import with_labels

_TRUTHS: Final = {"0": "false", "1": "true"}


@final
@dataclass(frozen=True)
class Renamed:
    """A model in the words of a component; `meaning` has what stood there before, `strange` what has no such word."""

    model: Model
    meaning: Mapping[str, str] = field(default_factory=dict)
    strange: tuple[str, ...] = ()


@final
@dataclass(frozen=True)
class Renaming:
    """What the labels of a model of code mean; functions are named as labels name them."""

    design: Design
    meant: Meant
    of_class: str = ""
    enumerators: Mapping[str, int] = field(default_factory=dict)  # of the code

    def of_code(self, model: Model) -> Renamed:
        """Calls and returns of functions that are pins; what else code does is silent, but for errors and ends."""
        new: list[str] = []
        meaning: dict[str, str] = {}
        strange = []
        pins = {name: pin for pin in self._component.pins for name in self._labels_of(pin)}
        for label in model.labels:
            action = parsed(label)
            pin = pins.get(without_files(action.name))
            text = TAU
            if action.verb in (Verb.ERROR, Verb.EXIT, Verb.THROW):
                text = label
            elif pin is not None and action.verb in (Verb.CALL, Verb.RETURN):
                text = self._interaction(pin, action.verb is Verb.RETURN, action.arguments)
                if not text:
                    strange.append(label)
                    text = label
            new.append(text)
            if text != TAU:
                meaning.setdefault(text, label)
        return Renamed(with_labels(model, new), meaning, tuple(strange))

    def of_design(self, model: Model, told: Callable[[str], str]) -> Model:
        """The same for a model of the component, whose labels are `told` as `^pin(data)`."""
        new = []
        for label in model.labels:
            text = told(label)
            end = text.partition("(")[0]
            pin = self._component.pin(end[1:]) if end.startswith("$") else None
            new.append(TAU if pin is not None and pin.interaction is Interaction.ASYNCH else text)
        return with_labels(model, new)

    def calls_of(self, model: Model, pin: Pin) -> tuple[dict[int, tuple[int, ...]], str]:
        """The data that each label brings, by its number, with which the function of a sink pin is called.

        And a label whose data is none that the pin has, if there is one.
        """
        names, parameters = tuple(self._labels_of(pin)), pin.passed(Passing.BEGIN)
        found = {}
        for number, label in enumerate(model.labels):
            action = parsed(label)
            if action.verb is not Verb.CALL or without_files(action.name) not in names:
                continue
            given = data_in(action.arguments)
            values = [self._number(p, text) for p, text in zip(parameters, given, strict=False)]
            data = tuple(value for value in values if value is not None)
            if not len(given) == len(parameters) == len(data):
                return {}, label
            found[number] = data
        return found, ""

    @property
    def _component(self) -> Component:
        return self.meant.component

    def _labels_of(self, pin: Pin) -> Iterator[str]:
        words = self.meant.pins.get(pin.name)
        if words is not None:
            name = words.text.removeprefix("::").replace("::", ".")
            yield from (without_files(words.text), name)
            if self.of_class:
                yield f"{self.of_class}.{name}"

    def _interaction(self, pin: Pin, is_end: bool, arguments: Sequence[str]) -> str:
        """`^pin(data)`; empty if the data is none that the pin has."""
        if is_end and pin.interaction is Interaction.ASYNCH:
            return TAU
        parameters = pin.passed(Passing.END if is_end else Passing.BEGIN)
        given = data_in(arguments)
        if is_end and not parameters:
            given = []
        data = [self._value(p, text) for p, text in zip(parameters, given, strict=False)]
        if len(given) != len(parameters) or None in data:
            return ""
        listed = ", ".join(map(str, data))
        return f"{'$' if is_end else '^'}{pin.name}" + (f"({listed})" if data else "")

    def _value(self, parameter: Parameter, text: str) -> str | None:
        """A value as the design writes it."""
        kind = parameter.type.name
        number = str(self.enumerators.get(text, text))
        if kind == "bool":
            return _TRUTHS.get(text, text if text in _TRUTHS.values() else None)
        enumeration = next((e for e in self.design.enumerations if e.name == kind), None)
        names = {} if enumeration is None else {str(value): name for name, value in enumeration.values}
        if text in names.values() and text not in self.enumerators:
            return text
        return names.get(number, number if number.lstrip("-").isdecimal() else None)

    def _number(self, parameter: Parameter, text: str) -> int | None:
        """A value as a number."""
        value = self._value(parameter, text)
        known = {"false": 0, "true": 1}
        for enumeration in self.design.enumerations:
            if enumeration.name == parameter.type.name:
                known |= dict(enumeration.values)
        return None if value is None else known[value] if value in known else int(value)


def data_in(arguments: Sequence[str]) -> list[str]:
    """What is data among arguments: where objects are is none."""
    return [text for text in arguments if not text.startswith("&") and text != "null"]
