"""What stands for functions and variables that the code does not have: stubs that ask the run what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, final

from stateglass.program import Pointer, Program, Variable, Void, size_of
from stateglass.replay.driving.script import CallsOut, ComesBack, Script
from stateglass.replay.driving.spelling import as_bits, from_bits, is_function, is_place, refused, type_text
from stateglass.source import InputError

OF_LIBRARY: Final = {
    "std.chrono.read_steady_clock": "_ZNSt6chrono3_V212steady_clock3nowEv",
    "std.chrono.read_system_clock": "_ZNSt6chrono3_V212system_clock3nowEv",
}
"""What functions that our library only declares are in the C++ library; a time is passed like the number in it."""
# Headers may have these called by other names, for what changed with a version of C.
_RENAMED: Final = frozenset({"scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf"})
_RENAMINGS: Final = ("__isoc99_", "__isoc23_")


@final
class Stubs:
    """Writes them in C; functions that the run calls have the numbers of a driver."""

    def __init__(self, program: Program, outside: Mapping[str, int], script: Script) -> None:
        self._program = program
        self._outside = outside
        self._script = script

    def variable(self, variable: Variable) -> str:
        size = max(size_of(variable.type, self._program.records), 1)
        if not is_place(variable.name):
            raise refused(f"`{variable.name}` is defined nowhere")
        return f"char {variable.name}[{size}] __attribute__((aligned(16)));"

    def function(self, name: str) -> Iterator[str]:
        declaration = self._program.declarations[name]
        written = self._program.written.get(name)
        symbol = OF_LIBRARY.get(name, name if written is None else written.symbol)
        if not is_function(symbol):
            return
        which = self._outside.get(name, -1)
        types = [p.type for p in declaration.parameters]
        try:
            result = type_text(declaration.result, f"what `{name}` returns")
            parameters = [f"{type_text(t, f'an argument of `{name}`')} p{n}" for n, t in enumerate(types)]
        except InputError:
            # One that the run does not call need not be right.
            if which >= 0:
                raise
            yield f"void {symbol}() {{ sg_called_out(-1, 0); }}"
            return
        listed = ", ".join([*parameters, *(["..."] if declaration.variadic and parameters else [])])
        yield f"{result} {symbol}({listed})"
        yield "{"
        given = [as_bits(f"p{n}", t) for n, t in enumerate(types)]
        yield f"    sg_bits given[] = {{ {', '.join([*given, '0'])} }};"
        yield f"    int back = sg_called_out({which}, given);"
        for number, type in enumerate(types):
            if isinstance(type, Pointer):
                yield f"    sg_write_through(back, {number}, p{number});"
        yield from self._writes_further(name, len(types))
        if written is not None:
            yield "    if (sg_items[back].thrown >= 0)"
            yield "        sg_throw(sg_items[back].thrown);"
        if not isinstance(declaration.result, Void):
            yield f"    return {from_bits('sg_result(back, given)', declaration.result, f'what `{name}` returns')};"
        yield "}"
        for renaming in _RENAMINGS if name in _RENAMED else ():
            yield f'{result} {renaming}{name}({listed}) __attribute__((alias("{name}")));'

    def _writes_further(self, name: str, declared: int) -> Iterator[str]:
        """What is written through arguments that no parameter is for, whose types are those of the calls in the run."""
        happened = [item.what for item in self._script.items]
        backs = [what for what in happened if isinstance(what, ComesBack) and what.function == name]
        last = max((written.argument for back in backs for written in back.written), default=-1)
        if last < declared:
            return
        calls = {what.further for what in happened if isinstance(what, CallsOut) and what.function == name}
        if not declared:
            raise refused(f"`{name}` has no parameters, and sets what its arguments point to")
        if len(calls) > 1:
            raise refused(f"`{name}` is called with other arguments each time, and sets what these point to")
        (further,) = calls
        yield "    __builtin_va_list further;"
        yield f"    __builtin_va_start(further, p{declared - 1});"
        for number, type in enumerate(further[: last + 1 - declared], declared):
            value = f"__builtin_va_arg(further, {type_text(type, f'an argument of `{name}`')})"
            yield f"    sg_write_through(back, {number}, {value});" if isinstance(type, Pointer) else f"    {value};"
        yield "    __builtin_va_end(further);"
