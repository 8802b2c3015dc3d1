"""Variables that several threads use, found by who carries out what."""

from __future__ import annotations

from collections.abc import Iterator

from stateglass.assemblies.interpretation.charts import Chart
from stateglass.assemblies.interpretation.context import Context, Variable
from stateglass.assemblies.interpretation.expressions import initial_value
from stateglass.assemblies.interpretation.planning import Carrier
from stateglass.assemblies.interpretation.values import Values
from stateglass.assemblies.interpretation.wiring import Role, blocks_of
from stateglass.design import Assign, Begin, Block, End, Expression, If, Name, Reaction, Repeat, names_in, parts_of
from stateglass.source import Code, Diagnostic


def using_threads(context: Context) -> Iterator[tuple[str, Values | None, Diagnostic | None]]:
    """Variables of the program that several threads use and some change: the values of each, or why there are none."""
    plan = context.plan
    for (unit, reaction, _), variable in context.variables.items():
        roles = [r for r in plan.wiring.roles if r.unit == unit and reaction in ("", r.reaction)]
        users = [role for role in roles if _uses(context, role, variable)]
        if len(threads_of(context, variable)) < 2 or not any(_changes(context, role, variable) for role in users):
            continue
        span = variable.declared.span
        values = context.bounds.of_variable(variable.design, unit, reaction, variable.declared)
        if values is None:
            help = f"write `--bound {variable.design}=0..10`"
            message = f"the values of `{variable.design}`, which several threads use, are not known"
            yield variable.name, None, Diagnostic(Code.MISSING_BOUND, message, span, help=help)
        elif (first := initial_value(plan.wiring, unit, variable.declared)) not in values:
            message = f"`{variable.design}` is {first} at first, which is not among its values"
            yield variable.name, None, Diagnostic(Code.BOUND, message, span, help="give it values that have it")
        else:
            yield variable.name, values, None
    for role, state in context.state_variables.items():
        if len(plan.carried[role]) > 1:
            yield state, tuple(plan.charts[role].numbers.values()), None
    for pin, tracked in context.tracked.items():
        if len(plan.carried[plan.wiring.handler(pin)]) > 1:
            yield tracked, tuple(range(len(plan.senders(pin)) + 1)), None


def threads_of(context: Context, variable: Variable) -> set[Carrier]:
    """The threads in whose code a variable stands."""
    own = {role: carriers for role, carriers in context.plan.carried.items() if role.unit == variable.unit}
    return {
        carrier for role, carriers in own.items() if carriers and _uses(context, role, variable) for carrier in carriers
    }


def _uses(context: Context, role: Role, variable: Variable) -> bool:
    return any(context.variable(role, name) == variable for name in names_of(context.plan.charts[role].reaction))


def _changes(context: Context, role: Role, variable: Variable) -> bool:
    return any(context.variable(role, name) == variable for name in changed_in(context.plan.charts[role]))


def names_of(reaction: Reaction) -> Iterator[Name]:
    """All names that stand in a reaction."""
    expressions: list[Expression] = [t.guard for t in reaction.transitions if t.guard is not None]
    for block in blocks_of(reaction):
        for part in parts_of(block):
            match part:
                case Assign(target, value):
                    yield target
                    expressions.append(value)
                case Begin(_, arguments) | End(_, arguments):
                    expressions += arguments
                case If(condition) | Repeat(condition):
                    expressions.append(condition)
                case Block():
                    pass
    for expression in expressions:
        yield from names_in(expression)
    for transition in reaction.transitions:
        yield from (Name(name) for name in (transition.trigger.names if transition.trigger else ()))


def changed_in(chart: Chart) -> Iterator[Name]:
    """The names that a reaction gives values to."""
    for block in blocks_of(chart.reaction):
        yield from (part.target for part in parts_of(block) if isinstance(part, Assign))
    for transition in chart.reaction.transitions:
        yield from (Name(name) for name in (transition.trigger.names if transition.trigger else ()))
