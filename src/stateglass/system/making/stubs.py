"""Classes that are made up in place of abstract ones: their functions call functions without a body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.program import Program
from stateglass.program.classes import Class, Method, Role
from stateglass.program.shapes import Callable as Called
from stateglass.program.shapes import Instance, Manner, Nothing, Number, Other, Passed, Text
from stateglass.source import Code, input_error
from stateglass.system.bounds import default_values
from stateglass.system.making.kinds import bases_of, called_virtually, is_plain, is_thing
from stateglass.system.making.values import MissingBound, Values, example_of
from stateglass.system.making.writing import FUNCTIONS, Maker, Writing, declared, is_lent, parameter_names
from stateglass.system.making.written import in_code
from stateglass.system.parts import PartChoice, PartKind


@final
@dataclass(frozen=True, slots=True)
class Thing:
    """An object of the environment, or one that is made anew for whoever owns it."""

    name: str
    owner: Class  # its class, or the abstract one that it is a stub of
    choice: PartChoice | None
    type: str  # as C++ has it
    stub: bool = False  # its class is made up


@final
@dataclass(frozen=True, slots=True)
class StubFunction:
    """A function without a body that a made-up class calls."""

    name: str  # `motor.start`
    short: str
    thing: Thing
    throws: bool


@final
class Stubs:
    """Makes up classes, each for one object."""

    def __init__(self, program: Program, writing: Writing) -> None:
        self.functions: list[StubFunction] = []
        self.missing: list[MissingBound] = []  # what functions without a body return, if nobody says it
        self.said: dict[str, str] = {}  # what they return and write, in words
        self.values: Values | None = None
        self._program = program
        self._writing = writing
        self._called = called_virtually(program)

    def stub(self, name: str, owner: Class, choice: PartChoice | None) -> Thing:
        """A made-up class whose functions call functions without a body."""
        thing = Thing(name, owner, choice, f"made_{name}", stub=True)
        declarations: list[str] = []
        overriding: list[str] = []
        answers = choice is not None and choice.kind is PartKind.PROCESS
        for method in self._to_override(owner, everything=choice is not None):
            is_plain = isinstance(method.result.shape, Nothing | Number)
            if not self._is_called(owner, method) and not (answers and is_plain):
                names = parameter_names(method.parameters)
                overriding.append(f"    {_head(method, names)} {{ __builtin_trap(); }}")
                continue
            if answers and not is_plain:
                message = f"`{name}` cannot be a process: its function `{method.short}` returns no number"
                raise input_error(Code.UNSUPPORTED, message, method.span)
            declaration, override = self._override(thing, method)
            declarations.append(f"    {declaration}")
            overriding.append(f"    {override}")
            self.functions.append(StubFunction(f"{name}.{method.short}", method.short, thing, method.throws))
        lines = [f"namespace {name}{FUNCTIONS} {{", *declarations, "}"]
        lines += [f"struct {thing.type} : {in_code(owner.spelled)} {{", *self._made_by(thing), *overriding, "};"]
        self._writing.add(name, "\n".join(lines))
        return thing

    def _made_by(self, thing: Thing) -> Iterator[str]:
        """A constructor, if that of the abstract class wants something."""
        makers = [m for m in thing.owner.constructors if not m.implicit]
        fewest = min(makers, key=lambda m: len(m.parameters), default=None)
        if fewest is not None and fewest.parameters:
            # A text is empty rather than null: whoever makes a `std::string` of it asks for one.
            given = ('""' if isinstance(p.shape, Text) and "const" in p.spelled else "{}" for p in fewest.parameters)
            yield f"    {thing.type}() : {in_code(thing.owner.spelled)}({', '.join(given)}) {{}}"

    def _to_override(self, owner: Class, *, everything: bool) -> list[Method]:
        found: dict[str, Method] = {}
        for c in (owner, *bases_of(self._program, owner)):
            for method in c.methods:
                if method.virtual and method.role is Role.METHOD:
                    found.setdefault(method.short, method)
        return [m for m in found.values() if everything or m.name not in self._program.functions]

    def _is_called(self, owner: Class, method: Method) -> bool:
        """Whether the program calls a virtual function by way of an object whose class is not known there."""
        same = [m for c in (owner, *bases_of(self._program, owner)) for m in c.methods if m.short == method.short]
        return any(m.signature in self._called for m in same)

    def _override(self, thing: Thing, method: Method) -> tuple[str, str]:
        """The declaration of a function without a body, and a virtual function that calls it."""
        names = parameter_names(method.parameters)
        own, taken, passed_on, before, after = list(names), [], [], [], []
        for number, (parameter, name) in enumerate(zip(method.parameters, names, strict=True)):
            maker = self._written(thing, method, parameter, name)
            if maker is None:
                type, value = handed_on(self._program, parameter, name)
                taken.append(declared(type, name))
                passed_on.append(value)
                continue
            # The function without a body writes a number, of which the object is made.
            own[number] = f"made_given_{name}"
            taken.append(f"{maker.enum} &{name}")
            passed_on.append(name)
            before.append(f"{maker.enum} {name}; ")
            after.append(_stored(parameter, own[number], f"{maker.function}({name})"))
        result, around = self._result(thing, method)
        called = f"{thing.name}{FUNCTIONS}::{method.spelled}({', '.join(passed_on)})"
        promise = "" if method.throws else " noexcept"
        body = f"return {f'{around}({called})' if around else called};"
        if after and isinstance(method.result.shape, Nothing):
            body = f"{''.join(before)}{called}; {''.join(after)}"
        elif after:
            given_back = f"{around}(made_result)" if around else "made_result"
            body = f"{''.join(before)}auto made_result = {called}; {''.join(after)}return {given_back};"
        return f"{result} {method.spelled}({', '.join(taken)}){promise};", f"{_head(method, own)} {{ {body} }}"

    def _written(self, thing: Thing, method: Method, parameter: Passed, name: str) -> Maker | None:
        """How the object is made that a function without a body leaves behind a reference, if a bound says it."""
        if parameter.constant or parameter.manner not in (Manner.REFERENCE, Manner.POINTER):
            return None
        if isinstance(parameter.shape, Number | Other | Nothing | Called) or is_lent(parameter.shape.spelled):
            return None
        assert self.values is not None
        input = f"{thing.name}.{method.short}.{name}"
        of_class = f"{thing.owner.name}.{method.short}.{name}"
        if self.values.has_none(input, of_class):
            return None
        values = self.values.of(replace(parameter, manner=Manner.VALUE), input, of_class)
        if not values:
            return None
        self.said[input] = self.values.said_of(input) or self.values.said_of(of_class)
        return self._writing.maker(thing.name, parameter.shape.spelled, values)

    def _result(self, thing: Thing, method: Method) -> tuple[str, str]:
        """What a function without a body returns, and the function that makes the real result of it, if any."""
        result = method.result
        if isinstance(result.shape, Number) and result.manner is Manner.VALUE:
            if thing.choice is None or thing.choice.kind is not PartKind.PROCESS:
                self._note_missing(
                    f"{thing.name}.{method.short}()", f"{thing.owner.name}.{method.short}()", result.shape
                )
            return in_code(result.spelled), ""
        if isinstance(result.shape, Nothing):
            return in_code(result.spelled), ""
        if result.manner is not Manner.VALUE and not is_thing(self._program, result):
            return in_code(result.spelled), ""
        if isinstance(result.shape, Other):
            return in_code(result.spelled), ""
        assert self.values is not None
        name = f"{thing.name}.{method.short}()"
        of_class = f"{thing.owner.name}.{method.short}()"
        values = self.values.of(result, name, of_class)
        if not values or is_lent(result.shape.spelled):
            return in_code(result.spelled), ""
        self.said[name] = self.values.said_of(name) or self.values.said_of(of_class)
        spelled = result.spelled if is_thing(self._program, result) else result.shape.spelled
        maker = self._writing.maker(thing.name, spelled, values)
        return maker.enum, maker.function

    def _note_missing(self, name: str, instead: str, shape: Number) -> None:
        assert self.values is not None
        if self.values.has_none(name, instead) and default_values(shape.type, self._program.enums) is None:
            self.missing.append(MissingBound(name, shape.type, example_of(shape.type)))


def _stored(parameter: Passed, place: str, value: str) -> str:
    """A statement that leaves a value behind a reference or pointer."""
    return f"if ({place}) *{place} = {value}; " if parameter.manner is Manner.POINTER else f"{place} = {value}; "


def _head(method: Method, names: Sequence[str]) -> str:
    """What stands before the body of a function that overrides another."""
    own = ", ".join(declared(p.spelled, n) for p, n in zip(method.parameters, names, strict=True))
    qualifiers = (" const" if method.constant else "") + ("" if method.throws else " noexcept")
    return f"{in_code(method.result.spelled)} {method.spelled}({own}){qualifiers} override"


def handed_on(program: Program, parameter: Passed, name: str) -> tuple[str, str]:
    """The type that a function without a body takes for a parameter of another one, and what it is given."""
    shape = parameter.shape
    is_looked_at = parameter.manner is Manner.VALUE or parameter.constant
    if isinstance(shape, Text) and not shape.spelled.endswith("*") and is_looked_at:
        text = name if shape.spelled == "std::basic_string<char>" else f"std::basic_string<char>({name})"
        return "const char *", f"{text}.c_str()"
    if isinstance(shape, Instance) and is_looked_at and parameter.manner is not Manner.POINTER:
        # What is copied with its constructor would be passed by its address, as if it could be written to.
        return shape.spelled if is_plain(program, shape) else f"const {shape.spelled} &", name
    if isinstance(shape, Number | Other) and parameter.manner is Manner.VALUE:
        return parameter.spelled, name
    if parameter.manner is Manner.VALUE:
        return f"const {shape.spelled} &", name
    if parameter.manner is Manner.RVALUE:
        return f"{shape.spelled} &", name
    return parameter.spelled, name
