"""Puts a program together: headers, files, functions, and a main that reports everything at the end."""

import random
from dataclasses import dataclass, replace
from typing import final

from tests.generator.body import block
from tests.generator.calls import call
from tests.generator.context import Context, Family, World
from tests.generator.data import Global, enums, globals_of, macros, structs, typedefs, visible_in
from tests.generator.declarations import declare, pick_integer
from tests.generator.expression import LEVEL
from tests.generator.expressions import integer
from tests.generator.functions import Written, write_function
from tests.generator.guards import definitions
from tests.generator.types import NAMED, ArrayType, CType, IntType, PointerType, StructType, target_of
from tests.generator.wide.definitions import Definition, definitions_of
from tests.generator.wide.header import wide_header

_TOTAL = 12_000
_INCLUDES = ("#include <limits.h>", "#include <stddef.h>", "#include <stdint.h>")
_WIDE_INCLUDES = tuple(f"#include <{name}.h>" for name in ("ctype", "stdarg", "stdlib", "string"))


@final
@dataclass(frozen=True, slots=True)
class Generated:
    """A program as files by name, and which parts of C occur in it."""

    files: dict[str, str]
    features: frozenset[str]


@final
class _Program:
    """The program being written: what is at file scope, in order."""

    def __init__(self, seed: int, size: int, *, wide: bool = False) -> None:
        self.dice = random.Random(seed)
        self.size = size
        self.world = World(integers=list(NAMED), wide=wide)
        self.file_count = self.dice.choice([1, 1, 2, 3])
        self.top: list[str] = []
        self.globals: list[Global] = []
        self.written: list[Written] = []
        self.tables: list[str] = []
        self.table_externs: list[str] = []
        self.definitions: list[Definition] = []

    def context(self, file: int, budget: int = 1000) -> Context:
        return Context(self.dice, self.world, visible_in(self.globals, file), file, budget)

    def generate(self) -> Generated:
        ctx = Context(self.dice, self.world, [], 0, 1000)
        self.top += typedefs(ctx) + enums(ctx) + structs(ctx) + macros(ctx)
        if self.world.wide:
            self.top += wide_header(ctx)
        self.globals = globals_of(ctx, self.file_count, 3 + self.size // 12)
        if self.world.wide:
            self.definitions = definitions_of(ctx, self.file_count)
        for number in range(self.dice.randrange(1, 3)):
            self._family(number)
        self._functions()
        main = self._main()
        header, use = self._header(), self.dice.random() < 0.6
        ctx.note("header" if use else "no header")
        if self.file_count > 1:
            ctx.note("several files")
        files = {"program.h": header} if use else {}
        for file in range(self.file_count):
            opening = '#include "program.h"\n' if use else header
            files[f"part{file}.c"] = opening + "\n" + self._file(file) + ("\n" + main if file == 0 else "")
        return Generated(files, frozenset(self.world.features))

    def _family(self, number: int) -> None:
        """Functions of one signature, and the tables that point to them."""
        ctx = self.context(0)
        name = f"family{number}_fn"
        parameters = tuple(pick_integer(ctx) for _ in range(self.dice.randrange(1, 3)))
        family = Family(name, pick_integer(ctx), parameters, (), (), 0)
        signature = ", ".join(t.name for t in parameters)
        self.top.append(f"typedef {family.result.name} (*{name})({signature});")
        ctx.note("typedef")
        members = []
        for i in range(self.dice.randrange(2, 5)):
            file = self.dice.randrange(self.file_count)
            made = write_function(
                self.dice, self.world, visible_in(self.globals, file), file, f"member{number}_{i}",
                static=False, budget=120, statements=self.dice.randrange(2, 5), family=family,
            )  # fmt: skip
            self.written.append(made)
            members.append(made.function)
        names = [m.name for m in members]
        tables = [(f"table{number}", -1)]
        self.table_externs.append(f"extern const {name} table{number}[{len(names)}];")
        self.tables.append(f"const {name} table{number}[{len(names)}] = {{{', '.join(names)}}};")
        if self.dice.random() < 0.5:
            tables.append((f"ops{number}", -1))
            entries = ", ".join(f"{{{i}, {n}}}" for i, n in enumerate(names))
            self.table_externs.append(f"struct op{number} {{ short tag; {name} run; }};")
            self.table_externs.append(f"extern struct op{number} ops{number}[{len(names)}];")
            self.tables.append(f"struct op{number} ops{number}[{len(names)}] = {{{entries}}};")
        cost = max(m.cost for m in members)
        self.world.families.append(replace(family, members=tuple(members), tables=tuple(tables), cost=cost))

    def _functions(self) -> None:
        count = 2 + self.size // 15
        helpers = set()
        for number in range(count):
            file = self.dice.randrange(self.file_count)
            static = self.dice.random() < 0.35
            name = f"f{number}"
            if static and file not in helpers and self.file_count > 1:
                helpers.add(file)
                name = "helper"
            callback = self.world.families[0] if self.dice.random() < 0.2 else None
            made = write_function(
                self.dice, self.world, visible_in(self.globals, file), file, name, static=static,
                budget=self.dice.choice([150, 400, 1000]),
                statements=max(3, self.dice.randrange(self.size // 6, self.size // 3 + 2)), callback=callback,
            )  # fmt: skip
            self.written.append(made)
            self.world.functions.append(made.function)

    def _main(self) -> str:
        ctx = self.context(0, _TOTAL)
        ctx.frames.append({})
        ctx.statements = self.size // 2
        for _ in range(self.dice.randrange(2, 7)):
            declare(ctx)
        while ctx.statements > 0 and ctx.budget > _TOTAL // 4:
            block(ctx, 3)
        for function in self.world.functions:
            if function.static and function.file != 0:
                continue
            made = call(ctx, function, integer, 2)
            if made is None:
                continue
            match function.result:
                case IntType():
                    ctx.write(f"observe({made.text});")
                case PointerType():
                    ctx.write(f"observe(*{made.text});")
                case _:
                    ctx.write(f"{made.text};")
        with ctx.without_effects():
            ctx.write(f"int status = (int)({integer(ctx, 3).at(LEVEL['&'])} & 255);")
        for file in range(self.file_count):
            ctx.write(f"report{file}();")
        ctx.write("return status;")
        return "\n".join(["int main(void) {", *ctx.lines, "}", ""])

    def _header(self) -> str:
        """What every file sees; it may be included or repeated."""
        includes = (*_INCLUDES, *_WIDE_INCLUDES) if self.world.wide else _INCLUDES
        lines = [*includes, "", "void observe(long long value);", *definitions(), *self.top]
        lines += [g.extern for g in self.globals if not g.static]
        for made in self.written:
            if not made.function.static:
                lines.append(f"{made.head};")
        self.context(0).note("prototype")
        lines += [d.head for d in self.definitions if d.head]
        lines += self.table_externs
        lines += [f"void report{file}(void);" for file in range(self.file_count)]
        return "\n".join(lines) + "\n"

    def _file(self, file: int) -> str:
        parts = ["\n".join(g.definition for g in self.globals if g.file == file)]
        if file == 0:
            parts.append("\n".join(self.tables))
        parts += [d.text for d in self.definitions if d.file == file]
        parts += [w.text for w in self.written if w.function.file == file]
        lines: list[str] = []
        for g in self.globals:
            if g.file == file:
                _report(lines, self.world, g.place.text, g.place.type, f"i{len(lines)}")
        parts.append("\n".join([f"void report{file}(void) {{", *(f"    {line}" for line in lines), "}"]))
        return "\n\n".join(p for p in parts if p) + "\n"


def _report(lines: list[str], world: World, text: str, t: CType, index: str) -> None:
    match t:
        case IntType():
            lines.append(f"observe({text});")
        case ArrayType(element=IntType(), length=length):
            lines.append(f"for (int {index} = 0; {index} < {length}; {index}++) observe({text}[{index}]);")
        case ArrayType():
            for position in range(t.length):
                _report(lines, world, f"{text}[{position}]", t.element, index)
        case StructType():
            for field in t.fields:
                _report(lines, world, f"{text}.{field.name}", field.type, index)
        case PointerType():
            target = target_of(t, world.struct_named)
            value = f"{text}->{target.fields[0].name}" if isinstance(target, StructType) else f"*{text}"
            lines.append(f"observe({text} ? {value} : -1);" if t.nullable else f"observe({value});")


def generate(seed: int, size: int = 60) -> Generated:
    """A closed, deterministic C11 program without undefined or unspecified behaviour; the same one for a seed.

    It reports what happens by calling `void observe(long long)`, which it declares and does not define, and returns
    a status from 0 to 255. `size` is about how many statements it is written with.
    """
    return _Program(seed, size).generate()


def generate_wide(seed: int, size: int = 60) -> Generated:
    """The same with all of C: also unions, bit-fields, floats, the heap, the library and the extensions of GNU C."""
    return _Program(seed, size, wide=True).generate()
