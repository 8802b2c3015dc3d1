"""Objects that are handed to the one that is looked at: stubs of abstract classes, and objects of others."""

from __future__ import annotations

import re
from typing import final

from stateglass.program import Program
from stateglass.program.classes import Class
from stateglass.program.shapes import Callable as Called
from stateglass.program.shapes import Instance, Manner, Nothing, Number, Owner, Passed, Text
from stateglass.source import Assumption, Code, Topic, input_error, suggestion
from stateglass.system.bounds import BoundSpec, Category, Names, Union
from stateglass.system.making.choices import Choices
from stateglass.system.making.kinds import (
    aggregate,
    bases_of,
    constructors_of,
    derived_from,
)
from stateglass.system.making.stubs import Stubs, Thing, handed_on
from stateglass.system.making.values import NotMade, Values
from stateglass.system.making.writing import Writing, declared, parameter_names
from stateglass.system.making.written import Value, familiar, in_code
from stateglass.system.parts import PartChoice, PartKind
from stateglass.system.subjects import class_called, unknown_class

NULL = "null"


@final
class Things:
    """Makes objects as inputs ask for them, each once."""

    def __init__(self, program: Program, choices: Choices, writing: Writing, taken: frozenset[str]) -> None:
        self.assumptions: list[Assumption] = []
        self.objects: dict[str, Thing] = {}
        self.callbacks: dict[str, str] = {}  # functions that are handed over, and what they are handed over as
        self.preferred: dict[str, str] = {}  # by input: what its object is called
        self.values: Values | None = None
        self._program = program
        self._choices = choices
        self._writing = writing
        self._taken = taken
        self._shared: set[str] = set()
        self.stubs = Stubs(program, writing)

    def of(self, name: str, passed: Passed, spec: BoundSpec | None) -> list[Value]:
        """The objects, or functions, that an input may be."""
        called = self.preferred.get(name) or name.rpartition(".")[2].removesuffix("()")
        if called in self._taken and called not in self.objects:
            called = _joined(name)
        if isinstance(passed.shape, Called):
            return self._functions_for(name, passed.shape, spec, called)
        target = passed.shape.target if isinstance(passed.shape, Owner) else passed.shape
        assert isinstance(target, Instance)
        chosen = self._choices.members.get(called)
        if spec is None and chosen is not None and chosen.kind is PartKind.CATEGORY:
            spec = Category(chosen.name)
        may_be_null = passed.manner is Manner.POINTER or isinstance(passed.shape, Owner)
        if spec is None:
            return [self._value(self._thing(name, target, called, passed), passed)]
        found = []
        for object in self._named(name, spec, may_be_null):
            if object == NULL:
                found.append(
                    Value("nullptr" if passed.manner is Manner.POINTER else f"{in_code(passed.shape.spelled)}()", NULL)
                )
            else:
                found.append(self._value(self._thing(name, target, object, passed), passed))
        return found

    def _named(self, name: str, spec: BoundSpec, may_be_null: bool) -> list[str]:
        """The names of the objects that a bound means."""
        categories = self._choices.categories
        if isinstance(spec, Category):
            if spec.name not in categories:
                help = (
                    suggestion(spec.name, categories)
                    if categories
                    else (f'write `{spec.name} = {{ a = "stub" }}` below `[system.NAME.categories]`')
                )
                raise input_error(Code.UNKNOWN_NAME, f"`{name}`: there is no category `{spec.name}`", help=help)
            return list(categories[spec.name])
        parts = spec.parts if isinstance(spec, Union) else (spec,)
        names = _names_of(spec)
        known = [o for c in categories.values() for o in c]
        known += [n for n in self._choices.members if n.isidentifier() and n not in known]
        own = self.preferred.get(name)
        known += [own] if own is not None and own not in known else []
        known += [NULL] if may_be_null else []
        wrong = [str(p) for p in parts if not isinstance(p, Names)] + [n for n in names if n not in known]
        if wrong:
            forms = f"a bound for it is `category NAME` or a set of objects: {', '.join(f'`{n}`' for n in known)}"
            raise input_error(Code.BOUND, f"`{wrong[0]}` is no object that `{name}` could be", help=forms)
        return names

    # ---- objects

    def _thing(self, input: str, target: Instance, name: str, passed: Passed) -> Thing:
        owned = isinstance(passed.shape, Owner) and not passed.shape.shared
        base = self._program.classes.get(target.record)
        if base is None:
            only = f", and it can only be null: --bound '{input}=null'" if passed.manner is Manner.POINTER else ""
            raise NotMade(f"nothing is known of `{familiar(target.spelled)}`{only}")
        known = self.objects.get(name)
        if known is not None:
            if known.owner is base or base in bases_of(self._program, known.owner):
                return known
            if name in {o for c in self._choices.categories.values() for o in c}:
                message = f"`{name}` is a `{known.owner.name}`, and `{input}` takes a `{base.name}`"
                raise input_error(Code.USAGE, message, help="say the class of the object in its category")
            return self._thing(input, target, _joined(input), passed)
        choice = self._choices.of(name)
        owner = self._class_of(name, base, choice)
        if owner.abstract:
            thing = self.stubs.stub(name, owner, choice)
        else:
            thing = Thing(name, owner, choice, owner.spelled)
            if owned and choice is not None and choice.kind is not PartKind.CODE:
                message = f"`{name}` can only be code: whoever owns it gets a new `{owner.name}`"
                raise input_error(Code.USAGE, message)
        self.objects[name] = thing
        if not owned:
            self._define(thing)
        what = "a stub of" if thing.stub else "an object of class"
        given = "each owner gets one that is new" if owned else "it is there from the beginning"
        text = f"it is {what} `{owner.name}` for `{input}`: {given}"
        self.assumptions.append(Assumption(Topic.OBJECT, name, text))
        return thing

    def _class_of(self, name: str, base: Class, choice: PartChoice | None) -> Class:
        """The class that an object is of."""
        listed = ", ".join(f"`{c.name}`" for c in derived_from(self._program, base))
        if choice is not None and choice.kind is not PartKind.PROCESS and choice.name:
            owner = class_called(self._program, choice.name)
            if owner is None:
                unknown = unknown_class(self._program, choice.name)
                raise input_error(unknown.code, f"`{name}`: {unknown.message}", help=unknown.help)
            if owner is not base and base not in bases_of(self._program, owner):
                help = f"these are derived from it: {listed}" if listed else f"it could be `{base.name}` itself"
                raise input_error(Code.USAGE, f"`{name}`: `{owner.name}` is not derived from `{base.name}`", help=help)
        else:
            owner = base
        if owner.abstract and choice is not None and choice.kind is PartKind.CODE:
            help = f"say `code CLASS` with one that is derived from it: {listed}" if listed else "let it be a stub"
            raise input_error(Code.USAGE, f"`{name}` cannot be code: `{owner.name}` is abstract", owner.span, help)
        return owner

    def _define(self, thing: Thing) -> None:
        """Writes a variable of the environment."""
        arguments = "" if thing.stub else self._arguments(thing)
        if thing.name in self._taken:
            message = f"an object cannot be called `{thing.name}`: the program has something of that name"
            raise input_error(Code.USAGE, message)
        self._writing.add(thing.name, f"{in_code(thing.type)} {thing.name}{arguments};")

    def _arguments(self, thing: Thing) -> str:
        """What an object is made of, in parentheses: the constructor with the fewest parameters makes it."""
        if aggregate(thing.owner) is not None:
            return "{}"
        usable = constructors_of(thing.owner)
        if not usable:
            raise NotMade(f"no public constructor of `{thing.owner.name}` can be called from outside")
        constructor = min(usable, key=lambda m: len(m.parameters))
        assert self.values is not None
        made = []
        for parameter, own in zip(constructor.parameters, parameter_names(constructor.parameters), strict=True):
            name = f"{thing.name}.{own}"
            is_value = parameter.manner is Manner.VALUE or parameter.constant
            if isinstance(parameter.shape, Number | Text) and not is_value:
                raise NotMade(f"the constructor of `{thing.owner.name}` takes a `{parameter.spelled}`")
            self.preferred[name] = own if own not in self.objects else f"{thing.name}_{own}"
            if self.values.misses_null(parameter, name):
                continue
            values = self.values.of_one(parameter, name)
            if len(values) > 1 and self.values.has_none(name):
                self.values.choose_one(parameter, name, values)
            elif len(values) > 1:
                message = f"`{name}` can have one value only: `{thing.name}` is made once"
                raise input_error(Code.BOUND, message, help=f"choose one: --bound '{name}={{{values[0].shown}}}'")
            made += [v.expression for v in values]
        return f"({', '.join(made)})" if made else ""

    def _value(self, thing: Thing, passed: Passed) -> Value:
        if isinstance(passed.shape, Owner):
            spelled = in_code(passed.shape.spelled)
            if not passed.shape.shared:
                arguments = "" if thing.stub else self._arguments(thing)
                return Value(f"{spelled}(new {in_code(thing.type)}{arguments})", thing.name)
            owner = f"made_{thing.name}_owner"
            target = in_code(passed.shape.target.spelled)
            if owner not in self._shared:
                self._shared.add(owner)
                self._writing.add(thing.name, f"{spelled} {owner}(&{thing.name}, []({target} *) {{}});")
            return Value(owner, thing.name)
        return Value(f"&{thing.name}" if passed.manner is Manner.POINTER else thing.name, thing.name)

    # ---- functions that are handed over

    def _functions_for(self, name: str, shape: Called, spec: BoundSpec | None, called: str) -> list[Value]:
        empty = Value(f"{in_code(shape.spelled)}()" if shape.spelled.startswith("std::") else "nullptr", NULL)
        names = [called]
        if spec is not None:
            names = self._named(name, spec, True) if not _is_only(spec, {called, NULL}) else _names_of(spec)
        values = []
        for one in names:
            if one == NULL:
                values.append(empty)
                continue
            self._declare(name, one, shape)
            function = f"made_{one}"
            values.append(
                Value(f"{in_code(shape.spelled)}({function})" if shape.spelled.startswith("std::") else function, one)
            )
        return values

    def _declare(self, input: str, name: str, shape: Called) -> None:
        if name in self.callbacks:
            return
        if not isinstance(shape.result, Nothing | Number):
            raise NotMade(f"a function that returns `{familiar(shape.result.spelled)}` cannot be handed over")
        names = parameter_names(shape.parameters)
        handed = [handed_on(self._program, p, n) for p, n in zip(shape.parameters, names, strict=True)]
        taken = ", ".join(declared(type, n) for (type, _), n in zip(handed, names, strict=True))
        own = ", ".join(declared(p.spelled, n) for p, n in zip(shape.parameters, names, strict=True))
        result = in_code(shape.result.spelled)
        passed_on = ", ".join(value for _, value in handed)
        lines = [f"{result} {name}({taken});", f"{result} made_{name}({own}) {{ return {name}({passed_on}); }}"]
        self._writing.add(name, "\n".join(lines))
        self.callbacks[name] = input
        text = f"it is a function for `{input}`"
        self.assumptions.append(Assumption(Topic.OBJECT, name, text))


def _joined(input: str) -> str:
    """A name for an object that nothing else has: that of the input, as a word."""
    return re.sub(r"\W+", "_", input.removesuffix("()"))


def _names_of(spec: BoundSpec) -> list[str]:
    parts = spec.parts if isinstance(spec, Union) else (spec,)
    return list(dict.fromkeys(n for p in parts if isinstance(p, Names) for n in p.names))


def _is_only(spec: BoundSpec, names: set[str]) -> bool:
    parts = spec.parts if isinstance(spec, Union) else (spec,)
    return all(isinstance(p, Names) for p in parts) and set(_names_of(spec)) <= names
