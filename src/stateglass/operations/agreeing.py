"""From a component and the code that implements it to whether they agree: by functions, and in all their runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, final

from stateglass.assemblies.consistency.labels import Renamed, Renaming
from stateglass.assemblies.consistency.machines import Believed, Handler, believed, handlers_of, probes_of
from stateglass.assemblies.consistency.mapping import Mapping, mapping_of
from stateglass.assemblies.consistency.mapping import Meaning as Meaning
from stateglass.assemblies.consistency.mapping import given_meaning as given_meaning
from stateglass.assemblies.interpretation.bounds import Bounds
from stateglass.assemblies.interpretation.interpreting import Interpretation, Said, interpreted
from stateglass.assemblies.interpretation.wiring import Place, Wiring, wiring_of
from stateglass.assemblies.telling import Telling
from stateglass.design import Component, Design, Passing
from stateglass.evidence import ReflexionModel
from stateglass.explore import Manner
from stateglass.model import TAU, Model, Relation, parsed
from stateglass.operations.comparing import Comparison, compare_models
from stateglass.operations.designs import setting_of
from stateglass.program import Pointer, Program
from stateglass.program.probes import Probe
from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.relate import Side
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, suggestion
from stateglass.unbounded.threads.explicit import explored
from stateglass.unbounded.threads.systems import thread_systems
from stateglass.work import Progress, silent

RELATION: Final = "weaksimulation"
NAMES: Final = ("the code", "the design")


class Implementation(Protocol):
    """The code, and what can be asked of it."""

    def program(self, probes: Sequence[Probe]) -> Program: ...

    def reflected(self, hypothesis: Hypothesis) -> ReflexionModel: ...

    def model(self, functions: Sequence[str], init: str | None, bounds: Sequence[tuple[str, str]]) -> Model: ...


@final
@dataclass(frozen=True)
class Held:
    """A function held against the part of the statechart that it carries out; `unclear`: why that cannot be."""

    handler: Handler
    model: ReflexionModel | None
    unclear: str = ""


@final
@dataclass(frozen=True)
class Simulated:
    """Whether the component can do whatever the code does."""

    related: bool | None
    reason: str = ""  # why it is not known
    run: tuple[tuple[str, str], ...] = ()  # what only the code does: in the words of the design, and of the code
    ending: str = ""  # what happens at the end of it
    allowed: tuple[str, ...] = ()  # what the component does instead of the last step
    code: Model | None = None
    design: Model | None = None


@final
@dataclass(frozen=True)
class Agreement:
    """What was found about a component and the code that implements it."""

    component: str
    held: tuple[Held, ...]
    simulated: Simulated
    warnings: tuple[Diagnostic, ...] = ()
    of_class: str = ""


def implemented(design: Design, of: Sequence[str]) -> Component:
    """The component that is meant."""
    known = {c.name: c for c in design.components if c.reactions}
    names = of or tuple(known)
    if len(names) != 1:
        message = "code is held against one component" if names else "no component has a reaction"
        raise InputError([Diagnostic(Code.USAGE, message, help=suggestion("", known) and "name it with --of")])
    if names[0] not in known:
        message = f"there is no component `{names[0]}` with a reaction"
        raise InputError([Diagnostic(Code.UNKNOWN_NAME, message, help=suggestion(names[0], known))])
    return known[names[0]]


def agree(
    design: Design,
    component: Component,
    given: Sequence[Meaning],
    code: Implementation,
    *,
    of_class: str = "",
    bounds: dict[str, str] | None = None,
    manner: Manner | None = None,
    progress: Progress = silent,
) -> Agreement:
    """Both answers; all that is wrong with the mapping is one `InputError`."""
    mapping, wrong = mapping_of(design, component, given, of_states=not of_class)
    names, odd = _functions(mapping, code.program(()), of_class)
    handlers, unfit = handlers_of(mapping, names)
    problems = [*wrong, *(d for d in odd if d.severity is Severity.ERROR), *unfit]
    if not of_class:
        try:
            code.program([probe for handler in handlers for probe in probes_of(mapping, handler)])
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(sorted(dict.fromkeys(problems), key=lambda d: d.span))
    held = () if of_class else _held(design, mapping, handlers, code, progress)
    simulating = _Simulating(design, mapping, handlers, code, of_class)
    simulated = simulating.run(Said(bounds or {}), manner or Manner(), progress)
    return Agreement(component.name, held, simulated, odd, of_class)


def _functions(
    mapping: Mapping, program: Program, of_class: str
) -> tuple[dict[str, tuple[str, ...]], tuple[Diagnostic, ...]]:
    """The parameters with data of each function that is a pin, and what is wrong or odd."""
    found: dict[str, tuple[str, ...]] = {}
    problems: list[Diagnostic] = []
    prefix = f"{of_class.rpartition('::')[2]}." if of_class else ""
    functions = {name.removeprefix(prefix): f for name, f in program.functions.items() if name.startswith(prefix)}

    def unknown(text: str, span: Span) -> None:
        what = f"a function `{text}` of `{of_class}`" if of_class else f"a function `{text}` with a body"
        problems.append(
            Diagnostic(Code.UNKNOWN_NAME, f"there is no {what[2:]}", span, help=suggestion(text, functions))
        )

    for pin in mapping.component.pins:
        words = mapping.pins.get(pin.name)
        if words is None:
            continue
        text = words.text
        if pin.is_sink:
            function = functions.get(text)
            if function is None:
                unknown(text, words.span)
            else:
                found[text] = tuple(p.name for p in function.parameters if not isinstance(p.type, Pointer))
        elif text in functions:
            message = f"`{text}` has a body, and what it does is no interaction on the source pin `{pin.name}`"
            help = "leave out the file that defines it"
            problems.append(Diagnostic(Code.DESIGN, message, words.span, help=help))
        elif not of_class and text not in program.declarations:
            message = f"the code never calls `{text}`, the source pin `{pin.name}`"
            help = suggestion(text, program.declarations)
            problems.append(Diagnostic(Code.DESIGN, message, words.span, Severity.WARNING, help))
    if mapping.start is not None and not of_class and mapping.start.text not in functions:
        unknown(mapping.start.text, mapping.start.span)
    return found, tuple(problems)


def _held(
    design: Design, mapping: Mapping, handlers: Sequence[Handler], code: Implementation, progress: Progress
) -> tuple[Held, ...]:
    """Function by function; what is wrong with several of them is said once."""
    problems: dict[Diagnostic, None] = {}
    all_believed: list[Believed] = []
    for handler in handlers:
        try:
            all_believed.append(believed(design, mapping, handler))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    found = []
    for number, one in enumerate(all_believed if not problems else ()):
        progress("holding functions against the statechart", functions=number)
        if one.hypothesis is None:
            found.append(Held(one.handler, None, one.unclear))
            continue
        try:
            found.append(Held(one.handler, one.told(code.reflected(one.hypothesis))))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    if problems:
        raise InputError(problems)
    return tuple(found)


@final
class _Simulating:
    """Whether a component by itself can do all that its code does."""

    def __init__(
        self, design: Design, mapping: Mapping, handlers: Sequence[Handler], code: Implementation, of_class: str
    ) -> None:
        self._design = design
        self._mapping = mapping
        self._handlers = handlers
        self._code = code
        self._prefix = of_class.rpartition("::")[2]
        self._renaming = Renaming(design, mapping, self._prefix)

    def run(self, said: Said, manner: Manner, progress: Progress) -> Simulated:
        try:
            wiring = wiring_of(self._design, self._mapping.component.name)
            design = self._of_design(interpreted(wiring, said), manner, progress)
            bounds = list(self._bounds(wiring, said))
        except InputError as error:
            return Simulated(None, _in_one(error))
        if isinstance(design, str):
            return Simulated(None, design)
        init = None if self._mapping.start is None else self._mapping.start.text
        try:
            model = self._code.model([h.function for h in self._handlers], init, bounds)
        except InputError as error:
            return Simulated(None, _in_one(error))
        found = self._compared(self._renaming.of_code(model), design, progress)
        return replace(found, code=model, design=design)

    def _of_design(self, program: Interpretation, manner: Manner, progress: Progress) -> Model | str:
        """The model of the component; or why there is none."""
        setting = setting_of(program)
        systems = thread_systems(setting, open=False)
        whole = explored(setting.threads, systems, manner, (), progress, partly=False)
        if whole is None:
            return "the component has more states than are looked at"
        model, telling = whole.composition.model, Telling(program)
        beyond = [words for label in model.labels if (words := telling.beyond(label))]
        if beyond:
            return f"in the design, {beyond[0]}"

        def told(label: str) -> str:
            action = parsed(label)
            event = program.events.get(action.name) if action.verb is None else None
            if event is not None:
                return telling.event(event, action.arguments)
            return label if action.is_error else TAU

        return self._renaming.of_design(model, told)

    def _bounds(self, wiring: Wiring, said: Said) -> Iterator[tuple[str, str]]:
        """The values that the code gets where the design says which these are."""
        bounds = Bounds(wiring, said.bounds)
        prefix = f"{self._prefix}." if self._prefix else ""
        for handler in self._handlers:
            values = bounds.of_pin(Place("", handler.pin.name), Passing.BEGIN)
            for name, own in zip(handler.parameters, values, strict=True):
                yield f"{prefix}{handler.function}.{name}", _listed(own)
        for pin in self._mapping.component.pins:
            words = self._mapping.pins.get(pin.name)
            if not pin.is_sink and words is not None:
                produced = bounds.of_pin(Place("", pin.name), Passing.END)
                if len(produced) == 1:
                    yield f"{words.text}()", _listed(produced[0])

    def _compared(self, code: Renamed, design: Model, progress: Progress) -> Simulated:
        if code.strange:
            said = f"the data in `{code.strange[0]}` is not that of a pin"
            return Simulated(None, said)
        if code.model.origin.relation is not Relation.EXACT and not code.model.partial:
            return Simulated(None, "the model of the code is not exact")
        found = compare_models(code.model, design, RELATION, names=NAMES, progress=progress)
        if found.related is not False:
            return Simulated(found.related, found.reason)
        return _difference(found, code, design)


def _difference(found: Comparison, code: Renamed, design: Model) -> Simulated:
    trace = found.trace
    if trace is None or trace.of is not Side.FIRST:
        return Simulated(False, "every run of the code is one of the design, which decides earlier what follows")
    run = tuple((label, code.meaning.get(label, label)) for label in trace.labels)
    before = trace.labels if trace.ending else trace.labels[:-1]
    return Simulated(False, run=run, ending=trace.ending, allowed=after(design, before))


def after(model: Model, labels: Sequence[str]) -> tuple[str, ...]:
    """What a model can do next when it has done this, whatever is silent aside."""
    silent = [number for number, label in enumerate(model.labels) if label == TAU]
    states = {int(model.initial)}
    for label in (*labels, None):
        waiting = list(states)
        while waiting:
            at = waiting.pop()
            for action, target in _steps(model, at):
                if action in silent and target not in states:
                    states.add(target)
                    waiting.append(target)
        if label is None:
            return tuple(sorted({model.labels[a] for s in states for a, _ in _steps(model, s) if a not in silent}))
        states = {target for state in states for a, target in _steps(model, state) if model.labels[a] == label}
    raise AssertionError


def _steps(model: Model, state: int) -> Iterator[tuple[int, int]]:
    for at in range(int(model.first[state]), int(model.first[state + 1])):
        yield int(model.actions[at]), int(model.targets[at])


def _in_one(error: InputError) -> str:
    return "; ".join(d.message + (f" ({d.help})" if d.help else "") for d in error.diagnostics)


def _listed(values: Sequence[int]) -> str:
    return f"{{{', '.join(map(str, values))}}}"
