"""The lines that each step of a run executes are those of the code, however fine the steps are."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.answers.confirming import lines_run
from stateglass.evidence import Path as Evidence
from stateglass.logic.reading.claim import read_claim
from stateglass.options import ExtractOptions
from stateglass.pipeline import check_program

CODE = """\
int probe(void);
int kept[2], used;
static void keep(int value)
{
    kept[used] = value;
    used++;
}
int step(int x)
{
    int i;
    for (i = 0; i < x; i++)
        keep(probe());
    if (x)
        return 1;
    used = 0;
    return 0;
}
"""


def lines(folder: Path, claim: str, **more: object) -> list[tuple[str, list[int]]]:
    """The actions of the run that violates a claim, each with the numbers of the lines that are executed."""
    file = folder / "step.c"
    file.write_text(CODE, encoding="utf-8")
    bounds = (("step.x", "0..2"), ("probe()", "7"))
    options = ExtractOptions(files=(str(file),), functions=("step",), bounds=bounds, **more)  # type: ignore[arg-type]
    (checked,) = check_program(options, [read_claim(claim)]).checking.checked
    assert isinstance(checked.answer.evidence, Evidence)
    found = lines_run(checked.answer, checked.model, checked.code)
    assert all(name == str(file) for of_step in found for name, _ in of_step)
    actions = [step.action for step in checked.answer.evidence.steps]
    return [(a, [n for _, n in of_step]) for a, of_step in zip(actions, found, strict=True)]


def test_each_step_has_the_lines_that_it_executes_and_none_after_a_failure(tmp_path: Path) -> None:
    assert lines(tmp_path, "no-error") == [
        ("call(step, 1)", [10, 11, 12]),
        ("call(probe)", []),
        ("return(probe, 7)", [3, 5, 6, 11, 12, 13, 14]),
        ("return(step, 1)", []),
        ("call(step, 2)", [10, 11, 12]),
        ("call(probe)", []),
        ("return(probe, 7)", [3, 5, 6, 11, 12]),
        ("call(probe)", []),
        ("return(probe, 7)", [5, 12]),
        ("error(bounds)", []),
    ]


def test_a_step_that_ends_where_a_value_changes_has_those_before(tmp_path: Path) -> None:
    assert lines(tmp_path, "G ![stable && kept[1] == 7]")[-3:] == [
        ("return(probe, 7)", [5, 12]),
        ("tau", [3, 6, 11, 13, 14]),
        ("return(step, 1)", []),
    ]


@pytest.mark.parametrize("claim", ["G ![stable && kept[1] == 7]", "G ![kept[1] == 7]"])
def test_finer_steps_have_the_same_lines_in_all(tmp_path: Path, claim: str) -> None:
    def all_of(found: list[tuple[str, list[int]]]) -> set[int]:
        return {line for _, of_step in found for line in of_step}

    assert all_of(lines(tmp_path, claim, steps="all")) == all_of(lines(tmp_path, claim))
