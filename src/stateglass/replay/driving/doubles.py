"""Doubles of member functions: what is linked in place of them asks for whom they are called.

They are called as the C++ ABI has it that all compilers for Unix share: an object by its address, as the first
argument. A function that has a body is made weak, so that the double is taken, and keeps a name by which the double
calls it for all other objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from stateglass.program import VOID, Declaration, Function, Pointer, Program, Record, Type, Written
from stateglass.program.classes import TABLE, Method, Role
from stateglass.replay.driving.naming import checked, part_text
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
            if self._is_cplusplus(name):
                continue
            yield from (f"void *sg_part_{number}(void);" for number, _ in doubles)
            try:
                yield from list(self._definition(name, doubles, outside))
            except InputError:
                if self._is_used(doubles, outside):
                    raise
                for symbol in self._symbols(name):
                    label = f"sg_double_{self._order[name]}_{symbol}"
                    yield f"void {label}(void) __asm__({quoted(symbol)});"
                    yield f"void {label}(void) {{ sg_called_out(-1, 0); }}"

    def _is_used(self, doubles: Iterable[tuple[int, Double]], outside: Mapping[str, int]) -> bool:
        """Whether the run needs a double; one that it does not call need not be right."""
        return any(double.instead in outside or not double.instead for _, double in doubles)

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
        passed = [f"{type_text(t, f'an argument of `{name}`')} p{n}" for n, t in enumerate(types)]
        listed = ", ".join(["void *self", *passed])
        first, *others = self._symbols(name)
        has_body = any(double.has_body for _, double in doubles)
        if has_body:
            yield f"{result} sg_original_{order}({listed}) __attribute__((weak));"
        yield f"{result} sg_double_{order}({listed}) __asm__({quoted(first)});"
        yield f"{result} sg_double_{order}({listed})"
        yield "{"
        given = [as_bits(f"p{n}", t) for n, t in enumerate(types)]
        yield f"    sg_bits given[] = {{ {', '.join([*given, '0'])} }};"
        for number, double in doubles:
            yield f"    if (self == sg_part_{number}()) {{"
            if double.instead:
                where = f"what `{double.instead}` returns"
                text = from_bits("sg_result(back, given)", known.result, where) if known.result != VOID else ""
                yield from _calls_out(double, types, text, outside)
            else:
                yield from self._does_nothing(method, double, result)
            yield "    }"
        if has_body:
            yield f"    if (!sg_original_{order})"
            yield f"        sg_lacks({quoted(name)});"
            own = ", ".join(["self", *(f"p{n}" for n in range(len(types)))])
            yield f"    {'' if known.result == VOID else 'return '}sg_original_{order}({own});"
        else:
            yield "    sg_called_out(-1, given);"
        yield "}"
        for number, symbol in enumerate(others):
            alias = f"{result} sg_double_{order}_{number}({listed})"
            yield f"{alias} __asm__({quoted(symbol)}) __attribute__((alias({quoted(first)})));"

    def _does_nothing(self, method: Method, double: Double, result: str) -> Iterator[str]:
        """A constructor, even one that does nothing, lets the object know its virtual functions."""
        tables = _tables(self._program, double.place.type)
        if method.role is Role.CONSTRUCTOR and tables:
            if tables != [0]:
                raise refused(f"`{double.place.type}` has several tables of virtual functions, and a double has one")
            symbol = self._table_symbol(method.name)
            table = f"sg_table_{self._order[method.name]}"
            yield f"        extern char {table}[] __asm__({quoted(symbol)});"
            # Before the functions there are a distance and what says of which class it is.
            yield f"        *(char **)self = {table} + 2 * sizeof(void *);"
        yield f"        return{'' if result == 'void' else ' 0'};"

    def _table_symbol(self, constructor: str) -> str:
        written = self._program.written[constructor]
        inside = written.symbol[len("_ZN") : _mark_in(written.symbol)[0]]
        scopes = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", written.scope))
        return f"_ZTVN{inside}E" if "::" in scopes else f"_ZTV{inside}"

    # ---- in C++: where a virtual function is defined is where the table of all of them is made

    def _is_cplusplus(self, name: str) -> bool:
        method, double = self._program.method(name), self._by_function[name][0][1]
        is_made = method is not None and method.role is Role.CONSTRUCTOR
        return not double.has_body and not is_made and bool(_tables(self._program, double.place.type))

    def definitions_in_cplusplus(self, outside: Mapping[str, int]) -> Iterator[str]:
        for name, doubles in self._by_function.items():
            if self._is_cplusplus(name):
                yield from self._definition_in_cplusplus(name, doubles, outside)

    def _definition_in_cplusplus(
        self, name: str, doubles: Iterable[tuple[int, Double]], outside: Mapping[str, int]
    ) -> Iterator[str]:
        written, method = self._program.written[name], self._program.method(name)
        assert method is not None
        types = [p.type for p in self._known(name).parameters[method.hidden :]]
        texts = [checked(t, f"an argument of `{name}`") for t in written.parameters]
        result, qualifiers = _ends_of(written)
        listed = ", ".join(f"sg_type<{text}> p{n}" for n, text in enumerate(texts))
        if method.role is Role.DESTRUCTOR:
            yield f"{written.scope}::{written.name}(){qualifiers} {{}}"
            return
        if method.hidden > 1 and self._is_used(doubles, outside):
            raise refused(f"`{name}` returns an object, which a double cannot make")
        yield f"auto {written.scope}::{written.name}({listed}){qualifiers} -> sg_type<{checked(result, f'`{name}`')}>"
        yield "{"
        given = [f"sg_passed<{text}>(p{n})" for n, text in enumerate(texts)]
        yield f"    sg_bits given[] = {{ {', '.join([*given, '0'])} }};"
        for number, double in doubles:
            yield f"    if (static_cast<const void *>(this) == sg_part_{number}()) {{"
            text = f"sg_as<{result}>(sg_result(back, given))" if result != "void" else ""
            yield from _calls_out(double, types, text, outside)
            yield "    }"
        yield "    sg_called_out(-1, given);"
        yield "    __builtin_unreachable();"
        yield "}"

    def _symbols(self, name: str) -> list[str]:
        """What the linker knows a function as; constructors and destructors go by several names."""
        symbol = self._program.written[name].symbol
        method = self._program.method(name)
        if method is None or method.role is Role.METHOD:
            return [symbol]
        return constructor_symbols(symbol)


def _calls_out(double: Double, types: Sequence[Type], result: str, outside: Mapping[str, int]) -> Iterator[str]:
    """What a double does for an object that something stands for; `result` says what it returns."""
    yield f"        int back = sg_called_out({outside.get(double.instead, -1)}, given);"
    for number, type in enumerate(types):
        if isinstance(type, Pointer):
            yield f"        sg_write_through(back, {number}, (void *)(__UINTPTR_TYPE__)given[{number}]);"
    yield "        if (sg_items[back].thrown >= 0)"
    yield "            sg_throw(sg_items[back].thrown);"
    yield f"        return{f' {result}' if result else ''};"


def _tables(program: Program, type: Type, offset: int = 0) -> list[int]:
    """Where in an object there is what leads to virtual functions."""
    if not isinstance(type, Record):
        return []
    owner = program.classes.get(type.name)
    members = {m.name for m in owner.members} if owner is not None else set()
    found: list[int] = []
    for field in program.records[type.name].fields:
        if field.name == TABLE:
            found.append(offset + field.offset)
        elif field.name not in members:
            found += _tables(program, field.type, offset + field.offset)
    return found


def _ends_of(written: Written) -> tuple[str, str]:
    """What a function returns, and what stands behind its parameters: `bool`, ` const` of `bool (int) const`."""
    before, parameters, behind = written.type.rpartition(f"({', '.join(written.parameters)})")
    result = before.strip()
    if not parameters or result.count("(") != result.count(")"):
        raise refused(f"`{written.name}` has a type that a driver cannot take apart: `{written.type}`")
    return result, behind


def constructor_symbols(symbol: str) -> list[str]:
    """The symbol of a complete constructor or destructor, and those of its other forms: for bases, and to delete."""
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
