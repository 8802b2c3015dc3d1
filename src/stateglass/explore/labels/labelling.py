"""Which rules of a label map a step of the program fits, and what it is called then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, assert_never, final

from stateglass.explore.around.moves import Called, Event, Exited, LookedAt, Returned, Stored, Threw, WasRead
from stateglass.explore.cells.vague import as_number
from stateglass.explore.labels.touching import Accessed, PointedTo, may_be, places_handed, places_read
from stateglass.model import TAU
from stateglass.program import Call, Comparison, Float, Statement, Terminator, Type, is_scalar
from stateglass.program.walk import written_by
from stateglass.system.maps import (
    Label,
    Relation,
    ResolvedCall,
    ResolvedExit,
    ResolvedLabels,
    ResolvedLine,
    ResolvedRead,
    ResolvedReturn,
    ResolvedRule,
    ResolvedWatch,
    ResolvedWrite,
    Target,
    ValueTest,
)
from stateglass.system.maps.rules import VALUE
from stateglass.values import Domain

if TYPE_CHECKING:
    from stateglass.explore.shown.actions import Texts

Options = list[tuple[str, bool | None]]
"""Labels that an event may have, in order; True: it has it for certain, None: perhaps."""
Touches = Callable[[Iterable[Accessed], Iterable[Target]], bool]
"""Whether one of some places may be part of one of some variables."""
_RELATIONS: Final = {r: Comparison(r.value) for r in Relation}


@final
class Labelling:
    """A label map at work. Without one every action keeps its own text."""

    def __init__(self, labels: ResolvedLabels, domain: Domain[Any], texts: Texts) -> None:
        self._rules = labels.rules
        self._domain = domain
        self._texts = texts

    # ---- steps within a function

    def of_step(
        self, node: Statement | Terminator, function: str, arrives: bool, is_pointed_to: PointedTo
    ) -> list[ResolvedRule]:
        """The rules that a statement or terminator may fit, calls and returns left aside.

        `arrives`: control may come to it from another line.
        """

        def touches(places: Iterable[Accessed], targets: Iterable[Target]) -> bool:
            return any(may_be(p, t, function, is_pointed_to) for p in places for t in targets)

        return [rule for rule in self._rules if self._fits(rule, node, arrives, touches)]

    def _fits(self, rule: ResolvedRule, node: Statement | Terminator, arrives: bool, touches: Touches) -> bool:
        match rule.event:
            case ResolvedLine(file, line):
                return arrives and node.span.start.file == file and node.span.start.line == line
            case ResolvedRead(target):
                return touches(places_read(node), (target,))
            case ResolvedWrite(target):
                return touches(written_by(node), (target,))
            case ResolvedWatch():
                return touches(written_by(node), rule.event.variables)
            case _:
                return False

    def of_call(self, call: Call, is_pointed_to: PointedTo) -> list[ResolvedRule]:
        """The rules about variables that a function outside may write."""
        if not any(places_handed(call)):
            return []
        return [rule for rule in self._rules if any(is_pointed_to(t.variable) for t in _written(rule))]

    def watched(self, function: str) -> frozenset[str]:
        """The locals of a function that matter to conditions as long as the function runs."""
        watches = [rule.event.variables for rule in self._rules if isinstance(rule.event, ResolvedWatch)]
        together = [t.variable for w in watches if len(w) > 1 for t in w]
        return frozenset(v.name for v in together if v.function == function)

    # ---- calls and ends

    def call(self, function: str, arguments: Sequence[Any], types: Sequence[Type]) -> Options:
        values = {i: (v, t) for i, (v, t) in enumerate(zip(arguments, types, strict=False), 1)}
        found: Options = []
        for rule in self._rules:
            if isinstance(rule.event, ResolvedCall) and rule.event.function == function:
                outcome = self._arguments(rule.event, values)
                if self._add(found, rule.label, outcome, values):
                    break
        return found

    def returned(self, function: str, value: Any, type: Type) -> Options:
        values = {VALUE: (value, type)}
        found: Options = []
        for rule in self._rules:
            if isinstance(rule.event, ResolvedReturn) and rule.event.function == function:
                outcome = self._tests(rule.event.value, value, type)
                if self._add(found, rule.label, outcome, values):
                    break
        return found

    def exit(self, status: Any, type: Type) -> Options:
        found: Options = []
        for rule in self._rules:
            if isinstance(rule.event, ResolvedExit):
                outcome = self._tests(rule.event.status, status, type)
                if self._add(found, rule.label, outcome, {VALUE: (status, type)}):
                    break
        return found

    def read(self, name: str, value: Any, type: Type) -> Options:
        """An input is read."""
        for rule in self._rules:
            if isinstance(rule.event, ResolvedRead) and str(rule.event.target) == name:
                return [(self.text(rule.label, {VALUE: (value, type)}), True)]
        return []

    def actions(self, event: Event | None) -> list[str]:
        """What a move may be called that is such an event."""
        match event:
            case Called(function, arguments, types):
                return shown(self.call(function, arguments, types))
            case Returned(function, value, type):
                return shown(self.returned(function, value, type))
            case Exited(status, type):
                return shown(self.exit(status, type))
            case WasRead(name, value, type):
                return shown(self.read(name, value, type))
            case Threw() | LookedAt() | Stored() | None:
                return [TAU]
            case _:
                assert_never(event)

    def knows_call(self, function: str) -> bool:
        return any(isinstance(r.event, ResolvedCall) and r.event.function == function for r in self._rules)

    def knows_return(self, function: str) -> bool:
        return any(isinstance(r.event, ResolvedReturn) and r.event.function == function for r in self._rules)

    def _arguments(self, event: ResolvedCall, values: dict[int, tuple[Any, Type]]) -> bool | None:
        if event.arguments is None:
            return True
        if len(values) < len(event.arguments) or (len(values) > len(event.arguments) and not event.more):
            return False
        return _all(self._tests(t, *values[i]) for i, t in enumerate(event.arguments, 1))

    def _tests(self, tests: tuple[ValueTest, ...], value: Any, type: Type) -> bool | None:
        if not tests:
            return True
        if not is_scalar(type) or isinstance(type, Float):
            return False  # behind the declared arguments of a variadic function may be anything
        value = as_number(value, type)
        compare = [self._domain.compare(_RELATIONS[t.relation], type) for t in tests]
        return _all(self._domain.decide(c(value, t.value)) for c, t in zip(compare, tests, strict=True))

    def _add(self, found: Options, label: Label, outcome: bool | None, values: dict[int, tuple[Any, Type]]) -> bool:
        """Note a label that fits; True if none after it can."""
        if outcome is not False:
            found.append((self.text(label, values), outcome))
        return outcome is True

    def text(self, label: Label, values: dict[int, tuple[Any, Type]]) -> str:
        return label.filled({n: self._texts.value(*values[n]) for n in label.parameters})


def _written(rule: ResolvedRule) -> tuple[Target, ...]:
    """The variables of which a rule wants to know that they are written."""
    match rule.event:
        case ResolvedWrite(target):
            return (target,)
        case ResolvedWatch():
            return rule.event.variables
        case _:
            return ()


def shown(options: Options) -> list[str]:
    """The actions that a step may have: `tau` as well if it may have none of the labels."""
    actions = [label for label, _ in options]
    if not options or options[-1][1] is not True:
        actions.append(TAU)
    return actions


def _all(outcomes: Iterable[bool | None]) -> bool | None:
    result: bool | None = True
    for outcome in outcomes:
        if outcome is False:
            return False
        if outcome is None:
            result = None
    return result
