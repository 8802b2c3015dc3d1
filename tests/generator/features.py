"""The parts of C that generated programs are made of, by the names that `Generated.features` uses."""

from typing import Final

from tests.generator.ranges import ARITHMETIC, BITWISE, RELATIONAL, SHIFTS
from tests.generator.types import NAMED

COMPOUND: Final = ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")

_CONTROL = (
    "if", "if else", "while", "do while", "for", "for with missing parts", "nested loop", "break", "continue",
    "switch", "fall through", "default in the middle", "nested switch", "case inside a loop", "goto forward",
    "goto backward", "goto out of a loop", "early return", "empty statement", "bare block",
)  # fmt: skip
_EXPRESSIONS = (
    "comma", "conditional", "&&", "||", "short circuit with effect", "pre increment", "post increment",
    "pre decrement", "post decrement", "assignment as value", "call as value", "cast", "sizeof", "unary -", "unary +",
    "unary ~", "unary !", "guarded operator", "decimal literal", "hex literal", "octal literal", "char literal",
    "literal suffix", "limit constant", "enumerator", "index with effect", "compound literal",
)  # fmt: skip
_DATA = (
    "enum", "negative enumerator", "large enumerator", "struct", "nested struct", "array of structs",
    "struct assignment", "struct parameter", "struct result", "array", "multi-dimensional array", "address",
    "dereference",
    "arrow", "pointer arithmetic", "pointer comparison", "pointer difference", "pointer walk", "pointer to pointer",
    "pointer parameter", "array parameter", "pointer result", "pointer assignment", "null pointer", "null check",
    "linked structs", "pointer to array",
    "function pointer", "function pointer table", "function pointer in struct", "callback", "string literal",
    "char array from string", "static local", "static global", "external global", "const global", "nested initialiser",
    "designated initialiser", "partial initialiser", "typedef", "shadowing", "assigned after declaration",
)  # fmt: skip
_PROGRAM = (
    "object-like macro", "function-like macro", "nested macro", "macro argument with effect", "statement macro",
    "several files", "header", "no header", "static function", "static names in two files", "external function",
    "void function", "prototype",
)  # fmt: skip

WIDE_FEATURES: Final[tuple[str, ...]] = (
    "a ?: b", "_Generic", "statement expression", "typeof", "_Alignof", "address of compound literal",
    "element of compound literal", "float as a stage", "float comparison with integers",
    "union", "union of bytes", "union in an array", "union assignment", "union parameter", "pointer into union",
    "bit-field", "unnamed bit-field", "bit-fields over a word", "bit-field wider than int",
    "float", "double", "long double", "float to integer", "float compound assignment", "float parameter",
    "float condition", "float in an aggregate",
    "struct to bytes", "bytes to struct", "packed struct", "container_of", "memmove", "memset", "memcmp",
    "variadic function", "va_copy", "struct through varargs", "recursion", "mutual recursion", "recursion with array",
    "void * user data", "qsort", "bsearch", "malloc", "calloc", "realloc", "flexible array member", "list on the heap",
    "string.h", "strtol", "ctype.h", "computed goto", "case range", "variable-length array",
    "variable-length rows", "variable-length parameter", "K&R definition", "weak function", "weak function replaced",
    "inline function", "external inline function",
)  # fmt: skip
"""What only the programs of `generate_wide` have, besides all the others."""

FEATURES: Final[tuple[str, ...]] = (
    *_CONTROL,
    *_EXPRESSIONS,
    *_DATA,
    *_PROGRAM,
    *(f"operator {op}" for op in (*ARITHMETIC, *BITWISE, *SHIFTS, *RELATIONAL)),
    *(f"operator {op}" for op in COMPOUND),
    *(f"type {t.name}" for t in NAMED),
)
_KNOWN: Final = frozenset((*FEATURES, *WIDE_FEATURES))


def checked(name: str) -> str:
    assert name in _KNOWN, f"feature {name!r} is not declared"
    return name
