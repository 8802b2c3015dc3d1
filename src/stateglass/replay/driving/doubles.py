"""Doubles of member functions: what is linked in place of them asks for whom they are called.

They are called as the C++ ABI has it that all compilers for Unix share: an object by its address, as the first
argument. A function that has a body is made weak, so that the double is taken, and keeps a name by which the double
calls it for all other objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, final

from stateglass.program import Declaration, Function, Pointer, Type, Void
from stateglass.program.classes import Method, Role
from stateglass.replay.driving.naming import part_text
from stateglass.replay.driving.spelling import as_bits, from_bits, quoted, refused, type_text
from stateglass.source import InputError
from stateglass.system import System
from stateglass.system.system import Double

# A name with its length before it, an argument of a template that is a number, or anything else.
_PIECES: Final = re.compile(r"L[a-z]n?\d+E|(?P<length>\d+)|[CD]1E|.")
_OTHERS: Final = {"C1E": ("C2E",), "D1E": ("D2E", "D0E")}


@final
class Doubles:
    """The doubles of a system; `roots` are expressions for the objects that they are parts of."""

    def __init__(self, system: System, roots: Mapping[str, str]) -> None:
        self._system = system
        self._program = system.program
        self._roots = dict(roots)
        self._by_function: dict[str, list[tuple[int, Double]]] = {}
        for number, double in enumerate(system.doubles):
            if double.function in self._program.written:
                self._by_function.setdefault(double.function, []).append((number, double))
        self._order = {name: number for number, name in enumerate(self._by_function)}

    def parts(self) -> Iterator[str]:
        """Functions of C++ that give the addresses of the objects that something stands for."""
        for doubles in self._by_function.values():
            for number, double in doubles:
                place = part_text(self._program, double.place, self._roots)
                yield f'extern "C" void *sg_part_{number}(void) {{ return &{place}; }}'

    def weakened(self) -> Iterator[str]:
        """Makes functions that have bodies give way, wherever the compiler puts them."""
        for name, doubles in self._by_function.items():
            if not doubles[0][1].has_body:
                continue
            symbols = self._symbols(name)
            lines = [f".weak {symbol}" for symbol in symbols]
            original = f"sg_original_{self._order[name]}"
            lines += [f".set {original}, {symbols[0]}", f".weak {original}"]
            yield f"__asm__({quoted(chr(10).join(lines))});"

    def definitions(self, outside: Mapping[str, int]) -> Iterator[str]:
        """The doubles in C; `outside` has the numbers of functions without a body that the run calls."""
        for name, doubles in self._by_function.items():
            yield f"void *sg_part_{doubles[0][0]}(void);"
            yield from (f"void *sg_part_{number}(void);" for number, _ in doubles[1:])
            try:
                yield from self._definition(name, doubles, outside)
            except InputError:
                # One that the run does not call need not be right.
                if any(double.instead in outside for _, double in doubles):
                    raise
                for symbol in self._symbols(name):
                    label = f"sg_double_{self._order[name]}_{symbol}"
                    yield f"void {label}(void) __asm__({quoted(symbol)});"
                    yield f"void {label}(void) {{ sg_called_out(-1, 0); }}"

    def _known(self, name: str) -> Function | Declaration:
        return self._program.functions.get(name) or self._program.declarations[name]

    def _definition(
        self, name: str, doubles: Iterable[tuple[int, Double]], outside: Mapping[str, int]
    ) -> Iterator[str]:
        known, method, order = self._known(name), self._program.method(name), self._order[name]
        assert method is not None
        if method.hidden > 1:
            raise refused(f"`{name}` returns an object, which a double cannot make")
        types = [p.type for p in known.parameters[method.hidden :]]
        result = type_text(known.result, f"what `{name}` returns")
        listed = ", ".join(
            ["void *self", *(f"{type_text(t, f'an argument of `{name}`')} p{n}" for n, t in enumerate(types))]
        )
        head = f"{result} sg_double_{order}({listed})"
        first, *others = self._symbols(name)
        passed = ", ".join(["self", *(f"p{n}" for n in range(len(types)))])
        has_body = any(double.has_body for _, double in doubles)
        if has_body:
            yield f"{result} sg_original_{order}({listed}) __attribute__((weak));"
        yield f"{head} __asm__({quoted(first)});"
        yield head
        yield "{"
        given = [as_bits(f"p{n}", t) for n, t in enumerate(types)]
        yield f"    sg_bits given[] = {{ {', '.join([*given, '0'])} }};"
        for number, double in doubles:
            yield f"    if (self == sg_part_{number}()) {{"
            yield from (f"        {line}" for line in self._instead(method, double, types, known.result, outside))
            yield "    }"
        if has_body:
            yield f"    if (!sg_original_{order})"
            yield f"        sg_lacks({quoted(name)});"
            yield f"    {'' if isinstance(known.result, Void) else 'return '}sg_original_{order}({passed});"
        else:
            yield "    sg_called_out(-1, given);"
        yield "}"
        for number, symbol in enumerate(others):
            alias = f"{result} sg_double_{order}_{number}({listed})"
            yield f"{alias} __asm__({quoted(symbol)}) __attribute__((alias({quoted(first)})));"

    def _instead(
        self, method: Method, double: Double, types: list[Type], result: Type, outside: Mapping[str, int]
    ) -> Iterator[str]:
        if not double.instead:
            self._check_made(method, double)
            yield "return;" if isinstance(result, Void) else "return 0;"
            return
        yield f"int back = sg_called_out({outside.get(double.instead, -1)}, given);"
        for number, type in enumerate(types):
            if isinstance(type, Pointer):
                yield f"sg_write_through(back, {number}, p{number});"
        yield "if (sg_items[back].thrown >= 0)"
        yield "    sg_throw(sg_items[back].thrown);"
        if isinstance(result, Void):
            yield "return;"
        else:
            yield f"return {from_bits('sg_result(back, given)', result, f'what `{double.instead}` returns')};"

    def _check_made(self, method: Method, double: Double) -> None:
        """What a constructor must do although nothing happens: the object has to find its virtual functions."""
        owner = self._program.classes[double.place.type.name]  # type: ignore[union-attr]
        if method.role is Role.CONSTRUCTOR and any(m.virtual for m in owner.methods):
            raise refused(f"`{owner.name}` has virtual functions, and a double of it would need a table of them")

    def _symbols(self, name: str) -> list[str]:
        """What the linker knows a function as; constructors and destructors go by several names."""
        symbol = self._program.written[name].symbol
        method = self._program.method(name)
        if method is None or method.role is Role.METHOD:
            return [symbol]
        position, mark = _mark_in(symbol)
        return [symbol, *(symbol[:position] + other + symbol[position + 3 :] for other in _OTHERS[mark])]


def _mark_in(symbol: str) -> tuple[int, str]:
    """Where a symbol says that it is the complete constructor or destructor."""
    position = 0
    while position < len(symbol):
        found = _PIECES.match(symbol, position)
        assert found is not None
        if found.group() in _OTHERS:
            return position, found.group()
        position = found.end() + int(found["length"] or 0)
    raise refused(f"`{symbol}` is no constructor or destructor that a driver knows")
