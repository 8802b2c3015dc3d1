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


CONTENTS: Final = 15
"""So many rows of at most three elements are there, each 0 or 1."""

KEYED: Final = """
#include <{header}>
#include <string>
class Subject {{
    std::{type} values;
public:
    void put(int x) {{ {put}; }}
    void drop(int x) {{ values.erase(x); }}
}};
"""

OWNERS: Final = """
#include <memory>
class Subject {
    std::unique_ptr<int> a, b;
public:
    void put(int x) { a = std::make_unique<int>(x); }
    void exchange() { a.swap(b); }
};
"""

ORDERED: Final = """
#include <set>
class Subject {
    std::set<int *> known;
    int *last = nullptr;
public:
    void put() { if (known.size() < 2) known.insert(last = new int(0)); }
    bool knows() { return last == nullptr || known.count(last) == 1; }
    void drop() {
        if (known.size() < 2)
            return;
        int *first = *known.begin();
        known.erase(first);
        if (first == last)
            last = *known.begin();
        delete first;
    }
};
"""


@pytest.mark.parametrize(
    ("header", "type", "end"),
    [("string", "string", "back"), ("deque", "deque<int>", "front"), ("list", "list<int>", "front")],
)
def test_rows_of_equal_content_are_equal_states(tmp_path: Path, header: str, type: str, end: str) -> None:
    model = model_of(tmp_path, SEQUENCE.format(header=header, type=type, end=end), push_x="0..1")
    assert stable_states(model) == CONTENTS


def test_how_much_room_a_vector_has_is_part_of_the_state(tmp_path: Path) -> None:
    model = model_of(tmp_path, SEQUENCE.format(header="vector", type="vector<int>", end="back"), push_x="0..1")
    # There is room for none, one, two or four, and never again for less.
    assert stable_states(model) == 1 + 3 + 7 + 15
    reserved = SEQUENCE.replace("public:", "public:\n    Subject() {{ values.reserve(3); }}")
    model = model_of(tmp_path, reserved.format(header="vector", type="vector<int>", end="back"), push_x="0..1")
    assert stable_states(model) == CONTENTS


@pytest.mark.parametrize(
    ("header", "type", "put"),
    [
        ("set", "set<int>", "values.insert(x)"),
        ("map", "map<int, std::string>", 'values[x] = "one"'),
        ("unordered_map", "unordered_map<int, int>", "values[x] = 1"),
    ],
)
def test_maps_and_sets_of_equal_content_are_equal_states(tmp_path: Path, header: str, type: str, put: str) -> None:
    model = model_of(tmp_path, KEYED.format(header=header, type=type, put=put), put_x="0..2", drop_x="0..2")
    assert stable_states(model) == 2**3


def test_it_does_not_matter_which_memory_an_owner_has_got(tmp_path: Path) -> None:
    model = model_of(tmp_path, OWNERS, put_x="0..1")
    assert stable_states(model) == 3 * 3  # none, 0 or 1 for each


def test_objects_stay_where_they_are_if_their_addresses_were_compared(tmp_path: Path) -> None:
    model = model_of(tmp_path, ORDERED)
    assert not [label for label in model.labels if "error" in str(label)]
    answers = {str(label) for label in model.labels if "knows" in str(label)}
    assert answers == {"call(Subject.knows)", "return(Subject.knows, true)"}


@pytest.mark.parametrize(
    ("header", "type", "put", "shown"),
    [
        ("map", "map<int, std::string>", 'values[x] = "one"', '{0: "one", 1: "one"}'),
        ("set", "set<int>", "values.insert(x)", "{0, 1}"),
    ],
)
def test_states_show_what_maps_and_sets_hold(tmp_path: Path, header: str, type: str, put: str, shown: str) -> None:
    model = model_of(tmp_path, KEYED.format(header=header, type=type, put=put), put_x="0..1", drop_x="0..1")
    assert shown in texts_of(model, "values")
    assert texts_of(model, "values.size") == {"0", "1", "2"}


@pytest.mark.parametrize(
    ("header", "type", "end", "shown"),
    [
        ("string", "string", "back", '"ab"'),
        ("vector", "vector<int>", "back", "{97, 98}"),
        ("deque", "deque<int>", "front", "{97, 98}"),
        ("list", "list<int>", "front", "{97, 98}"),
    ],
)
def test_states_show_what_rows_hold(tmp_path: Path, header: str, type: str, end: str, shown: str) -> None:
    model = model_of(tmp_path, SEQUENCE.format(header=header, type=type, end=end), push_x="97..98")
    found = texts_of(model, "values")
    assert shown in found
    assert len(found) == CONTENTS
    assert {p.name for p in model.propositions} == {"stable", "values", "values.size"}


def texts_of(model: Model, name: str) -> set[str]:
    (column,) = (p for p in model.propositions if p.name == name)
    return {column.text(state) for state in range(model.states)}
