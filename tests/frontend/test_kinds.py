"""What is not known to be an expression of C is refused by name, whoever looks at it first."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.frontend import read_program
from stateglass.program import Unsupported
from stateglass.program.callgraph import statements_of


@pytest.mark.parametrize(
    "statement",
    [
        "n = (int)2.0i;",
        "n += (int)2.0i;",
        "n = 2.0i ? 2 : 3;",
        "n = -(int)2.0i;",
        "if (2.0i) n = 1;",
        "(2.0i);",
        "n = sizeof(char[(int)2.0i + n]);",
    ],
)
def test_a_kind_that_is_not_known_is_refused_by_name(tmp_path: Path, statement: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(f"int n;\nvoid f(void) {{\n    {statement}\n}}\n")
    program = read_program((str(file),)).program
    refused = [s.reason for s in statements_of(program.functions["f"].blocks) if isinstance(s, Unsupported)]
    assert refused == ["complex numbers"]
