"""The words and signs of CCL, by the names that the grammar has for them."""

from __future__ import annotations

from typing import Final

from stateglass.logic.predicates import Operator

WORDS: Final = {
    word: word.upper()
    for word in (
        *("component", "assembly", "environment", "service", "enum", "expose", "annotate", "const"),
        *("sink", "source", "synch", "asynch", "consume", "produce", "threaded", "unthreaded", "react"),
        *("state", "entry", "exit", "trigger", "guard", "action", "if", "else", "while", "true", "false"),
    )
}
TYPE_WORDS: Final = ("bool", "char", "short", "int", "long", "signed", "unsigned")
FOREIGN_WORDS: Final = {
    **dict.fromkeys(("for", "do"), "a loop is `while (condition) …`"),
    **dict.fromkeys(("switch", "case", "default"), "choose with `if (condition) … else …`, or with guards"),
    **dict.fromkeys(("break", "continue", "goto", "return"), "a statechart goes on by its transitions"),
    **dict.fromkeys(("float", "double"), "numbers are whole: write `int`, and choose a unit that is small enough"),
    **dict.fromkeys(
        ("struct", "union", "typedef", "void", "static", "sizeof"), "data are variables with whole numbers"
    ),
}
"""Words of C that the action language has not, with advice."""

SIGNS: Final = {
    **{operator.value: operator.name for operator in reversed(Operator)},
    "->": "ARROW",
    "~>": "CONNECT",
    "=": "ASSIGN",
    "(": "OPEN",
    ")": "CLOSE",
    "{": "BEGIN",
    "}": "END",
    ",": "COMMA",
    ";": "SEMICOLON",
    ":": "COLON",
    ".": "DOT",
    "$": "DOLLAR",
}
STEPS: Final = {"++": Operator.ADD, "--": Operator.MINUS}
UPDATES: Final = {
    f"{operator.value}=": operator
    for operator in (
        *(Operator.ADD, Operator.MINUS, Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER),
        *(Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT, Operator.BIT_AND, Operator.BIT_XOR, Operator.BIT_OR),
    )
}
