"""A specification does what our model of the same system does, by a stepper of its own and by the mCRL2 toolset."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.formats.scpp import Specification
from stateglass.formats.scpp.names import Names, Sort
from stateglass.model import Model
from stateglass.operations.comparing import compare_models
from stateglass.options import ExtractOptions
from stateglass.pipeline import extract, specify
from tests.cases import TARGET, Case, load_cases
from tests.cli.running import stateglass
from tests.formats.scpp.stepping import model_by_stepping
from tests.formats.scpp.systems import SYSTEMS
from tests.formats.scpp.toolset import INSTALLED, model_by_toolset
from tests.generator.cplusplus import generate_cplusplus

CASES = load_cases("specification")
PROGRAM = "% ---- The program\n"


def specified(options: ExtractOptions) -> Specification:
    return specify(options).specification


def assert_same(one: Model, other: Model, by: str) -> None:
    found = compare_models(one, other, by)
    assert found.related, f"{found.reason} {found.trace}"


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_specification_does_what_the_model_does(name: str, tmp_path: Path) -> None:
    options = SYSTEMS[name](tmp_path)
    made = specified(options)
    assert not made.gaps
    assert_same(model_by_stepping(made.text.decode()), extract(options).exploration.model, "branching")


@pytest.mark.parametrize("seed", [3, 5, 10])
def test_generated_programs_run_as_in_the_model(seed: int, tmp_path: Path) -> None:
    """Inheritance, virtual calls, exceptions through frames, lambdas and references, all in one program."""
    for name, text in generate_cplusplus(seed, 8).files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = tuple(sorted(map(str, tmp_path.glob("*.cpp"))))
    options = ExtractOptions(files=files, functions=("main",), mode="run")
    made = specified(options)
    assert not made.gaps
    assert_same(model_by_stepping(made.text.decode()), extract(options).exploration.model, "branching")


@pytest.mark.skipif(not INSTALLED, reason="the mCRL2 toolset is not installed")
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_toolset_finds_what_our_stepper_finds(name: str, tmp_path: Path) -> None:
    text = specified(SYSTEMS[name](tmp_path)).text
    assert_same(model_by_toolset(text, tmp_path), model_by_stepping(text.decode()), "strong")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden_case(case: Case, here: Path, update_cases: bool) -> None:
    options = shlex.split(case.get("options") or "")
    ran = stateglass("specify", *case.write_files(here), "--target", TARGET, *options)
    case.check("specification", ran.out[ran.out.index(PROGRAM) :], update_cases)
    case.check("report", ran.err, update_cases)


FLOATING = """
class Scale {
    float weight = 0;
    int count = 0;
public:
    void put(int by) { weight = weight + by; }
    int next() { count = count == 2 ? 0 : count + 1; return count; }
};
"""


def test_what_cannot_be_said_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "scale.cpp"
    file.write_text(FLOATING, encoding="utf-8")
    target = tmp_path / "scale.mcrl2"
    ran = stateglass("specify", str(file), "--class", "Scale", "--bound", "put.by=1", "-o", str(target))
    assert int(ran.status) == 3
    assert "not in the specification: floating-point numbers" in ran.err
    assert "scale.cpp:6:" in ran.err
    text = target.read_text(encoding="utf-8")
    assert '% not_supported(1): "floating-point numbers' in text


def test_whoever_reaches_what_cannot_be_said_shows_it(tmp_path: Path) -> None:
    file = tmp_path / "scale.cpp"
    file.write_text(FLOATING.replace("float weight = 0;", "float weight;"), encoding="utf-8")
    options = ExtractOptions(files=(str(file),), of_class="Scale", bounds=(("put.by", "1"),))
    model = model_by_stepping(specified(options).text.decode())
    assert any(label.startswith("not_supported(") for label in model.labels)
    assert "return(Scale.next, 2)" in model.labels


RETURNED = """
struct Ticket { int number; ~Ticket() {} };
class Office { public: Ticket next() { return Ticket{1}; } };
"""


def test_surroundings_that_have_no_place_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "office.cpp"
    file.write_text(RETURNED, encoding="utf-8")
    ran = stateglass("specify", str(file), "--class", "Office")
    assert int(ran.status) == 2
    assert "as an mCRL2 specification: `Office.next` returns an object" in ran.err


@given(st.lists(st.tuples(st.sampled_from(list(Sort)), st.text(max_size=8)), max_size=12))
def test_identifiers_are_of_mcrl2_and_tell_names_apart(asked: list[tuple[Sort, str]]) -> None:
    names = Names()
    found = {(sort, text): names.of(sort, text) for sort, text in asked}
    assert len(set(found.values())) == len(found)
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) for name in found.values())
    assert all(names.of(sort, text) == name for (sort, text), name in found.items())
