"""The files of a driver: the code with ways into it, the functions outside of it, and the run as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, final

from stateglass.program import (
    Cell,
    Pointer,
    Program,
    Type,
    Void,
    cells_of,
    representation,
    size_of,
)
from stateglass.program.callgraph import reachable
from stateglass.program.names import root_of, without_file
from stateglass.replay.driving.cplusplus import Cplusplus, result_name
from stateglass.replay.driving.playing import Playing
from stateglass.replay.driving.script import (
    Calls,
    CallsOut,
    Changes,
    ComesBack,
    Fails,
    Happening,
    Number,
    Reads,
    Returns,
    Script,
    Sets,
    Text,
    Throws,
    Value,
)
from stateglass.replay.driving.spelling import (
    WIDTHS,
    as_bits,
    from_bits,
    is_function,
    is_place,
    quoted,
    refused,
    type_text,
)
from stateglass.replay.driving.stubs import OF_LIBRARY, Stubs
from stateglass.replay.driving.tables import Tables, table, values_at
from stateglass.replay.driving.targets import ENVIRONMENT, OUTSIDE, Targets
from stateglass.source import Topic, is_cplusplus
from stateglass.system import System

RUNTIME: Final = ("runtime.h", "following.c", "runtime.c", "answers.c", "failures.c", "hooks.c", "support.hpp")
_EXITS: Final = ("exit", "_exit", "_Exit", "quick_exit")
_MAIN: Final = "stateglass_subject_main"
ASSUMED: Final = "assumed"
"""The folder of headers that are taken to be empty."""


def runtime_files() -> dict[str, str]:
    """The files that are the same for every driver."""
    folder = Path(__file__).parent
    return {name: (folder / name).read_text(encoding="utf-8") for name in RUNTIME}


@final
class Driver:
    """Writes the files for one script; whatever cannot be driven is refused when it is made."""

    def __init__(self, system: System, script: Script, files: Sequence[str]) -> None:
        """`files` are the paths that the code is included by, in the order of the program's files."""
        self._system = system
        self._program: Program = system.program
        self._script = script
        self._files = files
        self._functions = _numbered(call.function for call in script.calls())
        self._outside = _numbered(i.what.function for i in script.items if isinstance(i.what, CallsOut))
        ends = "main" if "main" in self._functions and script.exits("main") else None
        self._cplusplus = (
            Cplusplus(system, script, self._functions, self._outside, ends) if self.has_cplusplus else None
        )
        self._sets = _numbered(place for i in script.items if isinstance(i.what, Sets) for place, _ in i.what.numbers)
        self._reads = {(i.what.place, i.what.number.type): None for i in script.items if isinstance(i.what, Reads)}
        self._volatiles = list(self._reads)
        self._handed = {} if self.has_cplusplus else dict(self._cells_handed_in())
        self._types = {n: self._type(v) for i in script.items for n, v in values_at(i) if self._is_seen(n, v)}
        self._getters = _numbered(self._types)
        self.targets = Targets(system, script.compared(), self._file_that_names, self._address)
        self._check()

    @property
    def has_cplusplus(self) -> bool:
        """Whether a file of the code is C++."""
        return any(is_cplusplus(file) for file in self._program.files)

    @property
    def is_doubled(self) -> bool:
        """Whether something stands for functions that have a body: calls of them must stay calls."""
        return bool(self._system.replaced) or any(double.has_body for double in self._system.doubles)

    @property
    def subjects(self) -> list[str]:
        """The names of the files that have the code, one for each file of the program."""
        return [f"subject_{n}.{'cpp' if is_cplusplus(f) else 'c'}" for n, f in enumerate(self._program.files)]

    @property
    def reads_inputs(self) -> bool:
        """Whether the compiler has to tell of accesses to volatile variables, or of all."""
        return bool(self._volatiles) or any(isinstance(i.what, Changes) for i in self._script.items)

    @property
    def failure(self) -> Fails | None:
        """The error that the run ends with."""
        return next((i.what for i in self._script.items if isinstance(i.what, Fails)), None)

    @property
    def assumed_headers(self) -> list[str]:
        """Those that were not found and taken to be empty, by names that are below some folder."""
        names = [a.subject for a in self._system.assumptions if a.kind is Topic.HEADER]
        return [n for n in names if not PurePosixPath(n).is_absolute() and ".." not in PurePosixPath(n).parts]

    @property
    def sources(self) -> frozenset[str]:
        """The files that have code of the program, headers among them."""
        return frozenset(f.span.file for f in self._program.functions.values() if not f.span.in_library)

    def results_not_compared(self) -> list[str]:
        """The functions that return objects of which nothing can be seen."""
        found: dict[str, None] = {}
        for item in self._script.items:
            if isinstance(item.what, Returns) and item.what.parts:
                named = [(result_name(item.what.function, path), value) for path, value in item.what.parts]
                # Of a text all is known if the text is.
                is_text = any(isinstance(value, Text) and name in self._getters for name, value in named)
                if not is_text and not all(name in self._getters for name, _ in named):
                    found[item.what.function] = None
        return list(found)

    def uncompared(self, null_or_not: frozenset[str]) -> list[str]:
        """The variables that the claim is about and that cannot be compared; of some only that they are null counts."""
        leading = {name for i in self._script.items for name, v in i.values if not self.targets.is_compared(v)}
        missing = self._script.unknown | (leading - null_or_not)
        # What processes of the environment are at follows from what they do.
        own = {process.shown for process in self._system.processes}
        asked = self._script.asked - own
        return sorted(name for name in asked if name in missing or name not in self._getters)

    def texts(self) -> dict[str, str]:
        """All files by name; the code is in `subject_N.c`, or `subject_N.cpp`."""
        subjects = {name: self._subject(n) for n, name in enumerate(self.subjects)}
        headers = {f"{ASSUMED}/{name}": "" for name in self.assumed_headers}
        return {**runtime_files(), **subjects, **headers, "outside.c": self._outside_file(), "run.c": self._run_file()}

    def text_of_missing(self, names: Iterable[str]) -> str:
        """The file that stands for what nobody has and no run should come to; empty: there is nothing of that kind."""
        program = self._program
        there = {*self._system.externals, *program.functions, *program.variables}
        wanted = [n for n in dict.fromkeys(names) if n not in there and not n.startswith("__")]
        # What is no function is a variable that code which does not run names: nobody looks at it.
        lines = [
            f"void {name}() {{ sg_called_out(-1, 0); }}" if name in program.declarations else f"char {name}[16];"
            for name in wanted
        ]
        return "\n".join(['#include "runtime.h"', *lines, ""]) if lines else ""

    # ---- what is refused

    def _check(self) -> None:
        met = reachable(self._program, self._functions)
        used = met.variables.union(root_of(i.name) for i in met.inputs)
        for variable in self._program.variables.values():
            if variable.address is not None and variable.name in used:
                at = f"`{variable.name}` is a register at the address {variable.address:#x}"
                raise refused(f"{at}, where a process on this machine has no memory")
        for place in [*self._sets, *(name for name, _ in self._volatiles)]:
            if self._in_cplusplus(place) is None and (not is_place(place) or self._file_of(place) is None):
                raise refused(f"`{place}` is an input that cannot be reached from outside")
        for name in self._outside:
            declared = self._program.declarations.get(name)
            if declared is not None and declared.span.in_library and name.startswith("std.") and name not in OF_LIBRARY:
                raise refused(f"`{name}` is how our library has it, and the C++ library has no such function")
            if not is_function(name) and name not in self._program.written and name not in self._system.stand_ins:
                raise refused(f"`{name}` is no function that a driver can stand in for")

    def _type(self, value: Value) -> Type:
        return value.type if isinstance(value, Number) else Pointer(Void(), self._program.target.pointer_size)

    def _cells_handed_in(self) -> Iterator[tuple[str, tuple[int, Cell]]]:
        """The scalars of objects that pointer arguments lead to, by name: which object, and where in it."""
        for number, variable in enumerate(self._system.environment):
            for cell in cells_of(variable.type, self._program.records):
                if not cell.padding and cell.position % 8 == 0 and cell.width in WIDTHS:
                    yield variable.name + cell.path, (number, cell)

    def _is_seen(self, name: str, value: Value) -> bool:
        if name in self._handed:
            return True
        if self._cplusplus is not None and self._in_cplusplus(name) is not None:
            return self._cplusplus.can_see(name, value)
        return is_place(name) and self._file_of(name) is not None

    def _in_cplusplus(self, name: str) -> int | None:
        """The number of the file of C++ that can name a variable."""
        found = self._cplusplus.place(name) if self._cplusplus is not None else None
        return None if found is None else found[0]

    def _file_of(self, place: str) -> int | None:
        """The number of the file that can name a variable; None if none can."""
        variable = self._program.variables.get(root_of(place))
        if variable is None or variable.literal or variable.address is not None:
            return None
        if variable.span.file in self._program.files:
            return self._program.files.index(variable.span.file)
        # What a header or an included file of the user defines is known to the only file there is.
        is_known = len(self._program.files) == 1 and not variable.span.in_library
        return 0 if not variable.defined or is_known else None

    def _file_that_names(self, target: str) -> int | None:
        if self._cplusplus is not None and (target in self._program.written or self._is_subject(target)):
            found = self._cplusplus.variable(target)
            return None if found is None else found[0]
        if target in self._program.functions:
            return self._file_of_function(target)
        return self._file_of(target) if is_place(target) else None

    def _address(self, target: str) -> str:
        found = self._cplusplus.variable(target) if self._cplusplus is not None else None
        if found is not None:
            return f"&({found[1]})"
        return self._own_name(target) if target in self._program.functions else f"&({target})"

    # ---- the code

    def _subject(self, number: int) -> str:
        if is_cplusplus(self._program.files[number]):
            return self._subject_in_cplusplus(number)
        lines = ["/* The code, and ways into it from outside. */"]
        if "main" in self._program.functions:
            lines.append(f"#define main {_MAIN}")
        # Fields may be called like this, too: what follows has to name them in the same way.
        lines += [f"#define {name} sg_exit" for name in _EXITS if name not in self._program.own_functions]
        lines += [f"#include {quoted(self._files[number])}", '#include "runtime.h"']
        for name, index in self._functions.items():
            if self._file_of_function(name) == number:
                lines.append(f"void *sg_function_{index}(void) {{ return (void *){self._own_name(name)}; }}")
        for place, index in self._getters.items():
            if self._file_of(place) == number:
                lines.append(f"sg_bits sg_get_{index}(void) {{ return {as_bits(place, self._types[place])}; }}")
        for place, index in self._sets.items():
            if self._file_of(place) == number:
                lines.append(f"void sg_set_{index}(sg_bits value) {{ {self._write(place)} }}")
        for index, (place, _) in enumerate(self._volatiles):
            if self._file_of(place) == number:
                lines.append(f"char *sg_address_{index}(void) {{ return (char *)&({place}); }}")
        return "\n".join([*lines, *self.targets.functions(number)]) + "\n"

    def _subject_in_cplusplus(self, number: int) -> str:
        assert self._cplusplus is not None
        lines = ["/* The code, and ways into it from outside. */", f"#include {quoted(self._files[number])}"]
        lines += self._cplusplus.subject(number)
        lines.append('extern "C" {')
        for name, index in self._getters.items():
            found = self._cplusplus.place(name)
            if found is not None and found[0] == number:
                address = "&" if found[1].is_reference else ""
                lines.append(f"sg_bits sg_get_{index}(void) {{ return sg_bits_of({address}{found[1].expression}); }}")
        for name, index in self._sets.items():
            found = self._cplusplus.place(name)
            if found is not None and found[0] == number:
                place = found[1].expression
                value = f"sg_as<std::remove_cv_t<decltype({place})>>(value)"
                lines.append(f"void sg_set_{index}(sg_bits value) {{ {place} = {value}; }}")
        for index, (name, _) in enumerate(self._volatiles):
            found = self._cplusplus.place(name)
            if found is not None and found[0] == number:
                lines.append(f"char *sg_address_{index}(void) {{ return (char *)&{found[1].expression}; }}")
        return "\n".join([*lines, *self.targets.functions(number), "}"]) + "\n"

    @staticmethod
    def _own_name(function: str) -> str:
        return _MAIN if function == "main" else without_file(function)

    def _file_of_function(self, name: str) -> int:
        file = self._program.functions[name].span.file
        return self._program.files.index(file) if file in self._program.files else 0

    def _write(self, place: str) -> str:
        number = next(
            n for i in self._script.items if isinstance(i.what, Sets) for p, n in i.what.numbers if p == place
        )
        return f"{place} = {from_bits('value', number.type, f'`{place}`')};"

    # ---- functions outside

    def _outside_file(self) -> str:
        stubs = Stubs(self._program, self._outside, self._script)
        lines = ["/* What stands for functions and variables that the code does not have. */", '#include "runtime.h"']
        lines += [stubs.variable(variable) for variable in self._program.variables.values() if not variable.defined]
        for name in self._system.externals:
            if self._cplusplus is None or not self._cplusplus.doubles.has(name):
                lines += stubs.function(name)
        if self._cplusplus is not None:
            lines += self._cplusplus.doubles.definitions()
            lines += [f"void {name}(int status) {{ sg_exit(status); }}" for name in _EXITS if not self._has(name)]
        return "\n".join([*lines, *self.targets.functions(OUTSIDE)]) + "\n"

    def _has(self, function: str) -> bool:
        return function in self._program.own_functions or function in self._system.externals

    # ---- the run

    def _run_file(self) -> str:
        tables = Tables(self)
        playing = Playing(self._system, self._script, self._cplusplus, self._functions, self._sets)
        rows = [tables.item(item) for item in self._script.items]
        lines = ["/* The run, and what the environment does in it. */", '#include "runtime.h"']
        lines += [f"sg_bits sg_get_{n}(void);" for n in self._getters.values()]
        lines += [f"void sg_set_{n}(sg_bits value);" for n in self._sets.values()]
        lines += [self._declared(name, n) for name, n in self._functions.items()]
        lines += [f"char *sg_address_{n}(void);" for n in range(len(self._volatiles))]
        lines += self.targets.declared()
        getters = [f"{{ {quoted(name)}, sg_get_{n} }}" for name, n in self._getters.items()]
        volatiles = [
            f"{{ {quoted(name)}, sg_address_{n}, {representation(type).bits // 8} }}"
            for n, (name, type) in enumerate(self._volatiles)
        ]
        lines += table("struct sg_getter", "sg_getters", getters, "{ 0, 0 }")
        lines += table("char *", "sg_texts", self.targets.texts(), "0")
        lines += table("struct sg_target", "sg_targets", self.targets.rows(), "{ 0, 0 }")
        lines += table("struct sg_volatile", "sg_volatiles", volatiles, "{ 0, 0, 0 }")
        lines.append(f"const int sg_volatile_count = {len(volatiles)};")
        lines += table("struct sg_seen", "sg_values", tables.values, "{ 0, 0, 0 }")
        lines += table("struct sg_given", "sg_arguments", tables.arguments, "{ 0, 0, 0 }")
        lines += table("struct sg_write", "sg_writes", tables.writes, "{ 0, 0, 0, 0 }")
        # One more than there are: what happens while nobody looks is held against it.
        lines += table("struct sg_item", "sg_items", [*rows, '{ SG_ENDS, 0, 0, "" }'], "")
        lines.append(f"const int sg_item_count = {len(rows)};")
        objects = [*self._objects(), *self._looks_at_objects()]
        return "\n".join([*lines, *objects, *self.targets.functions(ENVIRONMENT), *playing.lines()]) + "\n"

    def _objects(self) -> list[str]:
        """The objects that pointer arguments lead to."""
        numbered = enumerate(self._system.environment)
        objects = [(n, v) for n, v in numbered if self._cplusplus is None or not self._cplusplus.owns(v.name)]
        sizes = [(n, v, max(size_of(v.type, self._program.records), 1)) for n, v in objects]
        own = [f"static char object_{n}[{size}] __attribute__((aligned(16))); /* {v.name} */" for n, v, size in sizes]
        others = [
            n for n, v in enumerate(self._system.environment) if (n, v) not in objects and not self._is_subject(v.name)
        ]
        return [*own, *(f"extern char object_{n}[];" for n in others)]

    def _looks_at_objects(self) -> Iterator[str]:
        for name, getter in self._getters.items():
            if name in self._handed:
                number, cell = self._handed[name]
                copied = f"__builtin_memcpy(&value, object_{number} + {cell.offset}, sizeof value);"
                value = f"{type_text(cell.type, f'`{name}`')} value;"
                yield f"sg_bits sg_get_{getter}(void) {{ {value} {copied} return {as_bits('value', cell.type)}; }}"

    def _is_subject(self, variable: str) -> bool:
        return self._system.object is not None and variable == self._system.object.variable

    def _declared(self, function: str, number: int) -> str:
        if self._cplusplus is not None and self._cplusplus.calls(function):
            return f"void sg_call_{number}(const sg_bits *given);"
        return f"void *sg_function_{number}(void);"

    def exception(self, type: str) -> int:
        """The number of a type that is thrown; -1: nothing is."""
        return self._cplusplus.thrown.get(type, -1) if self._cplusplus is not None else -1

    def getter(self, name: str) -> int | None:
        return self._getters.get(name)

    def which(self, what: Happening) -> int:
        match what:
            case Calls(function) | Returns(function) | Throws(function):
                return self._functions[function]
            case CallsOut(function) | ComesBack(function):
                return self._outside[function]
            case Reads(place, number):
                return self._volatiles.index((place, number.type))
            case _:
                return 0


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}
