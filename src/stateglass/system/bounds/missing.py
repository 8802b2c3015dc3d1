"""The one error for all inputs that need a bound and have none, with what to paste."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from stateglass.source import Code, Diagnostic, InputError

_UNSIGNED = re.compile(r"u(nsigned\b|int|char\b|short\b|long\b)|size_t\b")
_SIGNED = re.compile(r"(signed\b|int|short\b|long\b|ptrdiff_t\b|ssize_t\b)")
_NOT_A_NUMBER = re.compile(r".*[*\[(]|(opaque|struct|union|void|float|double)\b")


def describe_missing(inputs: Sequence[tuple[str, str]], system: str = "main") -> InputError:
    """Names every input (name, text of its type) without a bound at once, with ready bounds to choose from."""
    distinct = list(dict.fromkeys(inputs))
    bounded = [(name, type, example) for name, type in distinct if (example := example_bound(type)) is not None]
    unbounded = [(name, type) for name, type in distinct if example_bound(type) is None]
    diagnostics = []
    if bounded:
        names = ", ".join(f"`{name}` ({type})" for name, type, _ in bounded)
        verb = "1 input needs a bound" if len(bounded) == 1 else f"{len(bounded)} inputs need a bound"
        options = " ".join(f"--bound '{name}={example}'" for name, _, example in bounded)
        lines = "\n".join(f"    {json.dumps(n, ensure_ascii=False)} = {json.dumps(e)}" for n, _, e in bounded)
        help = (
            f"say which values they take, on the command line:\n    {options}\n"
            f"or in stateglass.toml:\n    [system.{system}.bounds]\n{lines}"
        )
        diagnostics.append(Diagnostic(Code.MISSING_BOUND, f"{verb}: {names}", help=help))
    if unbounded:
        names = ", ".join(f"`{name}` ({type})" for name, type in unbounded)
        help = "only integers, bool and enums can be inputs: call the code from a function that sets these up"
        diagnostics.append(
            Diagnostic(Code.MISSING_BOUND, f"no bound can say which values these take: {names}", help=help)
        )
    return InputError(diagnostics)


def example_bound(type: str) -> str | None:
    """A bound that suits a type; None if a bound cannot be given for it.

    An enum is here only if its enumerators are unknown, or else it would need no bound: so it is like an integer.
    """
    name = type.removeprefix("const ").removeprefix("volatile ").strip()
    if _NOT_A_NUMBER.match(name):
        return None
    if name in ("bool", "_Bool"):
        return "bool"
    if _UNSIGNED.match(name) or not _SIGNED.match(name):
        return "0..10"
    return "-10..10"
