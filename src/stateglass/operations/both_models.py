"""The models of a component by itself and of the code that implements it, each made when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Mapping as Numbers
from functools import cached_property
from typing import Final, Protocol, final

from stateglass.assemblies.consistency.labels import Renaming
from stateglass.assemblies.consistency.machines import Handler
from stateglass.assemblies.consistency.mapping import Mapping, Owned
from stateglass.assemblies.consistency.moves import Moves, moves_of
from stateglass.assemblies.interpretation.bounds import Bounds
from stateglass.assemblies.interpretation.interpreting import Interpretation, Said, interpreted
from stateglass.assemblies.interpretation.wiring import Place, wiring_of
from stateglass.assemblies.telling import Telling
from stateglass.design import Constant, Design, Passing
from stateglass.evidence import ReflexionModel
from stateglass.explore import Manner
from stateglass.model import TAU, Model, parsed
from stateglass.operations.designs import setting_of
from stateglass.program import Program
from stateglass.program.probes import Probe
from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.source import InputError, Topic
from stateglass.unbounded.threads.explicit import explored
from stateglass.unbounded.threads.systems import thread_systems
from stateglass.work import Progress, silent

_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)")


class Implementation(Protocol):
    """The code, and what can be asked of it."""

    def program(self, probes: Sequence[Probe]) -> Program: ...

    def reflected(self, hypothesis: Hypothesis) -> ReflexionModel: ...

    def model(
        self, functions: Sequence[str], init: str | None, bounds: Sequence[tuple[str, str]], *, few: bool = False
    ) -> Model:
        """All that is done when the functions are called in any order; `few`: some of it, only to see what there is."""


@final
class Models:
    """Makes the models."""

    def __init__(
        self,
        design: Design,
        mapping: Mapping,
        handlers: Sequence[Handler],
        code: Implementation,
        of_class: str,
        said: Said,
        manner: Manner,
        progress: Progress = silent,
        enumerators: Numbers[str, int] | None = None,
    ) -> None:
        self._design = design
        self._mapping = mapping
        self._handlers = handlers
        self._code = code
        self._prefix = of_class
        self._said = said
        self._manner = manner
        self._progress = progress
        self._composed: dict[str, Model | None] = {}
        self._uncalled: frozenset[str] = frozenset()
        self.renaming = Renaming(design, mapping, self._prefix, enumerators or {})

    # ---- the code

    @cached_property
    def of_code(self) -> Model | str:
        """All that the code does; or why that is not known."""
        try:
            return self.some_of_code(few=False)
        except InputError as error:
            return _in_one(error)

    def some_of_code(self, *, few: bool = True) -> Model:
        init = None if self._mapping.start is None else self._mapping.start.text
        return self._code.model([h.function for h in self._handlers], init, list(self._bounds()), few=few)

    def leave_out(self, pins: Collection[str]) -> None:
        """Says nothing of the values that some source pins bring back: nobody uses these."""
        self._uncalled = frozenset(pins)

    def called(self) -> tuple[Model, frozenset[str]]:
        """Some of what the code does, and the functions without a body that it calls; `InputError` if it cannot run."""
        sources = [pin.name for pin in self._mapping.component.pins if not pin.is_sink]
        try:
            model = self.some_of_code()
        except InputError:
            # A bound for what is not called is a mistake as well; without those of others, all may be well.
            self.leave_out(sources)
            model = self.some_of_code()
            self.leave_out(())
        granted = [a.subject for a in model.origin.assumptions if a.kind is Topic.FUNCTION]
        return model, frozenset(name.removeprefix("::") for name in granted)

    def _bounds(self) -> Iterator[tuple[str, str]]:
        """The values that the code gets where the design says which these are."""
        # Which data comes has nothing to do with what parameters are.
        arguments = [Constant(value or 0) for value in self._arguments.values()]
        bounds = Bounds(wiring_of(self._design, self._mapping.component.name, arguments), self._said.bounds)
        prefix = f"{self._prefix}." if self._prefix else ""
        for handler in self._handlers:
            values = bounds.of_pin(Place("", handler.pin.name), Passing.BEGIN)
            for name, own in zip(handler.parameters, values, strict=True):
                yield f"{prefix}{handler.function}.{name}", _listed(own)
        for pin in self._mapping.component.pins:
            words = self._mapping.pins.get(pin.name)
            if not pin.is_sink and words is not None and pin.name not in self._uncalled:
                produced = bounds.of_pin(Place("", pin.name), Passing.END)
                if len(produced) == 1:
                    yield f"{words.text}()", _listed(produced[0])

    # ---- the design

    @cached_property
    def of_design(self) -> Model | str:
        """All that the component by itself does, in its words; or why that is not known."""
        program = self._interpretation
        if isinstance(program, str):
            return program
        model, telling = self._explored(program, ""), Telling(program)
        if model is None:
            return "the component has more states than are looked at"
        beyond = [words for label in model.labels if (words := telling.beyond(label))]
        if beyond:
            return f"in the design, {beyond[0]}"

        def told(label: str) -> str:
            action = parsed(label)
            event = program.events.get(action.name) if action.verb is None else None
            if event is not None:
                return telling.event(event, action.arguments)
            return label if action.is_error else TAU

        return self.renaming.of_design(model, told)

    def moves(self, handler: Handler) -> Moves | None:
        """The states of rest that an event leads from and to; None if that is not known."""
        program, of_design = self._interpretation, self.of_design
        if isinstance(program, str) or isinstance(of_design, str):
            return None
        role = next(role for role in program.states if role.reaction == handler.reaction.name)
        model = self._explored(program, program.states[role][0])
        at = None if model is None else Telling(program).model(model).proposition(f"{role}.state")
        if model is None or at is None:
            return None
        events = [program.events.get(parsed(label).name) for label in model.labels]
        begun = ["" if e is None or e.mark != "^" else e.places[0].pin for e in events]
        sinks = {pin.name for pin in self._mapping.component.pins if pin.is_sink}
        return moves_of(model, at, begun, sinks & set(handler.reaction.pins), handler.pin.name)

    @cached_property
    def _interpretation(self) -> Interpretation | str:
        values = self._arguments
        without = next((name for name, value in values.items() if value is None), None)
        if without is not None:
            return f"it is not said which number `{without}` is (write `--map {without}=3`)"
        arguments = [Constant(value) for value in values.values() if value is not None]
        try:
            return interpreted(wiring_of(self._design, self._mapping.component.name, arguments), self._said)
        except InputError as error:
            return _in_one(error)

    @cached_property
    def _arguments(self) -> dict[str, int | None]:
        """The values of the parameters of the component, as far as they are mapped to numbers."""
        named = {name: value for one in self._design.enumerations for name, value in one.values}
        named |= {"true": 1, "false": 0}
        found: dict[str, int | None] = {}
        for parameter in self._mapping.component.parameters:
            words = self._mapping.variables.get(Owned("", parameter.name))
            text = "" if words is None else words.text.strip()
            found[parameter.name] = int(text) if _NUMBER.fullmatch(text) else named.get(text)
        return found

    def _explored(self, program: Interpretation, seen: str) -> Model | None:
        """The model of the component, in which a variable is seen; None if it is too large."""
        if seen not in self._composed:
            setting = setting_of(program)
            systems, asked = thread_systems(setting, open=False), (seen,) if seen else ()
            whole = explored(setting.threads, systems, self._manner, asked, self._progress, partly=False)
            self._composed[seen] = None if whole is None else whole.composition.model
        return self._composed[seen]


def _in_one(error: InputError) -> str:
    return "; ".join(d.message + (f" ({d.help})" if d.help else "") for d in error.diagnostics)


def _listed(values: Sequence[int]) -> str:
    return f"{{{', '.join(map(str, values))}}}"
