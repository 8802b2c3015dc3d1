"""The run of a driver as code: inputs are set, objects filled and functions called, one step after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import final

from stateglass.program import AddressOf, Constant, Global, Type, Variable, Void, representation
from stateglass.replay.driving.cplusplus import Cplusplus
from stateglass.replay.driving.script import Argument, Buffer, Calls, Number, Script, Sets
from stateglass.replay.driving.spelling import as_bits, constant, from_bits, refused, type_text
from stateglass.system import System


@final
class Playing:
    """Writes what is done; functions that are called and inputs that are set have the numbers of a driver."""

    def __init__(
        self,
        system: System,
        script: Script,
        cplusplus: Cplusplus | None,
        functions: Mapping[str, int],
        sets: Mapping[str, int],
    ) -> None:
        self._system = system
        self._program = system.program
        self._script = script
        self._cplusplus = cplusplus
        self._functions = functions
        self._sets = sets
        self._objects = {variable.name: number for number, variable in enumerate(system.environment)}

    def lines(self) -> Iterator[str]:
        yield "void sg_play(void)"
        yield "{"
        used = {a.object for c in self._script.calls() for a in c.arguments if isinstance(a, Buffer)}
        for variable in self._system.environment:
            # Of C++ there is more: rooms for results, states of processes, and the object itself.
            if self._cplusplus is None or variable.name in used:
                yield from self._prepared(variable)
        if self._script.before is not None:
            yield from self._call(self._script.before, None)
        within = set(self._script.called_back())
        for index in range(len(self._script.items)):
            if index not in within:
                yield from self._performed(index)
        yield "}"
        yield "/* What happens before a function outside returns. */"
        yield "void sg_perform(int item)"
        yield "{"
        yield "    switch (item) {"
        for index in within:
            yield f"    case {index}:"
            yield from self._performed(index)
            yield "    break;"
        yield "    }"
        yield "}"

    def _performed(self, index: int) -> Iterator[str]:
        item = self._script.items[index]
        match item.what:
            case Sets(places, filled):
                yield f"    sg_begin({index}); /* step {item.step} */"
                for place, number in places:
                    yield f"    sg_set_{self._sets[place]}({constant(number)});"
                for one in filled:
                    yield f"    {self._filled(f'object_{self._objects[one.object]}', one.position, one.number)}"
            case Calls():
                yield f"    sg_begin({index}); /* step {item.step} */"
                yield from self._call(item.what, index)
            case _:
                pass

    def _prepared(self, variable: Variable) -> Iterator[str]:
        own = f"object_{self._objects[variable.name]}"
        for initial in variable.initial:
            match initial.value:
                case Constant(value):
                    number = Number(value, initial.type)
                    yield f"    {self._filled(own, initial.position, number)}"
                case AddressOf(Global(name)) if name in self._objects:
                    pointer = f"object_{self._objects[name]}"
                    size = self._program.target.pointer_size
                    bits = f"(sg_bits)(__UINTPTR_TYPE__){pointer}"
                    yield f"    sg_fill({own}, {initial.position // 8}, {size}, {bits});"
                case _:
                    raise refused(f"`{variable.name}` starts with something that a driver cannot write down")

    def _filled(self, object: str, position: int, number: Number) -> str:
        bits = representation(number.type).bits
        if position % 8 or bits not in (8, 16, 32, 64):
            raise refused("an input lies in the middle of a byte")
        return f"sg_fill({object}, {position // 8}, {bits // 8}, {constant(number)});"

    def _call(self, call: Calls, index: int | None) -> Iterator[str]:
        for argument in call.arguments:
            if isinstance(argument, Buffer):
                position = 0
                for number in argument.contents:
                    yield f"    {self._filled(f'object_{self._objects[argument.object]}', position, number)}"
                    position += representation(number.type).bits
        if self._cplusplus is not None and self._cplusplus.calls(call.function):
            yield from self._call_in_cplusplus(call, index)
            return
        function = self._program.functions[call.function]
        where = f"an argument of `{call.function}`"
        types = [p.type for p in function.parameters]
        result = type_text(function.result, f"what `{call.function}` returns")
        listed = ", ".join(type_text(t, where) for t in types) or "void"
        passed = ", ".join(self._passed(a, t) for a, t in zip(call.arguments, types, strict=True))
        which = self._functions[call.function]
        called = f"(({result} (*)({listed}))sg_function_{which}())({passed})"
        void = isinstance(function.result, Void)
        if index is None:
            yield f"    {called};"
        elif self._script.exits(call.function):
            yield f"    sg_ended({as_bits(called, function.result)});"
        elif void:
            yield f"    {called};"
            yield f"    sg_returned({which}, 0, 0);"
        else:
            yield f"    sg_returned({which}, 1, {as_bits(called, function.result)});"

    def _call_in_cplusplus(self, call: Calls, index: int | None) -> Iterator[str]:
        given = [
            f"(sg_bits)(__UINTPTR_TYPE__)object_{self._objects[a.object]}" if isinstance(a, Buffer) else constant(a)
            for a in call.arguments
        ]
        yield "    {"
        yield f"        sg_bits given[] = {{ {', '.join([*given, '0'])} }};"
        if index is None:
            yield "        sg_unseen();"
        yield f"        sg_call_{self._functions[call.function]}(given);"
        yield "    }"

    def _passed(self, argument: Argument, type: Type) -> str:
        match argument:
            case Buffer(name):
                return f"object_{self._objects[name]}"
            case Number():
                return from_bits(constant(argument), type, "an argument")
