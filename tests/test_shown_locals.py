"""Claims about local variables: of calls, of a program that runs on, and of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.evidence import Verdict
from stateglass.logic.reading import read_claim
from stateglass.options import ExtractOptions
from stateglass.pipeline import check_program
from stateglass.source import InputError

STEP = """
int step(int x)
{
    static int n;
    int y = x + n;
    if (y > 3)
        y = 0;
    n = y % 3;
    return y;
}
"""

LOOP = """
extern int more(void);
int main(void)
{
    int count = 0;
    while (more()) {
        if (count < 3)
            count++;
    }
    return count;
}
"""

THREAD = """
extern void tick(int);
void clock(int step)
{
    int now = 0;
    for (;;) {
        tick(now);
        now = (now + step) % 4;
    }
}
"""


def verdict(folder: Path, code: str, claim: str, **options: object) -> Verdict:
    file = folder / "code.c"
    file.write_text(code, encoding="utf-8")
    answered = check_program(ExtractOptions(files=(str(file),), **options), [read_claim(claim)])  # type: ignore[arg-type]
    return answered.checking.checked[0].answer.verdict


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("G([step::x == 1] => F [step::y >= 1])", Verdict.HOLDS),
        ("G !([step::y > 3] & return(step, *))", Verdict.HOLDS),
        ("G !([step::y > 3])", Verdict.VIOLATED),  # for a moment
        ("ctl: EF([step::x == 2 && step::y == 0])", Verdict.HOLDS),
        ("ctl: EF([step::x == 3])", Verdict.VIOLATED),
    ],
)
def test_those_of_calls(tmp_path: Path, claim: str, expected: Verdict) -> None:
    assert verdict(tmp_path, STEP, claim, bounds=(("step.x", "1..2"),)) is expected


@pytest.mark.parametrize("engine", ["explicit", "predicate"])
@pytest.mark.parametrize(
    ("claim", "expected"), [("G([main::count <= 3])", Verdict.HOLDS), ("G([main::count <= 2])", Verdict.VIOLATED)]
)
def test_those_of_a_program_that_runs_on(tmp_path: Path, engine: str, claim: str, expected: Verdict) -> None:
    bounds = (("more()", "0..1"),) if engine == "explicit" else ()
    assert verdict(tmp_path, LOOP, claim, engine=engine, bounds=bounds) is expected


@pytest.mark.parametrize("engine", ["explicit", "predicate"])
@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("G([clock::now == 3] => F [clock::now == 0])", Verdict.HOLDS),
        ("G([a.clock::now <= 2])", Verdict.VIOLATED),
    ],
)
def test_those_of_threads(tmp_path: Path, engine: str, claim: str, expected: Verdict) -> None:
    threads = ("clock(1)",) if "a." not in claim else ("a = clock(1)", "b = clock(1)")
    options = {"threads": threads, "events": ("tick",), "engine": engine}
    assert verdict(tmp_path, THREAD, claim, **options) is expected


def test_who_asks_for_one_by_its_name_alone_is_told_its_whole_name(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        verdict(tmp_path, LOOP, "G([count <= 3])", bounds=(("more()", "0..1"),))
    assert "main::count" in error.value.diagnostics[0].help


def test_what_pointers_lead_to_is_refused(tmp_path: Path) -> None:
    code = "extern void fill(int *);\nint main(void) { int x = 0; fill(&x); return x; }\n"
    with pytest.raises(InputError) as error:
        verdict(tmp_path, code, "G([main::x >= 0])", bounds=(("fill.*0", "0..1"),))
    assert "pointers lead to it" in error.value.diagnostics[0].message
