"""Functions whose last act is a call, in machines so large that most of their calls are computed, not run."""

from __future__ import annotations

from pathlib import Path

from stateglass.operations.reflecting import Limits, load_machine, reflect_machine, source_files
from stateglass.pipeline import new_settings

STATES = 70


def test_the_rest_of_the_caller_is_among_the_lines(tmp_path: Path) -> None:
    code = "int t;\nstatic void dec(void)\n{\n  t--;\n}\nvoid f(void)\n{\n  if (t > 0)\n    dec();\n}\n"
    (tmp_path / "a.c").write_text(code, encoding="utf-8")
    states = "".join(f"  state S{n}: t == {n}\n" for n in range(STATES))
    (tmp_path / "m.machine").write_text(f'machine M of f in "a.c"\n{states}', encoding="utf-8")
    hypothesis = load_machine(str(tmp_path / "m.machine"))
    options = new_settings({"files": source_files(hypothesis)})
    model = reflect_machine(hypothesis, options, Limits(questions=0)).model
    lines = {edge.witness.lines for edge in model.edges if edge.witness is not None and edge.source == "S9"}
    assert [[line for _, line in found] for found in lines] == [[8, 9, 4, 2, 6]]
