"""From a label map to rules about the functions, variables and lines of a program."""

from __future__ import annotations

from typing import assert_never, final

from stateglass.program import Declaration, Float, Function, Program, Type, Void, is_scalar
from stateglass.program.callgraph import statements_of
from stateglass.source import Code, InputError, Span
from stateglass.system.maps.conditions import Combined, Condition, Named, Number, Prefixed, Target
from stateglass.system.maps.names import Names
from stateglass.system.maps.places import EVERY, PlaceName
from stateglass.system.maps.resolved import (
    ResolvedCall,
    ResolvedEvent,
    ResolvedExit,
    ResolvedLabels,
    ResolvedLine,
    ResolvedRead,
    ResolvedReturn,
    ResolvedRule,
    ResolvedWatch,
    ResolvedWrite,
    Tests,
    ValueTest,
)
from stateglass.system.maps.rules import (
    AnyValue,
    CallEvent,
    Compared,
    Constant,
    Event,
    ExitEvent,
    LabelMap,
    LineEvent,
    Pattern,
    ReadEvent,
    Relation,
    ReturnEvent,
    Rule,
    Watch,
    Within,
    WriteEvent,
)


def resolve_labels(map: LabelMap, program: Program) -> ResolvedLabels:
    """What a map means for a program. Everything that is wrong is one `InputError`."""
    resolving = _Resolving(program)
    rules = tuple(resolved for rule in map.rules for resolved in resolving.rules(rule))
    if resolving.names.problems:
        raise InputError(dict.fromkeys(resolving.names.problems))
    return ResolvedLabels(rules)


@final
class _Resolving:
    def __init__(self, program: Program) -> None:
        self.names = Names(program)
        self._program = program

    def rules(self, rule: Rule) -> list[ResolvedRule]:
        """What a rule means: several of them where a header defines something for several files."""
        return [ResolvedRule(event, rule.label) for event in self._events(rule.event, rule)]

    def _events(self, event: Event, rule: Rule) -> list[ResolvedEvent]:
        match event:
            case Watch(condition):
                return [self._watch(condition, rule)]
            case ExitEvent(status):
                return [ResolvedExit(self._tests(status))]
            case CallEvent(name):
                return [self._call(event, f, rule) for f in self.names.functions(name, rule.span)]
            case ReturnEvent(name):
                return [self._return(event, f, rule) for f in self.names.functions(name, rule.span)]
            case ReadEvent(place):
                return [ResolvedRead(target) for target in self._targets(place)]
            case WriteEvent(place):
                return [ResolvedWrite(target) for target in self._targets(place)]
            case LineEvent():
                return self._line(event, rule.span)
            case _:
                assert_never(event)

    # ---- watches

    def _watch(self, condition: Condition, rule: Rule) -> ResolvedWatch:
        before = len(self.names.problems)
        watch = ResolvedWatch(self._condition(condition))
        if not watch.variables and len(self.names.problems) == before:
            message = "this watch names no variable: nothing would ever make it be looked at"
            self.names.problem(message, rule.span, code=Code.MAP)
        return watch

    def _condition(self, condition: Condition) -> Condition:
        match condition:
            case Number() | Target():
                return condition
            case Named(place):
                return self._named(place)
            case Prefixed(operator, operand):
                return Prefixed(operator, self._condition(operand))
            case Combined(operator, left, right):
                return Combined(operator, self._condition(left), self._condition(right))
            case _:
                assert_never(condition)

    def _named(self, place: PlaceName) -> Condition:
        """A variable or an enumerator; if it is neither, a number that stands in."""
        if place.scope is None and not place.steps:
            value = self.names.enumerator(place.name, place.span)
            if value is not None:
                return Number(value)
        targets = self._targets(place)
        if not targets:
            return Number(0)
        target, shown = targets[0], str(place)
        if len(targets) > 1:
            listed = ", ".join(f"`{t}`" for t in targets)
            message = f"`{shown}` is ambiguous, as each file that includes it has one: {listed}"
            self.names.problem(message, place.span, code=Code.AMBIGUOUS_NAME)
        if EVERY in place.steps:
            self.names.problem(f"`{shown}` is not one element", place.span, "name one, as in `x[0]`", Code.MAP)
        elif isinstance(target.type, Float):
            message = f"`{shown}` is a floating-point number, and watches are over integers"
            self.names.problem(message, place.span, code=Code.MAP)
        elif not is_scalar(target.type):
            message = f"`{shown}` is no single value: it is `{target.type}`"
            self.names.problem(message, place.span, "name a member or an element", Code.MAP)
        return target

    def _targets(self, place: PlaceName) -> list[Target]:
        return [Target(part.variable, part.path, part.type) for part in self.names.variables(place)]

    # ---- calls and returns

    def _call(self, event: CallEvent, function: Function | Declaration, rule: Rule) -> ResolvedCall:
        count = len(function.parameters)
        has = f"`{function.name}` has {count} parameter{'s' * (count != 1)}"
        given = event.arguments
        if given is not None:
            too_many = len(given) > count and not function.variadic
            too_few = len(given) < count and not event.more
            if too_many or too_few:
                help = "write `_` for any value, and `...` at the end for any others"
                self.names.problem(f"{has}, and not {len(given)}", rule.span, help, Code.MAP)
        if not function.variadic and any(n > count for n in rule.label.parameters):
            wanted = max(rule.label.parameters)
            self.names.problem(f"there is no argument `${wanted}`: {has}", rule.span, code=Code.MAP)
        tests = None if given is None else tuple(self._tests(a) for a in given)
        for test, parameter in zip(tests or (), function.parameters, strict=False):
            if test:
                what = f"the argument `{parameter.name}` of `{function.name}`"
                self._must_be_integer(what, parameter.type, rule.span)
        return ResolvedCall(function.name, tests, event.more)

    def _return(self, event: ReturnEvent, function: Function | Declaration, rule: Rule) -> ResolvedReturn:
        asked = not isinstance(event.value, AnyValue) or bool(rule.label.parameters)
        if asked and not is_scalar(function.result):
            what = "nothing" if isinstance(function.result, Void) else f"`{function.result}`, no single value"
            self.names.problem(f"`{function.name}` returns {what}", rule.span, "write `return f` alone", Code.MAP)
        elif not isinstance(event.value, AnyValue):
            self._must_be_integer(f"what `{function.name}` returns", function.result, rule.span)
        return ResolvedReturn(function.name, self._tests(event.value))

    def _must_be_integer(self, what: str, type: Type, span: Span) -> None:
        """Notes a problem unless a value is an integer or a pointer: nothing else can be compared with a number."""
        if isinstance(type, Float):
            message = f"{what} is a floating-point number, and only integers are compared"
            self.names.problem(message, span, "write `_` for any value", Code.MAP)
        elif not is_scalar(type):
            message = f"{what} is no single value: it is `{type}`"
            self.names.problem(message, span, "write `_` for any value", Code.MAP)

    def _tests(self, pattern: Pattern) -> Tests:
        match pattern:
            case AnyValue():
                return ()
            case Compared(relation, constant, span):
                return (ValueTest(relation, self._constant(constant, span)),)
            case Within(low, high, span):
                first, last = self._constant(low, span), self._constant(high, span)
                if first > last:
                    self.names.problem(f"the range {low}..{high} is empty: it runs downwards", span, code=Code.MAP)
                return (ValueTest(Relation.GREATER_EQUAL, first), ValueTest(Relation.LESS_EQUAL, last))
            case _:
                assert_never(pattern)

    def _constant(self, constant: Constant, span: Span) -> int:
        if isinstance(constant, int):
            return constant
        value = self.names.enumerator(constant, span)
        if value is None:
            self.names.no_constant(constant, span)
            return 0
        return value

    # ---- lines

    def _line(self, event: LineEvent, span: Span) -> list[ResolvedEvent]:
        file = self.names.file(event.file, span)
        if file is None:
            return []
        lines = self._lines(file)
        if event.line not in lines:
            around = [
                max((n for n in lines if n < event.line), default=0),
                min((n for n in lines if n > event.line), default=0),
            ]
            shown = " and ".join(str(n) for n in around if n)
            help = f"there is code at line {shown}" if shown else f"`{file}` has no code that runs"
            self.names.problem(f"line {event.line} of `{file}` has no code", span, help)
        return [ResolvedLine(file, event.line)]

    def _lines(self, file: str) -> set[int]:
        """The lines of a file that code stands in."""
        return {
            node.span.line
            for function in self._program.functions.values()
            for node in statements_of(function.blocks)
            if node.span.file == file and node.span.line
        }
