"""Claims in the words of a design, translated into those of the program that was made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from functools import reduce
from typing import Final, final

from stateglass.assemblies.claims import claim_of, is_claim
from stateglass.assemblies.errors import KINDS, errors_meant, is_about_errors
from stateglass.assemblies.interpretation.expressions import initial_value
from stateglass.assemblies.interpretation.interpreting import Interpretation
from stateglass.assemblies.interpretation.wiring import Place, Role, Wiring
from stateglass.assemblies.misuse import misused_states, odd_data
from stateglass.assemblies.validation.scope import COMPONENT
from stateglass.design import START, Passing
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim, Language
from stateglass.logic.predicates import Applied, Named, Number, Predicate
from stateglass.logic.predicates import Text as Compared
from stateglass.logic.unrolling import parts_first
from stateglass.model import parsed
from stateglass.source import Code, Diagnostic, InputError, suggestion

STATE: Final = "state"
_NUMBER: Final = re.compile(r"-?[0-9]+")


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A claim of the design, and the same of the program."""

    claim: Claim  # its name is that of the answer
    translated: Claim
    annotation: str = ""  # the qualified name of the annotation that makes it
    asks_beyond: bool = False  # for data that is not among the values that are looked at


@final
@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where a claim speaks, and so what its names are looked for in: one instance, or all that there is."""

    unit: str | None  # None: names begin with an instance
    reaction: str = ""  # whose own variables go without its name


@final
@dataclass(frozen=True, slots=True)
class Claiming:
    """A claim of a design, and what its names mean."""

    claim: Claim
    viewpoint: Viewpoint
    annotation: str = ""  # the qualified name of the annotation that makes it


def annotated_claims(wiring: Wiring) -> list[Claiming]:
    """All claims that a design makes of what is looked at, each with the name that its answer has."""
    found = []
    for unit in wiring.units:
        for annotation in wiring.design.annotations:
            if annotation.scope == unit.component.name and is_claim(annotation):
                is_reaction = any(r.name == annotation.subject for r in unit.component.reactions)
                claim = claim_of(annotation)
                if wiring.is_assembly:
                    own = "" if annotation.subject == annotation.scope else f"{annotation.subject}."
                    claim = replace(claim, name=f"{wiring.name}.{unit.name}.{own}{annotation.name}")
                viewpoint = Viewpoint(unit.name, annotation.subject if is_reaction else "")
                found.append(Claiming(claim, viewpoint, annotation.qualified))
    for annotation in wiring.design.annotations:
        if wiring.is_assembly and annotation.scope == wiring.name and is_claim(annotation):
            found.append(Claiming(claim_of(annotation), Viewpoint(None), annotation.qualified))
    return found


def translated(interpretation: Interpretation, claims: Sequence[Claiming]) -> tuple[Asked, ...]:
    """The claims for the engines; all that is wrong with their names is one `InputError`."""
    problems: list[Diagnostic] = []
    found = []
    for one in claims:
        translating = _Translating(interpretation, one.claim, one.viewpoint, problems)
        found.append(Asked(one.claim, translating.run(), one.annotation, translating.asks_beyond))
    if problems:
        raise InputError(dict.fromkeys(problems))
    return tuple(found)


@final
class _Translating:
    def __init__(
        self, interpretation: Interpretation, claim: Claim, viewpoint: Viewpoint, problems: list[Diagnostic]
    ) -> None:
        self._own = interpretation
        self._claim = claim
        self._viewpoint = viewpoint
        self._problems = problems
        self._wiring = interpretation.wiring
        self.asks_beyond = False
        self._states: dict[str, Role] = {}
        for role in self._wiring.roles:
            for name in self._names_of(role.unit, role.reaction, STATE):
                self._states[name] = role

    def run(self) -> Claim:
        content = self._claim.content
        if content is BuiltIn.NO_UNREACHABLE:
            # The states of its model are those that were reached.
            message, help = "`no-unreachable` is not known of designs", "ask for a state: `ctl: EF [p.R.state == idle]`"
            self._problems.append(Diagnostic(Code.UNSUPPORTED, message, self._claim.span, help=help))
        if isinstance(content, BuiltIn):
            return self._claim
        if not isinstance(content, temporal.Formula) or self._claim.language not in (
            Language.LTL,
            Language.CTL,
            Language.ENGLISH,
        ):
            message = "of designs, claims are LTL, CTL, or sentences, or have a name such as `no-deadlock`"
            self._problems.append(Diagnostic(Code.UNSUPPORTED, message, self._claim.span))
            return self._claim
        if self._claim.fairness:
            message = "fairness is not known of designs"
            # Which events can happen at a moment depends on how far others have computed, and no step says that.
            help = "say what goes on again and again: `(G F p.^tick) => G F p.$in`"
            self._problems.append(Diagnostic(Code.UNSUPPORTED, message, self._claim.span, help=help))
        for message, _, span, help in misused_states(content, self._states_of):
            self._problems.append(Diagnostic(Code.CLAIM, message, span, help=help))
        return replace(self._claim, content=self._formula(content))

    def _states_of(self, name: str) -> tuple[str, ...] | None:
        role = self._states.get(name)
        return None if role is None else self._own.states[role][1]

    def _formula(self, formula: temporal.Formula) -> temporal.Formula:
        done: dict[int, temporal.Formula] = {}
        for node in parts_first(formula, temporal.parts):
            match node:
                case temporal.Holds(predicate):
                    made: temporal.Formula = replace(node, predicate=self._predicate(predicate))
                case temporal.Turns(_, predicate):
                    made = replace(node, predicate=self._predicate(predicate))
                case temporal.Happens():
                    made = self._event(node)
                case _:
                    own = {f.name: done[id(part)] for f in fields(node) if id(part := getattr(node, f.name)) in done}
                    made = replace(node, **own)  # type: ignore[arg-type]
            done[id(node)] = made
        return done[id(formula)]

    # ---- values

    def _predicate(self, predicate: Predicate) -> Predicate:
        nodes = parts_first(predicate, lambda p: p.operands if isinstance(p, Applied) else ())
        compared = dict(self._compared(nodes))
        done: dict[int, Predicate] = {}
        for node in nodes:
            match node:
                case Named() if id(node) in compared:
                    done[id(node)] = self._state(compared[id(node)], node)
                case Named():
                    done[id(node)] = self._value(node)
                case Applied(operator, operands):
                    done[id(node)] = Applied(operator, tuple(done[id(operand)] for operand in operands))
                case Number() | Compared():
                    done[id(node)] = node
        return done[id(predicate)]

    def _compared(self, nodes: Sequence[Predicate]) -> Iterator[tuple[int, Role]]:
        """The names that are compared with the state of a reaction."""
        for node in nodes:
            match node:
                case Applied(_, (Named(left) as one, Named(right) as other)):
                    if left in self._states and right not in self._states:
                        yield id(other), self._states[left]
                    elif right in self._states and left not in self._states:
                        yield id(one), self._states[right]
                case _:
                    pass

    def _state(self, role: Role, node: Named) -> Predicate:
        names = self._own.states[role][1]
        if node.name in names:
            return Number(names.index(node.name))
        help = suggestion(node.name, names)
        self._problems.append(
            Diagnostic(Code.UNKNOWN_NAME, f"`{role}` has no state `{node.name}`", node.span, help=help)
        )
        return Number(0)

    def _value(self, node: Named) -> Predicate:
        if node.name in self._states:
            role = self._states[node.name]
            name, states = self._own.states[role]
            return Named(name, node.span) if self._own.is_carried(role) else Number(states.index(START))
        if node.name in ("true", "false"):
            return Number(int(node.name == "true"))
        known: set[str] = set(self._states)
        # A variable of the reaction hides one of the component, in claims as in actions.
        hiding = sorted(self._own.variables.values(), key=lambda v: not v.reaction)
        for variable in hiding:
            names = self._names_of(variable.unit, variable.reaction, variable.declared.name)
            if node.name in names:
                if variable.name in self._own.unused:
                    return Number(initial_value(self._wiring, variable.unit, variable.declared))
                return Named(variable.name, node.span)
            known.update(names)
        for unit in self._wiring.units:
            for parameter, value in unit.constants.items():
                if node.name in self._names_of(unit.name, "", parameter):
                    return Number(value)
        for enumeration in self._wiring.design.enumerations:
            for name, number in enumeration.values:
                if node.name == name:
                    return Number(number)
                known.add(name)
        message = f"there is no variable `{node.name}`"
        self._problems.append(Diagnostic(Code.UNKNOWN_NAME, message, node.span, help=suggestion(node.name, known)))
        return Number(0)

    def _names_of(self, unit: str, reaction: str, name: str) -> list[str]:
        """What a claim may call something that an instance, or a reaction of it, has."""
        if self._viewpoint.unit is None:
            return [".".join(part for part in (unit, reaction, name) if part)]
        if unit != self._viewpoint.unit:
            return []
        own = ".".join(part for part in (reaction, name) if part)
        found = [own, f"{self._wiring.by_name[unit].component.name}.{own}"]
        found += [] if reaction else [f"{COMPONENT}.{own}"]
        return [*found, name] if reaction and reaction == self._viewpoint.reaction else found

    # ---- events

    def _event(self, node: temporal.Happens) -> temporal.Formula:
        pattern = node.pattern
        action = parsed(pattern)
        head = pattern.partition("(")[0]
        if is_about_errors(pattern):
            return self._errors(node)
        if pattern.startswith("re:"):
            # It would be held against names that only the program has.
            message, help = "regular expressions are not known of designs", "write `p.^*`, where `*` is any text"
            self._problems.append(Diagnostic(Code.UNSUPPORTED, message, node.span, help=help))
            return node
        if action.verb is not None or pattern in ("tau", "*"):
            return node
        names = [name for name in self._own.events if any(fnmatchcase(own, head) for own in self._events_of(name))]
        sizes = {size for own, size in self._all_events() if fnmatchcase(own, head)}
        if not sizes:
            message = f"there is no event `{pattern}`"
            help = suggestion(head, dict.fromkeys(own for own, _ in self._all_events()))
            self._problems.append(Diagnostic(Code.UNKNOWN_NAME, message, node.span, help=help))
        elif odd := odd_data(pattern, sizes, self._numbers):
            self._problems.append(Diagnostic(Code.CLAIM, odd[0], node.span, help=odd[2]))
        arguments = [self._argument(text) for text in action.arguments]
        carrying = [name for name in names if self._may_carry(name, arguments)]
        self.asks_beyond |= len(carrying) < len(names)
        written = f"({', '.join(arguments)})" if arguments and arguments != ["*"] else ""
        return _any_of([f"{name}{written}" for name in carrying], node)

    def _may_carry(self, event: str, arguments: Sequence[str]) -> bool:
        data = self._own.carried.get(event, ())
        pairs = zip(arguments, data, strict=False)
        return all(not _NUMBER.fullmatch(text) or int(text) in values for text, values in pairs)

    def _errors(self, node: temporal.Happens) -> temporal.Formula:
        """What goes wrong in a design has other names than in its program."""
        meant = errors_meant(node.pattern)
        if not meant:
            message = f"there is no event `{node.pattern}`"
            help = f"errors of designs are of the kinds {', '.join(KINDS)}"
            self._problems.append(Diagnostic(Code.UNKNOWN_NAME, message, node.span, help=help))
        return _any_of(meant, node)

    def _argument(self, text: str) -> str:
        """Data as the program has it: numbers."""
        if _NUMBER.fullmatch(text):
            return str(int(text))
        return {"true": "1", "false": "0"}.get(text, str(self._numbers.get(text, text)))

    @property
    def _numbers(self) -> dict[str, int]:
        return {name: value for e in self._wiring.design.enumerations for name, value in e.values}

    def _events_of(self, name: str) -> Iterator[str]:
        """What a claim may call an event of the program."""
        event = self._own.events[name]
        for place in event.places if event.mark else ():
            yield from self._called(place, event.mark)

    def _called(self, place: Place, mark: str) -> Iterator[str]:
        if self._viewpoint.unit is None:
            yield f"{place.unit}.{mark}{place.pin}"
        elif place.unit == self._viewpoint.unit:
            yield f"{mark}{place.pin}"
            yield f"{self._wiring.by_name[place.unit].component.name}.{mark}{place.pin}"

    def _all_events(self) -> Iterator[tuple[str, int]]:
        """Also those that never happen, with how many values they carry."""
        for unit in self._wiring.units:
            for pin in unit.component.pins:
                for mark, passing in (("^", Passing.BEGIN), ("$", Passing.END)):
                    size = len(pin.passed(passing))
                    yield from ((own, size) for own in self._called(Place(unit.name, pin.name), mark))


def _any_of(events: Sequence[str], node: temporal.Happens) -> temporal.Formula:
    """That one of these happens where the claim names an event."""
    found: list[temporal.Formula] = [temporal.Happens(name, node.span) for name in events]
    return reduce(temporal.Or, found) if found else temporal.FALSE
