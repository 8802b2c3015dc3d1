"""The door to libclang: parsing, and what its Python binding does not offer (see the notes at each function)."""

from __future__ import annotations

import ctypes
import re
import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias, final

import clang.cindex as ci
from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang.words import word
from stateglass.program import Float
from stateglass.program.floats import FORMATS, encode, from_python
from stateglass.source import LIBRARY, Code, Diagnostic, Place, Severity, Span, input_error

# The binding would add its own C++ headers behind ours; a mixture makes no sense to either.
ci.Config.libcxx_dir = None

# The binding carries no types.
Cursor: TypeAlias = Any
ClangType: TypeAlias = Any

# The binding would let C++ see the headers of another library, which do not go with ours.
ci.Config.libcxx_dir = None

LIBRARY_FOLDER: Final = Path(__file__).resolve().parents[2] / "library"

OpaquePointer = ctypes.c_void_p
_EVALUATED_INTEGER: Final = 1
_EVALUATED_FLOAT: Final = 2
WIDEST_EVALUATED: Final = 8
"""Clang tells the values of integers up to this many bytes."""
# All errors are wanted; brackets nested deeper than this would be the end of clang, and of us with it.
_LIMITS: Final = ("-ferror-limit=0", "-fbracket-depth=1000")
_MOST_ERRORS: Final = 100
LONGEST_QUOTE: Final = 60
# A header that is not found does not end parsing: what else is wrong comes to light at once.
_KEEP_GOING: Final = 0x200
_MISSING_HEADER: Final = re.compile(r"'([^']+)' file not found")


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
        place = [ci.SourceLocation, *[ctypes.POINTER(t) for t in (OpaquePointer, uint, uint, uint)]]
        self.spelling_location = _bind("clang_getSpellingLocation", place, None)
        self.expansion_location = _bind("clang_getExpansionLocation", place, None)
        self.file_name = _bind("clang_getFileName", [OpaquePointer], ci._CXString)
        self.extent = _bind("clang_getCursorExtent", [ci.Cursor], ci.SourceRange)
        self.file_contents = _bind(
            "clang_getFileContents", [ci.TranslationUnit, OpaquePointer, ctypes.POINTER(ctypes.c_size_t)], OpaquePointer
        )
        self.evaluate = _bind("clang_Cursor_Evaluate", [ci.Cursor], OpaquePointer)
        self.result_kind = _bind("clang_EvalResult_getKind", [OpaquePointer], ctypes.c_int)
        self.result_signed = _bind("clang_EvalResult_getAsLongLong", [OpaquePointer], ctypes.c_longlong)
        self.result_unsigned = _bind("clang_EvalResult_getAsUnsigned", [OpaquePointer], ctypes.c_ulonglong)
        self.result_float = _bind("clang_EvalResult_getAsDouble", [OpaquePointer], ctypes.c_double)
        self.result_is_unsigned = _bind("clang_EvalResult_isUnsignedInt", [OpaquePointer], uint)
        self.dispose = _bind("clang_EvalResult_dispose", [OpaquePointer], None)
        self.initialiser = _bind("clang_Cursor_getVarDeclInitializer", [ci.Cursor], ci.Cursor)
        self.target_information = _bind("clang_getTranslationUnitTargetInfo", [ci.TranslationUnit], OpaquePointer)
        self.target_triple = _bind("clang_TargetInfo_getTriple", [OpaquePointer], ci._CXString)
        self.dispose_target = _bind("clang_TargetInfo_dispose", [OpaquePointer], None)
        self.is_abstract = _bind("clang_CXXRecord_isAbstract", [ci.Cursor], uint)
        self.is_dynamic_call = _bind("clang_Cursor_isDynamicCall", [ci.Cursor], ctypes.c_int)
        self.template = _bind("clang_getSpecializedCursorTemplate", [ci.Cursor], ci.Cursor)
        self.is_inline = _bind("clang_Cursor_isFunctionInlined", [ci.Cursor], uint)
        self.unary_operator = _bind("clang_getCursorUnaryOperatorKind", [ci.Cursor], ctypes.c_int)
        self.assembly = _bind("clang_Cursor_getGCCAssemblyTemplate", [ci.Cursor], ci._CXString)
        self.assembly_outputs = _bind("clang_Cursor_getGCCAssemblyNumOutputs", [ci.Cursor], uint)
        self.assembly_output = _bind(
            "clang_Cursor_getGCCAssemblyOutput",
            [ci.Cursor, uint, ctypes.POINTER(ci._CXString), ctypes.POINTER(ci.Cursor)],
            uint,
        )
        self.assembly_has_goto = _bind("clang_Cursor_isGCCAssemblyHasGoto", [ci.Cursor], uint)


def _is_null(cursor: Cursor) -> bool:
    return bool(cursor._kind_id == _NULL_KIND)


# The binding asks C whether a cursor is null at every access, which doubles the time of reading; its kind tells it too.
_NULL_KIND: Final = ci.conf.lib.clang_getNullCursor()._kind_id
ci.Cursor.is_null = _is_null

# It also makes a member of an enum anew at every look at a kind; they are few.
_CURSOR_KINDS: Final = {kind.value: kind for kind in ci.CursorKind}
_TYPE_KINDS: Final = {kind.value: kind for kind in ci.TypeKind}


def _kind(cursor: Cursor) -> ci.CursorKind:
    return _CURSOR_KINDS[cursor._kind_id]


def _kind_of_type(type: ci.Type) -> ci.TypeKind:
    return _TYPE_KINDS[type._kind_id]


ci.Cursor.kind = property(_kind)
ci.Type.kind = property(_kind_of_type)


def _visit(child: Cursor, _: Cursor, found: list[Cursor]) -> int:
    found.append(child)
    return _CONTINUE


# And a function for C to call, whenever it is asked for children.
_CONTINUE: Final = 1
_VISIT: Final = ci.cursor_visit_callback(_visit)


def _get_children(cursor: Cursor) -> Iterator[Cursor]:
    found: list[Cursor] = []
    ci.conf.lib.clang_visitChildren(cursor, _VISIT, found)
    for child in found:
        child._tu = cursor._tu
    return iter(found)


ci.Cursor.get_children = _get_children


@cache
def library() -> _Library:
    return _Library()


def parse(
    path: str, flags: Sequence[str], text: str | bytes | None = None
) -> tuple[ci.TranslationUnit, list[Diagnostic]]:
    """A translation unit and what clang says about it. An error among the diagnostics means: no program."""
    unsaved = None if text is None else [(path, text)]
    index = ci.Index.create()
    try:
        unit = index.parse(path, args=[*_LIMITS, *flags], unsaved_files=unsaved, options=_KEEP_GOING)
    except ci.TranslationUnitLoadError as error:
        shown = shlex.join(f for f in flags if not f.startswith(("-Wno-", "-isystem")))
        raise input_error(Code.FLAG, f"clang cannot work with these flags: {shown}") from error
    return unit, list(_diagnostics(unit))


def builtin_headers() -> str:
    """The folder of the headers that clang brings along: `stddef.h`, `stdint.h` and so on."""
    return str(Path(ci.Config.resource_dir) / "include")


@cache
def version() -> str:
    """Which clang this is, as it names itself."""
    unit, _ = parse("version.c", [], "char *version = __clang_version__;")
    literal = next(c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.STRING_LITERAL)
    return str(literal.spelling).strip('"').split(" ")[0]


@cache
def host_triple() -> str:
    """This machine, as clang names it."""
    unit, _ = parse("host.c", [], "int i;")
    door = library()
    information = door.target_information(unit)
    try:
        return str(ci._CXString.from_result(door.target_triple(information)))
    finally:
        door.dispose_target(information)


def missing_header(problem: Diagnostic) -> str | None:
    """The header that clang does not find, if that is what it says."""
    found = _MISSING_HEADER.fullmatch(problem.message)
    return None if found is None else found[1]


def _diagnostics(unit: ci.TranslationUnit) -> Iterator[Diagnostic]:
    severities = {ci.Diagnostic.Warning: Severity.WARNING, ci.Diagnostic.Note: Severity.NOTE}
    errors = 0
    for d in unit.diagnostics:
        if d.severity == ci.Diagnostic.Ignored:
            continue
        severity = severities.get(d.severity, Severity.ERROR)
        errors += severity is Severity.ERROR and _MISSING_HEADER.fullmatch(d.spelling) is None
        if errors > _MOST_ERRORS:
            return
        location = d.location
        start = Place(shown_name(location.file.name), location.line, location.column) if location.file else Place("", 0)
        yield Diagnostic(Code.SYNTAX, d.spelling, Span(start, start), severity)


def lines_of_errors(unit: ci.TranslationUnit, path: str) -> Iterator[int]:
    """The lines of a file that errors are in, or that led to them."""
    for error in unit.diagnostics:
        for d in (error, *error.children) if error.severity >= ci.Diagnostic.Error else ():
            if d.location.file is not None and d.location.file.name == path:
                yield d.location.line


@lru_cache(maxsize=4096)
def shown_name(name: str) -> str:
    """A file's name as people know it: relative where it lies below the current folder, ours wherever installed."""
    path = Path(name)
    if path.is_relative_to(LIBRARY_FOLDER):
        return LIBRARY + path.relative_to(LIBRARY_FOLDER).as_posix()
    if path.is_relative_to(builtin_headers()):
        return f"{LIBRARY}clang/{path.relative_to(builtin_headers()).as_posix()}"
    if path.is_absolute():
        try:
            return str(path.relative_to(Path.cwd()))
        except ValueError:
            return str(path)
    return str(path)


CASTS: Final = (
    CursorKind.CSTYLE_CAST_EXPR,
    CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_CONST_CAST_EXPR,
    CursorKind.CXX_REINTERPRET_CAST_EXPR,
    CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
)


def children(cursor: Cursor) -> list[Cursor]:
    return list(cursor.get_children())


def expression_children(cursor: Cursor) -> list[Cursor]:
    """The children that are expressions; references to types stand before them in casts and `sizeof`."""
    return [c for c in cursor.get_children() if c.kind.is_expression()]


def object_before(cursor: Cursor) -> Cursor | None:
    """What stands before the `.` or `->` of a member; None where it is `this`, which nobody wrote.

    Arguments of templates in a qualified name, `Pool<SIZE>::clear()`, are expressions, too.
    """
    first = next(iter(cursor.get_children()), None)
    return first if first is not None and first.kind.is_expression() else None


def operand(cursor: Cursor) -> Cursor:
    """What a cast is applied to; expressions in the type (`typeof(x)`, the sizes of arrays) stand before it."""
    return expression_children(cursor)[-1]


def initialiser(cursor: Cursor) -> Cursor | None:
    """The initialiser of a variable: its children alone do not tell it from expressions in its type."""
    return ci.Cursor.from_cursor_result(library().initialiser(cursor), cursor)


def evaluate(cursor: Cursor) -> int | None:
    """The value of an integer constant expression, right also inside macros where tokens are not."""
    door = library()
    result = door.evaluate(cursor)
    if not result:
        return None
    try:
        if door.result_kind(result) != _EVALUATED_INTEGER:
            return None
        if door.result_is_unsigned(result):
            return int(door.result_unsigned(result))
        return int(door.result_signed(result))
    finally:
        door.dispose(result)


def evaluate_float(cursor: Cursor) -> float | None:
    """The value of a floating-point constant expression, as a double."""
    door = library()
    result = door.evaluate(cursor)
    if not result:
        return None
    try:
        return float(door.result_float(result)) if door.result_kind(result) == _EVALUATED_FLOAT else None
    finally:
        door.dispose(result)


def floating_bits(cursor: Cursor, type: Float) -> int | None:
    """The bits of a floating-point constant; what a double cannot hold must be a literal."""
    if type.digits <= FORMATS[53].digits:
        value = evaluate_float(cursor)
        return None if value is None else from_python(value, type.format)
    is_literal = cursor.kind is CursorKind.FLOATING_LITERAL
    return _literal_bits(cursor, type.format.width) if is_literal and _literals_known() else None


def _literal_bits(cursor: Cursor, width: int) -> int | None:
    """The bits of a literal as clang has them behind a cursor, or behind a pointer if they need more than a word."""
    base = cursor.data[1]
    found = int.from_bytes(ctypes.string_at(base + 24, 4), "little")
    if found != width:
        return None
    words = -(-width // 64)
    start = base + 16 if words == 1 else word(base, 2)
    return int.from_bytes(ctypes.string_at(start, 8 * words), "little")


@cache
def _literals_known() -> bool:
    """Whether the layout that `_literal_bits` relies on is the one of this libclang."""
    unit, _ = parse("probe.c", ["--target=x86_64-linux-gnu"], "long double a[] = {1.5L, 0x1p-70L}; double b = -2.5;")
    literals = [c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.FLOATING_LITERAL]
    expected = [encode(0, Fraction(3, 2), FORMATS[64]), encode(0, Fraction(1, 1 << 70), FORMATS[64])]
    found = [_literal_bits(c, w) for c, w in zip(literals, (80, 80, 64), strict=True)]
    return found == [*expected, from_python(2.5, FORMATS[53])]


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
    return UNARY_OPERATORS.get(library().unary_operator(cursor), "?")


def assembly(cursor: Cursor) -> tuple[str, tuple[str, ...]] | None:
    """The instructions of an `asm` statement and the constraints of its outputs; None if it may jump."""
    door = library()
    if door.assembly_has_goto(cursor):
        return None
    constraints = []
    for number in range(door.assembly_outputs(cursor)):
        text, place = ci._CXString(), ci.Cursor()
        door.assembly_output(cursor, number, ctypes.byref(text), ctypes.byref(place))
        constraints.append(str(ci._CXString.from_result(text)))
    return str(ci._CXString.from_result(door.assembly(cursor))), tuple(constraints)


def is_abstract(declaration: Cursor) -> bool:
    """Whether a class has functions that only derived classes have."""
    return bool(library().is_abstract(declaration))


def template_of(declaration: Cursor) -> Cursor | None:
    """The template that a class or a function was made of."""
    template = library().template(declaration)
    if template.is_null():
        return None
    template._tu = declaration._tu  # the binding wants it, to go on from there
    return template


def meant_by(using: Cursor) -> list[Cursor]:
    """The declarations that a `using` makes members, as far as clang knows them."""
    door = ci.conf.lib
    found: list[Cursor] = []
    for name in (c for c in using.get_children() if c.kind is ci.CursorKind.OVERLOADED_DECL_REF):
        for number in range(door.clang_getNumOverloadedDecls(name)):
            one = door.clang_getOverloadedDecl(name, number)
            one._tu = using._tu
            found.append(one)
    return found


def is_of_template(function: Cursor) -> bool:
    """Whether a function, or the class that it is a member of, was made of a template."""
    return template_of(function) is not None


def is_dynamic_call(cursor: Cursor) -> bool:
    """Whether it depends on the object which function is called."""
    return bool(library().is_dynamic_call(cursor))


def is_inline(cursor: Cursor) -> bool:
    return bool(library().is_inline(cursor))


def is_variadic(function: Cursor) -> bool:
    """Whether a function takes more arguments than it has parameters, or does not say what it takes."""
    type = function.type
    return type.kind is TypeKind.FUNCTIONNOPROTO or bool(type.is_function_variadic())


def declaration_key(cursor: Cursor) -> int:
    """Identifies a declaration within its unit: the address of clang's own node (a cursor's hash may collide)."""
    return int(cursor.data[0])


def expression_key(cursor: Cursor) -> int:
    """Identifies an expression within its unit, as `declaration_key` does a declaration."""
    return int(cursor.data[1])


def is_by_thread(cursor: Cursor) -> bool:
    """Whether each thread has a variable of that name of its own."""
    return cursor.tls_kind is not ci.TLSKind.NONE


def is_volatile(type: ClangType) -> bool:
    """Whether reading an object of this type is an input: the type or what an array consists of is volatile."""
    type = type.get_canonical()
    while type.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        if type.is_volatile_qualified():
            return True
        type = type.element_type.get_canonical()
    return bool(type.is_volatile_qualified())


def is_cast(cursor: Cursor) -> bool:
    """Whether an expression is another one in another guise: a cast, or a conversion that libclang does not name."""
    return cursor.kind in CASTS or len(expression_children(cursor)) == 1


def is_variable_instance(declaration: Cursor) -> bool:
    """Whether this is an instance of a template of variables, which libclang does not name."""
    if declaration.kind is not ci.CursorKind.UNEXPOSED_DECL:
        return False
    mangled = str(declaration.mangled_name or "")
    return mangled.startswith("_Z") and not mangled.startswith("_ZDC")  # the latter has names for its parts


def as_variable(declaration: Cursor) -> Cursor:
    """The same declaration as that of a variable."""
    found = ci.Cursor()
    found._kind_id, found.xdata = ci.CursorKind.VAR_DECL.value, declaration.xdata
    found.data[0], found.data[1], found.data[2] = declaration.data[0], declaration.data[1], declaration.data[2]
    found._tu = declaration._tu
    return found


def describe(cursor: Cursor) -> str:
    """A construct by a name a C programmer knows, as far as clang tells it."""
    names = {
        CursorKind.IMAGINARY_LITERAL: "complex numbers",
        CursorKind.INIT_LIST_EXPR: "an initialiser list here",
    }
    if cursor.kind in names:
        return names[cursor.kind]
    words = " ".join(t.spelling for t in cursor.get_tokens())
    return f"the expression `{words if len(words) <= LONGEST_QUOTE else words[:LONGEST_QUOTE] + ' …'}`"
