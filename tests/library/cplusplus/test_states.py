"""Objects with containers as the subject: what they need is there, and equal contents are equal states."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from stateglass.model import Model
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract

SEQUENCE: Final = """
#include <{header}>
class Subject {{
    std::{type} values;
public:
    void push(int x) {{ if (values.size() < 3) values.push_back(x); }}
    void pop() {{ if (!values.empty()) values.pop_{end}(); }}
}};
"""


def model_of(folder: Path, text: str, **bounds: str) -> Model:
    file = folder / "subject.cpp"
    file.write_text(text, encoding="utf-8")
    limits = tuple((f"Subject.{name.replace('_', '.')}", bound) for name, bound in bounds.items())
    model = extract(ExtractOptions((str(file),), of_class="Subject", bounds=limits)).exploration.model
    assert not model.partial
    return model


def stable_states(model: Model) -> int:
    (stable,) = (p for p in model.propositions if p.name == "stable")
    return int(stable.values.sum())


@pytest.mark.parametrize(
    ("header", "type", "end"),
    [("vector", "vector<int>", "back"), ("deque", "deque<int>", "front"), ("list", "list<int>", "front")],
)
def test_a_constructor_that_nobody_wrote_makes_containers(tmp_path: Path, header: str, type: str, end: str) -> None:
    model = model_of(tmp_path, SEQUENCE.format(header=header, type=type, end=end), push_x="0..1")
    assert stable_states(model) >= 15
