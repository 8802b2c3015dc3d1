"""The side of a driver that is C++: it makes the object, calls its functions, looks at it, throws and catches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import final

from stateglass.program import Pointer, Record, Written
from stateglass.program.classes import Class, Method, Role
from stateglass.program.exceptions import thrown_name, thrown_types, type_of
from stateglass.program.made import MADE_HEADERS, MADE_NAMESPACE
from stateglass.program.names import RESULT, is_made_up
from stateglass.replay.driving.doubles import Doubles
from stateglass.replay.driving.naming import (
    TOLD_TEXT,
    Spelt,
    checked,
    class_text,
    has_own_layout,
    scalars_in,
    variables_of,
)
from stateglass.replay.driving.script import Buffer, Calls, ComesBack, Number, Returns, Script, Text, Throws, Value
from stateglass.replay.driving.spelling import quoted, refused
from stateglass.system import Entry, Pointed, System
from stateglass.system.starting import STARTING

OBJECT = "sg_object()"
"""The object that is looked at, as an expression."""


@final
class Cplusplus:
    """What is C++ in one driver; `numbers` are those of the functions that the environment calls."""

    def __init__(
        self, system: System, script: Script, numbers: Mapping[str, int], outside: Mapping[str, int], ends: str | None
    ) -> None:
        """`outside` are the functions outside that the run calls; with `ends` the process ends when it returns."""
        self._system = system
        self._program = system.program
        self._numbers = numbers
        self._ends = ends
        entries = [*system.entries, *(e for level in system.callbacks.values() for some in level for e in some)]
        entries += [e for some in system.process_calls.values() for e in some]
        entries += [system.init] if system.init is not None else []
        self._entries = {e.function.removesuffix(STARTING) if e is system.init else e.function: e for e in entries}
        self._subject = self._class_of_subject()
        self.home = self._file_of_class(self._subject) if self._subject is not None else 0
        names = [i.what.type for i in script.items if isinstance(i.what, Throws)]
        names += [i.what.thrown for i in script.items if isinstance(i.what, ComesBack) and i.what.thrown]
        self.thrown = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._results = {i.what.function for i in script.items if isinstance(i.what, Returns) and i.what.parts}
        self._variables: dict[str, tuple[int, str]] = {}
        self._places = self._all_places()
        roots = {name: expression for name, expression, _ in variables_of(self._program)}
        self._objects = self._objects_handed(script)
        self.doubles = Doubles(
            system, {**roots, **({system.object.variable: OBJECT} if system.object else {})}, outside
        )
        for item in script.items:
            if isinstance(item.what, Calls):
                self._written(item.what.function)

    def calls(self, function: str) -> bool:
        """Whether a function is called from here."""
        return self._method(function) is not None or function in self._program.written

    def place(self, name: str) -> tuple[int, Spelt] | None:
        """Which file can name a variable, or a part of the object, and how it does so."""
        return self._places.get(name)

    def variable(self, name: str) -> tuple[int, str] | None:
        """The same for a whole variable or the object, if its parts are where the program has them."""
        if self._subject is not None and self._system.object is not None and name == self._system.object.variable:
            found = (self.home, OBJECT, Record(self._subject.record))
            return found[:2] if has_own_layout(self._program, found[2]) else None
        return self._variables.get(name)

    def can_see(self, name: str, value: Value) -> bool:
        found = self._places.get(name)
        if found is None:
            return False
        if found[1].expression.endswith(TOLD_TEXT):
            return isinstance(value, Text)
        return found[1].type == value.type if isinstance(value, Number) else isinstance(found[1].type, Pointer)

    def owns(self, variable: str) -> bool:
        """Whether an object of the environment is made here."""
        return variable in self._objects or (
            self._system.object is not None and variable == self._system.object.variable
        )

    def _objects_handed(self, script: Script) -> dict[str, tuple[int, str]]:
        """The objects that are passed by address, by number and with their types."""
        calls = [i.what for i in script.items if isinstance(i.what, Calls)]
        calls += [script.before] if script.before is not None else []
        used = {a.object for call in calls for a in call.arguments if isinstance(a, Buffer)}
        numbered = enumerate(self._system.environment)
        return {v.name: (n, v.type.name) for n, v in numbered if v.name in used and isinstance(v.type, Record)}

    # ---- where things are

    def _class_of_subject(self) -> Class | None:
        if self._system.object is None:
            return None
        held = next(v.type for v in self._system.environment if v.name == self._system.object.variable)
        assert isinstance(held, Record)
        return self._program.classes[held.name]

    def _file_of_class(self, owner: Class) -> int:
        """A file that has the class: one that defines it, or a function of it, or whatever comes first."""
        known = [owner.span.file, *(f.span.file for m in owner.methods if (f := self._program.functions.get(m.name)))]
        return next((self._program.files.index(file) for file in known if file in self._program.files), 0)

    def _all_places(self) -> dict[str, tuple[int, Spelt]]:
        found: dict[str, tuple[int, Spelt]] = {}
        for name, expression, type in variables_of(self._program):
            file = self._program.variables[name].span.file
            number = self._program.files.index(file) if file in self._program.files else self.home
            if has_own_layout(self._program, type):
                self._variables[name] = number, expression
            found |= {name + path: (number, s) for path, s in scalars_in(self._program, type, expression)}
        if self._subject is not None and self._system.object is not None:
            names = self._system.object.names
            for path, spelt in scalars_in(self._program, Record(self._subject.record), OBJECT):
                if names.get(path):
                    found[names[path]] = self.home, spelt
        for function in self._results:
            type = self._result_type(function)
            room = f"(*{self._room(function)})"
            for path, spelt in scalars_in(self._program, type, room):
                found[result_name(function, path)] = self._file_of(function), spelt
        return found

    def _result_type(self, function: str) -> Record:
        known = self._program.functions[function]
        rooms = [p.type for p in known.parameters if p.name == RESULT]
        held = rooms[0].target if rooms and isinstance(rooms[0], Pointer) else known.result
        assert isinstance(held, Record)
        return held

    def _room(self, function: str) -> str:
        return f"sg_room<{class_text(self._result_type(function).name)}, {self._numbers[function]}>()"

    def _file_of(self, function: str) -> int:
        if self._method(function) is not None:
            return self.home
        file = self._program.functions[function].span.file
        return self._program.files.index(file) if file in self._program.files else self.home

    def _method(self, function: str) -> Method | None:
        return self._program.method(function)

    # ---- the text of a file

    def subject(self, number: int) -> Iterator[str]:
        """What stands behind the code of a file."""
        yield '#include "support.hpp"'
        yield from self.doubles.weakened()
        if number == self.home:
            yield from self._made()
            yield from self._object()
            yield from self._catching()
        for function, index in self._numbers.items():
            if self.calls(function) and self._file_of(function) == number:
                yield from self._caller(function, index)
        for name, index in self.thrown.items():
            yield from self._thrower(name, index, number)

    def _made(self) -> Iterator[str]:
        """The text that makes what the object is given, and room for what it may change of that."""
        if self._system.made:
            yield from (f"#include <{header}>" for header in MADE_HEADERS)
            yield f"namespace {MADE_NAMESPACE} {{"
            yield from self._system.made
            yield "}"
        for number, record in self._objects.values():
            name = class_text(record)
            yield f'extern "C" {{ alignas({name}) char object_{number}[sizeof({name})]; }}'

    def _object(self) -> Iterator[str]:
        if self._subject is None:
            return
        name = class_text(self._subject.record)
        yield f'extern "C" {{ alignas({name}) char sg_subject[sizeof({name})]; }}'
        yield f"static {name} &{OBJECT} {{ return *reinterpret_cast<{name} *>(sg_subject); }}"
        yield from self.doubles.parts()
        yield from self.doubles.definitions_in_cplusplus()

    def _caller(self, function: str, index: int) -> Iterator[str]:
        yield f'extern "C" void sg_call_{index}(const sg_bits *given)'
        yield "{"
        if function == self._ends:
            yield f"    sg_ended(sg_bits_of([&]() {{ {self._called(function)}; }}()));"
        else:
            entry = self._entries.get(function)
            destroys = "true" if entry is not None and entry.forget else "false"
            yield f"    sg_tell<{index}, {destroys}>([&]() -> decltype(auto) {{ {self._called(function)}; }});"
            yield from self._left(entry)
        yield "}"

    def _left(self, entry: Entry | None) -> Iterator[str]:
        """Destroys what a function was given to change."""
        rooms = [a.variable for a in entry.arguments if isinstance(a, Pointed) and a.left] if entry is not None else []
        if entry is not None and entry.leave and all(room in self._objects for room in rooms):
            written = self._program.written[entry.leave]
            types = zip(written.parameters, rooms, strict=True)
            passed = ", ".join(f"reinterpret_cast<{type}>(object_{self._objects[room][0]})" for type, room in types)
            yield f"    {written.scope}::{written.name}({passed});"

    def _called(self, function: str) -> str:
        method, written = self._method(function), self._program.written.get(function)
        types = written.parameters if written is not None else ()
        entry = self._entries.get(function)
        taken = len(entry.arguments) - entry.hidden if entry is not None else len(types)
        # What is made to call a function of the object takes the object first.
        first = [f"&{OBJECT}"] * (len(types) - taken) if method is None else []
        given = [
            f"sg_as<{checked(t, f'an argument of `{function}`')}>(given[{n}])"
            for n, t in enumerate(types[len(first) :])
        ]
        passed = ", ".join([*first, *given])
        if method is None:
            assert written is not None
            return f"return {checked(written.scope, f'`{function}`')}::{written.name}({passed})"
        if method.role is Role.CONSTRUCTOR:
            assert self._subject is not None
            arguments = f"({passed})" if passed else ""
            return f"new (sg_subject) {class_text(self._subject.record)}{arguments}"
        assert written is not None
        constant = "const " if method.constant else ""
        whole = f"static_cast<{constant}{checked(written.scope, f'`{function}`')} &>({OBJECT})"
        return f"return {whole}.{written.name}({passed})"

    def _written(self, function: str) -> Written | None:
        """How a function is written, if it is called from here; what has no name is refused."""
        if not self.calls(function):
            return None
        written = self._program.written.get(function)
        if written is None and not is_made_up(function):
            method = self._method(function)
            if method is None or method.role is not Role.CONSTRUCTOR:
                raise refused(f"`{function}` has no name that code could use")
        return written

    # ---- exceptions

    def _types(self, name: str) -> list[str]:
        """The types that an exception may have whose name is known without its namespaces."""
        return [type_of(c) for c in thrown_types(self._program.variables) if thrown_name(c) == name]

    def _file_of_type(self, type: str) -> int:
        owner = next((c for c in self._program.classes.values() if c.record.replace(".", "::") == type), None)
        return self._file_of_class(owner) if owner is not None else self.home

    def _thrower(self, name: str, index: int, number: int) -> Iterator[str]:
        types = self._types(name)
        if not types:
            raise refused(f"`{name}` is no type of an exception that code could name")
        texts = [checked(t, f"`{name}`") for t in types]
        if self._file_of_type(types[0]) != number:
            return
        same = " || ".join(f"*type == typeid({text})" for text in texts)
        yield f"int sg_is_thrown_{index}(const std::type_info *type) {{ return {same}; }}"
        yield f"void sg_throw_{index}(void) {{ sg_throw_one<{texts[0]}>(); }}"

    def _catching(self) -> Iterator[str]:
        for index in self.thrown.values():
            yield f"int sg_is_thrown_{index}(const std::type_info *type);"
            yield f"void sg_throw_{index}(void);"
        yield 'extern "C" int sg_thrown_type(const void *type)'
        yield "{"
        for index in self.thrown.values():
            yield f"    if (sg_is_thrown_{index}(static_cast<const std::type_info *>(type)))"
            yield f"        return {index};"
        yield "    return -1;"
        yield "}"
        yield 'extern "C" void sg_throw(int type)'
        yield "{"
        yield "    switch (type) {"
        yield from (
            f"    case {index}: sg_throw_{index}(); /* {quoted(name)} */" for name, index in self.thrown.items()
        )
        yield "    }"
        yield "}"


def result_name(function: str, path: str) -> str:
    """What a scalar of an object is called that a function returns."""
    return f"what `{function}` returns{f', {path[1:]},' if path else ''}"
