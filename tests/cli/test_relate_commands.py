"""`compare`, `compose` and `transform` on model files: answers, statuses, streams."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.compare import folded
from stateglass.cli.exits import Exit
from stateglass.formats import read_model, write_model
from stateglass.model import ModelBuilder, Origin, Relation
from tests.cli.running import stateglass
from tests.relate.ladders import alternating
from tests.relate.random_models import built

GOOD = 'des (0, 3, 3)\n(0, "coin", 1)\n(1, "coffee", 2)\n(1, "tea", 2)\n'
BAD = 'des (0, 4, 4)\n(0, "coin", 1)\n(0, "coin", 2)\n(1, "coffee", 3)\n(2, "tea", 3)\n'


@pytest.fixture
def good(tmp_path: Path) -> str:
    return _written(tmp_path / "good.aut", GOOD)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    return _written(tmp_path / "bad.aut", BAD)


@pytest.fixture
def partial(tmp_path: Path) -> str:
    builder = ModelBuilder()
    builder.add(0, "coin", 1)
    path = tmp_path / "partial.sg"
    model = builder.build(2, unexplored=[1], origin=Origin(Relation.UNDER, "machine", partial=("stopped early",)))
    write_model(model, str(path))
    return str(path)


def _written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_related_models(good: str, bad: str) -> None:
    ran = stateglass("compare", good, bad, "--by", "trace")
    assert (ran.status, ran.err) == (Exit.OK, "")
    assert "have the same traces" in ran.out.replace("\n  ", " ")


def test_unrelated_models_are_explained(good: str, bad: str) -> None:
    ran = stateglass("compare", good, bad, "--by", "strong", environ={"COLUMNS": "500"})
    assert ran.status is Exit.FINDINGS
    assert "are not strongly bisimilar" in ran.out
    assert "they have the same traces" in ran.out
    assert "\n    <coin>[tea]false\n" in ran.out
    assert "it can do `coin` and then be where it cannot do `tea`." in ran.out


def test_lines_fit_the_terminal(good: str, bad: str) -> None:
    for by in ("strong", "failures", "simulation"):
        for line in stateglass("compare", bad, good, "--by", by, environ={"COLUMNS": "80"}).out.splitlines():
            assert len(line) <= 80 or " " not in line.strip()


def test_the_answer_for_a_program(good: str, bad: str) -> None:
    ran = stateglass("compare", good, bad, "--by", "strong", "--format", "json")
    answer = json.loads(ran.out)
    assert (ran.status, ran.err) == (Exit.FINDINGS, "")
    assert (answer["command"], answer["equivalent"], answer["by"]) == ("compare", False, "strong")
    assert (answer["trace"], answer["traces"]) == (None, "same")
    assert (answer["formula"], answer["formula_true_of"]) == ("<coin>[tea]false", "second")
    assert [model["states"] for model in answer["models"]] == [3, 4]


def test_a_trace_for_a_program(good: str, bad: str, tmp_path: Path) -> None:
    other = _written(tmp_path / "other.aut", 'des (0, 2, 3)\n(0, "coin", 1)\n(1, "coffee", 2)\n')
    answer = json.loads(stateglass("compare", good, other, "--by", "traceinclusion", "--format", "json").out)
    assert (answer["equivalent"], answer["trace"], answer["trace_of"]) == (False, ["coin", "tea"], "first")
    assert answer["formula"] == "<coin.tea>true"
    answer = json.loads(stateglass("compare", bad, good, "--by", "failures", "--format", "json").out)
    assert (answer["trace"], answer["refused"]) == (["coin"], ["tea"])
    related = json.loads(stateglass("compare", other, good, "--by", "simulation", "--format", "json").out)
    assert (related["equivalent"], related["trace"], related["formula"]) == (True, None, None)


def test_what_depends_on_unexplored_states_is_inconclusive(partial: str, good: str) -> None:
    ran = stateglass("compare", partial, good, "--by", "branching", environ={"COLUMNS": "500"})
    assert ran.status is Exit.INCONCLUSIVE
    assert "inconclusive: " in ran.out
    assert "stopped early" in ran.out
    assert ran.err == ""
    answer = json.loads(stateglass("compare", partial, good, "--by", "branching", "--format", "json").out)
    assert answer["equivalent"] is None
    assert "stopped early" in answer["reason"]


def test_an_abstraction_is_compared_as_a_model(good: str, tmp_path: Path) -> None:
    builder = ModelBuilder()
    builder.add(0, "coin", 0)
    path = tmp_path / "over.sg"
    write_model(builder.build(1, origin=Origin(Relation.OVER, "machine")), str(path))
    ran = stateglass("compare", str(path), good, "--by", "trace", environ={"COLUMNS": "500"})
    assert ran.status is Exit.FINDINGS
    assert "over.sg is an over-approximation" in ran.err
    assert "a difference is a statement about the models, and need not be true of the code" in ran.err
    answer = json.loads(stateglass("compare", str(path), good, "--by", "trace", "--format", "json").out)
    assert [model["relation"] for model in answer["models"]] == ["over", "exact"]


def test_what_an_abstraction_never_does_its_code_never_does(tmp_path: Path) -> None:
    paths = []
    for relation in (Relation.OVER, Relation.EXACT):
        builder = ModelBuilder()
        builder.add(0, "coin", 0)
        paths.append(str(tmp_path / f"{relation.value}.sg"))
        write_model(builder.build(1, origin=Origin(relation, "machine")), paths[-1])
    for by, said in (("simulation", "so that this holds of its code too"), ("trace", "need not be true of the code")):
        ran = stateglass("compare", *paths, "--by", by, environ={"COLUMNS": "500"})
        assert ran.status is Exit.OK
        assert said in ran.err


def test_a_search_that_is_too_large_is_inconclusive(good: str, bad: str) -> None:
    ran = stateglass("compare", good, bad, "--by", "trace", "--max-cases", "1")
    assert ran.status is Exit.INCONCLUSIVE
    assert "more than 1 steps" in ran.out.replace("\n  ", " ")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["compare", "GOOD", "BAD", "--by", "peephole"], "not a relation"),
        (["compare", "GOOD", "BAD", "--by", "equal"], "equal"),
        (["compare", "GOOD", "BAD"], "--by"),
        (["compare", "-", "-", "--by", "strong"], "only one of the two"),
        (["compare", "GOOD", "BAD", "--by", "strong", "--keep", "x"], "the first model has no proposition `x`"),
        (["compose", "GOOD", "-o", "x.aut"], "nothing to compose"),
        (["compose", "-", "-"], "only one of the models"),
        (["compose", "GOOD", "BAD", "--sync", "tee"], "no label `tee`"),
        (["compose", "GOOD", "BAD", "--sync", "tea", "--allow", "tea"], "do not go with"),
        (["compose", "GOOD", "BAD", "--sync", "tea", "--interleave"], "--interleave"),
        (["compose", "GOOD", "BAD", "-o", "x.unknown"], "unknown extension"),
        (["transform", "GOOD"], "nothing is to be done"),
        (["transform", "GOOD", "--hide", "tee"], "did you mean `tea`"),
        (["transform", "GOOD", "--hide", "tea", "-o", "-", "--to", "aut", "--format", "json"], "cannot carry both"),
    ],
)
def test_mistakes_are_told(good: str, bad: str, argv: list[str], said: str) -> None:
    ran = stateglass(*[{"GOOD": good, "BAD": bad}.get(word, word) for word in argv])
    assert ran.status is Exit.BAD_INPUT
    assert said in ran.err


def test_compose_writes_and_reports(good: str, tmp_path: Path) -> None:
    user = _written(tmp_path / "user.aut", 'des (0, 2, 2)\n(0, "coin", 1)\n(1, "coffee", 0)\n')
    target = tmp_path / "both.aut"
    ran = stateglass("compose", good, user, "-o", str(target))
    assert (ran.status, ran.out) == (Exit.OK, "")
    assert "good || user: 4 states, 3 transitions, 2 deadlocks" in ran.err
    model = read_model(str(target))
    assert {model.labels[a] for a in model.actions.tolist()} == {"coin", "coffee", "tea"}


def test_compose_tells_what_never_happens(good: str, tmp_path: Path) -> None:
    user = _written(tmp_path / "user.aut", 'des (0, 2, 3)\n(0, "coin", 1)\n(1, "coin", 2)\n')
    ran = stateglass("compose", good, user, "--sync", "coin", "--format", "json")
    assert json.loads(ran.out)["labels"] == {"coin": 1, "coffee": 1, "tea": 1}
    ran = stateglass("compose", good, user, "--comm", "coin|tea->free", "--allow", "free,coffee")
    assert "note: never happens: " in ran.err


def test_compose_at_its_limit_is_inconclusive(good: str, bad: str) -> None:
    ran = stateglass("compose", good, bad, "--interleave", "--max-states", "2")
    assert ran.status is Exit.INCONCLUSIVE
    assert "the limit of 2 states was reached" in ran.err


def test_components_of_one_name_are_numbered(partial: str, tmp_path: Path) -> None:
    ran = stateglass("compose", partial, partial, partial)
    assert ran.status is Exit.OK
    assert "partial || partial_2 || partial_3: " in ran.err
    assert "partial_2: stopped early" in ran.err


def test_transform_writes_and_reports(good: str, tmp_path: Path) -> None:
    target = tmp_path / "quiet.aut"
    ran = stateglass("transform", good, "--hide", "co*", "--rename", "tea=chai", "--hide", "z*", "-o", str(target))
    assert (ran.status, ran.out) == (Exit.OK, "")
    assert "`z*` matches no label" in ran.err
    assert set(read_model(str(target)).labels) == {"tau", "chai"}


def test_transform_to_standard_output(good: str) -> None:
    ran = stateglass("transform", good, "--only", "coin", "--reachable", "-o", "-", "--to", "aut")
    assert ran.out == 'des (0, 1, 2)\n(0, "coin", 1)\n'
    assert "1 deadlock" in ran.err


def test_transform_without_output_lists_states(good: str) -> None:
    assert "chai -> 2" in stateglass("transform", good, "--rename", "tea=chai").out


@pytest.mark.parametrize(
    "formula",
    [
        "<tau*.call(up, 3).tau*.return(up, true)>true",
        '<"return(f, &x=5. 3)".b>(<c>true && !(mu X.([a]false && (<b>true || <tau>X))))',
        "val(x == -1) && [a.b.c]false",
        "true",
    ],
)
@pytest.mark.parametrize("width", [20, 40, 100])
def test_folding_loses_nothing(formula: str, width: int) -> None:
    lines = folded(formula, width)
    assert "".join(line.strip() for line in lines).replace(" ", "") == formula.replace(" ", "")
    assert all(line.startswith("    ") for line in lines)
    assert (len(lines) == 1) is (len(formula) + 4 <= width)
    assert not any(line.count("(") < line.count(")") and "return(up," in formula for line in lines)


@pytest.mark.usefixtures("here")
def test_what_is_shown_of_a_large_difference_fits_on_a_screen() -> None:
    """Formula, words and trace have six lines each; JSON has all."""
    paths = ["a.sg", "b.sg"]
    for model, path in zip(alternating(70), paths, strict=True):
        write_model(model, path)
    ran = stateglass("compare", *paths, "--by", "branching", environ={"COLUMNS": "80"})
    assert (ran.status, ran.err) == (Exit.FINDINGS, "")
    assert len(ran.out.splitlines()) <= 22
    assert "…" in ran.out
    assert "`--format json` has all" in ran.out.replace("\n  ", " ")
    formula = json.loads(stateglass("compare", *paths, "--by", "branching", "--format", "json").out)["formula"]
    assert "…" not in formula
    assert formula.count("[") > 30


@pytest.mark.usefixtures("here")
def test_a_long_trace_is_shown_in_part() -> None:
    paths = ["a.sg", "b.sg"]
    for last, path in zip("xy", paths, strict=True):
        write_model(built([*((i, f"make_a_step({i})", i + 1) for i in range(90)), (90, last, 91)], 92), path)
    ran = stateglass("compare", *paths, "--by", "trace", environ={"COLUMNS": "80"})
    assert ran.status is Exit.FINDINGS
    assert len(ran.out.splitlines()) <= 22
    assert "more" in ran.out
    assert len(json.loads(stateglass("compare", *paths, "--by", "trace", "--format", "json").out)["trace"]) == 91


def test_the_time_for_reasons_can_be_nothing(good: str, bad: str) -> None:
    ran = stateglass("compare", good, bad, "--by", "strong", "--explain", "0", environ={"COLUMNS": "500"})
    assert (ran.status, ran.err) == (Exit.FINDINGS, "")
    assert ran.out.splitlines()[0].endswith("are not strongly bisimilar")
    assert "no formula to show: none was found within 0 s (--explain)" in ran.out


def test_an_interruption_after_the_verdict_leaves_it(good: str, bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stateglass.relate.explain.search_traces", lambda *args, **options: interrupted())
    ran = stateglass("compare", good, bad, "--by", "strong", environ={"COLUMNS": "500"})
    assert ran.status is Exit.INTERRUPTED
    assert "are not strongly bisimilar" in ran.out
    assert "the search for it was interrupted" in ran.out
    assert "interrupted: the answer stands" in ran.err
