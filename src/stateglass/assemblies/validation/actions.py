"""Whether statements and conditions make sense where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never, final

from stateglass.assemblies.computing import Typed, computed
from stateglass.assemblies.types import UNDEFINED, limits
from stateglass.assemblies.validation.findings import Findings
from stateglass.assemblies.validation.scope import NUMBER, NameKind, Scope, check_expression, fits, known, sort_of
from stateglass.design import (
    ZERO,
    Assign,
    Begin,
    Block,
    Component,
    Constant,
    End,
    Expression,
    If,
    Name,
    Parameter,
    Passing,
    Pin,
    Reaction,
    Repeat,
    Statement,
    Transition,
    Variable,
    names_in,
)
from stateglass.source import Span, counted


@final
@dataclass(frozen=True, slots=True)
class ActionCheck:
    """Checks what is done in a reaction, where the names of `scope` are known."""

    found: Findings
    component: Component
    reaction: Reaction
    scope: Scope

    def within(self, transition: Transition) -> ActionCheck:
        """The same where the data of a trigger has names."""
        trigger = transition.trigger
        pin = self.component.pin(trigger.pin) if trigger else None
        if trigger is None or pin is None:
            return self
        passed = pin.passed(Passing.END if trigger.is_end else Passing.BEGIN)
        return replace(self, scope=self.scope.with_locals(zip(trigger.names, passed, strict=False)))

    def condition(self, expression: Expression) -> None:
        """Something that is true or false: a number as in C, but no value of an enumeration, and not a number alone."""
        sort = check_expression(self.found, self.scope, expression)
        if sort not in (None, NUMBER):
            help = "compare it: `mode == RUN`"
            self.found.error(f"a value of `{sort}` is neither true nor false", expression.span, help)
        elif isinstance(expression, Constant) and expression.value not in (0, 1):
            self.found.error("a number alone is no condition", expression.span, "compare with it: `n < 3`")

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign(target, value):
                self._assign(target, value)
            case Begin(name, arguments, span):
                self._interaction(name, arguments, span, is_end=False)
            case End(name, arguments, span):
                self._interaction(name, arguments, span, is_end=True)
            case If(condition, then, otherwise):
                self.condition(condition)
                self.statement(then)
                self.statement(otherwise)
            case Repeat(condition, body):
                self.condition(condition)
                self.statement(body)
            case Block(statements):
                for one in statements:
                    self.statement(one)
            case other:
                assert_never(other)

    def _assign(self, target: Name, value: Expression) -> None:
        meaning = known(self.found, self.scope, target)
        if meaning is None:
            check_expression(self.found, self.scope, value)
        elif meaning.kind is NameKind.VARIABLE:
            fits(self.found, self.scope, value, meaning.sort, f"`{target.name}`")
        else:
            check_expression(self.found, self.scope, value)
            help = "keep it in a variable of the component, and change that"
            self.found.error(f"`{target.name}` is {meaning.kind.value}, and does not change", target.span, help)

    def _interaction(self, name: str, arguments: Sequence[Expression], span: Span, *, is_end: bool) -> None:
        mark = "$" if is_end else "^"
        pin = self.pin(name, span)
        if pin is None:
            for argument in arguments:
                check_expression(self.found, self.scope, argument)
            return
        if pin.is_sink is not is_end:
            message = (
                f"`^{name}` would begin an interaction on a sink pin"
                if pin.is_sink
                else f"`${name}` would complete an interaction on a source pin"
            )
            other = f"`${name}(…)` completes what others began" if pin.is_sink else f"`^{name}(…)` begins one"
            if not self.found.gaps.explains(name):
                self.found.error(message, span, other)
            return
        passed = pin.passed(Passing.END if is_end else Passing.BEGIN)
        if len(arguments) != len(passed):
            message = f"`{mark}{name}` carries {_data(passed)}, and here {_are(len(arguments))}"
            self.found.error(message, span, f"write {_form(mark, name, passed)}")
        for argument, parameter in zip(arguments, passed, strict=False):
            fits(self.found, self.scope, argument, sort_of(parameter.type), f"`{parameter.name}`")

    def trigger(self, transition: Transition) -> None:
        """Whether what a transition waits for can come, and with as much data as is named."""
        trigger = transition.trigger
        pin = self.pin(trigger.pin, trigger.span) if trigger else None
        if trigger is None or pin is None:
            return
        mark = "$" if trigger.is_end else "^"
        if pin.is_sink is trigger.is_end:
            message = (
                f"`${pin.name}` is what this reaction does itself: `{pin.name}` is a sink pin"
                if pin.is_sink
                else f"`^{pin.name}` is what this reaction does itself: `{pin.name}` is a source pin"
            )
            self.found.error(message, trigger.span, f"wait for `{'^' if pin.is_sink else '$'}{pin.name}`")
            return
        if trigger.is_end and pin.interaction.value == "asynch":
            help = f"make the pin `synch`, or go on without a trigger after `^{pin.name}`"
            self.found.error(f"nobody is told of the end of an `asynch` interaction: `{pin.name}`", trigger.span, help)
        passed = pin.passed(Passing.END if trigger.is_end else Passing.BEGIN)
        if trigger.names and len(trigger.names) != len(passed):
            message = f"`{mark}{pin.name}` carries {_data(passed)}, and here {_are(len(trigger.names), 'named')}"
            self.found.error(message, trigger.span, f"write {_form(mark, pin.name, passed)}")
        self.found.once("the name", ((name, trigger.span) for name in trigger.names))
        for name, parameter in zip(trigger.names, passed, strict=False):
            self._received(name, parameter, trigger.span)

    def _received(self, name: str, parameter: Parameter, span: Span) -> None:
        meaning = self.scope.names.get(name)
        if meaning is None:
            return
        if meaning.kind is not NameKind.VARIABLE:
            message = f"`{name}` is {meaning.kind.value}, and cannot be given data"
            self.found.error(message, span, "use another name, or a variable")
        elif meaning.sort not in (NUMBER, sort_of(parameter.type)):
            message = f"`{name}` is of `{meaning.sort}`, and `{parameter.name}` is of `{parameter.type.name}`"
            self.found.error(message, span, "use another name, or a variable of that type")

    def pin(self, name: str, span: Span) -> Pin | None:
        """A pin that the reaction has; that it has none is noted."""
        pin = self.component.pin(name)
        if pin is None:
            self.found.unknown("pin", name, span, (p.name for p in self.component.pins), "declare one: `sink …`")
        elif name not in self.reaction.pins:
            listed = ", ".join((*self.reaction.pins, name))
            message = f"`{self.reaction.name}` does not have the pin `{name}`"
            self.found.error(message, span, f"name it: `react {self.reaction.name}({listed})`")
        return pin


def check_initial(found: Findings, scope: Scope, variable: Variable, numbers: Mapping[str, int]) -> None:
    """What a variable begins with is made of constants, and fits; without a word it is 0. Enumerators are `numbers`."""
    sort = sort_of(variable.type)
    if variable.initial == ZERO and sort != NUMBER:
        return
    names = list(names_in(variable.initial))
    changing = [n for n in names if n.name in scope.names and scope.names[n.name].kind is NameKind.VARIABLE]
    for name in changing:
        help = "use constants, and assign the rest in the transition from `start`"
        found.error(f"`{name.name}` is a variable, and has no value yet", name.span, help)
    if changing:
        return
    fits(found, scope.constants, variable.initial, sort, f"`{variable.name}`")
    if sort == NUMBER and all(n.name in numbers for n in names):
        try:
            value = computed(variable.initial, {n: Typed(numbers[n.name]) for n in names})
        except ArithmeticError:
            found.error(f"`{variable.name}` would begin with {UNDEFINED}", variable.initial.span, "write the number")
            return
        low, high = limits(variable.type.name)
        if not low <= value <= high:
            message = f"{value} does not fit into `{variable.type.name} {variable.name}`"
            found.error(message, variable.initial.span, f"its values are {low} to {high}")


def _data(parameters: Sequence[Parameter]) -> str:
    if not parameters:
        return "nothing"
    return ", ".join(f"`{p.type.name} {p.name}`" for p in parameters)


def _are(number: int, what: str = "given") -> str:
    return f"{counted(number, 'value')} {'is' if number == 1 else 'are'} {what}" if number else f"nothing is {what}"


def _form(mark: str, name: str, parameters: Sequence[Parameter]) -> str:
    return f"`{mark}{name}({', '.join(p.name for p in parameters)})`"
