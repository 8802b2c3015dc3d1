"""From a component and the code that implements it to whether they agree: by functions, and in all their runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as Values
from dataclasses import dataclass
from typing import TypeVar, final

from stateglass.assemblies.consistency.enumerators import enumerators_in
from stateglass.assemblies.consistency.judging import judged, unclear
from stateglass.assemblies.consistency.machines import (
    Claimed,
    Handler,
    Spoken,
    claimed_of,
    handlers_of,
    hypothesis_of,
    probes_of,
)
from stateglass.assemblies.consistency.mapping import Mapping, mapping_of, without_states
from stateglass.assemblies.consistency.mapping import Meaning as Meaning
from stateglass.assemblies.consistency.mapping import given_meaning as given_meaning
from stateglass.assemblies.consistency.mapping import meaning_of as meaning_of
from stateglass.assemblies.consistency.seen import Seen
from stateglass.assemblies.interpretation.interpreting import Said
from stateglass.design import Component, Design
from stateglass.evidence import ReflexionModel
from stateglass.explore import Manner
from stateglass.operations.both_models import Implementation, Models
from stateglass.operations.simulating import Simulated as Simulated
from stateglass.operations.simulating import simulated
from stateglass.program import Pointer, Program
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, Words, suggestion
from stateglass.system.subjects import public_functions
from stateglass.work import Progress, silent

_A = TypeVar("_A")
_B = TypeVar("_B")


@final
@dataclass(frozen=True)
class Held:
    """A function held against the part of the statechart that it carries out; `unclear`: why that cannot be."""

    handler: Handler
    model: ReflexionModel | None
    unclear: str = ""


@final
@dataclass(frozen=True)
class Agreement:
    """What was found about a component and the code that implements it."""

    component: str
    held: tuple[Held, ...]
    simulated: Simulated
    warnings: tuple[Diagnostic, ...] = ()  # and notes


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
    bounds: Values[str, str] | None = None,
    manner: Manner | None = None,
    progress: Progress = silent,
) -> Agreement:
    """Both answers; all that is wrong with the mapping is one `InputError`."""
    mapping, wrong = mapping_of(design, component, given)
    program = code.program(())
    functions = {name: name for name in program.functions}
    if of_class:
        of_class, functions = public_functions(program, of_class)
    names, odd = _functions(mapping, program, functions, of_class)
    handlers, unfit = handlers_of(mapping, names)
    numbers, unlike = enumerators_in(program, design)
    said = Said(bounds or {})
    models = Models(design, mapping, handlers, code, of_class, said, manner or Manner(), progress, numbers)
    problems = [*wrong, *(d for d in odd if d.severity is Severity.ERROR), *unfit]
    if of_class:
        wrong_names, uncalled = _problems_of_object(mapping, models, of_class)
        problems += wrong_names
        odd = (*odd, *uncalled)
    else:
        problems += _problems_of_functions(mapping, handlers, code)
    if problems:
        raise InputError(sorted(dict.fromkeys([*problems, *odd, *unlike]), key=lambda d: d.span))
    claims = _each(
        [h for h in handlers if mapping.says_states_of(h.reaction)], lambda h: claimed_of(design, mapping, h)
    )

    def held(claimed: Claimed) -> Held:
        progress("holding functions against the statechart")
        if of_class:
            return _held_by_calls(claimed, Spoken(design, mapping, claimed.handler), mapping, models, of_class)
        if claimed.unclear:
            return Held(claimed.handler, None, claimed.unclear)
        return Held(claimed.handler, claimed.told_of(code.reflected(hypothesis_of(design, mapping, claimed))))

    found = _each(claims, held)
    warnings = (*odd, *unlike, *without_states(mapping))
    return Agreement(component.name, found, simulated(models, progress), warnings)


def _problems_of_functions(mapping: Mapping, handlers: Sequence[Handler], code: Implementation) -> Sequence[Diagnostic]:
    """What is wrong with expressions that are read as if they stood in functions."""
    try:
        code.program([probe for handler in handlers for probe in probes_of(mapping, handler)])
    except InputError as error:
        return error.diagnostics
    return ()


def _problems_of_object(
    mapping: Mapping, models: Models, of_class: str
) -> tuple[Sequence[Diagnostic], Sequence[Diagnostic]]:
    """What is wrong with expressions that are read as claims on objects are, and source pins that are not used."""
    try:
        model, called = models.called()
    except InputError:
        return (), ()  # what keeps the object from being looked at is told as the answer
    sources = [pin.name for pin in mapping.component.pins if not pin.is_sink and pin.name in mapping.pins]
    texts = {name: mapping.pins[name].text.removeprefix("::") for name in sources}
    unused = [name for name, text in texts.items() if not {text, f"{of_class}.{text}"} & called]
    models.leave_out(unused)
    told = [_never_called(name, mapping.pins[name], sorted(called)) for name in unused]
    return Seen(mapping, model, of_class).problems, told


def _never_called(pin: str, words: Words, known: Iterable[str]) -> Diagnostic:
    message = f"the code never calls `{words}`, the source pin `{pin}`"
    return Diagnostic(Code.DESIGN, message, words.span, Severity.WARNING, suggestion(words.text, known))


def _held_by_calls(claimed: Claimed, spoken: Spoken, mapping: Mapping, models: Models, of_class: str) -> Held:
    """A function of a class held against the statechart, for all calls that the object may get."""
    handler, model = claimed.handler, models.of_code
    why = claimed.unclear or unclear(claimed, spoken)
    if why or isinstance(model, str):
        return Held(handler, None, why or str(model))
    labels, strange = models.renaming.calls_of(model, handler.pin)
    if strange:
        return Held(handler, None, f"the data in `{strange}` is not that of the pin")
    seen = Seen(mapping, model, of_class)
    if seen.problems:
        raise InputError(seen.problems)
    return Held(handler, judged(mapping, claimed, spoken, seen, labels, lambda: models.moves(handler)))


def _each(items: Sequence[_A], work: Callable[[_A], _B]) -> tuple[_B, ...]:
    """What comes of each; what is wrong with several of them is said once."""
    problems: dict[Diagnostic, None] = {}
    found = []
    for item in items:
        try:
            found.append(work(item))
        except InputError as error:
            problems |= dict.fromkeys(error.diagnostics)
    if problems:
        raise InputError(problems)
    return tuple(found)


def _functions(
    mapping: Mapping, program: Program, functions: Values[str, str], of_class: str
) -> tuple[dict[str, tuple[str, ...]], tuple[Diagnostic, ...]]:
    """The parameters with data of each function that is a pin, and what is wrong or odd; `functions` have bodies."""
    found: dict[str, tuple[str, ...]] = {}
    problems: list[Diagnostic] = []

    def unknown(text: str, span: Span) -> None:
        what = f"public function `{text}` of `{of_class}`" if of_class else f"function `{text}` with a body"
        problems.append(Diagnostic(Code.UNKNOWN_NAME, f"there is no {what}", span, help=suggestion(text, functions)))

    for pin in mapping.component.pins:
        words = mapping.pins.get(pin.name)
        if words is None:
            continue
        text = words.text
        if pin.is_sink:
            if text not in functions:
                unknown(text, words.span)
            else:
                function = program.functions[functions[text]]
                found[text] = tuple(p.name for p in function.parameters if not isinstance(p.type, Pointer))
        elif text in functions:
            message = f"`{text}` has a body, and what it does is no interaction on the source pin `{pin.name}`"
            help = "leave out the file that defines it"
            problems.append(Diagnostic(Code.DESIGN, message, words.span, help=help))
        elif not of_class and text not in program.declarations:
            problems.append(_never_called(pin.name, words, program.declarations))
    if mapping.start is not None and not of_class and mapping.start.text not in functions:
        unknown(mapping.start.text, mapping.start.span)
    return found, tuple(problems)
