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

FEATURES: Final[tuple[str, ...]] = (
    *_CONTROL,
    *_EXPRESSIONS,
    *_DATA,
    *_PROGRAM,
    *(f"operator {op}" for op in (*ARITHMETIC, *BITWISE, *SHIFTS, *RELATIONAL)),
    *(f"operator {op}" for op in COMPOUND),
    *(f"type {t.name}" for t in NAMED),
)
_KNOWN: Final = frozenset(FEATURES)


def checked(name: str) -> str:
    assert name in _KNOWN, f"feature {name!r} is not declared"
    return name
