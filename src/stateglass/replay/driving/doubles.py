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
    """The doubles of a system, and functions outside whose types only C++ knows.

    `roots` are expressions for the objects that they are parts of; `outside` has the numbers of functions without a
    body that the run calls.
    """

    def __init__(self, system: System, roots: Mapping[str, str], outside: Mapping[str, int]) -> None:
        self._system = system
        self._program = system.program
        self._roots = dict(roots)
        self._outside = outside
        self._by_function: dict[str, list[tuple[int, Double]]] = {}
        for number, double in enumerate(system.doubles):
            if double.function in self._program.written:
                self._by_function.setdefault(double.function, []).append((number, double))
        self._order = {name: number for number, name in enumerate(self._by_function)}
        stood_for = {double.instead for double in system.doubles}
        written = {n: w for n in system.externals if n not in stood_for and (w := self._program.written.get(n))}
        self._free = [n for n, w in written.items() if w.is_of_library and not w.scope.startswith("std")]
        self._stood_for = stood_for

    def has(self, external: str) -> bool:
        """Whether what stands for a function outside is written here."""
        return external in self._stood_for or external in self._free

    def parts(self) -> Iterator[str]:
        """Functions of C++ that give the addresses of the objects that something stands for."""
        for doubles in self._by_function.values():
            for number, double in doubles:
                place = part_text(self._program, double.place, self._roots)
                yield f'extern "C" void *sg_part_{number}(void) {{ return &{place}; }}'

    def weakened(self) -> Iterator[str]:
        """Makes functions that have bodies give way, wherever the compiler puts them."""
        for name in sorted(self._system.replaced):
            written = self._program.written.get(name)
            if written is not None and not written.is_local:
                yield f"__asm__({quoted(f'.weak {written.symbol}')});"
        for name, doubles in self._by_function.items():
            if not doubles[0][1].has_body:
                continue
            symbols = self._symbols(name)
            lines = [f".weak {symbol}" for symbol in symbols]
            original = f"sg_original_{self._order[name]}"
            lines += [f".set {original}, {symbols[0]}", f".weak {original}"]
            yield f"__asm__({quoted(chr(10).join(lines))});"

    def definitions(self) -> Iterator[str]:
        """The doubles in C."""
        for name, doubles in self._by_function.items():
            if self._is_cplusplus(name):
                continue
            yield from (f"void *sg_part_{number}(void);" for number, _ in doubles)
            try:
                yield from list(self._definition(name, doubles))
            except InputError:
                if self._is_used(doubles):
                    raise
                for symbol in self._symbols(name):
                    label = f"sg_double_{self._order[name]}_{symbol}"
                    yield f"void {label}(void) __asm__({quoted(symbol)});"
                    yield f"void {label}(void) {{ sg_called_out(-1, 0); }}"

    def _is_used(self, doubles: Iterable[tuple[int, Double]]) -> bool:
        """Whether the run needs a double; one that it does not call need not be right."""
        return any(double.instead in self._outside or not double.instead for _, double in doubles)

    def _known(self, name: str) -> Function | Declaration:
        return self._program.functions.get(name) or self._program.declarations[name]

    def _definition(self, name: str, doubles: Iterable[tuple[int, Double]]) -> Iterator[str]:
        known, method, order = self._known(name), self._program.method(name), self._order[name]
        assert method is not None
        if method.hidden > 1 or any(double.maker for _, double in doubles):
            raise refused(f"`{name}` has a body and returns an object, which a double cannot make")
        if self._program.written[name].is_of_library:
            raise refused(f"`{name}` has a body, and what it takes or returns is of the C++ library")
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
                yield from self._calls_out(double.instead, types, text)
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
        if double.has_body or method is None or method.role is Role.CONSTRUCTOR:
            return False
        is_object = method.hidden > 1 or bool(double.maker)
        of_library = self._program.written[name].is_of_library
        return is_object or of_library or bool(_tables(self._program, double.place.type))

    def definitions_in_cplusplus(self) -> Iterator[str]:
        for name, doubles in self._by_function.items():
            if self._is_cplusplus(name):
                yield from self._in_cplusplus(name, doubles)
        for name in self._free:
            yield from self._in_cplusplus(name, ())

    def _in_cplusplus(self, name: str, doubles: Sequence[tuple[int, Double]]) -> Iterator[str]:
        """A function in C++; without doubles it is called for no object."""
        written, method = self._program.written[name], self._program.method(name)
        hidden = method.hidden if method is not None else 0
        scope = f"{checked(written.scope, f'`{name}`')}::" if written.scope else ""
        result, qualifiers = _ends_of(written)
        if method is not None and method.role is Role.DESTRUCTOR:
            yield f"{scope}{written.name}(){qualifiers} {{}}"
            return
        texts = [checked(t, f"an argument of `{name}`") for t in written.parameters]
        types = [p.type for p in self._known(name).parameters[hidden:]]
        listed = ", ".join(f"sg_type<{text}> p{n}" for n, text in enumerate(texts))
        yield f"auto {scope}{written.name}({listed}){qualifiers} -> sg_type<{checked(result, f'`{name}`')}>"
        yield "{"
        given = [f"sg_passed<{text}>(p{n})" for n, text in enumerate(texts)]
        yield f"    sg_bits given[] = {{ {', '.join([*given, '0'])} }};"
        for number, double in doubles:
            yield f"    if (static_cast<const void *>(this) == sg_part_{number}()) {{"
            yield from self._calls_out(double.instead, types, self._answer(result, double.maker))
            yield "    }"
        if doubles:
            yield "    sg_called_out(-1, given);"
            yield "    __builtin_unreachable();"
        else:
            yield from self._calls_out(name, types, self._answer(result, ""))
        yield "}"

    def _answer(self, result: str, maker: str) -> str:
        """What a function in C++ returns: the number that the run has, or what is made of it."""
        if result == "void":
            return ""
        if not maker:
            return f"sg_as<{result}>(sg_result(back, given))"
        written = self._program.written[maker]
        return f"{written.scope}::{written.name}(sg_as<{written.parameters[0]}>(sg_result(back, given)))"

    def _calls_out(self, instead: str, types: Sequence[Type], result: str) -> Iterator[str]:
        """What is done in place of a function; `result` says what it returns."""
        yield f"        int back = sg_called_out({self._outside.get(instead, -1)}, given);"
        for number, type in enumerate(types):
            if isinstance(type, Pointer):
                yield f"        sg_write_through(back, {number}, (void *)(__UINTPTR_TYPE__)given[{number}]);"
        yield "        if (sg_items[back].thrown >= 0)"
        yield "            sg_throw(sg_items[back].thrown);"
        yield f"        return{f' {result}' if result else ''};"

    def _symbols(self, name: str) -> list[str]:
        """What the linker knows a function as; constructors and destructors go by several names."""
        symbol = self._program.written[name].symbol
        method = self._program.method(name)
        if method is None or method.role is Role.METHOD:
            return [symbol]
        return constructor_symbols(symbol)


def _tables(program: Program, type: Type, offset: int = 0) -> list[int]:
    """Where in an object there is what leads to virtual functions."""
    if not isinstance(type, Record):
        return []
    found = [offset + field.offset for field in program.records[type.name].fields if field.name == TABLE]
    for base, inner in program.bases_in(type.name):
        found += _tables(program, inner, offset + base.offset)
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
