"""The door to libclang: parsing, and what its Python binding does not offer (see the notes at each function)."""

from __future__ import annotations

import ctypes
import re
import shlex
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, unique
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias, final

import clang.cindex as ci
from clang.cindex import CursorKind, TypeKind

from stateglass.program import Float
from stateglass.program.floats import FORMATS, encode, from_python
from stateglass.source import LIBRARY, Code, Diagnostic, Place, Severity, Span, input_error

# The binding carries no types.
Cursor: TypeAlias = Any
ClangType: TypeAlias = Any

LIBRARY_FOLDER: Final = Path(__file__).resolve().parents[1] / "library"

_Pointer = ctypes.c_void_p
_EVALUATED_INTEGER: Final = 1
_EVALUATED_FLOAT: Final = 2
_MOST_ERRORS: Final = 100


def _bind(name: str, arguments: list[Any], result: Any) -> Any:
    function = getattr(ci.conf.lib, name)
    function.argtypes = arguments
    function.restype = result
    return function


@final
class _Library:
    """The C functions that `clang.cindex` leaves out."""

    def __init__(self) -> None:
        uint = ctypes.c_uint
        place = [ci.SourceLocation, *[ctypes.POINTER(t) for t in (_Pointer, uint, uint, uint)]]
        self.spelling_location = _bind("clang_getSpellingLocation", place, None)
        self.expansion_location = _bind("clang_getExpansionLocation", place, None)
        self.file_name = _bind("clang_getFileName", [_Pointer], ci._CXString)
        self.extent = _bind("clang_getCursorExtent", [ci.Cursor], ci.SourceRange)
        self.file_contents = _bind(
            "clang_getFileContents", [ci.TranslationUnit, _Pointer, ctypes.POINTER(ctypes.c_size_t)], _Pointer
        )
        self.evaluate = _bind("clang_Cursor_Evaluate", [ci.Cursor], _Pointer)
        self.result_kind = _bind("clang_EvalResult_getKind", [_Pointer], ctypes.c_int)
        self.result_signed = _bind("clang_EvalResult_getAsLongLong", [_Pointer], ctypes.c_longlong)
        self.result_unsigned = _bind("clang_EvalResult_getAsUnsigned", [_Pointer], ctypes.c_ulonglong)
        self.result_float = _bind("clang_EvalResult_getAsDouble", [_Pointer], ctypes.c_double)
        self.result_is_unsigned = _bind("clang_EvalResult_isUnsignedInt", [_Pointer], uint)
        self.dispose = _bind("clang_EvalResult_dispose", [_Pointer], None)
        self.unary_operator = _bind("clang_getCursorUnaryOperatorKind", [ci.Cursor], ctypes.c_int)


def _is_null(cursor: Cursor) -> bool:
    return bool(cursor._kind_id == _NULL_KIND)


# The binding asks C whether a cursor is null at every access, which doubles the time of reading; its kind tells it too.
_NULL_KIND: Final = ci.conf.lib.clang_getNullCursor()._kind_id
ci.Cursor.is_null = _is_null


@cache
def _library() -> _Library:
    return _Library()


def parse(path: str, flags: Sequence[str], text: str | None = None) -> tuple[ci.TranslationUnit, list[Diagnostic]]:
    """A translation unit and what clang says about it. An error among the diagnostics means: no program."""
    unsaved = None if text is None else [(path, text)]
    index = ci.Index.create()
    try:
        unit = index.parse(path, args=["-ferror-limit=0", *flags], unsaved_files=unsaved)
    except ci.TranslationUnitLoadError as error:
        shown = shlex.join(f for f in flags if not f.startswith(("-Wno-", "-isystem")))
        raise input_error(Code.FLAG, f"clang cannot work with these flags: {shown}") from error
    return unit, list(_diagnostics(unit))


def builtin_headers() -> str:
    """The folder of the headers that clang brings along: `stddef.h`, `stdint.h` and so on."""
    return str(Path(ci.Config.resource_dir) / "include")


def version() -> str:
    """Which clang this is, as it names itself."""
    unit, _ = parse("version.c", [], "char *version = __clang_version__;")
    literal = next(c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.STRING_LITERAL)
    return str(literal.spelling).strip('"').split(" ")[0]


def _diagnostics(unit: ci.TranslationUnit) -> Iterator[Diagnostic]:
    severities = {ci.Diagnostic.Warning: Severity.WARNING, ci.Diagnostic.Note: Severity.NOTE}
    errors = 0
    for d in unit.diagnostics:
        if d.severity == ci.Diagnostic.Ignored:
            continue
        severity = severities.get(d.severity, Severity.ERROR)
        errors += severity is Severity.ERROR
        if errors > _MOST_ERRORS:
            return
        location = d.location
        start = Place(shown_name(location.file.name), location.line, location.column) if location.file else Place("", 0)
        yield Diagnostic(Code.SYNTAX, d.spelling, Span(start, start), severity)


@lru_cache(maxsize=4096)
def shown_name(name: str) -> str:
    """A file's name as people know it: relative where it lies below the current folder, ours wherever installed."""
    path = Path(name)
    if path.is_relative_to(LIBRARY_FOLDER):
        return LIBRARY + path.relative_to(LIBRARY_FOLDER).as_posix()
    if path.is_absolute():
        try:
            return str(path.relative_to(Path.cwd()))
        except ValueError:
            return str(path)
    return str(path)


def children(cursor: Cursor) -> list[Cursor]:
    return list(cursor.get_children())


def expression_children(cursor: Cursor) -> list[Cursor]:
    """The children that are expressions; references to types stand before them in casts and `sizeof`."""
    return [c for c in cursor.get_children() if c.kind.is_expression()]


# Bit 31 of a location says that it lies in a macro.
_MACRO: Final = 1 << 31


@final
class _Files:
    """Turns clang's locations into places without asking clang each time.

    A location outside macros is a number: where its file begins, plus an offset. One question to clang tells the
    beginning; after that a search among the beginnings of the file's lines gives line and column.
    """

    def __init__(self, unit: ci.TranslationUnit) -> None:
        self._unit = weakref.ref(unit)
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._names: list[str] = []
        self._lines: list[list[int]] = []

    def place(self, number: int, locate: Callable[[], Any]) -> Place:
        """The place of a location: its number, and a way to get at the location itself."""
        position = bisect_right(self._begins, number) - 1
        if position < 0 or number > self._ends[position]:
            position = self._learn(number, locate())
            if position < 0:
                return Place("", 0)
        offset = number - self._begins[position]
        lines = self._lines[position]
        line = bisect_right(lines, offset)
        return Place(self._names[position], line, offset - lines[line - 1] + 1)

    def _learn(self, number: int, location: Any) -> int:
        file, _, _, offset = _asked(_library().expansion_location, location)
        if not file:
            return -1
        text = self._contents(file)
        begin = number - offset
        position = bisect_right(self._begins, begin)
        self._begins.insert(position, begin)
        self._ends.insert(position, begin + len(text))
        self._names.insert(position, _name_of_file(file))
        self._lines.insert(position, [0, *(m.end() for m in re.finditer(rb"\n", text))])
        return position

    def _contents(self, file: int) -> bytes:
        size = ctypes.c_size_t()
        start = _library().file_contents(self._unit(), _Pointer(file), ctypes.byref(size))
        return ctypes.string_at(start, size.value) if start else b""


_files: weakref.WeakKeyDictionary[ci.TranslationUnit, _Files] = weakref.WeakKeyDictionary()


def _asked(function: Any, location: Any) -> tuple[int, int, int, int]:
    """File, line, column and offset of a location, as clang tells them."""
    file, line, column, offset = _Pointer(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    function(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
    return file.value or 0, line.value, column.value, offset.value


def _name_of_file(file: int) -> str:
    return shown_name(ci._CXString.from_result(_library().file_name(_Pointer(file)))) if file else ""


def _slow_place(function: Any, location: Any) -> Place:
    file, line, column, _ = _asked(function, location)
    return Place(_name_of_file(file), line, column)


def span_of(cursor: Cursor) -> Span:
    """Where a cursor's text is used and, for text out of a macro, where it is defined.

    `clang.cindex` gives expansion places only.
    """
    extent = _library().extent(cursor)
    begin, finish = extent.begin_int_data, extent.end_int_data
    if not (begin | finish) & _MACRO:
        files = _files.get(cursor._tu)
        if files is None:
            files = _files[cursor._tu] = _Files(cursor._tu)
        return Span(files.place(begin, lambda: extent.start), files.place(finish, lambda: extent.end))
    start, end = extent.start, extent.end
    library = _library()
    first = _slow_place(library.expansion_location, start)
    last = _slow_place(library.expansion_location, end)
    spelled = _slow_place(library.spelling_location, start)
    # An argument of the macro is spelled where the macro is used.
    given = spelled.file == first.file and first.line <= spelled.line <= last.line
    defined = None if given or not spelled.line else spelled
    return Span(first, last if last.file == first.file else first, defined)


def evaluate(cursor: Cursor) -> int | None:
    """The value of an integer constant expression, right also inside macros where tokens are not."""
    library = _library()
    result = library.evaluate(cursor)
    if not result:
        return None
    try:
        if library.result_kind(result) != _EVALUATED_INTEGER:
            return None
        if library.result_is_unsigned(result):
            return int(library.result_unsigned(result))
        return int(library.result_signed(result))
    finally:
        library.dispose(result)


def evaluate_float(cursor: Cursor) -> float | None:
    """The value of a floating-point constant expression, as a double."""
    library = _library()
    result = library.evaluate(cursor)
    if not result:
        return None
    try:
        return float(library.result_float(result)) if library.result_kind(result) == _EVALUATED_FLOAT else None
    finally:
        library.dispose(result)


def floating_bits(cursor: Cursor, type: Float) -> int | None:
    """The bits of a floating-point constant; what a double cannot hold is read from the literal's text."""
    if type.digits <= FORMATS[53].digits:
        value = evaluate_float(cursor)
        return None if value is None else from_python(value, type.format)
    token = next((t.spelling for t in cursor.get_tokens()), "").rstrip("lL")
    try:
        return encode(0, Fraction(token), type.format)
    except ValueError:
        return None  # in a macro, or hexadecimal


UNARY_OPERATORS: Final = {
    1: "x++",
    2: "x--",
    3: "++x",
    4: "--x",
    5: "&",
    6: "*",
    7: "+",
    8: "-",
    9: "~",
    10: "!",
    13: "__extension__",
}


def unary_operator(cursor: Cursor) -> str:
    """Which unary operator this is; the binding tells only of binary ones."""
    return UNARY_OPERATORS.get(_library().unary_operator(cursor), "?")


@final
class ForParts:
    """The four parts of a `for`, None where the source leaves one out."""

    def __init__(self, initial: Cursor | None, condition: Cursor | None, step: Cursor | None, body: Cursor) -> None:
        self.initial = initial
        self.condition = condition
        self.step = step
        self.body = body


def for_parts(cursor: Cursor) -> ForParts | None:
    """The parts of a `for`; None if this libclang does not let us tell which part is missing.

    The binding drops missing parts from the children. The statement object behind the cursor holds five
    pointers (initial, condition variable, condition, step, body); they are compared with the children's.
    """
    parts = children(cursor)
    if len(parts) == 4:
        return ForParts(*parts)
    if len(parts) == 1:
        return ForParts(None, None, None, parts[0])
    if not _statement_pointers_known():
        return None
    return _parts_by_pointer(cursor, parts)


def _parts_by_pointer(cursor: Cursor, parts: list[Cursor]) -> ForParts | None:
    base = cursor.data[1]
    by_address = {part.data[1]: part for part in parts}
    slots = [int.from_bytes(ctypes.string_at(base + 8 * k, 8), "little") for k in (1, 3, 4, 5)]
    initial, condition, step, body = (by_address.get(slot) for slot in slots)
    found = [part for part in (initial, condition, step, body) if part is not None]
    if body is None or len(found) != len(parts):
        return None
    return ForParts(initial, condition, step, body)


@cache
def _statement_pointers_known() -> bool:
    """Whether the layout that `_parts_by_pointer` relies on is the one of this libclang."""
    probe = "void f(int i) { for (i = 1; ; ) ; for (; i < 2; ) ; for (; ; i++) ; for (i = 1; ; i++) ; }"
    unit, _ = parse("probe.c", [], probe)
    loops = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.FOR_STMT]
    expected = [(True, False, False), (False, True, False), (False, False, True), (True, False, True)]
    for loop, present in zip(loops, expected, strict=True):
        parts = _parts_by_pointer(loop, children(loop))
        if parts is None:
            return False
        if (parts.initial is not None, parts.condition is not None, parts.step is not None) != present:
            return False
    return True


def declaration_key(cursor: Cursor) -> int:
    """Identifies a declaration within its unit: the address of clang's own node (a cursor's hash may collide)."""
    return int(cursor.data[0])


def is_volatile(type: ClangType) -> bool:
    """Whether reading an object of this type is an input: the type or what an array consists of is volatile."""
    type = type.get_canonical()
    while type.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        if type.is_volatile_qualified():
            return True
        type = type.element_type.get_canonical()
    return bool(type.is_volatile_qualified())


@final
@unique
class Hidden(Enum):
    """Expressions that libclang does not name: it shows all of them as one kind, "unexposed"."""

    CONVERSION = "an implicit conversion"
    CONSTANT = "a constant expression"
    WHOLE = "a full expression with temporaries"
    TEMPORARY = "a temporary"
    FUNCTION_NAME = "__func__"
    OFFSET_OF = "offsetof"
    CONDITIONAL = "a ?: b"
    CHOICE = "__builtin_choose_expr"
    TYPE_TEST = "__builtin_types_compatible_p"
    VARIADIC_ARGUMENT = "va_arg"
    OTHER = "an expression that libclang does not name"


# One of each, as the initialiser of a variable that is called like it.
_PROBE: Final = """
struct record { int x; } make(void);
int probe(int n, ...) {
    __builtin_va_list list;
    int conversion = n;
    const char *function_name = __func__;
    unsigned long offset_of = __builtin_offsetof(struct { int x; }, x);
    int whole = make().x;
    int conditional = n ?: 2;
    int choice = __builtin_choose_expr(1, n, 3);
    int type_test = __builtin_types_compatible_p(int, long);
    int variadic_argument = __builtin_va_arg(list, int);
    switch (n) { case 1 + 1: ; }
}
"""


def _statement_class(cursor: Cursor) -> int:
    """The first byte of the statement object behind a cursor tells its class."""
    return ctypes.string_at(cursor.data[1], 1)[0]


@cache
def _hidden_classes() -> dict[int, Hidden]:
    """Which class is which in this libclang, learned from a file in which we know."""
    unit, _ = parse("probe.c", [], _PROBE)
    found: dict[int, Hidden] = {}
    for cursor in unit.cursor.walk_preorder():
        if cursor.kind is CursorKind.CASE_STMT:
            found[_statement_class(children(cursor)[0])] = Hidden.CONSTANT
        if cursor.kind is CursorKind.MEMBER_REF_EXPR:
            found[_statement_class(children(cursor)[0])] = Hidden.TEMPORARY
        if cursor.kind is CursorKind.VAR_DECL and cursor.spelling.upper() in Hidden.__members__:
            value = expression_children(cursor)[-1]
            hidden = Hidden[cursor.spelling.upper()]
            while hidden is not Hidden.CONVERSION and _statement_class(value) in found:
                value = children(value)[0]  # a conversion to the variable's type stands around it
            found.setdefault(_statement_class(value), hidden)
    return found


def hidden_kind(cursor: Cursor) -> Hidden:
    """What an unexposed expression is."""
    return _hidden_classes().get(_statement_class(cursor), Hidden.OTHER)


_TRANSPARENT: Final = (Hidden.CONVERSION, Hidden.CONSTANT, Hidden.WHOLE, Hidden.TEMPORARY)


def strip(cursor: Cursor) -> Cursor:
    """The expression inside parentheses and implicit conversions."""
    while cursor.kind is CursorKind.PAREN_EXPR or (
        cursor.kind is CursorKind.UNEXPOSED_EXPR and hidden_kind(cursor) in _TRANSPARENT
    ):
        cursor = expression_children(cursor)[0]
    return cursor
